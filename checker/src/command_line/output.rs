//! What goes to standard output and to standard error.

use super::Format;
use serde_json::json;
use slabcert_certificates::escaping::{plain, plain_output};
use slabcert_checker::builtin::{self, BuiltinReport};
use slabcert_checker::cache::CacheReport;
use slabcert_checker::solvers::Solver;
use slabcert_checker::{CheckReport, Verdict};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts answers, and shows progress on a terminal.
pub(super) struct Progress {
    is_shown: bool,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress {
    pub fn new() -> Progress {
        Progress {
            is_shown: io::stderr().is_terminal(),
            done: AtomicUsize::new(0),
            total: AtomicUsize::new(0),
        }
    }

    pub fn show(&self, done: usize, total: usize) {
        let percent = |done: usize| done * 100 / total.max(1);
        self.total.store(total, Ordering::Relaxed);
        let before = self.done.fetch_max(done, Ordering::Relaxed);
        let now = percent(done);
        if self.is_shown && now > percent(before) {
            let end = if done == total { "\n" } else { "" };
            let _ = write!(io::stderr(), "\r{done} of {total} answers ({now} %){end}");
        }
    }
}

/// Standard output when there is no answer.
pub(super) fn failure(format: Format, message: &str, status: u8) -> String {
    match format {
        Format::Text => String::new(),
        Format::Json => format!("{:#}\n", json!({"error": message, "status": status})),
    }
}

/// The message for a check that was stopped.
pub(super) fn undecided(format: Format, cause: &str, progress: &Progress) -> String {
    let (done, total) = (
        progress.done.load(Ordering::Relaxed),
        progress.total.load(Ordering::Relaxed),
    );
    let message = match total {
        0 => format!("{cause} before any solver answered"),
        total => format!("{cause} after {done} of {total} answers"),
    };
    let word = Verdict::Undecided.word();
    match format {
        Format::Text => format!("{message}\n{word}\n"),
        Format::Json => {
            let item = json!({"reason": "stopped", "message": message});
            format!("{:#}\n", json!({"verdict": word, "doubts": [item]}))
        }
    }
}

/// Logs which solvers are used.
pub(super) fn announce(solvers: &[Solver]) {
    for solver in solvers {
        let version = solver.version.as_deref().unwrap_or("version not known");
        log(&format!(
            "solver {}: {} ({version})",
            solver.name,
            solver.program.display()
        ));
    }
}

/// Logs what each solver discharged, and facts that are not failures.
pub(super) fn log_work(report: &CheckReport, cache: Option<&CacheReport>) {
    if let Some(builtin) = &report.builtin {
        log(&builtin_line(builtin, report.obligations));
    }
    for solver in &report.solvers {
        log(&format!(
            "{} discharged {} of {} obligations",
            solver.solver.name, solver.discharged, report.obligations
        ));
    }
    if let Some(cache) = cache {
        log_cache(cache, report.obligations);
    }
    for fact in &report.facts {
        log(&format!("note: {fact}"));
    }
}

fn log_cache(cache: &CacheReport, obligations: usize) {
    for refused in &cache.refused {
        log(&format!(
            "warning: the cache entry {} is refused: {}",
            refused.file, refused.reason
        ));
    }
    log(&format!(
        "cache: {} cached proofs replayed, {} cached answers used; solvers were asked about {} of {obligations} obligations; {} new entries",
        cache.proofs, cache.answers, cache.asked, cache.stored
    ));
    if let Some(reason) = &cache.unwritten {
        log(&format!(
            "warning: the cache could not be written: {reason}"
        ));
    }
}

fn builtin_line(builtin: &BuiltinReport, obligations: usize) -> String {
    let name = builtin::NAME;
    if !builtin.has_proofs && builtin.discharged == 0 {
        return format!("{name} is not used: the bundle has no proofs.json");
    }
    let mut line = format!(
        "{name} discharged {} of {obligations} obligations",
        builtin.discharged
    );
    if builtin.left_out > 0 {
        line.push_str(&format!(", {} have no proof to replay", builtin.left_out));
    }
    line
}

/// Writes to standard output, with controls escaped. A reader that is gone is not an error; output that is lost otherwise is one.
pub(super) fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let written = output
        .write_all(plain_output(text).as_bytes())
        .and_then(|()| output.flush());
    written.or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// Writes a line to standard error, with controls escaped.
pub(super) fn log(text: &str) {
    let _ = writeln!(io::stderr(), "{}", plain(text));
}
