//! Prototypes of numbers: a group's is its median, and nothing but a sweep over the numbers in
//! order is needed.

use super::reaches;
use super::select::{Chosen, best_first, least};
use crate::tree::code::UNKNOWN;
use crate::tree::presort::{Entry, row_of};
use crate::tree::propose::{Candidate, Division, Problem};
use crate::tree::region::Region;
use crate::tree::response::{Grouping, Response};
use crate::tree::test::Cells;
use kinwood_learning::random::Generator;

/// The best prototypes of an input, its examples being in order.
pub fn of_numbers<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    list: &[Entry],
    groups: &Grouping,
    number: impl Fn(usize) -> f64,
) -> Option<Candidate> {
    if list.len() < 2 {
        return None;
    }
    let numbers: Vec<f64> = list.iter().map(|&entry| number(row_of(entry))).collect();
    if numbers[0] == numbers[numbers.len() - 1] {
        return None;
    }
    let sweep = Sweep {
        problem,
        region,
        input,
        list,
        numbers: &numbers,
        groups,
    };
    let lines = sweep.lines();
    let weights: Vec<f64> = lines.iter().map(|line| line.weight).collect();
    let rules = &problem.rules.prototypes;
    let Some(draws) = rules.draws else {
        let chosen = best_first(&weights, rules.most, |group, taken: &[Chosen<f64>]| {
            sweep.candidate(group, &lines[group], taken)
        });
        return sweep.divided(chosen, &weights);
    };
    let mut random = problem.random(region, 0x7072_6f74 ^ (input as u64) << 32);
    let drawn = (0..draws).filter_map(|_| {
        let chosen = sweep.drawn(&weights, rules.most, &mut random);
        sweep.divided(chosen, &weights)
    });
    drawn.reduce(|best, other| {
        if other.spread < best.spread {
            other
        } else {
            best
        }
    })
}

/// A number with the weight and the sum of its group up to and with it.
#[derive(Clone, Copy, Debug)]
struct Point {
    number: f64,
    /// As far above the least number of all: sums of such numbers keep their digits.
    above: f64,
    weight: f64,
    sum: f64,
}

/// A group along the numbers: its lower median, and the numbers of it next to that.
#[derive(Clone, Debug, Default)]
struct Line {
    weight: f64,
    sum: f64,
    before: Option<Point>,
    median: Option<Point>,
    after: Option<Point>,
}

impl Line {
    /// The mean distance of a point to all numbers of the group.
    fn mean(&self, point: &Point) -> f64 {
        let below = point.above * point.weight - point.sum;
        let above = (self.sum - point.sum) - point.above * (self.weight - point.weight);
        ((below + above) / self.weight).max(0.0)
    }

    fn close(&mut self, point: Point) {
        // Half the weight, but for rounding in the sum.
        let half = self.weight * (0.5 - 1e-12);
        match (&self.median, &self.after) {
            (None, _) if point.weight >= half => self.median = Some(point),
            (None, _) => self.before = Some(point),
            (Some(_), None) => self.after = Some(point),
            _ => {}
        }
    }
}

/// A region's examples in the order of an input's numbers.
struct Sweep<'a, 'p, R: Response> {
    problem: &'a Problem<'p, R>,
    region: &'a Region<R>,
    input: usize,
    list: &'a [Entry],
    numbers: &'a [f64],
    groups: &'a Grouping,
}

impl<R: Response> Sweep<'_, '_, R> {
    fn each(&self) -> impl Iterator<Item = (usize, f64)> {
        self.list
            .iter()
            .zip(self.numbers)
            .map(|(&entry, &number)| (row_of(entry), number))
    }

    /// A number that begins a group, or follows others of it.
    fn point(&self, number: f64, before: Option<Point>) -> Point {
        let (weight, sum) = before.map_or((0.0, 0.0), |before| (before.weight, before.sum));
        Point {
            number,
            above: number - self.numbers[0],
            weight,
            sum,
        }
    }

