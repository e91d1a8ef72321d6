//! Tables of text: words to the left, figures to the right, no blanks at the end of a line.

/// Lines of cells under headings, the first `words` columns to the left. A line may have fewer cells: its last one then has the rest of the line.
pub fn table(headings: &[String], words: usize, lines: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = headings.iter().map(|text| text.chars().count()).collect();
    for line in lines {
        let whole = line.len() == headings.len();
        let fixed = line.len().saturating_sub(usize::from(!whole));
        for (width, cell) in widths.iter_mut().zip(&line[..fixed]) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let aligned = |cells: &[String]| {
        let mut text = String::new();
        for (place, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
            let last_of_few = place + 1 == cells.len() && cells.len() < widths.len();
            let gap = if place == 0 { "" } else { "  " };
            text += &match place < words || last_of_few {
                true => format!("{gap}{cell:<width$}"),
                false => format!("{gap}{cell:>width$}"),
            };
        }
        text.trim_end().to_owned() + "\n"
    };
    let mut text = aligned(headings);
    for line in lines {
        text += &aligned(line);
    }
    text
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
