// What main writes before the first simulation is seen by the first evaluation, and wakes methods that are not initialized.
#include <slabcert/threads.h>
signal_t s, t;
event_t e;
int seen, by_change, by_event, runs, late;
void reader(void) { seen = signal_read(s); }
void on_change(void) { by_change = by_change + signal_read(s); }
void on_event(void) { by_event = by_event + 1; }
void initialized(void) { runs = runs + 1; }
void thread(void) { wait_any(changed(s), e); late = 1; }
int main(void) {
  spawn(reader);
  spawn_method(on_change, changed(s));
  dont_initialize(on_change);
  spawn_method(on_event, e);
  dont_initialize(on_event);
  spawn_method(initialized, changed(s), e);
  spawn(thread);
  signal_write(s, 7);
  notify_event_delta(e);
  simulate_delta();
  simulate();
}
