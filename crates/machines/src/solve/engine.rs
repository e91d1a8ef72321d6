//! Sequential minimal optimisation: two coefficients at a time.
//!
//! Of each group whose sum is given, one coefficient rises and one falls by as much, chosen by
//! second-order information, until no pair promises more than the tolerance. Coefficients that seem
//! to stay where they are leave the loops (shrinking); before the end all come back, with gradients
//! computed anew.
//!
//! The steps are valid for matrices with negative eigenvalues too: where a pair's curvature is not
//! positive the step goes to a bound, so that the objective falls with each one and the end is a
//! stationary point.
//!
//! References: J. Platt, Fast training of support vector machines using sequential minimal
//! optimization, 1999; R.-E. Fan, P.-H. Chen, C.-J. Lin, Journal of Machine Learning Research 6,
//! 2005; H.-T. Lin, C.-J. Lin, A study on sigmoid kernels for SVM and the training of non-PSD
//! kernels by SMO-type methods, 2003.

use std::ops::Range;

use super::Limits;
use super::rows::Rows;
use super::sweep::{Change, Extremes, Field, LEAST_CURVATURE, partner, survey};
use crate::{Error, Matrix};

/// How often, at least, coefficients are looked through for those that can be left out.
const SHRINK_EVERY: usize = 1000;

/// Leaving out a smaller share than one in so many is not worth picking all rows anew.
const LEAST_SHARE: usize = 4;

/// How often the caller is asked whether to stop.
const ASK_EVERY: u64 = 16;

/// The share of its range by which a coefficient may miss a bound through rounding.
const NEAR_BOUND: f64 = 1e-12;

/// `minimise 1/2 b' K b + slopes' b + tube * sum |b|` within bounds, the sum of each group given by
/// the start. With a tube, bounds are on either side of zero.
pub(super) struct Problem<'a> {
    pub matrix: &'a dyn Matrix,
    pub slopes: Vec<f64>,
    pub tube: f64,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    pub start: Vec<f64>,
    /// The coefficients of each group: every one in exactly one.
    pub groups: Vec<Vec<usize>>,
}

/// Where the solver ended.
pub(super) struct Optimum {
    pub coefficients: Vec<f64>,
    /// The gradient of each group's free coefficients: the multiplier of its sum.
    pub levels: Vec<f64>,
    pub objective: f64,
    pub iterations: u64,
    pub converged: bool,
}

/// One group's active positions and what the last survey found there.
struct Group {
    range: Range<usize>,
    extremes: Extremes,
    tops: Vec<f64>,
}

impl Group {
    fn gap(&self) -> f64 {
        self.extremes.most - self.extremes.least
    }
}

struct Engine<'a, 'l> {
    problem: Problem<'a>,
    limits: &'l Limits<'l>,
    rows: Rows<'a>,
    active: usize,
    groups: Vec<Group>,
    /// By object.
    coefficients: Vec<f64>,
    // By position: the linear part's derivative is in `gradient` but for the tube, which is in
    // `rise` and `fall` because it depends on the direction.
    gradient: Vec<f64>,
    rise: Vec<f64>,
    fall: Vec<f64>,
    diagonal: Vec<f64>,
    /// The group of each object.
    group_of: Vec<usize>,
    /// The positions that were left out at one time, and all coefficients at that time: their
    /// gradients have not changed since.
    left_out: Vec<(Range<usize>, Vec<f64>)>,
}

/// Solves a problem whose parts have been checked.
pub(super) fn minimise(problem: Problem<'_>, limits: &Limits<'_>) -> Result<Optimum, Error> {
    let mut engine = Engine::new(problem, limits)?;
    let (iterations, converged) = engine.run()?;
    let optimum = engine.finish(iterations, converged);
    let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
    if optimum.objective.is_finite() && finite(&optimum.levels) && finite(&optimum.coefficients) {
        Ok(optimum)
    } else {
        Err(Error::Overflow)
    }
}

