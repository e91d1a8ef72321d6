//! Reads a SQLite file a number of times and prints rows, bytes of the columns, rows a second, and
//! the most memory the process held. Called with `make FILE ROWS` it writes such a file: a table of
//! whole numbers as key and foreign key, two codes and a real number.
#![allow(clippy::print_stdout, reason = "printing the figures is its purpose")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use kinwood_formats::sql::{SqlOptions, read_sqlite};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [make, file, rows] if make == "make" => write(file, rows.parse()?),
        [file] => read(file, 1),
        [file, times] => read(file, times.parse()?),
        _ => Err("expected FILE [TIMES] or make FILE ROWS".into()),
    }
}

fn read(file: &str, times: usize) -> Result<(), Box<dyn Error>> {
    let before = peak_kilobytes();
    for _ in 0..times {
        let start = Instant::now();
        let data = read_sqlite(Path::new(file), &SqlOptions::default())?;
        let seconds = start.elapsed().as_secs_f64();
        let rows: usize = data
            .database
            .tables()
            .iter()
            .map(|table| table.rows())
            .sum();
        let bytes = data.database.memory();
        let rate = rows as f64 / seconds;
        println!("rows {rows} bytes {bytes} seconds {seconds:.3} rows_a_second {rate:.0}");
    }
    println!("peak_kilobytes {} above {before}", peak_kilobytes());
    Ok(())
}

fn write(file: &str, rows: u32) -> Result<(), Box<dyn Error>> {
    let connection = rusqlite::Connection::open(file)?;
    connection.execute_batch(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
         CREATE TABLE molecule (id INTEGER PRIMARY KEY, class TEXT);
         CREATE TABLE atom (id INTEGER PRIMARY KEY, molecule INTEGER REFERENCES molecule,
             element TEXT, kind TEXT, charge REAL);",
    )?;
    let molecules = rows.div_ceil(25);
    connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO molecule SELECT i, CASE i % 2 WHEN 0 THEN 'active' ELSE 'inactive' END FROM n",
        [molecules],
    )?;
    connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO atom SELECT i, 1 + i / 25, substr('chonsfp', 1 + i % 7, 1), 'kind ' || i * 7919 % 60,
             (i * 7919 % 2000 - 1000) / 1000.0 FROM n",
        [rows - 1],
    )?;
    Ok(())
}

/// The most memory the process held so far, as Linux counts it; 0 elsewhere.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}
