//! Growing by definition, for tests to compare with: sums made anew for every question, trees
//! rebuilt for every candidate, and nothing kept. Equal is what differs by rounding.

use super::beam::{self, BeamSearch};
use super::unlike::Compared;
use crate::tree::heuristic::Heuristic;
use crate::tree::propose::LEAST_GAIN;
use crate::tree::response::Impurity;
use crate::tree::test::measure;
use crate::tree::{Answer, Answers, FlatTree, Test};
use kinwood_learning::labels::Labels;
use kinwood_learning::task::Task;

/// Spreads and gains that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Rows of the task with the weights they arrive with.
pub type Rows = Vec<(usize, f64)>;

/// What is predicted, row by row.
pub enum Target {
    /// Classes, and how many there are.
    Classes(Vec<Option<u32>>, usize),
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// Sets of labels, and what each label counts.
    Labels(Vec<Vec<u32>>, Vec<f64>),
}

/// A task by definition.
pub struct Naive<'t> {
    pub task: &'t Task,
    pub targets: Vec<Target>,
    /// The weights of the rows.
    pub weights: Vec<f64>,
    pub impurity: Impurity,
    pub least: f64,
    pub subsets: bool,
}

/// A test with the spread after it and the branches' shares.
#[derive(Clone)]
pub struct Division {
    pub test: Test,
    pub spread: f64,
    pub shares: [f64; 2],
}

/// A node of a tree in preorder: its rows, and how they are divided.
#[derive(Clone)]
pub struct Spot {
    pub rows: Rows,
    pub split: Option<Division>,
}

pub type Grown = Vec<Spot>;

impl<'t> Naive<'t> {
    pub fn new(task: &'t Task, least: f64, hierarchy_weight: f64) -> Self {
        let rows = task.view().len();
        let targets: Vec<Target> = task
            .targets()
            .iter()
            .map(|target| {
                if let Some(classes) = target.classes() {
                    let codes = (0..rows).map(|row| target.class(row));
                    Target::Classes(codes.collect(), classes.len())
                } else if target.is_number() {
                    Target::Numbers((0..rows).map(|row| target.number(row)).collect())
                } else {
                    let labels = Labels::of(target.values()).unwrap();
                    let column = &target.values().column;
                    let sets = (0..rows).map(|row| labels.of_row(column, row).unwrap_or_default());
                    let counts = (0..labels.dictionary().len() as u32).map(|label| {
                        let mut counts = 1.0;
                        let mut above = labels.parent(label);
                        while let Some(label) = above {
                            counts *= hierarchy_weight;
                            above = labels.parent(label);
                        }
                        counts
                    });
                    Target::Labels(sets.collect(), counts.collect())
                }
            })
            .collect();
        Self {
            impurity: if targets.len() > 1 {
                Impurity::Gini
            } else {
                Impurity::Entropy
            },
            targets,
            weights: (0..rows).map(|row| task.weight(row)).collect(),
            least,
            subsets: true,
            task,
        }
    }

    pub fn all(&self) -> Rows {
        self.weights.iter().copied().enumerate().collect()
    }

