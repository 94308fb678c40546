// ---- Search and filters. ----

const mostResults = 40;

// Everything that can be found: a line of text, and what to do.
const searchable = (() => {
  let entries = null;
  return () => {
    entries ??= [
      ...report.diagrams.flatMap((diagram, index) => diagram.nodes.map((node, number) => ({
        kind: "node", text: `${diagram.name} ${node.id}: ${node.words.join(", ")}`, go: () => goToNode(index, number),
      }))),
      ...report.transitions.map((transition, index) => ({
        kind: "transition", text: `${transition.name}: ${[...transition.guard, ...transition.updates].join(", ")}`, go: () => goToTransition(index),
      })),
      ...report.claims.map((claim) => ({ kind: "property", text: `${claim.name}: ${claim.words}`, go: () => showTab("overview") })),
      ...report.traces.map((_, index) => ({ kind: "trace", text: `trace ${index}`, go: () => showTab(`trace-${index}`) })),
    ];
    return entries;
  };
})();

function find(query) {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const found = [];
  const number = /^#?(\d+)$/.exec(wanted);
  if (number && Number(number[1]) < obligationCount) {
    const own = obligationAt(Number(number[1]));
    found.push({ kind: "obligation", text: `${own.number}: ${describe(own)}`, go: () => goToObligation(own.number) });
  }
  for (const entry of searchable()) {
    if (found.length >= mostResults) break;
    entry.lower ??= entry.text.toLowerCase();
    if (words.every((word) => entry.lower.includes(word))) found.push(entry);
  }
  return found;
}

function searchBox() {
  const list = make("ul", { role: "listbox", id: "results", "aria-label": "what was found", hidden: true });
  const input = make("input", {
    type: "search", id: "search", placeholder: "Search nodes, transitions, #obligations   /", role: "combobox",
    "aria-label": "search", "aria-controls": "results", "aria-expanded": "false", "aria-autocomplete": "list", autocomplete: "off",
  });
  let results = [];
  let chosen = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const go = (entry) => {
    close();
    entry.go();
  };
  const mark = () => {
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
    input.setAttribute("aria-activedescendant", results.length > 0 ? `result-${chosen}` : "");
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  };
  const show = () => {
    results = input.value.trim() === "" ? [] : find(input.value);
    chosen = 0;
    const items = results.map((entry, index) => make("li", { role: "option", id: `result-${index}`, onpointerdown: (event) => { event.preventDefault(); go(entry); } },
      make("span", { class: "kind" }, entry.kind), cut(entry.text, 160)));
    if (items.length === 0 && input.value.trim() !== "") items.push(make("li", { class: "note" }, "no results"));
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
    input.setAttribute("aria-expanded", String(items.length > 0));
    mark();
  };
  input.addEventListener("input", show);
  input.addEventListener("focus", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { input.value = ""; close(); input.blur(); return; }
    if (event.key === "Enter" && results[chosen]) { event.preventDefault(); go(results[chosen]); return; }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || results.length === 0) return;
    event.preventDefault();
    chosen = (chosen + step + results.length) % results.length;
    mark();
  });
  return make("div", { class: "search", role: "search" }, input, list);
}

// The filters of the diagrams, the same for all of them.
function filterFields() {
  const fields = [];
  const add = (label, key, names) => {
    if (names.length < 2) return;
    const select = choice(`filter by ${key}`, [["", `all ${label}`], ...names.map((name, index) => [index, name])], state[key], (value) => {
      state[key] = value;
      changed("filter");
      const count = report.transitions.filter((_, index) => passes(index)).length;
      announce(isFiltered() ? `filtered: ${plural(count, "transition")}` : "no filter");
    });
    watch((what) => {
      if (what === "filter") select.value = state[key];
    });
    fields.push(select);
  };
  add("processes", "process", report.processes);
  add("transitions", "transition", report.transitions.map((transition) => transition.name));
  const clear = button("Clear", () => {
    state.process = "";
    state.transition = "";
    changed("filter");
  }, { class: "quiet", hidden: true });
  watch((what) => {
    if (what === "filter") clear.hidden = !isFiltered();
  });
  return fields.length > 0 ? [make("span", { class: "tool-label" }, "Filter"), ...fields, clear] : [];
}
