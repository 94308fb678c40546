// Threaded C on SystemC: a program that includes <slabcert/threads.h>, compiled as C++ with this header in its place, is run by the
// scheduler of the SystemC library. One unit of time is a nanosecond.
//
// Processes are spawned by the first simulation, in the order in which the program says, or in another one (`threaded::order`); the library
// then chooses one order of evaluation of all that IEEE 1666-2011 allows.
#ifndef SLABCERT_THREADS_H
#define SLABCERT_THREADS_H
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc>
#include <algorithm>
#include <vector>

namespace threaded {
using sc_core::SC_NS;
using sc_core::SC_ZERO_TIME;
using sc_core::sc_event;
using sc_core::sc_start;
using sc_core::sc_time;

// A signal, and whether it is other than 0: both change in the same update, and the library knows edges of Boolean signals only.
struct Signal {
  sc_core::sc_signal<int, sc_core::SC_UNCHECKED_WRITERS> value;
  sc_core::sc_signal<bool, sc_core::SC_UNCHECKED_WRITERS> holds;
};

struct Process {
  void (*function)();
  bool is_method, waits;
  std::vector<const sc_event *> sensitivity;
};

// How the processes are spawned: as they come, last first, or from the second on and the first last.
enum { AS_THEY_COME, LAST_FIRST, FIRST_LAST, ORDERS };
inline int order = AS_THEY_COME;
inline std::vector<Process> processes;

inline void begin() {
  if (order == LAST_FIRST) std::reverse(processes.begin(), processes.end());
  if (order == FIRST_LAST && !processes.empty()) std::rotate(processes.begin(), processes.begin() + 1, processes.end());
  for (const Process &process : processes) {
    sc_core::sc_spawn_options options;
    if (process.is_method) options.spawn_method();
    if (process.waits) options.dont_initialize();
    for (const sc_event *event : process.sensitivity) options.set_sensitivity(event);
    sc_core::sc_spawn(process.function, sc_core::sc_gen_unique_name("process"), &options);
  }
  processes.clear();
}

// `sc_start(t)` ends before what wakes at its end is evaluated; each `sc_start(SC_ZERO_TIME)` is one delta cycle.
inline void settle() {
  while (sc_core::sc_pending_activity_at_current_time()) sc_start(SC_ZERO_TIME);
}
} // namespace threaded

using event_t = sc_core::sc_event;
using signal_t = threaded::Signal;

inline void spawn(void (*function)()) { threaded::processes.push_back({function, false, false, {}}); }
template <typename... Triggers> void spawn_method(void (*function)(), const Triggers &...triggers) {
  threaded::processes.push_back({function, true, false, {&triggers...}});
}
inline void dont_initialize(void (*function)()) {
  for (threaded::Process &process : threaded::processes) process.waits |= process.function == function;
}

inline const sc_core::sc_event &changed(const signal_t &signal) { return signal.value.value_changed_event(); }
inline const sc_core::sc_event &positive_edge(const signal_t &signal) { return signal.holds.posedge_event(); }
inline const sc_core::sc_event &negative_edge(const signal_t &signal) { return signal.holds.negedge_event(); }

inline void wait_event(const sc_core::sc_event &event) { sc_core::wait(event); }
template <typename... Triggers> void wait_any(const Triggers &...triggers) {
  sc_core::sc_event_or_list any;
  ((any |= triggers), ...);
  sc_core::wait(any);
}
inline void wait_time(int time) { sc_core::wait(time, sc_core::SC_NS); }

inline void notify_event(event_t &event) { event.notify(); }
inline void notify_event_delta(event_t &event) { event.notify(sc_core::SC_ZERO_TIME); }
inline void notify_event_at_time(event_t &event, int time) { event.notify(time, sc_core::SC_NS); }
inline void cancel_event(event_t &event) { event.cancel(); }

inline void signal_write(signal_t &signal, int value) {
  signal.value.write(value);
  signal.holds.write(value != 0);
}
inline int signal_read(const signal_t &signal) { return signal.value.read(); }

inline void simulate() {
  threaded::begin();
  sc_core::sc_start();
}
inline void simulate_for(int time) {
  threaded::begin();
  sc_core::sc_start(time, sc_core::SC_NS);
  threaded::settle();
}
inline void simulate_delta() {
  threaded::begin();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}
#endif
