//! Drawings of small graphs, of large ones, and of graphs that are none.

use super::*;

const WIDEST: f64 = 2_000.0;

fn boxes(count: usize) -> Vec<Size> {
    vec![
        Size {
            width: 100.0,
            height: 40.0
        };
        count
    ]
}

fn links(pairs: &[(usize, usize)]) -> Vec<Link> {
    let label = Size {
        width: 50.0,
        height: 16.0,
    };
    pairs
        .iter()
        .map(|&(from, to)| Link { from, to, label })
        .collect()
}

/// Boxes that touch, and names that lie on boxes or on one another.
fn overlaps(boxes: &[Size], links: &[Link], drawing: &Drawing) -> Vec<String> {
    let mut areas: Vec<(String, Point, Size)> = Vec::new();
    for (number, (corner, size)) in drawing.corners.iter().zip(boxes).enumerate() {
        areas.push((format!("box {number}"), *corner, *size));
    }
    for (number, (route, link)) in drawing.routes.iter().zip(links).enumerate() {
        let corner = Point {
            x: route.label.x - link.label.width / 2.0,
            y: route.label.y - link.label.height / 2.0,
        };
        areas.push((format!("name {number}"), corner, link.label));
    }
    let mut found = Vec::new();
    for (index, (name, corner, size)) in areas.iter().enumerate() {
        for (other, corner_of_other, size_of_other) in &areas[index + 1..] {
            let apart = corner.x + size.width <= corner_of_other.x
                || corner_of_other.x + size_of_other.width <= corner.x
                || corner.y + size.height <= corner_of_other.y
                || corner_of_other.y + size_of_other.height <= corner.y;
            if !apart {
                found.push(format!("{name} and {other}"));
            }
        }
    }
    found
}

fn assert_neat(boxes: &[Size], links: &[Link], starts: &[usize]) -> Drawing {
    let drawing = layered(boxes, links, starts, WIDEST);
    assert_eq!(overlaps(boxes, links, &drawing), Vec::<String>::new());
    for (corner, size) in drawing.corners.iter().zip(boxes) {
        assert!(corner.x >= 0.0 && corner.x + size.width <= drawing.size.width);
        assert!(corner.y >= 0.0 && corner.y + size.height <= drawing.size.height);
    }
    for (route, link) in drawing.routes.iter().zip(links) {
        assert_eq!(route.points.len() % 3, 1, "cubic curves: {route:?}");
        for (end, number) in [
            (route.points.first(), link.from),
            (route.points.last(), link.to),
        ] {
            let (end, corner, size) = (end.unwrap(), drawing.corners[number], boxes[number]);
            let is_at_box = (corner.x..=corner.x + size.width).contains(&end.x)
                && (corner.y..=corner.y + size.height).contains(&end.y);
            assert!(is_at_box, "{end:?} is not at {corner:?}");
        }
    }
    assert_eq!(
        drawing,
        layered(boxes, links, starts, WIDEST),
        "always the same"
    );
    drawing
}

#[test]
fn nothing_overlaps_in_a_small_diagram() {
    let pairs = [
        (0, 1),
        (0, 2),
        (1, 3),
        (2, 3),
        (3, 0),
        (1, 2),
        (2, 1),
        (3, 3),
        (0, 3),
    ];
    let drawing = assert_neat(&boxes(4), &links(&pairs), &[0]);
    assert_eq!(drawing.ranks, [0, 1, 1, 1]);
}

#[test]
fn a_row_is_a_distance_so_that_long_cycles_do_not_become_towers() {
    let count = 100;
    let mut pairs = Vec::new();
    for number in 0..count {
        pairs.push((number, (number + 1) % count));
        pairs.push((0, number));
    }
    let drawing = layered(&boxes(count), &links(&pairs), &[0], 1e9);
    assert_eq!(drawing.ranks.iter().max(), Some(&1));
}

#[test]
fn rows_that_are_too_wide_are_broken() {
    let pairs: Vec<(usize, usize)> = (1..60).map(|to| (0, to)).collect();
    let drawing = assert_neat(&boxes(60), &links(&pairs), &[0]);
    let deepest = drawing.ranks.iter().max().unwrap();
    assert!((4..=6).contains(deepest), "{deepest}");
}

#[test]
fn graphs_without_starts_arrows_or_boxes_are_drawn() {
    assert_neat(&boxes(5), &[], &[]);
    assert_neat(&boxes(3), &links(&[(0, 1), (1, 0)]), &[]);
    assert_neat(&boxes(3), &links(&[(2, 1), (1, 0)]), &[17]);
    assert_eq!(layered(&[], &[], &[], WIDEST), Drawing::default());
}

#[test]
fn arrows_that_lead_nowhere_do_no_harm() {
    let drawing = layered(&boxes(2), &links(&[(0, 7), (9, 9)]), &[0], WIDEST);
    assert_eq!(drawing.routes.len(), 2);
    assert_eq!(layered(&[], &links(&[(0, 1)]), &[], WIDEST).routes.len(), 1);
}

#[test]
fn two_thousand_boxes_are_drawn() {
    let count = 2_000;
    let pairs: Vec<(usize, usize)> = (0..4 * count)
        .map(|number| (number % count, (number * 7919 + number / 3) % count))
        .collect();
    let unnamed: Vec<Link> = links(&pairs)
        .into_iter()
        .map(|link| Link {
            label: Size::default(),
            ..link
        })
        .collect();
    let drawing = layered(&boxes(count), &unnamed, &[0], WIDEST);
    assert_eq!(overlaps(&boxes(count), &[], &drawing).len(), 0);
}
