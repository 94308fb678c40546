// ---- Diagrams: nodes, edges and clusters, with the mouse and with the keyboard. ----

// How many edges between visible things are drawn at once; of more, those of the selected thing are.
const mostEdges = 1500;
// From how many on they are drawn faintly, but for those of the thing under the pointer or with the focus.
const manyEdges = 150;

class DiagramView {
  constructor(index) {
    this.index = index;
    this.diagram = report.diagrams[index];
    this.open = new Set();
    this.canvas = new Canvas(`diagram ${this.diagram.name}; arrow keys move between nodes, Enter opens, Escape closes`);
    this.canvas.svg.addEventListener("keydown", (event) => this.key(event));
    this.canvas.svg.addEventListener("click", (event) => {
      if (event.target === this.canvas.svg) select(null);
    });
    this.focused = null;
    if (this.diagram.clusters.length === 1) this.open.add(0);
    this.render();
    watch((what) => {
      if (what === "filter" || what === "selected") this.mark();
    });
  }

  marker() {
    const tip = draw("path", { d: "M0 0L9 4L0 8z", fill: "context-stroke" });
    const marker = draw("marker", {
      id: `tip-${this.index}`, viewBox: "0 0 9 8", refX: 8.5, refY: 4, markerWidth: 8, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse",
    }, tip);
    return draw("defs", {}, marker);
  }

  render() {
    this.arrangement = arrange(this.diagram, this.open);
    const { nodes, clusters, edges, size } = this.arrangement;
    this.canvas.size = size;
    this.nodeElements = new Map();
    this.clusterElements = new Map();
    this.edgeElements = [];
    const boxes = draw("g", {});
    const lines = draw("g", {});
    const names = draw("g", {});
    for (const [index, area] of clusters) {
      const element = this.drawCluster(area, index);
      this.clusterElements.set(index, element);
      (this.open.has(index) ? lines : boxes).append(element);
    }
    for (const [index, area] of nodes) {
      const element = this.drawNode(area, index);
      this.nodeElements.set(index, element);
      boxes.append(element);
    }
    this.isCrowded = edges.length > mostEdges;
    this.canvas.svg.classList.toggle("many", edges.length > manyEdges);
    this.lineLayer = draw("g", {});
    this.nameLayer = names;
    if (!this.isCrowded) edges.forEach((edge) => this.addEdge(edge));
    this.canvas.layer.replaceChildren(this.marker(), lines, this.lineLayer, boxes, names);
    this.keepFocusable();
    this.mark();
  }

  addEdge(edge) {
    const element = this.drawEdge(edge);
    this.edgeElements.push({ edge, element });
    this.lineLayer.append(element);
    if (edge.label) {
      const name = this.drawName(edge);
      this.edgeElements.at(-1).name = name;
      this.nameLayer.append(name);
    }
  }

  drawNode({ x, y, width, height }, index) {
    const node = this.diagram.nodes[index];
    const text = draw("text", { x: 10, y: 18 },
      node.lines.map((line, number) => draw("tspan", { x: 10, dy: number === 0 ? 0 : 17, class: number === 0 ? "number" : undefined }, line)));
    const box = draw("rect", { width, height, rx: 6 });
    const start = node.initial ? draw("path", { class: "start", d: `M-18 ${height / 2}H-2`, "marker-end": `url(#tip-${this.index})` }) : null;
    return draw("g", {
      class: node.initial ? "node initial" : "node", transform: `translate(${x} ${y})`, tabindex: -1, role: "button",
      "data-node": node.id,
      "aria-label": `node ${node.id}${node.initial ? ", initial" : ""}: ${node.words.join(", ")}`,
      onclick: (event) => this.pick(index, event),
      onfocus: () => { this.focused = { node: index }; this.light({ node: index }); },
      onpointerenter: () => this.light({ node: index }),
      onpointerleave: () => this.light({}),
    }, draw("title", {}, node.words.join("\n")), start, box, text);
  }

