//! Contenders: a learner with settings, as a word of the command line or a part of a study says it.

use std::sync::Arc;

use kinwood_evaluation::splits::Plan;
pub use kinwood_evaluation::tune::INNER_FOLDS;
use kinwood_evaluation::tune::{Candidate, Grid, Inner, Tuned};
use kinwood_learners::{Learner, Registry};
use serde_json::{Value, json};

use super::Entered;
use kinwood_workbench::error::{Error, Result};

/// A learner with settings that is compared with others.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// What it is called in tables.
    pub name: String,
    /// The learner.
    pub learner: String,
    /// Settings that differ from its defaults.
    pub settings: Vec<(String, String)>,
    /// Settings whose values are chosen by inner folds of the training rows.
    pub tune: Vec<(String, Vec<String>)>,
    /// How many inner folds there are.
    pub inner_folds: usize,
}

impl Contender {
    /// The contenders of a word such as `knn`, `svm:c=10,kernel=linear` or `knn:k=1|3|5`: one for
    /// each combination of values, or with `tune` one that chooses among them.
    pub fn of_word(word: &str, tune: bool) -> Result<Vec<Self>> {
        let wrong = |reason: String| Error::Comparison {
            place: format!("`{word}`"),
            reason,
        };
        let (learner, written) = match word.split_once(':') {
            Some((learner, written)) => (learner, written),
            None => (word, ""),
        };
        let mut settings: Vec<(String, Vec<String>)> = Vec::new();
        for part in outside_brackets(written) {
            if part.is_empty() {
                continue;
            }
            let (name, values) = part.split_once('=').ok_or_else(|| {
                wrong(format!(
                    "found `{part}`, expected settings as NAME=VALUE, divided by commas"
                ))
            })?;
            if settings.iter().any(|(known, _)| known == name) {
                return Err(wrong(format!("`{name}` is set twice")));
            }
            let combinations = Grid::new().with(name, values)?.combinations()?;
            let values = combinations.into_iter().flatten().map(|(_, value)| value);
            settings.push((name.to_owned(), values.collect()));
        }
        Ok(Self::of_grid(None, learner, settings, tune, INNER_FOLDS))
    }

    /// One contender for each combination of values, named after those that vary; or with `tune`
    /// one that chooses among them.
    pub fn of_grid(
        name: Option<&str>,
        learner: &str,
        settings: Vec<(String, Vec<String>)>,
        tune: bool,
        inner_folds: usize,
    ) -> Vec<Self> {
        let (varied, fixed): (Vec<_>, Vec<_>) = settings
            .into_iter()
            .partition(|(_, values)| values.len() > 1);
        let fixed: Vec<(String, String)> = fixed
            .into_iter()
            .filter_map(|(name, values)| Some((name, values.into_iter().next()?)))
            .collect();
        let said = fixed.iter().map(|(name, value)| format!("{name}={value}"));
        let said = said.collect::<Vec<_>>().join(",");
        let base = match (name, said.as_str()) {
            (Some(name), _) => name.to_owned(),
            (None, "") => learner.to_owned(),
            (None, said) => format!("{learner}:{said}"),
        };
        let contender = |name: String, settings, tune| Contender {
            name,
            learner: learner.to_owned(),
            settings,
            tune,
            inner_folds,
        };
        if tune && !varied.is_empty() {
            let name = match name {
                Some(name) => name.to_owned(),
                None => format!("{base} (tuned)"),
            };
            return vec![contender(name, fixed, varied)];
        }
        let made = combinations(&varied).into_iter().map(|chosen| {
            let said = chosen.iter().map(|(name, value)| format!("{name}={value}"));
            let said = said.collect::<Vec<_>>().join(",");
            (said, [fixed.as_slice(), &chosen].concat())
        });
        let named = |said: String| match said.as_str() {
            "" => base.clone(),
            said if base.contains(':') => format!("{base},{said}"),
            said if name.is_some() => format!("{base} {said}"),
            said => format!("{base}:{said}"),
        };
        made.map(|(said, settings)| contender(named(said), settings, Vec::new()))
            .collect()
    }

