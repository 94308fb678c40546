//! Pictures come out whoever draws them, and whatever goes wrong with the program.

use super::*;
use crate::dot::tests::example;

fn assert_is_picture(text: &str) {
    assert!(text.contains("<svg") && text.contains("</svg>"), "{text}");
    assert!(text.contains("P[1] at idle"), "{text}");
}

#[test]
fn pictures_are_drawn_by_whoever_is_there() {
    let (system, certificate) = example();
    let mut files = Vec::new();
    Svg.write(&system, &certificate, &mut |name, bytes| {
        assert_is_picture(&String::from_utf8_lossy(bytes));
        files.push(name.to_owned());
        Ok(())
    })
    .unwrap();
    assert_eq!(files, ["diagram.svg", "trace.svg"]);
}

#[test]
fn pictures_are_drawn_without_any_program() {
    let (system, certificate) = example();
    for picture in pictures(&system, &certificate).unwrap() {
        let text = draw_here(&picture).unwrap();
        assert_is_picture(&text);
        assert_eq!(text, draw_here(&picture).unwrap(), "always the same");
    }
}

#[test]
fn a_program_that_is_absent_or_fails_draws_nothing() {
    let (system, certificate) = example();
    let picture = &pictures(&system, &certificate).unwrap()[0];
    let limit = Duration::from_secs(20);
    for program in ["no-such-program-as-this", "false", "true"] {
        let drawn = draw_with_program(picture, program, limit, &AtomicBool::new(false));
        assert_eq!(drawn, Err(NotDrawn::Failed), "{program}");
    }
}

#[test]
fn a_program_that_is_not_done_in_time_is_stopped() {
    let (system, certificate) = example();
    let picture = &pictures(&system, &certificate).unwrap()[0];
    let never = Duration::from_secs(3_600);
    for (limit, interrupt) in [(Duration::ZERO, false), (never, true)] {
        // Whether it goes on or ends at once: it is too late.
        let drawn = draw_with_program(picture, "yes", limit, &AtomicBool::new(interrupt));
        assert_eq!(drawn, Err(NotDrawn::OutOfTime));
    }
}

#[test]
fn pictures_that_are_too_large_are_refused() {
    let (system, certificate) = example();
    let mut picture = pictures(&system, &certificate).unwrap().remove(0);
    let shape = picture.groups[0].shapes[0].clone();
    picture.groups[0].shapes = vec![shape.clone(); MOST_BOXES + 1];
    let drawn = draw(&picture, LONGEST_DRAWING, &AtomicBool::new(false));
    assert!(matches!(drawn, Err(ExportError::Tool(_))));
    picture.groups[0].shapes.resize(MOST_ELEMENTS + 1, shape);
    assert!(matches!(draw_here(&picture), Err(ExportError::Tool(_))));
}
