"""Threaded C, read and run: all outcomes of a program by a search over all orders in which its threads take turns.

This is an interpreter of its own, of the syntax tree, after IEEE 1666-2011, clause 4; nothing of the model checker is in it. It
knows what the programs of this folder are written in: `int` variables (globals, and locals with an initial value), events and signals, functions
without parameters, assignments, `if`, `while`, `assert`, `nondet_int()` as a whole right side, and the calls of <slabcert/threads.h>.
"""

import re

TOKEN = re.compile(r"\s*(?:(\w+)|(==|!=|<=|>=|&&|\|\||[-+*<>!(){};=,]))")
LEVELS = [["||"], ["&&"], ["==", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*"]]
# How many statements a block may run, and how many states a program may have.
LONGEST_BLOCK = 10_000
MOST_STATES = 60_000
ERROR = "error"
TRIGGERS = {"changed": "changed", "positive_edge": "rises", "negative_edge": "falls"}


class Rejected(Exception):
    """A program that is not read, or whose outcomes are not all found."""


class Program:
    """A program as code: for each function a list of operations, over one list of integers that is its state."""

    def __init__(self, text):
        text = re.sub(r"//[^\n]*|#[^\n]*", "", text)
        self.tokens = []
        while text.strip():
            found = TOKEN.match(text)
            if not found:
                raise Rejected(f"cannot read {text.strip()[:20]!r}")
            self.tokens.append(found.group(1) or found.group(2))
            text = text[found.end():]
        self.initial, self.names, self.outcome = [], {}, []
        self.events, self.signals, self.choices = {}, {}, [0, 1]
        self.codes, self.bodies, self.threads, self.methods, self.late = {}, {}, [], {}, set()
        while self.tokens:
            self.declaration()
        for name, triggers in self.methods.items():
            self.codes[name][0] = ("wait", triggers)
            self.codes[name][-1] = ("goto", 0)
        self.places = {name: self.slot(0) for name in self.threads + ["main"]}
        self.awake = {name: self.slot(int(name not in self.late)) for name in self.threads}
        # Whether main ever ran the others; what it does now: 0 run, 1 a simulation of all, 2 one that is limited, 3 one delta cycle.
        self.started, self.mode, self.remaining = self.slot(0), self.slot(0), self.slot(0)

    def slot(self, value):
        self.initial.append(value)
        return len(self.initial) - 1

    def take(self, *expected):
        token = self.tokens.pop(0) if self.tokens else "the end"
        if expected and token not in expected:
            raise Rejected(f"{token} instead of {' or '.join(expected)}")
        return token

    def declaration(self):
        kind = self.take("int", "void", "event_t", "signal_t")
        name = self.take()
        if self.tokens[0] == "(":
            self.function(name)
            return
        while True:
            if kind == "int":
                self.names[name] = self.slot(0)
                self.outcome.append(name)
            elif kind == "event_t":
                self.events[name] = self.slot(-1)
            else:
                self.signals[name] = (self.slot(0), self.slot(0))
            if self.take(",", ";") == ";":
                return
            name = self.take()

    def function(self, name):
        self.take("("), self.take("void"), self.take(")")
        self.bodies[name] = list(self.tokens)
        self.code = [] if name == "main" else [("wait", [])]
        outer = self.names
        self.names = dict(outer)
        self.statement()
        self.names = outer
        self.code.append(("end",) if name == "main" else ("wait", []))
        self.codes[name] = self.code

    def statement(self):
        token = self.take()
        if token == "{":
            while self.tokens[0] != "}":
                self.statement()
            self.take("}")
        elif token in ("if", "while"):
            start = len(self.code)
            self.take("(")
            condition = self.formula()
            self.take(")")
            place = len(self.code)
            self.code.append(None)
            self.statement()
            if token == "while":
                self.code.append(("goto", start))
            elif self.tokens[0] == "else":
                self.take("else")
                end = len(self.code)
                self.code.append(None)
                self.code[place] = ("branch", condition, len(self.code))
                self.statement()
                self.code[end] = ("goto", len(self.code))
                return
            self.code[place] = ("branch", condition, len(self.code))
        elif token == "int":
            name = self.take()
            self.names[name] = self.slot(0)
            self.assignment(name)
        elif self.tokens[0] == "=":
            self.assignment(token)
        else:
            self.call(token)

    def assignment(self, name):
        self.take("=")
        if self.tokens[0] == "nondet_int":
            for token in ["nondet_int", "(", ")"]:
                self.take(token)
            self.code.append(("choose", self.names[name]))
        else:
            self.code.append(("set", self.names[name], self.formula()))
        self.take(";")

    def call(self, name):
        self.take("(")
        if name in self.bodies:
            self.take(")"), self.take(";")
            self.tokens, rest = list(self.bodies[name]), self.tokens
            self.statement()
            self.tokens = rest
            return
        if name in ("spawn", "spawn_method", "dont_initialize"):
            function = self.take()
            if name == "dont_initialize":
                self.late.add(function)
            else:
                self.threads.append(function)
            if name == "spawn_method":
                self.take(",")
                self.methods[function] = self.triggers()
            self.take(")")
        elif name in ("wait_event", "wait_any"):
            self.code.append(("wait", self.triggers()))
            self.take(")")
        elif name == "wait_time":
            private = self.slot(-1)
            self.code += [("after", private, self.formula()), ("wait", [("event", private)])]
            self.take(")")
        elif name.startswith("simulate"):
            mode = {"simulate": 1, "simulate_for": 2, "simulate_delta": 3}[name]
            self.code.append(("simulate", mode, self.formula() if mode == 2 else None))
            self.take(")")
        elif name == "assert":
            self.code.append(("assert", self.formula()))
            self.take(")")
        else:
            self.notification(name)
        self.take(";")

    def notification(self, name):
        what = self.take()
        place = self.signals[what][1] if name == "signal_write" else self.events[what]
        if name in ("signal_write", "notify_event_at_time"):
            self.take(",")
            self.code.append(("set" if name == "signal_write" else "after", place, self.formula()))
        elif name == "notify_event_delta":
            self.code.append(("after", place, lambda _: 0))
        elif name in ("notify_event", "cancel_event"):
            self.code.append(("now" if name == "notify_event" else "cancel", place))
        else:
            raise Rejected(f"{name} is not known")
        self.take(")")

    def triggers(self):
        found = []
        while True:
            name = self.take()
            if name in TRIGGERS:
                self.take("(")
                found.append((TRIGGERS[name], self.signals[self.take()][0]))
                self.take(")")
            else:
                found.append(("event", self.events[name]))
            if self.tokens[0] != ",":
                return found
            self.take(",")

    def formula(self):
        return eval(f"lambda state: {self.level(0)}")  # pylint: disable=eval-used

    def level(self, number):
        if number == len(LEVELS):
            return self.operand()
        left = self.level(number + 1)
        while self.tokens[0] in LEVELS[number]:
            operator = self.take()
            right = self.level(number + 1)
            operator = {"||": "or", "&&": "and"}.get(operator, operator)
            left = f"({left} {operator} {right})" if operator in "+-*" else f"int(bool({left} {operator} {right}))"
        return left

    def operand(self):
        token = self.take()
        if token == "(":
            inner = self.level(0)
            self.take(")")
            return inner
        if token == "!":
            return f"int(not {self.operand()})"
        if token == "-":
            return f"(-{self.operand()})"
        if token == "signal_read":
            self.take("(")
            place = self.signals[self.take()][0]
            self.take(")")
            return f"state[{place}]"
        return str(int(token)) if token.isdigit() else f"state[{self.names[token]}]"

    def wake(self, state, happened, but=None):
        """Wakes threads that wait for something of what happened."""
        for name in self.threads:
            operation = self.codes[name][state[self.places[name]]]
            if name != but and any(trigger in happened for trigger in operation[1]):
                state[self.awake[name]] = 1

    def delta(self, state):
        """The update of signals, and the notifications after it."""
        happened = set()
        for current, following in self.signals.values():
            old, new = state[current], state[following]
            if old != new:
                state[current] = new
                happened.add(("changed", current))
                if old == 0 or new == 0:
                    happened.add(("rises" if old == 0 else "falls", current))
        self.pass_time(state, 0, happened)

    def pass_time(self, state, time, happened=frozenset()):
        """Notifications that are due after a time."""
        happened = set(happened)
        for event in self.delays():
            if state[event] == time:
                state[event] = -1
                happened.add(("event", event))
            elif state[event] > 0:
                state[event] -= time
        self.wake(state, happened)

    def delays(self):
        """Where the delays of events are: those with names, and those of waits for a time."""
        if not hasattr(self, "all_delays"):
            private = [operation[1] for code in self.codes.values() for operation in code if operation[0] == "after"]
            self.all_delays = sorted(set(self.events.values()) | set(private))
        return self.all_delays

    def run(self, state, name, start):
        """States after a block of a thread, or of main, from an operation on; an error is one."""
        found, work, steps = [], [(state, start)], 0
        while work:
            state, place = work.pop()
            while True:
                operation = self.codes[name][place]
                kind, steps = operation[0], steps + 1
                if steps > LONGEST_BLOCK:
                    raise Rejected("a block does not end")
                if kind in ("wait", "simulate", "end"):
                    state[self.places[name]] = place
                    if kind == "simulate":
                        self.simulate(state, operation)
                    found.append(state)
                    break
                place += 1
                if kind == "goto":
                    place = operation[1]
                elif kind == "branch":
                    place = place if operation[1](state) else operation[2]
                elif kind == "assert":
                    if not operation[1](state):
                        found.append(ERROR)
                        break
                elif kind == "choose":
                    for value in self.choices:
                        copy = list(state)
                        copy[operation[1]] = value
                        work.append((copy, place))
                    break
                else:
                    self.effect(state, operation, name)
        return found

    def effect(self, state, operation, name):
        kind, place = operation[:2]
        if kind == "set":
            state[place] = operation[2](state)
        elif kind == "after":
            delay = operation[2](state)
            state[place] = delay if state[place] < 0 else min(delay, state[place])
        else:
            state[place] = -1
            if kind == "now":
                self.wake(state, {("event", place)}, name)

    def simulate(self, state, operation):
        state[self.mode] = operation[1]
        state[self.remaining] = operation[2](state) if operation[2] else 0
        if not state[self.started]:
            state[self.started] = 1
            self.delta(state)

    def successors(self, state):
        """What follows a state: states, errors; nothing if main has ended."""
        if self.codes["main"][state[self.places["main"]]][0] == "end":
            return []
        awake = [name for name in self.threads if state[self.awake[name]]]
        found = []
        for name in awake:
            copy = list(state)
            copy[self.awake[name]] = 0
            found += self.run(copy, name, state[self.places[name]] + 1)
        if awake:
            return found
        state = list(state)
        least = min((state[event] for event in self.delays() if state[event] >= 0), default=None)
        if least == 0 or any(state[current] != state[following] for current, following in self.signals.values()):
            self.delta(state)
            if state[self.mode] != 3:
                return [state]
        elif state[self.mode] == 1 and least is not None:
            self.pass_time(state, least)
            return [state]
        elif state[self.mode] == 2:
            is_due = least is not None and least <= state[self.remaining]
            passed = least if is_due else state[self.remaining]
            state[self.remaining] -= passed
            self.pass_time(state, passed)
            if is_due:
                return [state]
        state[self.mode] = state[self.remaining] = 0
        return self.run(state, "main", state[self.places["main"]] + 1)

    def outcomes(self, most=MOST_STATES):
        """All outcomes: values of the global variables where main ends, in the order of their declarations, or an error."""
        found, done, on_path = set(), set(), set()
        work = []
        for state in reversed(self.run(list(self.initial), "main", 0)):
            work.append((state if state == ERROR else tuple(state), False))
        while work:
            state, leaves = work.pop()
            if leaves:
                on_path.discard(state)
                continue
            if state in on_path:
                raise Rejected("a run does not end")
            if state == ERROR:
                found.add(ERROR)
            elif state not in done:
                done.add(state)
                if len(done) > most:
                    raise Rejected("too many states")
                following = self.successors(state)
                if self.codes["main"][state[self.places["main"]]][0] == "end":
                    found.add(tuple(state[self.names[name]] for name in self.outcome))
                on_path.add(state)
                work.append((state, True))
                work += [(it if it == ERROR else tuple(it), False) for it in following]
        self.states = len(done)
        return found
