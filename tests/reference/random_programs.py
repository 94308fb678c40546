"""Random programs in threaded C, all of whose runs end."""

import random

from programs import Program, Rejected

EVENTS = ["e", "f"]
SIGNALS = ["s", "t"]
VARIABLES = ["x", "y"]
# A program has at least one outcome; those with more are of little use as a question.
MOST_OUTCOMES = 40
MOST_STATES = 4_000


class Writer:
    """The text of one program in the making."""

    def __init__(self, source):
        self.source, self.marks = source, 0

    def pick(self, *choices):
        return self.source.choice(choices)

    def chance(self, of):
        return self.source.randrange(of) == 0

    def value(self):
        kind = self.source.randrange(4)
        if kind == 0:
            return f"signal_read({self.pick(*SIGNALS)})"
        return self.pick(*VARIABLES) if kind == 1 else str(self.source.randrange(3))

    def condition(self):
        left = self.pick(f"signal_read({self.pick(*SIGNALS)})", *VARIABLES)
        return f"{left} {self.pick('==', '!=', '<', '>=')} {self.source.randrange(3)}"

    def trigger(self):
        kind = self.source.randrange(5)
        if kind < 3:
            return self.pick(*EVENTS)
        return f"{self.pick('changed', 'changed', 'positive_edge', 'negative_edge')}({self.pick(*SIGNALS)})"

    def mark(self):
        """A statement whose place in the run is seen in the outcome."""
        self.marks += 1
        return f"if (order < 10000000) {{ order = order * 10 + {self.marks % 10}; }}"

    def effect(self):
        kind = self.source.randrange(12)
        event, signal, variable = self.pick(*EVENTS), self.pick(*SIGNALS), self.pick(*VARIABLES)
        if kind < 2:
            return self.mark()
        if kind == 2:
            return f"{variable} = {self.value()};"
        if kind == 3:
            return f"{variable} = {variable} + 1;"
        if kind < 6:
            return f"signal_write({signal}, {self.value()});"
        if kind == 6:
            return f"notify_event({event});"
        if kind < 9:
            return f"notify_event_delta({event});"
        if kind < 11:
            return f"notify_event_at_time({event}, {self.source.randrange(4)});"
        return f"cancel_event({event});"

    def wait(self):
        kind = self.source.randrange(6)
        if kind < 2:
            return f"wait_time({self.pick(0, 1, 1, 2)});"
        if kind < 5:
            return f"wait_event({self.trigger()});"
        return f"wait_any({self.trigger()}, {self.trigger()});"

    def block(self, length, waits):
        lines = []
        for _ in range(length):
            if waits and self.chance(3):
                lines += [self.wait(), self.mark()]
            elif self.chance(6):
                inner = " ".join(self.block(self.pick(1, 2), waits))
                other = f" else {{ {' '.join(self.block(1, waits))} }}" if self.chance(2) else ""
                lines.append(f"if ({self.condition()}) {{ {inner} }}{other}")
            else:
                lines.append(self.effect())
        return lines

    def thread(self, name):
        lines = self.block(self.pick(2, 3, 4), True)
        kind = self.source.randrange(4)
        if kind == 0:
            lines = ["int i = 0;", "while (i < 2) {"] + ["  " + line for line in lines] + ["  i = i + 1;", "}"]
        elif kind == 1:
            lines = ["while (1) {"] + ["  " + line for line in lines + [self.wait()]] + ["}"]
        return self.function(name, lines)

    @staticmethod
    def function(name, lines):
        return "\n".join([f"void {name}(void) {{"] + ["  " + line for line in lines] + ["}"])

    def main(self, threads, methods):
        lines = [f"spawn({name});" for name in threads]
        for name in methods:
            triggers = ", ".join(self.trigger() for _ in range(self.pick(1, 1, 2)))
            lines.append(f"spawn_method({name}, {triggers});")
            if self.chance(2):
                lines.append(f"dont_initialize({name});")
        self.source.shuffle(lines) if not methods else None
        for signal in SIGNALS:
            if self.chance(3):
                lines.append(f"signal_write({signal}, {self.source.randrange(3)});")
        if self.chance(3):
            lines.append(f"notify_event_at_time({self.pick(*EVENTS)}, {self.source.randrange(2)});")
        for number in range(self.pick(1, 2, 3)):
            if number:
                lines += [self.effect(), self.mark()]
            lines.append(self.pick("simulate_delta();", "simulate();", "simulate_for(0);", *[f"simulate_for({time});" for time in (1, 2, 3)]))
        return "\n".join(["int main(void) {"] + ["  " + line for line in lines] + ["}"])

    def text(self):
        threads = [f"thread{number}" for number in range(self.pick(1, 2, 2, 3))]
        methods = [f"method{number}" for number in range(self.pick(0, 1, 1, 2))]
        functions = [self.thread(name) for name in threads]
        functions += [self.function(name, self.block(self.pick(1, 2, 3), False)) for name in methods]
        declared = [f"event_t {', '.join(EVENTS)};", f"signal_t {', '.join(SIGNALS)};", f"int {', '.join(VARIABLES)}, order;"]
        return "\n".join(["#include <slabcert/threads.h>"] + declared + functions + [self.main(threads, methods)]) + "\n"


def programs(seed, number):
    """Pairs of a name and the text of a program; the same ones for the same seed."""
    found, trial = [], 0
    while len(found) < number:
        text = Writer(random.Random(f"{seed}-{trial}")).text()
        trial += 1
        try:
            program = Program(text)
            if len(program.outcomes(MOST_STATES)) <= MOST_OUTCOMES and program.states > 5:
                found.append((f"random_{seed}_{trial - 1}", text))
        except Rejected:
            pass
    return found
