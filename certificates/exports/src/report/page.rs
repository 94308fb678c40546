//! The file: markup around the data, with the hashes that allow its style and its script.

use super::data::ReportJson;
use crate::ExportError;
use sha2::{Digest, Sha256};
use std::io;

/// The style.
const STYLE: &str = concat!(
    include_str!("page/style.css"),
    include_str!("page/print.css")
);

/// The scripts, in the order in which they use one another.
const SCRIPTS: [&str; 16] = [
    include_str!("page/elements.js"),
    include_str!("page/obligations.js"),
    include_str!("page/shell.js"),
    include_str!("page/canvas.js"),
    include_str!("page/arrangement.js"),
    include_str!("page/drawing.js"),
    include_str!("page/details.js"),
    include_str!("page/regions.js"),
    include_str!("page/why.js"),
    include_str!("page/search.js"),
    include_str!("page/overview.js"),
    include_str!("page/lists.js"),
    include_str!("page/model.js"),
    include_str!("page/lanes.js"),
    include_str!("page/trace.js"),
    include_str!("page/main.js"),
];

/// The page without its parts.
const TEMPLATE: &str = include_str!("page/page.html");

/// The page that shows a report.
pub(super) fn write(report: &ReportJson) -> Result<String, ExportError> {
    let json =
        serde_json::to_string(report).map_err(|error| ExportError::Io(io::Error::other(error)))?;
    let script = script();
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src 'none'; connect-src 'none'; \
         base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        base64(&Sha256::digest(script.as_bytes())),
        base64(&Sha256::digest(STYLE.as_bytes())),
    );
    let parts = [
        ("{policy}", policy.as_str()),
        ("{title}", &escaped(&report.title)),
        ("{style}", STYLE),
        ("{data}", &inert(&json)),
        ("{script}", &script),
    ];
    Ok(fill(TEMPLATE, &parts))
}

/// All scripts as one function, so that they share their names with nobody.
fn script() -> String {
    format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat())
}

/// Puts parts where they belong, each in one pass: a part that contains the name of another one stays as it is.
fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    loop {
        let next = parts
            .iter()
            .filter_map(|(name, part)| Some((rest.find(name)?, name, part)))
            .min_by_key(|(index, _, _)| *index);
        let Some((index, name, part)) = next else {
            return text + rest;
        };
        text.push_str(&rest[..index]);
        text.push_str(part);
        rest = &rest[index + name.len()..];
    }
}

/// Text for markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// JSON that cannot end the block that it stands in, nor begin a comment there: outside of strings JSON has none of these signs.
fn inert(json: &str) -> String {
    let mut inert = String::with_capacity(json.len() + json.len() / 16);
    for letter in json.chars() {
        match letter {
            '<' => inert.push_str("\\u003c"),
            '>' => inert.push_str("\\u003e"),
            '&' => inert.push_str("\\u0026"),
            '\u{2028}' => inert.push_str("\\u2028"),
            '\u{2029}' => inert.push_str("\\u2029"),
            _ => inert.push(letter),
        }
    }
    inert
}

/// Bytes in the alphabet of RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            if index > group.len() {
                text.push('=');
            } else {
                let digit = (bits >> (18 - 6 * index)) & 63;
                text.push(char::from(ALPHABET[digit as usize]));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_the_standard_says() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn a_part_that_names_another_part_stays_as_it_is() {
        let parts = [("{a}", "{b}"), ("{b}", "{a}")];
        assert_eq!(fill("{a} and {b} and {c}", &parts), "{b} and {a} and {c}");
    }

    #[test]
    fn markup_in_texts_is_none() {
        assert_eq!(
            escaped("<a href='x'>&\"</a>"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;"
        );
        assert_eq!(
            inert("\"</script><!--&\u{2028}\""),
            "\"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\""
        );
    }

    #[test]
    fn scripts_never_make_markup_from_texts() {
        let script = script();
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "fetch(",
            "XMLHttpRequest",
            "WebSocket",
            "import(",
            "</script",
            "<!--",
            "http:",
        ] {
            assert!(!script.contains(word), "{word}");
        }
        assert!(!STYLE.contains("url("), "a style that loads something");
        assert!(!STYLE.contains("@import"), "a style that loads something");
    }
}
