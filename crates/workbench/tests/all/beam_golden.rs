//! `search=beam preset=paper` beside the figures of the paper: models evaluated, and sizes after
//! pruning.
//!
//! Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive
//! clustering trees, KDID 2006, Tables 4, 5 and 7. The data sets are public and read from the
//! folder that `KINWOOD_DATA` names; without it the test says so and compares nothing.
//!
//! Where a count is not the paper's, the other one is exact: `benches/beam_exact.py`, written apart
//! from this code in whole numbers of any length, counts the same. Without similarity it was run on
//! all 16 sets, and no two scores that decide anything are nearer to each other than 7.9e-10, where
//! ours are equal within 1e-11 of the first tree's. With similarity it was run on all but
//! housing, whose count guards against change.
//!
//! What is left is the order of equal trees, of which the paper says nothing. Hundreds of times in
//! a search several trees are equally bad and one of them has to leave: we take the one that came
//! last, and refine equal trees in the order in which they came. Another order gives other counts,
//! and so does rounding: `beam_exact.py --doubles`, the same search by sums in double precision,
//! has 2168 models on segment, 2179 on machine_cpu, 1800 on chess, 2657 on car and 10881 on
//! housing, for of equal trees that one leaves whose last digit is larger. Readings that have 2168
//! and 2179 are of this kind; exact ones have 2170 and 2180, or 2164 and 2177 where the tree leaves
//! that came first.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kinwood_formats::ReadOptions;
use kinwood_learners::{Context, Registry, Task};
use kinwood_values::View;

/// A figure of the paper and ours.
struct Figure {
    paper: u64,
    ours: u64,
}

/// Where both agree.
const fn same(figure: u64) -> Figure {
    differs(figure, figure)
}

/// Where they do not: the paper's, then ours, which the exact search has too.
const fn exact(paper: u64, ours: u64) -> Figure {
    differs(paper, ours)
}

/// Where they do not, and ours is what a run gave.
const fn differs(paper: u64, ours: u64) -> Figure {
    Figure { paper, ours }
}

struct Set {
    file: &'static str,
    /// Models evaluated without and with similarity.
    evaluated: [Figure; 2],
    /// Sizes of the greedy tree, and of the best tree of each beam.
    sizes: [Figure; 3],
}

const SETS: &[Set] = &[
    Set {
        file: "uci/iris",
        evaluated: [same(198), same(809)],
        sizes: [same(9), same(11), same(13)],
    },
    Set {
        file: "uci/ionosphere",
        evaluated: [same(779), exact(29926, 30210)],
        sizes: [same(29), same(27), same(25)],
    },
    Set {
        file: "uci/segment",
        evaluated: [exact(2168, 2170), same(151868)],
        sizes: [same(85), same(85), same(81)],
    },
    Set {
        file: "uci/kr.vs.kp",
        evaluated: [exact(1800, 1798), same(92256)],
        sizes: [same(53), same(53), same(43)],
    },
    Set {
        file: "uci/mushroom",
        evaluated: [exact(217, 216), exact(4761, 4777)],
        sizes: [same(15), same(11), same(11)],
    },
    Set {
        file: "uci/car",
        evaluated: [exact(2638, 2664), same(57879)],
        sizes: [same(113), same(117), differs(95, 101)],
    },
    Set {
        file: "uci/vowel",
        evaluated: [exact(6567, 6573), same(483294)],
        sizes: [same(191), same(179), same(187)],
    },
    Set {
        file: "uci/vehicle",
        evaluated: [exact(6723, 6748), exact(590628, 590531)],
        sizes: [same(167), same(179), same(189)],
    },
    Set {
        file: "regression/pollution",
        evaluated: [same(1288), same(13049)],
        sizes: [same(13), same(13), same(13)],
    },
    Set {
        file: "regression/pyrim",
        evaluated: [same(1195), same(9357)],
        sizes: [same(11), same(11), same(13)],
    },
    Set {
        file: "regression/machine.cpu",
        evaluated: [exact(2178, 2180), same(28131)],
        sizes: [same(33), same(27), same(25)],
    },
    Set {
        file: "regression/cpu",
        evaluated: [exact(1333, 1349), exact(12415, 12547)],
        sizes: [same(23), same(51), same(41)],
    },
    Set {
        file: "regression/servo",
        evaluated: [exact(2114, 2148), exact(11239, 11217)],
        sizes: [same(21), same(17), same(19)],
    },
    Set {
        file: "regression/autoprice",
        evaluated: [exact(2856, 2863), exact(69158, 66576)],
        sizes: [same(17), same(17), differs(29, 27)],
    },
    Set {
        file: "regression/bodyfat",
        evaluated: [exact(2471, 2473), exact(94185, 93546)],
        sizes: [same(65), same(77), differs(71, 61)],
    },
    Set {
        file: "regression/housing",
        evaluated: [exact(10821, 10929), differs(549292, 549746)],
        sizes: [same(63), same(55), same(75)],
    },
];

/// Models evaluated, and the size of the first tree.
fn searched(task: &Task, search: &str, beta: &str) -> (u64, u64) {
    let given = [("search", search), ("preset", "paper"), ("beta", beta)];
    let registry = Registry::new();
    let entry = registry.find("tree").unwrap();
    let learner = (entry.build)(&entry.settings(&given).unwrap()).unwrap();
    let model = learner.fit(task, &Context::new()).unwrap().to_json();
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    (number(&model["models_evaluated"]), number(&model["size"]))
}

fn compare(folder: &Path, set: &Set) {
    let file = folder.join(format!("{}.arff", set.file));
    let database = kinwood_formats::read(&file, &ReadOptions::default())
        .unwrap()
        .database;
    let target = database.table(0).attributes().len() - 1;
    let view = View::new(Arc::new(database), 0);
    let task = Task::new(&view, &[target]).unwrap();
    let greedy = searched(&task, "greedy", "0");
    let beams = ["0", "1"].map(|beta| searched(&task, "beam", beta));
    let evaluated = beams.map(|beam| beam.0);
    let sizes = [greedy.1, beams[0].1, beams[1].1];
    println!(
        "{}: evaluated {evaluated:?} (paper {:?}), sizes {sizes:?} (paper {:?})",
        set.file,
        set.evaluated.each_ref().map(|figure| figure.paper),
        set.sizes.each_ref().map(|figure| figure.paper)
    );
    assert_eq!(
        evaluated,
        set.evaluated.each_ref().map(|figure| figure.ours),
        "{}",
        set.file
    );
    assert_eq!(
        sizes,
        set.sizes.each_ref().map(|figure| figure.ours),
        "{}",
        set.file
    );
}

#[test]
fn beams_are_the_papers() {
    let Some(folder) = std::env::var_os("KINWOOD_DATA").map(PathBuf::from) else {
        println!("skipped: KINWOOD_DATA names no folder of public data");
        return;
    };
    for set in SETS {
        compare(&folder, set);
    }
}
