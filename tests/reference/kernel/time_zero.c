// Time 0 is the next delta cycle: for waits, and for notifications.
#include <slabcert/threads.h>
event_t e, f;
signal_t s;
int order, seen;
void waiter(void) { signal_write(s, 1); wait_time(0); seen = signal_read(s); order = order * 10 + 1; }
void delta(void) { wait_event(e); order = order * 10 + 2; wait_event(f); order = order * 10 + 3; }
void caller(void) { notify_event_at_time(e, 0); wait_time(0); notify_event_delta(f); }
int main(void) {
  spawn(waiter);
  spawn(delta);
  spawn(caller);
  simulate_for(0);
}
