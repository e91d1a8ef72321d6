//! Names that try to get out, in every kind of page and drawing.

use kinwood_evaluation::measures::ACCURACY;
use kinwood_evaluation::summary::FoldSummary;
use kinwood_learners::drawing::{Mark, NodeDrawn, TargetDrawn, TreeDrawn};
use kinwood_pages::critical_difference::{self, Ranked};
use kinwood_pages::curves::{CurveReport, Point};
use kinwood_pages::importance::{ImportanceReport, PartOf, PartReport, TargetReport};
use kinwood_pages::map_page::{self, Map};
use kinwood_pages::page::Page;
use kinwood_pages::report::{
    self, Answer, Colours, DataSection, Figure, MapSection, ModelSection, Overview, Place,
    PredictionsSection, Report, RowExplained, TableShown,
};
use kinwood_pages::sheet::{Entry, Form, Line, Sheet};
use kinwood_pages::{Drawing, dendrogram, describe, diagram, picture};
use kinwood_similarity::cluster::hierarchy::Merge;
use kinwood_similarity::cluster::scaling::Scaled;
use kinwood_values::{Attribute, Column, Database, Table};

/// It ends attributes, elements and scripts, and has a character that XML has no place for.
const NAME: &str = "\"'><script>alert(1)</script>&\u{1}";
/// What is left of it in text.
const ESCAPED: &str = "&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp; ";

fn name() -> String {
    NAME.to_owned()
}

fn database() -> Database {
    let numbers = Column::numeric(vec![1.0, 2.0, 3.0]);
    let mut table = Table::new(NAME, vec![Attribute::new(NAME, numbers)]).unwrap();
    table.set_key(Some(vec![0]));
    Database::single(table).unwrap()
}

fn trees() -> kinwood_learners::drawing::Drawing {
    kinwood_learners::drawing::Drawing {
        title: name(),
        targets: vec![TargetDrawn {
            name: name(),
            kind: "classes",
            labels: vec![name(), "other".to_owned()],
        }],
        trees: vec![TreeDrawn {
            name: name(),
            nodes: vec![NodeDrawn {
                weight: 3.0,
                answers: vec![Mark::stack(vec![2.0, 1.0])],
                ..NodeDrawn::default()
            }],
            ..TreeDrawn::default()
        }],
        notes: vec![name()],
        ..kinwood_learners::drawing::Drawing::default()
    }
}

fn differences() -> Drawing {
    critical_difference::svg(&Ranked {
        learners: vec![(name(), 1.5), ("tree".to_owned(), 1.5)],
        critical_difference: 0.7,
        level: 0.05,
        data_sets: 20,
    })
}

fn curve() -> Drawing {
    let score = FoldSummary::of(&[Some(0.5), Some(0.7)]);
    let point = |at: &str| Point {
        at: at.to_owned(),
        rows: Some(9.0),
        test: vec![score],
        training: None,
        members: None,
        seconds: None,
        failed: None,
    };
    CurveReport {
        learner: name(),
        fixed: Vec::new(),
        data: name(),
        targets: vec![name()],
        seed: 1,
        setting: Some(name()),
        measures: vec![name()],
        splits: 2,
        points: vec![point(NAME), point("other")],
        notices: Vec::new(),
    }
    .drawing()
}

fn importance() -> Drawing {
    ImportanceReport {
        learner: name(),
        data: name(),
        rows: 3,
        repeats: 2,
        seed: 1,
        targets: vec![TargetReport {
            target: name(),
            measure: ACCURACY,
            whole: Some(0.9),
            parts: vec![PartReport {
                name: name(),
                table: name(),
                of: PartOf::Column(name()),
                mean: Some(0.1),
                sd: Some(0.05),
                relative: None,
            }],
        }],
        notices: Vec::new(),
    }
    .drawing()
}

fn hierarchy() -> Drawing {
    let merge = Merge {
        parts: [0, 1],
        height: 1.0,
        size: 2,
    };
    dendrogram::svg(&[merge], &[name(), name()], &[0, 1])
}

