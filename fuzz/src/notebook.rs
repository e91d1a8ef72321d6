//! What a worker is at, in memory that its supervisor can read when the worker is no more.
//!
//! A stack that overflows, an abort or a kill leaves no time to write anything down. So every input
//! is put before it is run into a file that is mapped into memory: a copy, no call of the system.
#![allow(
    unsafe_code,
    reason = "a mapped file is memory that the standard library does not hand out"
)]

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The longest input that fits.
pub const LONGEST: usize = 1 << 20;

/// Numbers before the input.
const NUMBERS: usize = 8;
const SIZE: usize = NUMBERS * 8 + LONGEST;

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Inputs that were run; those made only to find out which of a batch was new do not count.
    pub runs: u64,
    /// Inputs that were accepted.
    pub accepted: u64,
    /// Calls of the target, whatever they were for: it moves while the worker does.
    pub calls: u64,
    /// Edges reached.
    pub edges: u64,
    /// Inputs in the corpus.
    pub entries: u64,
    /// Panics, of which equal ones are kept once.
    pub panics: u64,
    /// 1 while an input runs.
    pub running: u64,
    /// The length of the input.
    length: u64,
}

unsafe extern "C" {
    fn mmap(
        address: *mut u8,
        length: usize,
        protection: i32,
        flags: i32,
        file: i32,
        offset: i64,
    ) -> *mut u8;
}

const READ_WRITE: i32 = 3;
const SHARED: i32 = 1;

/// A worker's side.
pub struct Notebook {
    memory: &'static mut [u8],
    /// What is written with the next input.
    pub done: Done,
}

impl Notebook {
    /// Makes the file and maps it.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)?;
        file.set_len(SIZE as u64)?;
        // SAFETY: a new mapping of a file of that size, which stays until the program ends.
        let memory = unsafe {
            let start = mmap(
                std::ptr::null_mut(),
                SIZE,
                READ_WRITE,
                SHARED,
                file.as_raw_fd(),
                0,
            );
            if start as isize == -1 {
                return Err(io::Error::last_os_error());
            }
            std::slice::from_raw_parts_mut(start, SIZE)
        };
        Ok(Self {
            memory,
            done: Done::default(),
        })
    }

    /// Notes an input that is about to be run.
    pub fn begin(&mut self, input: &[u8]) {
        let length = input.len().min(LONGEST);
        let from = NUMBERS * 8;
        self.memory[from..from + length].copy_from_slice(&input[..length]);
        self.done.calls += 1;
        self.done.length = length as u64;
        self.done.running = 1;
        self.write();
    }

    /// Notes that no input is run.
    pub fn rest(&mut self) {
        self.done.running = 0;
        self.write();
    }

    fn write(&mut self) {
        let Done {
            runs,
            accepted,
            calls,
            edges,
            entries,
            panics,
            running,
            length,
        } = self.done;
        let numbers = [
            runs, accepted, calls, edges, entries, panics, running, length,
        ];
        for (place, number) in self.memory.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
    }
}

/// What a worker has noted.
pub fn read(path: &Path) -> io::Result<Done> {
    let mut bytes = [0; NUMBERS * 8];
    File::open(path)?.read_exact_at(&mut bytes, 0)?;
    let mut numbers = bytes
        .chunks_exact(8)
        .map(|word| word.try_into().map_or(0, u64::from_ne_bytes));
    let mut next = || numbers.next().unwrap_or(0);
    Ok(Done {
        runs: next(),
        accepted: next(),
        calls: next(),
        edges: next(),
        entries: next(),
        panics: next(),
        running: next(),
        length: next(),
    })
}

/// The input a worker was at.
pub fn input(path: &Path) -> io::Result<Vec<u8>> {
    let length = read(path)?.length.min(LONGEST as u64);
    let mut input = vec![0; length as usize];
    File::open(path)?.read_exact_at(&mut input, (NUMBERS * 8) as u64)?;
    Ok(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_from_outside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notebook");
        let mut notebook = Notebook::create(&path).expect("a notebook");
        notebook.done.runs = 7;
        notebook.begin(b"hello");
        assert_eq!(input(&path).expect("an input"), b"hello");
        let done = read(&path).expect("numbers");
        assert_eq!((done.runs, done.calls, done.running), (7, 1, 1));
        notebook.rest();
        assert_eq!(read(&path).expect("numbers").running, 0);
    }
}
