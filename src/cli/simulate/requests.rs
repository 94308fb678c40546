//! The commands of an interactive simulation.

use std::path::PathBuf;

/// The text of `help`.
pub(super) const HELP: &str =
    "  NUMBER or NAME  take a transition; its choices can follow: delay d=1/2
  (nothing)       show the state and the enabled transitions
  list            the same, and why other transitions are disabled
  why [NAME]      why a transition is disabled, or all that are
  undo, redo      go one step back or forward
  jump STEP       go to a state of the run by its number
  start           restart, and choose the initial state
  random [STEPS]  take steps at random
  trace           show the run so far
  save FILE       write the run to a file; in ITF if its name ends in .itf.json
  load FILE [N]   replay a run from a file or bundle, and continue from its end
  take NAME       take a transition that is named like one of these commands
  help            this list
  quit            leave without saving
";

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Show,
    List,
    Why(String),
    /// A transition by number or name, and choices as they were typed.
    Take(String, Vec<(String, String)>),
    Random(u64),
    Undo,
    Redo,
    Jump(usize),
    Start,
    Trace,
    Save(PathBuf),
    Load(PathBuf, usize),
    Help,
    Quit,
}

impl Request {
    /// Parses a line, or returns what is wrong with it.
    pub fn parse(line: &str) -> Result<Request, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let rest = || {
            line.trim_start()
                .split_once(char::is_whitespace)
                .map(|(_, it)| it.trim())
        };
        Ok(match words.as_slice() {
            [] => Request::Show,
            ["list" | "l"] => Request::List,
            ["why" | "w"] => Request::Why(String::new()),
            ["why" | "w", name] => Request::Why((*name).to_owned()),
            ["random"] => Request::Random(1),
            ["random", count] => Request::Random(number(count)?),
            ["undo" | "u"] => Request::Undo,
            ["redo" | "r"] => Request::Redo,
            ["jump" | "j", at] => Request::Jump(number(at)?),
            ["start"] => Request::Start,
            ["trace" | "t"] => Request::Trace,
            ["save"] => return Err("save in which file?".to_owned()),
            ["save", ..] => Request::Save(rest().unwrap_or_default().into()),
            ["load"] => return Err("load which file?".to_owned()),
            ["load", file, which] if which.bytes().all(|it| it.is_ascii_digit()) => {
                Request::Load(file.into(), number(which)?)
            }
            ["load", ..] => Request::Load(rest().unwrap_or_default().into(), 0),
            ["help" | "h" | "?"] => Request::Help,
            ["quit" | "q" | "exit"] => Request::Quit,
            ["take"] => return Err("take which transition?".to_owned()),
            ["take", name, choices @ ..] | [name, choices @ ..] => {
                let choices = choices.iter().map(|choice| match choice.split_once('=') {
                    Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                        Ok((name.to_owned(), value.to_owned()))
                    }
                    _ => Err(format!(
                        "`{choice}` is not a choice such as d=1; `help` lists what can be typed"
                    )),
                });
                Request::Take((*name).to_owned(), choices.collect::<Result<_, _>>()?)
            }
        })
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number of steps"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let take = |name: &str, choices: &[(&str, &str)]| {
            let choices = choices.iter();
            let choices = choices.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Request::Take(name.to_owned(), choices.collect())
        };
        for (line, request) in [
            ("", Request::Show),
            ("  3 ", take("3", &[])),
            (
                "delay d=1/2 e=0",
                take("delay", &[("d", "1/2"), ("e", "0")]),
            ),
            ("take undo", take("undo", &[])),
            ("undo", Request::Undo),
            ("jump 0", Request::Jump(0)),
            ("random", Request::Random(1)),
            ("random 7", Request::Random(7)),
            ("save my run.json", Request::Save("my run.json".into())),
            ("load x.cert 2", Request::Load("x.cert".into(), 2)),
            ("load a b", Request::Load("a b".into(), 0)),
            ("why P[1].take", Request::Why("P[1].take".to_owned())),
        ] {
            assert_eq!(Request::parse(line), Ok(request), "{line}");
        }
    }

    #[test]
    fn lines_that_make_no_sense_are_told_so() {
        for (line, words) in [
            ("save", "which file"),
            ("load", "which file"),
            ("take", "which transition"),
            ("jump x", "`x` is not a number"),
            ("jump -1", "`-1` is not a number"),
            ("random 99999999999999999999", "is not a number"),
            ("delay d", "`d` is not a choice"),
            ("delay d=", "is not a choice"),
            ("delay =1", "is not a choice"),
        ] {
            let reason = Request::parse(line).unwrap_err();
            assert!(reason.contains(words), "{line}: {reason}");
        }
    }
}
