// ---- Regions: what the nodes of a reduced diagram follow, and why what they postpone is not missed. ----

function isReduced(diagram) {
  return report.diagrams[diagram].regions.length > 0;
}

function transitionNames(indices) {
  return indices.flatMap((index, place) => (place === 0 ? [transitionName(index)] : [", ", transitionName(index)]));
}

function postponedBy({ stubborn }) {
  return report.transitions.map((_, index) => index).filter((index) => !stubborn.includes(index));
}

// What a reduced diagram says, which is not that every reachable state is in a node.
function reducedDiagram(diagram, proved) {
  const { nodes, regions } = report.diagrams[diagram];
  const row = (_, index) => regionEntry(diagram, index);
  return [
    make("p", {}, proved, "no violation is reachable. The diagram is reduced: a node that names a region follows only some transitions and postpones all others, which can as well happen later. ",
      `So one order of steps stands for others, and every run to a violation could be taken in an order that stays in one of the ${plural(nodes.length, "node")}, none of which allows it.`),
    make("p", { class: "callout" }, make("strong", {}, "What the nodes say is no invariant. "), "Where steps are postponed, there are reachable states in no node."),
    lazyList(plural(regions.length, "region"), regions, row, regions.length <= 12),
  ];
}

// Which order stands for which.
function orderWords({ key }) {
  return ["The first of these in a run can happen before everything that is postponed: this order stands for the others. ",
    key === null ? "As long as only others happen, nothing violates the property."
      : ["The key ", transitionName(key), " is possible in every node of the region: a run that has none of these can begin with it."]];
}

function regionEntry(diagram, index) {
  const { nodes, regions } = report.diagrams[diagram];
  const region = regions[index];
  const own = make("details", { class: "group region", "data-region": index }, make("summary", {}, `Region ${region.name}`));
  own.addEventListener("toggle", () => {
    if (!own.open || own.childNodes.length > 1) return;
    const inside = nodes.map((_, node) => node).filter((node) => nodes[node].region === index);
    const postponed = postponedBy(region);
    const numbers = diagrams[diagram].regions[index];
    const row = (number) => obligationRow(obligationAt(number), describe(obligationAt(number)));
    own.append(
      make("ul", { class: "label" }, region.words.map((line) => make("li", {}, line))),
      make("p", { class: "neighbours" }, make("span", {}, "nodes"), inside.length === 0 ? " none" : inside.slice(0, 80).map((node) => nodeButton(diagram, node)), inside.length > 80 ? ` and ${inside.length - 80} more` : null),
      make("p", {}, "Followed: ", region.stubborn.length === 0 ? "nothing" : transitionNames(region.stubborn), ". ", postponed.length === 0 ? "Nothing is postponed." : orderWords(region)),
      postponed.length === 0 ? "" : lazyList(`${plural(postponed.length, "transition")} postponed`, postponed, (each) => make("p", {}, transitionName(each)), postponed.length <= 12),
      numbers.length === 0 ? make("p", { class: "note" }, "No obligations: these steps read and write nothing that the others write.")
        : lazyList(plural(numbers.length, "obligation"), numbers, row, numbers.length <= 12),
    );
  });
  return own;
}

// What a node postpones, if it does.
function regionOfNode(diagram, node) {
  const index = report.diagrams[diagram].nodes[node].region;
  if (index === null) return null;
  const region = report.diagrams[diagram].regions[index];
  return [
    make("h3", {}, "Postponed"),
    make("p", {}, `This node follows only what its region follows. What else there is (${plural(postponedBy(region).length, "transition")}) can as well happen later.`),
    regionEntry(diagram, index),
    diagrams[diagram].reduction[node].map((number) => obligationRow(obligationAt(number), describe(obligationAt(number)))),
  ];
}
