// expect: safe
// What is notified in the next delta cycle is not lost: by then, everybody waits.
#include <slabcert/threads.h>
event_t ready;
int done;
void worker(void) {
  wait_event(ready);
  done = 1;
}
void starter(void) { notify_event_delta(ready); }
int main(void) {
  spawn(worker);
  spawn(starter);
  simulate();
  assert(done);
}
