// expect: safe
// A watchdog that is fed every 3 units of time takes back its alarm, which would come after 5.
#include <slabcert/threads.h>
event_t alarm;
void feeder(void) {
  while (1) {
    wait_time(3);
    cancel_event(alarm);
    notify_event_at_time(alarm, 5);
  }
}
void watchdog(void) { assert(0); }
int main(void) {
  spawn(feeder);
  spawn_method(watchdog, alarm);
  dont_initialize(watchdog);
  notify_event_at_time(alarm, 5);
  simulate();
}
