//! A difference as text for people, with `-` before what only the first has and `+` before what only the second has.

use super::{
    Changed, DiagramDifference, Difference, LabelledNode, Replaced, Sides, TraceDifference,
};
use slabcert_certificates::escaping::plain;

/// How many lines of one sort are shown; the rest is counted.
const SHOWN_LINES: usize = 40;

/// The lines of a difference. The word `same` or `different` is the caller's last line.
pub fn text(difference: &Difference) -> String {
    let mut lines = Lines::default();
    lines.replaced("constant", &difference.constants);
    lines.replaced("variable", &difference.variables);
    if !difference.init.is_empty() {
        lines.push("initial condition:");
        lines.sides("  ", &difference.init);
    }
    lines.named(
        "transition",
        &difference.transitions,
        &difference.changed_transitions,
    );
    if !difference.relation.is_empty() {
        lines.push("transition relation:");
        lines.sides("  ", &difference.relation);
    }
    lines.named(
        "property",
        &difference.properties,
        &difference.changed_properties,
    );
    if !difference.assumptions.is_empty() {
        lines.push("assumptions:");
        lines.sides("  ", &difference.assumptions);
    }
    lines.replaced("claim about", &difference.claims);
    for diagram in &difference.diagrams {
        lines.diagram(diagram);
    }
    for trace in &difference.traces {
        lines.trace(trace);
    }
    let shared = &difference.obligations;
    lines.push(&format!(
        "obligations: {} in both, {} only in the first, {} only in the second",
        shared.common, shared.removed, shared.added
    ));
    lines.0
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn push(&mut self, line: &str) {
        self.0.push_str(&plain(line));
        self.0.push('\n');
    }

    /// Lines of one sort, as many as are shown.
    fn some(&mut self, indent: &str, sign: char, list: &[String]) {
        for line in list.iter().take(SHOWN_LINES) {
            self.push(&format!("{indent}{sign} {line}"));
        }
        if list.len() > SHOWN_LINES {
            let more = list.len() - SHOWN_LINES;
            self.push(&format!("{indent}{sign} ... and {more} more"));
        }
    }

    fn sides(&mut self, indent: &str, sides: &Sides) {
        self.some(indent, '-', &sides.removed);
        self.some(indent, '+', &sides.added);
    }

    fn replaced(&mut self, what: &str, list: &[Replaced]) {
        for Replaced {
            name,
            before,
            after,
        } in list
        {
            self.push(&format!("{what} {name}:"));
            self.some("  ", '-', before.as_slice());
            self.some("  ", '+', after.as_slice());
        }
    }

    fn named(&mut self, what: &str, names: &Sides, changed: &[Changed]) {
        let titled = |list: &[String]| -> Vec<String> {
            list.iter().map(|name| format!("{what} {name}")).collect()
        };
        self.some("", '-', &titled(&names.removed));
        self.some("", '+', &titled(&names.added));
        for Changed { name, conjuncts } in changed {
            self.push(&format!("{what} {name}:"));
            self.sides("  ", conjuncts);
        }
    }

    fn diagram(&mut self, diagram: &DiagramDifference) {
        let name = &diagram.name;
        match (diagram.before, diagram.after) {
            (Some(nodes), None) => self.push(&format!("- diagram {name} of {}", counted(nodes))),
            (None, Some(nodes)) => self.push(&format!("+ diagram {name} of {}", counted(nodes))),
            _ => self.push(&format!(
                "diagram {name}: {} in both, {} changed, {} only in the first, {} only in the second",
                counted(diagram.common),
                diagram.changed.len(),
                diagram.removed.len(),
                diagram.added.len()
            )),
        }
        for changed in diagram.changed.iter().take(SHOWN_LINES) {
            self.push(&format!(
                "  node {} is now node {}:",
                changed.before, changed.after
            ));
            self.sides("    ", &changed.conjuncts);
        }
        let labelled = |nodes: &[LabelledNode]| -> Vec<String> {
            let nodes = nodes.iter();
            nodes
                .map(|it| format!("node {}: {}", it.node, it.label.join(", ")))
                .collect()
        };
        self.some("  ", '-', &labelled(&diagram.removed));
        self.some("  ", '+', &labelled(&diagram.added));
        self.sides("  ", &diagram.edges);
        let assumed = |names: &[String]| -> Vec<String> {
            names.iter().map(|name| format!("assumes {name}")).collect()
        };
        self.some("  ", '-', &assumed(&diagram.assumes.removed));
        self.some("  ", '+', &assumed(&diagram.assumes.added));
    }

    fn trace(&mut self, trace: &TraceDifference) {
        let TraceDifference {
            property,
            before,
            after,
            part_at,
            first,
            second,
        } = trace;
        let parting = match part_at {
            Some(0) => "they begin in different states".to_owned(),
            Some(step) => format!("they part at step {step}"),
            None => "only inputs differ".to_owned(),
        };
        self.push(&format!(
            "trace of {property}: {before} steps in the first, {after} in the second; {parting}"
        ));
        for (sign, said) in [('-', first), ('+', second)] {
            if !said.is_empty() {
                self.push(&format!("  {sign} {}", said.join(", ")));
            }
        }
    }
}

fn counted(nodes: usize) -> String {
    match nodes {
        1 => "1 node".to_owned(),
        _ => format!("{nodes} nodes"),
    }
}
