//! Threaded C: the reductions of lazy predicate abstraction against each other and against other engines, on the models of
//! `scripts/threads-models`; and the same designs as sequential programs, where the corpus is beside the project.

use crate::families::{Contender, Experience, Model, Runs, Target, models, run, share};
use crate::outcome::{Outcome, figure};
use crate::table::Table;
use crate::verify::{Job, check, verify};
use crate::{Failure, Setting};

/// Who decides the models.
const CONTENDERS: &[Contender] = &[
    ("none", "predicate", &["--reduction", "none"]),
    ("persistent", "predicate", &["--reduction", "persistent"]),
    ("sleep", "predicate", &["--reduction", "sleep"]),
    ("both", "predicate", &["--reduction", "both"]),
    ("horn", "horn", &[]),
    ("auto", "auto", &[]),
];
const PLAIN: usize = 0;
const BOTH: usize = 3;
const HORN: usize = 4;
const AUTO: usize = 5;
/// Options of every run: the most memory in megabytes.
const OPTIONS: [&str; 2] = ["--memory", "4096"];
const SOLVERS: [&str; 2] = ["z3", "cvc5"];

/// Nodes of the paper's table for some of its rows, without reduction and with both.
const PAPER: &[(&str, u64, u64)] = &[
    ("token_ring_4_safe", 1_039, 296),
    ("token_ring_8_safe", 30_623, 1_293),
    ("token_ring_11_safe", 330_789, 9_564),
    ("transmitter_4_unsafe", 509, 98),
    ("transmitter_8_unsafe", 14_213, 337),
    ("transmitter_11_unsafe", 150_533, 289),
    ("pipeline_safe", 25_347, 7_135),
    ("toy_safe", 896, 592),
];
/// How many times fewer nodes both reductions are to leave.
const FEWER: &[(&str, f64)] = &[
    ("token_ring_4_safe", 3.5),
    ("token_ring_8_safe", 23.0),
    ("token_ring_11_safe", 34.0),
    ("transmitter_4_safe", 3.5),
    ("transmitter_8_safe", 23.0),
    ("transmitter_11_safe", 34.0),
    ("pipeline_safe", 3.5),
    ("toy_safe", 1.5),
];
/// How many nodes both reductions are to need at most.
const AT_MOST: &[(&str, f64)] = &[
    ("transmitter_4_unsafe", 98.0),
    ("transmitter_8_unsafe", 337.0),
    ("transmitter_11_unsafe", 289.0),
];
/// Families that the paper's reductions do not help; here they may take so many times the processor time of the search without.
const UNREDUCED: [&str; 5] = ["kundu", "kundu_bug", "bistcell", "pc_sfifo", "mem_slave"];
const UNREDUCED_FACTOR: f64 = 1.1;
/// How many of the paper's rows `predicate` is to decide.
const DECIDED_BY_PREDICATE: usize = 39;

/// The sequential program of the corpus that is the same design.
const TWINS: &[(&str, &str)] = &[
    ("bistcell_safe", "bist_cell"),
    ("kundu_safe", "kundu"),
    ("kundu_bug_2_unsafe", "kundu2_BUG"),
    ("mem_slave_1_safe", "mem_slave_tlm.1"),
    ("pc_sfifo_1_safe", "pc_sfifo_1"),
    ("pipeline_safe", "pipeline"),
    ("token_ring_1_safe", "token_ring.01"),
    ("token_ring_2_safe", "token_ring.02"),
    ("token_ring_4_safe", "token_ring.04"),
    ("token_ring_6_safe", "token_ring.06"),
    ("toy_safe", "toy"),
    ("toy_bug_1_unsafe", "toy1_BUG"),
    ("toy_bug_2_unsafe", "toy2_BUG"),
    ("transmitter_1_unsafe", "transmitter.01.BUG"),
    ("transmitter_2_unsafe", "transmitter.02.BUG"),
    ("transmitter_4_unsafe", "transmitter.04.BUG"),
    ("transmitter_8_unsafe", "transmitter.08.BUG"),
];
/// Who decides the sequential programs.
const OF_TWINS: [&str; 2] = ["horn", "auto"];
/// The model that `--smoke` runs.
const SMOKE: &str = "bistcell_safe";

/// What came of a model.
pub struct Row {
    runs: Runs,
    /// The sequential program, by each of its engines; none where it is absent.
    twin: Option<Vec<Outcome>>,
    /// What the checker says of the bundle with both reductions, by solver.
    checks: Vec<String>,
}

/// Writes the models; only the one that `--smoke` runs if that is wanted.
pub fn all(setting: &Setting, is_smoke: bool) -> Result<Vec<Model>, Failure> {
    models(setting, "threads-models", is_smoke.then_some(SMOKE))
}

/// The head of the table.
pub fn table() -> Table {
    let mut columns = vec![("model", 26), ("nodes of the paper", 18)];
    for (name, ..) in &CONTENDERS[..=BOTH] {
        columns.extend([(*name, 8), ("nodes", 7)]);
    }
    columns.extend([
        ("full", 6),
        ("horn", 8),
        ("auto", 8),
        ("by", 9),
        ("sequential: horn", 8),
        ("auto", 8),
        ("z3, cvc5", 18),
    ]);
    Table::new(&columns)
}

/// Measures one model.
pub fn measure(
    setting: &Setting,
    model: &Model,
    experience: &mut Experience,
) -> Result<Row, Failure> {
    let runs = Runs::of(setting, model, CONTENDERS, &OPTIONS, experience)?;
    let mut checks = Vec::new();
    if setting.is_checking && runs.solved(BOTH).is_some() {
        let bundle = setting.folder().join("threads.cert");
        run(
            setting,
            model,
            CONTENDERS[BOTH],
            &OPTIONS,
            Some(bundle.clone()),
        )?;
        for solver in SOLVERS {
            checks.push(check(&setting.checker, &bundle, solver, setting.folder())?);
        }
    }
    let twin = twin(setting, &model.name)?;
    Ok(Row { runs, twin, checks })
}

