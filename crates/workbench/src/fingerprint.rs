//! Fingerprints: which data a model was made from, as a short text.

use kinwood_values::{Cells, Column, Database, ForeignKey};
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
        let ForeignKey {
            name,
            from,
            from_columns,
            to,
            to_columns,
            describes,
        } = key;
        // Written out, so that what nobody states leaves the fingerprints of older models as they are.
        let described = describes.map_or(String::new(), |told| format!(", describes: {told}"));
        let key = format!(
            "ForeignKey {{ name: {name:?}, from: {from}, from_columns: {from_columns:?}, to: {to}, to_columns: {to_columns:?}{described} }}"
        );
        text(&mut hash, &key);
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

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Table};

    use super::*;

    #[test]
    fn what_a_key_says_of_descriptions_counts_only_where_it_is_said() {
        let with = |describes| {
            let column = Attribute::new("a", Column::nominal([Some("x")]));
            let key = ForeignKey {
                name: "k".to_owned(),
                from: 0,
                from_columns: vec![0],
                to: 0,
                to_columns: vec![0],
                describes,
            };
            let table = Table::new("t", vec![column]).unwrap();
            fingerprint(&Database::new(vec![table], vec![key]).unwrap().0)
        };
        // As it was before keys could say so.
        let hash = "5a417b9332d4340b70d154f2d47aaa64fff9573ccdcce0c71e57c1e61b318ee1";
        assert_eq!(with(None), hash);
        assert_ne!(with(Some(true)), hash);
        assert_ne!(with(Some(true)), with(Some(false)));
    }
}
