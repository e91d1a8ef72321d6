//! From terms to distributions: sums over stored rows, block by block, in logarithms.
//!
//! A block of rows is small enough that its columns stay in the cache while a bunch of queries
//! passes over it. Within a block a number costs a subtraction, a multiplication and an addition;
//! the only exponential is one for each query and row. The order of the sums is fixed, so threads
//! change nothing.

use super::exponential::exponentials;
use super::stored::Field;
use super::term::Term;

/// Rows of a block.
const BLOCK: usize = 256;

/// What stored rows know of a target.
pub enum Response {
    /// By row; the number of classes where it is not known.
    Classes { codes: Vec<u32>, classes: usize },
    /// By row; NaN where it is not known.
    Numbers(Vec<f64>),
}

/// The sums of a target over the rows seen so far, all divided by the exponential of the largest
/// logarithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    /// The largest logarithm of a row that knows the target.
    pub largest: f64,
    /// By class, or the sum of probabilities and of numbers weighed by them.
    pub sums: Vec<f64>,
}

impl Sums {
    fn new(response: &Response) -> Self {
        let parts = match response {
            Response::Classes { classes, .. } => *classes,
            Response::Numbers(_) => 2,
        };
        Self {
            largest: f64::NEG_INFINITY,
            sums: vec![0.0; parts],
        }
    }

    /// Adds a block of rows, given their logarithms; `weights` is room for as many numbers.
    fn add(&mut self, response: &Response, start: usize, logarithms: &[f64], weights: &mut [f64]) {
        let rows = start..start + logarithms.len();
        match response {
            Response::Classes { codes, classes } => {
                let codes = &codes[rows];
                for ((weight, &logarithm), &code) in weights.iter_mut().zip(logarithms).zip(codes) {
                    let known = (code as usize) < *classes;
                    *weight = if known { logarithm } else { f64::NEG_INFINITY };
                }
                self.weigh(weights);
                for (&weight, &code) in weights.iter().zip(codes) {
                    if let Some(sum) = self.sums.get_mut(code as usize) {
                        *sum += weight;
                    }
                }
            }
            Response::Numbers(numbers) => {
                let numbers = &numbers[rows];
                for ((weight, &logarithm), number) in
                    weights.iter_mut().zip(logarithms).zip(numbers)
                {
                    *weight = if number.is_nan() {
                        f64::NEG_INFINITY
                    } else {
                        logarithm
                    };
                }
                self.weigh(weights);
                for (&weight, &number) in weights.iter().zip(numbers) {
                    if weight > 0.0 {
                        self.sums[0] += weight;
                        self.sums[1] += weight * number;
                    }
                }
            }
        }
    }

    /// Turns logarithms into weights beside the largest so far.
    fn weigh(&mut self, weights: &mut [f64]) {
        let largest = largest(weights);
        if largest > self.largest {
            let mut factor = [self.largest - largest];
            exponentials(&mut factor);
            self.sums.iter_mut().for_each(|sum| *sum *= factor[0]);
            self.largest = largest;
        }
        // Where every row so far is impossible the differences are no numbers, and their
        // exponentials nothing.
        for weight in weights.iter_mut() {
            *weight -= self.largest;
        }
        exponentials(weights);
    }
}

/// The largest of the numbers, by eight strands that the processor follows side by side.
fn largest(numbers: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let mut strands = [f64::NEG_INFINITY; 8];
    let chunks = numbers.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (strand, &number) in strands.iter_mut().zip(chunk) {
            *strand = larger(*strand, number);
        }
    }
    strands
        .iter()
        .chain(rest)
        .copied()
        .fold(f64::NEG_INFINITY, larger)
}

