// ---- Obligations: assembled as in `obligations.rs`; texts are those of the files in `obligations/`. ----

const report = JSON.parse(document.getElementById("data").textContent);
const transitionCount = report.transitions.length;

// For each diagram: the number of its initiation, the place of each node by its number, successors, and edges by node.
const diagrams = report.diagrams.map((diagram) => {
  const placeOf = new Map(diagram.nodes.map((node, place) => [node.id, place]));
  const successors = new Map();
  const leaving = diagram.nodes.map(() => []);
  const entering = diagram.nodes.map(() => []);
  diagram.edges.forEach((edge, number) => {
    leaving[edge.from].push(number);
    entering[edge.to].push(number);
    for (const transition of edge.transitions) {
      const key = edge.from * transitionCount + transition;
      if (!successors.has(key)) successors.set(key, new Set());
      successors.get(key).add(edge.to);
    }
  });
  return { placeOf, successors, leaving, entering, first: 0 };
});

const safeClaims = report.claims
  .filter((claim) => claim.verdict === "safe" && claim.diagrams.length > 0)
  .sort((left, right) => left.place - right.place);

const obligationCount = (() => {
  let next = report.diagrams.length > 0 ? 1 : 0;
  report.diagrams.forEach((diagram, place) => {
    diagrams[place].first = next;
    next += 1 + diagram.nodes.length * transitionCount;
  });
  for (const claim of safeClaims) {
    claim.first = next;
    next += report.diagrams[claim.diagrams[0]].nodes.length;
  }
  return next;
})();

// Places of the nodes that the transition may lead to, ordered by the nodes' numbers.
function successorsOf(diagram, node, transition) {
  const found = diagrams[diagram].successors.get(node * transitionCount + transition);
  const nodes = report.diagrams[diagram].nodes;
  return found ? [...found].sort((left, right) => nodes[left].id - nodes[right].id) : [];
}

function consecution(diagram, node, transition) {
  return { kind: "consecution", number: diagrams[diagram].first + 1 + node * transitionCount + transition, diagram, node, transition };
}

function initiation(diagram) {
  return { kind: "initiation", number: diagrams[diagram].first, diagram };
}

// The safety obligations about a node, one for each claim whose first diagram it belongs to.
function safetyOf(diagram, node) {
  return safeClaims
    .filter((claim) => claim.diagrams[0] === diagram)
    .map((claim) => ({ kind: "safety", number: claim.first + node, diagram, node, claim }));
}

// The obligation with a number.
function obligationAt(number) {
  if (number === 0) return { kind: "cover", number };
  for (let place = report.diagrams.length - 1; place >= 0; place -= 1) {
    const rest = number - diagrams[place].first;
    const size = report.diagrams[place].nodes.length * transitionCount;
    if (rest === 0) return initiation(place);
    if (rest > 0 && rest <= size) return consecution(place, Math.floor((rest - 1) / transitionCount), (rest - 1) % transitionCount);
  }
  const claim = safeClaims.findLast((own) => own.first <= number);
  return { kind: "safety", number, diagram: claim.diagrams[0], node: number - claim.first, claim };
}

// What must hold, in a sentence.
function describe(obligation) {
  const { kind, diagram, node, transition, claim } = obligation;
  if (kind === "cover") return "every step of the system is a step of a named transition";
  const { name, nodes } = report.diagrams[diagram];
  if (kind === "initiation") return `every initial state is in a node of diagram \`${name}\``;
  if (kind === "safety") return `node ${nodes[node].id} of diagram \`${name}\` excludes a violation of property ${claim.property}`;
  const to = successorsOf(diagram, node, transition).map((place) => nodes[place].id);
  const what = report.transitions[transition].name;
  return to.length === 0
    ? `\`${what}\` is impossible in node ${nodes[node].id} of diagram \`${name}\``
    : `\`${what}\` leads from node ${nodes[node].id} of diagram \`${name}\` to node ${to.join(" or ")}`;
}

// ---- SMT-LIB ----

const nextNames = new Map(report.symbols.filter((symbol) => symbol.next !== null)
  .map((symbol) => [symbol.name, report.symbols[symbol.next].name]));

function formulaAt(place) {
  const [text, needs, symbols] = report.formulas[place];
  return { text, needs, symbols };
}

// Several formulas under one operator.
function connect(operator, empty, formulas) {
  const texts = formulas.map((formula) => formula.text);
  const text = texts.length === 0 ? empty : texts.length === 1 ? texts[0] : `(${operator} ${texts.join(" ")})`;
  return {
    text,
    needs: formulas.reduce((needs, formula) => needs | formula.needs, 0),
    symbols: [...new Set(formulas.flatMap((formula) => formula.symbols))],
  };
}

function negated(formula) {
  const { text } = formula;
  let opposite = `(not ${text})`;
  if (text === "true") opposite = "false";
  else if (text === "false") opposite = "true";
  else if (text.startsWith("(not ")) opposite = text.slice(5, -1);
  return { ...formula, text: opposite };
}

// A formula about the state after a step.
function later(formula) {
  return {
    text: formula.text.replace(/[^\s()]+/g, (word) => nextNames.get(word) ?? word),
    needs: formula.needs,
    symbols: formula.symbols.map((symbol) => report.symbols[symbol].next ?? symbol),
  };
}

function labelOf(node) {
  if (node.formula !== null) return formulaAt(node.formula);
  return connect("and", "true", node.label.map((literal) => formulaAt(report.literals[literal][0])));
}

function labelAfter(node) {
  return node.after !== null ? formulaAt(node.after) : later(labelOf(node));
}

function invariantOf(diagram) {
  if (diagram.invariant !== null) return formulaAt(diagram.invariant);
  return connect("or", "false", diagram.nodes.map(labelOf));
}

function assertionsOf(obligation) {
  const { kind, diagram, node, transition, claim } = obligation;
  if (kind === "cover") {
    return [formulaAt(report.trans), ...report.transitions.map((own) => negated(formulaAt(own.formula)))];
  }
  const own = report.diagrams[diagram];
  if (kind === "initiation") return [formulaAt(report.init), ...own.nodes.map((each) => negated(labelOf(each)))];
  if (kind === "safety") {
    const others = claim.diagrams.slice(1).map((place) => invariantOf(report.diagrams[place]));
    return [labelOf(own.nodes[node]), ...others, negated(formulaAt(claim.formula))];
  }
  return [
    ...own.assumes.map((place) => invariantOf(report.diagrams[place])),
    labelOf(own.nodes[node]),
    formulaAt(report.transitions[transition].formula),
    ...successorsOf(diagram, node, transition).map((place) => negated(labelAfter(own.nodes[place]))),
  ];
}

// The text for a comment: a name with a line break in it must not end the comment.
function onOneLine(text) {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}

// The whole text for a solver.
function smtlib(obligation) {
  const assertions = assertionsOf(obligation);
  const needs = assertions.reduce((all, formula) => all | formula.needs, 0);
  const symbols = [...new Set(assertions.flatMap((formula) => formula.symbols))].sort((left, right) => left - right);
  const declarations = symbols.map((place) => {
    const { name, original, sort } = report.symbols[place];
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
