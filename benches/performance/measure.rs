//! One run of a program: what it said, how long it took, and what it needed.
//!
//! Each run is started by a fresh process of this harness (`--measure`), so that what the system counts for "all children" is this run
//! alone, with everything that it started and waited for.

use crate::Failure;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a run is looked at, to see whether it has ended.
const INTERVAL: Duration = Duration::from_millis(2);

/// What one run needed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Wall-clock time in seconds.
    pub wall: f64,
    /// Processor time in seconds, of the program and all that it started.
    pub cpu: f64,
    /// The most memory that one of the processes had resident, in megabytes of 2^20 bytes.
    pub peak: f64,
    /// The exit status; none when the program was ended.
    pub status: Option<i32>,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

/// Runs a program with a limit of wall-clock time, after which it is ended.
pub fn measured(
    program: &Path,
    arguments: &[String],
    seconds: f64,
    folder: &Path,
) -> Result<Run, Failure> {
    let harness = std::env::current_exe()?;
    let told = Command::new(harness)
        .arg("--measure")
        .arg(seconds.to_string())
        .arg(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()?;
    serde_json::from_slice(&told.stdout).map_err(|_| {
        format!(
            "a run could not be measured: {}",
            String::from_utf8_lossy(&told.stderr)
        )
        .into()
    })
}

/// The other side of [`measured`]: runs the program and prints what it needed.
pub fn measure(arguments: &[String]) -> Result<(), Failure> {
    let [seconds, program, rest @ ..] = arguments else {
        return Err("--measure wants SECONDS PROGRAM ARGUMENTS".into());
    };
    let limit = Duration::from_secs_f64(seconds.parse()?);
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(rest)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().map(read_all);
    let errors = child.stderr.take().map(read_all);
    let mut is_ended = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > limit && !is_ended {
            child.kill()?;
            is_ended = true;
        }
        std::thread::sleep(INTERVAL);
    };
    let wall = started.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    let text = |reader: Option<std::thread::JoinHandle<String>>| {
        reader
            .and_then(|reader| reader.join().ok())
            .unwrap_or_default()
    };
    let run = Run {
        wall,
        cpu: microseconds as f64 / 1e6,
        peak: usage.max_rss() as f64 / 1024.0,
        status: status.code(),
        output: text(output),
        errors: text(errors),
    };
    println!("{}", serde_json::to_string(&run)?);
    Ok(())
}

fn read_all(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read is missing from the text, which whoever reads the text will notice.
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
