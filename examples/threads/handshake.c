// expect: safe
// A sender and a receiver take turns: each wakes the other one in the next delta cycle, and no message is lost or read twice.
#include <slabcert/threads.h>
event_t sent, received;
int message, count, seen;
void sender(void) {
  while (1) {
    message = nondet_int();
    count = 1;
    notify_event_delta(sent);
    wait_event(received);
    assert(count == 0);
  }
}
void receiver(void) {
  while (1) {
    wait_event(sent);
    assert(count == 1);
    seen = message;
    count = 0;
    notify_event_delta(received);
  }
}
int main(void) {
  spawn(sender);
  spawn(receiver);
  simulate();
}
