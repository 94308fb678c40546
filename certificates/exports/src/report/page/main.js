// ---- The page. ----

function buildDiagram(index) {
  return (panel) => {
    const view = new DiagramView(index);
    views.set(index, view);
    const { canvas } = view;
    const tool = (text, label, action) => button(text, action, { "aria-label": label, title: label, class: "quiet tool" });
    const asks = button("Why no edge?", () => why.start(index, state.selected?.diagram === index ? state.selected.node ?? null : null), { class: "quiet" });
    panel.append(
      make("div", { class: "tools" }, filterFields(), asks, make("span", { class: "gap" }),
        view.diagram.clusters.length > 1 ? [tool("Open all", "open all clusters", () => view.toggleAll(true)), tool("Close all", "close all clusters", () => view.toggleAll(false))] : null,
        tool("−", "smaller", () => canvas.zoom(1 / 1.2)), tool("+", "larger", () => canvas.zoom(1.2)), tool("Fit", "show the whole diagram", () => canvas.fit())),
      make("div", { class: "split" }, make("div", { class: "canvas-area" }, commonNote(view.diagram), canvas.svg), detailsPane(index)));
    requestAnimationFrame(() => canvas.fit(0.75, view.beginning()));
    addEventListener("beforeprint", () => printFit(canvas));
    addEventListener("afterprint", () => canvas.svg.removeAttribute("viewBox"));
  };
}

// What all nodes say is said once.
function commonNote({ common, nodes }) {
  if (common.length === 0 || nodes.length === 1) return null;
  return make("p", { class: "common", title: common.join("\n") }, make("span", { class: "note" }, "In every node: "), make("code", {}, common.join("; ")));
}

// On paper a drawing is as large as the page is wide.
function printFit(canvas) {
  const { width, height } = canvas.size;
  canvas.svg.setAttribute("viewBox", `${canvas.x} ${canvas.y} ${width * canvas.scale} ${height * canvas.scale}`);
}

function diagramTabName(index) {
  const { name, nodes } = report.diagrams[index];
  return [cut(name, 32), make("span", { class: "count" }, String(nodes.length))];
}

function addTabs() {
  addTab("overview", "Overview", buildOverview);
  report.diagrams.forEach((_, index) => {
    if (!lemmas.includes(index)) addTab(`diagram-${index}`, diagramTabName(index), buildDiagram(index));
  });
  if (lemmas.length > 0) addTab("lemmas", ["Lemmas", make("span", { class: "count" }, String(lemmas.length))], buildLemmas);
  report.traces.forEach((trace, index) => {
    const name = report.traces.length === 1 ? "Trace" : `Trace ${index}`;
    addTab(`trace-${index}`, [name, make("span", { class: "count" }, String(trace.steps.length))], (panel) => new TraceView(index).build(panel));
  });
  if (obligationCount > 0) addTab("obligations", ["Obligations", make("span", { class: "count" }, obligationCount.toLocaleString("en"))], buildObligations);
  addTab("model", "Model", buildModel);
}

// Lemmas open on their list, a single diagram or trace on itself.
function firstTab() {
  if (report.traces.length > 0) return "trace-0";
  const diagram = report.diagrams.findIndex((_, index) => !lemmas.includes(index));
  if (diagram >= 0) return `diagram-${diagram}`;
  return lemmas.length > 0 ? "lemmas" : "overview";
}

function pageKeys(event) {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    document.getElementById("search").focus();
  } else if (event.key === "Escape" && event.target.closest(".details")) {
    // Back from the details to the drawing.
    const focused = document.querySelector(".panel:not([hidden]) .canvas [tabindex='0']");
    focused?.focus({ preventScroll: true });
  }
}

function begin() {
  addTabs();
  const constants = report.source.constants.map(([name, value]) => `${name} = ${value}`).join(", ");
  document.body.append(
    make("header", {},
      make("div", { class: "title" }, make("h1", {}, report.title), constants === "" ? null : make("span", { class: "constants" }, cut(constants, 60)), claimedBadge(report.verdict)),
      searchBox(), themeButton()),
    make("nav", { "aria-label": "parts" }, tabList), panels, announcer);
  document.addEventListener("keydown", pageKeys);
  showTab(firstTab());
  document.body.dataset.ready = "";
}

begin();
