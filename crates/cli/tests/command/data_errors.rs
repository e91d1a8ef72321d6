//! What can be wrong with data: the message, and exit code 2.

use crate::sandbox::Sandbox;

/// The error of fitting to a file with this content.
fn fitting(name: &str, content: impl AsRef<[u8]>, options: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox.write(name, content);
    sandbox.err(&format!("fit oner {name} {options}"))
}

#[test]
fn a_missing_file() {
    assert_eq!(
        Sandbox::new().err("describe none.csv"),
        "error: cannot read `none.csv`: no such file or directory\n"
    );
}

#[test]
fn a_wrong_target_name() {
    let sandbox = Sandbox::with_weather();
    assert_eq!(
        sandbox.err("fit oner weather.csv --target ply"),
        "error: unknown column `ply` in table `weather`; did you mean `play`?\n help: `kinwood describe DATA` shows the columns\n"
    );
    assert_eq!(
        sandbox.err("fit oner weather.csv"),
        "error: no target is named; candidates are `outlook`, `windy`, `play`, `temperature`: name one with `--target`\n"
    );
    assert_eq!(
        sandbox.err("fit oner weather.csv --target play --target play"),
        "error: target `play` is named twice\n"
    );
}

#[test]
fn a_ragged_row() {
    assert_eq!(
        fitting("ragged.csv", "a,b,c\n1,2,x\n3,4,y\n5,6\n", "--target c"),
        "error: ragged.csv:4: the row has 2 cells, expected 3; the first rows look separated by `,`, which can be stated otherwise\n help: `--delimiter` states what separates cells\n"
    );
}

#[test]
fn an_empty_file_and_an_empty_table() {
    assert_eq!(
        fitting("empty.csv", "", "--target c"),
        "error: `empty.csv` is empty: expected rows of cells\n"
    );
    assert_eq!(
        fitting("header.csv", "a,c\n", "--target c"),
        "error: table `header` has no rows to learn from\n"
    );
}

#[test]
fn a_column_of_only_missing_values() {
    let content = "a,b,c\n1,,x\n2,,y\n3,,x\n";
    let note = "note: column `b` is taken as `ignore`: it has no value in any row (`--role b=input` changes that)\n";
    assert_eq!(
        fitting("gaps.csv", content, "--target b"),
        format!("{note}error: the target `b` has no known value in 3 rows\n")
    );
    // As an input it is left out, and the rest is learned from.
    let sandbox = Sandbox::new();
    sandbox.write("gaps.csv", content);
    let ended = sandbox.run("fit oner gaps.csv --target c");
    assert_eq!((ended.code, ended.err.as_str()), (0, note));
}

#[test]
fn a_target_that_is_also_an_id() {
    let rows: String = (0..12).map(|row| format!("n{row},{}\n", row % 3)).collect();
    let content = format!("name,x\n{rows}");
    assert_eq!(
        fitting("names.csv", &content, "--target name"),
        "note: column `name` is taken as `id`: 12 of its 12 values are distinct (`--role name=input` changes that)\nerror: column `name` is an id (12 of its 12 values are distinct) and cannot be the target; if it is none, say `--role name=target`\n"
    );
    assert_eq!(
        fitting("names.csv", &content, "--target name --role name=id"),
        "error: column `name` is an id (its role is stated) and cannot be the target; if it is none, say `--role name=target`\n"
    );
}

#[test]
fn a_binary_file_given_as_csv() {
    assert_eq!(
        fitting("data.csv", b"a,b\n1,\x00\x01\x02\n", "--target b"),
        "error: `data.csv` is not a text file: byte 7 is 0x00\n"
    );
    let told = fitting("data.csv", b"%PDF-1.4\0\x10\0\x01\x01", "--target b");
    assert!(
        told.starts_with("error: cannot tell the format of `data.csv`: it looks like "),
        "{told}"
    );
}

#[test]
fn rows_that_nothing_satisfies() {
    let sandbox = Sandbox::with_weather();
    assert_eq!(
        sandbox.err("fit oner weather.csv --target play --rows 'temperature > 100'"),
        "error: no row of `weather` satisfies `temperature > 100`\n"
    );
}