fn map() -> String {
    map_page::html(&Map {
        title: NAME,
        distance: NAME,
        scaled: &Scaled {
            points: vec![[0.0, 0.0], [1.0, 0.5]],
            shown: 0.75,
        },
        names: &[name(), name()],
        objects: &[name(), name()],
        classes: Some((NAME, &[Some(name()), None])),
    })
}

fn sheet() -> Sheet {
    Sheet {
        name: name(),
        title: name(),
        headings: vec![name(), name()],
        lines: vec![Line {
            heading: name(),
            entries: vec![Entry {
                spread: Some(name()),
                ..Entry::new(NAME)
            }],
            summary: false,
        }],
        notes: vec![name()],
    }
}

fn page() -> String {
    let mut page = Page::new(NAME);
    page.heading(NAME);
    page.sheet(&sheet());
    page.drawing(NAME, &differences());
    page.text(NAME, NAME, NAME);
    page.command(NAME, NAME);
    page.written()
}

fn report() -> String {
    let pair = || (name(), name());
    let table = TableShown {
        title: name(),
        caption: name(),
        headers: vec![name()],
        rows: vec![vec![name()]],
    };
    report::html(&Report {
        answer: vec![name()],
        title: name(),
        notes: vec![name()],
        overview: Some(Overview {
            facts: vec![pair()],
            settings: vec![pair()],
            commands: vec![pair()],
        }),
        data: vec![DataSection::of(
            &database(),
            &describe::About::default(),
            vec![name()],
        )],
        model: Some(ModelSection {
            drawing: Some(trees()),
            rows: Vec::new(),
            tables: vec![table.clone()],
            text: name(),
        }),
        performance: Vec::new(),
        tables: vec![table],
        figures: vec![Figure {
            title: name(),
            drawing: differences(),
        }],
        map: Some(MapSection {
            notes: vec![name()],
            distance: name(),
            shown: 0.5,
            colours: Colours::Classes(name(), vec![name()]),
            places: vec![Place {
                name: name(),
                colour: Some(0.0),
                said: vec![pair()],
                ..Place::default()
            }],
        }),
        predictions: Some(PredictionsSection {
            notes: vec![name()],
            rows: vec![RowExplained {
                name: name(),
                chosen: name(),
                values: vec![pair()],
                answers: vec![Answer {
                    target: name(),
                    predicted: name(),
                    truth: Some(name()),
                    shares: vec![(name(), 0.5)],
                    wrong: true,
                }],
                explanation: None,
            }],
        }),
    })
}

#[test]
fn no_name_gets_out_of_any_page_or_drawing() {
    // What is written, and how many scripts of our own it has.
    let written: [(&str, String, usize); 12] = [
        ("picture of trees", picture::svg(&trees()).alone(), 0),
        ("page of trees", picture::html(&trees(), &[]), 3),
        ("diagram", diagram::svg(&database()).alone(), 0),
        ("critical difference", differences().alone(), 0),
        ("curve", curve().alone(), 0),
        ("importance", importance().alone(), 0),
        ("dendrogram", hierarchy().alone(), 0),
        ("map", map(), 2),
        ("sheet", sheet().written(Form::Html), 0),
        ("page", page(), 0),
        ("report", report(), 4),
        ("empty report", report::html(&Report::default()), 2),
    ];
    for (what, text, scripts) in written {
        assert_eq!(text.matches("<script").count(), scripts, "{what}");
        assert_eq!(text.matches("</script>").count(), scripts, "{what}");
        assert!(!text.contains("'><") && !text.contains('\u{1}'), "{what}");
        assert!(
            text.contains(ESCAPED) || what == "empty report",
            "{what}: {text}"
        );
        let svg = text.starts_with("<svg xmlns=");
        assert!(svg == text.ends_with("</svg>\n"), "{what}");
        assert!(
            svg || what == "sheet" || text.starts_with("<!doctype html>\n"),
            "{what}"
        );
    }
}
