//! Settings files of CLUS (`.s`): sections of `Key = Value` lines, comments after `%`.
//!
//! Every section and key that CLUS knows is known here, so that a misspelt one is found; what a key
//! means is for whoever learns. Values are text, with readers for the forms they take: numbers,
//! `Yes` and `No`, one of several words, and ranges of columns such as `1-5,7`.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use kinwood_values::suggest::nearest;

pub use crate::error::ClusFault as Fault;
use crate::error::{Error, Result};
use crate::source::Source;

/// The sections whose keys are known one by one.
const KEYS: [(&str, &[&str]); 8] = [
    (
        "General",
        &[
            "Compatibility",
            "RandomSeed",
            "ResourceInfoLoaded",
            "Verbose",
        ],
    ),
    (
        "Data",
        &[
            "File",
            "NormalizeData",
            "PruneSet",
            "PruneSetMax",
            "RemoveMissingTarget",
            "TestSet",
            "XVal",
        ],
    ),
    (
        "Attributes",
        &[
            "Clustering",
            "ClusteringWeights",
            "Descriptive",
            "Disable",
            "GIS",
            "Key",
            "ReduceMemoryNominalAttrs",
            "Target",
            "Weights",
        ],
    ),
    (
        "Model",
        &[
            "MinimalKnownWeight",
            "MinimalNumberExamples",
            "MinimalWeight",
            "NominalSubsetTests",
            "ParamTuneNumberFolds",
        ],
    ),
    (
        "Tree",
        &[
            "1-SE-Rule",
            "AlternativeSplits",
            "BinarySplit",
            "ConvertToRules",
            "EntropyType",
            "FTest",
            "Heuristic",
            "InductionOrder",
            "M5PruningMult",
            "MissingClusteringAttrHandling",
            "MissingTargetAttrHandling",
            "PruningMethod",
            "SetDistance",
            "SpatialMatrix",
            "SpatialMeasure",
            "SplitPosition",
            "TSDistance",
            "TupleDistance",
        ],
    ),
    (
        "Constraints",
        &["MaxDepth", "MaxError", "MaxSize", "Syntactic"],
    ),
    (
        "Beam",
        &[
            "AttributeHeuristic",
            "BeamBestN",
            "BeamSimilarity",
            "BeamSortOnTrainParameteres",
            "BeamToForest",
            "BeamWidth",
            "DistSyntacticConstr",
            "FastSearch",
            "MaxSize",
            "PostPrune",
            "RemoveEqualHeur",
            "SizePenalty",
        ],
    ),
    (
        "Hierarchical",
        &[
            "Bonferroni",
            "ClassificationThreshold",
            "DefinitionFile",
            "Distance",
            "EmptySetIndicator",
            "EvalClasses",
            "HSeparator",
            "MEstimate",
            "NoRootPredictions",
            "OptimizeErrorMeasure",
            "PruneInSig",
            "RecallValues",
            "SingleLabel",
            "Type",
            "WParam",
            "WType",
        ],
    ),
];

/// Sections of CLUS that are about other things than trees, or about what is printed.
const OTHERS: [&str; 16] = [
    "Ensemble",
    "Exhaustive",
    "HMTR",
    "ILevelC",
    "Multilabel",
    "Nominal",
    "OptionTree",
    "Output",
    "Phylogeny",
    "Relief",
    "Rules",
    "SIT",
    "SemiSupervised",
    "TimeSeries",
    "XVal",
    "kNN",
];

/// A settings file: what it says, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    path: PathBuf,
    name: String,
    /// What it says, in its order.
    pub entries: Vec<Entry>,
}

/// A line of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The section, as CLUS spells it.
    pub section: &'static str,
    /// The key: as CLUS spells it where the section's keys are known, else as written.
    pub key: String,
    /// The value, without blanks and quotes around it.
    pub value: String,
    /// The line, from 1.
    pub line: usize,
}

impl Settings {
    /// Reads a settings file.
    pub fn read(path: &Path) -> Result<Self> {
        let source = Source::open(path)?;
        let bytes = source.read()?;
        // Comments may be in any encoding; keys are ASCII.
        Self::parse(path, source.name(), &String::from_utf8_lossy(&bytes))
    }

