//! Matrices that were computed before: a square of numbers in a NumPy or CSV file, its rows those
//! of the table in order.
//!
//! Both forms are those that `kinwood matrix` writes: NumPy's format 1 with doubles in rows, or
//! text with the objects' names in the first line and the first cell of each line; text of numbers
//! alone is read too.

use crate::error::{Fault, KernelError};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use kinwood_learning::error::Result;

/// By how much entries that mirror each other may differ, for their size: what summing in another
/// order explains.
const ROUNDING: f64 = 1e-9;

/// Reads the matrix of a table with so many rows, row after row; mirrored entries are made the
/// same.
pub fn read(file: &str, expected: usize) -> Result<Vec<f64>> {
    let path = Path::new(file);
    let ending = path.extension().and_then(|ending| ending.to_str());
    let entries = match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("npy") => open(path).and_then(|file| numpy(file, expected)),
        Some("csv") => open(path).and_then(|file| csv(file, expected)),
        _ => Err(Fault::Ending),
    };
    let entries = entries.and_then(|entries| checked(entries, expected));
    entries.map_err(|fault| {
        let error = KernelError::GramFile {
            file: file.to_owned(),
            fault,
        };
        error.into()
    })
}

fn open(path: &Path) -> Result<BufReader<File>, Fault> {
    let file = File::open(path).map_err(unreadable)?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

fn unreadable(error: io::Error) -> Fault {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return Fault::Unreadable("it ends before all of its numbers are there".to_owned());
    }
    Fault::Unreadable(kinwood_values::container::reason(&error))
}

fn numpy(mut file: impl Read, expected: usize) -> Result<Vec<f64>, Fault> {
    let mut start = [0; 10];
    file.read_exact(&mut start).map_err(unreadable)?;
    if !start.starts_with(b"\x93NUMPY\x01") {
        return Err(Fault::Header("it begins otherwise".to_owned()));
    }
    let mut header = vec![0; usize::from(u16::from_le_bytes([start[8], start[9]]))];
    file.read_exact(&mut header).map_err(unreadable)?;
    let header = String::from_utf8_lossy(&header).trim().to_owned();
    let wrong = || Fault::Header(header.clone());
    let after = |key: &str| {
        let (_, rest) = header.split_once(&format!("'{key}':")).ok_or_else(wrong)?;
        Ok::<&str, Fault>(rest.trim_start())
    };
    if !after("descr")?.starts_with("'<f8'") || !after("fortran_order")?.starts_with("False") {
        return Err(wrong());
    }
    let shape = after("shape")?
        .strip_prefix('(')
        .and_then(|shape| shape.split_once(')'));
    let shape: Option<Vec<usize>> = shape.and_then(|(shape, _)| {
        let sizes = shape
            .split(',')
            .map(str::trim)
            .filter(|size| !size.is_empty());
        sizes.map(|size| size.parse().ok()).collect()
    });
    let Some([rows, columns]) = shape.as_deref() else {
        return Err(wrong());
    };
    // The table says how much memory is taken, never the file.
    if (*rows, *columns) != (expected, expected) {
        return Err(Fault::Shape {
            rows: *rows,
            columns: *columns,
            expected,
        });
    }
    let mut entries = Vec::with_capacity(expected * expected);
    let mut row = vec![0; expected * 8];
    for _ in 0..expected {
        file.read_exact(&mut row).map_err(unreadable)?;
        let numbers = row.chunks_exact(8);
        entries
            .extend(numbers.map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default())));
    }
    Ok(entries)
}

