// expect: safe
// A cell of gates, a method, that sees all four inputs rise at once: its output stays 0.
#include <slabcert/threads.h>
signal_t b0, b1, d0, d1, z;
void gates(void) {
  int left = !(signal_read(b0) && signal_read(d1));
  int right = !(signal_read(d0) && signal_read(b1));
  int neither = !(left || right);
  int both = left && right;
  signal_write(z, !(both || neither));
}
int main(void) {
  spawn_method(gates, changed(b0), changed(b1), changed(d0), changed(d1));
  dont_initialize(gates);
  signal_write(b0, 1);
  signal_write(b1, 1);
  signal_write(d0, 1);
  signal_write(d1, 1);
  simulate();
  assert(signal_read(z) == 0);
}
