//! The verdict for programs: one object, described by `docs/schema/result.schema.json`.

use crate::vacuity::Warning;
use crate::verification::{EvidenceSummary, Outcome, PropertyOutcome};
use serde_json::{Value as Json, json};

/// What `format` says in the object.
pub const FORMAT: &str = "slabcert-result";
/// The version of the object's layout.
pub const VERSION: u64 = 1;

/// The whole report; statistics only if they are asked for.
pub fn result(report: &Outcome, with_statistics: bool) -> Json {
    let path =
        |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let mut object = json!({
        "format": FORMAT,
        "version": VERSION,
        "model": report.model,
        "language": report.language,
        "constants": report.constants,
        "sizes": report.sizes,
        "verdict": report.verdict().word(),
        "properties": report.properties.iter().map(property).collect::<Vec<Json>>(),
        "certificate": path(&report.certificate),
        "kept": path(&report.kept),
        "check": report.check,
        "warnings": report.warnings.iter().map(warning).collect::<Vec<Json>>(),
    });
    if with_statistics {
        object["statistics"] = json!(report.statistics);
    }
    object
}

fn property(property: &PropertyOutcome) -> Json {
    let evidence = property.evidence.as_ref().map(|evidence| match evidence {
        EvidenceSummary::Diagrams { names, size } => json!({
            "diagrams": names,
            "nodes": size.nodes,
            "literals": size.literals,
            "edges": size.edges,
        }),
        EvidenceSummary::Trace { steps } => json!({ "steps": steps }),
    });
    json!({
        "property": property.index,
        "name": property.name,
        "verdict": property.verdict().word(),
        "engine": property.engine,
        "evidence": evidence,
        "reason": property.reason,
        "assuming": property.assuming.iter().map(|it| json!({
            "name": it.name,
            "verdict": it.verdict.word(),
        })).collect::<Vec<Json>>(),
    })
}

fn warning(warning: &Warning) -> Json {
    json!({
        "kind": warning.vacuity.word(),
        "message": warning.vacuity.to_string(),
        "line": warning.position.map(|position| position.line),
        "column": warning.position.map(|position| position.column),
    })
}

/// The output when there is no result.
pub fn failure(message: &str, status: u8) -> Json {
    json!({
        "format": FORMAT,
        "version": VERSION,
        "error": message,
        "status": status,
    })
}
