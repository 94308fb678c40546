// ---- Regions: what the nodes of a reduced diagram follow, and why what they postpone, or what sleeps in them, is not missed. ----

function isReduced(diagram) {
  return report.diagrams[diagram].regions.length > 0;
}

function transitionNames(indices) {
  return indices.flatMap((index, place) => (place === 0 ? [transitionName(index)] : [", ", transitionName(index)]));
}

function postponedBy({ stubborn }) {
  return report.transitions.map((_, index) => index).filter((index) => !stubborn.includes(index));
}

// The transitions that sleep in a node.
function asleepIn(diagram, node) {
  const { nodes, regions } = report.diagrams[diagram];
  return nodes[node].asleep.flatMap((index) => regions[index].stubborn);
}

// What a reduced diagram says, which is not that every reachable state is in a node.
function reducedDiagram(diagram, proved) {
  const { nodes, regions } = report.diagrams[diagram];
  const row = (_, index) => regionEntry(diagram, index);
  return [
    make("p", {}, proved, "no violation is reachable. The diagram is reduced: ",
      nodes.every((node) => node.region === null) ? null : "a node that names a region follows only some transitions and postpones all others, which can as well happen later. ",
      nodes.every((node) => node.asleep.length === 0) ? null : "A transition that sleeps in a node is not followed there, since the runs that begin with it were followed in another order. ",
      `So one order of steps stands for others, and every run to a violation could be taken in an order that stays in one of the ${plural(nodes.length, "node")}, none of which allows it.`),
    make("p", { class: "callout" }, make("strong", {}, "What the nodes say is no invariant. "), "Where steps are not followed, there may be reachable states in no node."),
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
    const { independent } = region;
    const inside = nodes.map((_, node) => node).filter((node) => nodes[node].region === index || nodes[node].asleep.includes(index));
    const others = independent ?? postponedBy(region);
    const numbers = diagrams[diagram].regions[index];
    const row = (number) => obligationRow(obligationAt(number), describe(obligationAt(number)));
    own.append(
      make("ul", { class: "label" }, region.words.map((line) => make("li", {}, line))),
      make("p", { class: "neighbours" }, make("span", {}, independent === null ? "nodes" : "sleeps in"), inside.length === 0 ? " none" : inside.slice(0, 80).map((node) => nodeButton(diagram, node)), inside.length > 80 ? ` and ${inside.length - 80} more` : null),
      independent === null
        ? make("p", {}, "Followed: ", region.stubborn.length === 0 ? "nothing" : transitionNames(region.stubborn), ". ", others.length === 0 ? "Nothing is postponed." : orderWords(region))
        : make("p", {}, "Sleeps: ", transitionNames(region.stubborn), ". It was followed from a node before. What happens meanwhile can as well happen after it: this order stands for the others."),
      others.length === 0 ? "" : lazyList(`${plural(others.length, "transition")} ${independent === null ? "postponed" : "that may happen meanwhile"}`, others, (each) => make("p", {}, transitionName(each)), others.length <= 12),
      numbers.length === 0 ? make("p", { class: "note" }, "No obligations: these steps read and write nothing that the others write.")
        : lazyList(plural(numbers.length, "obligation"), numbers, row, numbers.length <= 12),
    );
  });
  return own;
}

// What a node postpones, what sleeps in it, and what falls asleep after it.
function regionOfNode(diagram, node) {
  const { nodes, regions } = report.diagrams[diagram];
  const { region, asleep } = nodes[node];
  const owed = diagrams[diagram].reduction[node].map(obligationAt);
  const isAnew = (own) => own.region !== undefined && regions[own.region].independent !== null;
  const rows = (chosen) => chosen.map((own) => obligationRow(own, describe(own)));
  const anew = owed.filter(isAnew);
  return [
    region === null ? null : [
      make("h3", {}, "Postponed"),
      make("p", {}, `This node follows only what its region follows. What else there is (${plural(postponedBy(regions[region]).length, "transition")}) can as well happen later.`),
      regionEntry(diagram, region),
      rows(owed.filter((own) => !isAnew(own))),
    ],
    asleep.length === 0 ? null : [
      make("h3", {}, "Asleep"),
      make("p", {}, "This node does not follow ", transitionNames(asleepIn(diagram, node)), ": runs that begin with what sleeps were followed in another order."),
      asleep.map((index) => regionEntry(diagram, index)),
    ],
    anew.length === 0 ? null : [make("h3", {}, "Falls asleep after steps from here"), rows(anew)],
  ];
}
