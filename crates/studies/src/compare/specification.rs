//! Studies of one's own: which data sets and which learners, in a file.
//!
//! ```toml
//! title = "Three learners on two data sets"
//! split = { folds = 10, repeats = 1 }
//!
//! [[data]]
//! path = "iris.arff"
//!
//! [[data]]
//! path = "glass.csv"
//! target = "Type"
//!
//! [[learners]]
//! learner = "knn"
//! grid = { k = [1, 3] }
//!
//! [[learners]]
//! name = "SVM"
//! learner = "svm"
//! tune = { c = [1, 10, 100] }
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;

use kinwood_evaluation::division::Division;
use kinwood_evaluation::measures::Measure;
use serde::Deserialize;

use super::Contender;
use super::contender::INNER_FOLDS;
use kinwood_workbench::error::{Error, Result};

/// The most combinations of values that a learner of a study may be tried with: a few lists of a
/// few values are billions soon, and nobody waits for those.
const MOST_COMBINATIONS: usize = 100_000;

/// A study: which data sets, which learners.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Specification {
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// The seed, if not the command's.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The measure of the tables, if not the customary one.
    #[serde(default)]
    pub measure: Option<Measure>,
    /// A difference with a probability of at most this is told.
    #[serde(default)]
    pub level: Option<f64>,
    /// Differences up to this are of no practical interest.
    #[serde(default)]
    pub rope: Option<f64>,
    /// How rows are divided, if not into ten folds once.
    #[serde(default)]
    pub split: Option<Division>,
    /// The inner folds by which settings are chosen.
    #[serde(default)]
    pub inner_folds: Option<usize>,
    /// The data sets.
    pub data: Vec<DataAsked>,
    /// The learners.
    pub learners: Vec<LearnerAsked>,
}

/// A data set of a study.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataAsked {
    /// The file, folder or URL; relative to the study file.
    pub path: PathBuf,
    /// What it is called, if not like the file.
    #[serde(default)]
    pub name: Option<String>,
    /// The column to predict.
    #[serde(default)]
    pub target: Option<String>,
    /// The columns to predict, where there are several.
    #[serde(default)]
    pub targets: Vec<String>,
    /// Columns left out.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// What columns are for.
    #[serde(default)]
    pub roles: BTreeMap<String, String>,
    /// A condition on the rows.
    #[serde(default)]
    pub rows: Option<String>,
    /// A `schema.toml`, relative to the study file.
    #[serde(default)]
    pub schema: Option<PathBuf>,
    /// The column of a flat table that says which bag a row belongs to.
    #[serde(default)]
    pub bag: Option<String>,
    /// How its rows are divided, if not as the study's.
    #[serde(default)]
    pub split: Option<Division>,
}

/// A learner of a study.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnerAsked {
    /// What it is called, if not by its settings.
    #[serde(default)]
    pub name: Option<String>,
    /// The learner.
    pub learner: String,
    /// Settings that differ from its defaults.
    #[serde(default)]
    pub settings: BTreeMap<String, Scalar>,
    /// Settings with several values, each combination a learner of its own.
    #[serde(default)]
    pub grid: BTreeMap<String, Vec<Scalar>>,
    /// Settings whose values are chosen by inner folds of the training rows.
    #[serde(default)]
    pub tune: BTreeMap<String, Vec<Scalar>>,
}

/// A value of a setting, as TOML has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Real(f64),
    /// Anything else.
    Text(String),
}

impl Scalar {
    fn text(&self) -> String {
        match self {
            Scalar::Flag(flag) => flag.to_string(),
            Scalar::Whole(number) => number.to_string(),
            Scalar::Real(number) => number.to_string(),
            Scalar::Text(text) => text.clone(),
        }
    }
}

