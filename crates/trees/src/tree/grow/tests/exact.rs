//! Beams beside a search that compares exactly, on rows that many tests divide alike.
//!
//! A score is a sum of logarithms of whole numbers, or a fraction, and is kept as such: two sums of
//! logarithms are equal only if every prime has the same exponent in both, so that a tie is proved
//! and not measured. What is not equal is compared by its value, which lies far from zero on rows
//! as few as these; the search fails if it does not.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::*;

/// A score of the search is in sum so many times the unit.
const MILLION: i128 = 1_000_000;

/// A whole number and multiples of the logarithms of odd primes to the base 2.
#[derive(Clone, Debug, Default)]
struct Amount {
    whole: i128,
    odd: BTreeMap<u32, i128>,
}

impl Amount {
    /// Adds another, so many times.
    fn add(&mut self, other: &Self, times: i128) {
        self.whole += times * other.whole;
        for (&prime, exponent) in &other.odd {
            *self.odd.entry(prime).or_default() += times * exponent;
        }
    }

    /// Adds `count log2 count`, so many times.
    fn add_bits(&mut self, count: u32, times: i128) {
        let (mut rest, mut prime) = (count, 2);
        while rest > 1 {
            if rest % prime > 0 {
                prime += 1;
                continue;
            }
            rest /= prime;
            let bits = times * i128::from(count);
            match prime {
                2 => self.whole += bits,
                _ => *self.odd.entry(prime).or_default() += bits,
            }
        }
    }

    fn sign(&self) -> Ordering {
        if self.odd.values().all(|&exponent| exponent == 0) {
            return self.whole.cmp(&0);
        }
        let logs = self.odd.iter();
        let logs = logs.map(|(&prime, &exponent)| exponent as f64 * f64::from(prime).log2());
        let value = self.whole as f64 + logs.sum::<f64>();
        assert!(value.abs() > 1e-3, "too near to zero: {self:?}");
        value.total_cmp(&0.0)
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let mut difference = self.clone();
        difference.add(other, -1);
        difference.sign()
    }
}

/// Rows of codes.
struct Rows {
    /// Whether the codes are numbers, and those of the rows.
    columns: Vec<(bool, Vec<u32>)>,
    target: Vec<u32>,
    classes: bool,
    /// A multiple of every number of rows.
    multiple: i128,
}

#[derive(Clone)]
struct ExactTree {
    /// In preorder.
    nodes: Vec<(Vec<usize>, Option<Test>)>,
    score: Amount,
    refined: bool,
}

impl Rows {
    /// Few values, columns that divide as others do, and classes or whole numbers.
    fn new(seed: u64) -> Self {
        let mut random = Generator::new(seed, &[22]);
        let rows = 12 + random.below(13);
        let classes = seed.is_multiple_of(2);
        let mut draw = |below: usize| -> Vec<u32> {
            let codes = (0..rows).map(|_| random.below(below) as u32);
            codes.collect()
        };
        let (few, many, hue, side) = (draw(3), draw(7), draw(4), draw(2));
        let target = match classes {
            true => few.iter().zip(draw(3)).map(|(a, b)| (a + b) % 3).collect(),
            false => many.iter().zip(draw(4)).map(|(a, b)| a + b).collect(),
        };
        let turned = many.iter().map(|code| 9 - code).collect();
        let columns = vec![
            (true, few.clone()),
            (true, many),
            (false, by_occurrence(&hue)),
            (true, turned),
            (false, by_occurrence(&side)),
            (false, by_occurrence(&few)),
        ];
        Self {
            columns,
            target,
            classes,
            multiple: (1..=rows as i128).fold(1, |all, next| all / gcd(all, next) * next),
        }
    }

    fn task(&self) -> Task {
        let words = |codes: &[u32]| -> Column {
            let words: Vec<String> = codes.iter().map(|code| format!("v{code}")).collect();
            Column::nominal(words.iter().map(|word| Some(word.as_str())))
        };
        let numbers =
            |codes: &[u32]| Column::numeric(codes.iter().copied().map(f64::from).collect());
        let column = |numeric: bool, codes: &[u32]| match numeric {
            true => numbers(codes),
            false => words(codes),
        };
        let inputs = self.columns.iter().enumerate();
        let inputs = inputs.map(|(at, (numeric, codes))| {
            Attribute::new(format!("a{at}"), column(*numeric, codes))
        });
        let target = Attribute::new("target", column(!self.classes, &self.target));
        let table = Table::new("rows", inputs.chain([target]).collect()).unwrap();
        let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
        Task::new(&view, &[self.columns.len()]).unwrap()
    }

