//! What a person sees.

use super::*;
use crate::describe::About;
use kinwood_values::{Attribute, Column, Database, ForeignKey, Table, Type, Value};

fn numbers(count: usize, of: impl Fn(usize) -> f64) -> Column {
    Column::numeric((0..count).map(of).collect())
}

fn molecules() -> (Database, About) {
    let molecule = Table::new(
        "molecule",
        vec![
            Attribute::new("molecule_id", numbers(3, |i| i as f64 + 1.0)).with_role(Role::Id),
            Attribute::new(
                "active",
                Column::nominal([Some("no"), Some("yes"), Some("no")]),
            )
            .with_role(Role::Target),
            Attribute::new("solubility", Column::numeric(vec![0.5, f64::NAN, 2.0])),
        ],
    );
    let mut molecule = molecule.unwrap();
    molecule.set_key(Some(vec![0]));
    let owners = [1.0, 1.0, 1.0, 3.0, 3.0, 9.0];
    let atom = Table::new(
        "atom",
        vec![
            Attribute::new("molecule_id", numbers(6, |i| owners[i])).with_role(Role::Id),
            Attribute::new(
                "element",
                Column::nominal(["c", "c", "o", "c", "n", "c"].map(Some)),
            ),
        ],
    );
    let key = ForeignKey {
        name: "atom_molecule".into(),
        from: 1,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let (database, notices) = Database::new(vec![molecule, atom.unwrap()], vec![key]).unwrap();
    let about = About {
        source: "molecules/".into(),
        formats: vec!["CSV".into(), "ARFF".into()],
        targets: vec![(0, 1), (0, 2)],
        notices: notices.iter().map(ToString::to_string).collect(),
        ..About::default()
    };
    (database, about)
}

#[test]
fn a_database_is_told_in_full() {
    let (database, about) = molecules();
    let text = Description::of(&database, &about).to_text("elsewhere");
    let expected = "\
molecules/

molecule   3 rows, 3 columns, CSV, key (molecule_id)
  column       type     role    missing  values
  molecule_id  numeric  id               1 to 3, mean 2, sd 1
  active       nominal  target           2 values: no 2, yes 1
  solubility   numeric  input    33.3 %  0.5 to 2, mean 1.25, sd 1.061

atom   6 rows, 2 columns, ARFF
  column       type     role   missing  values
  molecule_id  numeric  id              1 to 9, mean 3, sd 3.098
  element      nominal  input           3 values: c 4, o 1, n 1

foreign keys
  atom (molecule_id) -> molecule (molecule_id)   1.667 rows each (0 to 3), 1 dangling

target molecule.active (nominal)
  no   2   66.7 %  ████████████████████████████████████████
  yes  1   33.3 %  ████████████████████

target molecule.solubility (numeric)
  0.5 to 2, mean 1.25, sd 1.061
  a quarter below 0.875, half below 1.25, a quarter above 1.625
  1 row without a value

notices
  - 1 of 6 rows of `atom` refer by `atom_molecule` to rows that `molecule` does not have (first: row
    6, 9)
";
    assert_eq!(text, expected);
}

fn text_of(attributes: Vec<Attribute>) -> String {
    let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
    Description::of(&database, &About::default()).to_text("elsewhere")
}

#[test]
fn wide_tables_are_told_by_runs() {
    let mut attributes = vec![Attribute::new(
        "name",
        Column::nominal([Some("a"), Some("b")]),
    )];
    for i in 0..123 {
        attributes.push(Attribute::new(
            format!("x{i}"),
            numbers(2, |row| (row + i) as f64),
        ));
    }
    for i in 0..4 {
        let column = Column::nominal([Some("a"), Some("a")]);
        attributes.push(Attribute::new(format!("y{i}"), column).with_role(Role::Ignore));
    }
    let text = text_of(attributes);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3 + 1 + 4 + 4 + 1 + 1, "{text}");
    assert!(
        text.contains("\n  … and 120 more numeric inputs\n"),
        "{text}"
    );
    assert!(text.ends_with("\n  (all columns: elsewhere)\n"), "{text}");
    assert!(text.contains("y3"), "{text}");
}

#[test]
fn forty_columns_are_all_shown_and_no_table_takes_more_lines() {
    let column = |i: usize| match i % 2 {
        0 => Attribute::new(format!("c{i}"), numbers(2, |row| row as f64)),
        _ => Attribute::new(format!("c{i}"), Column::nominal([Some("a"), Some("b")])),
    };
    let text = text_of((0..40).map(column).collect());
    assert!(
        text.contains("c39") && !text.contains("elsewhere"),
        "{text}"
    );
    let text = text_of((0..500).map(column).collect());
    assert!(text.contains("  … and 461 more columns\n"), "{text}");
    assert_eq!(text.lines().count(), 4 + 40 + 1);
}

