//! Edits of `certificate.json` and of `system.vmt`.

use crate::edits::{Edit, edit};
use crate::forgery::{Forgery, Target, items};
use crate::random::Random;
use serde_json::{Value as Json, json};

fn diagram(forgery: &mut Forgery) -> &mut Json {
    &mut forgery.certificate["diagrams"][0]
}

/// Any of the items.
pub fn any<'a>(list: &'a mut Json, random: &mut Random) -> Option<&'a mut Json> {
    let list = items(list);
    let number = random.below(list.len().max(1));
    list.get_mut(number)
}

fn any_node<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    any(&mut diagram(forgery)["nodes"], random)
}

fn any_edge<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    any(&mut diagram(forgery)["edges"], random)
}

fn any_conjunct<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    any(&mut any_node(forgery, random)?["label"], random)
}

fn any_relation<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    Some(&mut any(&mut forgery.certificate["transitions"], random)?["relation"])
}

pub fn drop_any(list: &mut Json, random: &mut Random) -> Option<Json> {
    let list = list.as_array_mut()?;
    let number = random.below(list.len().max(1));
    (number < list.len()).then(|| list.remove(number))
}

pub fn in_text(json: &mut Json, change: impl FnOnce(&str) -> Option<String>) -> Option<()> {
    *json = json!(change(json.as_str()?)?);
    Some(())
}

/// Tokens of an S-expression, blanks kept with them.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = vec![String::new()];
    for letter in text.chars() {
        if "() ".contains(letter) {
            tokens.push(letter.to_string());
            tokens.push(String::new());
        } else if let Some(last) = tokens.last_mut() {
            last.push(letter);
        }
    }
    tokens
}

/// The text with one of its tokens replaced by another of the same group.
pub fn replaced(text: &str, groups: &[&[&str]], random: &mut Random) -> Option<String> {
    let mut tokens = tokens(text);
    let group = |token: &String| groups.iter().find(|group| group.contains(&token.as_str()));
    let indices: Vec<usize> = (0..tokens.len())
        .filter(|index| group(&tokens[*index]).is_some())
        .collect();
    if indices.is_empty() {
        return None;
    }
    let index = *random.pick(&indices);
    let others: Vec<&str> = group(&tokens[index])?
        .iter()
        .copied()
        .filter(|other| tokens[index] != *other)
        .collect();
    tokens[index] = (*random.pick(&others)).to_owned();
    Some(tokens.concat())
}

pub const CONSTANTS: &[&[&str]] = &[&["0", "1", "2", "3", "4"]];
pub const COMPARISONS: &[&[&str]] = &[&["<", "<=", ">", ">=", "="]];
const CONNECTIVES: &[&[&str]] = &[&["and", "or"], &["+", "-"], &["true", "false"]];

/// The text of a definition in the system, changed.
fn in_system(
    forgery: &mut Forgery,
    prefix: &str,
    random: &mut Random,
    change: impl FnOnce(&str, &mut Random) -> Option<String>,
) -> Option<()> {
    let lines: Vec<&str> = forgery.vmt.lines().collect();
    let fitting: Vec<usize> = (0..lines.len())
        .filter(|line| {
            let name = lines[*line]
                .strip_prefix("(define-fun ")
                .unwrap_or_default();
            name.trim_start_matches('|').starts_with(prefix)
        })
        .collect();
    if fitting.is_empty() {
        return None;
    }
    let number = *random.pick(&fitting);
    // The head of the definition and the attribute behind the formula stay.
    let line = lines[number];
    let begin = line.find(" Bool ")? + 6;
    let end = line.find(" :").unwrap_or(line.len());
    let changed = change(&line[begin..end], random)?;
    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    lines[number] = format!("{}{changed}{}", &line[..begin], &line[end..]);
    forgery.vmt = lines.join("\n") + "\n";
    Some(())
}

fn node_dropped(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let node = drop_any(&mut diagram(forgery)["nodes"], random)?;
    let edges = diagram(forgery)["edges"].as_array_mut()?;
    edges.retain(|edge| edge["from"] != node["id"] && edge["to"] != node["id"]);
    Some(())
}

