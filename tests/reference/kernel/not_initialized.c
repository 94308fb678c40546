// Methods run once at first unless they are not initialized; then, each time something of theirs happens.
#include <slabcert/threads.h>
event_t e;
signal_t s;
int first, second, third;
void at_first(void) { first = first + 1; }
void by_event(void) { second = second + 1; }
void by_either(void) { third = third + 1; }
void thread(void) { wait_time(1); notify_event_delta(e); signal_write(s, 1); wait_time(1); notify_event(e); }
int main(void) {
  spawn_method(at_first, e);
  spawn_method(by_event, e);
  dont_initialize(by_event);
  spawn_method(by_either, e, changed(s));
  dont_initialize(by_either);
  spawn(thread);
  simulate();
}
