// A signal rises where it was 0 and is it no more, falls where it gets to be 0; other changes are neither.
#include <slabcert/threads.h>
signal_t s;
int rises, falls, changes;
void rise(void) { rises = rises + 1; }
void fall(void) { falls = falls + 1; }
void change(void) { changes = changes + 1; }
int main(void) {
  spawn_method(rise, positive_edge(s));
  dont_initialize(rise);
  spawn_method(fall, negative_edge(s));
  dont_initialize(fall);
  spawn_method(change, changed(s));
  dont_initialize(change);
  signal_write(s, 1);
  simulate_for(0);
  signal_write(s, 2);
  simulate_for(0);
  signal_write(s, 0);
  simulate_for(0);
  signal_write(s, -1);
  simulate_for(1);
}
