//! Matrices of distances in files: NumPy, CSV or Parquet, of any size, resumed where an
//! interruption left them.
//!
//! The matrix grows block by block in `FILE.part`, itself a NumPy file without its end;
//! `FILE.part.json` says what it is of and how many rows are done. Asked again for the same matrix,
//! the work goes on from there. Of a symmetric distance each pair is computed once: what lies left
//! of a block is read back from the rows above.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use kinwood_container::replace;
use kinwood_learners::Context;
use kinwood_similarity::Pairs;
use kinwood_similarity::matrix::{Refused, fill_rows};
use kinwood_values::{Attribute, Column, Database, Table};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::output::record;

/// What the finished file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A NumPy file with all rows.
    Numpy,
    /// A NumPy file with each pair once, in the order that SciPy calls condensed.
    Condensed,
    /// Text with the objects' names.
    Csv,
    /// A table with a column for each object.
    Parquet,
}

impl Form {
    /// By the ending of the file's name.
    pub fn of(path: &Path, condensed: bool) -> Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match (ending.map(str::to_ascii_lowercase).as_deref(), condensed) {
            (Some("npy"), false) => Ok(Form::Numpy),
            (Some("npy"), true) => Ok(Form::Condensed),
            (Some("csv"), false) => Ok(Form::Csv),
            (Some("parquet"), false) => Ok(Form::Parquet),
            (_, true) => Err(Error::MatrixFile(format!(
                "`{}`: a condensed matrix is written as .npy",
                path.display()
            ))),
            (_, false) => Err(Error::MatrixFile(format!(
                "`{}` does not say what it is: a matrix is written as .npy, .csv or .parquet",
                path.display()
            ))),
        }
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Rows that an earlier run had done.
    pub resumed: usize,
    /// Bytes of the file.
    pub bytes: u64,
}

/// What a part file is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    matrix: String,
    shape: (usize, usize),
    rows: usize,
}

/// Bytes of a block of rows, unless memory is scarcer or one row is larger.
const BLOCK: u64 = 64 << 20;

/// Writes the matrix of a distance bound to objects on both sides. `key` tells it from other
/// matrices; `names` are the objects'.
pub fn write(
    path: &Path,
    form: Form,
    pairs: &dyn Pairs<f64>,
    key: &str,
    names: &dyn Fn(usize) -> String,
    context: &Context,
) -> Result<Written> {
    let shape = pairs.shape();
    let laws = pairs.laws();
    let mirrored = laws.symmetric && laws.zero_on_self && shape.0 == shape.1;
    if form == Form::Condensed && !mirrored {
        return Err(Error::MatrixFile(Refused::Laws.to_string()));
    }
    let full = (shape.0 as u64)
        .saturating_mul(shape.1 as u64)
        .saturating_mul(8);
    if form == Form::Parquet
        && let Some(allowed) = context.memory()
        && full > allowed
    {
        return Err(Error::Memory {
            what: format!("a Parquet file of {} columns", shape.1),
            needed: full,
            allowed,
            advice: "a .npy file is written block by block",
        });
    }
    let mut part = Part::open(path, key, shape)?;
    let resumed = part.state.rows;
    let share = context
        .memory()
        .map_or(BLOCK, |memory| (memory / 4).min(BLOCK));
    let rows = (share / (shape.1 as u64 * 8).max(1)).clamp(1, 4096) as usize;
    let pairs_left = |from: usize| match mirrored {
        true => (from..shape.0).map(|row| (shape.0 - row) as u64).sum(),
        false => ((shape.0 - from) as u64).saturating_mul(shape.1 as u64),
    };
    let running = context.progress("comparing objects", pairs_left(resumed));
    while part.state.rows < shape.0 {
        let first = part.state.rows;
        let block = first..(first + rows).min(shape.0);
        let mut out = vec![0.0; block.len() * shape.1];
        let from_diagonal = |row: usize| row..shape.1;
        let wanted: Option<&(dyn Fn(usize) -> std::ops::Range<usize> + Sync)> =
            if mirrored { Some(&from_diagonal) } else { None };
        let advance = |pairs: u64| {
            running.advance(pairs);
            context.check().is_ok()
        };
        let filled =
            context.install(|| fill_rows(pairs, block.clone(), wanted, &mut out, &advance));
        if filled.is_err() {
            // Parts without a row are of no use to anybody.
            if part.state.rows == 0 {
                part.remove()?;
            }
            context.check()?;
            return Err(kinwood_learners::Error::Interrupted.into());
        }
        if mirrored {
            mirror(&mut out, first, shape.1);
            part.read_left(&mut out, first, block.len())?;
        }
        if let Err(error) = part.append(&out, block.len()) {
            if part.state.rows == 0 {
                part.remove()?;
            }
            return Err(error);
        }
    }
    drop(running);
    let bytes = part.finish(path, form, names)?;
    Ok(Written { resumed, bytes })
}

