//! K* as Weka 3.9.7 computes it, faults included, for those who compare with it.
//!
//! It differs from the paper: symbols are replaced evenly by any declared value; scales are
//! searched between bounds of which the lower is absolute (so the unit of an attribute matters) and
//! to within a hundredth of an instance; a missing query value raises what was multiplied so far to
//! a power, again after every later attribute (so the order of columns matters). The same probes
//! are made in the same order here; what they find is taken from [`Levels`], and computed outright
//! only where a decision would be closer than those are exact.

use super::entropic::{Group, Groups};
use super::levels::Levels;
use super::line::{Line, Place};
use super::rules::Lacking;
use super::sphere::effective;
use super::stored::{Numbers, Symbols};
use super::term::Term;

mod entropy;

/// The gentlest scale, and of symbols the least probability of staying.
const LOW: f64 = 0.005;
/// The largest probability of staying a symbol.
const HIGH: f64 = 0.995;
/// A search ends when this near to the number of instances asked for.
const NEAR: f64 = 0.01;
/// Probes of a search for the scale of a number, and of a symbol.
const NUMBER_PROBES: usize = 41;
const SYMBOL_PROBES: usize = 40;
/// Distances that differ by less are the same.
const TIE: f64 = 1e-5;
/// Queries whose probes are read from the same levels.
const TOGETHER: usize = 1024;

/// Below this logarithm Weka's products of plain numbers lose digits, then vanish.
pub const UNDERFLOW: f64 = -700.0;

/// By how much each known attribute's term is raised in all, in order of columns; none where the
/// query knows everything.
///
/// Weka raises the running product to `A / (A - k)` after each known attribute, `k` being the
/// unknown ones so far and `A` all attributes with the class.
pub fn powers(known: &[bool]) -> Option<Vec<f64>> {
    if known.iter().all(|known| *known) {
        return None;
    }
    let all = known.len() as f64 + 1.0;
    let mut missing = 0.0;
    let steps: Vec<f64> = known
        .iter()
        .map(|&known| {
            if known {
                all / (all - missing)
            } else {
                missing += 1.0;
                1.0
            }
        })
        .collect();
    let mut power = 1.0;
    let mut powers = vec![1.0; known.len()];
    for (at, step) in steps.iter().enumerate().rev() {
        power *= step;
        powers[at] = power;
    }
    Some(powers)
}

/// The terms of sorted query values.
pub fn numbers(
    stored: &Numbers,
    sorted: &[f64],
    blend: f64,
    lacking: Lacking,
    groups: Option<&Groups>,
) -> Vec<Term> {
    let line = &stored.line;
    if line.points.is_empty() {
        // Unknown in every stored row: a missing value has probability 1, whatever the rule.
        let silent = |&value: &f64| Term::Number {
            value,
            offset: 0.0,
            rate: 0.0,
            missing: 0.0,
        };
        return sorted.iter().map(silent).collect();
    }
    let shuffled = groups
        .and_then(Groups::first)
        .map(|group| shuffled(&group.of));
    let group = groups.and_then(Groups::first);
    let mut terms = Vec::with_capacity(sorted.len());
    for queries in sorted.chunks(TOGETHER) {
        let places: Vec<Place> = queries.iter().map(|&value| line.place(value)).collect();
        let mut levels = line
            .measures()
            .then(|| Levels::new(line, &places, 2.0 * LOW));
        for (query, &value) in queries.iter().enumerate() {
            let Some(near) = Near::of(stored, value, places[query].left) else {
                terms.push(Term::Number {
                    value,
                    offset: 0.0,
                    rate: 2.0,
                    missing: 0.0,
                });
                continue;
            };
            let scale = match (group, &shuffled) {
                (Some(group), Some(shuffled)) => {
                    entropy::number_scale(stored, value, near.gap, group, shuffled)
                }
                _ => {
                    let mut search = Search {
                        line,
                        value,
                        levels: levels.as_mut(),
                        query,
                    };
                    search.scale(&near, blend)
                }
            };
            terms.push(Term::Number {
                value,
                offset: scale.ln(),
                rate: 2.0 * scale,
                missing: missing_number(stored, value, scale, lacking),
            });
        }
    }
    terms
}

fn missing_number(stored: &Numbers, value: f64, scale: f64, lacking: Lacking) -> f64 {
    let line = &stored.line;
    match lacking {
        _ if stored.complete => 0.0,
        Lacking::Ignore => f64::NEG_INFINITY,
        Lacking::None => 0.0,
        Lacking::Maximal => (scale.ln() - 2.0 * scale * line.furthest(value)).min(0.0),
        Lacking::Average => {
            let sum: f64 = line
                .points
                .iter()
                .zip(&line.masses)
                .map(|(point, mass)| mass * (-2.0 * scale * (point - value).abs()).exp())
                .sum();
            scale.ln() + (sum / line.total).ln()
        }
    }
}

