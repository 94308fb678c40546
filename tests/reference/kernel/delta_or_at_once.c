// A notification at once wakes within the same evaluation, where signals still have their old values; one by delta after they changed.
#include <slabcert/threads.h>
event_t at_once, delta;
signal_t s;
int early, late;
void first(void) { wait_event(at_once); early = 10 + signal_read(s); }
void second(void) { wait_event(delta); late = 10 + signal_read(s); }
void caller(void) { signal_write(s, 1); notify_event_delta(delta); notify_event(at_once); }
int main(void) {
  spawn(first);
  spawn(second);
  spawn(caller);
  simulate();
}
