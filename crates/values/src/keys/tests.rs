//! Planted schemas with decoys, and random databases.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::column::Column;
use crate::table::Attribute;

fn numbers(values: impl IntoIterator<Item = usize>) -> Column {
    Column::numeric(values.into_iter().map(|value| value as f64).collect())
}

fn labels<'a>(values: impl IntoIterator<Item = &'a str>) -> Column {
    Column::nominal(values.into_iter().map(Some))
}

fn prefixed(prefix: &str, values: impl IntoIterator<Item = usize>) -> Column {
    let values: Vec<String> = values
        .into_iter()
        .map(|value| format!("{prefix}{value}"))
        .collect();
    labels(values.iter().map(String::as_str))
}

fn table<const N: usize>(name: &str, columns: [(&str, Column); N]) -> Table {
    let attributes = columns.map(|(name, column)| Attribute::new(name, column));
    Table::new(name, attributes.into()).unwrap()
}

fn database<const N: usize>(tables: [Table; N]) -> Database {
    Database::new(tables.into(), Vec::new()).unwrap().0
}

fn named(table: &Table, columns: &[usize]) -> String {
    let names: Vec<&str> = columns
        .iter()
        .map(|&column| table.attribute(column).name.as_str())
        .collect();
    format!("{}.{}", table.name(), names.join("+"))
}

/// The accepted primary and foreign keys as text; applying them has to succeed.
fn accepted(database: Database) -> (Vec<String>, Vec<String>) {
    let found = infer(&database);
    let primary = found.primary.iter().filter(|key| key.accepted);
    let primary = primary
        .map(|key| named(database.table(key.table), &key.columns))
        .collect();
    let foreign = found.foreign.iter().filter(|link| link.accepted);
    let foreign = foreign
        .map(|link| {
            let from = named(database.table(link.from), &link.from_columns);
            format!(
                "{from} -> {}",
                named(database.table(link.to), &link.to_columns)
            )
        })
        .collect();
    let (_, notices) = apply(database, &found).unwrap();
    assert!(
        !notices
            .iter()
            .any(|notice| notice.message().contains("does not have"))
    );
    (primary, foreign)
}

/// Whole numbers without pattern, the same in every run.
fn mixed(seed: usize, count: usize, below: usize) -> Vec<usize> {
    let mut state = seed as u64 + 1;
    (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        })
        .collect()
}

/// Shops and sales; the sales refer to the shops by the name given.
fn shop_sales(reference: &str, shops: usize) -> Database {
    let of_shop = mixed(1, 2000, shops).into_iter().map(|shop| shop + 1);
    database([
        table(
            "shop",
            [
                ("id", numbers(1..=shops)),
                ("staff", numbers(mixed(2, shops, 40))),
                ("revenue", numbers(mixed(3, shops, 1_000_000_000))),
            ],
        ),
        table(
            "sale",
            [
                ("id", numbers(1..=2000)),
                (reference, numbers(of_shop)),
                (
                    "stars",
                    numbers(mixed(4, 2000, 5).into_iter().map(|stars| stars + 1)),
                ),
                (
                    "buyer_age",
                    numbers(mixed(5, 2000, 72).into_iter().map(|age| age + 18)),
                ),
                ("cents", numbers(mixed(6, 2000, 90_000))),
            ],
        ),
    ])
}

#[test]
fn names_find_references_and_small_numbers_are_none() {
    for reference in [
        "shop_id",
        "shop",
        "sid",
        "ShopNo",
        "shop_id2",
        "old_shop_id",
        "branch_id",
    ] {
        let (primary, foreign) = accepted(shop_sales(reference, 300));
        assert_eq!(primary, ["shop.id", "sale.id"], "{reference}");
        assert_eq!(
            foreign,
            [format!("sale.{reference} -> shop.id")],
            "{reference}"
        );
    }
}

#[test]
fn values_find_references_without_names_unless_chance_would() {
    let (_, foreign) = accepted(shop_sales("x", 77));
    assert_eq!(foreign, ["sale.x -> shop.id"]);
    for (reference, shops) in [
        ("x", 5),
        ("x", 31),
        ("x", 100),
        ("n_shops", 77),
        ("shop_count", 77),
    ] {
        let (_, foreign) = accepted(shop_sales(reference, shops));
        assert_eq!(foreign, Vec::<String>::new(), "{reference} of {shops}");
    }
}

