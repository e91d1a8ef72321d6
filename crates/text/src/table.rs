//! Tables of text: cells in columns, two blanks apart, no blanks at the end of a line.

use std::fmt;

use crate::{padded, width};

/// To which side the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// Lines of cells. A line may have fewer cells than there are columns: its last one then has the
/// rest of the line, stands to the left and widens no column.
///
/// ```
/// use kinwood_text::{Align, TextTable};
/// let mut table = TextTable::new([Align::Left, Align::Right]);
/// table.line(["learner", "accuracy"]);
/// table.line(["knn", "0.95"]);
/// assert_eq!(table.to_string(), "learner  accuracy\nknn          0.95\n");
/// ```
#[derive(Clone, Debug)]
pub struct TextTable {
    columns: Vec<(Align, usize)>,
    indent: usize,
    lines: Vec<Vec<String>>,
}

impl TextTable {
    /// A table of these columns, without lines.
    pub fn new(columns: impl IntoIterator<Item = Align>) -> Self {
        Self {
            columns: columns.into_iter().map(|align| (align, 0)).collect(),
            indent: 0,
            lines: Vec::new(),
        }
    }

    /// With so many blanks before each line.
    pub fn indented(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// With at least so many places for the cells of a column.
    pub fn at_least(mut self, column: usize, places: usize) -> Self {
        if let Some((_, least)) = self.columns.get_mut(column) {
            *least = places;
        }
        self
    }

    /// Adds a line.
    pub fn line<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.lines.push(cells.into_iter().map(Into::into).collect());
    }

    /// How many places each column takes.
    pub fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|(_, least)| *least).collect();
        for line in &self.lines {
            let short = line.len() < widths.len();
            let fixed = line.len().min(widths.len()) - usize::from(short && !line.is_empty());
            for (widest, cell) in widths.iter_mut().zip(&line[..fixed]) {
                *widest = (*widest).max(width(cell));
            }
        }
        widths
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for cells in &self.lines {
            let mut line = " ".repeat(self.indent);
            let short = cells.len() < widths.len();
            for (place, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
                if place > 0 {
                    line += "  ";
                }
                let rest_of_line = short && place + 1 == cells.len();
                let align = match rest_of_line {
                    true => Align::Left,
                    false => self.columns[place].0,
                };
                line += &padded(cell, width, align);
            }
            writeln!(formatter, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_line_has_its_last_cell_to_itself() {
        let mut table = TextTable::new([Align::Left, Align::Right, Align::Right, Align::Left]);
        table.line(["k", "mean", "sd", ""]);
        table.line(["a", "0.5", "", "*"]);
        table.line(["c", "it cannot be done at all"]);
        table.line(Vec::<String>::new());
        assert_eq!(
            table.to_string(),
            "k  mean  sd\na   0.5      *\nc  it cannot be done at all\n\n"
        );
    }

    #[test]
    fn columns_have_a_least_width_and_an_indent() {
        let mut table = TextTable::new([Align::Left, Align::Right])
            .indented(2)
            .at_least(1, 6);
        table.line(["分子", "1"]);
        table.line(["a", "22"]);
        assert_eq!(table.to_string(), "  分子       1\n  a         22\n");
        assert_eq!(table.widths(), [4, 6]);
    }
}
