//! Random schemas are drawn without overlaps, and what is drawn is well-formed.

use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table};
use proptest::collection::vec;
use proptest::prelude::*;

use super::geometry::Place;
use super::layout::Layout;
use super::schema::Schema;
use super::{svg, text};

fn table(name: &str, columns: &[&str]) -> Table {
    let numbers = || Column::numeric((1..=4).map(f64::from).collect());
    let attributes = columns
        .iter()
        .map(|column| Attribute::new(*column, numbers()));
    let mut table = Table::new(name, attributes.collect()).unwrap();
    table.set_key(Some(vec![0]));
    table
}

fn reference(from: usize, column: usize, to: usize) -> ForeignKey {
    ForeignKey {
        name: format!("{from} {column} {to}"),
        from,
        from_columns: vec![column],
        to,
        to_columns: vec![0],
        describes: None,
    }
}

fn database(tables: Vec<Table>, references: Vec<ForeignKey>) -> Database {
    Database::new(tables, references).unwrap().0
}

#[test]
fn text_shows_keys_arrows_and_columns() {
    let mut atom = table("atom", &["id", "molecule", "charge"]);
    let of = Column::numeric(vec![1.0, 1.0, 3.0, f64::NAN]);
    atom.replace(1, of);
    let mut molecule = table("molecule", &["id", "logp", "active"]);
    molecule.set_role(2, Role::Target);
    let drawn = text(&database(vec![molecule, atom], vec![reference(1, 1, 0)]));
    assert_eq!(
        drawn,
        "molecule  4 rows, 3 columns  (target)\n  key  id\n    logp numeric, active numeric target\n\n\
         atom  4 rows, 3 columns\n  key  id\n  \
         molecule ──▶ molecule.id  many to one, 0 to 2 rows each, 1 without\n    charge numeric\n"
    );
}

#[test]
fn wide_tables_are_cut_but_keys_and_targets_stay() {
    let names: Vec<String> = (0..200).map(|column| format!("c{column}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut wide = table("wide", &names);
    wide.set_role(150, Role::Target);
    let database = database(
        vec![wide, table("other", &["id"])],
        vec![reference(0, 170, 1)],
    );
    let drawn = svg(&database).alone();
    for shown in [">c0<", ">c150<", ">c170<", ">… 184 more<"] {
        assert!(drawn.contains(shown), "{shown}");
    }
    assert!(!drawn.contains(">c100<"));
    assert!(text(&database).contains("… 160 more"));
}

#[test]
fn names_are_escaped() {
    let odd = "<a href=\"x\">&'\u{1}";
    let drawn = svg(&database(vec![table(odd, &[odd])], vec![])).alone();
    assert!(!drawn.contains("<a ") && !drawn.contains('\u{1}'));
    assert!(drawn.contains("&lt;a href=&quot;x&quot;&gt;&amp;'"));
    well_formed(&drawn);
}

#[test]
fn nothing_is_drawn_of_nothing() {
    let nothing = database(vec![], vec![]);
    assert_eq!(text(&nothing), "");
    well_formed(&svg(&nothing).alone());
    let bare = database(vec![Table::new("bare", vec![]).unwrap()], vec![]);
    well_formed(&svg(&bare).alone());
    assert_eq!(text(&bare), "bare  0 rows, 0 columns\n");
}

/// Every element is closed in order, and no bracket stands in text.
fn well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{text}");
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap_or_default()),
        }
    }
    assert!(open.is_empty(), "{open:?} stay open");
}

fn overlap(a: &Place, b: &Place) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/// The ground a straight piece of a connector covers, a hair wide.
fn ground(piece: &[(f64, f64)]) -> Place {
    let ((x, y), (to_x, to_y)) = (piece[0], piece[1]);
    assert!(x == to_x || y == to_y, "pieces are level or upright");
    Place {
        x: x.min(to_x) + 0.01,
        y: y.min(to_y) + 0.01,
        width: ((x - to_x).abs() - 0.02).max(0.0),
        height: ((y - to_y).abs() - 0.02).max(0.0),
    }
}

/// Any tables with any references, cycles and self references among them.
fn any_database() -> impl Strategy<Value = Database> {
    let tables = vec((1usize..20, "[a-zA-Z <&é数]{1,12}"), 1..9);
    (
        tables,
        vec(
            (
                any::<prop::sample::Index>(),
                0usize..20,
                any::<prop::sample::Index>(),
            ),
            0..14,
        ),
    )
        .prop_map(|(shapes, references)| {
            let tables: Vec<Table> = shapes
                .iter()
                .enumerate()
                .map(|(position, (columns, name))| {
                    let names: Vec<String> = (0..*columns)
                        .map(|column| format!("{name}{column}"))
                        .collect();
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    table(&format!("{name} {position}"), &names)
                })
                .collect();
            let references = references
                .iter()
                .map(|(from, column, to)| {
                    let from = from.index(tables.len());
                    reference(
                        from,
                        column % tables[from].attributes().len(),
                        to.index(tables.len()),
                    )
                })
                .collect();
            database(tables, references)
        })
}

proptest! {
    #[test]
    fn nothing_overlaps(database in any_database()) {
        let schema = Schema::of(&database, svg::MOST_LINES);
        let layout = Layout::of(&schema);
        for (position, one) in layout.places.iter().enumerate() {
            prop_assert!(one.x >= 0.0 && one.y >= 0.0);
            prop_assert!(one.x + one.width <= layout.width && one.y + one.height <= layout.height);
            for other in &layout.places[position + 1..] {
                prop_assert!(!overlap(one, other));
            }
        }
        prop_assert_eq!(layout.connectors.len(), schema.references.len());
        for connector in &layout.connectors {
            let inside = |&(x, y): &(f64, f64)| x >= 0.0 && y >= 0.0 && x <= layout.width && y <= layout.height;
            prop_assert!(connector.corners.iter().all(inside));
            for piece in connector.corners.windows(2) {
                let ground = ground(piece);
                prop_assert!(!layout.places.iter().any(|place| overlap(place, &ground)), "{piece:?}");
            }
        }
    }

    #[test]
    fn drawings_are_well_formed_and_fit(database in any_database()) {
        well_formed(&svg(&database).alone());
        for line in text(&database).lines() {
            prop_assert!(line.chars().count() <= 100, "{}", line);
        }
    }
}
