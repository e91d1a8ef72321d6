//! How long machines take on a Gaussian matrix of 1,000 objects: in memory, as a part, computed.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use kinwood_machines::{Dense, Limits, Matrix, Part, solve};

const OBJECTS: usize = 1000;

/// A point of a plane, spread evenly by multiples of irrational numbers.
fn place(at: usize) -> [f64; 2] {
    let share = |step: f64| (at as f64 * step).fract() * 6.0;
    [share(0.618_033_988_749_895), share(0.754_877_666_246_693)]
}

/// The matrix computed row by row.
struct Gaussian;

impl Matrix for Gaussian {
    fn len(&self) -> usize {
        OBJECTS
    }
    fn diagonal(&self, _: usize) -> f64 {
        1.0
    }
    fn fill(&self, row: usize, out: &mut [f64]) {
        let here = place(row);
        for (at, out) in out.iter_mut().enumerate() {
            let there = place(at);
            *out = (-(here[0] - there[0]).powi(2) - (here[1] - there[1]).powi(2)).exp();
        }
    }
}

fn machines(criterion: &mut Criterion) {
    let matrix = Dense::of(&Gaussian).expect("all entries are numbers");
    // A wave divides the classes; every eleventh object is on the wrong side.
    let positive: Vec<bool> = (0..OBJECTS)
        .map(|at| {
            let [x, y] = place(at);
            ((2.0 * x).sin() + 3.0 > y) != (at % 11 == 0)
        })
        .collect();
    let targets: Vec<f64> = (0..OBJECTS).map(|at| place(at)[0].sin()).collect();
    let costs = vec![1.0; OBJECTS];
    let objects: Vec<usize> = (0..OBJECTS).rev().collect();
    let part = Part::new(&matrix, &objects);
    let limits = Limits::default();
    let mut group = criterion.benchmark_group("machines");
    let mut classify = |name: &str, matrix: &dyn Matrix, limits: &Limits<'_>| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| solve::classify(black_box(matrix), &positive, &costs, limits));
        });
    };
    classify("classify", &matrix, &limits);
    let without = Limits {
        shrinking: false,
        ..limits
    };
    classify("classify without shrinking", &matrix, &without);
    classify("classify a part", &part, &limits);
    classify("classify computed", &Gaussian, &limits);
    let little = Limits {
        cache_bytes: 100 * OBJECTS * size_of::<f64>(),
        ..limits
    };
    classify("classify computed, 100 rows kept", &Gaussian, &little);
    group.bench_function("regress", |bencher| {
        bencher.iter(|| solve::regress(black_box(&matrix), &targets, 0.1, &costs, &limits));
    });
    group.bench_function("nu_regress", |bencher| {
        bencher.iter(|| solve::nu_regress(black_box(&matrix), &targets, 0.2, 1.0, &limits));
    });
    group.bench_function("one_class", |bencher| {
        bencher.iter(|| solve::one_class(black_box(&matrix), 0.1, &limits));
    });
    group.finish();
}

#[cfg(feature = "spectrum")]
fn spectra(criterion: &mut Criterion) {
    use kinwood_machines::spectrum::{self, Correction};
    use kinwood_machines::{components, ridge};

    let matrix = Dense::of(&Gaussian).expect("all entries are numbers");
    let targets: Vec<f64> = (0..OBJECTS).map(|at| place(at)[0].sin()).collect();
    let mut group = criterion.benchmark_group("spectra");
    group.sample_size(10);
    group.bench_function("clip", |bencher| {
        bencher.iter(|| spectrum::correct(black_box(&matrix).clone(), Correction::Clip));
    });
    group.bench_function("components", |bencher| {
        bencher.iter(|| components::fit(black_box(&matrix), 10));
    });
    group.bench_function("ridge", |bencher| {
        bencher.iter(|| ridge::solve(black_box(&matrix), &[&targets], 0.1));
    });
    group.bench_function("ridge of ten", |bencher| {
        let lambdas: Vec<f64> = (0..10).map(|power| 0.1_f64.powi(power)).collect();
        bencher.iter(|| ridge::choose(black_box(&matrix), &[&targets], &lambdas));
    });
    group.finish();
}

#[cfg(not(feature = "spectrum"))]
fn spectra(_: &mut Criterion) {}

criterion_group!(benches, machines, spectra);
criterion_main!(benches);
