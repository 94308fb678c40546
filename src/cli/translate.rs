//! Commands about the translation from a model to the flat system.

use super::arguments::{BundleArguments, FlatLanguage, FlattenArguments};
use super::failure::Failure;
use super::output;
use crate::engines::horn::horn_text;
use crate::languages::source::Source;
use crate::languages::{Options, ParsedModel};
use crate::verification::language_by_name;
use slabcert_certificates::bundle::{Bundle, PROGRAM_FILE, SYSTEM_FILE};
use slabcert_certificates::escaping::plain;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::{Property, System, Transition};
use slabcert_certificates::vmt::{difference, read_back, write_vmt};
use slabcert_checker::watchdog::Watchdog;
use slabcert_exports::moxi::write_moxi;

/// The status of a comparison that finds a difference, as of a claim that is refuted.
const DIFFERENT: u8 = 40;

/// Prints the flat system.
pub(super) fn flatten(arguments: &FlattenArguments, watchdog: &Watchdog) -> Result<u8, Failure> {
    let model = arguments.model.read()?;
    model.require_properties()?;
    let system = model.system;
    let text = match arguments.to {
        FlatLanguage::Vmt => write_vmt(&system),
        FlatLanguage::Moxi => write_moxi(&system),
        FlatLanguage::Chc => horn_text(&system),
    };
    watchdog.claim_output();
    output::data(text.as_bytes())?;
    Ok(0)
}

/// Translates the kept model again and compares.
pub(super) fn recheck(arguments: &BundleArguments, watchdog: &Watchdog) -> Result<u8, Failure> {
    let bundle = Bundle::read(&arguments.bundle)?;
    let recorded = &bundle.certificate.source;
    if recorded.file.is_empty() {
        return Err(Failure::Input(
            "the bundle has no copy of the model to translate".to_owned(),
        ));
    }
    let language = language_by_name(&recorded.language)
        .map_err(|failure| Failure::Input(format!("source.language: {failure}")))?;
    let path = arguments.bundle.join(&recorded.file).display().to_string();
    let model = bundle.members.model.clone().unwrap_or_default();
    let source =
        Source::from_bytes(path, model).map_err(|error| Failure::Input(error.to_string()))?;
    let options = Options {
        constants: recorded.constants.clone(),
    };
    let parsed = language.read(&source, &options)?;
    let translated = parsed.flat();
    let again = read_back(&translated).map_err(|error| Failure::Internal(error.to_string()))?;
    let found = difference(&translated, &bundle.system)
        .map_err(|error| Failure::Internal(error.to_string()))?;
    let found = found.map(|found| found.to_string());
    let found = found.or_else(|| other_names(&translated, &again, &bundle.system));
    let found = match found {
        None => other_program(&parsed, &bundle)?,
        found => found,
    };
    watchdog.claim_output();
    let Some(found) = found else {
        output::say(&format!(
            "{SYSTEM_FILE} is the translation of {}\nsame\n",
            recorded.file
        ))?;
        return Ok(0);
    };
    output::say(&format!(
        "{SYSTEM_FILE} is not the translation of {}: {found}\n",
        recorded.file
    ))?;
    let text = if language.name() == crate::languages::vmt::NAME {
        source.text().to_owned()
    } else {
        write_vmt(&translated)
    };
    let mut lines = text.lines().zip(bundle.members.system_text.lines());
    if let Some((new, old)) = lines.find(|(new, old)| new != old) {
        for (name, line) in [("translated", new), ("kept", old)] {
            output::say(&format!("  {name}: {}\n", plain(line)))?;
        }
    }
    output::say("different\n")?;
    Ok(DIFFERENT)
}

/// Whether the bundle's program is another one than the model's. Bundles of earlier versions have none.
fn other_program(parsed: &ParsedModel, bundle: &Bundle) -> Result<Option<String>, Failure> {
    let text = |program: &Program| {
        let hash = bundle.system_sha256.as_str();
        program
            .text(hash)
            .map_err(|error| Failure::Internal(error.to_string()))
    };
    match (parsed, &bundle.program) {
        (ParsedModel::Program(own, _), Some(kept)) => {
            Ok((text(own)? != text(kept)?).then(|| format!("{PROGRAM_FILE} is another program")))
        }
        (ParsedModel::System(_), Some(_)) => Ok(Some(format!(
            "the model is no program, but there is a {PROGRAM_FILE}"
        ))),
        (_, None) => Ok(None),
    }
}

/// What else than the formal content is different: names, which readers of a report rely on, and suggested predicates. `again` is the
/// translated system as it reads back.
fn other_names(translated: &System, again: &System, kept: &System) -> Option<String> {
    fn names<T>(list: &[T], name: fn(&T) -> &str) -> Vec<&str> {
        list.iter().map(name).collect()
    }
    fn properties(system: &System) -> Vec<&str> {
        names(&system.properties, |it: &Property| it.name.as_str())
    }
    fn transitions(system: &System) -> Vec<&str> {
        names(&system.transitions, |it: &Transition| it.name.as_str())
    }
    if properties(again) != properties(kept) {
        return Some("the names of properties differ".to_owned());
    }
    if translated.trans.is_none() && transitions(again) != transitions(kept) {
        return Some("the names of transitions differ".to_owned());
    }
    if again.predicates != kept.predicates {
        return Some("the predicates of Horn clauses differ".to_owned());
    }
    (again.hints != kept.hints).then(|| "the suggested predicates differ".to_owned())
}
