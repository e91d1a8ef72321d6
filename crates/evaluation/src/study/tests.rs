//! Tests of studies: what is refused, what is said of figures, who wins.

use super::*;
use crate::measures::{ACCURACY, RMSE};

fn study(measure: Measure) -> Study {
    let column = |name: &str| Column {
        name: name.into(),
        learner: "oner".into(),
        settings: BTreeMap::new(),
        best: None,
    };
    let row = Row {
        name: "IR".into(),
        data: None,
        data_of: None,
        ignore: Vec::new(),
        split: None,
        stand_in: false,
        note: Some("no data".into()),
        paper: BTreeMap::from([("1R".into(), Published::One(90.0))]),
    };
    Study {
        name: "s".into(),
        title: String::new(),
        reference: String::new(),
        measure,
        figure: Figure::Mean,
        scale: 100.0,
        decimals: 1,
        seed: 1,
        split: Division::Splits {
            share: 0.67,
            repeats: 25,
        },
        columns: vec![column("1R"), column("2R")],
        groups: Vec::new(),
        comparisons: Vec::new(),
        why: Vec::new(),
        rows: vec![row],
    }
}

fn grouped(figures: &[f64]) -> Study {
    let group = |name: &str, figure| Group {
        name: name.into(),
        figure,
        ..Group::default()
    };
    let mut study = study(ACCURACY);
    study.groups = vec![
        group("small", None),
        group("size", Some(Figure::Nodes)),
        group("time", Some(Figure::Seconds)),
    ];
    study.groups[1].decimals = Some(0);
    let published = Published::Several(figures.to_vec());
    study.rows[0].paper = ["small", "size", "time"]
        .map(|name| (name.to_owned(), published.clone()))
        .into();
    study
}

fn measured(figure: f64, error: Option<f64>) -> Ours {
    Ours {
        figure,
        sd: error.map(|error| 5.0 * error),
        error,
    }
}

fn verdict(measure: Measure, mean: f64) -> Verdict {
    let study = study(measure);
    let group = &study.headings()[0];
    let ours = Some(measured(mean, Some(0.4)));
    study
        .cell(&study.rows[0], group, &study.columns[0], ours)
        .verdict
}

#[test]
fn verdicts_follow_the_noise_of_splits_and_the_direction() {
    // 2.576 * sqrt(2) * 0.4 + 0.05 = 1.507
    assert_eq!(verdict(ACCURACY, 91.5), Verdict::WithinNoise);
    assert_eq!(verdict(ACCURACY, 91.6), Verdict::Better);
    assert_eq!(verdict(ACCURACY, 88.4), Verdict::Worse);
    assert_eq!(verdict(RMSE, 88.4), Verdict::Better);
    let study = study(RMSE);
    let group = &study.headings()[0];
    let cell = |column: &Column, ours| study.cell(&study.rows[0], group, column, ours).verdict;
    assert_eq!(cell(&study.columns[0], None), Verdict::NoData);
    let ours = Some(measured(1.0, Some(0.2)));
    assert_eq!(cell(&study.columns[1], ours), Verdict::NoFigure);
}

/// Biodegradability B1 by M5 on joined tables: a few folds extrapolate so far that the deviation of
/// single folds would explain any figure.
#[test]
fn a_few_folds_do_not_explain_a_difference() {
    let mut study = study(RMSE);
    study.scale = 1.0;
    study.decimals = 3;
    study.rows[0].paper = BTreeMap::from([("1R".into(), Published::One(1.680))]);
    let repeats: Vec<Vec<f64>> = (0..10)
        .map(|repeat| {
            let fold = |fold: usize| match (repeat, fold) {
                (3, 7) => 371.0,
                (6, 1) => 91.0,
                _ => 1.5 + 0.05 * ((repeat * 7 + fold * 3) % 10) as f64 + 0.01 * repeat as f64,
            };
            (0..10).map(fold).collect()
        })
        .collect();
    let all: Vec<f64> = repeats.iter().flatten().copied().collect();
    let mean = all.iter().sum::<f64>() / 100.0;
    assert!((mean - 6.339).abs() < 0.1, "{mean}");
    let ours = Ours {
        figure: 6.339,
        sd: Some(37.982),
        error: noise::of_folds(&repeats),
    };
    let group = &study.headings()[0];
    let cell = study.cell(&study.rows[0], group, &study.columns[0], Some(ours));
    assert_eq!(cell.verdict, Verdict::Worse);
}