/// The smallest distance, how many rows are at it, and how much further the next one is.
struct Near {
    count: f64,
    gap: f64,
}

impl Near {
    /// None if all distances are the same, to within the tolerance.
    fn of(stored: &Numbers, value: f64, left: usize) -> Option<Self> {
        match Self::from_line(&stored.line, value, left) {
            Some(found) => found,
            None => Self::in_row_order(stored, value),
        }
    }

    /// From the sorted values, if no distance is so near another that the order of rows decides
    /// what counts as a tie: none then.
    fn from_line(line: &Line, value: f64, left: usize) -> Option<Option<Self>> {
        let (mut below, mut above) = (left as isize, left + 1);
        let mut step = || {
            let to_left = usize::try_from(below)
                .ok()
                .map(|i| (value - line.points[i]).abs());
            let to_right = line.points.get(above).map(|point| (point - value).abs());
            match (to_left, to_right) {
                (Some(a), b) if b.is_none_or(|b| a <= b) => {
                    below -= 1;
                    Some((a, line.masses[(below + 1) as usize]))
                }
                (_, Some(b)) => {
                    above += 1;
                    Some((b, line.masses[above - 1]))
                }
                _ => None,
            }
        };
        let (least, mut count) = step()?;
        while let Some((distance, mass)) = step() {
            match distance - least {
                gap if gap < TIE * 0.01 => count += mass,
                gap if gap < TIE * 10.0 => return None,
                gap => return Some(Some(Self { count, gap })),
            }
        }
        Some(None)
    }

    /// Weka's one pass over the rows: a value enters only if it is clearly below the second
    /// smallest so far.
    fn in_row_order(stored: &Numbers, value: f64) -> Option<Self> {
        let (mut least, mut next): (Option<f64>, Option<f64>) = (None, None);
        let mut count = 0.0;
        for distance in stored.values.iter().map(|x| (x - value).abs()) {
            if distance.is_nan() || next.is_some_and(|next| distance + TIE >= next) {
                continue;
            }
            match least {
                Some(known) if distance + TIE >= known => {
                    if (distance - known).abs() < TIE {
                        count += 1.0;
                    } else {
                        next = Some(distance);
                    }
                }
                _ => {
                    (next, least, count) = (least, Some(distance), 1.0);
                }
            }
        }
        Some(Self {
            count,
            gap: next? - least?,
        })
    }
}

/// A search for the scale of one number.
struct Search<'a, 'l> {
    line: &'a Line,
    value: f64,
    levels: Option<&'l mut Levels<'a>>,
    query: usize,
}

impl Search<'_, '_> {
    fn outright(&self, scale: f64) -> f64 {
        let distances: Vec<f64> = self
            .line
            .points
            .iter()
            .map(|point| (point - self.value).abs())
            .collect();
        effective(&distances, &self.line.masses, 2.0 * scale)
    }

    /// The effective number less the number aimed at; exact where it lies near one of the borders.
    fn excess(&mut self, scale: f64, aim: f64, borders: &[f64]) -> f64 {
        let margin = 1e-7 * self.line.total + 1e-6;
        if let Some(levels) = &mut self.levels
            && let Some(found) = levels.effective_at(self.query, 2.0 * scale)
        {
            let excess = found - aim;
            if borders
                .iter()
                .all(|border| (excess.abs() - border).abs() > margin)
            {
                return excess;
            }
        }
        self.outright(scale) - aim
    }

    fn scale(&mut self, near: &Near, blend: f64) -> f64 {
        let mut aim = near.count + (self.line.total - near.count) * blend;
        if blend == 0.0 {
            aim += 1.0;
        }
        let first = 1.0 / near.gap;
        let (mut low, mut high) = (LOW, 16.0 * first);
        if self.excess(low, aim, &[0.0]) < 0.0 {
            return low;
        }
        if self.excess(high, aim, &[0.0]) > 0.0 {
            return high;
        }
        let mut probe = first;
        let mut best = (f64::INFINITY, probe);
        for _ in 0..NUMBER_PROBES {
            let excess = self.excess(probe, aim, &[0.0, NEAR]);
            if excess.abs() < best.0 {
                best = (excess.abs(), probe);
            }
            if excess.abs() <= NEAR {
                return probe;
            }
            if excess > 0.0 {
                low = probe;
            } else {
                high = probe;
            }
            probe = 0.5 * (low + high);
        }
        best.1
    }
}

