// expect: safe
// A counter in hardware: the clock rises and falls, and the count is one more than what was seen before.
#include <slabcert/threads.h>
signal_t clock, count;
int before;
void generate(void) {
  while (1) {
    signal_write(clock, 1);
    wait_time(1);
    signal_write(clock, 0);
    wait_time(1);
  }
}
void increment(void) {
  before = signal_read(count);
  signal_write(count, signal_read(count) + 1);
}
void check(void) { assert(signal_read(count) == before + 1); }
int main(void) {
  spawn(generate);
  spawn_method(increment, positive_edge(clock));
  spawn_method(check, changed(count));
  dont_initialize(increment);
  dont_initialize(check);
  simulate();
}