#[test]
fn figures_without_chance_are_the_same_or_differ_and_times_are_not_compared() {
    let study = grouped(&[113.0, 117.0]);
    assert_eq!(study.fault(), None);
    let cell = |group: usize, ours: f64| {
        let (group, column) = (&study.groups[group], &study.columns[1]);
        study.cell(&study.rows[0], group, column, Some(measured(ours, None)))
    };
    assert_eq!(cell(1, 117.0).paper, Some(117.0));
    assert_eq!(cell(1, 117.0).verdict, Verdict::Same);
    assert_eq!(cell(1, 119.0).verdict, Verdict::Differs);
    assert_eq!(cell(2, 117.0).verdict, Verdict::NotCompared);
    let mut study = study;
    study.rows[0].stand_in = true;
    let (group, column) = (&study.groups[1], &study.columns[1]);
    let cell = study.cell(&study.rows[0], group, column, Some(measured(117.0, None)));
    assert_eq!(
        (cell.paper, cell.verdict),
        (Some(117.0), Verdict::NotCompared)
    );
}

#[test]
fn faults_are_found() {
    let fault = |change: &dyn Fn(&mut Study), expected: &str| {
        let mut wrong = grouped(&[1.0, 2.0]);
        assert_eq!(wrong.fault(), None);
        change(&mut wrong);
        let found = wrong.fault().unwrap();
        assert!(found.contains(expected), "{found}");
    };
    let mut ungrouped = study(ACCURACY);
    assert_eq!(ungrouped.fault(), None);
    ungrouped.rows[0]
        .paper
        .insert("3R".into(), Published::One(1.0));
    assert!(ungrouped.fault().unwrap().contains("`3R`"));
    fault(
        &|study| {
            study.columns[0].best = Some(Best {
                setting: "blend".into(),
                values: Vec::new(),
            });
        },
        "`blend` among none",
    );
    fault(
        &|study| {
            study.columns[0].best = Some(Best {
                setting: "blend".into(),
                values: vec!["1".into()],
            });
        },
        "no mean over splits",
    );
    fault(
        &|study| study.groups[1].name = "small".into(),
        "heading `small` stands twice",
    );
    fault(
        &|study| study.groups[0].columns = Some(vec!["1R".into(), "3R".into()]),
        "column `3R`",
    );
    fault(
        &|study| study.groups[0].columns = Some(vec!["1R".into()]),
        "has a list of 2 for `small`, expected a list of 1",
    );
    fault(
        &|study| {
            let set = BTreeMap::from([("buckets".to_owned(), "1".to_owned())]);
            study.groups[0].settings = set.clone();
            study.columns[1].settings = set;
        },
        "both set `buckets`",
    );
    let comparison = |columns: [&str; 2], group: &str| Comparison {
        columns: columns.map(str::to_owned),
        test: Tests::PairedT,
        level: 0.05,
        paper: BTreeMap::from([(group.to_owned(), [0, 1])]),
    };
    fault(
        &|study| study.comparisons = vec![comparison(["1R", "3R"], "small")],
        "column `3R`",
    );
    fault(
        &|study| study.comparisons = vec![comparison(["1R", "2R"], "size")],
        "heading `size`, where nothing is tested",
    );
}

