// ---- Traces: lanes, a table of values, the step in the source, and the same as text. ----

function assignment(index, value) {
  const { name, location, process } = report.variables[index];
  return location ? `${report.processes[process]} at ${value}` : `${name} = ${value}`;
}

function changesOf(trace, state) {
  return report.variables.map((_, index) => index)
    .filter((index) => state === 0 || trace.states[state][index] !== trace.states[state - 1][index]);
}

// What a step of several processes consists of, after its name.
function edgesText(step) {
  return step.edges === null ? "" : ` ${step.edges}`;
}

function inputsText(inputs) {
  return inputs.map(([name, value]) => `${name} = ${value}`).join(", ");
}

// The trace as `slabcert show` prints it.
function traceText(trace) {
  return trace.states.flatMap((values, state) => {
    const changes = changesOf(trace, state).map((index) => assignment(index, values[index]));
    const lines = [`${state}: ${changes.length > 0 ? changes.join(", ") : "nothing changes"}`];
    const step = trace.steps[state];
    if (step) lines.push(`   ${report.transitions[step.transition].name}${edgesText(step)}`);
    const inputs = step ? step.inputs : trace.last;
    if (inputs.length > 0) lines.push(`     ${step ? "with" : "violated with"} ${inputsText(inputs)}`);
    return lines;
  }).join("\n");
}

class TraceView {
  constructor(number) {
    this.trace = report.traces[number];
    this.number = number;
    this.onlyChanging = report.variables.length > 16;
    this.current = 0;
  }

  build(panel) {
    this.lanes = new Lanes(this.trace, (state) => this.pick(state));
    this.pane = make("aside", { class: "details", "aria-label": "the step" });
    this.tableArea = make("div", { class: "table-scroll" });
    const violated = report.claims.filter((claim) => claim.trace === this.number).map((claim) => claim.name);
    const toggle = make("input", { type: "checkbox", checked: this.onlyChanging, onchange: () => { this.onlyChanging = toggle.checked; this.fill(); } });
    const text = make("details", { class: "group" }, make("summary", {}, "As text"));
    text.addEventListener("toggle", () => {
      if (!text.open || text.childNodes.length > 1) return;
      text.append(make("div", { class: "text-head" }, make("span", {}, ""), copyButton(() => traceText(this.trace))), make("pre", { tabindex: 0, "aria-label": "the trace as text" }, traceText(this.trace)));
    });
    const main = make("div", { class: "scroll trace-parts" },
      make("h2", {}, `A run of ${plural(this.trace.steps.length, "step")} that violates ${violated.join(", ") || "nothing that is claimed"}`),
      this.lanes.element,
      make("label", { class: "check" }, toggle, " only variables that change"),
      this.tableArea, text);
    panel.append(make("div", { class: "split" }, main, this.pane));
    main.addEventListener("keydown", (event) => this.key(event));
    this.fill();
    this.pick(0, false);
  }

  shownVariables() {
    const all = report.variables.map((_, index) => index);
    return this.onlyChanging ? all.filter((index) => this.lanes.changes(index)) : all;
  }

  fill() {
    const indices = this.shownVariables();
    const { trace } = this;
    const head = make("tr", {}, make("th", { scope: "col" }, "State"), make("th", { scope: "col" }, "Step"),
      trace.times === null ? null : make("th", { scope: "col" }, "Time"),
      indices.map((index) => {
        const { name, location, process } = report.variables[index];
        return make("th", { scope: "col", title: name }, cut(location ? report.processes[process] : name, 24));
      }));
    this.rows = trace.states.map((values, state) => this.row(values, state, indices));
    this.tableArea.replaceChildren(make("table", { class: "values" }, make("thead", {}, head), make("tbody", {}, this.rows)));
    this.mark();
  }

  row(values, state, indices) {
    const { trace } = this;
    const step = state === 0 ? null : trace.steps[state - 1];
    const last = state === trace.states.length - 1;
    const name = step === null ? "initial" : `${report.transitions[step.transition].name}${edgesText(step)}${step.inputs.length > 0 ? ` (${inputsText(step.inputs)})` : ""}`;
    return make("tr", { tabindex: -1, class: last ? "bad" : undefined, onclick: () => this.pick(state), onfocus: () => this.pick(state, false), "data-state": state },
      make("th", { scope: "row" }, String(state)),
      make("td", { class: "step", title: name }, cut(name, 40)),
      trace.times === null ? null : make("td", { class: "time" }, trace.times[state]),
      indices.map((index) => {
        const isChanged = state > 0 && values[index] !== trace.states[state - 1][index];
        const content = isChanged ? make("mark", { title: `was ${trace.states[state - 1][index]}` }, values[index]) : values[index];
        return make("td", { class: isChanged ? "changed" : undefined }, content);
      }));
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !event.target.closest(".values")) return;
    event.preventDefault();
    this.pick(Math.max(0, Math.min(this.trace.states.length - 1, this.current + step)));
  }

  pick(state, takesFocus = true) {
    this.current = state;
    this.mark();
    this.pane.replaceChildren(...this.stepDetails().flat(Infinity).filter((each) => each));
    this.pane.scrollTop = 0;
    if (takesFocus) this.rows[state].focus();
  }

  mark() {
    this.lanes.mark(this.current);
    this.rows.forEach((row, state) => {
      row.classList.toggle("selected", state === this.current);
      row.tabIndex = state === this.current ? 0 : -1;
    });
  }

  stepDetails() {
    const { trace, current } = this;
    const changes = changesOf(trace, current);
    const values = trace.states[current];
    const isLast = current === trace.states.length - 1;
    const end = isLast ? [make("h3", {}, "Violation"),
      report.claims.filter((claim) => claim.trace === this.number).map((claim) => make("p", {}, `${claim.name} is violated here`, trace.last.length > 0 ? ` with ${inputsText(trace.last)}` : "", ": ", make("code", {}, cut(claim.words, 400))))] : null;
    if (current === 0) {
      return [make("h2", { tabindex: -1 }, "State 0"), make("p", {}, "The initial state of the run."), this.changeList(changes, values), end];
    }
    const step = trace.steps[current - 1];
    const own = report.transitions[step.transition];
    const source = transitionSource(step.transition);
    return [
      make("h2", { tabindex: -1 }, `Step ${current}`, make("span", { class: "of" }, ` from state ${current - 1} to ${current}`)),
      make("p", {}, button(own.name, () => goToTransition(step.transition), { class: "link" }),
        own.processes.length > 0 ? make("span", { class: "note" }, ` by ${own.processes.map((process) => report.processes[process]).join(", ")}`) : null),
      step.edges === null ? null : make("p", {}, `It ${step.edges}.`),
      step.delay === null ? null : make("p", {}, `Time passes: ${step.delay}.`),
      step.inputs.length > 0 ? make("p", {}, "with ", make("code", {}, inputsText(step.inputs))) : null,
      make("h3", {}, "Changes"), changes.length === 0 ? make("p", { class: "note" }, "nothing") : this.changeList(changes, values, trace.states[current - 1]),
      own.guard.length > 0 ? [make("h3", {}, "It needs"), make("ul", { class: "label" }, own.guard.map((line) => make("li", {}, line)))] : null,
      source === null ? null : [make("h3", {}, report.source.file), source],
      end,
    ];
  }

  changeList(indices, values, before = null) {
    return make("ul", { class: "label" }, indices.map((index) => make("li", {}, assignment(index, values[index]), before === null ? null : make("span", { class: "note" }, ` was ${before[index]}`))));
  }
}
