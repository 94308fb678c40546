//! An engine with an option and a counter of its own, which nothing else knows.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use slabcert::engines::counters::Counter;
use slabcert::engines::{
    Engine, EngineAnswer, Event, MAIN_DIAGRAM, Progress, Row, StopReason, Task,
};
use slabcert::{EngineOptions, Model, Silent, Verdict, VerificationOptions, verify};
use slabcert_certificates::diagram::{Diagram, Edge, Node};

const GUESSES: Counter = Counter::new("guesses", "formulas that were guessed to be inductive");

/// The user's choices for it.
#[derive(Args, Clone, Default)]
struct GuessOptions {
    /// Whether it guesses at all.
    #[arg(long)]
    guess: bool,
}

/// Guesses that the property is inductive.
struct Guess;

impl Engine for Guess {
    fn name(&self) -> &'static str {
        "guess"
    }

    fn summary(&self) -> &'static str {
        "guesses that the property is inductive"
    }

    fn counters(&self) -> Vec<Counter> {
        vec![GUESSES]
    }

    fn add_arguments(&self, command: Command) -> Command {
        GuessOptions::augment_args(command)
    }

    fn read_arguments(
        &self,
        matches: &ArgMatches,
        options: EngineOptions,
    ) -> Result<EngineOptions, clap::Error> {
        Ok(options.with(GuessOptions::from_arg_matches(matches)?))
    }

    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
        if !task.options.of::<GuessOptions>().guess {
            return EngineAnswer::Unknown(StopReason::Unsupported("thinking".to_owned()));
        }
        let (counter, count) = (GUESSES, 1);
        progress.event(self.name(), &Event::Counted { counter, count });
        let transitions = task.system.transitions.iter();
        EngineAnswer::Safe(vec![Diagram {
            name: MAIN_DIAGRAM.to_owned(),
            nodes: vec![Node::new(0, vec![task.property.formula.clone()])],
            edges: vec![Edge {
                from: 0,
                to: 0,
                transitions: transitions.map(|it| it.name.clone()).collect(),
            }],
            ..Diagram::default()
        }])
    }
}

#[test]
fn an_engine_is_one_file_and_one_row() {
    let model = Model::parse(
        "slab",
        "system s; var x : int = 0; error negative: x < 0; transition up do x := x + 1;",
    )
    .unwrap();
    for (line, verdict) in [
        (&["toy", "--guess"][..], Verdict::Safe),
        (&["toy"], Verdict::Unknown),
    ] {
        let command = Guess.add_arguments(Command::new("toy"));
        let matches = command.try_get_matches_from(line).unwrap();
        let engine_options = Guess.read_arguments(&matches, EngineOptions::default());
        let options = VerificationOptions {
            engines: vec![Row::of(&Guess)],
            engine_options: engine_options.unwrap(),
            ..VerificationOptions::default()
        };
        let outcome = verify(&model, &options, &mut Silent).unwrap();
        assert_eq!(outcome.verdict(), verdict);
        let engine = outcome.properties[0].engine.as_deref();
        assert_eq!(engine, (verdict == Verdict::Safe).then_some("guess"));
        let told = outcome
            .statistics
            .text()
            .contains("guesses: 1 (formulas that were");
        assert_eq!(told, verdict == Verdict::Safe);
    }
}
