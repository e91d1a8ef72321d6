//! Reads a file a number of times and prints rows, columns, bytes of the columns, the seconds each
//! time took, and the most memory the process held. `benches/csv_against_pyarrow.py` runs it.
#![allow(clippy::print_stdout, reason = "printing the figures is its purpose")]

use std::path::Path;
use std::time::Instant;

use kinwood_formats::csv::{self, CsvOptions};
use kinwood_formats::{Result, Source};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let times: usize = arguments
        .next()
        .and_then(|times| times.parse().ok())
        .unwrap_or(1);
    let before = peak_kilobytes();
    for _ in 0..times {
        let start = Instant::now();
        let read = csv::read(&Source::open(Path::new(&path))?, &CsvOptions::default())?;
        let seconds = start.elapsed().as_secs_f64();
        let table = &read.table;
        let (rows, columns, bytes) = (table.rows(), table.attributes().len(), table.memory());
        println!("rows {rows} columns {columns} bytes {bytes} seconds {seconds:.4}");
    }
    println!("peak_kilobytes {} above {before}", peak_kilobytes());
    Ok(())
}

/// The most memory the process held so far, as Linux counts it; 0 elsewhere.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}