#[test]
fn long_and_hostile_names_stay_in_their_place() {
    let long = "a name that goes on and on until nobody reads it any more";
    let label = "x".repeat(200);
    let attributes = vec![
        Attribute::new(long, Column::nominal([Some(label.as_str()), Some("b")])),
        Attribute::new("red\u{1b}[31m", Column::nominal([Some("\u{7}"), None])),
    ];
    let text = text_of(attributes);
    assert!(
        text.contains("  a name that goes on and on …  nominal"),
        "{text}"
    );
    assert!(text.contains("red·[31m"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= WIDTH),
        "{text}"
    );
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn every_type_has_its_line() {
    let line = |of: &str, values: &[&str]| {
        let of: Type = of.parse().unwrap();
        let values: Vec<Value> = values
            .iter()
            .map(|text| {
                let json = serde_json::from_str(text).unwrap();
                Value::from_json(&of, &json).unwrap()
            })
            .collect();
        let column = Column::from_values(&of, &values).unwrap();
        let rows: Vec<u32> = (0..column.len() as u32).collect();
        in_one_line(&Part::of(None, &column, &rows).statistics.unwrap())
    };
    for (of, values, expected) in [
        (
            "numeric",
            &["1", "2", "4"][..],
            "1 to 4, mean 2.333, sd 1.528",
        ),
        ("numeric", &["3", "3"], "always 3"),
        ("numeric", &[], "no values"),
        (
            "nominal",
            &["\"b\"", "\"a\"", "\"a\""],
            "2 values: a 2, b 1",
        ),
        ("nominal", &["\"b\"", "\"a\""], "2 values, each once: b, a"),
        ("nominal", &["null"], "no values"),
        (
            "datetime",
            &["\"2024-05-01\"", "\"2024-04-01\""],
            "2024-04-01 to 2024-05-01",
        ),
        (
            "string",
            &["\"ab\"", "\"abcd\""],
            "2 different, 2 to 4 characters, mean 3",
        ),
        (
            "set<numeric>",
            &["[1, 2]", "[]"],
            "0 to 2 members, mean 1, 50 % empty; 1 to 2, mean 1.5, sd 0.7071",
        ),
        ("list<nominal>", &["[]"], "0 members"),
        (
            "tuple<nominal, charge: numeric>",
            &["[\"c\", 1]"],
            "1 value: c; charge: always 1",
        ),
        (
            "tree",
            &["\"a(b,c(d))\"", "\"a\""],
            "1 to 4 nodes, mean 2.5, depth up to 3, 4 labels",
        ),
        (
            "term",
            &["\"p(f(a),X)\""],
            "4 symbols, 3 functors, 0 % ground",
        ),
        (
            "graph",
            &["[[\"a\",\"b\"],[\"b\",\"c\"]]"],
            "3 nodes; 2 edges; 3 labels, 100 % directed",
        ),
    ] {
        assert_eq!(line(of, values), expected, "{of}");
    }
}

#[test]
fn many_classes_are_told_by_the_largest() {
    let labels: Vec<String> = (0..15_usize)
        .flat_map(|class| vec![format!("class {class:02}"); class + 1])
        .collect();
    let column = Column::nominal(labels.iter().map(|label| Some(label.as_str())));
    let table = Table::new("t", vec![Attribute::new("c", column)]).unwrap();
    let about = About {
        targets: vec![(0, 0)],
        ..About::default()
    };
    let text = Description::of(&Database::single(table).unwrap(), &about).to_text("elsewhere");
    let bars: Vec<&str> = text.lines().filter(|line| line.contains('█')).collect();
    assert_eq!(bars.len(), MOST_CLASSES);
    assert!(
        bars[0].starts_with("  class 14  15   12.5 %  ███"),
        "{text}"
    );
    assert_eq!(bars[0].matches('█').count(), BAR);
    assert!(
        text.ends_with("  … and 3 more classes with 6 rows\n"),
        "{text}"
    );
}

#[test]
fn a_tiny_class_still_has_a_bar() {
    assert_eq!(bar(1, 1000), "▏");
    assert_eq!(bar(0, 1000), "");
    assert_eq!(bar(0, 0), "");
}

#[test]
fn notices_are_broken_between_words() {
    let database = Database::new(vec![], vec![]).unwrap().0;
    let about = About {
        source: "nothing.csv".into(),
        notices: vec!["word ".repeat(30).trim_end().to_owned()],
        ..About::default()
    };
    let text = Description::of(&database, &about).to_text("elsewhere");
    let first = format!("  - {}", ["word"; 19].join(" "));
    let second = format!("    {}", ["word"; 11].join(" "));
    assert_eq!(
        text,
        format!("nothing.csv\nno tables\n\nnotices\n{first}\n{second}\n")
    );
}