fn relation_dropped(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let dropped = drop_any(&mut forgery.certificate["transitions"], random)?;
    let edges = diagram(forgery)["edges"].as_array_mut()?;
    for edge in edges.iter_mut() {
        let names = edge["transitions"].as_array_mut()?;
        names.retain(|name| *name != dropped["name"]);
    }
    edges.retain(|edge| edge["transitions"] != json!([]));
    Some(())
}

fn edge_redirected(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let id = any_node(forgery, random)?["id"].clone();
    let end = *random.pick(&["from", "to"]);
    any_edge(forgery, random)?[end] = id;
    Some(())
}

fn edge_added(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let (from, to) = (
        any_node(forgery, random)?["id"].clone(),
        any_node(forgery, random)?["id"].clone(),
    );
    let name = any(&mut forgery.certificate["transitions"], random)?["name"].clone();
    let edges = diagram(forgery)["edges"].as_array_mut()?;
    edges.push(json!({ "from": from, "to": to, "transitions": [name] }));
    Some(())
}

fn labels_exchanged(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let nodes = items(&mut diagram(forgery)["nodes"]);
    let (one, other) = (random.below(nodes.len()), random.below(nodes.len()));
    let label = nodes[one]["label"].clone();
    nodes[one]["label"] = std::mem::replace(&mut nodes[other]["label"], label);
    Some(())
}

/// Two diagrams that assume each other, or one that assumes itself; the first forbids what would have to be shown.
fn assumption_cycle(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    if random.percent(50) {
        let name = diagram(forgery)["name"].clone();
        diagram(forgery)["assumes"] = json!([name]);
        return Some(());
    }
    let mut copy = diagram(forgery).clone();
    copy["name"] = json!("copy");
    copy["assumes"] = json!([diagram(forgery)["name"]]);
    diagram(forgery)["assumes"] = json!(["copy"]);
    forgery.certificate["diagrams"].as_array_mut()?.push(copy);
    Some(())
}

fn unclaimed_assumption(forgery: &mut Forgery, _: &mut Random) -> Option<()> {
    let mut lemma = diagram(forgery).clone();
    lemma["name"] = json!("lemma");
    lemma["nodes"] = json!([{ "id": 0, "label": ["false"] }]);
    lemma["edges"] = json!([]);
    forgery.certificate["diagrams"].as_array_mut()?.push(lemma);
    diagram(forgery)["assumes"] = json!(["lemma"]);
    Some(())
}

fn states(forgery: &mut Forgery) -> Option<&mut Vec<Json>> {
    forgery.certificate["traces"][0]["states"].as_array_mut()
}

fn trace_value(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let states = states(forgery)?;
    let number = random.below(states.len());
    let state = states[number].as_object_mut()?;
    let index = random.below(state.len());
    let value = state.values_mut().nth(index)?;
    let is_truth = matches!(value.as_str()?, "true" | "false");
    let choices: &[&str] = if is_truth {
        &["true", "false"]
    } else {
        &["0", "1", "2", "3", "4"]
    };
    *value = json!(*random.pick(choices));
    Some(())
}

fn trace_step_dropped(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let number = random.below(states(forgery)?.len() - 1);
    states(forgery)?.remove(number + random.below(2));
    drop_any(&mut forgery.certificate["traces"][0]["steps"], random).map(drop)
}

fn trace_renamed(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let name = any(&mut forgery.certificate["transitions"], random)?["name"].clone();
    any(&mut forgery.certificate["traces"][0]["steps"], random)?["transition"] = name;
    Some(())
}

fn trace_exchanged(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let states = states(forgery)?;
    let (one, other) = (random.below(states.len()), random.below(states.len()));
    states.swap(one, other);
    Some(())
}

/// All of traces.
pub const TRACE_EDITS: &[Edit] = &[
    edit(Target::Trace, "trace: value changed", trace_value),
    edit(Target::Trace, "trace: step dropped", trace_step_dropped),
    edit(Target::Trace, "trace: states exchanged", trace_exchanged),
    edit(Target::Trace, "trace: transition renamed", trace_renamed),
];