/// A query's terms, sorted by how they are computed.
struct Plan<'a> {
    constant: f64,
    /// Numbers that every row knows.
    plain: Vec<(&'a [f64], f64, f64)>,
    /// Numbers that some rows lack: value, offset, rate, missing.
    gapped: Vec<(&'a [f64], [f64; 4])>,
    /// Codes, and the term of each code and of none.
    tables: Vec<(&'a [u32], Vec<f64>)>,
    rows: Vec<&'a [f64]>,
}

impl<'a> Plan<'a> {
    fn new(fields: &'a [Field], terms: &'a [Term]) -> Self {
        let mut plan = Self {
            constant: 0.0,
            plain: Vec::new(),
            gapped: Vec::new(),
            tables: Vec::new(),
            rows: Vec::new(),
        };
        for (field, term) in fields.iter().zip(terms) {
            match (field, term) {
                (
                    Field::Number(stored),
                    &Term::Number {
                        value,
                        offset,
                        rate,
                        missing,
                    },
                ) => {
                    if stored.complete {
                        plan.constant += offset;
                        if rate > 0.0 {
                            plan.plain.push((&stored.values, value, rate));
                        }
                    } else {
                        plan.gapped
                            .push((&stored.values, [value, offset, rate, missing]));
                    }
                }
                (
                    Field::Symbol(stored),
                    &Term::Symbol {
                        own,
                        same,
                        change,
                        frequencies,
                        missing,
                    },
                ) => {
                    let mut table: Vec<f64> = if frequencies {
                        stored
                            .logarithms
                            .iter()
                            .map(|share| change + share)
                            .collect()
                    } else {
                        vec![change; stored.logarithms.len()]
                    };
                    if let Some(own) = own {
                        table[own as usize] = same;
                    }
                    table.push(missing);
                    plan.tables.push((&stored.codes, table));
                }
                (_, Term::Rows { terms }) => plan.rows.push(terms),
                _ => {}
            }
        }
        plan
    }

    /// The logarithms of a block of rows.
    fn fill(&self, start: usize, out: &mut [f64]) {
        let rows = start..start + out.len();
        out.iter_mut().for_each(|sum| *sum += self.constant);
        let mut groups = self.plain.chunks_exact(4);
        for group in &mut groups {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| &group[i].0[rows.clone()]);
            let [(av, ar), (bv, br), (cv, cr), (dv, dr)] =
                [0, 1, 2, 3].map(|i| (group[i].1, group[i].2));
            for ((((sum, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *sum -= (a - av).abs() * ar
                    + (b - bv).abs() * br
                    + ((c - cv).abs() * cr + (d - dv).abs() * dr);
            }
        }
        for (values, value, rate) in groups.remainder() {
            for (sum, x) in out.iter_mut().zip(&values[rows.clone()]) {
                *sum -= (x - value).abs() * rate;
            }
        }
        for (values, [value, offset, rate, missing]) in &self.gapped {
            for (sum, x) in out.iter_mut().zip(&values[rows.clone()]) {
                let term = offset - (x - value).abs() * rate;
                *sum += if x.is_nan() { *missing } else { term };
            }
        }
        for (codes, table) in &self.tables {
            for (sum, code) in out.iter_mut().zip(&codes[rows.clone()]) {
                *sum += table[*code as usize];
            }
        }
        for terms in &self.rows {
            for (sum, term) in out.iter_mut().zip(&terms[rows.clone()]) {
                *sum += term;
            }
        }
    }
}

/// The logarithm of every stored row's probability, its weight included.
pub fn logarithms(fields: &[Field], terms: &[Term], weights: &[f64]) -> Vec<f64> {
    let plan = Plan::new(fields, terms);
    let mut out = weights.to_vec();
    for (block, out) in out.chunks_mut(BLOCK).enumerate() {
        plan.fill(block * BLOCK, out);
    }
    out
}

/// The sums of every target for a bunch of queries, each with its terms; `weights` holds the
/// logarithms of rows' weights.
pub fn sums(
    fields: &[Field],
    bunch: &[Vec<Term>],
    weights: &[f64],
    responses: &[Response],
) -> Vec<Vec<Sums>> {
    let plans: Vec<Plan<'_>> = bunch.iter().map(|terms| Plan::new(fields, terms)).collect();
    let mut answers: Vec<Vec<Sums>> = plans
        .iter()
        .map(|_| responses.iter().map(Sums::new).collect())
        .collect();
    let (mut block, mut room) = ([0.0; BLOCK], [0.0; BLOCK]);
    for start in (0..weights.len()).step_by(BLOCK) {
        let weights = &weights[start..weights.len().min(start + BLOCK)];
        let block = &mut block[..weights.len()];
        let room = &mut room[..weights.len()];
        for (plan, answer) in plans.iter().zip(&mut answers) {
            block.copy_from_slice(weights);
            plan.fill(start, block);
            for (sums, response) in answer.iter_mut().zip(responses) {
                sums.add(response, start, block, room);
            }
        }
    }
    answers
}
