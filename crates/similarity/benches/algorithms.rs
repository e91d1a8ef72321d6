//! How long the algorithms take on random sequences and trees.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use kinwood_similarity::algorithms::alignment::Scores;
use kinwood_similarity::algorithms::edit::{self, Pattern, Query};
use kinwood_similarity::algorithms::subsequence::all_lengths;
use kinwood_similarity::algorithms::subtree::Fragments;
use kinwood_similarity::algorithms::tree_edit::{Costs, Tree, Workspace};

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % limit
    }

    fn text(&mut self, length: usize) -> Vec<u32> {
        (0..length).map(|_| 97 + self.below(26) as u32).collect()
    }

    /// A tree in preorder, each node hung from one of those before it.
    fn tree(&mut self, count: usize) -> (Vec<u32>, Vec<u32>) {
        let mut children = vec![Vec::new(); count];
        for node in 1..count {
            children[self.below(node)].push(node);
        }
        let (mut labels, mut arities, mut open) = (Vec::new(), Vec::new(), vec![0]);
        while let Some(node) = open.pop() {
            labels.push(self.below(5) as u32);
            arities.push(children[node].len() as u32);
            open.extend(children[node].iter().rev());
        }
        (labels, arities)
    }
}

fn sequences(criterion: &mut Criterion) {
    let mut numbers = Numbers(88_172_645_463_325_252);
    let mut group = criterion.benchmark_group("edit");
    for length in [30, 50, 100, 200, 500] {
        let pattern = Pattern::new(&numbers.text(length));
        let texts: Vec<Vec<u32>> = (0..100).map(|_| numbers.text(length)).collect();
        let mut out = vec![0; texts.len()];
        group.throughput(Throughput::Elements(texts.len() as u64));
        group.bench_function(BenchmarkId::new("distances", length), |bencher| {
            bencher
                .iter(|| pattern.distances(texts.iter().map(Vec::as_slice), black_box(&mut out)));
        });
        group.bench_function(BenchmarkId::new("within a tenth", length), |bencher| {
            let near = |text: &&Vec<u32>| pattern.within(text, length / 10).is_some();
            bencher.iter(|| texts.iter().filter(near).count());
        });
    }
    let (a, b) = (numbers.text(200), numbers.text(200));
    group.throughput(Throughput::Elements(1));
    let costs = edit::Costs {
        substitute: 1.5,
        ..edit::Costs::default()
    };
    let query = Query::new(costs, &a);
    group.bench_function("weighted/200", |bencher| {
        bencher.iter(|| query.distance(black_box(&b)))
    });
    group.finish();
    criterion.bench_function("alignment/200", |bencher| {
        bencher.iter(|| Scores::default().score(black_box(&a), &b));
    });
    criterion.bench_function("subsequence/200", |bencher| {
        bencher.iter(|| all_lengths(black_box(&a), &b, 0.5));
    });
}

fn trees(criterion: &mut Criterion) {
    let mut numbers = Numbers(88_172_645_463_325_252);
    for count in [50, 100, 200] {
        let (a, b) = (numbers.tree(count), numbers.tree(count));
        let (first, second) = (Tree::new(&a.0, &a.1), Tree::new(&b.0, &b.1));
        let mut workspace = Workspace::default();
        criterion.bench_function(&format!("tree_edit/{count}"), |bencher| {
            bencher.iter(|| Costs::default().distance(black_box(&first), &second, &mut workspace));
        });
        let (first, second) = (Fragments::new(&a.0, &a.1), Fragments::new(&b.0, &b.1));
        criterion.bench_function(&format!("subtree/{count}"), |bencher| {
            bencher.iter(|| black_box(&first).inner(&second, 0.5));
        });
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    sequences(&mut criterion);
    trees(&mut criterion);
    criterion.final_summary();
}
