//! Diagrams and traces in the language of Graphviz.

use super::picture::{Arrow, Group, Picture, Shape, pictures};
use crate::{Export, ExportError, Sink};
use graphviz_rust::dot_structures::{
    Attribute, Edge, EdgeTy, Graph, GraphAttributes, Id, Node, NodeId, Stmt, Subgraph, Vertex,
};
use graphviz_rust::printer::{DotPrinter, PrinterContext};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::system::System;

/// The fill of a box, an initial one, and the one that violates a property.
const FILLS: [&str; 3] = ["#f6f8fa", "#dbeafe", "#fee2e2"];

/// Graphviz.
pub struct Dot;

impl Export for Dot {
    fn name(&self) -> &'static str {
        "dot"
    }

    fn summary(&self) -> &'static str {
        "diagrams and traces for Graphviz"
    }

    fn file_names(
        &self,
        system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        let pictures = pictures(system, certificate)?;
        let name = |picture: &Picture| format!("{}.dot", picture.stem);
        Ok(pictures.iter().map(name).collect())
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        for picture in pictures(system, certificate)? {
            sink(&format!("{}.dot", picture.stem), print(&picture).as_bytes())?;
        }
        Ok(())
    }
}

/// The picture as text for Graphviz.
pub fn print(picture: &Picture) -> String {
    let mut text = graph(picture).print(&mut PrinterContext::default());
    text.push('\n');
    text
}

fn quoted(text: &str) -> Id {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    Id::Escaped(format!("\"{escaped}\""))
}

fn plain(name: &str) -> Id {
    Id::Plain(name.to_owned())
}

fn attribute(name: &str, value: &str) -> Attribute {
    Attribute(plain(name), quoted(value))
}

/// A label whose lines end with the sign for their alignment: `\l` left, `\n` centred.
fn label(lines: &[String], end: &str) -> Attribute {
    let escaped: Vec<String> = lines
        .iter()
        .map(|line| line.replace('\\', "\\\\").replace('"', "\\\"") + end)
        .collect();
    let text = escaped.concat();
    Attribute(plain("label"), Id::Escaped(format!("\"{text}\"")))
}

/// The title of a group, and what holds in all its boxes.
fn cluster_label(group: &Group) -> Attribute {
    if group.notes.is_empty() {
        return attribute("label", &group.title);
    }
    let title = [group.title.clone(), "in all nodes:".to_owned()];
    let notes = group.notes.iter().map(|note| format!("   {note}"));
    label(&title.into_iter().chain(notes).collect::<Vec<_>>(), "\\l")
}

fn graph(picture: &Picture) -> Graph {
    let font = || attribute("fontname", "Helvetica");
    let mut statements = vec![
        Stmt::GAttribute(GraphAttributes::Graph(vec![
            font(),
            attribute("rankdir", "TB"),
        ])),
        Stmt::GAttribute(GraphAttributes::Node(vec![
            font(),
            attribute("shape", "box"),
            attribute("style", "rounded,filled"),
            attribute("fillcolor", FILLS[0]),
            attribute("fontsize", "11"),
        ])),
        Stmt::GAttribute(GraphAttributes::Edge(vec![
            font(),
            attribute("fontsize", "10"),
        ])),
    ];
    for (number, group) in picture.groups.iter().enumerate() {
        let mut body = vec![
            Stmt::Attribute(cluster_label(group)),
            Stmt::Attribute(attribute("labeljust", "l")),
            Stmt::Attribute(attribute("color", "#d0d7de")),
        ];
        group_statements(number, group, &mut body);
        statements.push(Stmt::Subgraph(Subgraph {
            id: plain(&format!("cluster_{number}")),
            stmts: body,
        }));
    }
    Graph::DiGraph {
        id: plain(picture.stem),
        strict: false,
        stmts: statements,
    }
}

fn box_id(group: usize, index: usize) -> NodeId {
    NodeId(plain(&format!("n{group}_{index}")), None)
}

fn arrow(from: NodeId, to: NodeId, attributes: Vec<Attribute>) -> Stmt {
    Stmt::Edge(Edge {
        ty: EdgeTy::Pair(Vertex::N(from), Vertex::N(to)),
        attributes,
    })
}

fn group_statements(number: usize, group: &Group, body: &mut Vec<Stmt>) {
    for (index, shape) in group.shapes.iter().enumerate() {
        body.push(Stmt::Node(Node::new(
            box_id(number, index),
            shape_attributes(shape),
        )));
        if shape.is_initial {
            // The arrow from nowhere marks where a run begins.
            let start = NodeId(plain(&format!("start{number}_{index}")), None);
            body.push(Stmt::Node(Node::new(
                start.clone(),
                vec![
                    attribute("shape", "point"),
                    attribute("style", "invis"),
                    attribute("tooltip", "initial"),
                ],
            )));
            body.push(arrow(
                start,
                box_id(number, index),
                vec![attribute("tooltip", "initial")],
            ));
        }
    }
    for Arrow {
        from,
        to,
        lines,
        tooltip,
    } in &group.arrows
    {
        body.push(arrow(
            box_id(number, *from),
            box_id(number, *to),
            vec![
                label(lines, "\\l"),
                attribute("tooltip", tooltip),
                attribute("labeltooltip", tooltip),
            ],
        ));
    }
}

fn shape_attributes(shape: &Shape) -> Vec<Attribute> {
    let mut attributes = vec![
        label(&shape.lines, "\\l"),
        attribute("tooltip", &shape.tooltip),
    ];
    let fill = usize::from(shape.is_initial) + 2 * usize::from(shape.is_bad);
    if fill > 0 {
        attributes.push(attribute("fillcolor", FILLS[fill.min(2)]));
    }
    attributes
}

#[cfg(test)]
pub(super) mod tests;