    /// Impurity times weight of a target over the rows that know it.
    fn spread_of(&self, target: &Target, rows: &[(usize, f64)]) -> f64 {
        let variance = |pairs: &[(f64, f64)]| {
            let weight: f64 = pairs.iter().map(|pair| pair.1).sum();
            let mean = pairs.iter().map(|pair| pair.0 * pair.1).sum::<f64>() / weight;
            let each = pairs.iter();
            each.map(|pair| pair.1 * (pair.0 - mean).powi(2))
                .sum::<f64>()
        };
        match target {
            Target::Classes(codes, count) => {
                let mut shares = vec![0.0; *count];
                for &(row, weight) in rows {
                    if let Some(class) = codes[row] {
                        shares[class as usize] += weight;
                    }
                }
                let weight: f64 = shares.iter().sum();
                let impurity = shares.iter().filter(|share| **share > 0.0).map(|share| {
                    let share = share / weight;
                    match self.impurity {
                        Impurity::Entropy => -share * share.log2(),
                        Impurity::Gini => share * (1.0 - share),
                    }
                });
                weight * impurity.sum::<f64>()
            }
            Target::Numbers(numbers) => {
                let known = rows.iter();
                let known: Vec<(f64, f64)> = known
                    .filter_map(|&(row, weight)| Some((numbers[row]?, weight)))
                    .collect();
                if known.is_empty() {
                    0.0
                } else {
                    variance(&known)
                }
            }
            Target::Labels(sets, counts) => {
                let each = counts.iter().enumerate().map(|(label, counts)| {
                    let has = |&(row, weight): &(usize, f64)| {
                        let has = sets[row].contains(&(label as u32));
                        (f64::from(u8::from(has)), weight)
                    };
                    counts * variance(&rows.iter().map(has).collect::<Vec<_>>())
                });
                each.sum()
            }
        }
    }

    /// The spread that trees are scored by.
    pub fn spread(&self, rows: &[(usize, f64)]) -> f64 {
        if let [target @ Target::Classes(..)] = self.targets.as_slice() {
            return self.spread_of(target, rows);
        }
        let all = self.all();
        let relative = self.targets.iter().map(|target| {
            let whole = self.spread_of(target, &all);
            if whole > 0.0 {
                self.spread_of(target, rows) / whole
            } else {
                0.0
            }
        });
        weight(&all) * relative.sum::<f64>() / self.targets.len() as f64
    }

    /// The branch of a row: 0 where the test holds.
    fn branch(&self, test: &Test, row: usize) -> Option<usize> {
        let view = self.task.view();
        let column = &view.table().attribute(test.column() as usize).column;
        let row = view.row(row) as usize;
        match test {
            Test::Above { threshold, .. } => Some(usize::from(measure(column, row)? <= *threshold)),
            Test::Among { values, .. } => Some(usize::from(!values.contains(&column.code(row)?))),
            _ => unreachable!("no test by prototypes is made here"),
        }
    }

    /// A division by a test; `None` if a branch has too few rows, whatever they weigh.
    pub fn divided(&self, rows: &[(usize, f64)], test: Test) -> Option<Division> {
        let mut known = [0.0; 2];
        let mut counted = [0.0; 2];
        for &(row, weight) in rows {
            if let Some(branch) = self.branch(&test, row) {
                known[branch] += weight;
                counted[branch] += weight / self.weights[row];
            }
        }
        if counted[0] < self.least - EQUAL || counted[1] < self.least - EQUAL {
            return None;
        }
        let shares = known.map(|weight| weight / (known[0] + known[1]));
        let parts = self.parts(rows, &test, shares);
        let spread = self.spread(&parts[0]) + self.spread(&parts[1]);
        Some(Division {
            test,
            spread,
            shares,
        })
    }

    pub fn parts(&self, rows: &[(usize, f64)], test: &Test, shares: [f64; 2]) -> [Rows; 2] {
        let mut parts = [Rows::new(), Rows::new()];
        for &(row, weight) in rows {
            match self.branch(test, row) {
                Some(branch) => parts[branch].push((row, weight)),
                None => {
                    for (part, share) in parts.iter_mut().zip(shares) {
                        part.push((row, share * weight));
                    }
                }
            }
        }
        parts
    }

