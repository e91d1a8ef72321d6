//! Tables of figures as text: words to the left, figures to the right.

use kinwood_text::{Align, TextTable};

/// Lines of cells under headings, the first `words` columns to the left. A line may have fewer
/// cells: its last one then has the rest of the line.
pub fn table(headings: &[String], words: usize, lines: &[Vec<String>]) -> String {
    let align = |column: usize| match column < words {
        true => Align::Left,
        false => Align::Right,
    };
    let mut table = TextTable::new((0..headings.len()).map(align));
    table.line(headings.iter().cloned());
    for line in lines {
        table.line(line.iter().cloned());
    }
    table.to_string()
}

/// A figure with four digits, or a dash.
pub fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_under_their_headings() {
        let cells = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let lines: Vec<Vec<String>> = vec![
            cells(&["a", "0.5", "", "*"]),
            cells(&["bbb", "12.25", "3"]),
            cells(&["c", "it cannot be done at all"]),
        ];
        let headings: Vec<String> = cells(&["k", "mean", "sd", ""]);
        assert_eq!(
            table(&headings, 1, &lines),
            "k     mean  sd\na      0.5      *\nbbb  12.25  3\nc    it cannot be done at all\n"
        );
        assert_eq!(
            (figure(None), figure(Some(0.25))),
            ("-".into(), "0.2500".into())
        );
    }
}
