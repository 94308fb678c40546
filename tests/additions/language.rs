//! A language with one sentence: `x stays below NUMBER`.

use slabcert::languages::diagnostics::Diagnostics;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options, ParsedModel};
use slabcert::{Model, Silent, Verdict, VerificationOptions, verify};
use slabcert_certificates::smtlib::{Position, ReadError};
use slabcert_certificates::vmt::read_vmt;

struct Sentence;

impl Language for Sentence {
    fn name(&self) -> &'static str {
        "sentence"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sentence"]
    }

    fn read(&self, source: &Source, _: &Options) -> Result<ParsedModel, Diagnostics> {
        let faulty = |error: ReadError| Diagnostics::of_read_error(source, &error);
        let number = source.text().trim().strip_prefix("x stays below ");
        let Some(number) = number.and_then(|number| number.parse::<u64>().ok()) else {
            let start = Position { line: 1, column: 1 };
            return Err(faulty(ReadError::malformed(start, "this is no sentence")));
        };
        // Once around a clock of four hours.
        let system = read_vmt(&format!(
            "(declare-fun x () Int) (declare-fun x.next () Int)
             (define-fun sv () Int (! x :next x.next))
             (define-fun init () Bool (! (= x 0) :init true))
             (define-fun trans () Bool (! (= x.next (ite (= x 3) 0 (+ x 1))) :trans true))
             (define-fun below () Bool (! (< x {number}) :invar-property 0))"
        ));
        system.map(ParsedModel::System).map_err(faulty)
    }
}

#[test]
fn a_language_is_one_file_and_one_row() {
    let model = |text| Model::of_source(Source::new("m.sentence", text), &Sentence, &[]);
    let options = VerificationOptions::default();
    for (text, verdict) in [
        ("x stays below 4", Verdict::Safe),
        ("x stays below 3", Verdict::Unsafe),
    ] {
        let outcome = verify(&model(text).unwrap(), &options, &mut Silent).unwrap();
        assert_eq!(outcome.verdict(), verdict, "{text}");
        assert_eq!(outcome.language, "sentence");
    }
    let fault = model("x stays above 4").err().unwrap();
    assert!(fault.to_string().contains("this is no sentence"), "{fault}");
}
