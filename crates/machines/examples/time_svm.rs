//! Times support vector machines on a matrix in a file, one class against one.
//!
//! `time_svm MATRIX LABELS TOLERANCE COST REPETITIONS`: the matrix as 64-bit little-endian numbers,
//! row after row; the labels as whole numbers from 0, one a line. A repetition is everything from
//! numbers in memory to all machines, checks of the numbers included, on one thread.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example talks to the terminal"
)]

use std::error::Error;
use std::time::Instant;

use kinwood_machines::{Dense, Limits, Matrix, Part, Solution, solve};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [matrix, labels, tolerance, cost, repetitions] = arguments.as_slice() else {
        return Err("usage: time_svm MATRIX LABELS TOLERANCE COST REPETITIONS".into());
    };
    let bytes = std::fs::read(matrix)?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let mut entries: Vec<f64> = numbers
        .iter()
        .map(|bytes| f64::from_le_bytes(*bytes))
        .collect();
    let labels: Vec<usize> = std::fs::read_to_string(labels)?
        .lines()
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let limits = Limits {
        tolerance: tolerance.parse()?,
        ..Limits::default()
    };
    let cost: f64 = cost.parse()?;
    let repetitions: usize = repetitions.parse()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for _ in 0..repetitions {
        let start = Instant::now();
        let matrix = pool.install(|| Dense::new(labels.len(), entries))?;
        let machines = pool.install(|| one_against_one(&matrix, &labels, cost, &limits))?;
        let seconds = start.elapsed().as_secs_f64();
        let iterations: u64 = machines.iter().map(|machine| machine.iterations).sum();
        let objective: f64 = machines.iter().map(|machine| machine.objective).sum();
        let support: usize = machines.iter().map(|machine| machine.support().len()).sum();
        println!(
            "seconds {seconds:.4} iterations {iterations} objective {objective:.9} support {support}"
        );
        entries = matrix.into_entries();
    }
    Ok(())
}

fn one_against_one(
    matrix: &Dense,
    labels: &[usize],
    cost: f64,
    limits: &Limits<'_>,
) -> Result<Vec<Solution>, kinwood_machines::Error> {
    let classes = labels.iter().max().map_or(0, |most| most + 1);
    let mut machines = Vec::new();
    for a in 0..classes {
        for b in a + 1..classes {
            let objects: Vec<usize> = (0..labels.len())
                .filter(|&object| labels[object] == a || labels[object] == b)
                .collect();
            let positive: Vec<bool> = objects.iter().map(|&at| labels[at] == a).collect();
            let costs = vec![cost; objects.len()];
            let part = Part::new(matrix, &objects);
            let whole: &dyn Matrix = if classes == 2 { matrix } else { &part };
            machines.push(solve::classify(whole, &positive, &costs, limits)?);
        }
    }
    Ok(machines)
}
