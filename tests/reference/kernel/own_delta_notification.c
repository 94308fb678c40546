// Who notifies an event for the next delta cycle is woken by it.
#include <slabcert/threads.h>
event_t e, f;
int runs, passed;
void method(void) { runs = runs + 1; if (runs < 5) { notify_event_delta(e); } }
void thread(void) { notify_event_delta(f); wait_event(f); passed = 1; }
int main(void) {
  spawn_method(method, e);
  spawn(thread);
  simulate();
}
