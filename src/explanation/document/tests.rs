//! Documents say the same in each rendering, and nothing in a name gets out of where it stands.

use super::*;

fn example() -> Document {
    let mut document = Document::new("Why `both` holds");
    document.heading(2, "What is claimed");
    document.paragraph(
        Line::new("Never ")
            .code("a < b")
            .words(", and always ")
            .code("c")
            .words("."),
    );
    let mut item = Item::from(Line::new("first"));
    item.inner.push(Line::new("inner").into());
    document.list([item, Line::of_code("second").into()]);
    document.numbered_list([Line::default().strong("one")]);
    document
}

#[test]
fn plain_text_is_underlined_indented_and_padded() {
    assert_eq!(
        example().render(Rendering::Text),
        "Why `both` holds\n================\n\nWhat is claimed\n---------------\n\n\
         Never `a < b`, and always `c`.\n\n- first\n  - inner\n- `second`\n\n1. one\n"
    );
}

#[test]
fn markdown_has_its_marks() {
    assert_eq!(
        example().render(Rendering::Markdown),
        "# Why \\`both\\` holds\n\n## What is claimed\n\nNever `a < b`, and always `c`.\n\n\
         - first\n  - inner\n- `second`\n\n1. **one**\n"
    );
}

#[test]
fn html_stands_alone() {
    let text = example().render(Rendering::Html);
    for expected in [
        "<!DOCTYPE html>",
        "<title>Why `both` holds</title>",
        "<h2>What is claimed</h2>",
        "<p>Never <code>a &lt; b</code>, and always <code>c</code>.</p>",
        "<ul>\n<li>first\n<ul>\n<li>inner</li>\n</ul></li>\n<li><code>second</code></li>\n</ul>",
        "<ol>\n<li><strong>one</strong></li>\n</ol>",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    for forbidden in ["http", "<script", "src="] {
        assert!(!text.contains(forbidden), "{forbidden} in {text}");
    }
}

#[test]
fn long_lines_are_wrapped_between_words_but_not_inside_a_formula() {
    let mut document = Document::new("t");
    let formula = "x + y = z && ".repeat(6) + "b";
    document.list([Line::new("word ".repeat(20)).code(&formula).words(", end")]);
    let text = document.render(Rendering::Text);
    let lines: Vec<&str> = text.lines().skip(3).collect();
    assert_eq!(lines[0], format!("- {}", ["word"; 19].join(" ")));
    assert_eq!(lines[1], format!("  word `{formula}`, end"));
}

#[test]
fn an_empty_list_leaves_no_trace() {
    let mut document = Document::new("t");
    document.list(Vec::<Line>::new());
    assert!(document.blocks.is_empty());
}

#[test]
fn several_formulas_are_linked() {
    let line = |codes: &[&str]| Line::default().codes(codes, "or");
    let text = |codes: &[&str]| {
        let mut document = Document::new("t");
        document.paragraph(line(codes));
        document.render(Rendering::Text)
    };
    assert!(text(&["a"]).ends_with("\n`a`\n"));
    assert!(text(&["a", "b", "c"]).ends_with("\n`a`, `b` or `c`\n"));
}

#[test]
fn hostile_names_stay_where_they_are() {
    let mut document = Document::new("<b>\u{1b}[2J");
    document.paragraph(Line::new("*a* <script> | [x](y)").code("``` `</code><script>"));
    document.paragraph(Line::of_code("a | b`\u{7}"));
    for rendering in [Rendering::Text, Rendering::Markdown, Rendering::Html] {
        let text = document.render(rendering);
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{text}");
    }
    let html = document.render(Rendering::Html);
    assert!(
        !html.contains("<script>") && !html.contains("<b>"),
        "{html}"
    );
    let markdown = document.render(Rendering::Markdown);
    for expected in [
        "\\*a\\* \\<script\\> \\| \\[x\\](y)",
        "```` ``` `</code><script> ````",
        "``a | b` ``",
    ] {
        assert!(markdown.contains(expected), "{expected} in {markdown}");
    }
}
