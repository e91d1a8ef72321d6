use kinwood_values::{Type, Value};
use proptest::prelude::*;

use super::*;

/// Both passes, as the readers do them.
fn column(plan: Plan, key: bool, cells: &[Cell<'_>]) -> (Column, Told) {
    let mut builder = Builder::new(plan, key, cells.len());
    cells.iter().for_each(|&cell| builder.push(cell));
    if builder.contradicted() {
        builder = builder.again(cells.len());
        cells.iter().for_each(|&cell| builder.push(cell));
    }
    match builder.finish() {
        Some((_, Built::Column(column), told)) => (column, told),
        other => panic!("no column but {other:?}"),
    }
}

fn values(column: &Column) -> Vec<String> {
    (0..column.len())
        .map(|row| column.value(row).to_string())
        .collect()
}

#[test]
fn values_decide_where_nothing_is_declared() {
    let (numbers, _) = column(
        Plan::Any,
        false,
        &[Cell::Null, Cell::Integer(1), Cell::Real(2.5)],
    );
    assert_eq!(values(&numbers), ["?", "1", "2.5"]);
    let (labels, _) = column(Plan::Any, false, &[Cell::Text(b"a"), Cell::Integer(1)]);
    assert_eq!(values(&labels), ["a", "1"]);
    assert_eq!(labels.type_of(), Type::Nominal);
}

#[test]
fn a_text_among_numbers_makes_labels_of_all() {
    let cells = [Cell::Integer(3), Cell::Real(0.5), Cell::Text(b"many")];
    let (labels, told) = column(Plan::Number, false, &cells);
    assert_eq!(values(&labels), ["3", "0.5", "many"]);
    let found = told.contradiction.unwrap();
    assert_eq!((found.example.as_str(), found.row), ("many", 3));
    assert!(!found.inexact);
}

#[test]
fn large_whole_numbers_stay_exact_in_keys_and_are_rounded_elsewhere() {
    let large = (1 << 53) + 1;
    let cells = [
        Cell::Integer(1),
        Cell::Integer(large),
        Cell::Integer(-large),
    ];
    let (key, told) = column(Plan::Number, true, &cells);
    assert_eq!(values(&key), ["1", "9007199254740993", "-9007199254740993"]);
    assert!(told.contradiction.unwrap().inexact);
    let (numbers, told) = column(Plan::Number, false, &cells);
    assert_eq!(numbers.type_of(), Type::Numeric);
    assert_eq!(told.rounded, 2);
    let (numbers, _) = column(Plan::Number, true, &[Cell::Integer(1 << 53)]);
    assert_eq!(numbers.type_of(), Type::Numeric);
}

#[test]
fn long_decimals_stay_exact_in_keys() {
    let cells = [
        Cell::Decimal("0.1"),
        Cell::Decimal("0.10000000000000000001"),
    ];
    let (key, _) = column(Plan::Number, true, &cells);
    assert_eq!(values(&key), ["0.1", "0.10000000000000000001"]);
    let (numbers, _) = column(Plan::Number, false, &cells);
    assert_eq!(numbers.numbers(), Some([0.1, 0.1].as_slice()));
    let huge = "9".repeat(400);
    let (numbers, told) = column(Plan::Number, false, &[Cell::Decimal(&huge)]);
    assert_eq!((numbers.missing(), told.infinite), (1, 1));
}

#[test]
fn what_is_not_finite_or_empty_is_missing_and_counted() {
    let cells = [
        Cell::Real(f64::INFINITY),
        Cell::Real(f64::NAN),
        Cell::Text(b" "),
        Cell::Blob(b"x"),
        Cell::Integer(1),
    ];
    let (numbers, told) = column(Plan::Number, false, &cells);
    assert_eq!(numbers.missing(), 4);
    assert_eq!((told.infinite, told.blank, told.blobs), (2, 1, 1));
}

#[test]
fn dates_are_read_and_what_is_none_makes_labels() {
    let cells = [Cell::Text(b"2024-05-01"), Cell::Null, Cell::Text(b"")];
    let (dates, told) = column(Plan::Date, false, &cells);
    assert_eq!(dates.value(0), Value::DateTime(1_714_521_600_000));
    assert_eq!((dates.missing(), told.blank), (2, 1));
    let cells = [Cell::Text(b"2024-05-01 00:00"), Cell::Text(b"soon")];
    let (labels, _) = column(Plan::Date, false, &cells);
    assert_eq!(values(&labels), ["2024-05-01 00:00", "soon"]);
    let (numbers, _) = column(Plan::Date, false, &[Cell::Integer(1_714_521_600)]);
    assert_eq!(numbers.type_of(), Type::Numeric);
}

#[test]
fn parts_of_a_millisecond_stay_exact_in_keys() {
    let cells = [Cell::Instant(1_000), Cell::Instant(1_001)];
    let (key, told) = column(Plan::Date, true, &cells);
    assert_eq!(
        values(&key),
        ["1970-01-01T00:00:00.001Z", "1970-01-01T00:00:00.001001Z"]
    );
    assert!(told.contradiction.unwrap().inexact);
    let cells = [
        Cell::Text(b"2024-05-01 00:00:00.1230"),
        Cell::Text(b"2024-05-01 00:00:00.1234"),
    ];
    assert_eq!(column(Plan::Date, true, &cells).0.type_of(), Type::Nominal);
    assert_eq!(
        column(Plan::Date, false, &cells).0.type_of(),
        Type::DateTime
    );
}

#[test]
fn truth_values_have_one_spelling() {
    let cells = [Cell::Integer(1), Cell::Truth(false), Cell::Null];
    let (labels, _) = column(Plan::Truth, false, &cells);
    assert_eq!(values(&labels), ["true", "false", "?"]);
    let (labels, _) = column(Plan::Truth, false, &[Cell::Integer(1), Cell::Text(b"Y")]);
    assert_eq!(values(&labels), ["1", "Y"]);
}

#[test]
fn a_column_without_values_has_its_declared_type() {
    for (plan, of) in [
        (Plan::Number, Type::Numeric),
        (Plan::Date, Type::DateTime),
        (Plan::Truth, Type::Nominal),
        (Plan::Any, Type::Nominal),
    ] {
        let (empty, _) = column(plan, false, &[Cell::Null, Cell::Null]);
        assert_eq!((empty.type_of(), empty.missing()), (of, 2));
    }
}

fn any_cell() -> impl Strategy<Value = OwnedCell> {
    prop_oneof![
        Just(OwnedCell::Null),
        any::<i64>().prop_map(OwnedCell::Integer),
        (-9i64..9).prop_map(OwnedCell::Integer),
        any::<f64>().prop_map(OwnedCell::Real),
        "[a-c0-9 ]{0,3}|2024-05-0[1-9]".prop_map(|text| OwnedCell::Text(text.into_bytes())),
        proptest::collection::vec(any::<u8>(), 0..4).prop_map(OwnedCell::Text),
        proptest::collection::vec(any::<u8>(), 0..4).prop_map(OwnedCell::Blob),
        any::<i64>().prop_map(OwnedCell::Instant),
    ]
}

#[derive(Clone, Debug)]
enum OwnedCell {
    Null,
    Integer(i64),
    Real(f64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
    Instant(i64),
}

impl OwnedCell {
    fn borrow(&self) -> Cell<'_> {
        match self {
            Self::Null => Cell::Null,
            Self::Integer(number) => Cell::Integer(*number),
            Self::Real(number) => Cell::Real(*number),
            Self::Text(bytes) => Cell::Text(bytes),
            Self::Blob(bytes) => Cell::Blob(bytes),
            Self::Instant(microseconds) => Cell::Instant(*microseconds),
        }
    }
}

proptest! {
    #[test]
    fn any_values_fill_any_column(
        plan in prop_oneof![
            Just(Plan::Any), Just(Plan::Number), Just(Plan::Text), Just(Plan::Date), Just(Plan::Truth)
        ],
        key: bool,
        cells in proptest::collection::vec(any_cell(), 0..8),
    ) {
        let borrowed: Vec<Cell<'_>> = cells.iter().map(OwnedCell::borrow).collect();
        let mut builder = Builder::new(plan, key, 0);
        borrowed.iter().for_each(|&cell| builder.push(cell));
        if builder.contradicted() {
            builder = builder.again(cells.len());
            borrowed.iter().for_each(|&cell| builder.push(cell));
            prop_assert!(!builder.contradicted());
        }
        match builder.finish() {
            Some((_, Built::Column(column), _)) => {
                prop_assert_eq!(column.len(), cells.len());
                for (row, cell) in borrowed.iter().enumerate() {
                    prop_assert!(column.value(row).conforms_to(&column.type_of()));
                    prop_assert!(column.is_present(row) || !key || *cell == Cell::Null
                        || matches!(*cell, Cell::Real(number) if !number.is_finite())
                        || matches!(*cell, Cell::Instant(_)));
                }
            }
            Some((_, Built::Binary, _)) => prop_assert!(!key),
            other => prop_assert!(false, "{other:?}"),
        }
    }
}