/// A property that nothing satisfies, whose name is the number of the claimed one or of itself; the claim may be about either.
fn property_called_by_a_number(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let number = 1 + random.below(3);
    let name = [0, number][random.below(2)];
    forgery.vmt.push_str(&format!(
        "\n(define-fun .property.{name} () Bool (! false :invar-property {number}))\n"
    ));
    if random.percent(75) {
        forgery.certificate["claims"][0]["property"] = json!(number);
    }
    Some(())
}

/// Names that binders of printed terms have, or had when their numbers came to an end.
const BINDERS: &[&str] = &["?0", "?1", "?2", "?18446744073709551615"];

/// The text, as one name or as tokens, with one name replaced.
fn with_name(text: &str, from: &str, to: &str) -> String {
    let plain = from.trim_matches('|');
    if text == plain {
        return to.to_owned();
    }
    let tokens = tokens(text).into_iter();
    let tokens = tokens.map(|token| match token.trim_end() == from {
        true => token.replace(from, to),
        false => token,
    });
    tokens.collect()
}

fn rename(json: &mut Json, from: &str, to: &str) {
    match json {
        Json::String(text) => *text = with_name(text, from, to),
        Json::Array(items) => items.iter_mut().for_each(|item| rename(item, from, to)),
        Json::Object(members) => {
            let old = std::mem::take(members);
            for (key, mut value) in old {
                rename(&mut value, from, to);
                members.insert(with_name(&key, from, to), value);
            }
        }
        _ => {}
    }
}

/// A symbol is called like a binder everywhere, which changes nothing; and often a formula binds that name to another symbol, as a
/// printer did that captured it.
fn called_like_a_binder(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let declared = |line: &str| -> Option<(String, String)> {
        let (name, sort) = line.strip_prefix("(declare-fun ")?.split_once(" () ")?;
        Some((name.to_owned(), sort.trim_end_matches(')').to_owned()))
    };
    let symbols: Vec<(String, String)> = forgery.vmt.lines().filter_map(declared).collect();
    let (name, sort) = random.pick(&symbols).clone();
    let binder = *random.pick(BINDERS);
    let lines = forgery
        .vmt
        .lines()
        .map(|line| with_name(line, &name, binder));
    forgery.vmt = lines.collect::<Vec<_>>().join("\n");
    rename(&mut forgery.certificate, &name, binder);
    rename(&mut forgery.proofs, &name, binder);
    let others: Vec<&String> = symbols
        .iter()
        .filter(|(other, of)| *other != name && *of == sort)
        .map(|(other, _)| other)
        .collect();
    if others.is_empty() || random.percent(30) {
        return Some(());
    }
    let captured = |text: &str, random: &mut Random| {
        Some(format!(
            "(let (({binder} {})) {text})",
            random.pick(&others)
        ))
    };
    match random.below(3) {
        0 => in_text(any_relation(forgery, random)?, |text| {
            captured(text, random)
        }),
        1 => in_text(any_conjunct(forgery, random)?, |text| {
            captured(text, random)
        }),
        _ => {
            let begins = *random.pick(&[".init ", ".transition.", ".property."]);
            in_system(forgery, begins, random, |text, random| {
                let (annotated, rest) = match text.strip_prefix("(! ") {
                    Some(rest) => ("(! ", rest),
                    None => ("", text),
                };
                Some(format!("{annotated}{}", captured(rest, random)?))
            })
        }
    }
}

