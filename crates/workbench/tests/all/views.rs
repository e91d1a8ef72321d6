//! Views of a database: what they hold repeats other tables, or is what a model predicts.

use kinwood_workbench::{Opening, open};

/// The view that a model's SQL makes holds answers for all rows, those held back too: were a key to
/// it found by its values, the next model would see them.
#[test]
fn no_key_leads_to_a_view_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    let database = rusqlite::Connection::open(&path).unwrap();
    let mut script = "create table customer (customer_id integer primary key, left_us text);
        create table purchase (purchase_id integer primary key, customer_id integer, amount real);"
        .to_owned();
    for id in 0..40 {
        let left = if id % 3 == 0 { "yes" } else { "no" };
        script += &format!("insert into customer values ({id}, '{left}');");
        for at in 0..3 {
            let number = 3 * id + at;
            script += &format!("insert into purchase values ({number}, {id}, {at}.5);");
        }
    }
    script += "create view predictions as select customer_id, left_us as prediction from customer;";
    database.execute_batch(&script).unwrap();
    drop(database);
    let data = open(&path, &Opening::default()).unwrap();
    let tables = data.database();
    let name = |table: usize| tables.table(table).name();
    let linked: Vec<(&str, &str)> = tables
        .foreign_keys()
        .iter()
        .map(|key| (name(key.from), name(key.to)))
        .collect();
    assert_eq!(linked, [("purchase", "customer")]);
    assert!(
        tables
            .tables()
            .iter()
            .any(|table| table.name() == "predictions")
    );
}
