//! Tests of the built-in data.

use super::*;
use kinwood_values::Value;

use crate::output::save_table;

fn column<'a>(table: &'a Table, name: &str) -> &'a Column {
    &table.attribute(table.find(name).unwrap()).column
}

fn label(table: &Table, name: &str, row: usize) -> Option<String> {
    let value = column(table, name).value(row);
    (value != Value::Missing).then(|| value.to_string())
}

fn number(table: &Table, name: &str, row: usize) -> Option<f64> {
    column(table, name).number(row)
}

/// Every cell; tables themselves do not compare, for the filler of a missing number is none.
fn cells(table: &Table) -> Vec<Vec<Value>> {
    let values = |attribute: &Attribute| {
        let rows = 0..table.rows();
        rows.map(|row| attribute.column.value(row)).collect()
    };
    table.attributes().iter().map(values).collect()
}

#[test]
fn one_seed_makes_one_table() {
    assert_eq!(cells(&table(50, 0.3, 7)), cells(&table(50, 0.3, 7)));
    assert_ne!(cells(&table(50, 0.3, 7)), cells(&table(50, 0.3, 8)));
}

#[test]
fn more_rows_continue_fewer() {
    let first: Vec<u32> = (0..30).collect();
    let many = table(90, 0.2, 3).gather(&first);
    assert_eq!(cells(&table(30, 0.2, 3)), cells(&many));
}

#[test]
fn noise_changes_the_targets_only() {
    let (exact, noisy) = (table(400, 0.0, 5), table(400, 0.5, 5));
    for (a, b) in exact.attributes().iter().zip(noisy.attributes()) {
        let differ = (0..400).filter(|&row| a.column.value(row) != b.column.value(row));
        match a.name.as_str() {
            "grade" => assert!((150..250).contains(&differ.count())),
            "price" => assert!(differ.count() > 350),
            name => assert_eq!(differ.count(), 0, "{name}"),
        }
    }
}

#[test]
fn the_law_holds_without_noise() {
    let apples = table(2000, 0.0, 1);
    let mut whole = 0;
    for row in 0..apples.rows() {
        let spots = number(&apples, "spots", row).unwrap();
        let grade = label(&apples, "grade", row).unwrap();
        assert_eq!(spots >= 3.0, grade == "C", "row {row}");
        let (Some(sugar), Some(firmness), Some(variety)) = (
            number(&apples, "sugar", row),
            number(&apples, "firmness", row),
            label(&apples, "variety", row),
        ) else {
            continue;
        };
        whole += 1;
        if grade != "C" {
            assert_eq!(sugar >= 12.5 && firmness >= 62.0, grade == "A", "row {row}");
        }
        let premium = match variety.as_str() {
            "amber" => 0.0,
            "crimson" => 6.0,
            "pippin" => 12.0,
            "russet" => 20.0,
            other => panic!("no such variety: {other}"),
        };
        let price = 0.2 * number(&apples, "weight_g", row).unwrap() + 2.0 * sugar + premium;
        let found = number(&apples, "price", row).unwrap();
        // The price is rounded to a tenth of a cent.
        assert!(
            (found - price).abs() < 0.0501,
            "row {row}: {found}, {price}"
        );
    }
    assert!(whole > 1600, "{whole}");
}

#[test]
fn grades_are_in_their_order() {
    let apples = table(30, 0.0, 1);
    let (_, dictionary) = column(&apples, "grade").codes().unwrap();
    assert_eq!(dictionary.labels().collect::<Vec<_>>(), GRADES);
}

#[test]
fn every_grade_and_variety_is_common() {
    let apples = table(2000, 0.1, 2);
    for (name, values) in [
        ("grade", &GRADES[..]),
        ("variety", &VARIETIES.map(|v| v.name)),
    ] {
        for value in values {
            let rows = (0..2000).filter(|&row| label(&apples, name, row).as_deref() == Some(value));
            let count = rows.count();
            assert!(count > 250, "{name} {value}: {count}");
        }
    }
}

#[test]
fn one_value_in_twenty_is_missing_where_any_is() {
    let apples = table(4000, 0.1, 9);
    for attribute in apples.attributes() {
        let missing = attribute.column.missing();
        match attribute.name.as_str() {
            // 200 expected, with a standard deviation of 13.8.
            "variety" | "sugar" | "firmness" | "harvest" => {
                assert!(
                    (145..255).contains(&missing),
                    "{}: {missing}",
                    attribute.name
                );
            }
            name => assert_eq!(missing, 0, "{name}"),
        }
    }
}

#[test]
fn any_size_and_any_noise_make_a_table() {
    assert_eq!(table(0, 0.1, 1).rows(), 0);
    for (noise, taken_as) in [(f64::NAN, 0.0), (-1.0, 0.0), (9.0, 1.0)] {
        assert_eq!(cells(&table(20, noise, 1)), cells(&table(20, taken_as, 1)));
    }
}

fn written(table: &Table) -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("data.csv");
    std::fs::write(&path, "something old and longer than what follows").unwrap();
    save_table(&path, table).unwrap();
    let left: Vec<_> = std::fs::read_dir(directory.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
    std::fs::read_to_string(&path).unwrap()
}

#[test]
fn the_first_lines_of_the_file_are_recorded() {
    let text = written(&table(8, 0.1, 1));
    let expected = "\
id,variety,weight_g,sugar,firmness,spots,harvest,grade,price
1,amber,132.2,11.1,,1,2024-09-25,B,50.4
2,amber,146.1,12,65.5,1,2024-09-27,B,56.4
3,amber,129.4,12.3,58.6,0,2024-10-02,B,51.7
4,pippin,102.7,11.5,61.8,1,2024-09-09,B,54.6
5,,126.6,,63.4,4,2024-09-03,C,45.6
6,pippin,124.1,14,71.2,0,2024-09-23,A,65.6
7,amber,139.9,10.5,71.9,2,2024-09-07,B,50
8,amber,160.8,11.3,69.1,2,2024-10-03,B,55.7
";
    assert_eq!(text, expected);
}

#[test]
fn cells_that_could_be_misread_are_quoted() {
    let labels = ["plain", "a,b", "say \"so\"", "two\nlines", " blank", ""];
    let texts = Column::nominal(labels.map(Some).into_iter().chain([None]));
    let numbers = Column::numeric((0..7).map(f64::from).collect());
    let attributes = vec![Attribute::new("a,b", texts), Attribute::new("n", numbers)];
    let text = written(&Table::new("t", attributes).unwrap());
    assert_eq!(
        text,
        "\"a,b\",n\nplain,0\n\"a,b\",1\n\"say \"\"so\"\"\",2\n\"two\nlines\",3\n\" blank\",4\n\"\",5\n,6\n"
    );
}

#[test]
fn a_missing_value_alone_in_its_row_is_marked() {
    let column = Column::numeric(vec![1.5, f64::NAN]);
    let table = Table::new("t", vec![Attribute::new("x", column)]).unwrap();
    assert_eq!(written(&table), "x\n1.5\n?\n");
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let taken = directory.path().join("taken");
    std::fs::create_dir(&taken).unwrap();
    assert!(save_table(&taken, &table(3, 0.0, 1)).is_err());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    assert!(save_table(&directory.path().join("no/where.csv"), &table(3, 0.0, 1)).is_err());
}
