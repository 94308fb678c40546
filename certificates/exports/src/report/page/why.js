// ---- Why is there no edge? Two nodes, and for each transition the obligation that forbids the step. ----

const why = {
  diagram: null,
  from: null,
  to: null,

  start(diagram, from, to = null) {
    Object.assign(this, { diagram, from, to });
    changed("why");
    announce(to === null ? "choose the node where the edge would end" : this.answer());
  },

  close() {
    this.diagram = null;
    changed("why");
  },

  isOpen(diagram = this.diagram) {
    return this.diagram !== null && this.diagram === diagram;
  },

  // While the end is to be chosen, the next node that is picked is it.
  takes(diagram, node) {
    if (!this.isOpen(diagram)) return false;
    if (this.from === null) this.start(diagram, node);
    else this.start(diagram, this.from, node);
    return true;
  },

  answer() {
    const { nodes } = report.diagrams[this.diagram];
    return `from node ${nodes[this.from].id} to node ${nodes[this.to].id}`;
  },

  chooser(role, label) {
    const { nodes } = report.diagrams[this.diagram];
    const options = nodes.map((node, index) => [index, cut(`${node.id}: ${node.words.join(", ")}`, 60)]);
    return make("label", { class: "field" }, make("span", {}, label),
      choice(`node ${role}`, [["", "choose, here or in the diagram"], ...options], this[role] ?? "", (value) => {
        this[role] = value === "" ? null : Number(value);
        changed("why");
        document.querySelector(`.details select[aria-label="node ${role}"]`)?.focus();
      }));
  },

  // What each transition does instead.
  reasons() {
    const { nodes } = report.diagrams[this.diagram];
    const { diagram, from, to } = this;
    const all = report.transitions.map((_, index) => index).filter(passes);
    const transitions = all.filter((index) => follows(diagram, from, index));
    const asleep = all.filter((index) => asleepIn(diagram, from).includes(index));
    const postponed = all.filter((index) => !transitions.includes(index) && !asleep.includes(index));
    const there = transitions.filter((index) => successorsOf(diagram, from, index).includes(to));
    const absent = transitions.filter((index) => !there.includes(index));
    const impossible = absent.filter((index) => successorsOf(diagram, from, index).length === 0);
    const elsewhere = absent.filter((index) => !impossible.includes(index));
    const row = (index) => {
      const ids = successorsOf(diagram, from, index).map((each) => nodes[each].id);
      return obligationRow(consecution(diagram, from, index), [transitionName(index), ids.length === 0 ? " cannot happen" : ` ends in ${ids.join(" or ")}`]);
    };
    return [
      there.length > 0 ? [make("h3", {}, "There is an edge"), make("p", {}, "A step of these may lead there:"), there.map(row)] : null,
      elsewhere.length > 0 ? [make("h3", {}, "Leads elsewhere"),
        make("p", {}, `Every step of these from node ${nodes[from].id} ends in another node, or in a state that another node also contains. The obligation states this:`), elsewhere.map(row)] : null,
      impossible.length > 0 ? [make("h3", {}, "Cannot happen"),
        make("p", {}, `No state of node ${nodes[from].id} has a step of these. The obligation states this:`), impossible.map(row)] : null,
      postponed.length > 0 ? [make("h3", {}, "Postponed"),
        make("p", {}, `The region of node ${nodes[from].id} does not follow these, as they can as well happen later:`), make("p", {}, transitionNames(postponed))] : null,
      asleep.length > 0 ? [make("h3", {}, "Asleep"), make("p", {}, `Node ${nodes[from].id} does not follow these, as runs that begin with them were followed in another order:`), make("p", {}, transitionNames(asleep))] : null,
    ];
  },

  build() {
    const isReady = this.from !== null && this.to !== null;
    const title = isReady && !this.hasEdge() ? "Why there is no edge" : "Why is there no edge?";
    return [
      make("div", { class: "head" }, make("h2", { tabindex: -1 }, title), button("Close", () => this.close(), { class: "quiet" })),
      this.chooser("from", "from"),
      this.chooser("to", "to"),
      ...(isReady ? this.reasons() : [make("p", { class: "note" }, "A missing edge is a claim: for each transition, an obligation states where its steps from a node end.")]),
    ].flat(Infinity).filter((each) => each);
  },

  hasEdge() {
    return report.diagrams[this.diagram].edges.some((edge) => edge.from === this.from && edge.to === this.to);
  },
};
