// ---- Obligations: the rows of the data, found by what they are about, and printed as in the files of `obligations/`. ----

const report = JSON.parse(document.getElementById("data").textContent);
const transitionCount = report.transitions.length;
const obligationCount = report.obligations.length;

// For each diagram: the number of its initiation; for its nodes the edges, the numbers of consecutions by transition, and those of the
// safety obligations; for its nodes and its regions, those of what is owed for leaving transitions out.
const diagrams = report.diagrams.map((diagram) => {
  const each = (make) => diagram.nodes.map(make);
  const found = { initiation: null, leaving: each(() => []), entering: each(() => []), consecutions: each(() => []), safety: each(() => []), reduction: each(() => []), regions: diagram.regions.map(() => []) };
  diagram.edges.forEach((edge, number) => {
    found.leaving[edge.from].push(number);
    found.entering[edge.to].push(number);
  });
  return found;
});

// The numbers of the obligations of each kind, in order.
const numbersByKind = { cover: [], initiation: [], consecution: [], safety: [] };

// What the obligation with a number is about: indices by the names in its sentence, and those of the successors.
function subjectOf(number) {
  const [sentence, about] = report.obligations[number];
  const [, , names] = report.sentences[sentence];
  return { ...Object.fromEntries(names.map((name, index) => [name, about[index]])), successors: about.slice(names.length) };
}

report.obligations.forEach(([sentence], number) => {
  const [kind] = report.sentences[sentence];
  const { diagram, node, region, transition } = subjectOf(number);
  numbersByKind[kind] ??= [];
  numbersByKind[kind].push(number);
  if (kind === "initiation") diagrams[diagram].initiation = number;
  else if (kind === "consecution") diagrams[diagram].consecutions[node][transition] = number;
  else if (kind === "safety") diagrams[diagram].safety[node].push(number);
  else if (node !== undefined) diagrams[diagram].reduction[node].push(number);
  else if (region !== undefined) diagrams[diagram].regions[region].push(number);
});

// The obligation with a number.
function obligationAt(number) {
  const [kind, words] = report.sentences[report.obligations[number][0]];
  const subject = subjectOf(number);
  return { kind, words, number, ...subject, claim: subject.property === undefined ? null : report.claims[subject.property] };
}

// Whether a node follows the transition: one that its region postpones, or that sleeps in it, has no consecution.
function follows(diagram, node, transition) {
  return diagrams[diagram].consecutions[node][transition] !== undefined;
}

function consecution(diagram, node, transition) {
  return obligationAt(diagrams[diagram].consecutions[node][transition]);
}

function initiation(diagram) {
  return obligationAt(diagrams[diagram].initiation);
}

// The safety obligations about a node, one for each claim whose first diagram it belongs to.
function safetyOf(diagram, node) {
  return diagrams[diagram].safety[node].map(obligationAt);
}

// Places of the nodes that the transition may lead to, ordered by the nodes' numbers.
function successorsOf(diagram, node, transition) {
  return consecution(diagram, node, transition).successors;
}

// What must hold, in a sentence.
function describe({ words, diagram, successors, claim, ...subject }) {
  const own = report.diagrams[diagram];
  const transition = (name) => report.transitions[subject[name]].name;
  const parts = {
    diagram: () => own.name,
    node: () => own.nodes[subject.node].id,
    region: () => own.regions[subject.region].name,
    transition, postponed: transition, stubborn: transition, key: transition,
    successors: () => successors.map((index) => own.nodes[index].id).join(" or "),
    property: () => claim.property,
  };
  return words.split(/[{}]/).map((piece, index) => (index % 2 === 0 ? piece : parts[piece](piece))).join("");
}

// ---- SMT-LIB ----

// A formula by its reference: a negative number has the bits of what is negated turned.
function formulaAt(reference) {
  if (reference < 0) {
    const inner = formulaAt(~reference);
    return { ...inner, text: `(not ${inner.text})` };
  }
  const formula = report.formulas[reference];
  if (formula.length === 3) return { text: formula[0], needs: formula[1], symbols: formula[2] };
  const parts = formula[1].map(formulaAt);
  return {
    text: `(${formula[0]} ${parts.map((part) => part.text).join(" ")})`,
    needs: parts.reduce((needs, part) => needs | part.needs, 0),
    symbols: [...new Set(parts.flatMap((part) => part.symbols))],
  };
}

// The formulas that an obligation asserts; the first ones are those of the obligation before it, as many as they share.
function assertionsOf(number) {
  let [, , open, references] = report.obligations[number];
  for (let before = number - 1; open > 0; before -= 1) {
    const [, , shared, own] = report.obligations[before];
    references = [...own.slice(0, Math.max(open - shared, 0)), ...references];
    open = Math.min(open, shared);
  }
  return references.map(formulaAt);
}

// The text for a comment: a name with a line break in it must not end the comment.
function onOneLine(text) {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}

// The whole text for a solver.
function smtlib(obligation) {
  const assertions = assertionsOf(obligation.number);
  const needs = assertions.reduce((all, formula) => all | formula.needs, 0);
  const symbols = [...new Set(assertions.flatMap((formula) => formula.symbols))].sort((left, right) => left - right);
  const declarations = symbols.map((index) => {
    const { name, original, sort } = report.symbols[index];
    const comment = original === name ? "" : ` ; ${onOneLine(original)}`;
    return `(declare-fun ${name} () ${sort})${comment}`;
  });
  return [
    "(set-info :smt-lib-version 2.6)",
    `; ${obligation.kind}: ${onOneLine(describe(obligation))}.`,
    "; It holds when the formulas below are unsatisfiable together.",
    `(set-logic ${report.logics[needs]})`,
    "(set-info :status unsat)",
    ...declarations,
    ...assertions.map((formula) => `(assert ${formula.text})`),
    "(check-sat)",
    "",
  ].join("\n");
}

// ---- Who discharged what ----

const proved = (() => {
  const own = report.record.proved;
  if (own === "all") return () => true;
  if (own === "none") return () => false;
  const numbers = new Set(own.some);
  return (number) => numbers.has(number);
})();

// The names of those that discharged an obligation, as recorded.
function dischargedBy(number) {
  return proved(number) ? [...report.record.solvers, "builtin"] : report.record.solvers;
}
