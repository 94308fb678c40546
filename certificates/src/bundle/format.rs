//! `certificate.json` as JSON has it: names and strings, nothing resolved.
//!
//! Unknown keys, keys that occur twice and values of another type are refused, each with its position. Two failures are kept apart: a file
//! that is not JSON at all, and JSON that is not a certificate.

use super::{FORMAT, MAXIMAL_FILE_BYTES, Malformed, SLEEPING_VERSION, VERSION};
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// A JSON object with arbitrary keys, each of which occurs once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct UniqueMap<V>(pub BTreeMap<String, V>);

impl<V> Default for UniqueMap<V> {
    fn default() -> UniqueMap<V> {
        UniqueMap(BTreeMap::new())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for UniqueMap<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UniqueMap<V>, D::Error> {
        struct Entries<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = UniqueMap<V>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UniqueMap<V>, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some((key, value)) = map.next_entry::<String, V>()? {
                    if entries.contains_key(&key) {
                        return Err(A::Error::custom(format!("the key `{key}` occurs twice")));
                    }
                    entries.insert(key, value);
                }
                Ok(UniqueMap(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// The whole file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CertificateJson {
    pub format: String,
    pub version: u64,
    pub system: SystemJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub producer: Option<ProducerJson>,
    #[serde(default)]
    pub assumptions: Vec<String>,
    #[serde(default)]
    pub names: UniqueMap<ValueTableJson>,
    pub claims: Vec<ClaimJson>,
    pub transitions: Vec<TransitionJson>,
    #[serde(default)]
    pub diagrams: Vec<DiagramJson>,
    #[serde(default)]
    pub traces: Vec<TraceJson>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SystemJson {
    pub file: String,
    pub sha256: String,
    /// For readers; the checker finds the logic itself.
    pub logic: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceJson {
    pub file: String,
    pub sha256: String,
    pub language: String,
    #[serde(default)]
    pub constants: UniqueMap<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProducerJson {
    pub name: String,
    pub version: String,
    #[serde(default)]
    pub engine: String,
    #[serde(default)]
    pub options: UniqueMap<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValueTableJson {
    pub name: String,
    pub values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum VerdictJson {
    Safe,
    Unsafe,
    Unknown,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimJson {
    pub property: usize,
    #[serde(default)]
    pub name: String,
    pub verdict: VerdictJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagrams: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TransitionJson {
    pub name: String,
    pub relation: String,
    #[serde(default)]
    pub inputs: Vec<String>,
    #[serde(default)]
    pub frame: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiagramJson {
    pub name: String,
    #[serde(default)]
    pub assumes: Vec<String>,
    pub nodes: Vec<NodeJson>,
    pub edges: Vec<EdgeJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<RegionJson>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegionJson {
    pub name: String,
    pub label: Vec<String>,
    pub stubborn: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub independent: Option<Vec<String>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeJson {
    pub id: usize,
    pub label: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asleep: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EdgeJson {
    pub from: usize,
    pub to: usize,
    pub transitions: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TraceJson {
    pub states: Vec<UniqueMap<String>>,
    pub steps: Vec<StepJson>,
    #[serde(default)]
    pub final_inputs: UniqueMap<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepJson {
    pub transition: String,
    #[serde(default)]
    pub inputs: UniqueMap<String>,
}

/// Why bytes are not certificate.
pub(super) enum FormatError {
    /// They are not JSON; the reason in words.
    NotJson(String),
    /// They are JSON, but no certificate.
    Malformed(Malformed),
}

/// Reads the bytes of `certificate.json`.
pub(super) fn read(bytes: &[u8]) -> Result<CertificateJson, FormatError> {
    if bytes.len() as u64 > MAXIMAL_FILE_BYTES {
        return Err(FormatError::Malformed(Malformed::new(
            "certificate.json",
            format!("the file is larger than {MAXIMAL_FILE_BYTES} bytes"),
        )));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| FormatError::NotJson(format!("it is not UTF-8 text: {error}")))?;
    // A first pass distinguishes malformed JSON from a malformed certificate, wherever in the file the two begin.
    serde_json::from_str::<IgnoredAny>(text)
        .map_err(|error| FormatError::NotJson(error.to_string()))?;
    check_header(text)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let location = match error.path().to_string() {
            path if path == "." => "certificate.json".to_owned(),
            path => path,
        };
        FormatError::Malformed(Malformed::new(location, error.inner().to_string()))
    })
}

/// The format and its version decide how the rest is to be read, so they are looked at first.
fn check_header(text: &str) -> Result<(), FormatError> {
    #[derive(Deserialize)]
    struct Header {
        format: Option<String>,
        version: Option<u64>,
    }
    let malformed =
        |location: &str, message: String| FormatError::Malformed(Malformed::new(location, message));
    // An error here gets a better position in the full reading that follows.
    let Ok(header) = serde_json::from_str::<Header>(text) else {
        return Ok(());
    };
    match (header.format.as_deref(), header.version) {
        (Some(FORMAT), Some(VERSION..=SLEEPING_VERSION)) => Ok(()),
        (Some(FORMAT), Some(version)) => Err(malformed(
            "version",
            format!(
                "version {version} is not known; this program reads versions {VERSION} to {SLEEPING_VERSION}"
            ),
        )),
        (Some(FORMAT), None) => Ok(()),
        _ => Err(malformed("format", format!("expected `\"{FORMAT}\"`"))),
    }
}
