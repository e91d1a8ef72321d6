//! Curves with fewer points and the same shape.
//!
//! The point furthest from the line between its neighbours that are kept is kept next, until none
//! is further than the eye can tell or enough are kept.
//!
//! Reference: D. Douglas, T. Peucker, Algorithms for the reduction of the number of points required
//! to represent a digitized line or its caricature, Cartographica 10(2), 1973; here the furthest of
//! all segments comes first, so that a limit on points cuts the least.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How far a point left out may be from the curve, where both axes go from 0 to 1: less than a
/// pixel of any picture.
pub(super) const TOLERANCE: f64 = 1e-3;

/// The stretch of a curve between two points that are kept, with the point between that is furthest
/// from their line.
struct Stretch {
    apart: f64,
    from: usize,
    furthest: usize,
    to: usize,
}

impl Ord for Stretch {
    fn cmp(&self, other: &Self) -> Ordering {
        // The first of equals is the greatest.
        let further = self.apart.total_cmp(&other.apart);
        further.then(other.from.cmp(&self.from))
    }
}

impl PartialOrd for Stretch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Stretch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Stretch {}

/// At most `most` of the points, the first and the last among them.
pub(super) fn thinned<P: Copy>(
    points: Vec<P>,
    place: impl Fn(&P) -> (f64, f64),
    most: usize,
) -> Vec<P> {
    if points.len() < 3 {
        return points;
    }
    let places: Vec<(f64, f64)> = points.iter().map(place).collect();
    let last = points.len() - 1;
    let mut kept = vec![0, last];
    let mut open: BinaryHeap<Stretch> = stretch(&places, 0, last).into_iter().collect();
    while kept.len() < most {
        let Some(widest) = open.pop().filter(|widest| widest.apart > TOLERANCE) else {
            break;
        };
        kept.push(widest.furthest);
        open.extend(stretch(&places, widest.from, widest.furthest));
        open.extend(stretch(&places, widest.furthest, widest.to));
    }
    kept.sort_unstable();
    kept.into_iter().map(|position| points[position]).collect()
}

fn stretch(places: &[(f64, f64)], from: usize, to: usize) -> Option<Stretch> {
    let mut widest: Option<Stretch> = None;
    for furthest in from + 1..to {
        let apart = distance(places[furthest], places[from], places[to]);
        if widest.as_ref().is_none_or(|widest| apart > widest.apart) {
            widest = Some(Stretch {
                apart,
                from,
                furthest,
                to,
            });
        }
    }
    widest
}

/// The distance of a point from a stretch of line.
pub(super) fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let along = (to.0 - from.0, to.1 - from.1);
    let away = (point.0 - from.0, point.1 - from.1);
    let square = along.0 * along.0 + along.1 * along.1;
    let share = match square > 0.0 {
        true => ((away.0 * along.0 + away.1 * along.1) / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    (away.0 - share * along.0).hypot(away.1 - share * along.1)
}
