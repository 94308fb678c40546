//! Edits of reduced diagrams: what nodes follow, what is postponed, and where.

use crate::certificate_edits::{COMPARISONS, CONSTANTS, any, drop_any, in_text, replaced};
use crate::edits::{Edit, edit};
use crate::forgery::{Forgery, Target};
use crate::random::Random;
use serde_json::{Value as Json, json};

fn any_diagram<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    any(&mut forgery.certificate["diagrams"], random)
}

fn any_region<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    any(&mut any_diagram(forgery, random)?["regions"], random)
}

fn any_node<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    any(&mut any_diagram(forgery, random)?["nodes"], random)
}

/// The name of any transition.
fn any_name(forgery: &mut Forgery, random: &mut Random) -> Option<Json> {
    Some(any(&mut forgery.certificate["transitions"], random)?["name"].clone())
}

pub const REGION_EDITS: &[Edit] = &[
    edit(
        Target::Certificate,
        "a region's conjunct is dropped",
        |forgery, random| drop_any(&mut any_region(forgery, random)?["label"], random).map(|_| ()),
    ),
    edit(
        Target::Certificate,
        "a constant of a region is another",
        |forgery, random| {
            let label = any(&mut any_region(forgery, random)?["label"], random)?;
            in_text(label, |text| replaced(text, CONSTANTS, random))
        },
    ),
    edit(
        Target::Certificate,
        "a comparison of a region is another",
        |forgery, random| {
            let label = any(&mut any_region(forgery, random)?["label"], random)?;
            in_text(label, |text| replaced(text, COMPARISONS, random))
        },
    ),
    edit(
        Target::Certificate,
        "a stubborn set is another",
        |forgery, random| {
            let name = any_name(forgery, random)?;
            any_region(forgery, random)?["stubborn"] = json!([name]);
            Some(())
        },
    ),
    edit(
        Target::Certificate,
        "a stubborn set loses a transition",
        |forgery, random| {
            drop_any(&mut any_region(forgery, random)?["stubborn"], random).map(|_| ())
        },
    ),
    edit(
        Target::Certificate,
        "a key is dropped",
        |forgery, random| {
            any_region(forgery, random)?
                .as_object_mut()?
                .remove("key")
                .map(|_| ())
        },
    ),
    edit(
        Target::Certificate,
        "a key is another",
        |forgery, random| {
            let name = any_name(forgery, random)?;
            any_region(forgery, random)?["key"] = name;
            Some(())
        },
    ),
    edit(
        Target::Certificate,
        "a node is in another region or in none",
        |forgery, random| {
            let regions = any_diagram(forgery, random)?["regions"].clone();
            let name = regions
                .as_array()?
                .get(random.below(3))
                .map(|region| region["name"].clone());
            let node = any_node(forgery, random)?.as_object_mut()?;
            match name {
                Some(name) => node.insert("region".to_owned(), name),
                None => node.remove("region"),
            };
            Some(())
        },
    ),
    edit(
        Target::Certificate,
        "something sleeps in a node, or something else",
        |forgery, random| {
            let name = any_region(forgery, random)?["name"].clone();
            any_node(forgery, random)?["asleep"] = json!([name]);
            Some(())
        },
    ),
    edit(
        Target::Certificate,
        "nothing sleeps in a node",
        |forgery, random| {
            let node = any_node(forgery, random)?.as_object_mut()?;
            node.remove("asleep").map(|_| ())
        },
    ),
    edit(
        Target::Certificate,
        "a transition sleeps during others",
        |forgery, random| {
            let names = [any_name(forgery, random)?, any_name(forgery, random)?];
            let independent = any_region(forgery, random)?.get_mut("independent")?;
            *independent = json!(names[..1 + random.below(2)]);
            Some(())
        },
    ),
    edit(
        Target::Certificate,
        "a region is for something else",
        |forgery, random| {
            let region = any_region(forgery, random)?.as_object_mut()?;
            match region.remove("independent") {
                Some(_) => {}
                None => _ = region.insert("independent".to_owned(), json!([])),
            }
            Some(())
        },
    ),
    edit(
        Target::Certificate,
        "transitions have another order",
        |forgery, random| {
            let transitions = forgery.certificate["transitions"].as_array_mut()?;
            let places = [
                random.below(transitions.len()),
                random.below(transitions.len()),
            ];
            transitions.swap(places[0], places[1]);
            Some(())
        },
    ),
];
