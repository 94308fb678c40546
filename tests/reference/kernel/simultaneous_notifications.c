// What is notified for the same time wakes all who wait, once, and they run in any order.
#include <slabcert/threads.h>
event_t e, f;
int order;
void one(void) { wait_event(e); order = order * 10 + 1; }
void two(void) { wait_event(f); order = order * 10 + 2; }
void both(void) { while (1) { wait_any(e, f); order = order * 10 + 3; } }
int main(void) {
  spawn(one);
  spawn(two);
  spawn(both);
  notify_event_at_time(e, 2);
  notify_event_at_time(f, 2);
  simulate_for(3);
}
