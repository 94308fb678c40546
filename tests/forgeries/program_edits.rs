//! Edits of `program.json`: the program has a step, an initial state or a violation that the system may not have.

use crate::certificate_edits::{COMPARISONS, CONSTANTS, any, drop_any, in_text, replaced};
use crate::edits::{Edit, edit};
use crate::forgery::{Forgery, Target};
use crate::random::Random;
use serde_json::Value as Json;

fn any_command<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    any(&mut forgery.program["commands"], random)
}

/// An edge of a block in lock step.
fn any_edge<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    let block = any(&mut forgery.program["synchronous"], random)?;
    Some(&mut any(&mut block["edges"], random)?["edge"])
}

pub const PROGRAM_EDITS: &[Edit] = &[
    edit(
        Target::Program,
        "a guard of the program is dropped",
        |forgery, random| drop_any(&mut any_command(forgery, random)?["guard"], random).map(|_| ()),
    ),
    edit(
        Target::Program,
        "a comparison of a guard is another",
        |forgery, random| {
            let guard = any(&mut any_command(forgery, random)?["guard"], random)?;
            in_text(&mut guard["formula"], |text| {
                replaced(text, COMPARISONS, random)
            })
        },
    ),
    edit(
        Target::Program,
        "the program writes another value",
        |forgery, random| {
            let update = any(&mut any_command(forgery, random)?["updates"], random)?;
            in_text(&mut update["value"], |text| {
                replaced(text, CONSTANTS, random)
            })
        },
    ),
    edit(
        Target::Program,
        "an initial condition of the program is dropped",
        |forgery, random| drop_any(&mut forgery.program["init"], random).map(|_| ()),
    ),
    edit(
        Target::Program,
        "a block has an edge less",
        |forgery, random| {
            let block = any(&mut forgery.program["synchronous"], random)?;
            drop_any(&mut block["edges"], random).map(|_| ())
        },
    ),
    edit(
        Target::Program,
        "a guard in a block is dropped",
        |forgery, random| drop_any(&mut any_edge(forgery, random)?["guard"], random).map(|_| ()),
    ),
    edit(
        Target::Program,
        "an edge in a block writes another value",
        |forgery, random| {
            let update = any(&mut any_edge(forgery, random)?["updates"], random)?;
            in_text(&mut update["value"], |text| {
                replaced(text, CONSTANTS, random)
            })
        },
    ),
    edit(
        Target::Program,
        "events come to a block always",
        |forgery, random| {
            let block = any(&mut forgery.program["synchronous"], random)?;
            block["arrival"] = "always".into();
            Some(())
        },
    ),
];