impl Specification {
    /// Reads a study; what is wrong with it is told with its place.
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        let wrong = |reason: String| Error::Comparison {
            place: file.to_owned(),
            reason,
        };
        let study: Self = toml::from_str(text).map_err(|error| {
            let before = error.span().map(|span| &text[..span.start.min(text.len())]);
            let line = before.map(|before| before.matches('\n').count() + 1);
            let reason = error.message().to_owned();
            match line {
                Some(line) => Error::Comparison {
                    place: format!("{file}:{line}"),
                    reason,
                },
                None => wrong(reason),
            }
        })?;
        if study.data.is_empty() || study.learners.is_empty() {
            return Err(wrong(
                "it needs a `[[data]]` and a `[[learners]]` at least".to_owned(),
            ));
        }
        for learner in &study.learners {
            let named = learner
                .settings
                .keys()
                .chain(learner.grid.keys())
                .chain(learner.tune.keys());
            let mut seen: Vec<&String> = Vec::new();
            for name in named {
                if seen.contains(&name) {
                    return Err(wrong(format!(
                        "learner `{}` sets `{name}` twice",
                        learner.learner
                    )));
                }
                seen.push(name);
            }
            for grid in [&learner.grid, &learner.tune] {
                let sizes = grid.values().map(Vec::len);
                let combinations = sizes.fold(1_usize, usize::saturating_mul);
                if combinations > MOST_COMBINATIONS {
                    return Err(wrong(format!(
                        "the values of learner `{}` have more than {MOST_COMBINATIONS} combinations",
                        learner.learner
                    )));
                }
            }
            let lists = learner.grid.iter().chain(&learner.tune);
            if let Some((name, _)) = lists.into_iter().find(|(_, values)| values.is_empty()) {
                return Err(wrong(format!(
                    "learner `{}` has no values for `{name}`",
                    learner.learner
                )));
            }
        }
        Ok(study)
    }

    /// The contenders, grids taken apart.
    pub fn contenders(&self) -> Vec<Contender> {
        let inner = self.inner_folds.unwrap_or(INNER_FOLDS);
        let texts = |values: &[Scalar]| values.iter().map(Scalar::text).collect::<Vec<_>>();
        self.learners
            .iter()
            .flat_map(|asked| {
                let settings = asked.settings.iter();
                let fixed = settings.map(|(name, value)| (name.clone(), vec![value.text()]));
                let grid = asked
                    .grid
                    .iter()
                    .map(|(name, values)| (name.clone(), texts(values)));
                let all = fixed.chain(grid).collect();
                let name = asked.name.as_deref();
                let tune: Vec<_> = asked
                    .tune
                    .iter()
                    .map(|(name, values)| (name.clone(), texts(values)))
                    .collect();
                let mut made = Contender::of_grid(name, &asked.learner, all, false, inner);
                for contender in &mut made {
                    contender.tune.clone_from(&tune);
                    if asked.name.is_none() && !tune.is_empty() {
                        contender.name += " (tuned)";
                    }
                }
                made
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_of_billions_are_refused() {
        for grid in ["grid", "tune"] {
            let names = ["a", "b", "c", "d", "e", "f"];
            let lists: Vec<String> = names
                .iter()
                .map(|name| format!("{name} = [1, 2, 3, 4, 5, 6, 7, 8]"))
                .collect();
            let study = format!(
                "[[data]]\npath = 'a.csv'\n[[learners]]\nlearner = 'knn'\n{grid} = {{ {} }}\n",
                lists.join(", ")
            );
            let error = Specification::parse(&study, "study.toml").unwrap_err();
            assert!(error.to_string().contains("100000 combinations"), "{error}");
        }
    }

    #[test]
    fn grids_are_taken_apart_and_tuning_is_not() {
        let study = Specification::parse(
            r#"
            [[data]]
            path = "a.csv"
            [[learners]]
            learner = "knn"
            settings = { distance = "hausdorff(absolute)" }
            grid = { k = [1, 3.5, true] }
            [[learners]]
            name = "SVM"
            learner = "svm"
            tune = { c = [1, 10] }
            "#,
            "study.toml",
        )
        .unwrap();
        let contenders = study.contenders();
        let names: Vec<&str> = contenders.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "knn:distance=hausdorff(absolute),k=1",
                "knn:distance=hausdorff(absolute),k=3.5",
                "knn:distance=hausdorff(absolute),k=true",
                "SVM"
            ]
        );
        assert_eq!(
            contenders[3].tune,
            [("c".to_owned(), vec!["1".to_owned(), "10".to_owned()])]
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let told = |text: &str| {
            Specification::parse(text, "s.toml")
                .unwrap_err()
                .to_string()
        };
        assert!(told("title = \"a\"\nseeds = 1\n").starts_with("s.toml:2: "));
        let twice =
            "[[data]]\npath='a'\n[[learners]]\nlearner='knn'\nsettings={k=1}\ngrid={k=[1]}\n";
        assert_eq!(told(twice), "s.toml: learner `knn` sets `k` twice");
    }
}