impl<'a, 'l> Engine<'a, 'l> {
    fn new(mut problem: Problem<'a>, limits: &'l Limits<'l>) -> Result<Self, Error> {
        let len = problem.matrix.len();
        let order: Vec<usize> = problem.groups.concat();
        let mut group_of = vec![0; len];
        for (group, objects) in problem.groups.iter().enumerate() {
            for &object in objects {
                group_of[object] = group;
            }
        }
        let gradient = order.iter().map(|&object| problem.slopes[object]).collect();
        let rows = Rows::new(problem.matrix, order, limits.cache_bytes);
        let coefficients = std::mem::take(&mut problem.start);
        let mut engine = Engine {
            diagonal: rows.diagonal()?,
            rows,
            problem,
            limits,
            active: len,
            groups: Vec::new(),
            rise: vec![0.0; len],
            fall: vec![0.0; len],
            coefficients,
            gradient,
            group_of,
            left_out: vec![(0..len, vec![0.0; len])],
        };
        for position in 0..len {
            engine.judge(position);
        }
        // The gradients are those of zeros.
        engine.catch_up()?;
        engine.left_out.clear();
        engine.regroup();
        Ok(engine)
    }

    /// Iterates until done; gives the number of iterations and whether the tolerance was reached.
    fn run(&mut self) -> Result<(u64, bool), Error> {
        let len = self.coefficients.len();
        let most = (self.limits.most_iterations)
            .unwrap_or_else(|| 10_000_000.max((len as u64).saturating_mul(100)));
        let period = SHRINK_EVERY.min(len);
        let mut until_shrinking = period;
        let mut near = false;
        let mut iterations = 0;
        loop {
            if iterations % ASK_EVERY == 0 && (self.limits.stop)() {
                return Err(Error::Stopped { iterations });
            }
            if iterations >= most {
                self.activate_all()?;
                return Ok((iterations, self.gap() < self.limits.tolerance));
            }
            until_shrinking -= 1;
            if until_shrinking == 0 {
                until_shrinking = period;
                if self.limits.shrinking {
                    if !near && self.gap() <= 10.0 * self.limits.tolerance {
                        // What was left out too early would cost the last digits.
                        near = true;
                        self.catch_up()?;
                        if !self.inactive_stay() {
                            self.activate_all()?;
                        }
                    }
                    self.shrink();
                }
            }
            let moved = self.gap() >= self.limits.tolerance && self.step()?;
            if moved {
                iterations += 1;
                continue;
            }
            // All that is active is done: the rest has to agree.
            if self.active == len {
                return Ok((iterations, self.gap() < self.limits.tolerance));
            }
            self.activate_all()?;
            // One step with everything first: shrinking at once could lead back here for ever.
            until_shrinking = 2;
        }
    }

