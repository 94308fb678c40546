// expect: unsafe
// Five stages at the edge of a clock, the last one of which forgets to double: seen at the fifth clock.
#include <slabcert/threads.h>
extern int nondet_int(void);
signal_t clk, in1, in2, sum, difference, passed, doubled, zero;
int shown;
void generate(void) {
  int a = nondet_int();
  int b = nondet_int();
  signal_write(in1, a);
  signal_write(in2, b);
}
void add_and_subtract(void) {
  signal_write(sum, signal_read(in1) + signal_read(in2));
  signal_write(difference, signal_read(in1) - signal_read(in2));
}
void pass_and_double(void) {
  int c = signal_read(sum) + signal_read(difference);
  int d = signal_read(sum) - signal_read(difference);
  signal_write(passed, signal_read(sum));
  signal_write(doubled, c + d);
}
void cancel_out(void) {
  signal_write(zero, signal_read(doubled) - signal_read(passed));
}
void show(void) {
  shown = signal_read(zero);
}
int main(void) {
  spawn_method(generate, positive_edge(clk));
  spawn_method(add_and_subtract, positive_edge(clk));
  spawn_method(pass_and_double, positive_edge(clk));
  spawn_method(cancel_out, positive_edge(clk));
  spawn_method(show, positive_edge(clk));
  dont_initialize(generate);
  dont_initialize(add_and_subtract);
  dont_initialize(pass_and_double);
  dont_initialize(cancel_out);
  dont_initialize(show);
  int count = 0;
  simulate_for(0);
  while (1) {
    signal_write(clk, 1);
    simulate_for(0);
    count = count + 1;
    if (count == 5) {
      assert(shown == 0);
      count = 0;
    }
    signal_write(clk, 0);
    simulate_for(0);
  }
}
