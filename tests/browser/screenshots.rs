//! What is seen, written into a folder when the environment asks for it: `SLABCERT_SCREENSHOTS=docs cargo test --test browser screenshots`.

use super::made::{large, report};
use super::{Browser, Example, choose};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The variable that names the folder.
const VARIABLE: &str = "SLABCERT_SCREENSHOTS";

/// The widths of windows, with their heights.
const WINDOWS: [(u32, u32); 2] = [(1280, 800), (1920, 1080)];

/// Bytes from the alphabet of RFC 4648, section 4.
fn from_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits = group
            .iter()
            .enumerate()
            .fold(0, |bits, (index, digit)| bits | digit << (18 - 6 * index));
        let [_, first, second, third] = bits.to_be_bytes();
        bytes.extend(&[first, second, third][..group.len() - 1]);
    }
    bytes
}

fn shoot(browser: &Browser, folder: &Path, report: &Path, name: &str, prepare: &dyn Fn(&Browser)) {
    for (width, height) in WINDOWS {
        browser.resize(width, height);
        browser.open(report);
        prepare(browser);
        // Two frames later everything is painted.
        browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
        let path = folder.join(format!("report-{name}-{width}.png"));
        fs::write(path, from_base64(&browser.screenshot())).unwrap();
    }
}

#[test]
fn screenshots() {
    let Some(folder) = env::var_os(VARIABLE).map(PathBuf::from) else {
        println!("skipped: ${VARIABLE} does not say where to");
        return;
    };
    let Some(browser) = Browser::start() else {
        return;
    };
    let deque = Example::deque();
    shoot(&browser, &folder, &deque.report(), "deque", &|browser| {
        browser.click("[data-node='2']")
    });
    let ticket = Example::verified("ticket_lock", &["--engine", "slicing"]);
    shoot(
        &browser,
        &folder,
        &ticket.report(),
        "missing-edge",
        &|browser| {
            browser.click("[data-node='0']");
            browser.press("w");
            choose(browser, "node to", "3");
            browser.click(".details .obligation summary");
        },
    );
    let fischer = Example::fischer();
    shoot(
        &browser,
        &folder,
        &fischer.report(),
        "clusters",
        &|browser| browser.click(".cluster"),
    );
    let lemmas = Example::fischer_by_lemmas();
    shoot(&browser, &folder, &lemmas.report(), "lemmas", &|browser| {
        browser.click(".lemmas .list tbody tr:nth-child(2) th button");
    });
    let trace = Example::trace();
    shoot(&browser, &folder, &trace.report(), "trace", &|browser| {
        browser.click(".values tbody tr:nth-child(5) th");
    });
    shoot(&browser, &folder, &trace.report(), "dark", &|browser| {
        browser.click("#theme");
        browser.click(".values tbody tr:nth-child(5) th");
    });
    shoot(
        &browser,
        &folder,
        &fischer.report(),
        "overview",
        &|browser| {
            browser.click("#tab-overview");
        },
    );
    let (system, certificate) = large(2_000);
    let (_folder, path) = report(&system, &certificate);
    shoot(&browser, &folder, &path, "large", &|_| {});
}
