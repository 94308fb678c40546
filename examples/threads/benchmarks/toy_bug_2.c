// expect: unsafe
// Two threads count up what a third writes back by a signal; that each round adds two is wrong: it may come between them.
#include <slabcert/threads.h>
signal_t result;
event_t start, computed, finished;
int value, data, processed;
void write_loop(void) {
  wait_time(0);
  while (1) {
    int old = value;
    data = value;
    processed = 0;
    notify_event(start);
    wait_event(finished);
    assert(value == old + 2);
  }
}
void compute1(void) {
  while (1) {
    wait_event(start);
    if (!processed) {
      data = data + 1;
      notify_event(computed);
    }
  }
}
void compute2(void) {
  while (1) {
    wait_event(start);
    if (!processed) {
      data = data + 1;
      notify_event(computed);
    }
  }
}
void write_back(void) {
  while (1) {
    wait_event(computed);
    signal_write(result, data);
    processed = 1;
  }
}
void take(void) {
  value = signal_read(result);
  notify_event(finished);
}
int main(void) {
  spawn(write_loop);
  spawn(compute1);
  spawn(compute2);
  spawn(write_back);
  spawn_method(take, changed(result));
  dont_initialize(take);
  simulate();
}
