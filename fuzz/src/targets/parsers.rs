//! The small languages and the files that people write: what is read is printed and read again, and
//! put to its use where that is cheap.

use std::path::Path;
use std::sync::LazyLock;

use kinwood::compare::Specification;
use kinwood::evaluation::division::Division;
use kinwood::formats::prolog::Pattern;
use kinwood::formats::{Schema, clus as clus_files, sql};
use kinwood::learners::Registry;
use kinwood::learners::testing::mixed_view;
use kinwood::learners::tree::constraint::sketch::NoPrototypes;
use kinwood::learners::tree::constraint::{Constraint, Constraints, Input, Sketch, TestReach};
use kinwood::similarity::{Expression, Registry as Measures};
use kinwood_values::{Column, Condition, Term, Tree, Type, Value, View, datetime as instants};

use crate::seeds;

/// Rows to apply conditions and constraints to.
static ROWS: LazyLock<View> = LazyLock::new(|| mixed_view(12));
static INPUTS: LazyLock<Vec<Input>> = LazyLock::new(|| Input::of(&ROWS));
static LEARNERS: LazyLock<Registry> = LazyLock::new(Registry::new);
static MEASURED: LazyLock<Vec<(Type, Column)>> = LazyLock::new(seeds::measured);

/// The input as text, without a copy where it is text.
fn text(bytes: &[u8], run: impl Fn(&str) -> bool) -> bool {
    run(&String::from_utf8_lossy(bytes))
}

pub(super) fn schema(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(schema) = Schema::parse(text, "schema.toml") else {
            return false;
        };
        let printed = schema.to_toml();
        let again = Schema::parse(&printed, "schema.toml");
        assert!(again.is_ok(), "{again:?}\n{printed}");
        true
    })
}

pub(super) fn study(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(study) = Specification::parse(text, "study.toml") else {
            return false;
        };
        drop(study.contenders());
        true
    })
}

/// Keys that are numbers, words or columns are read as such.
pub(super) fn clus(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(settings) = clus_files::Settings::parse(Path::new("run.s"), "run.s", text) else {
            return false;
        };
        for entry in &settings.entries {
            let _ = (settings.number(entry), settings.yes(entry));
            let _ = settings.columns(entry, 12);
            let _ = settings.word(entry, &["Yes", "No"]);
        }
        true
    })
}

pub(super) fn types(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(of) = text.parse::<Type>() else {
            return false;
        };
        assert_eq!(of.to_string().parse::<Type>().ok(), Some(of));
        true
    })
}

/// A line with a type, then a line with a value in JSON.
pub(super) fn value(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Some((of, value)) = text.split_once('\n') else {
            return false;
        };
        let (Ok(of), Ok(value)) = (of.parse::<Type>(), serde_json::from_str(value)) else {
            return false;
        };
        let Ok(value) = Value::from_json(&of, &value) else {
            return false;
        };
        assert!(value == Value::Missing || value.conforms_to(&of));
        assert_eq!(Value::from_json(&of, &value.to_json()).ok(), Some(value));
        true
    })
}

pub(super) fn tree(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(tree) = text.parse::<Tree>() else {
            return false;
        };
        assert_eq!(tree.to_string().parse::<Tree>().ok(), Some(tree));
        true
    })
}

pub(super) fn term(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(term) = text.parse::<Term>() else {
            return false;
        };
        assert_eq!(term.to_string().parse::<Term>().ok(), Some(term));
        true
    })
}

pub(super) fn datetime(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(instant) = instants::parse(text) else {
            return false;
        };
        assert_eq!(
            instants::parse(&instants::print(instant)).ok(),
            Some(instant)
        );
        true
    })
}

pub(super) fn condition(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(condition) = text.parse::<Condition>() else {
            return false;
        };
        condition.rows(ROWS.table()).is_ok()
    })
}

pub(super) fn pattern(bytes: &[u8]) -> bool {
    text(bytes, |text| Pattern::parse(text).is_ok())
}

pub(super) fn expression(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(expression) = text.parse::<Expression>() else {
            return false;
        };
        let printed = expression.to_string();
        assert_eq!(printed.parse::<Expression>().ok(), Some(expression));
        true
    })
}

/// Whatever an expression measures, it measures or refuses.
pub(super) fn measure(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(expression) = text.parse::<Expression>() else {
            return false;
        };
        let measures = Measures::builtin();
        for (of, values) in MEASURED.iter() {
            if let Ok(distance) = measures.distance(&expression, of, Some(values), "the values") {
                let fitted = distance.expression().to_string();
                assert!(fitted.parse::<Expression>().is_ok(), "{fitted}");
                drop(distance.between(&values.value(0), &values.value(1)));
            }
            if let Ok(kernel) = measures.kernel(&expression, of, Some(values), "the values") {
                drop(kernel.inner(&values.value(0), &values.value(1)));
            }
        }
        true
    })
}

pub(super) fn constraint(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(constraint) = Constraint::parse(text) else {
            return false;
        };
        let printed = constraint.to_string();
        let again = Constraint::parse(&printed).map_err(|error| error.to_string());
        assert_eq!(again.as_ref(), Ok(&constraint), "{printed}");
        let costs = vec![1.0; ROWS.table().attributes().len()];
        Constraints::new(&constraint, &INPUTS, &costs, TestReach::default()).is_ok()
    })
}

pub(super) fn sketch(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        Sketch::parse(text, "sketch.txt", &INPUTS, &mut NoPrototypes).is_ok()
    })
}

/// A line with a learner, then lines with settings.
pub(super) fn setting(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let mut lines = text.lines();
        let Ok(entry) = LEARNERS.find(lines.next().unwrap_or_default()) else {
            return false;
        };
        let given: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once('=')).collect();
        let Ok(settings) = entry.settings(&given) else {
            return false;
        };
        entry.learner(&settings).is_ok()
    })
}

pub(super) fn division(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let Ok(division) = text.parse::<Division>() else {
            return false;
        };
        let printed = division.to_string();
        assert_eq!(printed.parse(), Ok(division), "{printed}");
        true
    })
}

/// URLs are read and shown without a password; nothing is connected to.
pub(super) fn url(bytes: &[u8]) -> bool {
    text(bytes, |text| {
        let place = sql::place(text);
        assert!(place.starts_with("postgres"), "{place}");
        sql::url(Path::new(text)).is_some()
    })
}
