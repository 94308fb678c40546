//! Diagrams for the page: what nodes and edges say, and where they are drawn.

use super::clusters::{Cluster, MOST_NODES_TOGETHER, clusters};
use super::data::{ClusterJson, DiagramJson, EdgeJson, NodeJson, RegionJson};
use crate::layout::texts::{box_size, label_size, path, pixels};
use crate::layout::{Drawing, Link, Point, Size, layered};
use crate::picture::Group;
use crate::wording::Wording;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::diagram::{Diagram, Region};
use slabcert_certificates::system::System;

/// How wide a row of boxes may become.
const WIDEST: f64 = 2_400.0;
/// How many arrows have their names beside them; in larger diagrams they are shown when they are asked for.
const MOST_NAMED_ARROWS: usize = 60;
/// How many lines of a node are drawn within a cluster.
const MOST_LINES_IN_CLUSTER: usize = 9;
/// The width and height of a closed cluster, as `page/` draws it.
const CLOSED: Size = Size {
    width: 230.0,
    height: 90.0,
};

/// What all diagrams are made with.
pub(super) struct Context<'a> {
    pub system: &'a System,
    pub certificate: &'a Certificate,
    pub wording: &'a Wording<'a>,
    /// The indices of transitions by name.
    pub transitions: FxHashMap<&'a str, usize>,
}

/// A diagram as the page has it; `group` is the picture of it.
pub(super) fn diagram(diagram: &Diagram, group: &Group, context: &Context<'_>) -> DiagramJson {
    let regions = diagram.regions.iter().zip(0..);
    let regions: FxHashMap<&str, usize> = regions
        .map(|(region, index)| (region.name.as_str(), index))
        .collect();
    let mut nodes: Vec<NodeJson> = diagram
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| {
            let shape = group.shapes.get(index);
            NodeJson {
                id: node.id,
                lines: shape.map_or_else(Vec::new, |shape| shape.lines.clone()),
                words: context.wording.label(&node.label),
                initial: shape.is_some_and(|shape| shape.is_initial),
                region: node
                    .region
                    .as_deref()
                    .and_then(|name| regions.get(name).copied()),
                asleep: node
                    .asleep
                    .iter()
                    .filter_map(|name| regions.get(name.as_str()).copied())
                    .collect(),
                at: (0, 0, 0, 0),
            }
        })
        .collect();
    let mut edges = edges(diagram, group, context);
    let is_large = nodes.len() > MOST_NODES_TOGETHER;
    let mut size = None;
    let mut clustered = Vec::new();
    if is_large {
        for node in &mut nodes {
            shorten(&mut node.lines, MOST_LINES_IN_CLUSTER);
        }
        let found = clusters(diagram, context.system, context.wording);
        clustered = draw_clusters(found, &mut nodes, &mut edges);
    } else {
        size = Some(draw_whole(&mut nodes, &mut edges));
    }
    let index_of = |name: &String| {
        let diagrams = &context.certificate.diagrams;
        diagrams.iter().position(|other| other.name == *name)
    };
    DiagramJson {
        name: diagram.name.clone(),
        assumes: diagram.assumes.iter().filter_map(index_of).collect(),
        common: group.notes.clone(),
        nodes,
        regions: diagram
            .regions
            .iter()
            .map(|it| region(it, context))
            .collect(),
        edges,
        size,
        clusters: clustered,
    }
}

fn region(region: &Region, context: &Context<'_>) -> RegionJson {
    let index = |name: &String| context.transitions.get(name.as_str()).copied();
    let independent = region.independent.as_ref();
    RegionJson {
        name: region.name.clone(),
        words: context.wording.label(&region.label),
        stubborn: region.stubborn.iter().filter_map(index).collect(),
        key: region.key.as_ref().and_then(index),
        independent: independent.map(|names| names.iter().filter_map(index).collect()),
    }
}