    /// The best test of a column: of equal thresholds the largest, of equal labels the first.
    fn best(&self, rows: &[(usize, f64)], column: usize) -> Option<Division> {
        let view = self.task.view();
        let cells = &view.table().attribute(column).column;
        let at = |row: usize| view.row(row) as usize;
        let column = column as u32;
        let mut best: Option<Division> = None;
        if cells.codes().is_none() {
            let each = rows.iter();
            let mut values: Vec<f64> = each.filter_map(|row| measure(cells, at(row.0))).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            for threshold in values {
                let Some(found) = self.divided(rows, Test::Above { column, threshold }) else {
                    continue;
                };
                if best
                    .as_ref()
                    .is_none_or(|best| found.spread <= best.spread + EQUAL)
                {
                    best = Some(found);
                }
            }
            return best;
        }
        let each = rows.iter();
        let mut labels: Vec<u32> = each.filter_map(|row| cells.code(at(row.0))).collect();
        labels.sort_unstable();
        labels.dedup();
        let most = if self.subsets {
            labels.len().saturating_sub(1)
        } else {
            1
        };
        let mut inside: Vec<u32> = Vec::new();
        while inside.len() < most {
            let mut step = None;
            for &label in labels.iter().filter(|label| !inside.contains(label)) {
                let mut values = inside.clone();
                values.push(label);
                values.sort_unstable();
                let Some(found) = self.divided(rows, Test::Among { column, values }) else {
                    continue;
                };
                if best
                    .as_ref()
                    .is_none_or(|best| found.spread < best.spread - EQUAL)
                {
                    best = Some(found);
                    step = Some(label);
                }
            }
            let Some(label) = step else {
                break;
            };
            inside.push(label);
        }
        best
    }

    /// The best test of each column that has one.
    pub fn candidates(&self, rows: &[(usize, f64)]) -> Vec<Division> {
        let columns = self.task.view().inputs();
        columns
            .into_iter()
            .filter_map(|column| self.best(rows, column))
            .collect()
    }

    /// The greedy tree.
    pub fn greedy(&self, rows: Rows, heuristic: Heuristic) -> Grown {
        let (whole, total) = (self.spread(&rows), weight(&rows));
        let mut chosen: Option<(f64, Division)> = None;
        let candidates = self.candidates(&rows);
        let gains = |division: &Division| whole - division.spread > LEAST_GAIN * total;
        let gaining: Vec<&Division> = candidates.iter().filter(|one| gains(one)).collect();
        let sum: f64 = gaining.iter().map(|one| whole - one.spread).sum();
        let average = sum / gaining.len().max(1) as f64;
        for division in gaining {
            let gain = whole - division.spread;
            let worth = match heuristic {
                Heuristic::Gain => gain,
                Heuristic::GainRatio if gain < average - EQUAL => continue,
                Heuristic::GainRatio => {
                    let bits = division.shares.map(|share| -share * share.log2());
                    gain / total / (bits[0] + bits[1])
                }
            };
            if chosen.as_ref().is_none_or(|(best, _)| worth > best + EQUAL) {
                chosen = Some((worth, division.clone()));
            }
        }
        let Some((_, division)) = chosen else {
            return vec![Spot { rows, split: None }];
        };
        let [yes, no] = self.parts(&rows, &division.test, division.shares);
        let split = Some(division);
        let mut grown = vec![Spot { rows, split }];
        grown.extend(self.greedy(yes, heuristic));
        grown.extend(self.greedy(no, heuristic));
        grown
    }

    /// The spread of a tree's leaves for each unit of weight, and `alpha` for each node.
    pub fn score(&self, tree: &Grown, alpha: f64) -> f64 {
        let leaves = tree.iter().filter(|spot| spot.split.is_none());
        let spread: f64 = leaves.map(|leaf| self.spread(&leaf.rows)).sum();
        spread / weight(&self.all()) + alpha * tree.len() as f64
    }

    /// The mean of all numbers known, which a node says that knows none.
    fn mean(&self, numbers: &[Option<f64>]) -> f64 {
        let known = numbers.iter().zip(&self.weights);
        let known = known.filter_map(|(number, weight)| Some(((*number)?, *weight)));
        let (sum, weight) = known.fold((0.0, 0.0), |(sum, total), (number, weight)| {
            (sum + number * weight, total + weight)
        });
        sum / weight
    }

