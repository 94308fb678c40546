// expect: unsafe
// What is notified at once is lost if nobody waits for it yet: that depends on who runs first.
#include <slabcert/threads.h>
event_t ready;
int done;
void worker(void) {
  wait_event(ready);
  done = 1;
}
void starter(void) { notify_event(ready); }
int main(void) {
  spawn(worker);
  spawn(starter);
  simulate();
  assert(done);
}