    fn lines(&self) -> Vec<Line> {
        let mut lines = vec![Line::default(); self.groups.count];
        for (place, number) in self.each() {
            let group = self.groups.of[place];
            if group != UNKNOWN {
                let (line, weight) = (&mut lines[group as usize], self.region.weight(place));
                line.weight += weight;
                line.sum += weight * (number - self.numbers[0]);
            }
        }
        let mut open: Vec<Option<Point>> = vec![None; self.groups.count];
        for (place, number) in self.each() {
            let group = self.groups.of[place];
            if group == UNKNOWN {
                continue;
            }
            let line = &mut lines[group as usize];
            if line.after.is_some() {
                continue;
            }
            let weight = self.region.weight(place);
            let open = &mut open[group as usize];
            let mut point = open.unwrap_or_else(|| self.point(number, None));
            if point.number < number {
                line.close(point);
                point = self.point(number, Some(point));
            }
            point.weight += weight;
            point.sum += weight * point.above;
            *open = Some(point);
        }
        for (line, point) in lines.iter_mut().zip(open) {
            if let Some(point) = point.filter(|_| line.after.is_none()) {
                line.close(point);
            }
        }
        lines
    }

    /// The best number of a group that is not taken: what lies next to the median is next best, for
    /// the mean distance falls towards it.
    fn candidate(&self, group: usize, line: &Line, taken: &[Chosen<f64>]) -> Option<(f64, f64)> {
        let free = |point: &Point| taken.iter().all(|other| other.value != point.number);
        let found = |point: &Point| (point.number, line.mean(point));
        let median = line.median.as_ref()?;
        if free(median) {
            return Some(found(median));
        }
        let beside = [&line.before, &line.after];
        if beside.iter().all(|point| point.as_ref().is_none_or(free)) {
            return least(beside.into_iter().flatten().map(found));
        }
        let points = self.points(group);
        least(points.iter().filter(|point| free(point)).map(found))
    }

    /// All numbers of a group, rising.
    fn points(&self, group: usize) -> Vec<Point> {
        let mut points: Vec<Point> = Vec::new();
        let own = self
            .each()
            .filter(|(place, _)| self.groups.of[*place] as usize == group);
        for (place, number) in own {
            let weight = self.region.weight(place);
            let last = points.last().copied();
            if last.is_none_or(|last| last.number < number) {
                points.push(self.point(number, last));
            }
            if let Some(last) = points.last_mut() {
                last.weight += weight;
                last.sum += weight * last.above;
            }
        }
        points
    }

    /// A number of each of some groups at random.
    fn drawn(&self, weights: &[f64], most: usize, random: &mut Generator) -> Vec<Chosen<f64>> {
        let mut groups: Vec<usize> = (0..weights.len())
            .filter(|&group| weights[group] > 0.0)
            .collect();
        random.shuffle(&mut groups);
        let mut chosen: Vec<Chosen<f64>> = Vec::new();
        for group in groups {
            if chosen.len() == most {
                break;
            }
            let sought = random.unit() * weights[group];
            let points = self.points(group);
            let last = points.len() - 1;
            let point = &points[points
                .partition_point(|point| point.weight <= sought)
                .min(last)];
            let line = Line {
                weight: points[last].weight,
                sum: points[last].sum,
                ..Line::default()
            };
            let value = point.number;
            if chosen.iter().all(|other| other.value != value) {
                chosen.push(Chosen {
                    group,
                    value,
                    mean: line.mean(point),
                });
            }
        }
        chosen
    }

    /// The region divided by prototypes; those that attract nothing are left out.
    fn divided(&self, mut chosen: Vec<Chosen<f64>>, weights: &[f64]) -> Option<Candidate> {
        let rules = &self.problem.rules.prototypes;
        let (cells, sums) = loop {
            if chosen.len() < 2 {
                return None;
            }
            let prototypes: Vec<f64> = chosen.iter().map(|each| each.value).collect();
            let mut cells = if rules.density {
                let groups: Vec<(f64, f64)> = chosen
                    .iter()
                    .map(|each| (weights[each.group], each.mean))
                    .collect();
                let reach = reaches(&groups, between(&prototypes));
                Cells::reaching(prototypes, &reach)
            } else {
                Cells::midway(prototypes)
            };
            if rules.best_boundary {
                self.place_boundaries(&mut cells);
            }
            let (sums, counts) = self.sums(&cells);
            if !counts.contains(&0) {
                break (cells, sums);
            }
            let mut counts = counts.into_iter();
            chosen.retain(|_| counts.next().is_some_and(|count| count > 0));
        };
        let undecided = self.undecided();
        let least = self.problem.rules.least;
        let (spread, shares) = self.problem.spreads_of(&sums, undecided.as_ref(), least)?;
        Some(Candidate {
            input: self.input,
            division: Division::Around(Box::new(cells)),
            spread,
            shares,
            chance: 0.0,
        })
    }

