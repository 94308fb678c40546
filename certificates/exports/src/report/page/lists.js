// ---- Lists: lemmas, and all obligations. ----

// Diagrams of one node are lemmas when there are several; each other diagram has a tab of its own.
const lemmas = (() => {
  const single = report.diagrams.map((_, index) => index).filter((index) => report.diagrams[index].nodes.length === 1 && report.diagrams[index].regions.length === 0);
  return single.length > 2 || (single.length > 0 && single.length < report.diagrams.length && report.diagrams.length > 6) ? single : [];
})();

function tabOfDiagram(index) {
  return lemmas.includes(index) ? "lemmas" : `diagram-${index}`;
}

function goToDiagram(index) {
  if (lemmas.includes(index)) goToNode(index, 0);
  else showTab(`diagram-${index}`);
}

// Rows of a long list, some at a time.
function pagedRows(size, count, row, head) {
  const body = make("tbody", {});
  const table = make("table", { class: "wide list" }, make("thead", {}, make("tr", {}, head.map((name) => make("th", { scope: "col" }, name)))), body);
  const note = make("span", {});
  let first = 0;
  const move = (to) => {
    first = Math.max(0, Math.min(to, Math.floor(Math.max(count() - 1, 0) / size) * size));
    const last = Math.min(first + size, count());
    body.replaceChildren(...Array.from({ length: last - first }, (_, index) => row(first + index)));
    note.textContent = count() === 0 ? "nothing" : `${(first + 1).toLocaleString("en")}–${last.toLocaleString("en")} of ${count().toLocaleString("en")}`;
    earlier.disabled = first === 0;
    further.disabled = last === count();
    pager.hidden = count() <= size;
  };
  const earlier = button("Back", () => move(first - size), { class: "quiet" });
  const further = button("Next", () => move(first + size), { class: "quiet" });
  const pager = make("div", { class: "pager" }, earlier, note, further);
  return { element: make("div", {}, table, pager), move, body };
}

function buildLemmas(panel) {
  let shown = lemmas;
  const words = make("input", { type: "search", placeholder: "Words of the lemma", "aria-label": "filter lemmas" });
  const row = (index) => {
    const diagram = shown[index];
    const { name, nodes } = report.diagrams[diagram];
    const own = make("tr", { class: state.selected?.diagram === diagram ? "selected" : undefined, onclick: () => select({ diagram, node: 0 }) },
      make("th", { scope: "row" }, button(name, () => select({ diagram, node: 0 }), { class: "link" })),
      make("td", {}, nodes[0].words.map((line) => make("code", { class: "line", title: line }, cut(line, 300)))),
      make("td", { class: "count" }, (1 + diagrams[diagram].consecutions[0].length).toLocaleString("en")));
    return own;
  };
  const list = pagedRows(100, () => shown.length, row, ["Lemma", "Holds in every reachable state", "Obligations"]);
  const filter = () => {
    const wanted = words.value.trim().toLowerCase().split(/\s+/);
    const process = state.process === "" ? null : report.processes[Number(state.process)];
    shown = lemmas.filter((diagram) => {
      const { name, nodes } = report.diagrams[diagram];
      const text = `${name} ${nodes[0].words.join(" ")}`;
      return wanted.every((word) => text.toLowerCase().includes(word)) && (process === null || text.includes(process));
    });
    list.move(0);
  };
  words.addEventListener("input", filter);
  watch((what) => {
    if (what === "filter") filter();
    if (what === "selected") reveal();
  });
  const reveal = () => {
    const index = shown.indexOf(state.selected?.diagram);
    if (index >= 0) list.move(Math.floor(index / 100) * 100);
    else list.move(0);
    list.body.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
  };
  filter();
  const assuming = lemmas.some((index) => report.diagrams[index].assumes.length > 0);
  const note = `A lemma is a diagram of one node: its label holds initially and is preserved by every step${assuming ? ", where lemmas may assume one another before the step" : ""}.`;
  panel.append(
    make("div", { class: "tools" }, words, filterFields()),
    make("div", { class: "split" }, make("div", { class: "scroll" }, make("p", { class: "note" }, note), list.element), lemmaPane()));
}

function lemmaPane() {
  const pane = make("aside", { class: "details", "aria-label": "details" });
  const show = () => {
    const { selected } = state;
    const isHere = selected && lemmas.includes(selected.diagram);
    const content = isHere
      ? [initiation(selected.diagram)].map((own) => obligationRow(own, "every initial state satisfies it"))
      : [make("p", { class: "note" }, "Choose a lemma to see its obligations.")];
    const node = isHere ? nodeDetails(selected.diagram, 0) : [];
    pane.replaceChildren(...[node, isHere ? make("h3", {}, "Initial states") : null, content].flat(Infinity).filter((each) => each));
    pane.scrollTop = 0;
  };
  watch((what) => {
    if (["selected", "filter"].includes(what)) show();
  });
  show();
  return pane;
}

// ---- all obligations ----

const obligationList = { kind: "", move: null };

function goToKind(kind) {
  obligationList.kind = kind;
  showTab("obligations");
  obligationList.refresh();
}

function goToObligation(number) {
  obligationList.kind = "";
  showTab("obligations");
  obligationList.refresh(number);
}

function buildObligations(panel) {
  let numbers = null;
  const row = (index) => {
    const obligation = obligationAt(numbers === null ? index : numbers[index]);
    return make("tr", {}, make("td", { class: "count" }, String(obligation.number)), make("td", {}, obligation.kind), make("td", {}, obligationRow(obligation, capital(describe(obligation)))));
  };
  const list = pagedRows(100, () => numbers?.length ?? obligationCount, row, ["#", "Kind", "What must hold"]);
  const kinds = [["", "all kinds"], ...Object.keys(numbersByKind).map((kind) => [kind, kind])];
  const kind = choice("kind of obligation", kinds, obligationList.kind, (value) => {
    obligationList.kind = value;
    obligationList.refresh();
  });
  obligationList.refresh = (number = null) => {
    kind.value = obligationList.kind;
    numbers = numbersByKind[obligationList.kind] ?? null;
    list.move(number === null ? 0 : Math.floor(number / 100) * 100);
    if (number === null) return;
    const own = list.body.querySelector(`[data-number="${number}"]`);
    own.open = true;
    own.scrollIntoView({ block: "center" });
    own.querySelector("summary").focus();
  };
  panel.append(
    make("div", { class: "tools" }, kind, make("span", { class: "note" }, "Statuses are as recorded by the producer; slabcert-check re-establishes them.")),
    make("div", { class: "scroll" }, list.element));
  obligationList.refresh();
}