/// The rows that an interrupted work on a matrix has kept, if it has kept any.
pub fn kept(path: &Path) -> Option<PathBuf> {
    Some(beside(path, ".part")).filter(|part| part.exists())
}

/// Inside a block of whole rows, what lies left of the diagonal is what lies right of it.
fn mirror(out: &mut [f64], first: usize, width: usize) {
    let rows = out.len() / width.max(1);
    for row in 1..rows {
        for column in 0..row {
            out[row * width + first + column] = out[column * width + first + row];
        }
    }
}

/// The growing file.
struct Part {
    file: File,
    path: PathBuf,
    state_path: PathBuf,
    state: State,
    header: u64,
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
    move |error| {
        Error::MatrixFile(format!(
            "cannot write `{}`: {}",
            path.display(),
            kinwood_container::reason(&error)
        ))
    }
}

/// Takes a file away that may be gone.
fn gone(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(path)(error)),
        _ => Ok(()),
    }
}

/// The growing file, which nobody else writes to: of two runs that wrote the same rows at the same
/// time, neither would have a matrix.
fn locked(part: &Path) -> Result<File> {
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(part).map_err(failed(part))?;
        match file.try_lock() {
            // Where files cannot be locked, nobody is kept out.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::MatrixFile(format!(
                    "cannot write `{}`: another program is writing it",
                    part.display()
                )));
            }
        }
        // Whoever had it may have finished since it was opened: then it is their matrix.
        if is_at(&file, part) {
            return Ok(file);
        }
    }
}

/// Whether an open file is still the one that stands at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(own), Ok(there)) => (own.dev(), own.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Whether an open file is still the one that stands at a path: elsewhere an open file is not
/// renamed.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

impl Part {
    /// Takes up what an earlier run of the same matrix left, or begins.
    fn open(path: &Path, key: &str, shape: (usize, usize)) -> Result<Self> {
        let (part, state_path) = (beside(path, ".part"), beside(path, ".part.json"));
        let header = npy_header(&[shape.0, shape.1]);
        let fresh = State {
            matrix: key.to_owned(),
            shape,
            rows: 0,
        };
        let mut file = locked(&part)?;
        // Read once nobody else writes.
        let left: Option<State> = fs::read(&state_path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .filter(|left: &State| left.matrix == key && left.shape == shape);
        let done = |rows: usize| header.len() as u64 + (rows as u64 * shape.1 as u64) * 8;
        let left = left.filter(|left| {
            left.rows <= shape.0
                && fs::metadata(&part).is_ok_and(|found| found.len() >= done(left.rows))
        });
        let state = left.unwrap_or(fresh);
        // Rows that were begun when the work stopped are cut off.
        let length = if state.rows == 0 { 0 } else { done(state.rows) };
        file.set_len(length).map_err(failed(&part))?;
        let begun = match state.rows {
            0 => file.write_all(&header).map_err(failed(&part)),
            _ => Ok(()),
        };
        let part = Self {
            file,
            path: part,
            state_path,
            state,
            header: header.len() as u64,
        };
        match begun.and_then(|()| part.save_state()) {
            Ok(()) => Ok(part),
            Err(error) => {
                if part.state.rows == 0 {
                    part.remove()?;
                }
                Err(error)
            }
        }
    }

    fn save_state(&self) -> Result<()> {
        let text = serde_json::to_vec(&self.state).map_err(io::Error::from);
        text.and_then(|text| replace(&self.state_path, |out| out.write_all(&text)))
            .map_err(failed(&self.state_path))
    }

    /// What lies left of a block, from the rows above it.
    fn read_left(&mut self, out: &mut [f64], first: usize, rows: usize) -> Result<()> {
        let width = self.state.shape.1;
        let mut bytes = vec![0; rows * 8];
        for above in 0..first {
            let at = self.header + ((above * width + first) as u64) * 8;
            self.file
                .seek(SeekFrom::Start(at))
                .and_then(|_| self.file.read_exact(&mut bytes))
                .map_err(failed(&self.path))?;
            for (row, number) in numbers(&bytes).enumerate() {
                out[row * width + above] = number;
            }
        }
        Ok(())
    }

    fn append(&mut self, block: &[f64], rows: usize) -> Result<()> {
        let mut bytes = Vec::with_capacity(block.len() * 8);
        for number in block {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        self.file
            .seek(SeekFrom::End(0))
            .and_then(|_| self.file.write_all(&bytes))
            .and_then(|()| self.file.flush())
            .map_err(failed(&self.path))?;
        self.state.rows += rows;
        self.save_state().inspect_err(|_| self.state.rows -= rows)
    }

    /// Takes away what was there for the work.
    fn remove(&self) -> Result<()> {
        gone(&self.path)?;
        gone(&self.state_path)
    }

    /// Makes the finished file, and takes away what was there for the work.
    fn finish(mut self, path: &Path, form: Form, names: &dyn Fn(usize) -> String) -> Result<u64> {
        self.file.sync_all().map_err(failed(&self.path))?;
        if form == Form::Numpy {
            fs::rename(&self.path, path).map_err(failed(path))?;
        } else {
            self.file
                .seek(SeekFrom::Start(self.header))
                .map_err(failed(&self.path))?;
            let (rows, width) = self.state.shape;
            let mut reader = BufReader::with_capacity(1 << 20, &self.file);
            let mut next = |row: &mut Vec<f64>| -> io::Result<()> {
                let mut bytes = vec![0; width * 8];
                reader.read_exact(&mut bytes)?;
                row.clear();
                row.extend(numbers(&bytes));
                Ok(())
            };
            match form {
                Form::Parquet => save_table(path, rows, width, &mut next, names)?,
                _ => replace(path, |out| match form {
                    Form::Csv => write_csv(out, rows, width, &mut next, names),
                    _ => write_condensed(out, rows, &mut next),
                })
                .map_err(failed(path))?,
            }
            gone(&self.path)?;
        }
        gone(&self.state_path)?;
        Ok(fs::metadata(path).map_or(0, |found| found.len()))
    }
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
    bytes
        .chunks_exact(8)
        .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default()))
}