    /// The sums of each branch, and how many examples it has.
    fn sums(&self, cells: &Cells) -> (Vec<R::Summary>, Vec<usize>) {
        let response = &self.problem.response;
        let mut sums = vec![response.empty(); cells.prototypes.len()];
        let mut counts = vec![0; sums.len()];
        let mut cell = 0;
        for (place, number) in self.each() {
            while cells.bounds.get(cell).is_some_and(|bound| number > *bound) {
                cell += 1;
            }
            let branch = cells.branches[cell] as usize;
            let weight = self.region.weight(place);
            response.add(&mut sums[branch], &self.region.local, place, weight);
            counts[branch] += 1;
        }
        (sums, counts)
    }

    fn undecided(&self) -> Option<R::Summary> {
        if self.list.len() == self.region.len() {
            return None;
        }
        let response = &self.problem.response;
        let mut known = vec![false; self.region.len()];
        self.list
            .iter()
            .for_each(|&entry| known[row_of(entry)] = true);
        let mut sum = response.empty();
        for (place, _) in known.iter().enumerate().filter(|(_, known)| !**known) {
            let weight = self.region.weight(place);
            response.add(&mut sum, &self.region.local, place, weight);
        }
        Some(sum)
    }

    /// Moves each boundary between neighbouring cells to where these are least spread, the
    /// prototypes staying in their own.
    fn place_boundaries(&self, cells: &mut Cells) {
        for bound in 0..cells.bounds.len() {
            let of = |cell: usize| cells.prototypes[cells.branches[cell] as usize];
            let (lower, upper) = (of(bound), of(bound + 1));
            let from = bound
                .checked_sub(1)
                .map_or(f64::NEG_INFINITY, |before| cells.bounds[before]);
            let to = cells.bounds.get(bound + 1).copied();
            let to = to.unwrap_or(f64::INFINITY);
            if let Some(best) = self.best_cut((lower, upper), (from, to)) {
                cells.bounds[bound] = best;
            }
        }
    }

    /// The threshold between two prototypes that divides the numbers of a range best; of equal ones
    /// the nearest to the middle.
    fn best_cut(&self, (lower, upper): (f64, f64), (from, to): (f64, f64)) -> Option<f64> {
        let response = &self.problem.response;
        let inside: Vec<(usize, f64)> = self
            .each()
            .filter(|(_, number)| *number > from && *number <= to)
            .collect();
        let mut above = response.empty();
        let mut below = response.empty();
        for (place, _) in &inside {
            let weight = self.region.weight(*place);
            response.add(&mut above, &self.region.local, *place, weight);
        }
        let middle = lower / 2.0 + upper / 2.0;
        let mut best: Option<(f64, f64)> = None;
        for pair in inside.windows(2) {
            let (place, number) = pair[0];
            let next = pair[1].1;
            let weight = self.region.weight(place);
            response.add(&mut below, &self.region.local, place, weight);
            response.remove(&mut above, &self.region.local, place, weight);
            if number == next || number < lower || next > upper {
                continue;
            }
            let spread = response.spread(&below) + response.spread(&above);
            let cut = number / 2.0 + next / 2.0;
            let cut = if cut >= number && cut < next {
                cut
            } else {
                number
            };
            let nearer = |other: f64| (cut - middle).abs() < (other - middle).abs();
            let slack = response.slack();
            if best.is_none_or(|(other, least)| {
                spread < least - slack || (spread <= least + slack && nearer(other))
            }) {
                best = Some((cut, spread));
            }
        }
        best.map(|best| best.0)
    }
}

/// The mean distance between numbers.
fn between(numbers: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (place, a) in numbers.iter().enumerate() {
        sum += numbers[..place].iter().map(|b| (a - b).abs()).sum::<f64>();
    }
    let pairs = numbers.len() * numbers.len().saturating_sub(1) / 2;
    sum / pairs.max(1) as f64
}
