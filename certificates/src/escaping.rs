//! Foreign text on terminals and in files for people: names, reasons and lines that this program did not write must neither steer a
//! terminal, nor look like lines of this program, nor change the order in which letters are shown.

use std::fmt::Write;

/// Whether a character is not shown but does something: controls (line breaks among them), marks of direction, invisible characters,
/// the separators of lines and paragraphs.
pub fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(u32::from(character),
            0xAD
            | 0x600..=0x605
            | 0x61C
            | 0x6DD
            | 0x70F
            | 0x890..=0x891
            | 0x8E2
            | 0x180E
            | 0x200B..=0x200F
            | 0x2028..=0x202E
            | 0x2060..=0x206F
            | 0xFEFF
            | 0xFFF9..=0xFFFB
            | 0x110BD
            | 0x110CD
            | 0x13430..=0x1343F
            | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A
            | 0xE0000..=0xE007F)
}

/// The text in one line, with controls escaped as in `\u{1b}`.
pub fn plain(text: &str) -> String {
    escaped(text, &|_| false)
}

/// Text of several lines: line breaks and tabs stay.
pub fn plain_lines(text: &str) -> String {
    escaped(text, &|character| matches!(character, '\n' | '\t'))
}

fn escaped(text: &str, stays: &dyn Fn(char) -> bool) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if is_control(character) && !stays(character) {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    plain
}

/// JSON with all controls in its strings escaped; outside of strings it has none but line breaks.
pub fn plain_json(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    for character in json.chars() {
        if is_control(character) && character != '\n' {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(plain, "\\u{unit:04x}");
            }
        } else {
            plain.push(character);
        }
    }
    plain
}

/// What is written to standard output: JSON, which begins with a bracket, stays JSON, and everything else is text of several lines.
pub fn plain_output(text: &str) -> String {
    if text.starts_with(['{', '[']) {
        plain_json(text)
    } else {
        plain_lines(text)
    }
}

#[cfg(test)]
mod repairs {
    use super::*;

    const HOSTILE: &str =
        "a\u{1b}[2J\r\n\u{9b}\u{202e}b\u{2028}c\u{feff}\u{e0041}\t\u{7f}é\u{4e2d}";

    #[test]
    fn controls_are_escaped_and_letters_stay() {
        assert_eq!(
            plain(HOSTILE),
            "a\\u{1b}[2J\\r\\n\\u{9b}\\u{202e}b\\u{2028}c\\u{feff}\\u{e0041}\\t\\u{7f}é\u{4e2d}"
        );
        assert!(plain_lines(HOSTILE).contains('\n'));
        assert!(
            !plain_lines(HOSTILE)
                .chars()
                .any(|it| is_control(it) && it != '\n' && it != '\t')
        );
    }

    #[test]
    fn escaped_json_means_the_same() {
        let json = serde_json::json!({HOSTILE: [HOSTILE, 1]});
        let text = plain_json(&format!("{json:#}"));
        assert!(!text.chars().any(|it| is_control(it) && it != '\n'));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            json
        );
    }
}