    /// How far the active coefficients are from the optimum.
    fn gap(&self) -> f64 {
        self.groups
            .iter()
            .map(Group::gap)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Changes the best pair; false where no pair can be changed.
    fn step(&mut self) -> Result<bool, Error> {
        let mut best: Option<(f64, usize, usize)> = None;
        for group in &self.groups {
            if group.gap() <= 0.0 {
                continue;
            }
            self.rows.load(group.extremes.leader)?;
            let field = Field {
                rise: &self.rise,
                fall: &self.fall,
                diagonal: &self.diagonal,
            };
            let row = self.rows.get(group.extremes.leader);
            let found = partner(
                &self.gradient,
                &field,
                group.range.clone(),
                row,
                group.extremes,
                &group.tops,
            );
            if let Some((gain, falling)) = found
                && best.is_none_or(|(value, _, _)| gain >= value)
            {
                best = Some((gain, group.extremes.leader, falling));
            }
        }
        let Some((_, rising, falling)) = best else {
            return Ok(false);
        };
        self.rows.load(falling)?;
        let gap = (self.gradient[falling] + self.fall[falling])
            - (self.gradient[rising] + self.rise[rising]);
        let curvature =
            self.diagonal[rising] + self.diagonal[falling] - 2.0 * self.rows.get(rising)[falling];
        let curvature = if curvature > 0.0 {
            curvature
        } else {
            LEAST_CURVATURE
        };
        let changes = self.shift(rising, falling, gap / curvature);
        if changes == (0.0, 0.0) {
            return Ok(false);
        }
        self.judge(rising);
        self.judge(falling);
        self.update(Some((rising, falling, changes)));
        Ok(true)
    }

    /// Moves a pair by a step, or by as much as their bounds allow; gives what was added to each.
    fn shift(&mut self, rising: usize, falling: usize, step: f64) -> (f64, f64) {
        let (up, down) = (self.rows.order()[rising], self.rows.order()[falling]);
        let (before_up, before_down) = (self.coefficients[up], self.coefficients[down]);
        let tube = self.problem.tube > 0.0;
        // A tube's cost bends at zero: a step ends there.
        let ceiling = if tube && before_up < 0.0 {
            0.0
        } else {
            self.problem.high[up]
        };
        let floor = if tube && before_down > 0.0 {
            0.0
        } else {
            self.problem.low[down]
        };
        let room_up = ceiling - before_up;
        let room_down = before_down - floor;
        let step = step.min(room_up).min(room_down);
        let after_up = if step >= room_up {
            ceiling
        } else {
            before_up + step
        };
        let after_down = if step >= room_down {
            floor
        } else {
            before_down - step
        };
        self.coefficients[up] = after_up;
        self.coefficients[down] = after_down;
        (after_up - before_up, after_down - before_down)
    }

    /// Says in which directions the coefficient at a position may move, and at what cost.
    fn judge(&mut self, position: usize) {
        let object = self.rows.order()[position];
        let value = self.coefficients[object];
        let tube = self.problem.tube;
        self.rise[position] = if value >= self.problem.high[object] {
            f64::INFINITY
        } else if value < 0.0 {
            -tube
        } else {
            tube
        };
        self.fall[position] = if value <= self.problem.low[object] {
            f64::NEG_INFINITY
        } else if value > 0.0 {
            tube
        } else {
            -tube
        };
    }

    /// Surveys all groups, after a change of two coefficients if there was one.
    fn update(&mut self, changed: Option<(usize, usize, (f64, f64))>) {
        let change = changed.map(|(rising, falling, (up, down))| Change {
            first: (self.rows.get(rising), up),
            second: (self.rows.get(falling), down),
        });
        let field = Field {
            rise: &self.rise,
            fall: &self.fall,
            diagonal: &self.diagonal,
        };
        for group in &mut self.groups {
            group.extremes = survey(
                &mut self.gradient,
                &field,
                group.range.clone(),
                change,
                &mut group.tops,
            );
        }
    }

    /// Finds the range of each group among the active positions, and surveys it.
    fn regroup(&mut self) {
        let mut start = 0;
        self.groups.clear();
        for group in 0..self.problem.groups.len() {
            let active = &self.rows.order()[start..self.active];
            let count = active
                .iter()
                .take_while(|&&object| self.group_of[object] == group)
                .count();
            self.groups.push(Group {
                range: start..start + count,
                extremes: Extremes {
                    leader: start,
                    least: f64::INFINITY,
                    most: f64::NEG_INFINITY,
                },
                tops: Vec::new(),
            });
            start += count;
        }
        self.update(None);
    }

    /// Leaves out the coefficients that no active partner can move.
    fn shrink(&mut self) {
        let mut from: Vec<usize> = Vec::with_capacity(self.coefficients.len());
        let mut left: Vec<usize> = Vec::new();
        for group in &self.groups {
            let Extremes { least, most, .. } = group.extremes;
            for position in group.range.clone() {
                let gradient = self.gradient[position];
                let stays =
                    gradient + self.rise[position] > most && gradient + self.fall[position] < least;
                if stays {
                    left.push(position);
                } else {
                    from.push(position);
                }
            }
        }
        if left.len() < self.active.div_ceil(LEAST_SHARE) {
            return;
        }
        let active = from.len();
        let now = self.coefficients.clone();
        self.left_out.push((active..self.active, now));
        from.extend(left);
        from.extend(self.active..self.coefficients.len());
        self.rearrange(&from, active);
    }

    /// Whether no partner among the active coefficients of its group can move this one.
    fn stays(&self, position: usize, group: &Group) -> bool {
        let gradient = self.gradient[position];
        gradient + self.rise[position] > group.extremes.most
            && gradient + self.fall[position] < group.extremes.least
    }

    /// Whether that holds for all that are left out; their gradients have to be known.
    fn inactive_stay(&self) -> bool {
        (self.active..self.coefficients.len()).all(|position| {
            let object = self.rows.order()[position];
            self.stays(position, &self.groups[self.group_of[object]])
        })
    }

    /// Brings back all coefficients, in the order they began in.
    fn activate_all(&mut self) -> Result<(), Error> {
        let len = self.coefficients.len();
        if self.active == len {
            return Ok(());
        }
        self.catch_up()?;
        self.left_out.clear();
        let mut position_of = vec![0; len];
        for (position, &object) in self.rows.order().iter().enumerate() {
            position_of[object] = position;
        }
        let from: Vec<usize> = (self.problem.groups.iter().flatten())
            .map(|&object| position_of[object])
            .collect();
        self.rearrange(&from, len);
        Ok(())
    }

    fn rearrange(&mut self, from: &[usize], active: usize) {
        let lists = [
            &mut self.gradient,
            &mut self.rise,
            &mut self.fall,
            &mut self.diagonal,
        ];
        for list in lists {
            *list = from.iter().map(|&position| list[position]).collect();
        }
        self.rows.rearrange(from, active);
        self.active = active;
        self.regroup();
    }

    /// Computes the gradients of what was left out, from what has changed since.
    fn catch_up(&mut self) -> Result<(), Error> {
        for (range, then) in &mut self.left_out {
            let pairs = self.coefficients.iter().zip(&*then);
            let changes: Vec<f64> = pairs.map(|(now, then)| now - then).collect();
            let products = self.rows.products(&changes, range.clone())?;
            let gradients = &mut self.gradient[range.clone()];
            for (gradient, product) in gradients.iter_mut().zip(products) {
                *gradient += product;
            }
            then.clone_from(&self.coefficients);
        }
        Ok(())
    }

    /// The optimum, with everything active.
    fn finish(self, iterations: u64, converged: bool) -> Optimum {
        let mut objective = 0.0;
        for (position, &object) in self.rows.order().iter().enumerate() {
            let value = self.coefficients[object];
            let linear = self.gradient[position] + self.problem.slopes[object];
            objective += 0.5 * value * linear + self.problem.tube * value.abs();
        }
        let levels = self.groups.iter().map(|group| self.level(group)).collect();
        Optimum {
            coefficients: self.coefficients,
            levels,
            objective,
            iterations,
            converged,
        }
    }

    /// The mean gradient of a group's free coefficients, or the middle of what its bounds allow.
    fn level(&self, group: &Group) -> f64 {
        let (mut sum, mut free) = (0.0, 0_u64);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for position in group.range.clone() {
            let object = self.rows.order()[position];
            let value = self.coefficients[object];
            let (low, high) = (self.problem.low[object], self.problem.high[object]);
            // What rounding left beside a bound says nothing about the level.
            let near = NEAR_BOUND * (high - low);
            let rises = high - value > near;
            let falls = value - low > near;
            let (up, down) = (self.rise[position], self.fall[position]);
            if rises && falls && up == down {
                sum += self.gradient[position] + up;
                free += 1;
            }
            if rises {
                least = least.min(self.gradient[position] + up);
            }
            if falls {
                most = most.max(self.gradient[position] + down);
            }
        }
        match (least.is_finite(), most.is_finite()) {
            _ if free > 0 => sum / free as f64,
            (true, true) => 0.5 * (least + most),
            (true, false) => least,
            (false, true) => most,
            (false, false) => 0.0,
        }
    }
}
