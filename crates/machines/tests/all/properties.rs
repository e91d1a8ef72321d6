//! What holds of every solution: optimality conditions, a naive solver's optimum, and that neither
//! order, shrinking nor memory matter.

use kinwood_machines::{Dense, Error, Limits, Matrix, Part, Solution, solve};
use proptest::prelude::*;

use crate::oracle::Quadratic;

#[derive(Debug, Clone, Copy)]
enum Kernel {
    Linear,
    Gaussian,
    Sigmoid,
}

impl Kernel {
    fn product(self, a: &[f64; 2], b: &[f64; 2]) -> f64 {
        let inner = a[0] * b[0] + a[1] * b[1];
        match self {
            Kernel::Linear => inner,
            Kernel::Gaussian => (-(a[0] - b[0]).powi(2) - (a[1] - b[1]).powi(2)).exp(),
            Kernel::Sigmoid => (0.8 * inner - 0.5).tanh(),
        }
    }
}

#[derive(Debug, Clone)]
struct Objects {
    matrix: Dense,
    positive: Vec<bool>,
    costs: Vec<f64>,
    targets: Vec<f64>,
}

fn objects(kernels: &'static [Kernel], most: usize) -> impl Strategy<Value = Objects> {
    // Coordinates on a grid, so that objects coincide now and then.
    let place = prop::array::uniform2((-8_i32..=8).prop_map(|step| f64::from(step) / 4.0));
    let object = (place, any::<bool>(), 0.1..3.0_f64, -2.0..2.0_f64);
    let scale = prop::sample::select(vec![0.01, 1.0, 30.0]);
    (
        prop::sample::select(kernels),
        prop::collection::vec(object, 2..most),
        scale,
    )
        .prop_map(|(kernel, objects, scale)| {
            let product =
                |a: usize, b: usize| kernel.product(&objects[a.max(b)].0, &objects[a.min(b)].0);
            let len = objects.len();
            let entries = (0..len * len)
                .map(|at| product(at / len, at % len))
                .collect();
            let mut positive: Vec<bool> = objects.iter().map(|object| object.1).collect();
            (positive[0], positive[len - 1]) = (true, false);
            Objects {
                matrix: Dense::new(len, entries).unwrap(),
                positive,
                costs: objects.iter().map(|object| scale * object.2).collect(),
                targets: objects.iter().map(|object| object.3).collect(),
            }
        })
}

const PROPER: &[Kernel] = &[Kernel::Linear, Kernel::Gaussian];
const ANY: &[Kernel] = &[Kernel::Linear, Kernel::Gaussian, Kernel::Sigmoid];
const TOLERANCE: f64 = 1e-7;

fn limits() -> Limits<'static> {
    Limits {
        tolerance: TOLERANCE,
        ..Limits::default()
    }
}

fn classify(objects: &Objects, limits: &Limits<'_>) -> Solution {
    solve::classify(&objects.matrix, &objects.positive, &objects.costs, limits).unwrap()
}

/// The same matrix, computed row by row.
struct Computed<'a>(&'a Dense);

impl Matrix for Computed<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn diagonal(&self, row: usize) -> f64 {
        self.0.diagonal(row)
    }
    fn fill(&self, row: usize, out: &mut [f64]) {
        self.0.fill(row, out);
    }
}

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

