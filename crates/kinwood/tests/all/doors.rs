//! One of each door, opened from outside through the public names of this crate alone, and all of
//! them at work in one job: a file of a new format, a new distance in an old learner, a new
//! learner, a tree pruned by a new method, rows divided in a new way, and a new measure that
//! judges. A new verb is a program: the tests of the command have one.

use std::sync::Arc;

use kinwood::container::{Sections, Stored};
use kinwood::evaluation::Error as EvaluationError;
use kinwood::evaluation::measures::{
    ClassAnswers, Compute, Direction, Measure, MeasureEntry, Score,
};
use kinwood::evaluation::splits::{Rows, Split, Splitter, SplitterEntry};
use kinwood::formats::TableRead;
use kinwood::formats::format::{Ending, FormatEntry, Holds};
use kinwood::learners::tree::prune::{Outline, PruningEntry};
use kinwood::learners::{Entry, Output, Result as Learned, Settings, TargetPrediction, Targets};
use kinwood::prelude::*;
use kinwood::similarity::Registry as Measures;
use kinwood::similarity::entry::{Entry as DistanceEntry, Takes};
use kinwood::values::Dictionary;
use serde_json::json;

use crate::examples::own_distance::Clock;

/// Lines `hour=lamp`, as a watchman writes them.
fn watch_format() -> FormatEntry {
    FormatEntry::new("Watch", [Ending::table("watch")], Holds::Table).read_by(|reading| {
        let text = String::from_utf8_lossy(&reading.source.read()?).into_owned();
        let lines: Vec<(&str, &str)> = text.lines().filter_map(|l| l.split_once('=')).collect();
        let hours = lines.iter().map(|(hour, _)| hour.parse().unwrap_or(0.0));
        let columns = vec![
            Attribute::new("hour", Column::numeric(hours.collect())),
            Attribute::new("lamp", Column::nominal(lines.iter().map(|(_, l)| Some(*l)))),
        ];
        let table = Table::new(reading.source.table_name(), columns);
        let table = table.map_err(|error| reading.failed(error))?;
        reading.draft(vec![TableRead::new(table)])
    })
}

/// Always answers as the first training row.
const FIRST: Entry = Entry {
    name: "first",
    summary: "The class of the first training row.",
    reference: "this file",
    targets: Targets::NOMINAL,
    several_targets: false,
    follows_keys: |_| false,
    flat: true,
    parameters: &[],
    build: |_: &Settings| Ok(Box::new(First)),
    load: |stored| Ok(Box::new(Remembered::read(stored)?)),
};

struct First;

struct Remembered {
    target: String,
    classes: Arc<Dictionary>,
    code: u32,
}

impl Learner for First {
    fn fit(&self, task: &Task, _: &Context) -> Learned<Box<dyn Model>> {
        let target = &task.targets()[0];
        Ok(Box::new(Remembered {
            target: target.name().to_owned(),
            classes: target.classes().cloned().unwrap_or_default(),
            code: target.class(0).unwrap_or_default(),
        }))
    }
}

impl Remembered {
    fn read(stored: &Stored) -> Learned<Self> {
        let classes = stored.text("classes")?;
        Ok(Self {
            target: stored.json("target")?,
            code: stored
                .indices("code", classes.len())?
                .first()
                .copied()
                .unwrap_or_default(),
            classes: Arc::new(Dictionary::from_labels(&classes)),
        })
    }
}

impl Model for Remembered {
    fn predict(&self, data: &View, _: &Context) -> Learned<Predictions> {
        let row = (0..self.classes.len()).map(|class| f64::from(class == self.code as usize));
        let shares = row.collect::<Vec<f64>>().repeat(data.len());
        let classes = Arc::clone(&self.classes);
        let targets = vec![TargetPrediction {
            name: self.target.clone(),
            output: Output::of_classes(classes, shares),
        }];
        Ok(Predictions { targets })
    }

    fn write(&self, sections: &mut Sections) -> Learned<()> {
        let classes: Vec<&str> = self.classes.labels().collect();
        sections.put_text("classes", &classes)?;
        sections.put_u32("code", &[self.code])?;
        Ok(sections.put_json("target", &self.target)?)
    }

    fn show(&self) -> String {
        format!("{} = {}\n", self.target, self.classes.label(self.code))
    }

    fn to_json(&self) -> serde_json::Value {
        json!({"class": self.classes.label(self.code)})
    }
}

