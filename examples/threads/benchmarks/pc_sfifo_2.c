// expect: safe
// A producer and a consumer with one cell between them, each waking the other after a delta cycle and looking again: what is read is what was written.
#include <slabcert/threads.h>
extern int nondet_int(void);
event_t was_read, was_written;
int is_full, cell, writes, reads, last_written, last_read;
void producer(void) {
  while (1) {
    while (is_full) { wait_event(was_read); }
    int fresh = nondet_int();
    cell = fresh;
    last_written = cell;
    writes = writes + 1;
    is_full = 1;
    notify_event_delta(was_written);
  }
}
void consumer(void) {
  while (1) {
    while (!is_full) { wait_event(was_written); }
    last_read = cell;
    reads = reads + 1;
    is_full = 0;
    notify_event_delta(was_read);
    assert(last_read == last_written && reads == writes);
  }
}
int main(void) {
  spawn(producer);
  spawn(consumer);
  simulate();
}
