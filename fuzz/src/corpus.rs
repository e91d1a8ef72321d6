//! Corpora: inputs that reached something new, kept small and packed.
//!
//! A corpus is one file a target under `fuzz/corpus`, gzip around lengths and bytes. Inputs found
//! since it was written lie beside the build as files of their own, so that a worker that is killed
//! loses none; packing takes of all of them the shortest that together reach everything.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// The most packed bytes of one corpus: all of them together stay small in the repository.
const MOST: usize = 60_000;

/// Where a target's corpus is packed.
pub fn path(target: &str) -> PathBuf {
    folder("corpus").join(format!("{}.gz", target.replace(' ', "-")))
}

/// Where a target's findings are kept.
pub fn crashes(target: &str) -> PathBuf {
    folder("crashes").join(target.replace(' ', "-"))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The inputs of a packed corpus; none if there is no such file.
pub fn unpack(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut bytes = Vec::new();
    match File::open(path) {
        Ok(file) => GzDecoder::new(file).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut inputs = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length) as usize;
        let Some((input, after)) = after.split_at_checked(length) else {
            return Err(io::Error::other(format!(
                "{}: an input is cut off",
                path.display()
            )));
        };
        inputs.push(input.to_vec());
        rest = after;
    }
    Ok(inputs)
}

/// Packs inputs, the first ones if there is no room for all, wholly or not at all.
pub fn pack(path: &Path, inputs: &[Vec<u8>]) -> io::Result<usize> {
    let mut count = inputs.len();
    let packed = loop {
        let packed = packed(&inputs[..count])?;
        match packed.len() > MOST && count > 1 {
            true => count = (count * MOST / packed.len()).clamp(1, count - 1),
            false => break packed,
        }
    };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let beside = path.with_extension("new");
    fs::write(&beside, packed)?;
    fs::rename(&beside, path)?;
    Ok(count)
}

fn packed(inputs: &[Vec<u8>]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for input in inputs {
        encoder.write_all(&(input.len() as u32).to_le_bytes())?;
        encoder.write_all(input)?;
    }
    encoder.finish()
}

/// The files of a folder, by name; none if there is no such folder.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

/// Keeps an input as a file named after its content.
pub fn keep(folder: &Path, kind: &str, input: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{kind}{:016x}", hash(input)));
    fs::write(&path, input)?;
    Ok(path)
}

/// A hash that names files (FNV-1a).
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.gz");
        assert!(unpack(&path).expect("no corpus is an empty one").is_empty());
        let inputs = vec![b"one".to_vec(), Vec::new(), vec![7; 1000]];
        assert_eq!(pack(&path, &inputs).expect("packed"), 3);
        assert_eq!(unpack(&path).expect("unpacked"), inputs);
    }
}
