use super::super::Members;
use super::*;

fn summary(mean: f64, sd: f64) -> FoldSummary {
    FoldSummary::of(&[Some(mean - sd), Some(mean), Some(mean + sd)])
}

fn point(at: &str, score: f64) -> Point {
    Point {
        at: at.to_owned(),
        rows: Some(90.0),
        test: vec![summary(score, 0.1)],
        training: None,
        members: None,
        seconds: None,
        failed: None,
    }
}

fn report(points: Vec<Point>) -> CurveReport {
    CurveReport {
        learner: "tree".to_owned(),
        fixed: Vec::new(),
        data: "a<b.csv".to_owned(),
        targets: vec!["class".to_owned()],
        seed: 1,
        setting: Some("width".to_owned()),
        measures: vec!["accuracy".to_owned()],
        splits: 3,
        points,
        notices: Vec::new(),
    }
}

fn sound(drawn: &str) {
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    assert!(!drawn.contains("NaN") && !drawn.contains("inf") && drawn.contains("a&lt;b.csv"));
}

#[test]
fn every_point_has_a_dot_and_a_whisker() {
    let mut failed = point("9", 0.0);
    failed.failed = Some("too few rows".to_owned());
    failed.rows = None;
    let drawn = draw(&report(vec![point("1", 0.5), point("5", 0.7), failed])).alone();
    sound(&drawn);
    assert_eq!(drawn.matches("class=\"dot-a\"").count(), 2);
    assert_eq!(drawn.matches("class=\"whisker a\"").count(), 2);
    assert!(drawn.contains("<title>width 5: test rows 0.7000 ± 0.1000</title>"));
    assert!(drawn.contains("prefers-color-scheme: dark"));
}

#[test]
fn beams_have_lines_of_their_members_and_panels_of_their_own() {
    let mut points = vec![point("1", 0.5), point("10", 0.7)];
    for point in &mut points {
        point.training = Some(vec![summary(0.9, 0.0)]);
        point.members = Some(Members {
            count: summary(10.0, 0.0),
            mean: vec![summary(0.4, 0.1)],
            similarity: vec![summary(0.8, 0.1)],
            evaluated: summary(300.0, 20.0),
        });
    }
    let drawn = draw(&report(points)).alone();
    sound(&drawn);
    assert_eq!(drawn.matches("class=\"dot-c\"").count(), 2);
    assert_eq!(drawn.matches("class=\"dot-a\"").count(), 2 + 2 + 2);
    assert!(drawn.contains("how alike the members are") && drawn.contains("What the search takes"));
    // What never varies has no whisker.
    assert_eq!(drawn.matches("class=\"whisker b\"").count(), 0);
}

#[test]
fn values_stand_where_they_are_more_even() {
    let label = |values: &[&str]| {
        let points = values.iter().map(|at| point(at, 0.5)).collect();
        Across::of(&report(points)).label
    };
    assert_eq!(label(&["1", "2", "5", "10", "20"]), "width (logarithmic)");
    assert_eq!(label(&["0", "0.25", "0.5", "1"]), "width");
    assert_eq!(label(&["10", "20", "30"]), "width");
    let words = Across::of(&report(vec![point("own", 0.5), point("max", 0.5)]));
    assert_eq!(words.places, [0.25, 0.75]);
    assert_eq!(words.ticks[1].1, "max");
    sound(&draw(&report(vec![point("own", 0.5)])).alone());
    for constant in [0.0, 1.0, 1e300, -1e-300] {
        let mut flat = vec![point("1", 0.5), point("3", 0.5)];
        for point in &mut flat {
            point.test = vec![summary(constant, 0.0)];
        }
        sound(&draw(&report(flat)).alone());
    }
}
