//! The pages say the truth: their models are written, their commands run, and what they show compared.
//!
//! A block that is marked with a language and a file's name is that file. In a block marked `console`, a line after `$ ` is a command
//! and the lines up to the next one are its standard output; a line `...` stands for any lines.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod programs;

use std::fs;
use std::path::Path;
use std::process::Command;

/// A command and what it is to print.
#[derive(Debug, Default)]
struct Step {
    line: usize,
    command: String,
    expected: Vec<String>,
}

#[derive(Debug)]
enum Block {
    File { name: String, text: String },
    Console(Vec<Step>),
}

/// The blocks of a page that mean something here.
fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(mark) = line.strip_prefix("```") else {
            continue;
        };
        let body: Vec<(usize, &str)> = lines
            .by_ref()
            .take_while(|(_, line)| !line.starts_with("```"))
            .collect();
        match mark.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["console"] => found.push(Block::Console(steps(&body))),
            [_, name] => found.push(Block::File {
                name: (*name).to_owned(),
                text: body.iter().map(|(_, line)| format!("{line}\n")).collect(),
            }),
            _ => {}
        }
    }
    found
}

fn steps(body: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, line) in body {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step {
                line: number + 1,
                command: command.to_owned(),
                expected: Vec::new(),
            }),
            (None, Some(step)) => step.expected.push(line.trim_end().to_owned()),
            (None, None) => panic!("line {}: output before any command", number + 1),
        }
    }
    steps
}

/// Whether a line is as expected, where `...` stands for anything.
fn is_line(expected: &str, found: &str) -> bool {
    match expected.split_once("...") {
        None => expected == found,
        Some((before, after)) => {
            found.len() >= before.len() + after.len()
                && found.starts_with(before)
                && found.ends_with(after)
        }
    }
}

/// Whether the lines are as expected, where `...` stands for any lines.
fn matches(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        Some((first, rest)) => {
            found.first().is_some_and(|line| is_line(first, line)) && matches(rest, &found[1..])
        }
    }
}

/// Runs the commands of a page in a folder of its own.
fn follow(page: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(page)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("examples"), folder.path().join("examples")).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let path = std::iter::once(programs::folder()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).unwrap();
    let mut status = 0;
    let mut commands = 0;
    for block in blocks(&text) {
        match block {
            Block::File { name, text } => fs::write(folder.path().join(name), text).unwrap(),
            Block::Console(steps) => {
                for step in steps {
                    // `$?` is the status of the command before.
                    let script = format!("(exit {status}); {}", step.command);
                    let output = Command::new("sh")
                        .args(["-c", &script])
                        .current_dir(folder.path())
                        .env("PATH", &path)
                        .output()
                        .unwrap();
                    status = output.status.code().unwrap();
                    let found = String::from_utf8(output.stdout).unwrap();
                    let found: Vec<String> = found
                        .lines()
                        .map(|line| line.trim_end().to_owned())
                        .collect();
                    assert!(
                        matches(&step.expected, &found),
                        "{page}:{}: `{}` prints\n{}\n\nand on standard error\n{}",
                        step.line,
                        step.command,
                        found.join("\n"),
                        String::from_utf8_lossy(&output.stderr)
                    );
                    commands += 1;
                }
            }
        }
    }
    assert!(commands > 0, "{page} has no commands");
}

#[test]
fn the_tutorial_works_as_it_says() {
    follow("docs/tutorial.md");
}

#[test]
fn the_page_for_auditors_works_as_it_says() {
    follow("checker/README.md");
}

#[test]
fn the_front_page_works_as_it_says() {
    follow("README.md");
}

#[test]
fn the_page_about_reading_works_as_it_says() {
    follow("docs/reading.md");
}

#[test]
fn the_evidence_is_explained_as_it_says() {
    follow("docs/evidence.md");
}

#[test]
fn what_pages_show_is_compared() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a\n...\nd"), &lines("a\nb\nc\nd")));
    assert!(matches(&lines("..."), &lines("")));
    assert!(!matches(&lines("a\n...\nd"), &lines("a\nb\nc")));
    assert!(!matches(&lines("a"), &lines("a\nb")));
    let page = "```console\n$ echo a\na\n$ true\n```\n\n```slab m.slab\nsystem m;\n```\n";
    let found = blocks(page);
    assert!(matches!(&found[0], Block::Console(steps) if steps.len() == 2));
    assert!(matches!(&found[1], Block::File { name, .. } if name == "m.slab"));
}