#[test]
fn keys_that_are_rare_among_numbers_are_hit_on_purpose_only() {
    let keys: Vec<usize> = (1..400).map(|key| key * 7).collect();
    let chosen: Vec<usize> = mixed(1, 900, 399)
        .into_iter()
        .map(|position| keys[position])
        .collect();
    let decoy = mixed(2, 900, 2_793);
    let (primary, foreign) = accepted(database([
        table(
            "c",
            [("c1", numbers(keys)), ("c2", numbers(mixed(3, 399, 50)))],
        ),
        table("d", [("d1", numbers(decoy)), ("d2", numbers(chosen))]),
    ]));
    assert_eq!(primary, ["c.c1"]);
    assert_eq!(foreign, ["d.d2 -> c.c1"]);
}

#[test]
fn a_distinct_measurement_is_no_key() {
    let rows = 80;
    let grams: Vec<usize> = (0..rows)
        .map(|row| 40_000 + row * row * 211 + row)
        .collect();
    for name in ["grams", "c0", "weight_no_box"] {
        let kinds = numbers(mixed(1, rows, 4));
        let (primary, _) = accepted(database([table(
            "parcel",
            [(name, numbers(grams.clone())), ("kind", kinds)],
        )]));
        assert_eq!(primary, Vec::<String>::new(), "{name}");
    }
    let share = Column::numeric((0..rows).map(|row| row as f64 + 0.5).collect());
    let class = numbers(0..rows);
    let (primary, _) = accepted(database([table(
        "parcel",
        [("id", share), ("class", class)],
    )]));
    assert_eq!(
        primary,
        Vec::<String>::new(),
        "fractions and classes name nothing"
    );
}

#[test]
fn tables_that_connect_have_keys_of_what_they_connect() {
    let pairs: Vec<(usize, usize)> = (1..=40)
        .flat_map(|a| (1..=3).map(move |b| (a, (a * b) % 30 + 1)))
        .collect();
    let mut pairs = pairs;
    pairs.sort_unstable();
    pairs.dedup();
    let marks = mixed(1, pairs.len(), 6);
    let weighed = mixed(2, pairs.len(), 1_000_000_000);
    let (primary, foreign) = accepted(database([
        table(
            "students",
            [
                ("id", numbers(1..=40)),
                ("name", prefixed("student ", 1..=40)),
            ],
        ),
        table("courses", [("code", prefixed("C", 1..=30))]),
        table(
            "takes",
            [
                ("student", numbers(pairs.iter().map(|pair| pair.0))),
                ("course", prefixed("C", pairs.iter().map(|pair| pair.1))),
                ("mark", numbers(marks)),
                ("effort", numbers(weighed)),
            ],
        ),
    ]));
    assert_eq!(
        primary,
        ["students.id", "courses.code", "takes.student+course"]
    );
    assert_eq!(
        foreign,
        [
            "takes.course -> courses.code",
            "takes.student -> students.id"
        ]
    );
}

#[test]
fn parts_are_named_by_their_whole_and_a_number_whatever_it_is_called() {
    for counter in ["line_no", "c2"] {
        let lines: Vec<(usize, usize)> = (1..=60)
            .flat_map(|bill| (1..=bill % 5 + 1).map(move |line| (bill, line)))
            .collect();
        let articles = mixed(1, lines.len(), 20);
        let of_line: Vec<usize> = mixed(2, 300, lines.len());
        let (primary, foreign) = accepted(database([
            table(
                "bill",
                [
                    ("bill_id", numbers(1..=60)),
                    (
                        "paid",
                        labels((0..60).map(|i| if i % 3 == 0 { "yes" } else { "no" })),
                    ),
                ],
            ),
            table(
                "bill_line",
                [
                    ("bill_id", numbers(lines.iter().map(|line| line.0))),
                    (counter, numbers(lines.iter().map(|line| line.1))),
                    ("article", numbers(articles)),
                ],
            ),
            table(
                "complaint",
                [
                    (
                        "bill_id",
                        numbers(of_line.iter().map(|&line| lines[line].0)),
                    ),
                    (counter, numbers(of_line.iter().map(|&line| lines[line].1))),
                    (
                        "text",
                        labels(
                            of_line
                                .iter()
                                .map(|line| if line % 2 == 0 { "late" } else { "broken" }),
                        ),
                    ),
                ],
            ),
        ]));
        assert_eq!(
            primary,
            [
                "bill.bill_id".to_owned(),
                format!("bill_line.bill_id+{counter}")
            ],
            "{counter}"
        );
        let composite = format!("complaint.bill_id+{counter} -> bill_line.bill_id+{counter}");
        // A name that says nothing does not connect two tables.
        assert_eq!(
            foreign.contains(&composite),
            counter == "line_no",
            "{foreign:?}"
        );
    }
}

