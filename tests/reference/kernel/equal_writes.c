// A write of the value that a signal has is no event; of several writes the last one counts, also if it is equal.
#include <slabcert/threads.h>
signal_t s;
int runs, last;
void method(void) { runs = runs + 1; last = signal_read(s); }
void writer(void) {
  signal_write(s, 0);
  wait_time(1);
  signal_write(s, 1);
  signal_write(s, 0);
  wait_time(1);
  signal_write(s, 1);
  signal_write(s, 2);
  wait_time(1);
  signal_write(s, 2);
}
int main(void) {
  spawn_method(method, changed(s));
  dont_initialize(method);
  spawn(writer);
  simulate();
}
