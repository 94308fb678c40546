// expect: unsafe
// A consumer waits for the second producer, which there is not; the first one fills the stack of two cells too much.
#include <slabcert/threads.h>
event_t supplied;
int data_0, data_1, count, rounds, is_wanted;
void producer1(void) {
  while (rounds < 2) {
    assert(0 <= count && count < 2);
    if (count == 0) { data_0 = 1; } else { data_1 = 1; }
    count = count + 1;
    wait_time(1);
  }
}
void consumer(void) {
  int taken = 0;
  while (rounds < 2) {
    if (count == 0) {
      is_wanted = 1;
      rounds = rounds + 1;
      wait_event(supplied);
    }
    count = count - 1;
    assert(0 <= count && count < 2);
    if (count == 0) { taken = data_0; } else { taken = data_1; }
    rounds = rounds + 1;
    wait_time(1);
  }
}
int main(void) {
  spawn(producer1);
  spawn(consumer);
  simulate();
}
