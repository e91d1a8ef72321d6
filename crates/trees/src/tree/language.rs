//! Languages of tests: all that growers, constraints, pruning and forests know of the tests that
//! trees are made of.
//!
//! A language says which tests a set of examples can be divided by, how good each is, and what the
//! parts are. Over columns a test looks at an attribute or at prototypes; over a database it
//! follows foreign keys. Everything else about trees is written once, generic over the language.

use kinwood_learning::task::Task;
use smallvec::SmallVec;

use super::response::Answers;
use super::structure::Tree;

/// The columns (and tables) that a test looks at, by their positions, rising.
pub type Mentions = SmallVec<[u32; 4]>;

/// A row and the weight with which it arrives.
pub type Weighted = (u32, f64);

/// What a child of a divided region will be needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Further {
    /// It stays a leaf.
    Never,
    /// It is divided if it can be.
    IfDivisible,
    /// It is divided.
    Always,
}

/// Which rows reach which node of a tree.
pub struct Routed {
    /// By node: the rows with what of their weight gets there.
    pub rows: Vec<Vec<Weighted>>,
    /// By node: the shares by which rows went into the branches that the test does not decide on;
    /// empty for leaves.
    pub shares: Vec<Vec<f64>>,
}

/// What a branch of a test says of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Narrowed {
    /// The number is greater than this one.
    Above(u32, f64),
    /// It is not.
    AtMost(u32, f64),
    /// The label is one of these, or with `false` none of them.
    Among(u32, Vec<u32>, bool),
    /// Something else.
    Unknown,
}

/// What tests look at and cost, without any rows: all that constraints need.
pub trait Vocabulary: Sync {
    /// A test as trees keep it.
    type Test: Clone + PartialEq + Send + Sync;
    /// What of the way to a node its tests refer to.
    type Path: Clone + Default;

    /// The way into a branch of a test.
    fn after(&self, path: &Self::Path, test: &Self::Test, branch: usize) -> Self::Path;
    /// What a test looks at.
    fn mentioned(&self, path: &Self::Path, test: &Self::Test) -> Mentions;
    /// What a test costs that looks at these.
    fn cost(&self, mentions: &[u32]) -> f64;

    /// What a branch of a test says of a column, of languages that can say so.
    fn narrowed(&self, _: &Self::Test, _: usize) -> Narrowed {
        Narrowed::Unknown
    }
}

/// A language of tests over the rows of a task.
pub trait Language: Vocabulary {
    /// The examples that reach a node, with what proposing tests needs.
    type Region: Send + Sync;
    /// A test proposed for a region, with what dividing by it needs.
    type Candidate: Clone + Send + Sync;

    /// Whether a test on a column that must be used can stand at any leaf.
    const ANYWHERE: bool;
    /// Whether a subtree may take the place of its parent: its tests do not refer to those above.
    const RAISES: bool;

    /// The task.
    fn task(&self) -> &Task;
    /// How much a row of the task counts.
    fn row_weight(&self, row: u32) -> f64;
    /// The root of all rows, or of some, which rise.
    fn root(&self, rows: Option<Vec<u32>>) -> Self::Region;
    /// The root made ready for regions that many trees share, which may take so many bytes for
    /// what can be made again.
    fn shared(&self, root: Self::Region, memory: usize) -> Self::Region;

    /// The rows of the examples.
    fn rows<'r>(&self, region: &'r Self::Region) -> &'r [u32];
    /// How much an example counts, by its place.
    fn example_weight(&self, region: &Self::Region, place: usize) -> f64;
    /// How much each example counts, if not all the same.
    fn weights(&self, region: &Self::Region) -> Option<Vec<f64>>;
    /// The weight of the examples.
    fn weight(&self, region: &Self::Region) -> f64;
    /// Impurity times weight: 0 where all are alike.
    fn impurity(&self, region: &Self::Region) -> f64;
    /// What a node of the region says.
    fn answers(&self, region: &Self::Region) -> Answers;
    /// Impurity times weight of the examples that answers were made from.
    fn impurity_behind(&self, answers: &Answers) -> f64;
    /// What a node of these rows says.
    fn answers_of(&self, rows: &[Weighted]) -> Answers;
    /// Whether the work on a region is worth sharing among threads.
    fn large(&self, region: &Self::Region) -> bool;
    /// The work of exploring a region, in examples times inputs.
    fn work(&self, region: &Self::Region) -> usize;
    /// Whether an example may stand in several leaves.
    fn mixes(&self) -> bool;
    /// The most branches of a test.
    fn most_branches(&self) -> usize;
    /// Whether tests divide a column by thresholds alone, so that predictions can be kept monotone
    /// in it; if not, why.
    fn divides_by_thresholds(&self, column: u32) -> Result<(), &'static str>;

    /// Whether a region can be divided at all.
    fn divisible(&self, region: &Self::Region) -> bool;
    /// The tests by which a region may be divided.
    fn candidates(&self, region: &Self::Region) -> Vec<Self::Candidate>;
    /// The tests by which trees of a beam may be refined there.
    fn refinements(&self, region: &Self::Region) -> Vec<Self::Candidate>;
    /// Every test by which a region may be divided, where they can be counted, for enumerations; by
    /// default those of a beam.
    fn every(&self, region: &Self::Region) -> Vec<Self::Candidate> {
        self.refinements(region)
    }
    /// The best of some candidates, if it gains anything, and what it gains.
    fn best(&self, region: &Self::Region, candidates: &[Self::Candidate]) -> Option<(usize, f64)>;
    /// The candidate of a given test, or of the best one on a column; `None` if nothing is divided
    /// so.
    fn given(
        &self,
        region: &Self::Region,
        column: u32,
        test: Option<&Self::Test>,
    ) -> Option<Self::Candidate>;

    /// The test.
    fn test(&self, candidate: &Self::Candidate) -> Self::Test;
    /// A number by which tests are told apart.
    fn identity(&self, candidate: &Self::Candidate) -> u128;
    /// Impurity times weight, summed over the branches, and what the best of as many tests as were
    /// tried gains by chance.
    fn impurity_after(&self, candidate: &Self::Candidate) -> f64;
    /// How many branches it has.
    fn branches(&self, candidate: &Self::Candidate) -> usize;
    /// The shares in which examples that the test does not decide on go into the branches.
    fn shares(&self, candidate: &Self::Candidate) -> Vec<f64>;
    /// The weight of the lightest branch.
    fn lightest(&self, region: &Self::Region, candidate: &Self::Candidate) -> f64;
    /// What it looks at.
    fn mentions(&self, region: &Self::Region, candidate: &Self::Candidate) -> Mentions;

    /// The children by branch, in place of the region.
    fn divide(
        &self,
        region: Self::Region,
        candidate: &Self::Candidate,
        further: &dyn Fn(usize) -> Further,
    ) -> Vec<Self::Region>;
    /// The children by branch, the region staying as it is.
    fn children(&self, region: &Self::Region, candidate: &Self::Candidate) -> Vec<Self::Region>;
    /// The children by branch without what dividing them further would need.
    fn parts(&self, region: &Self::Region, candidate: &Self::Candidate) -> Vec<Self::Region>;

    /// The branch into which a test sends a row, `None` where it cannot decide: of languages whose
    /// subtrees may be raised.
    fn branch(&self, test: &Self::Test, row: u32) -> Option<usize>;
    /// Sends rows down a tree. Those that a test does not decide on are divided by the shares of
    /// its branches, or `anew` by the shares of the rows that are decided.
    fn route<P>(&self, tree: &Tree<Self::Test, P>, rows: Vec<Weighted>, anew: bool) -> Routed;
}
