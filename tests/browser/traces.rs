//! Traces: values, lanes, time, and the step in the source.

use super::{Example, assert_quiet, count, opened};
use serde_json::json;

#[test]
fn a_trace_has_lanes_time_and_the_step_in_the_source() {
    let example = Example::trace();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    assert!(browser.text(".trace-parts h2").contains("violates both"));
    let lanes = browser.text(".lanes");
    for word in ["P[1]", "P[2]", "critical", "clock[1]", "time"] {
        assert!(lanes.contains(word), "{word}: {lanes}");
    }
    let states = count(&browser, ".values tbody tr");
    assert!(states > 4);
    assert!(
        count(&browser, ".values mark") >= states - 1,
        "changes are marked"
    );
    // The row of the first passing of time.
    browser.evaluate("[...document.querySelectorAll('.values tbody tr')].find((row) => row.textContent.includes('delay')).id = 'delay'");
    browser.click("#delay th");
    let details = browser.text(".details");
    assert!(details.contains("Time passes"), "{details}");
    let source = browser.text(".details .source .marked");
    assert!(source.contains("transition delay"), "{source}");
    browser.press("ArrowDown");
    let source = browser.text(".details .source .marked");
    assert!(source.trim_start().starts_with("edge "), "{source}");
    assert_quiet(&browser);
}

#[test]
fn the_last_state_says_what_is_violated_and_the_text_says_the_same() {
    let example = Example::trace();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    browser.click(".values tr.bad th");
    assert!(browser.text(".details").contains("both is violated here"));
    browser.click(".trace-parts > details > summary");
    browser.wait_for("document.querySelector('.trace-parts pre') !== null");
    let text = browser.text(".trace-parts pre");
    assert!(text.starts_with("0: "), "{text}");
    assert!(text.contains("P[1] at critical"), "{text}");
    assert!(text.contains("delay.d = "), "{text}");
    let lit = browser.evaluate("document.querySelectorAll('.lanes .column.selected').length");
    assert_eq!(lit, json!(1));
    assert_quiet(&browser);
}
