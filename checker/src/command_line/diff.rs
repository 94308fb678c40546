//! `slabcert-check diff A B`.

use super::{CommandOutput, Failure, Format, UNREADABLE};
use clap::Args;
use slabcert_checker::difference::{Difference, DifferenceError, compare_bundles, text};
use slabcert_checker::limits::LimitArguments;
use std::path::PathBuf;

/// The exit status when nothing differs.
const SAME: u8 = 0;
/// The exit status when something differs.
const DIFFERENT: u8 = 40;

#[derive(Args)]
pub(super) struct DiffArguments {
    /// The first bundle.
    first: PathBuf,
    /// The second bundle.
    second: PathBuf,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

pub(super) fn run(arguments: &DiffArguments) -> Result<CommandOutput, Failure> {
    let difference = compare_bundles(&arguments.first, &arguments.second)?;
    Ok(answer(arguments.format, &difference))
}

fn answer(format: Format, difference: &Difference) -> CommandOutput {
    let (word, status) = if difference.is_none() {
        ("same", SAME)
    } else {
        ("different", DIFFERENT)
    };
    let output = match format {
        Format::Text => format!("{}{word}\n", text(difference)),
        Format::Json => {
            let mut json = serde_json::json!(difference);
            json["result"] = word.into();
            format!("{json:#}\n")
        }
    };
    CommandOutput { output, status }
}

impl From<DifferenceError> for Failure {
    fn from(error: DifferenceError) -> Failure {
        match error {
            DifferenceError::Unreadable { .. }
            | DifferenceError::Property(_)
            | DifferenceError::Reduced(_) => Failure {
                message: error.to_string(),
                status: UNREADABLE,
            },
            DifferenceError::Check(error) => error.into(),
        }
    }
}