/// The share of rows that are lit and said to be dark: what a harbour master fears.
fn collisions(answers: &ClassAnswers<'_>, _: Option<&[f64]>) -> Score {
    let lit = answers.classes.iter().position(|class| class == "lit");
    let pairs = answers.truth.iter().zip(answers.predicted);
    let feared = pairs.filter(|(truth, predicted)| {
        let truth = truth.map(|code| code as usize);
        truth == lit && Some(**predicted as usize) != lit
    });
    Ok(Some(feared.count() as f64 / answers.truth.len() as f64))
}

const COLLISIONS: MeasureEntry = MeasureEntry {
    key: "collisions",
    title: "Collisions",
    doc: "the share of rows that are lit and predicted as dark",
    formula: "count / n",
    direction: Direction::LowerIsBetter,
    compute: Compute::Classes(&collisions),
};

/// Odd rows test what even rows taught.
#[derive(Debug)]
struct OddRows;

impl Splitter for OddRows {
    fn split(&self, rows: &Rows<'_>) -> Result<Vec<Split>, EvaluationError> {
        let (test, train) = (0..rows.strata.rows() as u32).partition(|row| row % 2 == 1);
        Ok(vec![Split {
            repeat: 1,
            fold: 1,
            train,
            test,
        }])
    }
}

const ODD_ROWS: SplitterEntry = SplitterEntry {
    name: "odd_rows",
    doc: "Odd rows are tested, even rows are trained on.",
    parameters: &[],
    build: |_, _| Ok(Arc::new(OddRows)),
};

/// One test is enough.
fn stump(outline: &Outline<'_>) -> Vec<bool> {
    let below = |place: usize| outline.nodes[0].children.contains(&(place as u32));
    (0..outline.nodes.len()).map(below).collect()
}

const STUMP: PruningEntry = PruningEntry {
    name: "one_test",
    doc: "One test is enough.",
    leaves: stump,
};

#[test]
fn one_of_each_is_added_and_all_are_used_together() {
    kinwood::formats::register(watch_format()).unwrap();
    Measures::extend(DistanceEntry::from_distance(
        "around_the_clock",
        "Hours between two times of day.",
        Takes::Exactly(Type::Numeric),
        Clock,
    ))
    .unwrap();
    let mut learners = Registry::new();
    learners.register(FIRST);
    let measure = Measure::register(COLLISIONS).unwrap();
    ODD_ROWS.register();
    assert!(STUMP.register());

    // Lamps are lit from 20 to 5: near midnight, however far the numbers are apart.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("harbour.watch");
    let line = |quarter: u32| {
        let hour = f64::from(quarter * 37 % 96) / 4.0;
        let dark = (5.0..20.0).contains(&hour);
        format!("{hour}={}\n", if dark { "dark" } else { "lit" })
    };
    std::fs::write(&path, (0..96).map(line).collect::<String>()).unwrap();
    let opening = Opening {
        roles: vec![("hour".to_owned(), Role::Input)],
        ..Opening::default()
    };
    let data = open(&path, &opening).unwrap();
    let choices = Choices {
        targets: vec!["lamp".to_owned()],
        ..Choices::default()
    };
    let (problem, _) = data.problem(&choices).unwrap();
    let division: Division = "splitter=odd_rows".parse().unwrap();
    let context = Context::new();
    let evaluated = |learner: &str, settings: &[(&str, &str)]| {
        let given: Vec<(String, String)> = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let report = evaluate(
            &learners,
            learner,
            &given,
            &problem,
            Some(&division),
            data.source(),
            &context,
        );
        let evaluation = report.unwrap().evaluation;
        assert_eq!(evaluation.splits[0].test.len(), 48, "{learner}");
        evaluation.mean(measure.key()).unwrap()
    };
    let nearest = [("k", "1"), ("distance", "sum(hour: around_the_clock)")];
    assert!(evaluated("knn", &nearest) < 0.05);
    // One threshold cannot part the night from the day, two can.
    assert!(evaluated("tree", &[("pruning", "none")]) < 0.05);
    assert!(evaluated("tree", &[("pruning", "one_test")]) > 0.1);
    let first = evaluated("first", &[]);
    assert!(first == 0.0 || first > 0.3, "{first}");

    // What the new learner learned is kept and found again.
    let origin = Origin::default();
    let (fitted, _) = Trained::fit(&learners, "first", &[], &problem, &origin, &context).unwrap();
    let file = folder.path().join("first.kin");
    fitted.save(&file).unwrap();
    let loaded = Trained::load(&file, &learners).unwrap();
    assert_eq!(loaded.model().show(), "lamp = lit\n");
}
