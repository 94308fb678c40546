//! The page puts the SMT-LIB texts of obligations together; they are those of the files.

use super::{Example, assert_quiet, opened};
use serde_json::Value;
use std::fs;

/// Opens every obligation of the list, page by page, and gives numbers and texts.
const COLLECT: &str = "(() => {
    [...document.querySelectorAll('[role=tab]')].find((tab) => tab.id === 'tab-obligations').click();
    const texts = [];
    for (;;) {
        const rows = document.querySelectorAll('#panel-obligations .obligation');
        for (const row of rows) {
            row.open = true;
            row.dispatchEvent(new Event('toggle'));
            texts.push([Number(row.dataset.number), row.querySelector('.smtlib').textContent]);
        }
        const next = [...document.querySelectorAll('#panel-obligations .pager button')].find((own) => own.textContent === 'Next');
        if (next.disabled) return texts;
        next.click();
    }
})()";

#[test]
fn every_text_is_that_of_its_file() {
    for example in [Example::deque(), Example::fischer_by_lemmas()] {
        let Some(browser) = opened(&example.report()) else {
            return;
        };
        let mut files: Vec<_> = fs::read_dir(example.bundle.join("obligations"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        let texts = browser.evaluate(COLLECT);
        let texts = texts.as_array().unwrap();
        assert_eq!(texts.len(), files.len());
        for (number, (entry, file)) in texts.iter().zip(files).enumerate() {
            assert_eq!(entry[0], Value::from(number));
            assert_eq!(
                entry[1].as_str().unwrap(),
                fs::read_to_string(file).unwrap()
            );
        }
        assert_quiet(&browser);
    }
}