/// The term of a symbol.
pub fn symbol(
    stored: &Symbols,
    own: Option<u32>,
    blend: f64,
    lacking: Lacking,
    groups: Option<&Groups>,
) -> Term {
    let labels = stored.frequencies.len() as f64;
    let same = own.map_or(0.0, |code| stored.frequencies[code as usize] * stored.total);
    let other = stored.total - same;
    let chances = |stay: f64| (stay + (1.0 - stay) / labels, (1.0 - stay) / labels);
    let group = groups.and_then(Groups::first);
    let mut least_known = true;
    let stay = if stored.total <= 0.0 {
        1.0
    } else if let Some(group) = group {
        entropy::symbol_stay(stored, own, group, &shuffled(&group.of))
    } else {
        let aim = same + other * blend;
        let effective = |stay: f64| {
            let (p, q) = chances(stay);
            let sum = same * p + other * q;
            sum * sum / (same * p * p + other * q * q)
        };
        if effective(HIGH) > aim {
            least_known = false;
            HIGH
        } else {
            search_symbol(aim, 1.0 - blend, effective)
        }
    };
    let (p, q) = chances(stay);
    let missing: f64 = match lacking {
        Lacking::Ignore => 0.0,
        Lacking::None => 1.0,
        Lacking::Maximal if !least_known => 0.0,
        Lacking::Maximal => (if other > 0.0 { q } else { p }).min(1.0),
        Lacking::Average if stored.total <= 0.0 => 0.0,
        Lacking::Average => (same * p + other * q) / stored.total,
    };
    Term::Symbol {
        own,
        same: p.ln(),
        change: q.ln(),
        frequencies: false,
        missing: missing.ln(),
    }
}

fn search_symbol(aim: f64, first: f64, effective: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (LOW, HIGH);
    let mut probe = first;
    for _ in 1..SYMBOL_PROBES {
        let excess = effective(probe) - aim;
        if excess.abs() <= NEAR {
            break;
        }
        if excess > 0.0 {
            low = probe;
        } else {
            high = probe;
        }
        probe = 0.5 * (low + high);
    }
    probe
}

/// Five shuffles of the groups of rows, as Java's generator of seed 42 makes them.
fn shuffled(groups: &[Option<u32>]) -> Vec<Vec<Option<u32>>> {
    let mut generator = JavaRandom::new(42);
    (0..entropy::SHUFFLES)
        .map(|_| {
            let mut shuffled = groups.to_vec();
            for last in (1..shuffled.len()).rev() {
                let other = (generator.unit() * last as f64) as usize;
                shuffled.swap(last, other);
            }
            shuffled
        })
        .collect()
}

/// The generator of `java.util.Random`: a linear congruence of 48 bits, as its documentation has
/// it.
struct JavaRandom(u64);

impl JavaRandom {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const MASK: u64 = (1 << 48) - 1;

    fn new(seed: u64) -> Self {
        Self((seed ^ Self::MULTIPLIER) & Self::MASK)
    }

    fn bits(&mut self, count: u32) -> u64 {
        self.0 = (self.0.wrapping_mul(Self::MULTIPLIER).wrapping_add(11)) & Self::MASK;
        self.0 >> (48 - count)
    }

    /// A number from 0 up to 1.
    fn unit(&mut self) -> f64 {
        let high = self.bits(26) << 27;
        (high + self.bits(27)) as f64 / (1u64 << 53) as f64
    }
}

/// Groups of rows that know the attribute, with a probability each.
fn entropies<'a>(
    probabilities: impl Iterator<Item = (usize, f64)> + Clone + 'a,
    group: &Group,
    shuffled: &[Vec<Option<u32>>],
) -> (f64, f64) {
    let of = |groups: &[Option<u32>]| {
        let mut masses = vec![0.0; group.count];
        let mut total = 0.0;
        for (row, probability) in probabilities.clone() {
            if let Some(group) = groups[row] {
                masses[group as usize] += probability;
            }
            total += probability;
        }
        entropy::bits(&masses, total)
    };
    let random: f64 = shuffled.iter().map(|groups| of(groups)).sum();
    (of(&group.of), random / shuffled.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_javas() {
        // Random(42).nextDouble(), three times.
        let mut generator = JavaRandom::new(42);
        let found = [generator.unit(), generator.unit(), generator.unit()];
        for (found, expected) in found
            .iter()
            .zip([0.727_563_612, 0.683_223_420, 0.308_719_455])
        {
            assert!((found - expected).abs() < 1e-6, "{found}");
        }
    }

    #[test]
    fn powers_compound_and_depend_on_the_order() {
        assert_eq!(powers(&[true, true]), None);
        // A = 4: after the second attribute, unknown, the third raises what there is to 4 / 3.
        let found = powers(&[true, false, true]).unwrap();
        assert!((found[0] - 4.0 / 3.0).abs() < 1e-12 && (found[2] - 4.0 / 3.0).abs() < 1e-12);
        assert_eq!(powers(&[true, true, false]).unwrap()[..2], [1.0, 1.0]);
        let twice = powers(&[false, true, true]).unwrap();
        assert!((twice[1] - 16.0 / 9.0).abs() < 1e-12, "{twice:?}");
    }
}
