// Who notifies an event at once is not woken by it, whether it is a method that is sensitive to it or a thread; another one is.
#include <slabcert/threads.h>
event_t e, f;
int runs, others, passed;
void method(void) { runs = runs + 1; if (runs < 5) { notify_event(e); } }
void other(void) { others = others + 1; }
void thread(void) { notify_event(f); wait_event(f); passed = 1; }
int main(void) {
  spawn_method(method, e);
  spawn_method(other, e);
  dont_initialize(other);
  spawn(thread);
  simulate();
}
