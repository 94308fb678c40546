// A notification that is taken back wakes nobody, one after a delta cycle or after a time; one at once is made before it could be.
#include <slabcert/threads.h>
event_t delta, timed, again;
int by_delta, by_time, by_again, when;
void for_delta(void) { wait_event(delta); by_delta = 1; }
void for_time(void) { wait_event(timed); by_time = 1; }
void for_again(void) { wait_event(again); by_again = when; }
void clock(void) { while (1) { wait_time(1); when = when + 1; } }
void caller(void) {
  notify_event_delta(delta);
  cancel_event(delta);
  notify_event_at_time(timed, 2);
  notify_event_at_time(again, 2);
  wait_time(1);
  cancel_event(timed);
  cancel_event(again);
  notify_event_at_time(again, 3);
}
int main(void) {
  spawn(for_delta);
  spawn(for_time);
  spawn(for_again);
  spawn(clock);
  spawn(caller);
  simulate_for(6);
}
