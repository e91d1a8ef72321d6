//! Runs of CLUS: its settings file in our terms, that is data, targets, roles, settings of the
//! learner `tree`, and notices of what is not honoured.
//!
//! CLUS begins a beam search by a word on its command line; here the section `[Beam]` asks for one.

use std::path::{Path, PathBuf};

use kinwood_formats::Dataset;
use kinwood_formats::clus::{Entry, Settings};
use kinwood_learners::tree::constraint;
use kinwood_values::{Notice, Role, Type};

use crate::data::Data;
use crate::error::{Error, Result};

/// The ending of settings files.
pub const ENDING: &str = "s";

/// A run that a settings file describes.
#[derive(Clone, Debug)]
pub struct Run {
    /// The data.
    pub data: PathBuf,
    /// Settings of the learner `tree`.
    pub settings: Vec<(String, String)>,
    /// What of the file is not honoured, line by line, and what was decided without being asked.
    pub notices: Vec<Notice>,
    file: Settings,
}

/// What becomes of a line.
enum Meaning {
    /// It is done so.
    Honoured,
    /// It becomes a setting.
    Set(&'static str, String),
    /// It becomes a constraint.
    Constraint(String),
    /// It is not done, and what to do instead, as the end of a sentence; may be empty.
    Not(&'static str),
}

use Meaning::{Constraint, Honoured, Not, Set};

impl Run {
    /// Reads a settings file.
    pub fn read(path: &Path) -> Result<Self> {
        let file = Settings::read(path)?;
        let data = file
            .find("Data", "File")
            .map(|entry| file.beside(&entry.value));
        let Some(data) = data else {
            return Err(Error::ClusData {
                file: path.display().to_string(),
            });
        };
        let mut run = Self {
            data,
            settings: Vec::new(),
            notices: Vec::new(),
            file,
        };
        run.translate()?;
        Ok(run)
    }

    fn translate(&mut self) -> Result<()> {
        let mut constraints: Vec<String> = Vec::new();
        for entry in &self.file.entries {
            match meaning(&self.file, entry)? {
                Honoured => {}
                Set(name, value) => match self.settings.iter().position(|set| set.0 == name) {
                    None => self.settings.push((name.to_owned(), value)),
                    Some(place) if self.settings[place].1 == value => {}
                    // Both sections have a MaxSize, and CLUS takes each for its own search.
                    Some(place) => {
                        let kept = &self.settings[place].1;
                        let told = format!("; `{name}` is {kept} already");
                        self.notices.push(unheard(entry, &told));
                    }
                },
                Constraint(constraint) => constraints.push(constraint),
                Not(instead) => self.notices.push(unheard(entry, instead)),
            }
        }
        if self.settings.iter().all(|set| set.0 != "threshold") {
            // Where CLUS is not told, thresholds are values of the data.
            self.settings
                .push(("threshold".to_owned(), "value".to_owned()));
        }
        if !constraints.is_empty() {
            self.settings
                .push(("constraints".to_owned(), constraints.join(" and ")));
        }
        let beam = self
            .file
            .entries
            .iter()
            .find(|entry| entry.section == "Beam");
        if let Some(entry) = beam {
            self.settings.retain(|set| set.0 != "search");
            self.settings.push(("search".to_owned(), "beam".to_owned()));
            self.notices.push(Notice::new(format!(
                "the section `[Beam]` (line {}) asks for a beam search: `search=greedy` does without",
                entry.line
            )));
        }
        Ok(())
    }

    /// The data with the targets and roles that the file states, and after them those of the
    /// command line.
    ///
    /// Every other column that trees can test is an input: CLUS guesses no ids.
    pub fn restate(&self, data: &Data, roles: &[(String, Role)]) -> Result<Data> {
        let mut dataset = data.dataset().clone();
        let mut notices = Vec::new();
        self.state_roles(&mut dataset, &mut notices)?;
        dataset.notices.extend(notices);
        Data::new(data.source(), dataset, roles)
    }

    fn state_roles(&self, dataset: &mut Dataset, notices: &mut Vec<Notice>) -> Result<()> {
        let table = dataset.database.table(0);
        // The weights of rows that ARFF has stand in a column of their own, which CLUS does not
        // count.
        let count = (0..table.attributes().len())
            .filter(|&column| table.attribute(column).role != Role::Weight)
            .count();
        let columns = |key: &str| -> Result<Option<Vec<usize>>> {
            let entry = self.file.find("Attributes", key);
            let stated = entry.filter(|entry| !entry.value.eq_ignore_ascii_case("default"));
            let columns = stated.map(|entry| self.file.columns(entry, count));
            Ok(columns.transpose()?)
        };
        let disabled = columns("Disable")?.unwrap_or_default();
        let keys = columns("Key")?.unwrap_or_default();
        let last = count.checked_sub(1).into_iter().collect();
        let targets = columns("Target")?.unwrap_or(last);
        let descriptive = columns("Descriptive")?;
        let mut stated = Vec::with_capacity(count);
        for column in 0..count {
            let attribute = table.attribute(column);
            let testable = matches!(
                attribute.type_of(),
                Type::Nominal | Type::Numeric | Type::DateTime
            );
            let described = descriptive
                .as_ref()
                .is_none_or(|described| described.contains(&column));
            let role = if disabled.contains(&column) {
                Role::Ignore
            } else if targets.contains(&column) {
                Role::Target
            } else if keys.contains(&column) || attribute.role == Role::Id {
                Role::Id
            } else if described && testable {
                Role::Input
            } else {
                if described {
                    notices.push(Notice::new(format!(
                        "column `{}`, a `{}`, is left out: trees do not test it",
                        attribute.name,
                        attribute.type_of()
                    )));
                }
                Role::Ignore
            };
            stated.push(role);
        }
        dataset.targets = targets
            .into_iter()
            .filter(|column| !disabled.contains(column))
            .map(|column| (0, column))
            .collect();
        for (column, role) in stated.into_iter().enumerate() {
            dataset.database.set_role(0, column, role);
            dataset.stated_roles.insert((0, column));
        }
        Ok(())
    }
}

fn unheard(entry: &Entry, instead: &str) -> Notice {
    Notice::new(format!(
        "`{} = {}` in `[{}]` (line {}) is not honoured{instead}",
        entry.key, entry.value, entry.section, entry.line
    ))
}

/// What a line means to the learner `tree`.
fn meaning(file: &Settings, entry: &Entry) -> Result<Meaning> {
    let key = entry.key.as_str();
    Ok(match (entry.section, key) {
        ("General", "RandomSeed" | "Verbose") => Honoured,
        ("Data", "File") => Honoured,
        ("Data", "TestSet") => Not(": `predict` and `evaluate` test"),
        ("Data", "XVal") => Not(": `evaluate` divides into folds"),
        ("Attributes", "Target" | "Descriptive" | "Disable" | "Key") => Honoured,
        ("Attributes", "Weights") => weights(&entry.value),
        ("Model", "MinimalWeight") => Set("leaf", positive(file, entry)?.to_string()),
        ("Model", "NominalSubsetTests") => Set("subsets", file.yes(entry)?.to_string()),
        ("Tree", "Heuristic") => heuristic(file, entry)?,
        ("Tree", "PruningMethod") => pruning(file, entry)?,
        ("Tree", "InductionOrder") => match file.word(entry, &["DepthFirst", "BestFirst"])? {
            "BestFirst" => Set("search", "best_first".to_owned()),
            _ => Set("search", "greedy".to_owned()),
        },
        ("Tree", "BinarySplit") if file.yes(entry)? => Honoured,
        ("Tree", "SplitPosition") => match file.word(entry, &["Exact", "Middle"])? {
            "Exact" => Set("threshold", "value".to_owned()),
            _ => Set("threshold", "middle".to_owned()),
        },
        ("Constraints", "Syntactic") if entry.value.eq_ignore_ascii_case("none") => Honoured,
        ("Constraints", "Syntactic") => {
            let path = file.beside(&entry.value).display().to_string();
            Constraint(constraint::Constraint::Atom(constraint::Atom::Like(path)).to_string())
        }
        ("Constraints" | "Beam", "MaxSize") => limit(file, entry, "size")?,
        ("Constraints", "MaxDepth") => limit(file, entry, "depth")?,
        ("Constraints", "MaxError") => match entry.value.starts_with('[') {
            true => Not(": one number is"),
            false => match positive(file, entry)? {
                // CLUS's word for none.
                0.0 => Honoured,
                most if most.is_infinite() => Honoured,
                most => Constraint(format!("error <= {most}")),
            },
        },
        ("Beam", "SizePenalty") => Set("alpha", positive(file, entry)?.to_string()),
        ("Beam", "BeamSimilarity") => Set("beta", positive(file, entry)?.to_string()),
        ("Beam", "BeamWidth") => match file.number(entry)? {
            width if width >= 1.0 && width.fract() == 0.0 => Set("width", width.to_string()),
            -1.0 => Not(": a beam has a width"),
            _ => return Err(file.refused(entry, "a whole number from 1", &[]).into()),
        },
        ("Beam", "BeamToForest") => match file.yes(entry)? {
            true => Set("combine", "vote".to_owned()),
            false => Honoured,
        },
        // How fast the beam is searched, not what is found.
        ("Beam", "FastSearch") => Honoured,
        ("Hierarchical", "Type") => match file.word(entry, &["Tree", "DAG"])? {
            "Tree" => Honoured,
            _ => Not(": labels are paths of a tree"),
        },
        ("Hierarchical", "Distance") => {
            match file.word(entry, &["WeightedEuclidean", "Jaccard", "PooledAUPRC"])? {
                "WeightedEuclidean" => Honoured,
                _ => Not(""),
            }
        }
        ("Hierarchical", "WType") => {
            let types = [
                "ExpSumParentWeight",
                "ExpAvgParentWeight",
                "ExpMinParentWeight",
                "ExpMaxParentWeight",
                "NoWeight",
            ];
            match file.word(entry, &types)? {
                "NoWeight" => Set("hierarchy_weight", "1".to_owned()),
                // A label of a tree has one parent: its sum, mean, least and greatest are the same.
                _ => Honoured,
            }
        }
        ("Hierarchical", "WParam") => match file.find("Hierarchical", "WType") {
            Some(kind) if kind.value.eq_ignore_ascii_case("NoWeight") => Honoured,
            _ => Set("hierarchy_weight", positive(file, entry)?.to_string()),
        },
        ("Hierarchical", "HSeparator") if entry.value == "/" => Honoured,
        _ => Not(""),
    })
}

fn positive(file: &Settings, entry: &Entry) -> Result<f64> {
    match file.number(entry)? {
        number if number >= 0.0 => Ok(number),
        _ => Err(file
            .refused(entry, "a number that is not negative", &[])
            .into()),
    }
}

/// A limit that lists and infinity do not set.
fn limit(file: &Settings, entry: &Entry, name: &'static str) -> Result<Meaning> {
    if entry.value.starts_with('[') {
        return Ok(Not(": one number is"));
    }
    match file.number(entry)? {
        -1.0 => Ok(Honoured),
        most if most.is_infinite() => Ok(Honoured),
        most if most >= 0.0 && most.fract() == 0.0 => Ok(Set(name, most.to_string())),
        _ => Err(file
            .refused(entry, "a whole number or Infinity", &[])
            .into()),
    }
}

/// Weights of targets: a list of numbers; each target normalised is what trees do anyway.
fn weights(value: &str) -> Meaning {
    let list = value
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let numbers: Option<Vec<f64>> = list.and_then(|list| {
        let numbers = list.split(',').map(|number| number.trim().parse().ok());
        numbers.collect()
    });
    match numbers {
        Some(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
            Set("target_weights", numbers.join(", "))
        }
        None if value.eq_ignore_ascii_case("normalize") => Honoured,
        None => Not(""),
    }
}

fn heuristic(file: &Settings, entry: &Entry) -> Result<Meaning> {
    let heuristics = [
        "Default",
        "ReducedError",
        "Gain",
        "GainRatio",
        "SSPD",
        "VarianceReduction",
        "MEstimate",
        "Morishita",
        "DispersionAdt",
        "DispersionMlt",
        "RDispersionAdt",
        "RDispersionMlt",
        "GeneticDistance",
        "SemiSupervised",
        "VarianceReductionMissing",
        "StructuredData",
        "VarianceReductionGIS",
    ];
    let set = |value: &str| Set("heuristic", value.to_owned());
    Ok(match file.word(entry, &heuristics)? {
        "Default" => set("auto"),
        "Gain" => set("gain"),
        "GainRatio" => set("gain_ratio"),
        "VarianceReduction" => set("variance"),
        _ => Not(": auto, variance, gain, gain_ratio and gini are there"),
    })
}

fn pruning(file: &Settings, entry: &Entry) -> Result<Meaning> {
    let methods = [
        "Default",
        "None",
        "C45",
        "C4.5",
        "M5",
        "M5Multi",
        "ReducedErrorVSB",
        "Garofalakis",
        "GarofalakisVSB",
        "CartVSB",
        "CartMaxSize",
        "EncodingCost",
        "CategoryUtility",
    ];
    let set = |value: &str| Set("pruning", value.to_owned());
    Ok(match file.word(entry, &methods)? {
        "Default" => set("auto"),
        "None" => set("none"),
        "C45" | "C4.5" => set("c45"),
        "M5" => set("m5"),
        "ReducedErrorVSB" => set("reduced_error"),
        "Garofalakis" => set("size"),
        "CartVSB" | "CartMaxSize" => set("cost_complexity"),
        _ => Not(": auto, none, c45, m5, size, reduced_error and cost_complexity are there"),
    })
}
