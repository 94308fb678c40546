//! Curves: every arrow leaves its box at a position of its own and runs from row to row without a corner.

use super::{Drawing, Grid, Item, LOOP_WIDTH, Link, MARGIN, Point, ROW_GAP, Route, Size};

/// The side of a box.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Top,
    Bottom,
}

/// Where rows begin and end, from top to bottom.
struct Rows {
    tops: Vec<f64>,
    bottoms: Vec<f64>,
}

impl Rows {
    fn of(grid: &Grid) -> Rows {
        let mut rows = Rows {
            tops: Vec::new(),
            bottoms: Vec::new(),
        };
        let mut at = MARGIN;
        for row in &grid.rows {
            let heights = row.iter().map(|&item| grid.sizes[item].height);
            let height = heights.fold(0.0, f64::max);
            rows.tops.push(at);
            rows.bottoms.push(at + height);
            at += height + ROW_GAP;
        }
        rows
    }
}

struct Plan<'a> {
    boxes: &'a [Size],
    grid: &'a Grid,
    rows: Rows,
    /// For each item, the middle from left to right, in the drawing.
    centres: Vec<f64>,
    /// For each item, its row.
    row_of: Vec<usize>,
    corners: Vec<Point>,
}

pub(super) fn draw(
    boxes: &[Size],
    links: &[Link],
    ranks: Vec<usize>,
    grid: &Grid,
    centres: &[f64],
) -> Drawing {
    let left_of = |item: usize| centres[item] - grid.sizes[item].width / 2.0;
    let items = 0..grid.items.len();
    let least = items.clone().map(left_of).fold(f64::INFINITY, f64::min);
    let centres: Vec<f64> = centres.iter().map(|at| at - least + MARGIN).collect();
    let width = items
        .map(|item| centres[item] + grid.sizes[item].width / 2.0)
        .fold(0.0, f64::max);
    let rows = Rows::of(grid);
    let mut row_of = vec![0; grid.items.len()];
    for (row, items) in grid.rows.iter().enumerate() {
        for &item in items {
            row_of[item] = row;
        }
    }
    let corners: Vec<Point> = boxes
        .iter()
        .enumerate()
        .map(|(number, size)| {
            let row = row_of[number];
            let room = rows.bottoms[row] - rows.tops[row];
            Point {
                x: centres[number] - grid.sizes[number].width / 2.0,
                y: rows.tops[row] + (room - size.height) / 2.0,
            }
        })
        .collect();
    // The last row has names of arrows only where boxes of the last but one are connected.
    let last = grid.rows.iter().rposition(|row| !row.is_empty());
    let bottom = last.map_or(0.0, |row| rows.bottoms[row]);
    let plan = Plan {
        boxes,
        grid,
        rows,
        centres,
        row_of,
        corners,
    };
    let routes = plan.routes(links, &ranks);
    Drawing {
        size: Size {
            width: width + MARGIN,
            height: bottom + MARGIN,
        },
        corners: plan.corners,
        ranks,
        routes,
    }
}

