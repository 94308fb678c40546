// Who waits for any of several events is woken by the first one, once.
#include <slabcert/threads.h>
event_t e, f;
signal_t s;
int count, last;
void waiter(void) { while (1) { wait_any(e, f, changed(s)); count = count + 1; } }
void one(void) { wait_time(1); notify_event(e); wait_time(1); notify_event_delta(e); last = 1; }
void two(void) { wait_time(1); notify_event(f); wait_time(1); signal_write(s, 1); last = 2; }
int main(void) {
  spawn(waiter);
  spawn(one);
  spawn(two);
  simulate_for(5);
}
