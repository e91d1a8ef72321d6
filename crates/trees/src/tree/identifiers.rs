//! Columns of labels that name rows rather than describe them: nearly every row has a label of its
//! own. They are told, as nothing can be learned from them.

/// Fewer rows than this tell nothing of a column.
const FEWEST_ROWS: usize = 20;
/// A column whose labels are at least this share of its rows names them.
const NAMING: f64 = 0.9;

/// A note on the columns that name rows, of columns by name with how many labels their rows have;
/// `None` where there are none.
pub fn identifier_note(columns: impl Iterator<Item = (String, usize, usize)>) -> Option<String> {
    let naming = columns
        .filter(|&(_, labels, rows)| rows >= FEWEST_ROWS && labels as f64 >= NAMING * rows as f64);
    let named: Vec<String> = naming
        .map(|(name, labels, rows)| format!("`{name}` ({labels} labels in {rows} rows)"))
        .collect();
    (!named.is_empty()).then(|| {
        format!(
            "nearly every row has a label of its own: {} names rows, and is no input to learn from",
            named.join(", ")
        )
    })
}

/// How many different codes there are.
pub fn distinct(codes: impl Iterator<Item = u32>) -> (usize, usize) {
    let mut codes: Vec<u32> = codes.collect();
    let rows = codes.len();
    codes.sort_unstable();
    codes.dedup();
    (codes.len(), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told() {
        let columns = [("name", 19, 20), ("color", 5, 20), ("few", 9, 9)];
        let columns = columns.map(|(name, labels, rows)| (name.to_owned(), labels, rows));
        let note = identifier_note(columns.into_iter()).unwrap();
        assert_eq!(
            note,
            "nearly every row has a label of its own: `name` (19 labels in 20 rows) names rows, and is no input to learn from"
        );
        assert_eq!(identifier_note(std::iter::empty()), None);
        assert_eq!(distinct([3, 1, 3].into_iter()), (2, 3));
    }
}
