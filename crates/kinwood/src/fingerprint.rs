//! Fingerprints: which data a model was made from, as a short text.

use kinwood_values::{Cells, Column, Database};
use sha2::{Digest, Sha256};

/// SHA-256 over the tables' names, types, roles and values, in order.
pub fn fingerprint(database: &Database) -> String {
    let mut hash = Sha256::new();
    for table in database.tables() {
        text(&mut hash, table.name());
        for attribute in table.attributes() {
            text(&mut hash, &attribute.name);
            text(&mut hash, &attribute.type_of().to_string());
            text(&mut hash, attribute.role.name());
            column(&mut hash, &attribute.column);
        }
    }
    for key in database.foreign_keys() {
        text(&mut hash, &format!("{key:?}"));
    }
    hexadecimal(&hash.finalize())
}

/// The digest in lower-case hexadecimal digits.
pub fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Lengths go in before contents, so that no two sequences of texts look alike.
fn text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}

fn column(hash: &mut Sha256, column: &Column) {
    hash.update((column.len() as u64).to_le_bytes());
    match column.cells() {
        Cells::Numeric(numbers) => {
            for (row, number) in numbers.iter().enumerate() {
                let number = if column.is_present(row) {
                    *number
                } else {
                    f64::NAN
                };
                hash.update(number.to_le_bytes());
            }
        }
        Cells::Nominal { codes, dictionary } => {
            for label in dictionary.labels() {
                text(hash, label);
            }
            for (row, code) in codes.iter().enumerate() {
                let code = if column.is_present(row) {
                    *code
                } else {
                    u32::MAX
                };
                hash.update(code.to_le_bytes());
            }
        }
        _ => (0..column.len()).for_each(|row| text(hash, &column.value(row).to_string())),
    }
}
