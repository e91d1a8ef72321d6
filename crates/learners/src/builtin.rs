//! The learners that come with this crate, and learn by themselves.

use kinwood_boosting::BOOST;
use kinwood_instances::{baseline, centres, citation, knn, kstar, rule};
use kinwood_kernels as kernels;
use kinwood_trees::{DBDT, FOREST, MIRT, TREE, m5};

use crate::registry::Registry;

/// All of them but the one that chooses among the others.
pub fn learners() -> Registry {
    Registry::of(vec![
        baseline::MAJORITY,
        baseline::MEAN,
        rule::ONE_R,
        knn::KNN,
        kstar::KSTAR,
        citation::CITATION_KNN,
        TREE,
        DBDT,
        FOREST,
        BOOST,
        m5::M5,
        centres::CENTRES,
        MIRT,
        kernels::SVM,
        kernels::SVR,
        kernels::RIDGE,
        kernels::MI_SVM,
    ])
}
