//! What can go wrong in an evaluation, in one enumeration for the crate.
//!
//! Variants carry the found and the expected value, so that a caller who knows the names of
//! columns and files can say more without parsing a message.

use kinwood_values::Remedy;
use kinwood_values::suggest::did_you_mean;

use crate::target::Target;

/// Why an evaluation could not be planned or computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A target that no measure is for.
    #[error(
        "target `{target}` is a `{found}`; nominal, numeric and set<nominal> targets can be evaluated"
    )]
    TargetType {
        /// The target.
        target: String,
        /// Its type.
        found: String,
    },
    /// A model that does not predict what it is to be measured by: its file was forged, or is of
    /// other targets.
    #[error("the model predicts {found}, and is to be measured by {expected}")]
    OtherTargets {
        /// What is to be predicted.
        expected: String,
        /// What is.
        found: String,
    },
    /// There is nothing to split.
    #[error("no rows to split")]
    NoRows,
    /// Nothing can be permuted without rows.
    #[error("no rows to measure the importance of columns by")]
    NothingToPermute,
    /// Row positions are 32 bits wide.
    #[error("{rows} rows to split, at most {most} are supported", most = u32::MAX)]
    TooManyRows {
        /// How many rows were given.
        rows: usize,
    },
    /// A cross-validation needs at least two folds.
    #[error("{found} folds asked for, at least 2 are needed")]
    TooFewFolds {
        /// How many folds were asked for.
        found: usize,
    },
    /// A fold would be empty.
    #[error("{folds} folds asked for, but there are only {units} {kind} to divide")]
    TooManyFolds {
        /// How many folds were asked for.
        folds: usize,
        /// How many units there are to deal out.
        units: usize,
        /// What is dealt out.
        kind: Unit,
    },
    /// A plan that repeats nothing has no splits.
    #[error("0 repeats asked for, at least 1 is needed")]
    NoRepeats,
    /// The share of training rows leaves one side empty, or is no number.
    #[error("training share {found} is outside the open interval from 0 to 1")]
    ShareOutside {
        /// The share asked for.
        found: f64,
    },
    /// A single row or group cannot be on both sides.
    #[error("{units} {kind} cannot be divided into training and test, at least 2 are needed")]
    Indivisible {
        /// How many units there are.
        units: usize,
        /// What would be divided.
        kind: Unit,
    },
    /// Given folds name fewer than two folds.
    #[error("the given folds have {found} distinct label(s), at least 2 are needed")]
    TooFewFoldLabels {
        /// How many distinct labels there are.
        found: usize,
    },
    /// A row without objects cannot be kept apart from anything.
    #[error("row {} has no objects to keep apart", row + 1)]
    NoObjects {
        /// The row, from 0.
        row: usize,
    },
    /// No fold can be used where objects are kept apart.
    #[error(
        "none of {folds} folds can be used where objects are kept apart: {untested} have no test rows, {untrained} train without two classes; fewer folds have more rows of their own"
    )]
    NothingApart {
        /// How many folds there are, over all repeats.
        folds: usize,
        /// Those without test rows.
        untested: usize,
        /// Those whose training rows have fewer than two classes.
        untrained: usize,
    },
    /// A row without a time is neither before nor after another.
    #[error("row {} has no time to be ordered by", row + 1)]
    NoTime {
        /// The row, from 0.
        row: usize,
    },
    /// Fewer distinct times than blocks to cut the rows into.
    #[error(
        "{folds} folds by time asked for, but there are only {found} distinct times, at least {} are needed", folds + 1
    )]
    TooFewTimes {
        /// How many folds were asked for.
        folds: usize,
        /// How many distinct times there are.
        found: usize,
    },
    /// No fold by time can be used where groups are kept together.
    #[error(
        "none of {folds} folds by time can be used: every row to be tested is of a group that has earlier rows"
    )]
    NothingForward {
        /// How many folds were asked for.
        folds: usize,
    },
    /// Leaving out one after the other takes more memory than is sensible.
    #[error(
        "leaving out each of {units} {kind} of {rows} rows is too much; divide into folds instead"
    )]
    TooManyToLeaveOut {
        /// How many units there are.
        units: usize,
        /// What would be left out.
        kind: Unit,
        /// How many rows there are.
        rows: usize,
    },
    /// A splitter that makes no splits.
    #[error("there are no splits")]
    NoSplits,
    /// A split of a registered splitter that cannot be used.
    #[error("repeat {repeat}, fold {fold}: {fault}")]
    Split {
        /// The repeat, from 1.
        repeat: usize,
        /// The fold, from 1.
        fold: usize,
        /// What is wrong with it.
        fault: SplitFault,
    },
    /// No splitter has this name.
    #[error("unknown splitter `{found}`{}", nearest_or_all(nearest, known))]
    UnknownSplitter {
        /// The name asked for.
        found: String,
        /// The most similar name there is, if any is similar.
        nearest: Option<String>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// A setting that a splitter does not have or cannot take.
    #[error("splitter `{splitter}`: {reason}")]
    SplitterSettings {
        /// The splitter.
        splitter: String,
        /// What is wrong.
        reason: String,
    },
    /// Words that state no division of rows.
    #[error("{FORMS}")]
    Division,
    /// Given folds put rows of one group into two folds.
    #[error("group {group} is divided by the given folds: it has rows in `{first}` and `{second}`")]
    GroupDivided {
        /// The group's code.
        group: u32,
        /// The fold of the group's first row.
        first: String,
        /// Another fold with rows of the group.
        second: String,
    },
    /// Two slices that describe the same rows differ in length.
    #[error("{found} {what} for {expected} rows")]
    Lengths {
        /// What the slice holds.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The number of rows, or of values the rows ask for.
        expected: usize,
    },
    /// A class code has no class.
    #[error("row {row} has class code {code}, but there are only {classes} classes")]
    UnknownClass {
        /// The row, from 0.
        row: usize,
        /// Its class code.
        code: u32,
        /// How many classes there are.
        classes: usize,
    },
    /// A class was asked for that there is not.
    #[error("class code {class} asked for, but there are only {classes} classes")]
    NoSuchClass {
        /// The class code.
        class: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// More classes than can be counted against each other.
    #[error("{classes} classes, at most {most} are counted against each other")]
    TooManyClasses {
        /// How many classes there are.
        classes: usize,
        /// The most.
        most: usize,
    },
    /// A weight is negative, infinite or no number.
    #[error("row {row} has weight {found}, expected a finite number of at least 0")]
    Weight {
        /// The row, from 0.
        row: usize,
        /// Its weight.
        found: f64,
    },
    /// A probability is outside 0 to 1, or no number.
    #[error("row {row} gives class code {code} the probability {found}, expected 0 to 1")]
    Probability {
        /// The row, from 0.
        row: usize,
        /// The class code.
        code: u32,
        /// The probability found.
        found: f64,
    },
    /// A value that has to be finite is infinite or no number.
    #[error("row {row} has {what} {found}, expected a finite number")]
    NotFinite {
        /// What the value is.
        what: &'static str,
        /// The row, from 0.
        row: usize,
        /// The value found.
        found: f64,
    },
    /// No measure has this name.
    #[error("unknown measure `{found}`{}", nearest_or_all(nearest, known))]
    UnknownMeasure {
        /// The name asked for.
        found: String,
        /// The most similar name there is, if any is similar.
        nearest: Option<String>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// A measure to be registered under a name that cannot be written everywhere.
    #[error(
        "`{found}` is no name of a measure: expected lower-case letters, digits and `_`, a letter first"
    )]
    MeasureName {
        /// The name.
        found: String,
    },
    /// A measure to be registered under the name of a built-in one.
    #[error("there is a built-in measure `{name}`; register yours under another name")]
    MeasureTaken {
        /// The name.
        name: String,
    },
    /// A registered measure could not be computed.
    #[error("the measure `{measure}` failed: {reason}")]
    MeasureFailed {
        /// Its name.
        measure: String,
        /// Why.
        reason: String,
    },
    /// A measure for classes was asked of numbers, or the reverse.
    #[error("`{measure}` is a measure for {expected}, not for {found}")]
    WrongTarget {
        /// The key of the measure.
        measure: &'static str,
        /// The targets it is for.
        expected: Target,
        /// The target it was asked for.
        found: Target,
    },
    /// A test over data sets has too few of them.
    #[error("{found} data set(s) to compare learners on, at least {expected} are needed")]
    TooFewDataSets {
        /// How many data sets were given.
        found: usize,
        /// How many the test needs.
        expected: usize,
    },
    /// There is nothing to compare a learner with.
    #[error("{found} learner(s) to compare, at least {expected} are needed")]
    TooFewLearners {
        /// How many learners were given.
        found: usize,
        /// How many the test needs.
        expected: usize,
    },
    /// A data set has not one score for each learner.
    #[error("data set {data_set} has scores of {found} learners, expected {expected}")]
    LearnersOfDataSet {
        /// The data set, from 0.
        data_set: usize,
        /// How many learners have scores.
        found: usize,
        /// How many learners the first data set has.
        expected: usize,
    },
    /// A learner's score on a data set is infinite or no number.
    #[error("learner {learner} has score {found} on data set {data_set}, expected a finite number")]
    ScoreOnDataSet {
        /// The data set, from 0.
        data_set: usize,
        /// The learner, from 0.
        learner: usize,
        /// The score found.
        found: f64,
    },
    /// A mean rank that no learner can have.
    #[error("learner {learner} has mean rank {found}, expected a number from 1 to {learners}")]
    MeanRank {
        /// The learner, from 0.
        learner: usize,
        /// The mean rank found.
        found: f64,
        /// How many learners there are.
        learners: usize,
    },
    /// The learner to compare the others with is none of them.
    #[error("learner {control} is to be the control, but there are only {learners} learners")]
    UnknownControl {
        /// The learner, from 0.
        control: usize,
        /// How many learners there are.
        learners: usize,
    },
    /// A level of significance or of confidence is not between 0 and 1.
    #[error("level {found} is outside the open interval from 0 to 1")]
    LevelOutside {
        /// The level asked for.
        found: f64,
    },
    /// A probability of a family of tests is outside 0 to 1, or no number.
    #[error("test {test} has probability {found}, expected 0 to 1")]
    ProbabilityOfTest {
        /// The test, from 0.
        test: usize,
        /// The probability found.
        found: f64,
    },
    /// Test rows divided by training rows are no positive number.
    #[error("{found} test rows for each training row, expected a finite number above 0")]
    TestToTrain {
        /// The ratio found.
        found: f64,
    },
    /// The difference that does not matter is negative, infinite or no number.
    #[error("differences up to {found} are not to matter, expected a finite number of at least 0")]
    Region {
        /// The difference.
        found: f64,
    },
    /// A simulation draws nothing.
    #[error("0 samples asked for, at least 1 is needed")]
    NoSamples,
    /// A parameter of the studentized range is outside its range.
    #[error("the studentized range has no {what} of {found}, expected {expected}")]
    StudentizedRange {
        /// The parameter.
        what: &'static str,
        /// Its value.
        found: f64,
        /// The values it can have.
        expected: &'static str,
    },
    /// Values to try that cannot be read.
    #[error("`{name}={written}`, character {place}: expected {expected}, found {found}")]
    GridSyntax {
        /// The setting.
        name: String,
        /// What was written behind it.
        written: String,
        /// Where, in characters from 1 of the whole.
        place: usize,
        /// What could stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A setting whose values are given twice.
    #[error("the values of `{name}` to try are given twice")]
    RepeatedDimension {
        /// The setting.
        name: String,
    },
    /// A range without steps where every value is to be tried.
    #[error(
        "`{name}={written}` is a range without steps: say how many values, as in `{written}/5`, or draw them at random"
    )]
    OpenRange {
        /// The setting.
        name: String,
        /// The range.
        written: String,
    },
    /// More combinations than anybody waits for.
    #[error(
        "{found} combinations of settings to try, at most {most} are supported; random search draws some of them"
    )]
    TooManyCombinations {
        /// How many there are.
        found: u128,
        /// How many there may be.
        most: usize,
    },
    /// Nothing to choose among.
    #[error("there are no settings to choose among")]
    NoCandidates,
    /// Too few pairs for a test of significance.
    #[error("{found} pair(s) to compare, at least {expected} are needed")]
    TooFewPairs {
        /// How many pairs were given.
        found: usize,
        /// How many the test needs.
        expected: usize,
    },
}