#[test]
fn a_target_of_another_type_than_the_learner_predicts() {
    let told = Sandbox::with_weather().err("evaluate oner weather.csv --target temperature");
    assert!(
        told.starts_with("error: `oner` predicts single nominal targets"),
        "{told}"
    );
    let told = Sandbox::with_weather().err("fit oner weather.csv --target temperature");
    assert!(
        told.starts_with(
            "error: `oner` predicts single nominal targets, and `temperature` is numeric"
        ),
        "{told}"
    );
}

#[test]
fn a_ragged_row_of_arff_has_no_delimiter_to_state() {
    let content = "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n2\n";
    assert_eq!(
        fitting("ragged.arff", content, ""),
        "error: ragged.arff:6: the row has 1 cell, expected 2\n"
    );
}

#[test]
fn a_quote_that_is_never_closed_has_a_way_out() {
    assert_eq!(
        fitting("quote.csv", "a,c\n1,\"x\n2,y\n", "--target c"),
        "error: quote.csv:2:3: the quote \" opened here is never closed; if quotes are ordinary characters here, say that the quote is `none`\n help: `--quote none` says that\n"
    );
    let learned = fitting(
        "quote.csv",
        "a,c\n1,\"x\n2,y\n",
        "--target c --quote double",
    );
    assert!(
        learned.contains("invalid value 'double' for '--quote <MARK>'"),
        "{learned}"
    );
    let sandbox = Sandbox::new();
    sandbox.write("quote.csv", "a,c\n1,\"x\n2,y\n1,\"x\n");
    let told = sandbox.out("describe quote.csv --quote none");
    assert!(told.contains("2 values: \"x 2, y 1"), "{told}");
}

#[test]
fn a_role_that_two_columns_have_or_the_target() {
    let content = "w,v,x,c\n1,2,3,a\n2,1,4,b\n1,1,3,a\n2,2,5,b\n";
    let both = "--target c --role w=weight --role v=weight";
    assert_eq!(
        fitting("data.csv", content, both),
        "error: columns `w` and `v` both have the role `weight`; say which one by `--role COLUMN=ignore` for the other\n"
    );
    assert_eq!(
        fitting("data.csv", content, "--target c --role c=group"),
        "error: column `c` is the target and cannot also be `group`\n"
    );
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", content);
    assert_eq!(
        sandbox.err("evaluate oner data.csv --target c --fold-column c"),
        "error: column `c` is the target and cannot also be `fold`\n"
    );
    assert_eq!(
        sandbox.err("evaluate oner data.csv --target c --role w=fold --role v=fold"),
        "error: columns `w` and `v` both have the role `fold`; say which one by `--role COLUMN=ignore` for the other\n"
    );
    let chosen = "evaluate oner data.csv --target c --role w=fold --fold-column v";
    assert_eq!(sandbox.run(chosen).code, 0);
}

#[test]
fn a_row_without_a_time() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", "t,x,c\n1,3,a\n2,4,b\n,3,a\n3,5,b\n");
    assert_eq!(
        sandbox.err("evaluate oner data.csv --target c --by-time t --folds 2"),
        "error: row 3 has no value of `t`, by which rows are ordered\n"
    );
}

#[test]
fn a_damaged_parquet_file() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("convert weather.csv whole.parquet");
    let whole = sandbox.read("whole.parquet");
    sandbox.write("cut.parquet", &whole[..whole.len() / 2]);
    assert_eq!(
        sandbox.err("describe cut.parquet"),
        "error: `cut.parquet` is no whole Parquet file: it does not end as such files do, perhaps it is cut off\n"
    );
    // Whatever stands in the pages: an error that names the file, and no word of panics.
    for at in (4..whole.len() - 8).step_by(97) {
        let mut damaged = whole.clone();
        damaged[at..at + 4].fill(0xff);
        sandbox.write("damaged.parquet", &damaged);
        let ended = sandbox.run("describe damaged.parquet --quiet");
        let named = ended.err.contains("damaged.parquet");
        assert!(
            ended.code == 0 || (ended.code == 2 && named),
            "{}",
            ended.err
        );
        assert!(
            !ended.err.contains("kinwood itself failed"),
            "{}",
            ended.err
        );
    }
}
