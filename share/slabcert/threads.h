/* Threads, events and signals of C programs for slabcert, so that compilers can parse them: slabcert knows the content of this header itself
   (docs/c.md), and what runs such programs is a scheduler like that of SystemC. */
#ifndef SLABCERT_THREADS_H
#define SLABCERT_THREADS_H

#include <assert.h>

typedef struct { int delay; } event_t;
typedef struct { int current, next; } signal_t;

/* What the program consists of: called in the outermost block of main, before the first simulation. */
void spawn(void (*thread)());
void spawn_method(void (*method)(), ...);
void dont_initialize(void (*thread_or_method)());

/* What threads wait for. */
void wait_event(event_t event);
void wait_any(event_t first, ...);
void wait_time(int time);
event_t changed(signal_t signal);
event_t positive_edge(signal_t signal);
event_t negative_edge(signal_t signal);

/* What happens. */
void notify_event(event_t event);
void notify_event_delta(event_t event);
void notify_event_at_time(event_t event, int time);
void cancel_event(event_t event);
void signal_write(signal_t signal, int value);
int signal_read(signal_t signal);

/* What main lets happen. */
void simulate(void);
void simulate_for(int time);
void simulate_delta(void);

#endif