    /// Entropy times the number of rows, or the squared deviations times the multiple.
    fn spread(&self, rows: &[usize]) -> Amount {
        let mut spread = Amount::default();
        let target = rows.iter().map(|&row| self.target[row]);
        if self.classes {
            let mut counts = BTreeMap::<u32, u32>::new();
            target.for_each(|class| *counts.entry(class).or_default() += 1);
            spread.add_bits(rows.len() as u32, 1);
            counts
                .values()
                .for_each(|&count| spread.add_bits(count, -1));
        } else {
            let numbers = target.map(i128::from);
            let (sum, squares) = numbers.fold((0, 0), |(sum, squares), number| {
                (sum + number, squares + number * number)
            });
            spread.whole =
                squares * self.multiple - sum * sum * (self.multiple / rows.len() as i128);
        }
        spread
    }

    /// What scores are divided by.
    fn unit(&self) -> i128 {
        match self.classes {
            true => self.target.len() as i128,
            false => self.spread(&self.all()).whole,
        }
    }

    fn all(&self) -> Vec<usize> {
        (0..self.target.len()).collect()
    }

    fn parts(&self, rows: &[usize], test: &Test) -> [Vec<usize>; 2] {
        let codes = &self.columns[test.column() as usize].1;
        let holds = |row: &usize| match test {
            Test::Above { threshold, .. } => f64::from(codes[*row]) > *threshold,
            Test::Among { values, .. } => values.contains(&codes[*row]),
            _ => unreachable!("no test by prototypes is made here"),
        };
        let (yes, no) = rows.iter().copied().partition(holds);
        [yes, no]
    }

    /// The spread after a test; `None` if a branch has fewer than two rows.
    fn divided(&self, rows: &[usize], test: &Test) -> Option<Amount> {
        let parts = self.parts(rows, test);
        parts.iter().all(|part| part.len() >= 2).then(|| {
            let mut spread = self.spread(&parts[0]);
            spread.add(&self.spread(&parts[1]), 1);
            spread
        })
    }

    /// The best test of a column: of equal thresholds the largest; subsets grow while that gains,
    /// by the first of equal labels.
    fn best(&self, rows: &[usize], at: usize) -> Option<Test> {
        let (numeric, codes) = &self.columns[at];
        let column = at as u32;
        let mut present: Vec<u32> = rows.iter().map(|&row| codes[row]).collect();
        present.sort_unstable();
        present.dedup();
        let mut best: Option<(Amount, Test)> = None;
        let mut better = |test: Test| {
            let found = self.divided(rows, &test);
            let found = found.filter(|found| {
                let best = best.as_ref();
                best.is_none_or(|(least, _)| found.cmp(least) == Ordering::Less)
            });
            found.map(|found| best = Some((found, test))).is_some()
        };
        if *numeric {
            for &code in present.iter().rev() {
                let threshold = f64::from(code);
                better(Test::Above { column, threshold });
            }
        } else {
            let mut inside: Vec<u32> = Vec::new();
            while inside.len() + 1 < present.len() {
                let mut step = None;
                for &label in present.iter().filter(|label| !inside.contains(label)) {
                    let mut values = inside.clone();
                    values.push(label);
                    values.sort_unstable();
                    if better(Test::Among { column, values }) {
                        step = Some(label);
                    }
                }
                let Some(label) = step else { break };
                inside.push(label);
            }
        }
        best.map(|(_, test)| test)
    }

    /// The tree with a leaf divided, and its score for so many hundred-thousandths a node.
    fn grown(&self, tree: &ExactTree, at: usize, test: Test, alpha: i128) -> ExactTree {
        let rows = tree.nodes[at].0.clone();
        let leaves = self.parts(&rows, &test).map(|rows| (rows, None));
        let mut nodes = tree.nodes.clone();
        nodes.splice(at..=at, [(rows, Some(test))].into_iter().chain(leaves));
        self.scored(nodes, alpha)
    }

    fn scored(&self, nodes: Vec<(Vec<usize>, Option<Test>)>, alpha: i128) -> ExactTree {
        let mut score = Amount::default();
        for (rows, _) in nodes.iter().filter(|node| node.1.is_none()) {
            score.add(&self.spread(rows), MILLION);
        }
        score.whole += 10 * alpha * self.unit() * nodes.len() as i128;
        ExactTree {
            nodes,
            score,
            refined: false,
        }
    }

