//! Pictures say what proofs and traces say, and hostile text stays text.

use super::*;
use crate::dot::tests::example;

#[test]
fn diagrams_and_traces_are_drawn_always_the_same() {
    let (system, certificate) = example();
    let drawn = || {
        let mut files = Vec::new();
        Svg.write(&system, &certificate, &mut |name, bytes| {
            files.push((name.to_owned(), String::from_utf8(bytes.to_vec()).unwrap()));
            Ok(())
        })
        .unwrap();
        files
    };
    let files = drawn();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["diagram.svg", "trace.svg"]);
    for (_, text) in &files {
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert!(text.contains(">P[1] at idle</text>"), "{text}");
    }
    assert_eq!(files, drawn());
}

#[test]
fn pictures_that_are_too_large_are_refused_and_those_at_the_limit_drawn() {
    let (system, certificate) = example();
    let mut picture = pictures(&system, &certificate).unwrap().remove(0);
    let shape = picture.groups[0].shapes[0].clone();
    picture.groups[0].shapes = vec![shape.clone(); MOST_BOXES];
    let arrow = picture.groups[0].arrows[0].clone();
    picture.groups[0].arrows = vec![arrow.clone(); MOST_ARROWS];
    assert!(draw(&picture).is_ok());
    picture.groups[0].arrows.push(arrow);
    assert!(matches!(draw(&picture), Err(ExportError::NotDrawn { .. })));
    picture.groups[0].arrows.clear();
    picture.groups[0].shapes.push(shape);
    assert!(matches!(draw(&picture), Err(ExportError::NotDrawn { .. })));
}

#[test]
fn markup_in_names_is_text() {
    let (system, certificate) = example();
    let mut picture = pictures(&system, &certificate).unwrap().remove(0);
    let hostile = "</text><script>\"&\u{1b}\n\u{ffff}";
    picture.groups[0].title = hostile.to_owned();
    picture.groups[0].shapes[0].lines = vec![hostile.to_owned()];
    picture.groups[0].shapes[0].tooltip = hostile.to_owned();
    picture.groups[0].arrows[0].lines = vec![hostile.to_owned()];
    let text = draw(&picture).unwrap();
    assert!(!text.contains("<script>") && !text.contains('\u{1b}'));
    let safe = "&lt;/text&gt;&lt;script&gt;&quot;&amp;\u{fffd}\u{fffd}\u{fffd}";
    assert_eq!(text.matches(safe).count(), 4);
}
