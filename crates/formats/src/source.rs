//! Sources: a file, compressed or not, or standard input, that can be read from its beginning more
//! than once.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use crate::allowance::{Allowance, Halted};
use crate::error::{Error, Result};

/// A place bytes come from.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    from: From,
    allowance: Allowance,
}

/// What every gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

#[derive(Clone, Debug)]
enum From {
    File(PathBuf),
    Memory(Arc<[u8]>),
}

impl Source {
    /// A file; `-` is standard input, which is read to its end here.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_within(path, &Allowance::default())
    }

    /// The same, taking no more than is allowed.
    pub fn open_within(path: &Path, allowance: &Allowance) -> Result<Self> {
        if path == Path::new("-") {
            let empty = Self::from_bytes("standard input", Vec::new()).within(allowance);
            let mut bytes = Vec::new();
            allowance
                .watch(io::stdin().lock())
                .read_to_end(&mut bytes)
                .map_err(|source| empty.failed(source))?;
            return Ok(Self::from_bytes("standard input", bytes).within(allowance));
        }
        let metadata = std::fs::metadata(path).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })?;
        // What comes from a device or a pipe has no end, or comes only once.
        let other = match (metadata.is_dir(), metadata.is_file()) {
            (true, _) => Some("it is a folder"),
            (_, false) => Some(
                "it is a device or a pipe, not a file: `-` reads standard input, and a copy of it can be read",
            ),
            _ => None,
        };
        if let Some(other) = other {
            return Err(Error::Read {
                path: path.to_owned(),
                source: io::Error::other(other),
            });
        }
        Ok(Self {
            name: path.display().to_string(),
            from: From::File(path.to_owned()),
            allowance: allowance.clone(),
        })
    }

    /// Bytes in memory, under a name for messages.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: name.into(),
            from: From::Memory(bytes.into()),
            allowance: Allowance::default(),
        }
    }

    /// The same, taking no more than is allowed.
    pub fn within(mut self, allowance: &Allowance) -> Self {
        self.allowance = allowance.clone();
        self
    }

    /// What reading it may take.
    pub fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// The name used in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a table read from here is called: the file's name without folders and endings.
    pub fn table_name(&self) -> String {
        match &self.from {
            From::File(path) => table_name(path),
            From::Memory(_) => "data".to_owned(),
        }
    }

    /// How many bytes there are, where that can be told without reading them: not of compressed
    /// ones.
    pub fn size(&self) -> Option<u64> {
        let (size, start) = match &self.from {
            From::File(path) => {
                let mut start = Vec::with_capacity(2);
                let file = File::open(path).ok()?;
                let size = file.metadata().ok()?.len();
                file.take(2).read_to_end(&mut start).ok()?;
                (size, start)
            }
            From::Memory(bytes) => (bytes.len() as u64, bytes.iter().take(2).copied().collect()),
        };
        (start != GZIP).then_some(size)
    }

    /// The file itself, if it is one that is not compressed: for formats that are not read from
    /// beginning to end.
    #[cfg(feature = "arrow")]
    pub(crate) fn plain_file(&self) -> Result<Option<File>> {
        let From::File(path) = &self.from else {
            return Ok(None);
        };
        if self.size().is_none() {
            return Ok(None);
        }
        File::open(path)
            .map(Some)
            .map_err(|source| self.failed(source))
    }

    /// Where the file lies, if it is one that is not compressed.
    #[cfg(feature = "sqlite")]
    pub(crate) fn plain_path(&self) -> Option<&Path> {
        match &self.from {
            From::File(path) if self.size().is_some() => Some(path),
            _ => None,
        }
    }

    /// The bytes, if they are in memory and not compressed.
    #[cfg(feature = "sqlite")]
    pub(crate) fn plain_bytes(&self) -> Option<&[u8]> {
        match &self.from {
            From::Memory(bytes) if !bytes.starts_with(&GZIP) => Some(bytes),
            _ => None,
        }
    }

    /// The bytes from the beginning, decompressed if they are gzip.
    pub fn reader(&self) -> Result<Box<dyn Read + Send>> {
        let raw: Box<dyn Read + Send> = match &self.from {
            From::File(path) => Box::new(File::open(path).map_err(|source| self.failed(source))?),
            From::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        };
        let mut raw = raw;
        let mut start = Vec::with_capacity(2);
        raw.by_ref()
            .take(2)
            .read_to_end(&mut start)
            .map_err(|source| self.failed(source))?;
        let gzip = start == GZIP;
        let whole = Cursor::new(start).chain(raw);
        Ok(if gzip {
            Box::new(self.allowance.watch(MultiGzDecoder::new(whole)))
        } else {
            Box::new(self.allowance.watch(whole))
        })
    }

    /// The bytes of a text, of which no line is too long: a file without lines is no reason to fill
    /// the memory.
    pub(crate) fn text_reader(&self) -> Result<Box<dyn Read + Send>> {
        Ok(Box::new(Lines {
            reader: self.reader()?,
            length: 0,
            limit: LONGEST_LINE,
        }))
    }

    /// The first bytes, by which formats are told apart.
    pub(crate) fn start(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader()?
            .take(4096)
            .read_to_end(&mut bytes)
            .map_err(|source| self.failed(source))?;
        Ok(bytes)
    }

    /// All bytes.
    pub fn read(&self) -> Result<Vec<u8>> {
        self.all(self.reader()?)
    }

    /// All bytes of a text.
    pub(crate) fn read_text(&self) -> Result<Vec<u8>> {
        self.all(self.text_reader()?)
    }

    fn all(&self, mut reader: Box<dyn Read + Send>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = reader.read_to_end(&mut bytes);
        read.map_err(|source| self.failed(source))?;
        Ok(bytes)
    }

    /// The error of a failed read from here.
    pub fn failed(&self, source: io::Error) -> Error {
        let halted = source.get_ref().and_then(|error| error.downcast_ref());
        match halted {
            Some(&halted) => self.halted(halted),
            None => Error::Read {
                path: PathBuf::from(&self.name),
                source,
            },
        }
    }

    /// The error of reading that was stopped.
    pub(crate) fn halted(&self, halted: Halted) -> Error {
        Error::Halted {
            file: self.name.clone(),
            halted,
        }
    }
}