    /// Fails where a setting is not one of the learner's, or has a value that it cannot have.
    pub(super) fn check(&self, registry: &Registry) -> Result<()> {
        let entry = registry.find(&self.learner)?;
        entry.settings(&self.settings)?;
        for (name, values) in &self.tune {
            for value in values {
                let mut settings = self.settings.clone();
                settings.push((name.clone(), value.clone()));
                entry.settings(&settings)?;
            }
        }
        Ok(())
    }

    /// What decides its predictions.
    pub(super) fn identity(&self, registry: &Registry) -> Result<Value> {
        let entry = registry.find(&self.learner)?;
        let settings = entry.settings(&self.settings)?;
        let all: Vec<(&str, &str)> = settings.iter().collect();
        Ok(match self.tune.as_slice() {
            [] => json!({"name": entry.name, "settings": all}),
            tune => json!({
                "name": entry.name,
                "settings": all,
                "tune": tune,
                "inner_folds": self.inner_folds,
            }),
        })
    }

    /// The learner, ready to be fitted: with settings to choose, one that chooses by inner folds of
    /// the rows it is given.
    pub(super) fn build(&self, registry: &Registry, data: &Entered) -> Result<Box<dyn Learner>> {
        let entry = registry.find(&self.learner)?;
        if self.tune.is_empty() {
            return Ok(entry.learner(&entry.settings(&self.settings)?)?);
        }
        let mut candidates = Vec::new();
        for chosen in combinations(&self.tune) {
            let all = [self.settings.as_slice(), &chosen].concat();
            candidates.push(Candidate {
                learner: entry.learner(&entry.settings(&all)?)?,
                settings: chosen,
            });
        }
        // What is kept apart outside is kept apart inside as well.
        let objects = match &data.plan {
            Plan::Apart { objects, .. } => {
                let rows = data.problem.view.rows();
                Some(Arc::new(rows.zip(objects.iter().cloned()).collect()))
            }
            _ => None,
        };
        let inner = Inner {
            folds: self.inner_folds,
            objects,
        };
        Ok(Box::new(Tuned::new(candidates, inner, Vec::new())?))
    }
}

/// Every combination of values, the first setting changing slowest.
fn combinations(settings: &[(String, Vec<String>)]) -> Vec<Vec<(String, String)>> {
    let none = vec![Vec::new()];
    settings.iter().fold(none, |made, (name, values)| {
        let with = |value: &String| (name.clone(), value.clone());
        let longer = made.iter().flat_map(|known| {
            let more = values.iter().map(with);
            more.map(move |one| [known.as_slice(), &[one]].concat())
        });
        longer.collect()
    })
}

/// The parts of a text between commas that stand in no bracket.
fn outside_brackets(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut begin) = (0usize, 0);
    for (place, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[begin..place]);
                begin = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(word: &str, tune: bool) -> Vec<String> {
        let made = Contender::of_word(word, tune).unwrap();
        made.into_iter().map(|contender| contender.name).collect()
    }

    #[test]
    fn words_name_learners_settings_and_grids() {
        assert_eq!(names("knn", false), ["knn"]);
        assert_eq!(
            names("knn:k=1|3,distance=matching(absolute, M=2)", false),
            [
                "knn:distance=matching(absolute, M=2),k=1",
                "knn:distance=matching(absolute, M=2),k=3"
            ]
        );
        assert_eq!(names("svm:c=1|10,gamma=1|2", false).len(), 4);
        assert_eq!(
            names("knn:k=1..3", false),
            ["knn:k=1", "knn:k=2", "knn:k=3"]
        );
        assert_eq!(names("svm:c=1|10,gamma=1|2", true), ["svm (tuned)"]);
        let tuned = &Contender::of_word("svm:c=1|10,kernel=linear", true).unwrap()[0];
        assert_eq!(tuned.settings, [("kernel".to_owned(), "linear".to_owned())]);
        assert_eq!(tuned.tune[0].1, ["1", "10"]);
    }

    #[test]
    fn words_that_say_nothing_are_told() {
        for (word, told) in [
            ("knn:k", "found `k`, expected settings"),
            ("knn:k=1,k=2", "`k` is set twice"),
            ("knn:k=1||2", "expected"),
        ] {
            let error = Contender::of_word(word, false).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