/// Measures the sequential program that is the same design.
fn twin(setting: &Setting, name: &str) -> Result<Option<Vec<Outcome>>, Failure> {
    let Some((_, file)) = TWINS.iter().find(|(own, _)| *own == name) else {
        return Ok(None);
    };
    let folder = setting.root.join("../shared/corpus/systemc");
    let path = folder.join(format!("{file}.cil.c"));
    if !path.exists() {
        return Ok(None);
    }
    let measured = OF_TWINS.iter().map(|engine| {
        let job = Job {
            model: path.clone(),
            constants: Vec::new(),
            engine,
            options: &OPTIONS,
            limit: setting.limit,
            bundle: None,
        };
        let mut outcome = Outcome::of(&verify(&setting.program, &job, setting.folder())?);
        for _ in 1..setting.repetitions {
            outcome.add(&verify(&setting.program, &job, setting.folder())?);
        }
        Ok(outcome)
    });
    measured.collect::<Result<Vec<_>, Failure>>().map(Some)
}

impl Row {
    /// Whether it is a row of the paper's table, not one of our siblings.
    fn is_of_the_paper(&self) -> bool {
        let model = &self.runs.model;
        match model.family.as_str() {
            "token_ring" | "pipeline" | "pc_sfifo" => model.is_safe,
            "transmitter" => !model.is_safe,
            _ => true,
        }
    }

    /// Whether a run said something wrong, or a bundle was not accepted.
    pub fn fault(&self) -> Option<String> {
        let name = &self.runs.model.name;
        let refused = self.checks.iter().zip(SOLVERS);
        let refused = refused
            .filter(|(word, _)| !matches!(word.as_str(), "accepted" | "not installed"))
            .map(|(word, solver)| format!("{name}: the check by {solver} says {word}"))
            .next();
        self.runs.fault().or(refused)
    }

    /// The cells of the table.
    pub fn cells(&self) -> Vec<String> {
        let name = &self.runs.model.name;
        let paper = PAPER.iter().find(|(own, ..)| own == name);
        let paper = paper.map(|(_, plain, both)| format!("{plain} → {both}"));
        let mut cells = vec![name.clone(), paper.unwrap_or_default()];
        for contender in PLAIN..=BOTH {
            cells.push(self.runs.shown(contender));
            cells.push(self.runs.counted(contender, "tree_nodes"));
        }
        cells.push(self.runs.counted(BOTH, "full_expansions"));
        cells.extend([HORN, AUTO].map(|it| self.runs.shown(it)));
        cells.push(self.runs.winner(AUTO));
        match &self.twin {
            Some(outcomes) => cells.extend(outcomes.iter().map(Outcome::shown)),
            None => cells.extend(OF_TWINS.map(|_| String::new())),
        }
        cells.push(self.checks.join(", "));
        cells
    }

    /// How many times more nodes there are without reduction.
    fn fewer(&self) -> Option<f64> {
        let [plain, both] = self.runs.compared([PLAIN, BOTH])?;
        Some(plain.0 as f64 / both.0 as f64)
    }
}

/// What is to be reached, each with whether it is.
pub fn targets(rows: &[Row]) -> Vec<Target> {
    let mut targets = Vec::new();
    let own: Vec<&Row> = rows.iter().filter(|row| row.is_of_the_paper()).collect();
    let predicate = |row: &Row| (PLAIN..=BOTH).any(|it| row.runs.solved(it).is_some());
    let auto = |row: &Row| row.runs.solved(AUTO).is_some();
    let mut decided = |who: &str, wanted: usize, is_decided: &dyn Fn(&Row) -> bool| {
        let wanted = wanted.min(own.len());
        let found = own.iter().filter(|row| is_decided(row)).count();
        let result = match found >= wanted {
            true => Ok(()),
            false => Err(format!("{found} decided")),
        };
        targets.push((
            format!("threads: {wanted} of {} by {who}", own.len()),
            result,
        ));
    };
    decided("auto", own.len(), &auto);
    decided("predicate", DECIDED_BY_PREDICATE, &predicate);
    for row in rows {
        let name = row.runs.model.name.as_str();
        if let Some((_, least)) = FEWER.iter().find(|(own, _)| *own == name) {
            let result = match row.fewer() {
                Some(ratio) if ratio >= *least => Ok(()),
                Some(ratio) => Err(figure(ratio)),
                None => Err("undecided".to_owned()),
            };
            targets.push((
                format!("threads: {name}, {least} times fewer nodes"),
                result,
            ));
        }
        let wanted = format!("threads: {name}");
        if let Some((_, most)) = AT_MOST.iter().find(|(own, _)| *own == name) {
            let nodes = row.runs.counter(BOTH, "tree_nodes").map(|it| it as f64);
            let nodes = nodes.filter(|_| row.runs.solved(BOTH).is_some());
            let nodes = nodes.unwrap_or(f64::INFINITY);
            targets.push(share(&format!("{wanted}, nodes"), nodes, *most));
        }
        if UNREDUCED.contains(&row.runs.model.family.as_str())
            && let Some([plain, both]) = row.runs.compared([PLAIN, BOTH])
        {
            let wanted = format!("{wanted}, CPU with both reductions against none");
            targets.push(share(&wanted, both.1 / plain.1, UNREDUCED_FACTOR));
        }
    }
    targets
}