fn csv(file: impl BufRead, expected: usize) -> Result<Vec<f64>, Fault> {
    let mut entries = Vec::new();
    let mut rows = 0;
    let mut lines = file.lines().peekable();
    // The first line names the objects, unless it is a row of the matrix: as many cells as there
    // are objects, all of them numbers.
    let number = |cell: &str| cell.trim().parse::<f64>().is_ok();
    let plain = matches!(lines.peek(), Some(Ok(first)) if first.split(',').count() == expected && first.split(',').all(number));
    if !plain {
        lines.next().transpose().map_err(unreadable)?;
    }
    for line in lines {
        let line = line.map_err(unreadable)?;
        if line.trim().is_empty() {
            continue;
        }
        rows += 1;
        let cells = match plain {
            true => line.as_str(),
            false => after_name(&line),
        };
        let cells = cells.split(',');
        let mut columns = 0;
        for cell in cells {
            columns += 1;
            if columns > expected {
                continue;
            }
            let number = cell.trim().parse().map_err(|_| Fault::Entry {
                row: rows,
                column: columns,
                found: format!("`{}`", cell.trim()),
            })?;
            entries.push(number);
        }
        if columns != expected || rows > expected {
            return Err(Fault::Shape {
                rows,
                columns,
                expected,
            });
        }
    }
    match rows == expected {
        true => Ok(entries),
        false => Err(Fault::Shape {
            rows,
            columns: expected,
            expected,
        }),
    }
}

/// What follows the first cell, the object's name, which may be in quotes.
fn after_name(line: &str) -> &str {
    let mut quoted = false;
    for (place, character) in line.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => return &line[place + 1..],
            _ => {}
        }
    }
    ""
}

fn checked(mut entries: Vec<f64>, len: usize) -> Result<Vec<f64>, Fault> {
    if let Some(place) = entries.iter().position(|entry| !entry.is_finite()) {
        return Err(Fault::Entry {
            row: place / len + 1,
            column: place % len + 1,
            found: entries[place].to_string(),
        });
    }
    for row in 0..len {
        for column in 0..row {
            let (found, mirrored) = (entries[row * len + column], entries[column * len + row]);
            let size = found.abs().max(mirrored.abs());
            if (found - mirrored).abs() > ROUNDING * size {
                return Err(Fault::Asymmetric {
                    row: row + 1,
                    column: column + 1,
                    found,
                    mirrored,
                });
            }
            entries[row * len + column] = mirrored;
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(header: &str, numbers: &[f64]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
        bytes.extend_from_slice(header.as_bytes());
        numbers
            .iter()
            .for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        bytes
    }

    const HEADER: &str = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n";

    #[test]
    fn both_forms_hold_the_same_numbers() {
        let numbers = [1.0, 0.5, 0.5, 2.0];
        assert_eq!(numpy(&npy(HEADER, &numbers)[..], 2), Ok(numbers.to_vec()));
        let text = ",\"a, b\",c\n\"a, b\",1,0.5\nc,0.5,2\n";
        assert_eq!(csv(text.as_bytes(), 2), Ok(numbers.to_vec()));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let told = |fault: Fault| fault.to_string();
        assert_eq!(
            told(numpy(&npy(HEADER, &[1.0; 4])[..], 3).unwrap_err()),
            "2 rows of 2 numbers found, 3 of 3 expected: one for each row of the table"
        );
        assert!(numpy(&npy(HEADER, &[1.0; 3])[..], 2).is_err());
        assert!(numpy(&b"PK"[..], 2).is_err());
        let floats = HEADER.replace("<f8", "<f4");
        assert!(told(numpy(&npy(&floats, &[1.0; 4])[..], 2).unwrap_err()).contains("<f4"));
        assert_eq!(
            told(checked(vec![1.0, f64::NAN, 0.0, 1.0], 2).unwrap_err()),
            "row 1, column 2 is NaN, a finite number is needed"
        );
        assert_eq!(
            told(checked(vec![1.0, 0.5, 0.25, 1.0], 2).unwrap_err()),
            "not symmetric: row 2, column 1 is 0.25, and row 1, column 2 is 0.5"
        );
        assert_eq!(
            told(csv(",a,b\na,1,x\nb,2,1\n".as_bytes(), 2).unwrap_err()),
            "row 1, column 2 is `x`, a finite number is needed"
        );
        assert!(matches!(
            csv(",a,b\na,1,2\n".as_bytes(), 2),
            Err(Fault::Shape { rows: 1, .. })
        ));
        assert!(matches!(
            csv(",a\na,1,2,3\n".as_bytes(), 2),
            Err(Fault::Shape { columns: 3, .. })
        ));
    }
}
