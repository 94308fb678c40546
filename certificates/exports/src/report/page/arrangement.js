// ---- Where things are: the whole diagram as it was laid out, or clusters in rows, closed or open. ----

const closedWidth = 236;
const clusterTitle = 30;
const clusterGap = { x: 44, y: 64 };
const margin = 16;

function closedHeight(cluster) {
  return 36 + 16 * Math.max(1, Math.min(cluster.lines.length, 7));
}

// A cluster of one node is drawn as that node.
function isSingle(cluster) {
  return cluster.nodes.length === 1;
}

// The room that a cluster takes.
function clusterSize(diagram, cluster, isOpen) {
  if (isSingle(cluster)) {
    const [, , width, height] = diagram.nodes[cluster.nodes[0]].at;
    return { width, height };
  }
  if (!isOpen) return { width: closedWidth, height: closedHeight(cluster) };
  const [width, height] = cluster.size;
  return { width: Math.max(width, closedWidth), height: height + clusterTitle };
}

// Puts clusters into rows, none much wider than the others: for each cluster its area.
function arrangeClusters(diagram, open) {
  const { clusters } = diagram;
  const sizes = clusters.map((cluster, index) => clusterSize(diagram, cluster, open.has(index)));
  const order = clusters.map((_, index) => index)
    .sort((left, right) => clusters[left].row - clusters[right].row || clusters[left].index - clusters[right].index);
  const surface = sizes.reduce((sum, size) => sum + (size.width + clusterGap.x) * (size.height + clusterGap.y), 0);
  const widest = Math.max(1200, Math.sqrt(surface) * 1.4, ...sizes.map((size) => size.width));
  const rows = [];
  let used = 0;
  let row = null;
  for (const index of order) {
    const { width } = sizes[index];
    if (row === null || clusters[index].row !== row || used + width > widest) {
      rows.push([]);
      used = 0;
      row = clusters[index].row;
    }
    rows.at(-1).push(index);
    used += width + clusterGap.x;
  }
  const areas = [];
  let y = margin;
  let total = 0;
  const widths = rows.map((own) => own.reduce((sum, index) => sum + sizes[index].width + clusterGap.x, -clusterGap.x));
  const broadest = Math.max(0, ...widths);
  rows.forEach((own, number) => {
    let x = margin + (broadest - widths[number]) / 2;
    const tallest = Math.max(...own.map((index) => sizes[index].height));
    for (const index of own) {
      areas[index] = { x, y: y + (tallest - sizes[index].height) / 2, ...sizes[index] };
      x += sizes[index].width + clusterGap.x;
    }
    total = y + tallest;
    y = total + clusterGap.y;
  });
  return { areas, size: { width: broadest + 2 * margin, height: total + margin } };
}

// Everything that is drawn of a diagram: areas of nodes and clusters that can be seen, and edges between them.
function arrange(diagram, open) {
  const nodes = new Map();
  if (diagram.clusters.length === 0) {
    diagram.nodes.forEach(({ at: [x, y, width, height] }, index) => nodes.set(index, { x, y, width, height }));
    const [width, height] = diagram.size;
    const edges = diagram.edges.map((edge, number) => ({ numbers: [number], path: edge.path, label: edge.label }));
    return { nodes, clusters: new Map(), areas: [], edges, size: { width, height }, clusterOf: null };
  }
  const { areas, size } = arrangeClusters(diagram, open);
  const clusterOf = [];
  const clusters = new Map();
  diagram.clusters.forEach((cluster, index) => {
    if (isSingle(cluster)) {
      clusterOf[cluster.nodes[0]] = index;
      nodes.set(cluster.nodes[0], areas[index]);
      return;
    }
    clusters.set(index, areas[index]);
    for (const node of cluster.nodes) {
      clusterOf[node] = index;
      if (!open.has(index)) continue;
      const { x, y } = areas[index];
      const [left, top, width, height] = diagram.nodes[node].at;
      nodes.set(node, { x: x + left, y: y + clusterTitle + top, width, height });
    }
  });
  return { nodes, clusters, areas, edges: visibleEdges(diagram, open, clusterOf, areas, nodes), size, clusterOf };
}

// Edges that begin in the same visible thing and end in the same are one.
function visibleEdges(diagram, open, clusterOf, areas, nodes) {
  const together = new Map();
  diagram.edges.forEach((edge, number) => {
    const ends = [edge.from, edge.to].map((node) => (nodes.has(node) ? `n${node}` : `c${clusterOf[node]}`));
    if (ends[0] === ends[1] && ends[0].startsWith("c")) return;
    const key = ends.join(" ");
    if (!together.has(key)) together.set(key, []);
    together.get(key).push(number);
  });
  return [...together.values()].map((numbers) => {
    const edge = diagram.edges[numbers[0]];
    const [from, to] = [clusterOf[edge.from], clusterOf[edge.to]];
    if (from === to && edge.path) {
      const { x, y } = areas[from];
      const shift = isSingle(diagram.clusters[from]) ? [x - margin, y - margin] : [x, y + clusterTitle];
      return { numbers, path: edge.path, shift, label: null };
    }
    const area = (node) => nodes.get(node) ?? areas[clusterOf[node]];
    return { numbers, path: curveBetween(area(edge.from), area(edge.to)), label: null };
  });
}

function centre(area) {
  return { x: area.x + area.width / 2, y: area.y + area.height / 2 };
}

// Where the line from the middle of an area towards a point leaves the area.
function border(area, towards) {
  const middle = centre(area);
  const [right, down] = [towards.x - middle.x, towards.y - middle.y];
  const part = Math.min(
    right === 0 ? Infinity : area.width / 2 / Math.abs(right),
    down === 0 ? Infinity : area.height / 2 / Math.abs(down),
  );
  return Number.isFinite(part) ? { x: middle.x + right * part, y: middle.y + down * part } : middle;
}

// A curve that bends a little to its left, so that there and back are told apart.
function curveBetween(from, to) {
  const [start, end] = [centre(from), centre(to)];
  const [right, down] = [end.x - start.x, end.y - start.y];
  const bend = { x: start.x + right / 2 + down * 0.12, y: start.y + down / 2 - right * 0.12 };
  const [first, last] = [border(from, bend), border(to, bend)];
  const round = (point) => `${Math.round(point.x)} ${Math.round(point.y)}`;
  return `M${round(first)}Q${round(bend)} ${round(last)}`;
}
