//! Where and with what was measured.

use crate::Setting;
use std::path::Path;
use std::process::Command;

/// The machine, the versions and the day, as a list in Markdown.
pub fn description(setting: &Setting) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned());
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok())
        .map_or_else(
            || "unknown".to_owned(),
            |kilobytes| format!("{} GB", (kilobytes + (1 << 19)) >> 20),
        );
    let pinned = setting.root.join("target/z3/bin/z3");
    let z3 = if pinned.exists() {
        &pinned
    } else {
        Path::new("z3")
    };
    let versions: Vec<String> = [
        first_line(&setting.program, &["--version"]),
        first_line(z3, &["--version"]),
        first_line(Path::new("cvc5"), &["--version"]),
    ]
    .into_iter()
    .filter(|line| !line.is_empty())
    .collect();
    format!(
        "* Machine: {cores} cores ({model}), {memory} of memory\n* Versions: {}\n* Day: {}; each figure is the median of {}\n",
        versions.join("; "),
        first_line(Path::new("date"), &["-u", "+%F"]),
        match setting.repetitions {
            1 => "1 run".to_owned(),
            runs => format!("{runs} runs"),
        }
    )
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The first line that a program prints; nothing if it cannot be run.
fn first_line(program: &Path, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default()
        .lines()
        .next()
        .unwrap_or_default()
        .trim_start_matches("This is ")
        .to_owned()
}
