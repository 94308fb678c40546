// ---- Lanes of a trace: what each process and each shared variable is at, step by step, and clocks over time. ----

const laneName = 150;
const laneHeight = 26;
const clockHeight = 54;
const mostLanes = 30;

class Lanes {
  constructor(trace, onPick) {
    this.trace = trace;
    this.onPick = onPick;
    this.count = trace.states.length;
    this.slot = Math.max(46, Math.min(110, Math.floor((innerWidth * 0.68 - laneName - 50) / this.count)));
    this.columns = [];
    this.element = this.build();
  }

  at(index) {
    return laneName + index * this.slot;
  }

  build() {
    const { trace } = this;
    const variables = report.variables.map((_, index) => index);
    const lanes = [
      ...variables.filter((index) => report.variables[index].location).map((index) => ({ index, isLocation: true })),
      ...variables.filter((index) => !report.variables[index].location && !trace.clocks.includes(index) && this.changes(index)).map((index) => ({ index, isLocation: false })),
    ];
    const shown = lanes.slice(0, mostLanes);
    const top = trace.times === null ? 22 : 40;
    const clockTop = top + shown.length * (laneHeight + 6) + 6;
    const clocks = trace.clocks.slice(0, 12);
    const height = clockTop + clocks.length * (clockHeight + 8) + 4;
    const width = this.at(this.count) + 12;
    const svg = draw("svg", { class: "lanes", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "processes over the steps of the trace; the table below shows the same" });
    svg.append(this.columnMarks(height), this.axis());
    shown.forEach((lane, row) => svg.append(this.lane(lane, top + row * (laneHeight + 6))));
    clocks.forEach((index, row) => svg.append(this.clock(index, clockTop + row * (clockHeight + 8))));
    const more = lanes.length - shown.length;
    return make("div", { class: "lanes-scroll" }, svg, more > 0 ? make("p", { class: "note" }, `${more} more variables are in the table`) : null);
  }

  changes(index) {
    return this.trace.states.some((values) => values[index] !== this.trace.states[0][index]);
  }

  // A column for each state, which can be clicked; a delay is hatched.
  columnMarks(height) {
    const group = draw("g", {});
    for (let index = 0; index < this.count; index += 1) {
      const isDelay = index > 0 && this.trace.steps[index - 1].delay !== null;
      const column = draw("rect", { class: isDelay ? "column delay" : "column", x: this.at(index), y: 0, width: this.slot, height, onclick: () => this.onPick(index) },
        draw("title", {}, index === 0 ? "initial state" : `step ${index}: ${report.transitions[this.trace.steps[index - 1].transition].name}`));
      this.columns.push(column);
      group.append(column);
    }
    return group;
  }

  axis() {
    const group = draw("g", { class: "axis" }, draw("text", { x: 4, y: 14 }, "state"));
    if (this.trace.times !== null) group.append(draw("text", { x: 4, y: 31 }, "time"));
    for (let index = 0; index < this.count; index += 1) {
      const x = this.at(index) + this.slot / 2;
      group.append(draw("text", { x, y: 14, "text-anchor": "middle" }, String(index)));
      const { times } = this.trace;
      if (times !== null && (index === 0 || times[index] !== times[index - 1])) {
        group.append(draw("text", { class: "time", x, y: 31, "text-anchor": "middle" }, cut(times[index], 8)));
      }
    }
    return group;
  }

  name(index, y) {
    const { name, location, process } = report.variables[index];
    const text = location ? report.processes[process] : name;
    return draw("text", { class: "lane-name", x: 4, y }, draw("title", {}, name), cut(text, 20));
  }

  lane({ index, isLocation }, y) {
    const group = draw("g", {}, this.name(index, y + 17));
    const values = this.trace.states.map((state) => state[index]);
    const palette = [...new Set(values)];
    const moves = this.trace.steps.map((step) => isLocation && report.transitions[step.transition].processes.includes(report.variables[index].process));
    for (let first = 0; first < this.count;) {
      let next = first + 1;
      while (next < this.count && values[next] === values[first]) next += 1;
      const [x, width] = [this.at(first), (next - first) * this.slot];
      const colour = isLocation ? `location-${this.colour(values[first], palette)}` : "shared";
      group.append(
        draw("rect", { class: `held ${colour}`, x: x + 1, y, width: width - 2, height: laneHeight, rx: 4 }, draw("title", {}, `${values[first]}, states ${first} to ${next - 1}`)),
        draw("text", { class: "held-name", x: x + 8, y: y + 17 }, cut(values[first], Math.max(1, Math.floor((width - 10) / 7.2)))));
      first = next;
    }
    moves.forEach((isMoved, step) => {
      if (isMoved) group.append(draw("circle", { class: "move", cx: this.at(step + 1), cy: y + laneHeight / 2, r: 4 }));
    });
    return group;
  }

  // The same location has the same colour in all lanes.
  colour(value) {
    this.colours ??= new Map();
    if (!this.colours.has(value)) this.colours.set(value, this.colours.size % 8);
    return this.colours.get(value);
  }

  clock(index, y) {
    const values = this.trace.states.map((state) => numberOf(state[index]));
    const [least, greatest] = [Math.min(0, ...values), Math.max(1e-9, ...values)];
    const height = (value) => y + clockHeight - 4 - ((value - least) / (greatest - least)) * (clockHeight - 10);
    const middle = (state) => this.at(state) + this.slot / 2;
    let path = `M${middle(0)} ${height(values[0])}`;
    for (let state = 1; state < this.count; state += 1) {
      path += this.trace.steps[state - 1].delay === null
        ? `H${middle(state)}V${height(values[state])}`
        : `L${middle(state)} ${height(values[state])}`;
    }
    return draw("g", { class: "clock" },
      draw("line", { class: "base", x1: laneName, x2: this.at(this.count), y1: height(0), y2: height(0) }),
      this.name(index, y + clockHeight / 2 + 4),
      draw("text", { class: "scale", x: laneName - 6, y: y + 12, "text-anchor": "end" }, String(+greatest.toFixed(3))),
      draw("path", { d: path }),
      values.map((value, state) => draw("circle", { cx: middle(state), cy: height(value), r: 2.5 }, draw("title", {}, `${report.variables[index].name} = ${this.trace.states[state][index]} in state ${state}`))));
  }

  mark(index) {
    this.columns.forEach((column, own) => column.classList.toggle("selected", own === index));
  }
}

// `3/2` as a number, for drawing only.
function numberOf(text) {
  const [above, below] = text.split("/").map(Number);
  const value = below === undefined ? above : above / below;
  return Number.isFinite(value) ? value : 0;
}
