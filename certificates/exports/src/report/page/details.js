// ---- Details: what is said about a node, an edge or a transition, and the obligations about it. ----

const views = new Map();

function select(selected) {
  state.selected = selected;
  changed("selected");
}

// Shows a node wherever it is drawn or listed.
function goToNode(diagram, node) {
  showTab(tabOfDiagram(diagram));
  select({ diagram, node });
  views.get(diagram)?.reveal(node);
}

function nodeButton(diagram, node) {
  const { id, words } = report.diagrams[diagram].nodes[node];
  return button(String(id), () => goToNode(diagram, node), { class: "node-link", title: words.join("\n"), "aria-label": `node ${id}` });
}

function statusChips(number) {
  const names = dischargedBy(number);
  if (names.length === 0) return make("span", { class: "chip open" }, "not recorded");
  return names.map((name) => make("span", { class: "chip done", title: "as recorded by the producer" }, `✓ ${name}`));
}

// A line about an obligation that opens to show its SMT-LIB text, which is made only then.
function obligationRow(obligation, title) {
  const body = make("div", { class: "obligation-body" });
  const own = make("details", { class: "obligation", "data-number": obligation.number },
    make("summary", {}, make("span", { class: "what" }, title), make("span", { class: "chips" }, statusChips(obligation.number))), body);
  own.addEventListener("toggle", () => {
    if (!own.open || body.childNodes.length > 0) return;
    const text = smtlib(obligation);
    body.append(
      make("p", {}, `${capital(describe(obligation))}. Obligation ${obligation.number}, ${obligation.kind}.`),
      make("div", { class: "text-head" }, make("span", {}, "SMT-LIB: must be unsatisfiable"), copyButton(() => text)),
      make("pre", { tabindex: 0, class: "smtlib", "aria-label": "SMT-LIB text" }, text),
    );
  });
  return own;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// A label: each line marked if it is not about the process that is filtered by.
function labelLines(node) {
  const process = state.process === "" ? null : report.processes[Number(state.process)];
  return make("ul", { class: "label" }, node.words.map((line) =>
    make("li", { class: process !== null && !line.includes(process) ? "dim" : undefined }, line)));
}

function transitionName(index) {
  return make("code", {}, report.transitions[index].name);
}

function nodeDetails(diagram, index) {
  const { nodes, name } = report.diagrams[diagram];
  const node = nodes[index];
  const followed = report.transitions.map((_, transition) => transition).filter((transition) => passes(transition) && follows(diagram, index, transition));
  const rows = followed.map((transition) => ({ transition, to: successorsOf(diagram, index, transition) }));
  const leading = rows.filter((row) => row.to.length > 0);
  const impossible = rows.filter((row) => row.to.length === 0);
  const row = ({ transition, to }) => obligationRow(consecution(diagram, index, transition), [
    transitionName(transition), to.length > 0 ? ` → ${to.map((each) => nodes[each].id).join(", ")}` : " cannot happen",
  ]);
  const entering = [...new Set(diagrams[diagram].entering[index].map((edge) => report.diagrams[diagram].edges[edge].from))];
  const leaving = [...new Set(diagrams[diagram].leaving[index].map((edge) => report.diagrams[diagram].edges[edge].to))];
  const list = (title, indices) => make("p", { class: "neighbours" }, make("span", {}, title),
    indices.length === 0 ? " none" : indices.slice(0, 80).map((each) => nodeButton(diagram, each)), indices.length > 80 ? ` and ${indices.length - 80} more` : null);
  const safety = safetyOf(diagram, index);
  return [
    make("h2", { tabindex: -1 }, `Node ${node.id}`, make("span", { class: "of" }, ` of ${name}`), node.initial ? make("span", { class: "badge initial" }, "initial") : null),
    labelLines(node),
    nodes.length === 1 ? null : [
      list("from", entering),
      list("to", leaving),
      make("p", {}, button("Why is there no edge from here to …?", () => why.start(diagram, index), { class: "quiet" })),
    ],
    regionOfNode(diagram, index),
    safety.length > 0 ? [make("h3", {}, "Safety"), safety.map((own) => obligationRow(own, `no violation of ${own.claim.name} here`))] : null,
    make("h3", {}, "Steps from here"),
    leading.length > 0 ? leading.map(row) : make("p", { class: "note" }, "none"),
    impossible.length === 0 ? null : lazyList(`${plural(impossible.length, "transition")} that cannot happen here`, impossible, row, impossible.length <= 12),
  ];
}

// A list that is made when it is opened.
function lazyList(title, items, row, isOpen) {
  const own = make("details", { class: "group" }, make("summary", {}, title));
  const fill = () => {
    if (own.open && own.childNodes.length === 1) own.append(...items.map(row));
  };
  own.addEventListener("toggle", fill);
  own.open = isOpen;
  fill();
  return own;
}

function edgeDetails(diagram, numbers) {
  const { nodes, edges, name } = report.diagrams[diagram];
  const title = numbers.length === 1
    ? [`Edge ${nodes[edges[numbers[0]].from].id} → ${nodes[edges[numbers[0]].to].id}`, make("span", { class: "of" }, ` of ${name}`)]
    : [plural(numbers.length, "edge")];
  return [
    make("h2", { tabindex: -1 }, title),
    numbers.slice(0, 40).map((number) => {
      const { from, to, transitions } = edges[number];
      const shown = transitions.filter(passes);
      return [
        make("p", { class: "neighbours" }, make("span", {}, "from"), nodeButton(diagram, from), make("span", {}, "to"), nodeButton(diagram, to)),
        shown.map((transition) => {
          const indices = successorsOf(diagram, from, transition);
          const others = indices.filter((index) => index !== to).map((index) => nodes[index].id);
          return obligationRow(consecution(diagram, from, transition), [transitionName(transition), others.length > 0 ? ` (or to ${others.join(", ")})` : ""]);
        }),
      ];
    }),
    numbers.length > 40 ? make("p", { class: "note" }, `and ${numbers.length - 40} more`) : null,
  ];
}

function diagramDetails(diagram) {
  const { name, nodes, edges, assumes, clusters } = report.diagrams[diagram];
  const proves = report.claims.filter((claim) => claim.diagrams.includes(diagram));
  const proved = proves.length > 0 ? `Proves ${proves.map((claim) => claim.name).join(", ")}: ` : "";
  return [
    make("h2", { tabindex: -1 }, `Diagram ${name}`),
    isReduced(diagram) ? reducedDiagram(diagram, proved) : make("p", {}, proved,
      `every reachable state is in one of the ${plural(nodes.length, "node")}, every step follows one of the ${plural(edges.length, "edge")}, and a missing edge is also a claim.`),
    assumes.length > 0 ? make("p", {}, `Assumes ${assumes.slice(0, 12).map((index) => report.diagrams[index].name).join(", ")}${assumes.length > 12 ? ` and ${assumes.length - 12} more` : ""}.`) : null,
    obligationRow(initiation(diagram), "every initial state is in a node"),
    clusters.length > 0 ? make("p", { class: "note" }, `Nodes that agree on control locations are drawn as one cluster; ${plural(clusters.length, "cluster")}. A click opens one.`) : null,
    make("p", { class: "note" }, "Select a node or an edge to see its obligations. Shift-click a second node, or press w, to ask why there is no edge."),
    make("p", { class: "note" }, "Keyboard: arrows move, Enter selects, Escape goes back, + − 0 zoom, / searches."),
  ];
}

// The side of a diagram's tab.
function detailsPane(diagram) {
  const pane = make("aside", { class: "details", "aria-label": "details" });
  const show = () => {
    if (why.isOpen(diagram)) {
      pane.replaceChildren(...[why.build()].flat(Infinity));
      return;
    }
    const { selected } = state;
    const isHere = selected?.diagram === diagram;
    let content = diagramDetails(diagram);
    if (isHere && selected.node !== undefined) content = nodeDetails(diagram, selected.node);
    else if (isHere) content = edgeDetails(diagram, selected.edges ?? [selected.edge]);
    pane.replaceChildren(...content.flat(Infinity).filter((each) => each));
    pane.scrollTop = 0;
    if (isHere) announce(pane.querySelector("h2").textContent);
  };
  watch((what) => {
    if (["selected", "filter", "why"].includes(what)) show();
  });
  show();
  return pane;
}
