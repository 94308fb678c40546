// ---- The overview: what is claimed, how it was checked, what must be believed. ----

// The page is not a checker: where a badge stands alone, it says that a verdict is claimed.
function badge(verdict, words) {
  return make("span", { class: `badge ${verdict}`, title: "as the bundle claims; slabcert-check re-establishes it" }, words);
}

function claimedBadge(verdict) {
  return badge(verdict, verdict === "unknown" ? verdict : `claimed ${verdict}`);
}

function evidenceOf(claim) {
  if (claim.trace !== null) return button(`trace ${claim.trace}`, () => showTab(`trace-${claim.trace}`), { class: "link" });
  if (claim.diagrams.length === 0) return claim.reason === null ? "nothing is claimed" : `nothing is claimed: ${claim.reason}`;
  const shown = claim.diagrams.slice(0, 4).map((index) => [
    button(report.diagrams[index].name, () => goToDiagram(index), { class: "link" }), isReduced(index) ? " (reduced: no invariant)" : ""]);
  const more = claim.diagrams.length - shown.length;
  return [shown.flatMap((each, index) => (index === 0 ? each : [", ", ...each])), more > 0 ? ` and ${more} more` : ""];
}

function claimsTable() {
  if (report.claims.length === 0) return make("p", {}, "The system has no properties, so nothing is claimed.");
  return make("table", { class: "wide" },
    make("thead", {}, make("tr", {}, ["Property", "Claim", "Evidence", "What must always hold"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, report.claims.map((claim) => make("tr", {},
      make("th", { scope: "row" }, claim.line !== null && report.source.text !== null ? button(claim.name, () => goToLine(claim.line, claim.line), { class: "link" }) : claim.name),
      make("td", {}, badge(claim.verdict, claim.verdict)),
      make("td", {}, evidenceOf(claim)),
      make("td", {}, make("code", { title: claim.words }, cut(claim.words, 220)))))));
}

function obligationSummary() {
  if (obligationCount === 0) {
    return make("p", {}, report.traces.length > 0
      ? "A trace needs no obligations and no solver: the checker replays it exactly against the system."
      : "There are no obligations.");
  }
  const meanings = {
    cover: "the named transitions lose no step of the system",
    initiation: "every initial state is in a diagram",
    consecution: "every step that a node follows ends where the edges say; a missing edge is a claim",
    safety: "no node has a state that violates the property",
    containment: "a node is in its region, or in that of what falls asleep after it",
    closure: "what is postponed, or happens while a transition sleeps, does not leave the region",
    commutation: "what is followed can happen before what is postponed instead of after it, and so can what sleeps before what happens meanwhile",
    quietness: "while only what is postponed happens, nothing violates the property",
    enabledness: "the key is possible in the node",
    persistence: "the key stays possible, whatever is postponed, and can go first",
    preservation: "where the key goes first, a violation stays one",
    translation: "what the program does, the system does too",
  };
  const rows = Object.entries(meanings).filter(([kind]) => kind in numbersByKind).map(([kind, meaning]) => [kind, numbersByKind[kind].length, meaning]);
  return make("table", { class: "wide" },
    make("thead", {}, make("tr", {}, ["Obligations", "Number", "Statement"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, rows.map(([kind, count, meaning]) => make("tr", {},
      make("th", { scope: "row" }, button(kind, () => goToKind(kind), { class: "link" })), make("td", { class: "count" }, count.toLocaleString("en")), make("td", {}, meaning)))));
}

function recordText() {
  const { solvers, proved: own } = report.record;
  if (obligationCount === 0) return null;
  const parts = [];
  parts.push(solvers.length > 0
    ? `${solvers.join(" and ")} answered “unsatisfiable” to each of the ${plural(obligationCount, "obligation")}.`
    : "The bundle does not record which solvers discharged the obligations.");
  if (own === "all") parts.push("Each has a proof in proofs.json, which slabcert-check --solver builtin replays without any solver.");
  else if (own !== "none") parts.push(`${plural(own.some.length, "obligation")} of ${obligationCount.toLocaleString("en")} have a proof in proofs.json, which slabcert-check --solver builtin replays without any solver.`);
  return make("p", {}, parts.join(" "));
}

function facts() {
  const { source, producer } = report;
  const constants = source.constants.map(([name, value]) => `${name} = ${value}`).join(", ");
  const rows = [
    ["Model", source.file === "" ? "not in the bundle" : `${source.file}${source.language ? ` (${source.language})` : ""}`],
    ["Constants", constants],
    ["System", [plural(report.variables.length, "variable"), plural(transitionCount, "transition"), report.processes.length > 0 ? plural(report.processes.length, "process", "processes") : ""].filter((each) => each).join(", ")],
    ["Made by", producer],
    ["Assumed", report.assumptions.join("; ")],
  ].filter(([, value]) => value !== "");
  return make("dl", {}, rows.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function buildOverview(panel) {
  panel.append(make("div", { class: "text-column" },
    make("h2", {}, "Claims"),
    claimsTable(),
    make("h2", {}, "Check"),
    recordText() ?? "",
    obligationSummary(),
    make("p", { class: "callout" }, make("strong", {}, "This page is not evidence. "),
      "What it says about the check is as recorded by the producer; ", make("code", {}, "slabcert-check BUNDLE"), " re-establishes it, and trusts neither the bundle nor this page."),
    make("h2", {}, "System"),
    facts()));
}