    /// The tests of the trees, best first, and how many candidates were evaluated.
    fn beam(&self, width: usize, alpha: i128) -> (Vec<Vec<Option<Test>>>, u64) {
        let mut beam = vec![self.scored(vec![(self.all(), None)], alpha)];
        let mut evaluated = 0;
        let margin = Amount {
            whole: self.unit(),
            ..Amount::default()
        };
        // Of equally bad trees the one that came last.
        let worst = |beam: &[ExactTree]| {
            let places = 0..beam.len();
            places
                .max_by(|&a, &b| beam[a].score.cmp(&beam[b].score))
                .unwrap()
        };
        loop {
            let mut changed = false;
            let mut round = Vec::new();
            for tree in beam.iter_mut().filter(|tree| !tree.refined) {
                tree.refined = true;
                round.push(tree.clone());
            }
            round.sort_by(|a, b| b.score.cmp(&a.score));
            for tree in round {
                let leaves = tree.nodes.iter().enumerate();
                for (at, (rows, _)) in leaves.filter(|(_, node)| node.1.is_none()) {
                    let columns = 0..self.columns.len();
                    for test in columns.filter_map(|column| self.best(rows, column)) {
                        let candidate = self.grown(&tree, at, test, alpha);
                        let full = beam.len() >= width;
                        let mut bound = candidate.score.clone();
                        bound.add(&margin, 1);
                        if full && bound.cmp(&beam[worst(&beam)].score) != Ordering::Less {
                            continue;
                        }
                        evaluated += 1;
                        let tests = tests_of(&candidate);
                        if beam.iter().any(|other| tests_of(other) == tests) {
                            continue;
                        }
                        if full {
                            beam.remove(worst(&beam));
                        }
                        beam.push(candidate);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        beam.sort_by(|a, b| {
            a.score
                .cmp(&b.score)
                .then(a.nodes.len().cmp(&b.nodes.len()))
        });
        (beam.iter().map(tests_of).collect(), evaluated)
    }
}

fn tests_of(tree: &ExactTree) -> Vec<Option<Test>> {
    tree.nodes.iter().map(|node| node.1.clone()).collect()
}

/// Labels have the order in which they occur.
fn by_occurrence(codes: &[u32]) -> Vec<u32> {
    let mut known: Vec<u32> = Vec::new();
    let place = |code: &u32| {
        let found = known.iter().position(|other| other == code);
        found.unwrap_or_else(|| {
            known.push(*code);
            known.len() - 1
        }) as u32
    };
    codes.iter().map(place).collect()
}

fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

#[test]
fn beams_are_those_of_exact_comparison() {
    let mut ties = 0;
    for seed in 0..80 {
        let rows = Rows::new(seed);
        if rows.unit() == 0 {
            continue;
        }
        let task = rows.task();
        for (width, alpha) in [(3, 1), (5, 1), (10, 1), (4, 2000)] {
            let (expected, evaluated) = rows.beam(width, alpha);
            let search = search(width, alpha as f64 / 1e5, 0.0);
            let outcome = grow(&task, &How::Beam(search));
            let found = outcome.trees.iter().map(|tree| {
                let nodes = tree.nodes().iter();
                nodes.map(|node| Some(node.split.as_ref()?.test.clone()))
            });
            let found: Vec<Vec<Option<Test>>> = found.map(Iterator::collect).collect();
            assert_eq!(found, expected, "seed {seed}, width {width}, alpha {alpha}");
            assert_eq!(outcome.evaluated, evaluated, "seed {seed}, width {width}");
            let equal = outcome.scores.windows(2).filter(|pair| pair[0] == pair[1]);
            ties += equal.count();
        }
    }
    assert!(
        ties > 200,
        "only {ties} trees of the beams are equally good"
    );
}

#[test]
fn sums_of_logarithms_are_equal_by_their_primes() {
    // 6 log 6 = 6 + 2 · 3 log 3, which a table of rounded logarithms need not give.
    let mut difference = Amount::default();
    difference.add_bits(6, 1);
    difference.add_bits(3, -2);
    difference.whole -= 6;
    assert_eq!(difference.sign(), Ordering::Equal);
    difference.add_bits(5, 1);
    assert_eq!(difference.sign(), Ordering::Greater);
}
