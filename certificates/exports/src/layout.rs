//! A layered drawing of a graph: boxes in rows by their distance from where runs begin, arrows as curves that run between the rows.
//!
//! The method is Sugiyama's (*Methods for visual understanding of hierarchical system structures*, 1981) with one departure: a row is a
//! distance, so that a graph with long cycles, as proofs of concurrent systems have, does not become a tower. Between two rows of boxes
//! there is one for the names of arrows, so that names never lie on anything. All work is bounded, and the same graph gives the same
//! drawing.

mod coordinates;
mod order;
mod ranks;
mod routes;
#[cfg(test)]
mod tests;
pub mod texts;

/// Width and height, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// A point, in pixels from the upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// An arrow to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The box where it begins.
    pub from: usize,
    /// The box where it ends.
    pub to: usize,
    /// The room that its name needs; none for an arrow without one.
    pub label: Size,
}

/// How an arrow runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// A point, and then three points for each cubic curve: two that it heads for, and its end.
    pub points: Vec<Point>,
    /// The middle of the name.
    pub label: Point,
}

/// A drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// The size of the whole.
    pub size: Size,
    /// For each box, the upper left corner.
    pub corners: Vec<Point>,
    /// For each box, the number of its row.
    pub ranks: Vec<usize>,
    /// For each arrow, how it runs.
    pub routes: Vec<Route>,
}

/// Room around the drawing.
const MARGIN: f64 = 16.0;
/// Room between the row of boxes and the row of names below it.
const ROW_GAP: f64 = 32.0;
/// How wide the loop of a box is at its right side, without its name.
const LOOP_WIDTH: f64 = 30.0;
/// How many bends arrows may have in all before they are drawn straight.
const MOST_BENDS: usize = 40_000;

/// What stands in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A box.
    Box(usize),
    /// The name of an arrow, or the position where an arrow between boxes of one row turns.
    Name(usize),
    /// A position that an arrow passes.
    Bend,
}

/// The rows, and what is connected in neighbouring rows.
struct Grid {
    /// What there is.
    items: Vec<Item>,
    /// How much room each needs.
    sizes: Vec<Size>,
    /// For each item, connected ones in the row above.
    above: Vec<Vec<usize>>,
    /// For each item, connected ones in the row below.
    below: Vec<Vec<usize>>,
    /// The rows, each from left to right: boxes in even ones, names in odd ones.
    rows: Vec<Vec<usize>>,
    /// For each arrow, its items from the upper box to the lower one, both left out; empty for a loop or an arrow drawn straight.
    chains: Vec<Vec<usize>>,
}

impl Grid {
    fn add(&mut self, row: usize, item: Item, size: Size) -> usize {
        let number = self.items.len();
        self.items.push(item);
        self.sizes.push(size);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.rows[row].push(number);
        number
    }

    fn connect(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    fn of(boxes: &[Size], links: &[Link], ranks: &[usize]) -> Grid {
        let height = ranks.iter().max().map_or(0, |last| 2 * (last + 1));
        let mut grid = Grid {
            items: Vec::new(),
            sizes: Vec::new(),
            above: Vec::new(),
            below: Vec::new(),
            rows: vec![Vec::new(); height],
            chains: vec![Vec::new(); links.len()],
        };
        let loops = loop_sizes(boxes.len(), links);
        for (number, (size, own)) in boxes.iter().zip(&loops).enumerate() {
            let size = Size {
                width: size.width + own.width,
                height: size.height.max(own.height),
            };
            grid.add(2 * ranks[number], Item::Box(number), size);
        }
        let mut bends = 0;
        for (number, link) in links.iter().enumerate() {
            if link.from == link.to {
                continue;
            }
            let (first, last) = ordered(ranks[link.from], ranks[link.to]);
            bends += 2 * (last - first);
            if bends <= MOST_BENDS {
                grid.lead(number, link, first, last, ranks);
            }
        }
        grid
    }

    /// Makes the items of an arrow.
    fn lead(&mut self, number: usize, link: &Link, first: usize, last: usize, ranks: &[usize]) {
        if first == last {
            let name = self.add(2 * first + 1, Item::Name(number), link.label);
            self.connect(link.from, name);
            self.connect(link.to, name);
            self.chains[number].push(name);
            return;
        }
        let (upper, lower) = if ranks[link.from] == first {
            (link.from, link.to)
        } else {
            (link.to, link.from)
        };
        let middle = 2 * ((first + last - 1) / 2) + 1;
        let mut previous = upper;
        for row in 2 * first + 1..2 * last {
            let item = if row == middle {
                self.add(row, Item::Name(number), link.label)
            } else {
                self.add(row, Item::Bend, Size::default())
            };
            self.connect(previous, item);
            self.chains[number].push(item);
            previous = item;
        }
        self.connect(previous, lower);
    }
}

/// For each box, the room that its loops need.
fn loop_sizes(boxes: usize, links: &[Link]) -> Vec<Size> {
    let mut loops = vec![Size::default(); boxes];
    for link in links.iter().filter(|link| link.from == link.to) {
        let own = &mut loops[link.from];
        own.width = own.width.max(LOOP_WIDTH + link.label.width);
        own.height += link.label.height;
    }
    loops
}

fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

/// Draws boxes and arrows; runs begin in the boxes `starts`. Rows that would be wider than `widest` are broken. Every arrow must begin and
/// end in a box that there is; one that does not is left out.
pub fn layered(boxes: &[Size], links: &[Link], starts: &[usize], widest: f64) -> Drawing {
    let inside: Vec<Link> = links
        .iter()
        .map(|link| Link {
            from: link.from.min(boxes.len().saturating_sub(1)),
            to: link.to.min(boxes.len().saturating_sub(1)),
            ..*link
        })
        .collect();
    if boxes.is_empty() {
        return Drawing {
            routes: vec![Route::default(); links.len()],
            ..Drawing::default()
        };
    }
    let ranks = ranks::ranks(boxes, &inside, starts, widest);
    let mut grid = Grid::of(boxes, &inside, &ranks);
    order::reduce_crossings(&mut grid);
    let centres = coordinates::assign(&grid);
    routes::draw(boxes, &inside, ranks, &grid, &centres)
}