type Next<'a> = &'a mut dyn FnMut(&mut Vec<f64>) -> io::Result<()>;

fn write_csv(
    out: &mut dyn Write,
    rows: usize,
    width: usize,
    next: Next<'_>,
    names: &dyn Fn(usize) -> String,
) -> io::Result<()> {
    let mut cells = vec![String::new()];
    cells.extend((0..width).map(names));
    record(out, &cells)?;
    let mut row = Vec::with_capacity(width);
    for position in 0..rows {
        next(&mut row)?;
        cells.clear();
        cells.push(names(position));
        cells.extend(row.iter().map(f64::to_string));
        record(out, &cells)?;
    }
    Ok(())
}

fn write_condensed(out: &mut dyn Write, rows: usize, next: Next<'_>) -> io::Result<()> {
    out.write_all(&npy_header(&[rows * rows.saturating_sub(1) / 2]))?;
    let mut row = Vec::new();
    for position in 0..rows {
        next(&mut row)?;
        for number in &row[position + 1..] {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(())
}

fn save_table(
    path: &Path,
    rows: usize,
    width: usize,
    next: Next<'_>,
    names: &dyn Fn(usize) -> String,
) -> Result<()> {
    let mut columns = vec![Vec::with_capacity(rows); width];
    let mut row = Vec::new();
    for _ in 0..rows {
        next(&mut row).map_err(failed(path))?;
        for (column, &number) in columns.iter_mut().zip(&row) {
            column.push(number);
        }
    }
    let called: Vec<String> = (0..rows.max(width)).map(names).collect();
    let objects = Column::nominal(called.iter().take(rows).map(|name| Some(name.as_str())));
    let mut attributes = vec![Attribute::new("object", objects)];
    for (position, column) in columns.into_iter().enumerate() {
        attributes.push(Attribute::new(&called[position], Column::numeric(column)));
    }
    let database = Database::single(Table::new("matrix", attributes)?)?;
    let options = kinwood_formats::WriteOptions {
        overwrite: true,
        ..Default::default()
    };
    kinwood_formats::write(&database, path, &options)?;
    Ok(())
}

/// The header of a NumPy file of doubles, format 1.0: padded so that numbers begin at a multiple of
/// 64 bytes.
fn npy_header(shape: &[usize]) -> Vec<u8> {
    let mut dimensions: Vec<String> = shape.iter().map(usize::to_string).collect();
    if dimensions.len() == 1 {
        dimensions.push(String::new());
    }
    let mut text = format!(
        "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}",
        dimensions.join(", ").trim_end()
    );
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend_from_slice(&(text.len() as u16).to_le_bytes());
    header.extend_from_slice(text.as_bytes());
    header
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use kinwood_similarity::{Laws, Row};

    use super::*;

    /// The absolute difference of whole numbers, which counts what it is asked, and may stop the
    /// work.
    struct Counting {
        count: usize,
        asked: AtomicUsize,
        stop: Option<(usize, Arc<AtomicBool>)>,
    }

    impl Pairs<f64> for Counting {
        fn shape(&self) -> (usize, usize) {
            (self.count, self.count)
        }

        fn laws(&self) -> Laws {
            Laws::METRIC
        }

        fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
            if let Some((row, flag)) = &self.stop
                && *row == query
            {
                flag.store(true, Ordering::SeqCst);
            }
            Box::new(From(self, query))
        }
    }

    struct From<'a>(&'a Counting, usize);

    impl Row<f64> for From<'_> {
        fn fill(&self, references: std::ops::Range<usize>, out: &mut [f64]) {
            self.0.asked.fetch_add(references.len(), Ordering::SeqCst);
            for (out, reference) in out.iter_mut().zip(references) {
                *out = self.1.abs_diff(reference) as f64;
            }
        }
    }

    fn counting(stop: Option<(usize, Arc<AtomicBool>)>) -> Counting {
        Counting {
            count: 50,
            asked: AtomicUsize::new(0),
            stop,
        }
    }

    fn read(path: &Path) -> Vec<f64> {
        let bytes = fs::read(path).unwrap();
        let length = u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
        numbers(&bytes[10 + length..]).collect()
    }

    #[test]
    fn two_runs_do_not_write_one_matrix_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.npy");
        let first = Part::open(&path, "a matrix", (3, 3)).unwrap();
        let told = Part::open(&path, "a matrix", (3, 3))
            .map(|_| ())
            .unwrap_err();
        assert!(
            told.to_string().ends_with("another program is writing it"),
            "{told}"
        );
        drop(first);
        assert!(Part::open(&path, "a matrix", (3, 3)).is_ok());
    }

    #[test]
    fn an_interrupted_matrix_is_taken_up_and_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.npy");
        let flag = Arc::new(AtomicBool::new(false));
        // Memory for a block of a few rows.
        let context = Context::new()
            .with_memory(16 * 50 * 4)
            .with_threads(1)
            .with_stop(Arc::clone(&flag));
        let name = |position: usize| position.to_string();
        let stopping = counting(Some((23, Arc::clone(&flag))));
        let stopped = write(&path, Form::Numpy, &stopping, "k", &name, &context);
        assert!(stopped.is_err());
        assert!(!path.exists() && beside(&path, ".part").exists());
        flag.store(false, Ordering::SeqCst);
        let again = counting(None);
        let written = write(&path, Form::Numpy, &again, "k", &name, &context).unwrap();
        assert!(written.resumed > 0);
        assert!(again.asked.load(Ordering::SeqCst) < 50 * 51 / 2);
        let expected: Vec<f64> = (0..50 * 50)
            .map(|place: usize| (place / 50).abs_diff(place % 50) as f64)
            .collect();
        assert_eq!(read(&path), expected);
        assert!(!beside(&path, ".part").exists() && !beside(&path, ".part.json").exists());
    }

    #[test]
    fn a_matrix_that_is_stopped_before_its_first_block_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.npy");
        let stop = Arc::new(AtomicBool::new(true));
        let context = Context::new().with_threads(1).with_stop(stop);
        let name = |position: usize| position.to_string();
        let stopped = write(&path, Form::Numpy, &counting(None), "k", &name, &context);
        assert!(stopped.unwrap_err().interrupted());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(kept(&path), None);
    }

    #[test]
    fn another_matrix_is_not_taken_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.npy");
        let state = r#"{"matrix": "other", "shape": [50, 50], "rows": 20}"#;
        fs::write(beside(&path, ".part.json"), state).unwrap();
        fs::write(beside(&path, ".part"), vec![1; 100_000]).unwrap();
        let name = |position: usize| position.to_string();
        let context = Context::new();
        let written = write(&path, Form::Numpy, &counting(None), "k", &name, &context).unwrap();
        assert_eq!(written.resumed, 0);
        assert_eq!(read(&path)[..3], [0.0, 1.0, 2.0]);
    }

    #[test]
    fn each_form_holds_the_same_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let name = |position: usize| format!("o{position}");
        let context = Context::new();
        let file = |name: &str| folder.path().join(name);
        let save = |path: &Path, condensed| {
            let form = Form::of(path, condensed).unwrap();
            write(path, form, &counting(None), "k", &name, &context).unwrap();
        };
        save(&file("c.npy"), true);
        let condensed = read(&file("c.npy"));
        assert_eq!(condensed.len(), 50 * 49 / 2);
        assert_eq!(condensed[..2], [1.0, 2.0]);
        save(&file("m.csv"), false);
        let csv = fs::read_to_string(file("m.csv")).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].starts_with(",o0,o1,"));
        assert!(lines[2].starts_with("o1,1,0,1,2,"));
        assert!(Form::of(Path::new("m.txt"), false).is_err());
    }
}