/// The most bytes that a line of text may have.
pub(crate) const LONGEST_LINE: usize = 256_000_000;

/// What is said of a piece of text that is too long.
pub(crate) fn too_long(what: &str, limit: usize) -> io::Error {
    io::Error::other(format!(
        "{what} is longer than {} MB; perhaps a quote is never closed, or the file is no text",
        limit / 1_000_000
    ))
}

/// Bytes that are refused once a line of them is too long.
struct Lines<R> {
    reader: R,
    length: usize,
    limit: usize,
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.length = match memchr::memrchr(b'\n', &buffer[..read]) {
            Some(end) => read - end - 1,
            None => self.length + read,
        };
        match self.length > self.limit {
            true => Err(too_long("a line", self.limit)),
            false => Ok(read),
        }
    }
}

/// A file's name without folders and endings.
pub(crate) fn table_name(path: &Path) -> String {
    let file = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let file = file.strip_suffix(".gz").unwrap_or(&file);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};

    use super::*;

    #[test]
    fn gzip_is_recognised_by_its_bytes() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"a,b\n1,2\n").unwrap();
        let source = Source::from_bytes("x", encoder.finish().unwrap());
        assert_eq!(source.read().unwrap(), b"a,b\n1,2\n");
        assert_eq!(source.read().unwrap(), b"a,b\n1,2\n");
        assert_eq!(source.size(), None);
        assert_eq!(Source::from_bytes("x", b"a,b".as_slice()).size(), Some(3));
    }

    #[test]
    fn long_lines_are_refused_and_many_short_ones_are_not() {
        let reading = |text: &'static str| Lines {
            reader: text.as_bytes(),
            length: 0,
            limit: 4,
        };
        let mut bytes = Vec::new();
        let whole = reading("abcd\nabcd\n\nabcd").read_to_end(&mut bytes);
        assert_eq!(whole.unwrap(), 15);
        let mut cut = BufReader::with_capacity(2, reading("ab\nabcde")).bytes();
        let error = cut.find_map(std::result::Result::err).unwrap();
        assert!(
            error.to_string().starts_with("a line is longer than 0 MB"),
            "{error}"
        );
    }

    #[test]
    fn tables_are_named_after_their_files() {
        let name = |path: &str| {
            Source {
                name: String::new(),
                from: From::File(path.into()),
                allowance: Allowance::default(),
            }
            .table_name()
        };
        assert_eq!(name("a/b/molecule.csv.gz"), "molecule");
        assert_eq!(name("kr.vs.kp.arff"), "kr.vs.kp");
        assert_eq!(name("data"), "data");
    }

    #[test]
    fn a_missing_file_is_named() {
        let message = Source::open(Path::new("no/such.csv"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "cannot read `no/such.csv`: no such file or directory"
        );
    }
}