#[test]
fn codes_refer_to_their_dictionary() {
    let codes = ["A", "B", "C", "D"];
    let meanings = labels(["finished", "finished, debt", "running", "running, debt"]);
    let colours = [
        "crimson", "teal", "ochre", "indigo", "olive", "ivory", "amber", "lilac", "coral",
    ];
    let (primary, foreign) = accepted(database([
        table("status", [("code", labels(codes)), ("meaning", meanings)]),
        table(
            "colours",
            [("c", labels(colours)), ("warm", numbers(mixed(3, 9, 2)))],
        ),
        table(
            "loan",
            [
                ("loan_id", numbers(100..400)),
                (
                    "status",
                    labels(mixed(1, 300, 4).into_iter().map(|code| codes[code])),
                ),
                (
                    "paint",
                    labels(mixed(2, 300, 9).into_iter().map(|colour| colours[colour])),
                ),
                (
                    "grade",
                    labels(mixed(4, 300, 3).into_iter().map(|code| codes[code])),
                ),
            ],
        ),
    ]));
    assert_eq!(primary[0], "status.code");
    assert!(
        foreign.contains(&"loan.status -> status.code".to_owned()),
        "{foreign:?}"
    );
    assert!(
        !foreign.iter().any(|link| link.starts_with("loan.grade")),
        "three letters prove nothing: {foreign:?}"
    );
}

#[test]
fn a_table_refers_to_itself() {
    let chiefs: Vec<f64> = (0..200)
        .map(|row| {
            if row == 0 {
                f64::NAN
            } else {
                (row / 3 + 1) as f64
            }
        })
        .collect();
    let (primary, foreign) = accepted(database([table(
        "employee",
        [
            ("employee_id", numbers(1..=200)),
            ("manager_id", Column::numeric(chiefs)),
            (
                "floor",
                numbers(mixed(1, 200, 9).into_iter().map(|floor| floor + 1)),
            ),
        ],
    )]));
    assert_eq!(primary, ["employee.employee_id"]);
    assert_eq!(foreign, ["employee.manager_id -> employee.employee_id"]);
}

#[test]
fn of_two_tables_that_share_a_key_the_smaller_refers() {
    let (primary, foreign) = accepted(database([
        table(
            "extra",
            [
                ("person_id", prefixed("p", 20..80)),
                ("shoe", numbers(mixed(1, 60, 10))),
            ],
        ),
        table(
            "person",
            [
                ("person_id", prefixed("p", 1..=100)),
                ("height", numbers(mixed(2, 100, 60))),
            ],
        ),
    ]));
    assert_eq!(primary, ["extra.person_id", "person.person_id"]);
    assert_eq!(foreign, ["extra.person_id -> person.person_id"]);
    let both = |a: &str, b: &str| {
        accepted(database([
            table(
                a,
                [
                    ("ssn", prefixed("p", 1..=100)),
                    ("shoe", numbers(mixed(1, 100, 10))),
                ],
            ),
            table(
                b,
                [
                    ("ssn", prefixed("p", 1..=100)),
                    ("height", numbers(mixed(2, 100, 60))),
                ],
            ),
        ]))
    };
    assert_eq!(both("left", "right").1, ["right.ssn -> left.ssn"]);
}

#[test]
fn a_few_strays_are_forgiven_to_a_clear_name_only() {
    for (reference, strays, expected) in [
        ("shop_id", 1, true),
        ("shop_id", 30, false),
        ("branch_id", 1, false),
    ] {
        let shop = (0..3000).map(|row| if row < strays { 900 } else { row % 200 + 1 });
        let database = database([
            table("shop", [("shop_id", numbers(1..=200))]),
            table("sale", [(reference, numbers(shop))]),
        ]);
        let accepted = infer(&database).foreign.iter().any(|link| link.accepted);
        assert_eq!(accepted, expected, "{reference} with {strays}");
    }
}

#[test]
fn what_is_declared_stays_and_is_not_found_again() {
    let mut shop = table(
        "shop",
        [("id", numbers(1..=50)), ("number", numbers(101..=150))],
    );
    shop.set_key(Some(vec![1]));
    let sale = table(
        "sale",
        [("shop", numbers((0..90).map(|row| row % 50 + 101)))],
    );
    let declared = ForeignKey {
        name: "sale_shop".into(),
        from: 1,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![1],
        describes: None,
    };
    let (database, _) = Database::new(vec![shop, sale], vec![declared]).unwrap();
    let found = infer(&database);
    assert!(!found.primary.iter().any(|key| key.table == 0), "{found:?}");
    assert_eq!(found.foreign, []);
    let (database, _) = apply(database, &found).unwrap();
    assert_eq!(database.table(0).key(), Some([1].as_slice()));
    assert_eq!(database.foreign_keys().len(), 1);
}

