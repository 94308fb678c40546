//! Edits of `proofs.json`.

use crate::edits::{Edit, edit};
use crate::forgery::{Forgery, Target, items};
use crate::random::Random;
use serde_json::{Value as Json, json};

/// A step of one of the rules, by their letters.
fn step<'a>(
    forgery: &'a mut Forgery,
    random: &mut Random,
    letters: &str,
) -> Option<&'a mut Vec<Json>> {
    let steps = items(&mut forgery.proofs["steps"]);
    let fitting: Vec<usize> = (0..steps.len())
        .filter(|number| letters.contains(steps[*number][0].as_str().unwrap()))
        .collect();
    if fitting.is_empty() {
        return None;
    }
    steps[*random.pick(&fitting)].as_array_mut()
}

/// Where a multiplier is in a combination; the combination begins at 1 after `F`, at 2 after `C`.
fn multiplier(step: &[Json], random: &mut Random) -> Option<usize> {
    let first = if step[0] == "F" { 1 } else { 2 };
    let pairs = (step.len() - first) / 2;
    (pairs > 0).then(|| first + 2 * random.below(pairs) + 1)
}

/// Where a step refers to other steps.
fn premises(step: &[Json]) -> Vec<usize> {
    match step[0].as_str().unwrap() {
        "S" => (2..step.len()).collect(),
        "D" => vec![1, 2],
        "B" => vec![2, 3],
        "C" => vec![1],
        _ => Vec::new(),
    }
}

fn with_multiplier(
    forgery: &mut Forgery,
    random: &mut Random,
    change: impl Fn(&Json, &mut Random) -> Json,
) -> Option<()> {
    let step = step(forgery, random, "FC")?;
    let index = multiplier(step, random)?;
    step[index] = change(&step[index], random);
    Some(())
}

fn with_premise(
    forgery: &mut Forgery,
    random: &mut Random,
    change: impl Fn(u64, u64, &mut Random) -> u64,
) -> Option<()> {
    let count = forgery.proofs["steps"].as_array()?.len() as u64;
    let step = step(forgery, random, "SDBC")?;
    let indices = premises(step);
    if indices.is_empty() {
        return None;
    }
    let index = *random.pick(&indices);
    step[index] = json!(change(step[index].as_u64()?, count, random));
    Some(())
}

fn negated(number: &Json) -> Json {
    match number {
        Json::String(text) => json!(format!("-{text}").replace("--", "")),
        other => json!(-other.as_i64().unwrap()),
    }
}

/// Where a step has a hypothesis.
fn hypothesis(step: &[Json], random: &mut Random) -> Option<usize> {
    match step[0].as_str()? {
        "X" => Some(1 + random.below(2)),
        "S" => Some(1),
        // The first formula: whether its complement is meant, its hypothesis, the length of its path, and the path.
        "D" => Some(4),
        "F" | "C" => multiplier(step, random).map(|index| index - 1),
        _ => None,
    }
}

fn with_hypothesis(
    forgery: &mut Forgery,
    random: &mut Random,
    change: impl Fn(u64, &mut Random) -> u64,
) -> Option<()> {
    let step = step(forgery, random, "FXSDC")?;
    let index = hypothesis(step, random)?;
    step[index] = json!(change(step[index].as_u64()?, random));
    Some(())
}

fn root<'a>(forgery: &'a mut Forgery, random: &mut Random) -> Option<&'a mut Json> {
    let roots = items(&mut forgery.proofs["obligations"]);
    let number = random.below(roots.len().max(1));
    roots.get_mut(number)
}

fn exchanged(list: &mut [Json], random: &mut Random) -> Option<()> {
    let (one, other) = (
        random.below(list.len().max(1)),
        random.below(list.len().max(1)),
    );
    (one != other && other < list.len()).then(|| list.swap(one, other))
}

fn deep(forgery: &mut Forgery, _: &mut Random) -> Option<()> {
    let steps = forgery.proofs["steps"].as_array_mut()?;
    let first = steps.len();
    steps.extend((first..first + 3_000).map(|number| json!(["S", 0, number - 1])));
    forgery.proofs["obligations"][0] = json!(first + 2_999);
    Some(())
}

fn case_doubled(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let step = step(forgery, random, "S")?;
    let last = step.last()?.clone();
    step.push(last);
    Some(())
}

fn atom_dropped(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let step = step(forgery, random, "FC")?;
    let index = multiplier(step, random)?;
    step.drain(index - 1..=index);
    Some(())
}

fn renamed(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let step = step(forgery, random, "FXSDBC")?;
    step[0] = json!(*random.pick(&["F", "X", "S", "D", "B", "C"]));
    Some(())
}

fn step_dropped(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let steps = forgery.proofs["steps"].as_array_mut()?;
    let number = random.below(steps.len().max(1));
    (number < steps.len()).then(|| drop(steps.remove(number)))
}

