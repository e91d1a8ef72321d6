//! Files as we write them: every kind of column, keys and footers.

use kinwood::sample;

/// The bytes of samples as they are written: numbers, labels, dates, missing values, texts, lists,
/// trees, graphs.
fn written(ending: &str, names: &[&str]) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written to");
    let path = folder.path().join(format!("sample.{ending}"));
    let bytes = |name: &&str| {
        let kind = sample::find(name).expect("it is a sample");
        let made = kind.write(5, 0.5, 1, &path, true);
        made.expect("a small sample can be written");
        std::fs::read(&path).expect("what was written can be read")
    };
    names.iter().map(bytes).collect()
}

/// Parquet: every kind of column.
pub fn parquet() -> Vec<Vec<u8>> {
    written("parquet", &["table", "phrases", "shapes"])
}

/// Arrow: files with a footer, and the streams inside of them.
pub fn arrow() -> Vec<Vec<u8>> {
    let files = written("arrow", &["table", "phrases", "shapes"]);
    // Between its magic number and its footer, a file is a stream: messages, of which the last has
    // no length.
    let streams = files.iter().map(|file| {
        let mark = |bytes: &[u8]| bytes.starts_with(&[0xff; 4]);
        let last = |bytes: &[u8]| mark(bytes) && bytes.ends_with(&[0; 4]);
        let begin = file.windows(4).position(mark).unwrap_or(0);
        let end = file.windows(8).rposition(last).unwrap_or(0) + 8;
        file[begin..end].to_vec()
    });
    streams.chain(files.iter().cloned()).collect()
}

/// SQLite: tables with keys and every kind of column.
pub fn sqlite() -> Vec<Vec<u8>> {
    written("sqlite", &["table", "phrases", "shapes", "bags"])
}