    fn answers(&self, rows: &[(usize, f64)]) -> Answers {
        let answer = |target: &Target| match target {
            Target::Classes(codes, count) => {
                let mut weights = vec![0.0; *count];
                for &(row, weight) in rows {
                    if let Some(class) = codes[row] {
                        weights[class as usize] += weight;
                    }
                }
                Answer::classes(weights)
            }
            Target::Numbers(numbers) => {
                let known = rows.iter().filter(|row| numbers[row.0].is_some());
                let weight: f64 = known.clone().map(|row| row.1).sum();
                let sum: f64 = known.map(|row| row.1 * numbers[row.0].unwrap()).sum();
                let mean = match weight > 0.0 {
                    true => sum / weight,
                    false => self.mean(numbers),
                };
                Answer::number(weight, mean, self.spread_of(target, rows))
            }
            Target::Labels(sets, counts) => {
                let share = |label: usize| {
                    let has = rows
                        .iter()
                        .filter(|row| sets[row.0].contains(&(label as u32)));
                    has.map(|row| row.1).sum::<f64>() / weight(rows)
                };
                Answer::labels(weight(rows), (0..counts.len()).map(share).collect())
            }
        };
        Answers {
            weight: weight(rows),
            targets: self.targets.iter().map(answer).collect(),
        }
    }

    /// What a tree predicts for each row and target: shares or a number.
    fn predictions(&self, tree: &Grown) -> Vec<Vec<Vec<f64>>> {
        let mut said: Vec<Vec<Vec<f64>>> = vec![Vec::new(); self.weights.len()];
        for leaf in tree.iter().filter(|spot| spot.split.is_none()) {
            let answers = self.answers(&leaf.rows);
            for &(row, weight) in &leaf.rows {
                let share = weight / self.weights[row];
                said[row].resize(answers.targets.len(), Vec::new());
                for (slot, answer) in said[row].iter_mut().zip(&answers.targets) {
                    let number = answer.as_number().map(|number| vec![number.mean]);
                    let labels = answer.as_labels().map(|(_, shares)| shares.to_vec());
                    let classes = answer.as_classes().map(|weights| {
                        let total: f64 = weights.iter().sum();
                        let share = |weight: &f64| weight / total.max(f64::MIN_POSITIVE);
                        weights.iter().map(share).collect()
                    });
                    let own: Vec<f64> = number.or(labels).or(classes).unwrap();
                    slot.resize(own.len(), 0.0);
                    for (slot, own) in slot.iter_mut().zip(own) {
                        *slot += share * own;
                    }
                }
            }
        }
        said
    }

    /// The distance of two trees: the root of the mean squared difference of their predictions.
    pub fn distance(&self, a: &Grown, b: &Grown, compared: Compared) -> f64 {
        let (a, b) = (self.predictions(a), self.predictions(b));
        let total = weight(&self.all());
        let mut sum = 0.0;
        for (place, target) in self.targets.iter().enumerate() {
            let numbers = a.iter().chain(&b).map(|said| said[place][0]);
            let least = numbers.clone().fold(f64::INFINITY, f64::min);
            let range = numbers.fold(f64::NEG_INFINITY, f64::max) - least;
            for (row, weight) in self.weights.iter().enumerate() {
                let (a, b) = (&a[row][place], &b[row][place]);
                let slots = a.len() as f64;
                let squares = |pairs: Vec<(f64, f64)>| {
                    pairs.iter().map(|(a, b)| (a - b).powi(2)).sum::<f64>()
                };
                let plain = || a.iter().copied().zip(b.iter().copied());
                sum += weight
                    * match (target, compared) {
                        (Target::Classes(..), Compared::Predictions) => {
                            f64::from(u8::from(first_greatest(a) != first_greatest(b)))
                        }
                        (Target::Numbers(_), _) if range == 0.0 => 0.0,
                        (Target::Numbers(_), _) => ((a[0] - b[0]) / range).powi(2),
                        (Target::Labels(..), Compared::Predictions) => {
                            let present = |share: f64| f64::from(u8::from(share >= 0.5 - EQUAL));
                            squares(plain().map(|(a, b)| (present(a), present(b))).collect())
                                / slots
                        }
                        _ => squares(plain().collect()) / slots,
                    };
            }
        }
        (sum / (total * self.targets.len() as f64)).sqrt()
    }