    /// Reads the text of a settings file: where it lies, its name in messages, the text.
    pub fn parse(path: &Path, name: &str, text: &str) -> Result<Self> {
        let mut settings = Self {
            path: path.to_owned(),
            name: name.to_owned(),
            entries: Vec::new(),
        };
        let mut section: Option<&'static str> = None;
        for (place, written) in text.lines().enumerate() {
            let line = place + 1;
            let content = written.split('%').next().unwrap_or_default().trim();
            let content = content.trim_start_matches('\u{feff}');
            if content.is_empty() {
                continue;
            }
            let wrong = |fault| settings.fault(line, fault);
            if let Some(named) = content
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'))
            {
                section = Some(find_section(named.trim()).map_err(wrong)?);
                continue;
            }
            let Some((key, value)) = content.split_once('=') else {
                return Err(wrong(Fault::Line(content.to_owned())));
            };
            let (key, value) = (key.trim(), value.trim());
            let Some(section) = section else {
                return Err(wrong(Fault::NoSection(key.to_owned())));
            };
            let key = find_key(section, key).map_err(wrong)?;
            if let Some(earlier) = settings.find(section, &key) {
                let first = earlier.line;
                return Err(wrong(Fault::Repeated { key, first }));
            }
            let value = value.trim_matches(|mark| mark == '"' || mark == '\'');
            settings.entries.push(Entry {
                section,
                key,
                value: value.to_owned(),
                line,
            });
        }
        Ok(settings)
    }

    /// What the file says of a key.
    pub fn find(&self, section: &str, key: &str) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.section == section && entry.key == key)
    }

    /// A file that the settings name: beside them, unless the whole path is given.
    pub fn beside(&self, named: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(named)
    }

    /// The error of a line.
    pub fn fault(&self, line: usize, fault: Fault) -> Error {
        Error::ClusSettings {
            file: self.name.clone(),
            line,
            fault,
        }
    }

    /// The error of a value that its key cannot have.
    pub fn refused(&self, entry: &Entry, expected: &str, candidates: &[&str]) -> Error {
        let fault = Fault::Value {
            key: entry.key.clone(),
            value: entry.value.clone(),
            expected: expected.to_owned(),
            nearest: nearest(&entry.value, candidates),
        };
        self.fault(entry.line, fault)
    }

    /// A number; infinity where it says so.
    pub fn number(&self, entry: &Entry) -> Result<f64> {
        if entry.value.eq_ignore_ascii_case("infinity") {
            return Ok(f64::INFINITY);
        }
        let number = entry
            .value
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.refused(entry, "a number", &[]))
    }

    /// Whether it says yes.
    pub fn yes(&self, entry: &Entry) -> Result<bool> {
        Ok(self.word(entry, &["Yes", "No"])? == "Yes")
    }

    /// One of these words, as spelt here.
    pub fn word<'w>(&self, entry: &Entry, words: &[&'w str]) -> Result<&'w str> {
        let found = words
            .iter()
            .find(|word| word.eq_ignore_ascii_case(&entry.value));
        found
            .copied()
            .ok_or_else(|| self.refused(entry, &format!("one of {}", words.join(", ")), words))
    }

    /// Ranges of columns, counted from 1, of a table with so many; none for `None`.
    pub fn columns(&self, entry: &Entry, count: usize) -> Result<Vec<usize>> {
        if entry.value.is_empty() || entry.value.eq_ignore_ascii_case("none") {
            return Ok(Vec::new());
        }
        let expected = || format!("columns from 1 to {count}, such as 1-3,5");
        let mut columns = Vec::new();
        for part in entry.value.split(',') {
            let range = range(part.trim())
                .filter(|range| *range.start() >= 1 && *range.end() <= count && !range.is_empty());
            let range = range.ok_or_else(|| self.refused(entry, &expected(), &[]))?;
            columns.extend(range.map(|column| column - 1));
        }
        columns.sort_unstable();
        columns.dedup();
        Ok(columns)
    }
}

fn range(text: &str) -> Option<RangeInclusive<usize>> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    match text.split_once('-') {
        Some((first, last)) => Some(number(first)?..=number(last)?),
        None => number(text).map(|only| only..=only),
    }
}

fn sections() -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|(section, _)| *section).chain(OTHERS)
}