#[test]
fn wins_are_counted_by_the_test_and_the_direction_of_the_measure() {
    let mut comparison = Comparison {
        columns: ["1R".to_owned(), "2R".to_owned()],
        test: Tests::PairedT,
        level: 0.05,
        paper: BTreeMap::from([("small".to_owned(), [1, 0])]),
    };
    let low = [Some(0.5), Some(0.6), Some(0.5), None, Some(0.6)];
    let high = [Some(0.7), Some(0.8), Some(0.75), Some(0.1), Some(0.85)];
    let winner = |measure, first: &[Option<f64>], second: &[Option<f64>]| {
        let study = study(measure);
        let tested = comparison.test(&study, "IR", first, second, 0.25).unwrap();
        tested.winner
    };
    let (first, second) = (Some("1R".to_owned()), Some("2R".to_owned()));
    assert_eq!(winner(ACCURACY, &low, &high), second);
    assert_eq!(winner(ACCURACY, &high, &low), first);
    assert_eq!(winner(RMSE, &low, &high), first);
    assert_eq!(winner(ACCURACY, &low, &low), None);
    assert_eq!(winner(ACCURACY, &low[..1], &high[..1]), None);

    let study = grouped(&[1.0, 2.0]);
    let tests = [(&low, &high), (&low, &low), (&low, &high)]
        .map(|(a, b)| comparison.test(&study, "IR", a, b, 0.25).unwrap());
    assert_eq!((tests[0].pairs, tests[1].p), (4, Some(1.0)));
    let compared = comparison.compared(&study, &study.groups[0], tests.to_vec());
    assert_eq!((compared.wins, compared.paper), ([0, 2], Some([1, 0])));
    assert!(comparison.contenders(&study, &study.groups[0]).is_some());
    assert_eq!(comparison.contenders(&study, &study.groups[1]), None);

    // Of four pairs that all differ one way, 2 of 16 choices of signs are as unequal; of six, 2
    // of 64.
    comparison.test = Tests::Wilcoxon;
    let test = |first: &[Option<f64>], second: &[Option<f64>]| {
        comparison.test(&study, "IR", first, second, 0.25).unwrap()
    };
    assert_eq!(test(&low, &high).p, Some(0.125));
    assert_eq!(test(&low, &high).winner, None);
    let six = |by: f64| (1..7).map(|i| Some(f64::from(i) * by)).collect::<Vec<_>>();
    let tested = test(&six(1.0), &six(2.0));
    assert_eq!(
        (tested.p, tested.winner),
        (Some(0.03125), Some("2R".to_owned()))
    );

    // The correction for shared rows makes the same differences less sure than the plain test does.
    let mut p = |test: Tests, test_to_train: f64| {
        comparison.test = test;
        let tested = comparison.test(&study, "IR", &low, &high, test_to_train);
        tested.unwrap().p.unwrap()
    };
    let (plain, corrected, more) = (
        p(Tests::PairedT, 0.25),
        p(Tests::CorrectedT, 0.25),
        p(Tests::CorrectedT, 1.0),
    );
    assert!(
        plain < corrected && corrected < more,
        "{plain} {corrected} {more}"
    );
    assert!(p(Tests::PairedT, 1.0) == plain && Tests::CorrectedT.takes_repeats());
}

#[test]
fn rows_may_have_the_data_of_another_and_folds_of_their_own() {
    let text = r#"
name = "s"
title = "t"
reference = "r"
measure = "rmse"
seed = 1
split = { folds = 10, repeats = 10 }
[[columns]]
name = "mean"
learner = "mean"
[[comparisons]]
columns = ["mean", "mean"]
test = "wilcoxon"
[[rows]]
name = "small"
split = { column = "fold" }
ignore = ["a"]
paper = {}
[rows.data]
file = "f.csv"
source = "here"
sha256 = "0"
target = "y"
ignore = ["b"]
[[rows]]
name = "large"
data_of = "small"
paper = {}
"#;
    let mut study: Study = toml::from_str(text).unwrap();
    assert_eq!(study.fault(), None);
    assert_eq!(study.comparisons[0].test, Tests::Wilcoxon);
    let ignored = |place: usize| study.data(&study.rows[place]).unwrap().ignore;
    assert_eq!(
        (ignored(0), ignored(1)),
        (vec!["b".to_owned(), "a".to_owned()], vec!["b".to_owned()])
    );
    assert_eq!(
        *study.split_of(&study.rows[0]),
        Division::Column("fold".to_owned())
    );
    let ten_times_ten = Division::Folds {
        folds: 10,
        repeats: 10,
    };
    assert_eq!(*study.split_of(&study.rows[1]), ten_times_ten);
    study.rows[1].data_of = Some("medium".into());
    assert!(
        study
            .fault()
            .unwrap()
            .contains("the data of `medium`, which there is not")
    );
}