kinwood_testing::soak! { 200;
    fn soak_classes_meet_the_optimality_conditions(objects in objects(ANY, 40)) {
        let found = classify(&objects, &limits());
        prop_assert!(found.converged);
        prop_assert!(found.coefficients.iter().sum::<f64>().abs() < 1e-9 * objects.costs.iter().sum::<f64>());
        for (at, &coefficient) in found.coefficients.iter().enumerate() {
            let sign = if objects.positive[at] { 1.0 } else { -1.0 };
            let (size, cost) = (sign * coefficient, objects.costs[at]);
            prop_assert!((0.0..=cost).contains(&size));
            let margin = sign * found.decide(objects.matrix.at(at)) - 1.0;
            // The sums of rows are added up in another order here.
            let slack = 2.0 * TOLERANCE;
            prop_assert!(size > 1e-12 * cost || margin >= -slack, "{at} {margin}");
            prop_assert!(size < (1.0 - 1e-12) * cost || margin <= slack, "{at} {margin}");
            prop_assert!(size <= 1e-12 * cost || size >= (1.0 - 1e-12) * cost || margin.abs() <= slack, "{at} {margin}");
        }
    }

    fn soak_numbers_meet_the_optimality_conditions(objects in objects(ANY, 40), epsilon in prop::sample::select(vec![0.0, 0.1, 0.7])) {
        let found = solve::regress(&objects.matrix, &objects.targets, epsilon, &objects.costs, &limits()).unwrap();
        prop_assert!(found.converged);
        for (at, &coefficient) in found.coefficients.iter().enumerate() {
            let cost = objects.costs[at];
            let residual = objects.targets[at] - found.decide(objects.matrix.at(at));
            let (size, error) = (coefficient.abs(), residual.abs() - epsilon);
            prop_assert!(size <= cost);
            let slack = 2.0 * TOLERANCE;
            if size > 1e-12 * cost {
                prop_assert!(residual * coefficient.signum() >= epsilon - slack);
            }
            if size < (1.0 - 1e-12) * cost {
                prop_assert!(error <= slack, "{at} {error}");
            }
        }
    }

    fn soak_order_does_not_matter(objects in objects(PROPER, 30), seed in any::<u64>()) {
        let len = objects.costs.len();
        let mut order: Vec<usize> = (0..len).collect();
        order.sort_by_key(|&object| (object as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let whole = classify(&objects, &limits());
        let positive: Vec<bool> = order.iter().map(|&at| objects.positive[at]).collect();
        let costs: Vec<f64> = order.iter().map(|&at| objects.costs[at]).collect();
        let moved = solve::classify(&Part::new(&objects.matrix, &order), &positive, &costs, &limits()).unwrap();
        prop_assert!(close(moved.objective, whole.objective, 1e-6));
    }

    fn soak_shrinking_does_not_matter(objects in objects(PROPER, 60), nu in 0.05..1.0_f64) {
        let without = Limits { shrinking: false, ..limits() };
        let (one, two) = (classify(&objects, &limits()), classify(&objects, &without));
        prop_assert!(close(one.objective, two.objective, 1e-6));
        let [one, two] = [&limits(), &without].map(|limits| {
            let Objects { matrix, targets, costs, .. } = &objects;
            [
                solve::regress(matrix, targets, 0.1, costs, limits).unwrap().objective,
                solve::one_class(matrix, nu, limits).unwrap().objective,
                solve::nu_regress(matrix, targets, nu, 1.0, limits).unwrap().objective,
            ]
        });
        for (one, two) in one.into_iter().zip(two) {
            prop_assert!(close(one, two, 1e-6), "{one} {two}");
        }
    }

    /// To the last bit: in memory, computed, with room for all rows or hardly any.
    fn soak_memory_does_not_matter(objects in objects(ANY, 60)) {
        let computed = Computed(&objects.matrix);
        let all: Vec<usize> = (0..objects.costs.len()).collect();
        let part = Part::new(&objects.matrix, &all);
        let mut solutions = Vec::new();
        for matrix in [&objects.matrix as &dyn Matrix, &computed, &part] {
            for cache_bytes in [0, 2000, 1 << 20] {
                let limits = Limits { cache_bytes, ..limits() };
                solutions.push((
                    solve::classify(matrix, &objects.positive, &objects.costs, &limits).unwrap(),
                    solve::nu_regress(matrix, &objects.targets, 0.5, 1.0, &limits).unwrap(),
                ));
            }
        }
        for solution in &solutions {
            prop_assert_eq!(solution, &solutions[0]);
        }
    }

    fn soak_an_object_without_cost_does_not_count(objects in objects(PROPER, 20)) {
        let len = objects.costs.len();
        let mut costs = objects.costs.clone();
        costs[1..len - 1].iter_mut().step_by(2).for_each(|cost| *cost = 0.0);
        let kept: Vec<usize> = (0..len).filter(|&at| costs[at] > 0.0).collect();
        let whole = solve::classify(&objects.matrix, &objects.positive, &costs, &limits()).unwrap();
        let positive: Vec<bool> = kept.iter().map(|&at| objects.positive[at]).collect();
        let costs: Vec<f64> = kept.iter().map(|&at| costs[at]).collect();
        let part = solve::classify(&Part::new(&objects.matrix, &kept), &positive, &costs, &limits()).unwrap();
        prop_assert!(close(whole.objective, part.objective, 1e-6));
    }
}

kinwood_testing::soak! { 24;
    /// Projected gradients find the same optimum, slowly.
    fn soak_a_naive_solver_agrees(objects in objects(PROPER, 9), share in 0.1..1.0_f64, epsilon in 0.0..0.5_f64) {
        let Objects { matrix, positive, targets, .. } = &objects;
        let len = positive.len();
        let costs: Vec<f64> = objects.costs.iter().map(|cost| cost.min(5.0)).collect();
        let sign = |at: usize| if positive[at] { 1.0 } else { -1.0 };
        let one = |side: bool| (0..len).map(|at| f64::from(u8::from(positive[at] == side))).collect::<Vec<_>>();

        let found = solve::classify(matrix, positive, &costs, &limits()).unwrap();
        let naive = Quadratic {
            matrix,
            slopes: (0..len).map(|at| -sign(at)).collect(),
            low: (0..len).map(|at| costs[at] * sign(at).min(0.0)).collect(),
            high: (0..len).map(|at| costs[at] * sign(at).max(0.0)).collect(),
            groups: vec![((0..len).collect(), 0.0)],
        };
        prop_assert!(close(found.objective, naive.least(), 1e-4), "{} {}", found.objective, naive.least());

        let found = solve::one_class(matrix, share, &limits()).unwrap();
        let naive = Quadratic {
            matrix,
            slopes: vec![0.0; len],
            low: vec![0.0; len],
            high: vec![1.0; len],
            groups: vec![((0..len).collect(), share * len as f64)],
        };
        prop_assert!(close(found.objective, naive.least(), 1e-4));

        let smaller = positive.iter().filter(|&&side| side).count().min(positive.iter().filter(|&&side| !side).count());
        let nu = share * 2.0 * smaller as f64 / len as f64;
        let found = solve::nu_classify(matrix, positive, nu, &limits()).unwrap();
        let sum = nu * len as f64 / 2.0;
        let margin = 2.0 * sum / found.coefficients.iter().map(|value| value.abs()).sum::<f64>();
        let naive = Quadratic {
            matrix,
            slopes: vec![0.0; len],
            low: one(false).iter().map(|one| -one).collect(),
            high: one(true),
            groups: vec![
                ((0..len).filter(|&at| positive[at]).collect(), sum),
                ((0..len).filter(|&at| !positive[at]).collect(), -sum),
            ],
        };
        prop_assert!(close(found.objective * margin * margin, naive.least(), 1e-4));

        let all: Vec<usize> = (0..len).chain(0..len).collect();
        let twice = Dense::of(&Part::new(matrix, &all)).unwrap();
        let twice_of = |list: &[f64]| [list, list].concat();
        let zeros = vec![0.0; len];
        let below: Vec<f64> = costs.iter().map(|cost| -cost).collect();
        let found = solve::regress(matrix, targets, epsilon, &costs, &limits()).unwrap();
        let naive = Quadratic {
            matrix: &twice,
            slopes: (0..2 * len).map(|at| if at < len { epsilon } else { -epsilon } - targets[at % len]).collect(),
            low: [&zeros[..], &below].concat(),
            high: [&costs[..], &zeros].concat(),
            groups: vec![((0..2 * len).collect(), 0.0)],
        };
        prop_assert!(close(found.objective, naive.least(), 1e-4));

        let found = solve::nu_regress(matrix, targets, share, 1.5, &limits()).unwrap();
        let sum = 1.5 * share * len as f64 / 2.0;
        let naive = Quadratic {
            matrix: &twice,
            slopes: twice_of(targets).iter().map(|target| -target).collect(),
            low: [vec![0.0; len], vec![-1.5; len]].concat(),
            high: [vec![1.5; len], vec![0.0; len]].concat(),
            groups: vec![((0..len).collect(), sum), ((len..2 * len).collect(), -sum)],
        };
        prop_assert!(close(found.objective, naive.least(), 1e-4));
    }
}

fn three() -> Dense {
    Dense::new(3, vec![2.0, 0.5, 0.1, 0.5, 1.0, 0.3, 0.1, 0.3, 1.5]).unwrap()
}

#[test]
fn what_cannot_be_solved_is_told() {
    let (matrix, limits) = (three(), Limits::default());
    let message = |fault: Result<Solution, Error>| fault.unwrap_err().to_string();
    let sides = [true, false, false];
    assert_eq!(
        message(solve::classify(&matrix, &[true; 3], &[1.0; 3], &limits)),
        "all objects are of one class, two classes are needed"
    );
    assert_eq!(
        message(solve::classify(&matrix, &sides, &[0.0, 1.0, 1.0], &limits)),
        "all objects are of one class, two classes are needed"
    );
    assert_eq!(
        message(solve::classify(&matrix, &[true], &[1.0; 3], &limits)),
        "1 labels found, the matrix has 3 rows"
    );
    assert_eq!(
        message(solve::classify(&matrix, &sides, &[1.0, -1.0, 1.0], &limits)),
        "cost 1 is -1, a number of at least 0 is needed"
    );
    assert_eq!(
        message(solve::nu_classify(&matrix, &sides, 0.9, &limits)),
        "nu is 0.9, with these classes it is 0.6666666666666666 at most"
    );
    assert!(solve::nu_classify(&matrix, &sides, 2.0 / 3.0, &limits).is_ok());
    assert_eq!(
        message(solve::one_class(&matrix, 0.0, &limits)),
        "nu is 0, a number above 0 and at most 1 is needed"
    );
    assert_eq!(
        message(solve::regress(
            &matrix,
            &[1.0, f64::NAN, 0.0],
            0.1,
            &[1.0; 3],
            &limits
        )),
        "target 1 is NaN, a finite number is needed"
    );
    assert_eq!(
        message(solve::regress(
            &matrix,
            &[1.0, 2.0, 0.0],
            f64::NAN,
            &[1.0; 3],
            &limits
        )),
        "epsilon is NaN, a number of at least 0 is needed"
    );
    let careless = Limits {
        tolerance: 0.0,
        ..limits
    };
    assert_eq!(
        message(solve::one_class(&matrix, 0.5, &careless)),
        "tolerance is 0, a number above 0 is needed"
    );
}

/// A matrix whose entry at row 2, column 0 is no number; the diagonal does not show it.
struct Broken;

impl Matrix for Broken {
    fn len(&self) -> usize {
        3
    }
    fn diagonal(&self, _: usize) -> f64 {
        1.0
    }
    fn fill(&self, row: usize, out: &mut [f64]) {
        out.fill(0.25);
        out[row] = 1.0;
        if row == 2 {
            out[0] = f64::NAN;
        }
    }
}

#[test]
fn an_entry_that_is_no_number_is_told_when_it_is_computed() {
    let fault = solve::classify(&Broken, &[true, true, false], &[1.0; 3], &Limits::default());
    let message = fault.unwrap_err().to_string();
    assert_eq!(
        message,
        "the entry at row 2, column 0 is NaN, a finite number is needed"
    );
}

#[test]
fn who_asks_to_stop_is_heard() {
    let limits = Limits {
        stop: &|| true,
        ..Limits::default()
    };
    let fault = solve::one_class(&three(), 0.5, &limits);
    assert_eq!(fault, Err(Error::Stopped { iterations: 0 }));
}

#[test]
fn the_most_iterations_are_the_most() {
    let len = 40;
    let place = |at: usize| ((at * 7919) % 101) as f64 / 20.0;
    let entries = (0..len * len).map(|at| (-(place(at / len) - place(at % len)).powi(2)).exp());
    let matrix = Dense::new(len, entries.collect()).unwrap();
    let positive: Vec<bool> = (0..len).map(|at| at % 3 == 0).collect();
    let few = Limits {
        most_iterations: Some(5),
        ..Limits::default()
    };
    let found = solve::classify(&matrix, &positive, &vec![1.0; len], &few).unwrap();
    assert_eq!((found.iterations, found.converged), (5, false));
    let done = solve::classify(&matrix, &positive, &vec![1.0; len], &Limits::default()).unwrap();
    assert!(done.converged && done.objective < found.objective);
}

/// Where rounding hides what is left to gain, the solver ends and says that it has not converged.
#[test]
fn an_unreachable_tolerance_ends() {
    let limits = Limits {
        tolerance: 1e-300,
        ..Limits::default()
    };
    let (positive, costs) = ([true, false, true], [1e6; 3]);
    let found = solve::classify(&three(), &positive, &costs, &limits).unwrap();
    assert!(found.iterations < 1_000_000);
    assert!(found.objective < 0.0);
}

/// Finite numbers whose sums are not: an error and neither a panic nor a solution.
#[test]
fn sums_that_overflow_are_told() {
    let entries = [4.0, 1.0, -3.0, 1.0, 4.0, 2.0, -3.0, 2.0, 4.0];
    let huge = Dense::new(3, entries.map(|entry| entry * 4e307).to_vec()).unwrap();
    let limits = Limits::default();
    let sides = [true, false, true];
    let fault = solve::classify(&huge, &sides, &[1e10; 3], &limits);
    assert!(fault.is_err() || fault.unwrap().objective.is_finite());
    let fault = solve::one_class(&huge, 1.0, &limits);
    assert_eq!(fault, Err(Error::Overflow));
    let fault = solve::regress(&three(), &[1e308, -1e308, 1e308], 0.0, &[1e300; 3], &limits);
    assert_eq!(fault, Err(Error::Overflow));
}

#[test]
fn one_object_is_a_region() {
    let matrix = Dense::new(1, vec![2.0]).unwrap();
    let found = solve::one_class(&matrix, 1.0, &Limits::default()).unwrap();
    assert_eq!((found.coefficients, found.bias), (vec![1.0], -2.0));
    let number = solve::regress(&matrix, &[3.0], 0.1, &[1.0], &Limits::default()).unwrap();
    assert!((number.decide(&[2.0]) - 3.0).abs() <= 0.1);
}