fn bound_changed(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let step = step(forgery, random, "B")?;
    step[1] = json!(step[1].as_i64()? + *random.pick(&[-1, 1, 2]));
    Some(())
}

fn decision_turned(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let step = step(forgery, random, "D")?;
    step[3] = json!(1 - step[3].as_i64()?);
    Some(())
}

fn path_changed(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let step = step(forgery, random, "D")?;
    let length = usize::try_from(step[5].as_u64()?).ok()?;
    let index = 6 + random.below(length.max(1));
    *step.get_mut(index)? = json!(random.below(4));
    Some(())
}

fn path_cut(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let step = step(forgery, random, "D")?;
    let length = step[5].as_u64().filter(|length| *length > 0)?;
    step[5] = json!(length - 1);
    step.remove(5 + usize::try_from(length).ok()?);
    Some(())
}

fn variable_renamed(forgery: &mut Forgery, random: &mut Random) -> Option<()> {
    let variables = items(&mut forgery.proofs["variables"]);
    let number = random.below(variables.len().max(1));
    *variables.get_mut(number)? = json!(*random.pick(&["x", "y.next", "nobody"]));
    Some(())
}

/// All of them.
pub const PROOF_EDITS: &[Edit] = &[
    edit(Target::Proofs, "multiplier changed", |f, d| {
        with_multiplier(f, d, |_, d| json!(d.between(2, 9)))
    }),
    edit(Target::Proofs, "multiplier negated", |f, d| {
        with_multiplier(f, d, |number, _| negated(number))
    }),
    edit(Target::Proofs, "multiplier zero", |f, d| {
        with_multiplier(f, d, |_, _| json!(0))
    }),
    edit(Target::Proofs, "denominator zero", |f, d| {
        with_multiplier(f, d, |_, _| json!("1/0"))
    }),
    edit(Target::Proofs, "multiplier of 5,000 digits", |f, d| {
        with_multiplier(f, d, |_, _| json!("7".repeat(5_000)))
    }),
    edit(Target::Proofs, "atom dropped", atom_dropped),
    edit(Target::Proofs, "hypothesis changed", |f, d| {
        with_hypothesis(f, d, |index, d| {
            (index + d.below(6) as u64).saturating_sub(3)
        })
    }),
    edit(Target::Proofs, "hypothesis out of range", |f, d| {
        with_hypothesis(f, d, |_, d| 100_000 + d.below(9) as u64)
    }),
    edit(Target::Proofs, "premise forward", |f, d| {
        with_premise(f, d, |_, count, d| count - d.below(2) as u64)
    }),
    edit(Target::Proofs, "premise out of range", |f, d| {
        with_premise(f, d, |_, count, _| count + 1_000_000)
    }),
    edit(Target::Proofs, "premise changed", |f, d| {
        with_premise(f, d, |premise, _, d| d.below(premise as usize + 1) as u64)
    }),
    edit(Target::Proofs, "case missing", |f, d| {
        step(f, d, "S")?.pop().map(drop)
    }),
    edit(Target::Proofs, "case doubled", case_doubled),
    edit(Target::Proofs, "cases exchanged", |f, d| {
        let step = step(f, d, "S")?;
        exchanged(&mut step[2..], d)
    }),
    edit(Target::Proofs, "rule renamed", renamed),
    edit(Target::Proofs, "unknown rule", |f, d| {
        step(f, d, "FXSDBC")?[0] = json!("T");
        Some(())
    }),
    edit(Target::Proofs, "steps exchanged", |f, d| {
        exchanged(items(&mut f.proofs["steps"]), d)
    }),
    edit(Target::Proofs, "step dropped", step_dropped),
    edit(Target::Proofs, "roots exchanged", |f, d| {
        exchanged(items(&mut f.proofs["obligations"]), d)
    }),
    edit(Target::Proofs, "root out of range", |f, d| {
        *root(f, d)? = json!(10_000_000);
        Some(())
    }),
    edit(Target::Proofs, "root missing", |f, d| {
        *root(f, d)? = Json::Null;
        Some(())
    }),
    edit(Target::Proofs, "obligations too few", |f, _| {
        f.proofs["obligations"].as_array_mut()?.pop().map(drop)
    }),
    edit(Target::Proofs, "bound of a branch changed", bound_changed),
    edit(
        Target::Proofs,
        "decision on the complement",
        decision_turned,
    ),
    edit(Target::Proofs, "path of a decision changed", path_changed),
    edit(Target::Proofs, "path of a decision cut", path_cut),
    edit(Target::Proofs, "variable renamed", variable_renamed),
    edit(Target::Proofs, "thousands of levels", deep),
    edit(Target::Proofs, "another certificate's", |f, _| {
        f.keeps_hash = true;
        f.proofs["certificate"] = json!("00");
        Some(())
    }),
];
