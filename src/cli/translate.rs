//! Commands about the translation from a model to the flat system.

use super::arguments::{BundleArguments, FlatLanguage, FlattenArguments};
use super::failure::Failure;
use super::model::{Model, language_by_name};
use super::output;
use crate::engines::horn::horn_text;
use crate::languages::Options;
use crate::languages::source::Source;
use slabcert_certificates::bundle::{Bundle, SYSTEM_FILE};
use slabcert_certificates::vmt::write_vmt;
use slabcert_exports::moxi::write_moxi;

/// The status of a comparison that finds a difference, as of a claim that is refuted.
const DIFFERENT: u8 = 40;

/// Prints the flat system.
pub(super) fn flatten(arguments: &FlattenArguments) -> Result<u8, Failure> {
    let system = Model::read(&arguments.model)?.with_properties()?.system;
    output::say(&match arguments.to {
        FlatLanguage::Vmt => write_vmt(&system),
        FlatLanguage::Moxi => write_moxi(&system),
        FlatLanguage::Chc => horn_text(&system),
    })?;
    Ok(0)
}

/// Translates the kept model again and compares.
pub(super) fn recheck(arguments: &BundleArguments) -> Result<u8, Failure> {
    let bundle = Bundle::read(&arguments.bundle)?;
    let recorded = &bundle.certificate.source;
    if recorded.file.is_empty() {
        return Err(Failure::Input(
            "the bundle keeps no model, so that nothing can be translated".to_owned(),
        ));
    }
    let language = language_by_name(&recorded.language)
        .map_err(|failure| Failure::Input(format!("source.language: {failure}")))?;
    let path = arguments.bundle.join(&recorded.file).display().to_string();
    let model = bundle.members.model.clone().unwrap_or_default();
    let source =
        Source::from_bytes(path, model).map_err(|error| Failure::Input(error.to_string()))?;
    let kept = Source::new(SYSTEM_FILE, bundle.members.system_text);
    let text = if language.name() == crate::languages::vmt::NAME {
        source.text().to_owned()
    } else {
        let options = Options {
            constants: recorded.constants.clone().into_iter().collect(),
        };
        write_vmt(&language.read(&source, &options)?)
    };
    if text == kept.text() {
        output::say(&format!(
            "{SYSTEM_FILE} is what {} means\nsame\n",
            recorded.file
        ))?;
        return Ok(0);
    }
    let line = text
        .lines()
        .zip(kept.text().lines())
        .position(|(new, old)| new != old)
        .unwrap_or_else(|| text.lines().count().min(kept.text().lines().count()));
    output::say(&format!(
        "{SYSTEM_FILE} is not what {} means: line {} differs\n",
        recorded.file,
        line + 1
    ))?;
    for (name, text) in [("translated", text.as_str()), ("kept", kept.text())] {
        output::say(&format!(
            "  {name}: {}\n",
            text.lines().nth(line).unwrap_or("")
        ))?;
    }
    output::say("different\n")?;
    Ok(DIFFERENT)
}
