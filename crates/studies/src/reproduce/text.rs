//! A table computed again, as people read it.

use kinwood_evaluation::study::{Cell, Compared, Verdict};
use kinwood_text::{Align, TextTable};

use super::Reproduction;

impl Reproduction {
    /// The table as people read it: our figures and the paper's, and what is to be said of them.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n\n", self.table, self.title);
        text += &if self.cells.iter().any(|cell| cell.group.is_some()) {
            self.under_headings()
        } else {
            self.cell_by_cell()
        };
        let mut reasons: Vec<&String> = Vec::new();
        for why in self.cells.iter().flat_map(|cell| &cell.why) {
            if !reasons.contains(&why) {
                reasons.push(why);
            }
        }
        for (place, reason) in reasons.iter().enumerate() {
            let heading = if place == 0 {
                "\nwhy figures differ, as far as we know:\n"
            } else {
                ""
            };
            text += &format!("{heading}- {reason}\n");
        }
        if !self.notes.is_empty() {
            text += "\n";
        }
        for note in &self.notes {
            text += &format!("{note}\n");
        }
        text
    }

    /// A line for each cell: ours, the paper's, the difference and the verdict.
    fn cell_by_cell(&self) -> String {
        let decimals = self.decimals.first().copied().unwrap_or(0);
        let number = |value: Option<f64>| number(value, decimals);
        let columns = [
            Align::Left,
            Align::Left,
            Align::Right,
            Align::Right,
            Align::Right,
            Align::Right,
            Align::Left,
        ];
        let mut table = TextTable::new(columns)
            .at_least(2, 8)
            .at_least(3, 6)
            .at_least(4, 8);
        table.line([
            "row",
            "column",
            "ours",
            "sd",
            "paper",
            "difference",
            "verdict",
        ]);
        for cell in &self.cells {
            let difference = cell.ours.zip(cell.paper).map(|(ours, paper)| ours - paper);
            let difference = difference.map_or("-".to_owned(), |d| format!("{d:+.decimals$}"));
            table.line([
                cell.row.clone(),
                cell.column.clone(),
                number(cell.ours),
                number(cell.sd),
                number(cell.paper),
                difference,
                cell.verdict.to_string(),
            ]);
        }
        table.to_string() + &self.tested()
    }

    /// Columns tested against each other, with a line for each row.
    fn tested(&self) -> String {
        let mut text = String::new();
        for compared in &self.comparisons {
            let [first, second] = &compared.columns;
            text += &format!(
                "\n{first} and {second}: wins {} to {} by {} over the folds, p <= {}\n",
                compared.wins[0],
                compared.wins[1],
                compared.test.name(),
                compared.level
            );
            let rows = width("", compared.tests.iter().map(|test| test.row.as_str()));
            for test in &compared.tests {
                let p = test.p.map_or("-".to_owned(), |p| format!("{p:.3}"));
                let winner = test.winner.as_deref().unwrap_or_default();
                let line = format!("  {:rows$}  p={p}  {winner}", test.row);
                text += &format!("{}\n", line.trim_end());
            }
        }
        text
    }

    /// A block for each heading, a line for each row, with the paper's figure in brackets behind
    /// ours.
    fn under_headings(&self) -> String {
        let mut text = String::new();
        let mut headings: Vec<&str> = Vec::new();
        for heading in self.cells.iter().filter_map(|cell| cell.group.as_deref()) {
            if !headings.contains(&heading) {
                headings.push(heading);
            }
        }
        for (heading, &decimals) in headings.iter().zip(&self.decimals) {
            let under = |group: &Option<String>| group.as_deref() == Some(*heading);
            let cells: Vec<&Cell> = self.cells.iter().filter(|c| under(&c.group)).collect();
            let contests: Vec<&Compared> = self
                .comparisons
                .iter()
                .filter(|compared| under(&compared.group))
                .collect();
            text += &block(heading, &cells, &contests, decimals);
        }
        text + &self.legend()
    }

    /// What the marks mean that stand in the table.
    fn legend(&self) -> String {
        let has = |verdicts: &[Verdict]| self.cells.iter().any(|c| verdicts.contains(&c.verdict));
        let mut text = "ours (the paper's)".to_owned();
        if has(&[Verdict::Better, Verdict::Worse]) {
            text += "; > ours is better by more than the choice of splits explains, < worse";
        }
        if has(&[Verdict::Differs]) {
            text += "; ! ours differs";
        }
        if let Some(compared) = self.comparisons.first() {
            text += &format!(
                "; wins by {} over the folds, p <= {}",
                compared.test.name(),
                compared.level
            );
        }
        if has(&[Verdict::NotCompared]) {
            text += "; seconds are those of this machine, as busy as it was, and are not compared";
        }
        text + "\n"
    }
}

fn block(heading: &str, cells: &[&Cell], contests: &[&Compared], decimals: usize) -> String {
    let mut columns: Vec<&str> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for cell in cells {
        for (names, name) in [(&mut columns, &cell.column), (&mut rows, &cell.row)] {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    let written = |cell: &Cell| {
        let mark = match cell.verdict {
            Verdict::Better => '>',
            Verdict::Worse => '<',
            Verdict::Differs => '!',
            _ => ' ',
        };
        let ours = number(cell.ours, decimals);
        format!("{ours} ({}) {mark}", number(cell.paper, decimals))
    };
    let names = width(heading, rows.iter().copied());
    let figures: Vec<String> = cells.iter().map(|cell| written(cell)).collect();
    let wide = width(
        "",
        figures
            .iter()
            .map(String::as_str)
            .chain(columns.iter().copied()),
    );
    let line = |name: &str, figures: &mut dyn Iterator<Item = &str>| {
        let line = figures.fold(format!("{name:names$}"), |line, figure| {
            format!("{line}  {figure:>wide$}")
        });
        format!("{}\n", line.trim_end())
    };
    // Figures end two places before their column does: with a blank and a mark.
    let headed: Vec<String> = columns.iter().map(|name| format!("{name}  ")).collect();
    let mut text = line(heading, &mut headed.iter().map(String::as_str));
    for row in &rows {
        let mut own = cells
            .iter()
            .zip(&figures)
            .filter(|(cell, _)| cell.row == *row)
            .map(|(_, figure)| figure.as_str());
        text += &line(row, &mut own);
    }
    for contest in contests {
        text += &wins(contest);
    }
    text + "\n"
}

fn wins(contest: &Compared) -> String {
    let [first, second] = &contest.columns;
    let paper = contest.paper.map_or("-".to_owned(), |[first, second]| {
        format!("{first} to {second}")
    });
    let won = contest.tests.iter().filter_map(|test| {
        let (winner, p) = (test.winner.as_ref()?, test.p?);
        Some(format!("{winner} on {} p={p:.3}", test.row))
    });
    let won: Vec<String> = won.collect();
    let won = match won.is_empty() {
        true => String::new(),
        false => format!(": {}", won.join(", ")),
    };
    format!(
        "wins of {first} and {second}: {} to {} ({paper}){won}\n",
        contest.wins[0], contest.wins[1]
    )
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
}

/// The width of the widest.
fn width<'a>(heading: &str, texts: impl Iterator<Item = &'a str>) -> usize {
    texts
        .map(|text| text.chars().count())
        .max()
        .unwrap_or(0)
        .max(heading.chars().count())
}
