/* The scheduler of threads. Which of those that may run has its turn, the run says; everything else follows from what they do. */
#include <stdarg.h>
#include <stdlib.h>
#include <ucontext.h>

#define STACK_SIZE (1 << 18)

struct thread {
  void (*run)();
  int is_method, is_awake, wanted_count;
  struct harness_event **wanted; /* what wakes it */
  struct harness_event time; /* the end of its wait for a time */
  ucontext_t context;
};

static struct thread threads[THREADS];
static int thread_count, running = -1, has_started, next_turn;
static ucontext_t controller;
/* Everything that was ever notified or written. */
static struct harness_event *events;
static struct harness_signal *signals;

static void wake(struct harness_event *event) {
  for (int thread = 0; thread < thread_count; thread++)
    for (int at = 0; thread != running && at < threads[thread].wanted_count; at++)
      if (threads[thread].wanted[at] == event) threads[thread].is_awake = 1;
}

static void notify_within(struct harness_event *event, long long time) {
  if (!event->is_listed) {
    event->is_listed = 1;
    event->next = events;
    events = event;
  }
  if (event->due == 0 || time + 1 < event->due) event->due = time + 1;
}

static int is_time(int time) {
  if (time < 0) harness_error();
  return time;
}

static int has_delta_work(void) {
  for (struct harness_event *event = events; event; event = event->next)
    if (event->due == 1) return 1;
  for (struct harness_signal *signal = signals; signal; signal = signal->next)
    if (signal->current != signal->written) return 1;
  return 0;
}

/* So much time passes, at the end of which events happen that are due then, or none. */
static void pass(long long time, int happens) {
  for (struct harness_event *event = events; event; event = event->next) {
    if (event->due) event->due -= time;
    if (!happens || event->due != 1) continue;
    event->due = 0;
    wake(event);
  }
}

static void delta_cycle(void) {
  pass(0, 1);
  for (struct harness_signal *signal = signals; signal; signal = signal->next) {
    if (signal->current == signal->written) continue;
    wake(&signal->changed);
    if (signal->current == 0) wake(&signal->rises);
    if (signal->written == 0) wake(&signal->falls);
    signal->current = signal->written;
  }
}

static int is_any_awake(void) {
  for (int thread = 0; thread < thread_count; thread++)
    if (threads[thread].is_awake) return 1;
  return 0;
}

static void turn(void) {
  if (turns[next_turn] < 0) end("the run has no more turns", NO_VALUES_STATUS);
  running = turns[next_turn++];
  if (running >= thread_count || !threads[running].is_awake) end("the thread of the next turn may not run", NO_VALUES_STATUS);
  threads[running].is_awake = 0;
  swapcontext(&controller, &threads[running].context);
  running = -1;
}

static void wait_until_awake(void) {
  swapcontext(&threads[running].context, &controller);
}

static void body(void) {
  struct thread *own = &threads[running];
  while (1) {
    own->run();
    if (!own->is_method) own->wanted_count = 0;
    wait_until_awake();
  }
}

static void let_run(long long limit, int is_limited, int is_delta) {
  if (!has_started) delta_cycle();
  has_started = 1;
  while (1) {
    if (is_any_awake()) {
      turn();
    } else if (has_delta_work()) {
      delta_cycle();
      if (is_delta) return;
    } else if (is_delta) {
      return;
    } else {
      long long least = -1;
      for (struct harness_event *event = events; event; event = event->next)
        if (event->due && (least < 0 || event->due - 1 < least)) least = event->due - 1;
      if (least < 0 || (is_limited && least > limit)) break;
      pass(least, 1);
      limit -= least;
    }
  }
  if (is_limited) pass(limit, 0);
}

static void want(struct thread *thread, struct harness_event *first, va_list rest) {
  thread->wanted_count = 0;
  for (struct harness_event *event = first; event; event = va_arg(rest, struct harness_event *)) {
    thread->wanted = realloc(thread->wanted, (thread->wanted_count + 1) * sizeof event);
    thread->wanted[thread->wanted_count++] = event;
  }
}

static struct thread *added(void (*run)()) {
  if (thread_count >= THREADS) end("there are more threads than in the run", NO_VALUES_STATUS);
  struct thread *thread = &threads[thread_count++];
  thread->run = run;
  thread->is_awake = 1;
  getcontext(&thread->context);
  thread->context.uc_stack.ss_sp = malloc(STACK_SIZE);
  thread->context.uc_stack.ss_size = STACK_SIZE;
  makecontext(&thread->context, body, 0);
  return thread;
}

void spawn(void (*thread)()) { added(thread); }

void spawn_method(void (*method)(), ...) {
  va_list triggers;
  struct thread *thread = added(method);
  thread->is_method = 1;
  va_start(triggers, method);
  want(thread, va_arg(triggers, struct harness_event *), triggers);
  va_end(triggers);
}

void dont_initialize(void (*thread_or_method)()) {
  for (int thread = 0; thread < thread_count; thread++)
    if (threads[thread].run == thread_or_method) threads[thread].is_awake = 0;
}

void wait_any(struct harness_event *first, ...) {
  va_list rest;
  va_start(rest, first);
  want(&threads[running], first, rest);
  va_end(rest);
  wait_until_awake();
}

void wait_event(struct harness_event *event) { wait_any(event, (struct harness_event *)0); }

void wait_time(int time) {
  struct harness_event *event = &threads[running].time;
  notify_within(event, is_time(time));
  wait_event(event);
}

struct harness_event *changed(struct harness_signal *signal) { return &signal->changed; }
struct harness_event *positive_edge(struct harness_signal *signal) { return &signal->rises; }
struct harness_event *negative_edge(struct harness_signal *signal) { return &signal->falls; }

void notify_event(struct harness_event *event) {
  event->due = 0;
  wake(event);
}

void notify_event_delta(struct harness_event *event) { notify_within(event, 0); }
void notify_event_at_time(struct harness_event *event, int time) { notify_within(event, is_time(time)); }
void cancel_event(struct harness_event *event) { event->due = 0; }

void signal_write(struct harness_signal *signal, int value) {
  if (!signal->is_listed) {
    signal->is_listed = 1;
    signal->next = signals;
    signals = signal;
  }
  signal->written = value;
}

int signal_read(struct harness_signal *signal) { return signal->current; }

void simulate(void) { let_run(0, 0, 0); }
void simulate_for(int time) { let_run(is_time(time), 1, 0); }
void simulate_delta(void) { let_run(0, 0, 1); }