impl Error {
    /// What the user can do about it, for an interface to word.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::TooManyToLeaveOut { .. } => Some(Remedy::DivideIntoFolds { folds: 10 }),
            _ => None,
        }
    }
}

/// How a division of rows is stated.
const FORMS: &str = "a split is one of { folds = 10, repeats = 1 }, { train_share = 0.67, repeats = 25 }, { column = \"fold\" }, { leave_one_out = true }, \
     { by_time = \"year\", folds = 10 } and { folds = 10, repeats = 1, apart = [\"compound\"] }";

/// What is wrong with a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitFault {
    /// One of its sides has no rows.
    #[error("no training rows or no test rows")]
    Empty,
    /// Rows that do not ascend.
    #[error("rows are not in ascending order")]
    Unordered,
    /// A row that there is not.
    #[error("there is no row {}, there are {rows}", row + 1)]
    Unknown {
        /// The row, from 0.
        row: u32,
        /// How many there are.
        rows: usize,
    },
    /// A row that is trained on and tested.
    #[error("row {} is both a training row and a test row", row + 1)]
    Both {
        /// The row, from 0.
        row: u32,
    },
    /// A group on both sides.
    #[error("group {group} has training rows and test rows")]
    Group {
        /// The group's code.
        group: u32,
    },
}

/// The nearest of some names, or all of them where none is near.
fn nearest_or_all(nearest: &Option<String>, known: &[&'static str]) -> String {
    match nearest {
        Some(_) => did_you_mean(nearest),
        None if known.is_empty() => "; none is registered".to_owned(),
        None => format!("; expected one of {}", known.join(", ")),
    }
}

/// What a split deals out whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Each row by itself.
    Rows,
    /// All rows of a group together.
    Groups,
    /// The objects of rows.
    Objects,
}

impl std::fmt::Display for Unit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Unit::Rows => "rows",
            Unit::Groups => "groups",
            Unit::Objects => "objects",
        })
    }
}
