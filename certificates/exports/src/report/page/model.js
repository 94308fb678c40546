// ---- The model: its text, and its transitions. ----

// Lines of the model's text; those in a range are marked.
function sourceLines(first, last, from = 1, to = Infinity) {
  if (report.source.text === null) return null;
  const lines = report.source.text.split("\n");
  return make("pre", { class: "source", tabindex: 0, "aria-label": "text of the model" }, lines.slice(from - 1, Math.min(to, lines.length)).map((line, index) => {
    const number = from + index;
    return make("span", { class: number >= first && number <= last ? "line marked" : "line", "data-line": number }, `${line}\n`);
  }));
}

// The lines of a transition with some around them.
function transitionSource(index) {
  const { lines } = report.transitions[index];
  if (lines === null || report.source.text === null) return null;
  return sourceLines(lines[0], lines[1], Math.max(1, lines[0] - 2), lines[1] + 2);
}

function transitionEntry(index) {
  const own = report.transitions[index];
  const part = (name, lines) => (lines.length === 0 ? null : [make("dt", {}, name), make("dd", {}, lines.map((line) => make("code", { class: "line" }, line)))]);
  const body = make("div", {});
  const entry = make("details", { class: "transition", id: `transition-${index}` },
    make("summary", {}, make("code", {}, own.name), make("span", { class: "note" }, own.processes.map((process) => report.processes[process]).join(", "))), body);
  entry.addEventListener("toggle", () => {
    if (!entry.open) return;
    if (own.lines !== null) markLines(...own.lines);
    if (body.childNodes.length > 0) return;
    body.append(
      make("dl", {}, part("inputs", own.inputs), part("when", own.guard), part("then", own.updates), part("and", own.relation),
        own.frame.length > 0 ? [make("dt", {}, "unchanged"), make("dd", {}, own.frame.join(", "))] : null),
      make("div", { class: "text-head" }, make("span", {}, "SMT-LIB"), copyButton(() => formulaAt(own.formula).text)),
      make("pre", { class: "smtlib", tabindex: 0, "aria-label": "SMT-LIB text" }, formulaAt(own.formula).text));
  });
  return entry;
}

function markLines(first, last) {
  const lines = document.querySelectorAll("#panel-model .source .line");
  for (const line of lines) line.classList.toggle("marked", Number(line.dataset.line) >= first && Number(line.dataset.line) <= last);
  lines[first - 1]?.scrollIntoView({ block: "center" });
}

function goToLine(first, last) {
  showTab("model");
  markLines(first, last);
}

function goToTransition(index) {
  showTab("model");
  const entry = document.getElementById(`transition-${index}`);
  entry.open = true;
  entry.scrollIntoView({ block: "center" });
  entry.querySelector("summary").focus();
}

function buildModel(panel) {
  const text = sourceLines(0, 0);
  const entries = report.transitions.map((_, index) => transitionEntry(index));
  panel.append(make("div", { class: "split model-parts" },
    make("div", { class: "scroll" }, make("h2", {}, report.source.file || "Text"), text ?? make("p", { class: "note" }, "The bundle has no text of the model, or one that is too long to be shown here.")),
    make("aside", { class: "details", "aria-label": "transitions" }, make("h2", {}, plural(entries.length, "transition")), entries)));
}
