// One delta cycle at a time: main goes on after an update, before those whom it woke have run.
#include <slabcert/threads.h>
signal_t s;
event_t e;
int order, seen;
void copy(void) { seen = seen * 10 + signal_read(s); }
void thread(void) { order = order * 10 + 1; signal_write(s, 1); notify_event_delta(e); wait_event(e); order = order * 10 + 2; }
int main(void) {
  spawn(thread);
  spawn_method(copy, changed(s));
  dont_initialize(copy);
  simulate_delta();
  order = order * 10 + 7;
  signal_write(s, 2);
  simulate_delta();
  order = order * 10 + 8;
  simulate_delta();
  order = order * 10 + 9;
}
