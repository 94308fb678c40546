// expect: unsafe
// What a method sends at the edge of a clock is seen by another one at the next edge: the second value may be any.
#include <slabcert/threads.h>
signal_t ck, wire;
event_t done;
int last;
void gen(void) { signal_write(wire, nondet_int()); } /* a method: it never waits */
void copy(void) {
  last = signal_read(wire);
  notify_event_delta(done);
}
void sink(void) {
  while (1) {
    wait_event(done);
    assert(last == 0);
  }
}
int main(void) {
  spawn(sink);
  spawn_method(gen, positive_edge(ck));
  spawn_method(copy, positive_edge(ck));
  dont_initialize(gen);
  dont_initialize(copy);
  for (int i = 0; i < 3; i++) {
    signal_write(ck, 1);
    simulate_for(0);
    signal_write(ck, 0);
    simulate_for(0);
  }
}
