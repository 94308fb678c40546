//! Kept proofs: checking a diagram again after a guard of the model changed.

use super::{Bench, json};
use serde_json::Value as Json;
use slabcert_certificates::bundle::{
    CERTIFICATE_FILE, PROGRAM_FILE, PROOFS_FILE, SYSTEM_FILE, sha256,
};
use slabcert_checker::cache::{Cache, CacheOptions, CacheReport};
use slabcert_checker::{CheckOptions, CheckReport, Verdict, Watch, check_bundle_with};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A guard of Fischer's protocol, as the flat system says it, and the same with another constant.
const GUARD: [&str; 2] = ["(>= |clock[1]| 2.0)", "(>= |clock[1]| 3.0)"];

/// A bundle of fischer 3 with proofs, and a cache.
struct Kept {
    bench: Bench,
}

impl Kept {
    fn new() -> Kept {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/slab/fischer.slab");
        let bench = Bench::with_model(&fs::read_to_string(model).unwrap());
        let arguments = [
            "verify",
            "m.slab",
            "-D",
            "N=3",
            "--property",
            "both",
            "--engine",
            "slicing,lemmas",
        ];
        bench.run(&arguments).expect(0, "safe");
        Kept { bench }
    }

    fn bundle(&self) -> PathBuf {
        self.bench.path("m.cert")
    }

    /// Gives one guard another constant, in the system and in the transition of the certificate. The diagram stays.
    fn change_guard(&self) {
        let edit = |name: &str, edit: &dyn Fn(String) -> String| {
            let path = self.bundle().join(name);
            fs::write(&path, edit(fs::read_to_string(&path).unwrap())).unwrap();
        };
        edit(SYSTEM_FILE, &|text| {
            assert_eq!(text.matches(GUARD[0]).count(), 1);
            text.replace(GUARD[0], GUARD[1])
        });
        let system = fs::read(self.bundle().join(SYSTEM_FILE)).unwrap();
        edit(CERTIFICATE_FILE, &|text| {
            let mut certificate = json(&text);
            certificate["system"]["sha256"] = Json::from(sha256(&system));
            for transition in certificate["transitions"].as_array_mut().unwrap() {
                let relation = transition["relation"].as_str().unwrap();
                transition["relation"] = Json::from(relation.replace(GUARD[0], GUARD[1]));
            }
            certificate.to_string()
        });
        for name in [PROOFS_FILE, PROGRAM_FILE] {
            fs::remove_file(self.bundle().join(name)).unwrap();
        }
    }

    fn check(&self, cache: Option<&mut Cache>) -> CheckReport {
        let options = CheckOptions {
            facts: false,
            ..CheckOptions::default()
        };
        let never = AtomicBool::new(false);
        check_bundle_with(
            &self.bundle(),
            &options,
            cache.map(|cache| cache as _),
            &Watch::only(&never),
        )
        .unwrap()
    }

    fn check_with_cache(&self) -> (CheckReport, CacheReport) {
        let mut cache = Cache::open(&CacheOptions {
            directory: self.bench.path("kept"),
            key: None,
            is_read_only: false,
        })
        .unwrap();
        let report = self.check(Some(&mut cache));
        let kept = cache.report().unwrap_or_else(|| panic!("{report:?}"));
        (report, kept.clone())
    }

    fn entries(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.bench.path("kept")).unwrap();
        let mut entries: Vec<PathBuf> = folders
            .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        entries
    }
}

#[test]
fn after_a_guard_changed_less_than_a_fifth_is_asked_about() {
    let kept = Kept::new();
    let (report, cache) = kept.check_with_cache();
    assert_eq!(report.verdict, Verdict::Accepted);
    assert_eq!((cache.asked, cache.stored > 0), (0, true));
    kept.change_guard();
    let cold = kept.check(None);
    let (warm, cache) = kept.check_with_cache();
    assert_eq!(warm.verdict, cold.verdict);
    assert_eq!(warm.claims, cold.claims);
    assert!(cache.refused.is_empty(), "{cache:?}");
    assert_eq!(cache.proofs + cache.asked, warm.obligations);
    assert!(5 * cache.asked < warm.obligations, "{cache:?}");
}

/// Edits all entries, and checks that each that is met is refused and what it was about asked, with the same verdict.
fn poisoned(poison: impl Fn(&[PathBuf])) {
    let kept = Kept::new();
    kept.check_with_cache();
    kept.change_guard();
    let (_, good) = kept.check_with_cache();
    poison(&kept.entries());
    let (report, cache) = kept.check_with_cache();
    assert_eq!(report.verdict, Verdict::Accepted);
    assert!(!cache.refused.is_empty(), "{cache:?}");
    assert!(cache.proofs < good.proofs);
    assert_eq!(cache.proofs + cache.asked, report.obligations);
    assert_eq!(cache.asked, good.asked + cache.refused.len());
}

#[test]
fn kept_proofs_that_were_moved_are_refused() {
    poisoned(|entries| {
        let texts: Vec<String> = entries
            .iter()
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        for (index, path) in entries.iter().enumerate() {
            fs::write(path, &texts[(index + 1) % texts.len()]).unwrap();
        }
    });
}

#[test]
fn kept_proofs_that_were_cut_or_edited_are_refused() {
    poisoned(|entries| {
        for path in entries {
            let text = fs::read_to_string(path).unwrap();
            fs::write(path, &text[..text.len() / 2]).unwrap();
        }
    });
    // The names of the obligations are exchanged too, so that only the steps tell.
    poisoned(|entries| {
        let texts: Vec<Json> = entries
            .iter()
            .map(|path| json(&fs::read_to_string(path).unwrap()))
            .collect();
        for (index, path) in entries.iter().enumerate() {
            let mut forged = texts[(index + 1) % texts.len()].clone();
            forged["certificate"] = texts[index]["certificate"].clone();
            fs::write(path, forged.to_string()).unwrap();
        }
    });
    poisoned(|entries| {
        for path in entries {
            let mut forged = json(&fs::read_to_string(path).unwrap());
            forged["version"] = Json::from(2);
            fs::write(path, forged.to_string()).unwrap();
        }
    });
}
