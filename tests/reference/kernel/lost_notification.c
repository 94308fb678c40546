// A notification at once wakes only who waits already.
#include <slabcert/threads.h>
event_t e;
int woken;
void caller(void) { notify_event(e); }
void waiter(void) { wait_event(e); woken = 1; }
int main(void) {
  spawn(caller);
  spawn(waiter);
  simulate();
}
