//! A way of dividing rows that a user registers is stated by its name, and checked.

use std::sync::Arc;

use kinwood_evaluation::Error;
use kinwood_evaluation::division::Division;
use kinwood_evaluation::run::{RunError, evaluate};
use kinwood_evaluation::splits::{Plan, Rows, Split, Splitter, SplitterEntry, Strata};
use kinwood_learners::{Allowed, Context, Parameter, Settings};
use kinwood_values::View;

use crate::rows::{CLASS, SEASON, learner, view};

/// Each value of a column is tested once, the others being trained on; the first few only.
#[derive(Debug)]
struct ByValue {
    codes: Vec<u32>,
    most: usize,
}

impl Splitter for ByValue {
    fn split(&self, rows: &Rows<'_>) -> Result<Vec<Split>, Error> {
        let count = rows.strata.rows() as u32;
        let split = |code: u32| {
            let (test, train) = (0..count).partition(|&row| self.codes[row as usize] == code);
            Split {
                repeat: 1,
                fold: code as usize + 1,
                train,
                test,
            }
        };
        Ok((0..self.most as u32).map(split).collect())
    }
}

fn build(settings: &Settings, view: &View) -> Result<Arc<dyn Splitter>, Error> {
    let column = &view.table().attribute(SEASON).column;
    let codes = view.rows().filter_map(|row| column.code(row as usize));
    Ok(Arc::new(ByValue {
        codes: codes.collect(),
        most: settings.whole("most"),
    }))
}

const BY_SEASON: SplitterEntry = SplitterEntry {
    name: "by_season",
    doc: "Each season is tested once.",
    parameters: &[Parameter {
        name: "most",
        doc: "At most so many folds.",
        allowed: Allowed::Whole {
            least: 1,
            most: 100,
        },
        default: "4",
    }],
    build,
};

#[test]
fn a_registered_splitter_is_stated_by_name_and_divides_an_evaluation() {
    BY_SEASON.register();
    let division: Division =
        serde_json::from_str(r#"{"splitter": "by_season", "most": 3}"#).unwrap();
    assert_eq!("splitter=by_season,most=3".parse(), Ok(division.clone()));
    let Division::Custom { splitter, settings } = division else {
        panic!("a division by a registered splitter");
    };
    let entry = SplitterEntry::find(&splitter).unwrap();
    let plan = Plan::from(entry.splitter(&settings, &view()).unwrap());
    let made = evaluate(
        &*learner("majority"),
        &view(),
        &[CLASS],
        &plan,
        &Context::new(),
    )
    .unwrap();
    assert_eq!(made.folds.len(), 3);
    assert_eq!(made.splits[1].test, (10..20).collect::<Vec<u32>>());

    let told = SplitterEntry::find("by_seasons").unwrap_err().to_string();
    assert!(told.ends_with("did you mean `by_season`?"), "{told}");
    let wrong = [("most".to_owned(), "none".to_owned())];
    let told = entry.splitter(&wrong, &view()).unwrap_err().to_string();
    assert!(told.starts_with("splitter `by_season`: "), "{told}");
}

/// Makes one split of these rows.
#[derive(Debug)]
struct Given(Vec<u32>, Vec<u32>);

impl Splitter for Given {
    fn split(&self, _: &Rows<'_>) -> Result<Vec<Split>, Error> {
        Ok(vec![Split {
            repeat: 1,
            fold: 1,
            train: self.0.clone(),
            test: self.1.clone(),
        }])
    }
}

#[test]
fn splits_that_cannot_be_honest_are_refused() {
    let groups = [0, 0, 1, 1];
    let refused = |train: &[u32], test: &[u32]| {
        let splitter: Arc<dyn Splitter> = Arc::new(Given(train.to_vec(), test.to_vec()));
        let made = Plan::from(splitter).splits(&Strata::Plain { rows: 4 }, Some(&groups), 1);
        made.map_err(|error| error.to_string())
    };
    assert!(refused(&[0, 1], &[2, 3]).is_ok());
    let told = |train: &[u32], test: &[u32]| refused(train, test).unwrap_err();
    let both = "repeat 1, fold 1: row 2 is both a training row and a test row";
    assert_eq!(told(&[0, 1], &[1, 2]), both);
    assert!(told(&[0], &[]).ends_with("no training rows or no test rows"));
    assert!(told(&[1, 0], &[2]).ends_with("rows are not in ascending order"));
    assert!(told(&[0], &[4]).ends_with("there is no row 5, there are 4"));
    assert!(told(&[0, 2], &[3]).ends_with("group 1 has training rows and test rows"));
    let leaking: Arc<dyn Splitter> = Arc::new(Given(vec![0], vec![0]));
    let run = evaluate(
        &*learner("majority"),
        &view(),
        &[CLASS],
        &leaking.into(),
        &Context::new(),
    );
    assert!(matches!(run, Err(RunError::Plan(Error::Split { .. }))));
}
