// One notification is pending for an event, the earliest: a later one changes nothing, a sooner one takes its place, and one at once voids it.
#include <slabcert/threads.h>
event_t sooner, later, zero, now;
int order;
void for_sooner(void) { while (1) { wait_event(sooner); order = order * 10 + 1; } }
void for_later(void) { while (1) { wait_event(later); order = order * 10 + 2; } }
void for_zero(void) { while (1) { wait_event(zero); order = order * 10 + 3; } }
void for_now(void) { while (1) { wait_event(now); order = order * 10 + 4; } }
void caller(void) {
  wait_time(1);
  notify_event_at_time(sooner, 7);
  notify_event_at_time(sooner, 3);
  notify_event_at_time(later, 2);
  notify_event_at_time(later, 9);
  notify_event_at_time(zero, 4);
  notify_event_delta(zero);
  notify_event_at_time(now, 2);
  notify_event(now);
  wait_time(5);
  order = order * 10 + 5;
}
int main(void) {
  spawn(for_sooner);
  spawn(for_later);
  spawn(for_zero);
  spawn(for_now);
  spawn(caller);
  simulate_for(20);
}
