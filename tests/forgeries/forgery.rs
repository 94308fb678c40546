//! A bundle in memory, as edits change it, and its way to the disk with all hashes recomputed.

use serde_json::{Value as Json, json};
use slabcert_certificates::bundle::sha256;
use std::fs;
use std::path::Path;

/// What an edit was made to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// `proofs.json`: the obligations stay what they are.
    Proofs,
    /// Diagrams, relations, claims in `certificate.json`.
    Certificate,
    /// Traces in `certificate.json`.
    Trace,
    /// `system.vmt`.
    System,
    /// `program.json`.
    Program,
}

/// The files of a bundle that are forged.
#[derive(Clone, PartialEq)]
pub struct Forgery {
    pub vmt: String,
    pub certificate: Json,
    pub proofs: Json,
    /// Nothing if the bundle has no program.
    pub program: Json,
    /// Whether the hash in `proofs.json` is to be what the file says.
    pub keeps_hash: bool,
}

impl Forgery {
    /// What a bundle contains; bundles of violations have no proofs.
    pub fn of(bundle: &Path) -> Forgery {
        let read = |name: &str| fs::read_to_string(bundle.join(name));
        Forgery {
            vmt: read("system.vmt").unwrap(),
            certificate: serde_json::from_str(&read("certificate.json").unwrap()).unwrap(),
            proofs: read("proofs.json")
                .map_or(Json::Null, |text| serde_json::from_str(&text).unwrap()),
            program: read("program.json")
                .map_or(Json::Null, |text| serde_json::from_str(&text).unwrap()),
            keeps_hash: false,
        }
    }

    /// Replaces the files of a bundle, with matching hashes: no forgery is to be detected by its hash.
    pub fn put(&self, bundle: &Path) {
        let mut certificate = self.certificate.clone();
        certificate["system"]["sha256"] = json!(sha256(self.vmt.as_bytes()));
        let text = certificate.to_string();
        let mut proofs = self.proofs.clone();
        if !self.keeps_hash && proofs.is_object() {
            proofs["certificate"] = json!(sha256(text.as_bytes()));
        }
        fs::write(bundle.join("system.vmt"), &self.vmt).unwrap();
        fs::write(bundle.join("certificate.json"), text).unwrap();
        if self.program.is_object() {
            let mut program = self.program.clone();
            program["system"] = certificate["system"]["sha256"].clone();
            fs::write(bundle.join("program.json"), program.to_string()).unwrap();
        }
        if proofs.is_object() {
            fs::write(bundle.join("proofs.json"), proofs.to_string()).unwrap();
        }
    }
}

/// The items of a list; none of what is not a list.
pub fn items(json: &mut Json) -> &mut [Json] {
    match json {
        Json::Array(items) => items,
        _ => &mut [],
    }
}
