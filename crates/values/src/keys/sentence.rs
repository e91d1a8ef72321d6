//! Numbers and columns as sentences write them.

use crate::table::Table;

/// A count as sentences write it, with its thousands apart: `6,309`.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Columns by name: `` `id` ``, or `` (`a`, `b`) ``.
pub(super) fn columns(table: &Table, columns: &[usize]) -> String {
    let quoted: Vec<String> = columns
        .iter()
        .map(|&column| format!("`{}`", table.attribute(column).name))
        .collect();
    match quoted.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// Columns with their table: `` `atom.atom_id` ``, or `` `bond.(a, b)` ``.
pub(super) fn qualified(table: &Table, columns: &[usize]) -> String {
    let names: Vec<&str> = columns
        .iter()
        .map(|&column| table.attribute(column).name.as_str())
        .collect();
    match names.as_slice() {
        [only] => format!("`{}.{only}`", table.name()),
        several => format!("`{}.({})`", table.name(), several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
