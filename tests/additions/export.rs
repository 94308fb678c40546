//! An export that lists the claims.

use slabcert::{Model, Silent, VerificationOptions, verify};
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::system::System;
use slabcert_exports::{Export, ExportError, Sink, Whole};

const FILE: &str = "claims.txt";

struct Claims;

impl Export for Claims {
    fn name(&self) -> &'static str {
        "claims"
    }

    fn summary(&self) -> &'static str {
        "the names of the properties that are claimed to hold or not"
    }

    fn file_names(&self, _: &System, _: &Certificate) -> Result<Vec<String>, ExportError> {
        Ok(vec![FILE.to_owned()])
    }

    fn write(
        &self,
        _: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        let names: Vec<&str> = certificate
            .claims
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        Ok(sink(FILE, names.join("\n").as_bytes())?)
    }
}

#[test]
fn an_export_is_one_file_and_one_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.cert");
    let model = Model::parse(
        "slab",
        "system s; var x : int = 0; error low: x < 0; error high: x > 5; transition up when x < 5 do x := x + 1;",
    )
    .unwrap();
    let options = VerificationOptions {
        destination: Some(path.clone()),
        ..VerificationOptions::default()
    };
    verify(&model, &options, &mut Silent).unwrap();
    let bundle = Bundle::read(&path).unwrap();
    let mut files = Vec::new();
    let mut sink = |name: &str, bytes: &[u8]| {
        files.push((name.to_owned(), bytes.to_vec()));
        Ok(())
    };
    let export: &dyn Export = &Claims;
    let whole = Whole {
        bundle: &bundle,
        proofs: &Proofs::default(),
        obligations: &[],
        text: None,
    };
    export.write_bundle(&whole, &mut sink).unwrap();
    assert_eq!(files, [(FILE.to_owned(), b"low\nhigh".to_vec())]);
}