  drawCluster({ x, y, width, height }, index) {
    const cluster = this.diagram.clusters[index];
    const isOpen = this.open.has(index);
    const lines = cluster.lines.length > 0 ? cluster.lines : ["everything else"];
    const shown = isOpen ? [cut(lines.join(", "), Math.floor(width / 7.4) - 14)] : lines.slice(0, 7).map((line) => cut(line, 29));
    const count = plural(cluster.nodes.length, "node");
    const isInitial = cluster.nodes.some((node) => this.diagram.nodes[node].initial);
    const text = draw("text", { x: 12, y: 20 }, shown.map((line, number) => draw("tspan", { x: 12, dy: number === 0 ? 0 : 16 }, line)));
    const corner = draw("text", { class: "count", x: width - 10, y: isOpen ? 20 : height - 10, "text-anchor": "end" }, isOpen ? `${count} −` : `${count} +`);
    return draw("g", {
      class: `cluster${isOpen ? " open" : ""}${isInitial ? " initial" : ""}`, transform: `translate(${x} ${y})`, tabindex: -1, role: "button",
      "data-cluster": index, "aria-expanded": String(isOpen),
      "aria-label": `cluster of ${count}: ${lines.join(", ")}`,
      onclick: () => this.toggle(index),
      onfocus: () => { this.focused = { cluster: index }; this.light({ cluster: index }); },
      onpointerenter: () => this.light({ cluster: index }),
      onpointerleave: () => this.light({}),
    }, draw("title", {}, lines.join("\n")), draw("rect", { width, height, rx: 8 }), text, corner);
  }

  drawEdge(edge) {
    const names = this.namesOf(edge);
    const shift = edge.shift ? `translate(${edge.shift[0]} ${edge.shift[1]})` : undefined;
    return draw("g", { class: "edge", transform: shift, onclick: () => this.pickEdge(edge) },
      draw("title", {}, names),
      draw("path", { class: "hit", d: edge.path }),
      draw("path", { class: "line", d: edge.path, "marker-end": `url(#tip-${this.index})` }));
  }

  namesOf(edge) {
    const transitions = new Set(edge.numbers.flatMap((number) => this.diagram.edges[number].transitions));
    const names = [...transitions].map((index) => report.transitions[index].name);
    return names.length > 30 ? `${names.slice(0, 30).join("\n")}\n… ${names.length - 30} more` : names.join("\n");
  }

  drawName(edge) {
    const { lines } = this.diagram.edges[edge.numbers[0]];
    const [x, y] = edge.label;
    const top = y - (lines.length * 14) / 2 + 11;
    const width = Math.max(...lines.map((line) => line.length)) * 6.7 + 4;
    return draw("g", { class: "edge-name", onclick: () => this.pickEdge(edge) },
      draw("rect", { x: x - width / 2, y: top - 11, width, height: lines.length * 14 }),
      draw("text", { x, y: top, "text-anchor": "middle" }, lines.map((line, number) => draw("tspan", { x, dy: number === 0 ? 0 : 14 }, line))));
  }

  pick(node, event) {
    if (why.takes(this.index, node)) return;
    if (event?.shiftKey && state.selected?.diagram === this.index && state.selected.node !== undefined) {
      why.start(this.index, state.selected.node, node);
      return;
    }
    select({ diagram: this.index, node });
  }

  pickEdge(edge) {
    if (edge.numbers.length === 1) {
      select({ diagram: this.index, edge: edge.numbers[0] });
    } else {
      select({ diagram: this.index, edges: edge.numbers });
    }
  }

  toggle(cluster, isOpen = !this.open.has(cluster)) {
    if (isOpen) this.open.add(cluster);
    else this.open.delete(cluster);
    const before = this.arrangement.areas[cluster];
    this.render();
    // What was clicked stays where it was.
    const after = this.arrangement.areas[cluster];
    this.canvas.move((before.x - after.x) * this.canvas.scale, (before.y - after.y) * this.canvas.scale);
    this.canvas.reveal(after);
    this.focus({ cluster });
    announce(`${isOpen ? "opened" : "closed"} a cluster of ${plural(this.diagram.clusters[cluster].nodes.length, "node")}`);
  }

  toggleAll(isOpen) {
    this.open = new Set(isOpen ? this.diagram.clusters.map((_, index) => index) : []);
    this.render();
    this.canvas.fit();
  }

  // Where runs begin.
  beginning() {
    const start = this.diagram.nodes.findIndex((node) => node.initial);
    if (start < 0) return null;
    return this.arrangement.nodes.get(start) ?? this.arrangement.areas[this.arrangement.clusterOf[start]];
  }

  // Makes a node visible, opening its cluster.
  reveal(node) {
    const cluster = this.arrangement.clusterOf?.[node];
    if (cluster !== undefined && !this.arrangement.nodes.has(node)) {
      this.open.add(cluster);
      this.render();
    }
    this.canvas.reveal(this.arrangement.nodes.get(node));
  }

  // ---- what is selected and what passes the filters ----

