//! What came of several tables: how many figures are the paper's within noise, better or worse, and
//! why.

use kinwood_evaluation::study::{Cell, Verdict};
use serde_json::{Value, json};

use super::Reproduction;
use kinwood_pages::page::Page;
use kinwood_pages::sheet::{Entry, Line, Sheet};

/// Tables computed again, with the seconds that each took.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The tables.
    pub tables: Vec<(Reproduction, f64)>,
}

impl Summary {
    /// How many figures have a verdict, in all tables.
    pub fn count(&self, verdict: Verdict) -> usize {
        let tables = self.tables.iter();
        tables.map(|(table, _)| count(table, verdict)).sum()
    }

    /// The figures that differ from the paper's by more than chance explains, with their tables.
    pub fn differing(&self) -> impl Iterator<Item = (&str, &Cell)> {
        self.tables.iter().flat_map(|(table, _)| {
            let differs = |cell: &&Cell| {
                matches!(
                    cell.verdict,
                    Verdict::Better | Verdict::Worse | Verdict::Differs
                )
            };
            let cells = table.cells.iter().filter(differs);
            cells.map(|cell| (table.table.as_str(), cell))
        })
    }

    /// How many figures have which verdict, table by table.
    pub fn counts(&self) -> Sheet {
        let shown: Vec<Verdict> = Verdict::ALL
            .into_iter()
            .filter(|&verdict| self.count(verdict) > 0)
            .collect();
        let mut headings = vec!["table".to_owned()];
        headings.extend(shown.iter().map(ToString::to_string));
        headings.push("seconds".to_owned());
        let line = |heading: &str, counts: Vec<usize>, seconds: f64, summary| {
            let mut entries: Vec<Entry> = counts
                .iter()
                .map(|count| Entry::new(count.to_string()))
                .collect();
            entries.push(Entry::new(format!("{seconds:.0}")));
            Line {
                heading: heading.to_owned(),
                entries,
                summary,
            }
        };
        let mut lines: Vec<Line> = self
            .tables
            .iter()
            .map(|(table, seconds)| {
                let counts = shown.iter().map(|&verdict| count(table, verdict));
                line(&table.table, counts.collect(), *seconds, false)
            })
            .collect();
        let total = self.tables.iter().map(|(_, seconds)| seconds).sum();
        let counts = shown.iter().map(|&verdict| self.count(verdict));
        lines.push(line("all", counts.collect(), total, true));
        Sheet {
            name: "summary".to_owned(),
            title: "Figures beside the papers'".to_owned(),
            headings,
            lines,
            notes: vec![
                "within noise: no further from the paper's than dividing the same rows anew explains; differs: the paper's figure is another, where none is better".to_owned(),
            ],
        }
    }

    /// The figures that differ, and why.
    pub fn differences(&self) -> Sheet {
        let number = |value: Option<f64>| value.map_or("-".to_owned(), written);
        let lines = self.differing().map(|(table, cell)| {
            let place: Vec<&str> = [Some(cell.row.as_str()), cell.group.as_deref()]
                .into_iter()
                .flatten()
                .chain([cell.column.as_str()])
                .collect();
            let why = match cell.why.as_slice() {
                [] => "open: not explained".to_owned(),
                why => why.join("; "),
            };
            let texts = [
                place.join(", "),
                number(cell.ours),
                number(cell.paper),
                cell.verdict.to_string(),
                why,
            ];
            Line {
                heading: table.to_owned(),
                entries: texts.map(Entry::new).into(),
                summary: false,
            }
        });
        Sheet {
            name: "differences".to_owned(),
            title: "Figures that differ by more than the choice of splits explains".to_owned(),
            headings: ["table", "figure", "ours", "paper", "verdict", "why"]
                .map(str::to_owned)
                .into(),
            lines: lines.collect(),
            notes: Vec::new(),
        }
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let counts: serde_json::Map<String, Value> = Verdict::ALL
            .iter()
            .map(|&verdict| (verdict.to_string(), self.count(verdict).into()))
            .collect();
        let tables: Vec<Value> = self
            .tables
            .iter()
            .map(|(table, seconds)| {
                let mut json = json!(table);
                json["seconds"] = json!(seconds);
                json
            })
            .collect();
        json!({"verdicts": counts, "tables": tables})
    }

    /// One page with all of it.
    pub fn html(&self) -> String {
        let title = "Published tables computed again";
        let mut page = Page::new(title);
        page.heading(title);
        for sheet in [self.counts(), self.differences()] {
            page.sheet(&sheet);
        }
        for (table, seconds) in &self.tables {
            let note = format!("{seconds:.0} seconds");
            page.text(&table.table, &note, &table.to_text());
        }
        page.written()
    }
}

fn count(table: &Reproduction, verdict: Verdict) -> usize {
    let cells = table.cells.iter();
    cells.filter(|cell| cell.verdict == verdict).count()
}

/// A figure with as many digits as tables have.
fn written(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}