/// One edge for each pair of nodes, in the order of their first mention.
fn edges(diagram: &Diagram, group: &Group, context: &Context<'_>) -> Vec<EdgeJson> {
    let shown: FxHashMap<(usize, usize), &Vec<String>> = group
        .arrows
        .iter()
        .map(|arrow| ((arrow.from, arrow.to), &arrow.lines))
        .collect();
    let indices: FxHashMap<usize, usize> = diagram
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| (node.id, index))
        .collect();
    let mut together: IndexMap<(usize, usize), Vec<&str>> = IndexMap::new();
    for edge in &diagram.edges {
        if let (Some(&from), Some(&to)) = (indices.get(&edge.from), indices.get(&edge.to)) {
            let names = together.entry((from, to)).or_default();
            for name in &edge.transitions {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
    }
    together
        .into_iter()
        .map(|((from, to), names)| EdgeJson {
            from,
            to,
            transitions: names
                .iter()
                .filter_map(|name| context.transitions.get(name).copied())
                .collect(),
            lines: shown
                .get(&(from, to))
                .map_or_else(Vec::new, |lines| few(lines)),
            path: None,
            label: None,
        })
        .collect()
}

/// How many lines stand beside an arrow.
const MOST_NAMES: usize = 4;

fn few(lines: &[String]) -> Vec<String> {
    let mut lines = lines.to_vec();
    shorten(&mut lines, MOST_NAMES);
    lines
}

/// Leaves so many lines, the last one saying how many are missing.
fn shorten(lines: &mut Vec<String>, most: usize) {
    if lines.len() > most {
        let more = lines.len() - (most - 1);
        lines.truncate(most - 1);
        lines.push(format!("… {more} more"));
    }
}

fn links(edges: &[EdgeJson], is_named: bool) -> Vec<Link> {
    edges
        .iter()
        .map(|edge| Link {
            from: edge.from,
            to: edge.to,
            label: if is_named {
                label_size(&edge.lines)
            } else {
                Size::default()
            },
        })
        .collect()
}

fn draw_whole(nodes: &mut [NodeJson], edges: &mut [EdgeJson]) -> (i32, i32) {
    let boxes: Vec<Size> = nodes.iter().map(|node| box_size(&node.lines)).collect();
    let is_named = edges.len() <= MOST_NAMED_ARROWS;
    let starts: Vec<usize> = (0..nodes.len())
        .filter(|&index| nodes[index].initial)
        .collect();
    let drawing = layered(&boxes, &links(edges, is_named), &starts, WIDEST);
    for (index, node) in nodes.iter_mut().enumerate() {
        node.at = area(drawing.corners[index], boxes[index]);
    }
    for (edge, route) in edges.iter_mut().zip(&drawing.routes) {
        edge.path = Some(path(route));
        edge.label = is_named.then(|| (pixels(route.label.x), pixels(route.label.y)));
    }
    (pixels(drawing.size.width), pixels(drawing.size.height))
}

fn draw_clusters(
    found: Vec<Cluster>,
    nodes: &mut [NodeJson],
    edges: &mut [EdgeJson],
) -> Vec<ClusterJson> {
    let mut cluster_of = vec![0; nodes.len()];
    for (number, cluster) in found.iter().enumerate() {
        for &index in &cluster.nodes {
            cluster_of[index] = number;
        }
    }
    let outer = draw_outer(&found, &cluster_of, nodes, edges);
    let mut made = Vec::new();
    for (number, cluster) in found.into_iter().enumerate() {
        let size = draw_inner(&cluster, &cluster_of, number, nodes, edges);
        let corner = outer.corners[number];
        let before = |other: usize| {
            outer.ranks[other] == outer.ranks[number] && outer.corners[other].x < corner.x
        };
        made.push(ClusterJson {
            lines: cluster.lines,
            nodes: cluster.nodes,
            row: outer.ranks[number],
            index: (0..outer.corners.len()).filter(|&it| before(it)).count(),
            size,
        });
    }
    made
}

/// The rows of the clusters, each drawn as one closed box.
fn draw_outer(
    found: &[Cluster],
    cluster_of: &[usize],
    nodes: &[NodeJson],
    edges: &[EdgeJson],
) -> Drawing {
    let mut pairs: Vec<(usize, usize)> = edges
        .iter()
        .map(|edge| (cluster_of[edge.from], cluster_of[edge.to]))
        .filter(|(from, to)| from != to)
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let links: Vec<Link> = pairs
        .into_iter()
        .map(|(from, to)| Link {
            from,
            to,
            label: Size::default(),
        })
        .collect();
    let starts: Vec<usize> = (0..found.len())
        .filter(|&number| found[number].nodes.iter().any(|&it| nodes[it].initial))
        .collect();
    layered(&vec![CLOSED; found.len()], &links, &starts, WIDEST)
}

/// The drawing inside a cluster; gives its size.
fn draw_inner(
    cluster: &Cluster,
    cluster_of: &[usize],
    number: usize,
    nodes: &mut [NodeJson],
    edges: &mut [EdgeJson],
) -> (i32, i32) {
    let indices: FxHashMap<usize, usize> = cluster.nodes.iter().copied().zip(0..).collect();
    let inside: Vec<usize> = (0..edges.len())
        .filter(|&it| cluster_of[edges[it].from] == number && cluster_of[edges[it].to] == number)
        .collect();
    let links: Vec<Link> = inside
        .iter()
        .map(|&it| Link {
            from: indices[&edges[it].from],
            to: indices[&edges[it].to],
            label: Size::default(),
        })
        .collect();
    let boxes: Vec<Size> = cluster
        .nodes
        .iter()
        .map(|&index| box_size(&nodes[index].lines))
        .collect();
    let starts: Vec<usize> = (0..boxes.len())
        .filter(|&it| nodes[cluster.nodes[it]].initial)
        .collect();
    let drawing = layered(&boxes, &links, &starts, WIDEST / 2.0);
    for (it, &index) in cluster.nodes.iter().enumerate() {
        nodes[index].at = area(drawing.corners[it], boxes[it]);
    }
    for (&it, route) in inside.iter().zip(&drawing.routes) {
        edges[it].path = Some(path(route));
    }
    (pixels(drawing.size.width), pixels(drawing.size.height))
}

fn area(corner: Point, size: Size) -> (i32, i32, i32, i32) {
    (
        pixels(corner.x),
        pixels(corner.y),
        pixels(size.width),
        pixels(size.height),
    )
}
