// A simulation for a time runs all that is due up to and at its end, and the next one goes on from there.
#include <slabcert/threads.h>
event_t e, f;
int order;
void at_two(void) { wait_time(2); order = order * 10 + 1; notify_event_delta(e); wait_time(1); order = order * 10 + 3; }
void after(void) { wait_event(e); order = order * 10 + 2; }
void never(void) { wait_event(f); order = order * 10 + 9; }
int main(void) {
  spawn(at_two);
  spawn(after);
  spawn(never);
  simulate_for(2);
  order = order * 10 + 7;
  notify_event_at_time(f, 1);
  simulate_for(0);
  cancel_event(f);
  simulate_for(5);
  order = order * 10 + 8;
}