    /// The beam search of the paper: the trees, best first, and how many candidates were evaluated.
    pub fn beam(&self, search: &BeamSearch, most: usize) -> (Vec<Grown>, u64) {
        struct Member {
            tree: Grown,
            score: f64,
            refined: bool,
        }
        let scored = |tree: Grown| Member {
            score: self.score(&tree, search.alpha),
            tree,
            refined: false,
        };
        let root = Spot {
            rows: self.all(),
            split: None,
        };
        let mut beam = vec![scored(vec![root])];
        let equal = beam::EQUAL * (beam[0].score.abs() + search.beta.abs());
        let mut evaluated = 0;
        loop {
            let mut round: Vec<(f64, Grown)> = Vec::new();
            for member in beam.iter_mut().filter(|member| !member.refined) {
                member.refined = true;
                round.push((member.score, member.tree.clone()));
            }
            round.sort_by(|a, b| b.0.total_cmp(&a.0));
            let mut changed = false;
            for (_, tree) in round {
                for (place, spot) in tree.iter().enumerate() {
                    if spot.split.is_some() || tree.len() + 2 > most {
                        continue;
                    }
                    for division in self.candidates(&spot.rows) {
                        let mut candidate = scored(self.refined(&tree, place, division));
                        let worst = (1..beam.len()).fold(0, |worst, place| {
                            if beam[place].score >= beam[worst].score {
                                place
                            } else {
                                worst
                            }
                        });
                        let full = beam.len() >= search.width;
                        if full && candidate.score >= beam[worst].score - search.margin - equal {
                            continue;
                        }
                        let near = |other: &&Member| (other.score - candidate.score).abs() <= equal;
                        if let Some(other) = beam.iter().find(near) {
                            candidate.score = other.score;
                        }
                        evaluated += 1;
                        if beam.iter().any(|other| same(&other.tree, &candidate.tree)) {
                            continue;
                        }
                        if !full {
                            beam.push(candidate);
                            changed = true;
                            continue;
                        }
                        let mut leaving = worst;
                        if search.beta != 0.0 {
                            let count = beam.len() as f64;
                            let distance =
                                |a: &Grown, b: &Grown| self.distance(a, b, search.compared);
                            let total = |one: &Member| {
                                let others = beam.iter().chain([&candidate]);
                                let apart: f64 = others
                                    .filter(|other| !std::ptr::eq(*other, one))
                                    .map(|other| distance(&one.tree, &other.tree))
                                    .sum();
                                one.score + search.beta * (1.0 - apart / count)
                            };
                            let mut most = total(&candidate);
                            leaving = beam.len();
                            for (place, member) in beam.iter().enumerate() {
                                if total(member) > most + equal {
                                    most = total(member);
                                    leaving = place;
                                }
                            }
                        }
                        if leaving < beam.len() {
                            beam.remove(leaving);
                            beam.push(candidate);
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        beam.sort_by(|a, b| {
            a.score
                .total_cmp(&b.score)
                .then(a.tree.len().cmp(&b.tree.len()))
        });
        let trees = beam.into_iter().map(|member| member.tree).collect();
        (trees, evaluated)
    }

    fn refined(&self, tree: &Grown, place: usize, division: Division) -> Grown {
        let rows = tree[place].rows.clone();
        let parts = self.parts(&rows, &division.test, division.shares);
        let split = Some(division);
        let mut refined = tree[..place].to_vec();
        refined.push(Spot { rows, split });
        refined.extend(parts.map(|rows| Spot { rows, split: None }));
        refined.extend_from_slice(&tree[place + 1..]);
        refined
    }

    /// The least spread of any tree of at most so many nodes.
    pub fn optimum(&self, rows: &[(usize, f64)], nodes: usize) -> f64 {
        let mut least = self.spread(rows);
        if nodes < 3 {
            return least;
        }
        for test in self.tests(rows) {
            let Some(division) = self.divided(rows, test) else {
                continue;
            };
            let [yes, no] = self.parts(rows, &division.test, division.shares);
            for left in (1..=nodes - 2).step_by(2) {
                let sum = self.optimum(&yes, left) + self.optimum(&no, nodes - 1 - left);
                least = least.min(sum);
            }
        }
        least
    }

    /// Every test that divides rows.
    fn tests(&self, rows: &[(usize, f64)]) -> Vec<Test> {
        let view = self.task.view();
        let mut tests = Vec::new();
        for column in view.inputs() {
            let cells = &view.table().attribute(column).column;
            let column = column as u32;
            match cells.codes() {
                None => {
                    let at = |row: &(usize, f64)| measure(cells, view.row(row.0) as usize);
                    let mut values: Vec<f64> = rows.iter().filter_map(at).collect();
                    values.sort_by(f64::total_cmp);
                    values.dedup();
                    let above = |threshold| Test::Above { column, threshold };
                    tests.extend(values.into_iter().map(above));
                }
                Some((_, labels)) => {
                    for subset in 1u32..(1 << labels.len()) - 1 {
                        let inside = (0..labels.len() as u32).filter(|bit| subset >> bit & 1 == 1);
                        let values = inside.collect();
                        tests.push(Test::Among { column, values });
                    }
                }
            }
        }
        tests
    }

    /// Fails unless the trees are the same, node for node.
    pub fn assert_same(&self, tree: &FlatTree, expected: &Grown, about: &str) {
        let tests = |tree: &FlatTree| -> Vec<Option<Test>> {
            let split = |node: &crate::tree::Node<Test, Answers>| {
                node.split.as_ref().map(|split| split.test.clone())
            };
            tree.nodes().iter().map(split).collect()
        };
        let theirs: Vec<Option<Test>> = expected
            .iter()
            .map(|spot| Some(spot.split.as_ref()?.test.clone()))
            .collect();
        assert_eq!(tests(tree), theirs, "{about}");
        for (node, spot) in tree.nodes().iter().zip(expected) {
            if let (Some(own), Some(theirs)) = (&node.split, &spot.split) {
                assert!(close(&own.shares, &theirs.shares), "{about}");
            }
            let answers = self.answers(&spot.rows);
            assert!(
                close(&[node.payload.weight], &[answers.weight]),
                "{about}: {} {}",
                node.payload.weight,
                answers.weight
            );
            for (own, theirs) in node.payload.targets.iter().zip(&answers.targets) {
                let alike = own.is(theirs.leaf().entry()) && close(own.numbers(), theirs.numbers());
                assert!(alike, "{about}: {own:?} is not {theirs:?}");
            }
        }
    }
}

pub fn weight(rows: &[(usize, f64)]) -> f64 {
    rows.iter().map(|row| row.1).sum()
}

fn first_greatest(shares: &[f64]) -> usize {
    (1..shares.len()).fold(0, |best, place| {
        if shares[place] > shares[best] + EQUAL {
            place
        } else {
            best
        }
    })
}

fn close(a: &[f64], b: &[f64]) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * b.abs().max(1.0);
    a.len() == b.len() && a.iter().zip(b).all(near)
}

fn same(a: &Grown, b: &Grown) -> bool {
    let tests = |tree: &Grown| -> Vec<Option<Test>> {
        let each = tree.iter();
        each.map(|spot| Some(spot.split.as_ref()?.test.clone()))
            .collect()
    };
    a.len() == b.len() && tests(a) == tests(b)
}