  mark() {
    const { selected } = state;
    const isHere = selected?.diagram === this.index;
    const touched = new Set();
    const chosen = new Set(isHere ? selected.edges ?? (selected.edge === undefined ? [] : [selected.edge]) : []);
    const node = isHere ? selected.node : undefined;
    if (this.isCrowded) this.showOnlyEdgesOf(node);
    const active = new Set();
    for (const { edge, element, name } of this.edgeElements) {
      const own = edge.numbers.map((number) => this.diagram.edges[number]);
      const isActive = own.some((each) => each.transitions.some(passes));
      const isNear = own.some((each) => each.from === node || each.to === node) || edge.numbers.some((number) => chosen.has(number));
      for (const part of [element, name]) {
        part?.classList.toggle("dim", !isActive);
        part?.classList.toggle("near", isNear);
      }
      if (isNear) own.forEach((each) => touched.add(each.from).add(each.to));
      if (isActive) own.forEach((each) => active.add(each.from).add(each.to));
    }
    const isDim = (nodes) => isFiltered() && !this.isCrowded && !nodes.some((each) => active.has(each));
    for (const [index, element] of this.nodeElements) {
      element.classList.toggle("selected", index === node);
      element.classList.toggle("near", touched.has(index) && index !== node);
      element.classList.toggle("dim", isDim([index]));
      element.setAttribute("aria-pressed", String(index === node));
    }
    for (const [index, element] of this.clusterElements) {
      element.classList.toggle("dim", isDim(this.diagram.clusters[index].nodes));
    }
  }

  // Brings out the edges of what is looked at.
  light({ node, cluster }) {
    const { clusterOf } = this.arrangement;
    const isOwn = (end) => (cluster === undefined ? end === node : clusterOf[end] === cluster);
    for (const { edge, element } of this.edgeElements) {
      const isLit = edge.numbers.some((number) => {
        const { from, to } = this.diagram.edges[number];
        return isOwn(from) || isOwn(to);
      });
      element.classList.toggle("lit", isLit);
    }
  }

  showOnlyEdgesOf(node) {
    this.lineLayer.replaceChildren();
    this.edgeElements = [];
    if (node === undefined) return;
    const own = new Set([...diagrams[this.index].leaving[node], ...diagrams[this.index].entering[node]]);
    for (const edge of this.arrangement.edges) {
      if (edge.numbers.some((number) => own.has(number))) this.addEdge(edge);
    }
  }

  // ---- keyboard ----

  // One thing of the drawing can be reached with Tab; arrow keys go on from there.
  keepFocusable() {
    const first = this.elementOf(this.focused ?? {}) ?? this.nodeElements.values().next().value ?? this.clusterElements.values().next().value;
    for (const element of [...this.nodeElements.values(), ...this.clusterElements.values()]) element.tabIndex = -1;
    if (first) first.tabIndex = 0;
  }

  elementOf({ node, cluster }) {
    return node === undefined ? this.clusterElements.get(cluster) : this.nodeElements.get(node);
  }

  areaOf({ node, cluster }) {
    return node === undefined ? this.arrangement.areas[cluster] : this.arrangement.nodes.get(node);
  }

  focus(thing) {
    const element = this.elementOf(thing);
    if (!element) return;
    this.focused = thing;
    this.keepFocusable();
    element.focus({ preventScroll: true });
    this.canvas.reveal(this.areaOf(thing));
  }

  // The nearest thing in a direction, what lies straight ahead first.
  neighbour(right, down) {
    const here = centre(this.areaOf(this.focused));
    let best = null;
    const things = [
      ...[...this.nodeElements.keys()].map((node) => ({ node })),
      ...[...this.clusterElements.keys()].map((cluster) => ({ cluster })),
    ];
    for (const thing of things) {
      const { x, y } = centre(this.areaOf(thing));
      const ahead = (x - here.x) * right + (y - here.y) * down;
      const aside = Math.abs((x - here.x) * down) + Math.abs((y - here.y) * right);
      if (ahead < 4 || aside > 4 * ahead) continue;
      const cost = ahead + 2 * aside;
      if (!best || cost < best.cost) best = { thing, cost };
    }
    return best?.thing;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.focused) return;
    const direction = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (direction) {
      event.preventDefault();
      const next = this.neighbour(...direction);
      if (next) this.focus(next);
      return;
    }
    const { node, cluster } = this.focused;
    const action = {
      Enter: () => (node === undefined ? this.toggle(cluster) : this.pick(node, event)),
      " ": () => (node === undefined ? this.toggle(cluster) : this.pick(node, event)),
      Escape: () => this.leave(),
      w: () => node !== undefined && why.start(this.index, node),
      "+": () => this.canvas.zoom(1.2),
      "-": () => this.canvas.zoom(1 / 1.2),
      0: () => this.canvas.fit(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // Escape: first the question, then the selection, then the open cluster around the node.
  leave() {
    if (why.isOpen()) why.close();
    else if (state.selected) select(null);
    else {
      const cluster = this.focused.cluster ?? this.arrangement.clusterOf?.[this.focused.node];
      if (this.open.has(cluster)) this.toggle(cluster, false);
    }
  }
}