fn find_section(name: &str) -> Result<&'static str, Fault> {
    let found = sections().find(|section| section.eq_ignore_ascii_case(name));
    found.ok_or_else(|| Fault::Section {
        name: name.to_owned(),
        nearest: nearest(name, sections()),
    })
}

fn find_key(section: &'static str, key: &str) -> Result<String, Fault> {
    let Some((_, keys)) = KEYS.iter().find(|(known, _)| *known == section) else {
        return Ok(key.to_owned());
    };
    let found = keys.iter().find(|known| known.eq_ignore_ascii_case(key));
    found
        .map(|known| (*known).to_owned())
        .ok_or_else(|| Fault::Key {
            section,
            key: key.to_owned(),
            nearest: nearest(key, *keys),
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<Settings> {
        Settings::parse(Path::new("folder/run.s"), "run.s", text)
    }

    fn refused(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn sections_keys_and_comments() {
        let text = "% a run\n[Data]\nFile = 'iris.arff' % the data\n\n[tree]\nheuristic=Gain\n[Output]\nAnything = 1\n";
        let settings = parse(text).unwrap();
        let said: Vec<(&str, &str, &str, usize)> = settings
            .entries
            .iter()
            .map(|entry| {
                (
                    entry.section,
                    entry.key.as_str(),
                    entry.value.as_str(),
                    entry.line,
                )
            })
            .collect();
        assert_eq!(
            said,
            [
                ("Data", "File", "iris.arff", 3),
                ("Tree", "Heuristic", "Gain", 6),
                ("Output", "Anything", "1", 8)
            ]
        );
        assert_eq!(settings.beside("iris.arff"), Path::new("folder/iris.arff"));
        assert_eq!(settings.beside("/x/iris.arff"), Path::new("/x/iris.arff"));
    }

    #[test]
    fn what_is_misspelt_is_named_with_its_line() {
        assert_eq!(
            refused("[Data]\nFile = a\n[Tree]\nHeuristc = Gain\n"),
            "run.s:4: the section `[Tree]` has no key `Heuristc`; did you mean `Heuristic`?"
        );
        assert_eq!(
            refused("[Atributes]\n"),
            "run.s:1: CLUS has no section `[Atributes]`; did you mean `Attributes`?"
        );
        assert_eq!(
            refused("File = a\n"),
            "run.s:1: the setting `File` stands in no section"
        );
        assert_eq!(
            refused("[Data]\nwhat\n"),
            "run.s:2: expected `[Section]` or `Key = Value`, found `what`"
        );
        assert_eq!(
            refused("[Data]\nFile = a\nfile = b\n"),
            "run.s:3: `File` was given in line 2 already"
        );
    }

    #[test]
    fn values_are_read_by_their_form() {
        let settings = parse("[Attributes]\nTarget = 4-5, 1\nDisable = None\nKey = 9\n").unwrap();
        let columns = |key| settings.columns(settings.find("Attributes", key).unwrap(), 6);
        assert_eq!(columns("Target").unwrap(), [0, 3, 4]);
        assert!(columns("Disable").unwrap().is_empty());
        assert_eq!(
            columns("Key").unwrap_err().to_string(),
            "run.s:4: `Key` cannot be `9`: expected columns from 1 to 6, such as 1-3,5"
        );
        let settings =
            parse("[Beam]\nBeamWidth = ten\nMaxSize = Infinity\nPostPrune = Yess").unwrap();
        let entry = |key| settings.find("Beam", key).unwrap();
        assert_eq!(settings.number(entry("MaxSize")).unwrap(), f64::INFINITY);
        assert!(settings.number(entry("BeamWidth")).is_err());
        assert_eq!(
            settings.yes(entry("PostPrune")).unwrap_err().to_string(),
            "run.s:4: `PostPrune` cannot be `Yess`: expected one of Yes, No; did you mean `Yes`?"
        );
    }

    proptest! {
        #[test]
        fn random_text_never_panics(text in "[\\[\\]DataFile=%0-9,\n -]{0,80}", count in 0..9_usize) {
            if let Ok(settings) = parse(&text) {
                for entry in &settings.entries {
                    let _ = (settings.columns(entry, count), settings.number(entry));
                }
            }
        }
    }
}