/// All of certificates and systems.
pub const CERTIFICATE_EDITS: &[Edit] = &[
    edit(Target::Certificate, "conjunct dropped", |f, d| {
        drop_any(&mut any_node(f, d)?["label"], d).map(drop)
    }),
    edit(Target::Certificate, "conjunct negated", |f, d| {
        in_text(any_conjunct(f, d)?, |text| Some(format!("(not {text})")))
    }),
    edit(Target::Certificate, "label: constant changed", |f, d| {
        in_text(any_conjunct(f, d)?, |text| replaced(text, CONSTANTS, d))
    }),
    edit(Target::Certificate, "label: comparison changed", |f, d| {
        in_text(any_conjunct(f, d)?, |text| replaced(text, COMPARISONS, d))
    }),
    edit(Target::Certificate, "label: connective changed", |f, d| {
        in_text(any_conjunct(f, d)?, |text| replaced(text, CONNECTIVES, d))
    }),
    edit(Target::Certificate, "label false", |f, d| {
        any_node(f, d)?["label"] = json!(["false"]);
        Some(())
    }),
    edit(Target::Certificate, "label true", |f, d| {
        any_node(f, d)?["label"] = json!([]);
        Some(())
    }),
    edit(Target::Certificate, "labels exchanged", labels_exchanged),
    edit(Target::Certificate, "node dropped", node_dropped),
    edit(Target::Certificate, "edge dropped", |f, d| {
        drop_any(&mut diagram(f)["edges"], d).map(drop)
    }),
    edit(
        Target::Certificate,
        "transition dropped from an edge",
        |f, d| drop_any(&mut any_edge(f, d)?["transitions"], d).map(drop),
    ),
    edit(Target::Certificate, "edge redirected", edge_redirected),
    edit(Target::Certificate, "edge added", edge_added),
    edit(
        Target::Certificate,
        "assumptions in a cycle",
        assumption_cycle,
    ),
    edit(
        Target::Certificate,
        "assumption of a false lemma",
        unclaimed_assumption,
    ),
    edit(Target::Certificate, "relation dropped", relation_dropped),
    edit(Target::Certificate, "relation false", |f, d| {
        *any_relation(f, d)? = json!("false");
        Some(())
    }),
    edit(Target::Certificate, "relation: constant changed", |f, d| {
        in_text(any_relation(f, d)?, |text| replaced(text, CONSTANTS, d))
    }),
    edit(
        Target::Certificate,
        "relation: comparison changed",
        |f, d| in_text(any_relation(f, d)?, |text| replaced(text, COMPARISONS, d)),
    ),
    edit(Target::Certificate, "claim without diagrams", |f, _| {
        f.certificate["claims"][0]["diagrams"] = json!([]);
        Some(())
    }),
    edit(
        Target::Certificate,
        "claim about another property",
        |f, d| {
            f.certificate["claims"][0]["property"] = json!(1 + d.below(3));
            Some(())
        },
    ),
    edit(
        Target::System,
        "symbol called like a binder",
        called_like_a_binder,
    ),
    edit(
        Target::System,
        "property called by a number",
        property_called_by_a_number,
    ),
    edit(Target::System, "init: constant changed", |f, d| {
        in_system(f, ".init ", d, |text, d| replaced(text, CONSTANTS, d))
    }),
    edit(Target::System, "init: comparison changed", |f, d| {
        in_system(f, ".init ", d, |text, d| replaced(text, COMPARISONS, d))
    }),
    edit(Target::System, "init weakened", |f, d| {
        in_system(f, ".init ", d, |text, d| replaced(text, CONNECTIVES, d))
    }),
    edit(Target::System, "init true", |f, d| {
        in_system(f, ".init ", d, |_, _| Some("(! true".to_owned()))
    }),
    edit(Target::System, "transition: constant changed", |f, d| {
        in_system(f, ".transition.", d, |text, d| replaced(text, CONSTANTS, d))
    }),
    edit(Target::System, "transition: comparison changed", |f, d| {
        in_system(f, ".transition.", d, |text, d| {
            replaced(text, COMPARISONS, d)
        })
    }),
    edit(Target::System, "transition: connective changed", |f, d| {
        in_system(f, ".transition.", d, |text, d| {
            replaced(text, CONNECTIVES, d)
        })
    }),
    edit(Target::System, "transition true", |f, d| {
        in_system(f, ".transition.", d, |_, _| Some("true)".to_owned()))
    }),
    edit(Target::System, "property: constant changed", |f, d| {
        in_system(f, ".property.", d, |text, d| replaced(text, CONSTANTS, d))
    }),
    edit(Target::System, "property: connective changed", |f, d| {
        in_system(f, ".property.", d, |text, d| replaced(text, CONNECTIVES, d))
    }),
    edit(Target::System, "property negated", |f, d| {
        in_system(f, ".property.", d, |text, _| {
            Some(format!("(! (not {})", text.strip_prefix("(! ")?))
        })
    }),
];