#[test]
fn foreign_keys_get_names_of_their_own() {
    let (database, _) = Database::new(
        vec![
            table("a", [("id", numbers(1..=30))]),
            table(
                "a_b",
                [
                    ("id", numbers(1..=30)),
                    ("a_id", numbers((0..90).map(|row| row % 30 + 1).take(30))),
                ],
            ),
        ],
        vec![ForeignKey {
            name: "a_b_a_id".into(),
            from: 0,
            from_columns: vec![0],
            to: 1,
            to_columns: vec![0],
            describes: None,
        }],
    )
    .unwrap();
    let found = infer(&database);
    let (database, _) = apply(database, &found).unwrap();
    let names: Vec<&str> = database
        .foreign_keys()
        .iter()
        .map(|key| key.name.as_str())
        .collect();
    assert_eq!(names, ["a_b_a_id", "a_b_a_id_a"]);
}

#[test]
fn nothing_is_found_in_nothing() {
    assert_eq!(
        infer(&Database::new(vec![], vec![]).unwrap().0),
        Inferred::default()
    );
    let empty = table(
        "empty",
        [("id", numbers([])), ("none", Column::numeric(vec![]))],
    );
    assert_eq!(infer(&database([empty])), Inferred::default());
}

/// Columns of small domains, so that keys and references arise by chance.
fn any_column(rows: usize) -> BoxedStrategy<Column> {
    prop_oneof![
        3 => vec(prop_oneof![8 => (0..8i32).prop_map(f64::from), 1 => Just(f64::NAN), 1 => Just(-0.0)], rows)
            .prop_map(Column::numeric),
        1 => vec(-3.0..3.0f64, rows).prop_map(Column::numeric),
        1 => Just(numbers(1..=rows)),
        2 => vec(proptest::option::weighted(0.9, proptest::sample::select(vec!["0", "-0", "1", "2", "x", "yy", "", "1e400"])), rows)
            .prop_map(|labels| Column::nominal(labels.iter().copied())),
        1 => vec(0..5i64, rows).prop_map(|times| Column::new(crate::Cells::DateTime(times), None)),
    ]
    .boxed()
}

fn any_table(position: usize) -> BoxedStrategy<Table> {
    let names = vec![
        "id",
        "t0_id",
        "t1_id",
        "t2",
        "parent_id",
        "x",
        "count",
        "pos",
        "",
        "a b",
        "T0ID",
    ];
    (0usize..14)
        .prop_flat_map(move |rows| {
            let columns = proptest::sample::subsequence(names.clone(), 1..6);
            (columns, vec(any_column(rows), 6))
        })
        .prop_map(move |(names, columns)| {
            let attributes = names
                .iter()
                .zip(columns)
                .map(|(name, column)| Attribute::new(*name, column));
            Table::new(format!("t{position}"), attributes.collect()).unwrap()
        })
        .boxed()
}

proptest! {
    #[test]
    fn what_is_accepted_holds(tables in (any_table(0), any_table(1), any_table(2))) {
        let database = database([tables.0, tables.1, tables.2]);
        let found = infer(&database);
        prop_assert_eq!(&found, &infer(&database));
        for score in found.primary.iter().map(|key| key.score).chain(found.foreign.iter().map(|link| link.score)) {
            prop_assert!((0.0..=1.0).contains(&score));
        }
        for key in found.primary.iter().filter(|key| key.accepted) {
            let table = database.table(key.table);
            prop_assert!(key.columns.iter().all(|&column| table.attribute(column).column.missing() == 0));
        }
        let count = found.foreign.iter().filter(|link| link.accepted).count();
        let (applied, _) = apply(database, &found).unwrap();
        prop_assert_eq!(applied.foreign_keys().len(), count);
        for key in 0..count {
            // With so few rows, no stray is one in a thousand.
            prop_assert!(applied.link(key).dangling().is_none());
        }
    }

    #[test]
    fn the_order_of_rows_does_not_matter(seed in 0usize..1000) {
        let database = shop_sales("shop_id", 77);
        let found = infer(&database);
        let (tables, _) = database.into_parts();
        let shuffled = tables
            .iter()
            .map(|table| {
                let mut order: Vec<(usize, u32)> = mixed(seed, table.rows(), 1 << 30).into_iter().zip(0..).collect();
                order.sort_unstable();
                let order: Vec<u32> = order.into_iter().map(|(_, row)| row).collect();
                table.gather(&order)
            })
            .collect();
        prop_assert_eq!(infer(&Database::new(shuffled, vec![]).unwrap().0), found);
    }
}