impl Plan<'_> {
    fn routes(&self, links: &[Link], ranks: &[usize]) -> Vec<Route> {
        let ports = self.ports(links, ranks);
        let mut loops = vec![0.0; self.boxes.len()];
        links
            .iter()
            .enumerate()
            .map(|(number, link)| {
                if link.from == link.to {
                    return self.loop_at(link, &mut loops[link.from]);
                }
                let (start, end) = ports[number];
                let chain = &self.grid.chains[number];
                if ranks[link.from] == ranks[link.to] {
                    return match chain.as_slice() {
                        [name] => self.turn(start, *name, end),
                        _ => straight(start, end),
                    };
                }
                self.run(start, chain, end, ranks[link.from] > ranks[link.to])
            })
            .collect()
    }

    /// Where each arrow begins and ends: the ends at one side of a box are spread over it, in the order of what they lead to.
    fn ports(&self, links: &[Link], ranks: &[usize]) -> Vec<(Point, Point)> {
        // For each box and side: towards where, which arrow, and whether it begins there.
        let mut sides: Vec<[Vec<(f64, usize, bool)>; 2]> =
            vec![[Vec::new(), Vec::new()]; self.boxes.len()];
        for (number, link) in links.iter().enumerate() {
            if link.from == link.to {
                continue;
            }
            let chain = &self.grid.chains[number];
            let is_upward = ranks[link.from] > ranks[link.to];
            let (first, last) = (chain.first().copied(), chain.last().copied());
            let (after, before) = if is_upward {
                (last, first)
            } else {
                (first, last)
            };
            let (leaves, enters) = match (ranks[link.from] == ranks[link.to], is_upward) {
                (true, _) => (Side::Bottom, Side::Bottom),
                (false, true) => (Side::Top, Side::Bottom),
                (false, false) => (Side::Bottom, Side::Top),
            };
            let towards = self.centres[after.unwrap_or(link.to)];
            sides[link.from][leaves as usize].push((towards, number, true));
            let towards = self.centres[before.unwrap_or(link.from)];
            sides[link.to][enters as usize].push((towards, number, false));
        }
        let mut ports = vec![(Point::default(), Point::default()); links.len()];
        for (index, both) in sides.iter_mut().enumerate() {
            for (side, ends) in [Side::Top, Side::Bottom].into_iter().zip(both) {
                ends.sort_by(|left, right| left.0.total_cmp(&right.0));
                let step = self.boxes[index].width / (as_float(ends.len()) + 1.0);
                let mut x = self.corners[index].x;
                let y = match side {
                    Side::Top => self.corners[index].y,
                    Side::Bottom => self.corners[index].y + self.boxes[index].height,
                };
                for &(_, number, begins) in ends.iter() {
                    x += step;
                    let port = if begins {
                        &mut ports[number].0
                    } else {
                        &mut ports[number].1
                    };
                    *port = Point { x, y };
                }
            }
        }
        ports
    }

    /// A loop at the right side of a box; `used` is the height that earlier ones have taken.
    fn loop_at(&self, link: &Link, used: &mut f64) -> Route {
        let size = self.boxes[link.from];
        let corner = self.corners[link.from];
        let right = corner.x + size.width;
        let total = self.grid.sizes[link.from].height.max(size.height);
        let top = corner.y + (size.height - total) / 2.0;
        let height = link.label.height.max(20.0);
        let y = if *used == 0.0 && total <= size.height {
            corner.y + size.height / 2.0
        } else {
            top + *used + height / 2.0
        };
        *used += height;
        let spread = (size.height / 4.0).min(9.0);
        let y_at_box = y.clamp(corner.y + spread, corner.y + size.height - spread);
        Route {
            points: vec![
                Point {
                    x: right,
                    y: y_at_box - spread,
                },
                Point {
                    x: right + LOOP_WIDTH,
                    y: y_at_box - 2.0 * spread,
                },
                Point {
                    x: right + LOOP_WIDTH,
                    y: y_at_box + 2.0 * spread,
                },
                Point {
                    x: right,
                    y: y_at_box + spread,
                },
            ],
            label: Point {
                x: right + LOOP_WIDTH - 4.0 + link.label.width / 2.0,
                y,
            },
        }
    }

    /// An arrow between boxes of one row: down to its name, and up again.
    fn turn(&self, start: Point, name: usize, end: Point) -> Route {
        let row = self.row_of[name];
        let low = f64::midpoint(self.rows.tops[row], self.rows.bottoms[row]);
        let middle = Point {
            x: self.centres[name],
            y: low,
        };
        let below = |point: Point| Point { x: point.x, y: low };
        Route {
            points: vec![start, below(start), middle, middle, middle, below(end), end],
            label: middle,
        }
    }

    /// An arrow through the rows between its boxes: straight down between boxes, and past its name in one sweep.
    fn run(&self, start: Point, chain: &[usize], end: Point, is_upward: bool) -> Route {
        let mut stations = vec![Station::upright(start)];
        let mut label = Point {
            x: f64::midpoint(start.x, end.x),
            y: f64::midpoint(start.y, end.y),
        };
        let mut pass = |item: usize| {
            let row = self.row_of[item];
            let x = self.centres[item];
            let (top, bottom) = (self.rows.tops[row], self.rows.bottoms[row]);
            let middle = Point {
                x,
                y: f64::midpoint(top, bottom),
            };
            if matches!(self.grid.items[item], Item::Name(_)) {
                label = middle;
            }
            if row % 2 == 1 {
                stations.push(Station {
                    point: middle,
                    is_upright: false,
                });
                return;
            }
            let (first, second) = if is_upward {
                (bottom, top)
            } else {
                (top, bottom)
            };
            stations.push(Station::upright(Point { x, y: first }));
            stations.push(Station::upright(Point { x, y: second }));
        };
        if is_upward {
            chain.iter().rev().for_each(|&item| pass(item));
        } else {
            chain.iter().for_each(|&item| pass(item));
        }
        stations.push(Station::upright(end));
        Route {
            points: curve(&stations),
            label,
        }
    }
}

/// A point that a curve goes through.
struct Station {
    point: Point,
    /// Whether the curve is upright there.
    is_upright: bool,
}

impl Station {
    fn upright(point: Point) -> Station {
        Station {
            point,
            is_upright: true,
        }
    }
}

/// How much a curve goes to the side for each step up or down at a station: in the middle of what comes before and after, and never
/// beyond either (the tangents of Fritsch and Carlson's monotone interpolation, simplified).
fn lean(stations: &[Station], index: usize) -> f64 {
    let here = &stations[index];
    if here.is_upright || index == 0 || index + 1 == stations.len() {
        return 0.0;
    }
    let slope = |from: Point, to: Point| {
        let rise = to.y - from.y;
        if rise == 0.0 {
            0.0
        } else {
            (to.x - from.x) / rise
        }
    };
    let before = slope(stations[index - 1].point, here.point);
    let after = slope(here.point, stations[index + 1].point);
    if before * after <= 0.0 {
        return 0.0;
    }
    let gentler = before.abs().min(after.abs());
    before.signum() * f64::midpoint(before.abs(), after.abs()).min(2.0 * gentler)
}

fn curve(stations: &[Station]) -> Vec<Point> {
    let mut points = vec![stations[0].point];
    for (index, pair) in stations.windows(2).enumerate() {
        let (from, to) = (pair[0].point, pair[1].point);
        let rise = (to.y - from.y) / 2.5;
        points.extend([
            Point {
                x: from.x + lean(stations, index) * rise,
                y: from.y + rise,
            },
            Point {
                x: to.x - lean(stations, index + 1) * rise,
                y: to.y - rise,
            },
            to,
        ]);
    }
    points
}

fn straight(start: Point, end: Point) -> Route {
    Route {
        points: vec![start, start, end, end],
        label: Point {
            x: f64::midpoint(start.x, end.x),
            y: f64::midpoint(start.y, end.y),
        },
    }
}

fn as_float(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
