//! Tests of divisions: every form is read from JSON, TOML and text alike, and what contradicts
//! itself is refused.

use std::collections::BTreeMap;

use super::*;

fn all() -> Vec<(&'static str, Division)> {
    let text = str::to_owned;
    vec![
        (
            "{ folds = 10, repeats = 2 }",
            Division::Folds {
                folds: 10,
                repeats: 2,
            },
        ),
        (
            "{ train_share = 0.67, repeats = 25 }",
            Division::Splits {
                share: 0.67,
                repeats: 25,
            },
        ),
        ("{ column = 'fold' }", Division::Column(text("fold"))),
        (
            "{ folds = 10, repeats = 1, apart = ['a', 'b'] }",
            Division::Apart {
                folds: 10,
                repeats: 1,
                columns: vec![text("a"), text("b")],
            },
        ),
        ("{ leave_one_out = true }", Division::LeaveOneOut),
        (
            "{ by_time = 'year', folds = 5 }",
            Division::ByTime {
                column: text("year"),
                folds: 5,
                train_window: None,
            },
        ),
        (
            "{ splitter = 'blocks', size = 5, wrap = true }",
            Division::Custom {
                splitter: text("blocks"),
                settings: vec![(text("size"), text("5")), (text("wrap"), text("true"))],
            },
        ),
    ]
}

fn read(toml: &str) -> Result<Division, String> {
    let read: Result<BTreeMap<String, Division>, _> = toml::from_str(&format!("split = {toml}"));
    Ok(read.map_err(|error| error.message().to_owned())?["split"].clone())
}

#[test]
fn every_form_is_read_and_written() {
    for (written, division) in all() {
        assert_eq!(read(written), Ok(division.clone()), "{written}");
        assert_eq!(
            division.to_string().parse(),
            Ok(division.clone()),
            "{division}"
        );
        assert_eq!(division.words().division(), Ok(Some(division)));
    }
    let json: Division = serde_json::from_str(r#"{"folds": 3}"#).unwrap();
    let thrice = Division::Folds {
        folds: 3,
        repeats: 1,
    };
    assert_eq!(json, thrice);
}

#[test]
fn what_is_no_division_is_refused_with_all_forms() {
    for wrong in [
        "{}",
        "3",
        "{ repeats = 3 }",
        "{ folds = 'ten' }",
        "{ folds = 2.5 }",
        "{ folds = 3, size = 5 }",
        "{ train_share = 0.5 }",
        "{ train_share = 0.5, folds = 2, repeats = 1 }",
        "{ apart = 'a', folds = 2 }",
        "{ by_time = 'year' }",
        "{ by_time = 'year', folds = 5, repeats = 2 }",
        "{ column = 'fold', repeats = 2 }",
        "{ leave_one_out = false }",
        "{ leave_one_out = true, folds = 3 }",
        "{ splitter = 'blocks', folds = 3 }",
    ] {
        let told = read(wrong).unwrap_err();
        assert!(
            told.starts_with("a split is one of { folds = 10"),
            "{wrong}: {told}"
        );
    }
    for wrong in ["", "folds", "folds=3,folds=4", "leave_one_out=no", "ten"] {
        assert_eq!(wrong.parse::<Division>(), Err(Error::Division), "{wrong}");
    }
}

#[test]
fn numbers_by_default_are_those_of_commands() {
    let repeated = Words {
        repeats: Some(3),
        ..Words::default()
    };
    let folds = Division::Folds {
        folds: 10,
        repeats: 3,
    };
    assert_eq!(repeated.division(), Ok(Some(folds)));
    let shared = Words {
        train_share: Some(0.5),
        ..Words::default()
    };
    let splits = Division::Splits {
        share: 0.5,
        repeats: 25,
    };
    assert_eq!(shared.division(), Ok(Some(splits)));
    assert_eq!(Words::default().division(), Ok(None));
}
