//! Why a column has its type, in one sentence; and whether a column of text is free text.

use std::sync::Arc;

use kinwood_values::column::Texts;
use kinwood_values::{Cells, Column, Dictionary};

use super::builder::{CellKind, kind_of};
use super::plan::{all_figures, leading_zero};

/// Free text is text of which at least this share of values is distinct …
const NEARLY_ALL: f64 = 0.9;
/// … and that is longer than this on average …
const LONG: f64 = 30.0;
/// … or has at least so many blanks on average.
const SEVERAL: f64 = 3.0;

/// A column as inferred, with the evidence for its type.
pub(crate) struct Inferred {
    pub column: Column,
    pub evidence: String,
}

/// Says why the column has its type; a column of labels that are free text becomes one of strings.
pub(crate) fn infer(column: Column) -> Inferred {
    let rows = column.len();
    let present = rows - column.missing();
    let plain = |column, evidence| Inferred { column, evidence };
    if rows == 0 {
        return plain(column, "there are no rows".to_owned());
    }
    if present == 0 {
        return plain(column, "no value in any row".to_owned());
    }
    match column.cells() {
        Cells::Numeric(_) => plain(column, format!("{present} of {present} values are numbers")),
        Cells::DateTime(_) => plain(
            column,
            format!("{present} of {present} values are ISO dates"),
        ),
        Cells::Nominal { codes, dictionary } => {
            let survey = Survey::of(&column, codes, dictionary);
            if survey.reads_like_text() {
                let texts = as_texts(&column, codes, dictionary);
                let evidence = survey.text_evidence();
                let validity = column.validity().cloned();
                return plain(Column::new(Cells::String(texts), validity), evidence);
            }
            let evidence = match dictionary.labels().find(|label| leading_zero(label)) {
                Some(label) if dictionary.labels().all(all_figures) => format!(
                    "{} distinct values in {rows} rows; figures with leading zeros, as `{label}`, are labels",
                    survey.distinct
                ),
                _ => survey.nominal_evidence(&column, codes, dictionary),
            };
            plain(column, evidence)
        }
        _ => plain(column, String::new()),
    }
}

/// A column of labels, unless they are free text: one of strings then.
pub fn labels_or_text(column: Column) -> Column {
    match column.codes() {
        Some(_) => infer(column).column,
        None => column,
    }
}

/// What the values of a text column are like.
struct Survey {
    rows: usize,
    present: usize,
    distinct: usize,
    characters: usize,
    blanks: usize,
    numbers: usize,
    dates: usize,
}

impl Survey {
    fn of(column: &Column, codes: &[u32], dictionary: &Dictionary) -> Self {
        let mut counts = vec![0usize; dictionary.len()];
        for (row, &code) in codes.iter().enumerate() {
            counts[code as usize] += usize::from(column.is_present(row));
        }
        let mut survey = Self {
            rows: column.len(),
            present: column.len() - column.missing(),
            distinct: dictionary.len(),
            characters: 0,
            blanks: 0,
            numbers: 0,
            dates: 0,
        };
        for (label, count) in dictionary.labels().zip(counts) {
            survey.characters += label.chars().count() * count;
            survey.blanks += label.matches(' ').count() * count;
            match kind_of(label) {
                CellKind::Number => survey.numbers += count,
                CellKind::Date => survey.dates += count,
                CellKind::Text => {}
            }
        }
        survey
    }

    fn mean(&self, sum: usize) -> f64 {
        sum as f64 / self.present as f64
    }

    fn reads_like_text(&self) -> bool {
        self.distinct as f64 >= NEARLY_ALL * self.present as f64
            && (self.mean(self.characters) > LONG || self.mean(self.blanks) >= SEVERAL)
    }

    fn text_evidence(&self) -> String {
        format!(
            "{} of {} values are distinct, with {:.0} characters on average",
            self.distinct,
            self.present,
            self.mean(self.characters)
        )
    }

    fn nominal_evidence(&self, column: &Column, codes: &[u32], dictionary: &Dictionary) -> String {
        let (kind, found, what) = if self.numbers >= self.dates {
            (CellKind::Number, self.numbers, "numbers")
        } else {
            (CellKind::Date, self.dates, "ISO dates")
        };
        let distinct = format!("{} distinct values in {} rows", self.distinct, self.rows);
        if found == 0 {
            return distinct;
        }
        let fits: Vec<bool> = dictionary
            .labels()
            .map(|label| kind_of(label) == kind)
            .collect();
        let odd =
            (0..codes.len()).find(|&row| column.is_present(row) && !fits[codes[row] as usize]);
        let first = odd.map_or_else(String::new, |row| {
            format!(
                ", but not `{}` in row {}",
                dictionary.label(codes[row]),
                row + 1
            )
        });
        format!(
            "{distinct}; {found} of {} values are {what}{first}",
            self.present
        )
    }
}

fn as_texts(column: &Column, codes: &[u32], dictionary: &Arc<Dictionary>) -> Texts {
    let mut texts = Texts::default();
    for (row, &code) in codes.iter().enumerate() {
        texts.push(if column.is_present(row) {
            dictionary.label(code)
        } else {
            ""
        });
    }
    texts
}
