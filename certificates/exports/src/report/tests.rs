//! What the page is given, and that nothing in it becomes markup.

use super::*;
use crate::dot::tests::example;
use crate::wording::Wording;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::system::StateVariable;
use slabcert_certificates::term::{Sort, Value};
use slabcert_certificates::trace::{Step, Trace};

fn page(system: &System, certificate: &Certificate) -> String {
    let mut text = String::new();
    Html.write(system, certificate, &mut |name, bytes| {
        assert_eq!(name, REPORT_FILE);
        text = String::from_utf8(bytes.to_vec()).unwrap();
        Ok(())
    })
    .unwrap();
    text
}

/// The data block of a page.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

#[test]
fn a_page_has_its_data_and_is_always_the_same() {
    let (system, certificate) = example();
    let text = page(&system, &certificate);
    let data = data(&text);
    assert_eq!(data["format"], data::FORMAT);
    assert_eq!(data["diagrams"][0]["nodes"][0]["words"][0], "P[1] at idle");
    assert_eq!(data["record"]["proved"], "none");
    assert_eq!(text, page(&system, &certificate));
}

#[test]
fn names_that_are_markup_stay_inside_the_data() {
    let (mut system, mut certificate) = example();
    let markup = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)>";
    system.name = markup.to_owned();
    certificate.claims[0].name = markup.to_owned();
    certificate.diagrams[0].name = markup.to_owned();
    certificate.claims[0].evidence = Evidence::Safe(vec![markup.to_owned()]);
    certificate.source.constants = [(markup.to_owned(), markup.to_owned())].into();
    let text = page(&system, &certificate);
    assert_eq!(
        text.matches("<script").count(),
        2,
        "the data and the script"
    );
    assert_eq!(text.matches("</script").count(), 2);
    assert!(!text.contains("<img") && !text.contains("<!--"));
    let data = data(&text);
    assert_eq!(data["title"], markup);
    assert_eq!(data["source"]["constants"][0][0], markup);
}

#[test]
fn the_policy_allows_this_script_and_this_style_and_nothing_else() {
    let (system, certificate) = example();
    let text = page(&system, &certificate);
    let (_, rest) = text
        .split_once("http-equiv=\"Content-Security-Policy\" content=\"")
        .unwrap();
    let (policy, _) = rest.split_once('"').unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"));
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("connect-src 'none'"), "{policy}");
}

#[test]
fn time_passes_where_clocks_grow_by_an_input_and_nowhere_else() {
    let real = |number: i64| Value::Real(number_of(number));
    let clocks = [
        StateVariable::new("c", Sort::Real),
        StateVariable::new("d", Sort::Real),
    ];
    let system = System {
        variables: clocks.to_vec(),
        ..System::default()
    };
    let state = |c: i64, d: i64| [("c".to_owned(), real(c)), ("d".to_owned(), real(d))].into();
    let step = |input: i64| Step {
        transition: "t".to_owned(),
        inputs: [("amount".to_owned(), real(input))].into(),
    };
    let run = |inputs: [i64; 2]| Trace {
        states: vec![state(0, 1), state(2, 3), state(0, 3)],
        steps: inputs.map(step).to_vec(),
        ..Trace::default()
    };
    let shown = traces::trace(
        &run([2, 0]),
        &system,
        &Wording::of(&system),
        &FxHashMap::default(),
    );
    assert_eq!(shown.times.unwrap(), ["0", "2", "2"]);
    assert_eq!(shown.clocks, [0, 1]);
    assert_eq!(
        shown.steps[1].delay, None,
        "a reset is not a passing of time"
    );
    let shown = traces::trace(
        &run([1, 0]),
        &system,
        &Wording::of(&system),
        &FxHashMap::default(),
    );
    assert_eq!(shown.times, None, "nobody chose that amount");
}

fn number_of(number: i64) -> BigRational {
    BigRational::from_integer(number.into())
}
