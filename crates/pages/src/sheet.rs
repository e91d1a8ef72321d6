//! Sheets: tables of results in the forms that people put them in: text, Markdown, LaTeX, CSV and
//! HTML.

use kinwood_text::{Align, TextTable};
use maud::{Markup, html};
use std::str::FromStr;

use crate::kit::written;

/// A table of results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// A short name, such as is good for a file.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The headings of the columns, that of the first column first.
    pub headings: Vec<String>,
    /// The lines.
    pub lines: Vec<Line>,
    /// What is to be said below it.
    pub notes: Vec<String>,
}

/// A line of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// What it is of.
    pub heading: String,
    /// Its entries, one for each column but the first.
    pub entries: Vec<Entry>,
    /// Whether it is about the lines above, such as their mean.
    pub summary: bool,
}

/// Stands in notes for the mark of what no other is better than.
pub const BEST: &str = "{best}";
/// Stands in notes for the mark of what is better.
pub const BETTER: &str = "{better}";
/// Stands in notes for the mark of what is worse.
pub const WORSE: &str = "{worse}";

/// An entry of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// What it says.
    pub text: String,
    /// What varies around it.
    pub spread: Option<String>,
    /// Whether no other of the line is better.
    pub best: bool,
    /// How it differs from the first learner's.
    pub mark: Mark,
}

/// How an entry differs from that which it is tested against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Not beyond chance, or not tested.
    #[default]
    None,
    /// It is better.
    Better,
    /// It is worse.
    Worse,
}

impl Entry {
    /// An entry that says this and nothing else.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

impl Entry {
    /// Whether it is words, which are read from the left, rather than a figure.
    fn is_wordy(&self) -> bool {
        self.text.split_whitespace().count() > 3
    }

    /// The entry as a cell, which looks so unless it is the best.
    fn html(&self, class: Option<&str>) -> Markup {
        let class = if self.best { Some("best") } else { class };
        html! {
            td class=[class] {
                (self.text)
                @if let Some(spread) = &self.spread { " " small { "± " (spread) } }
                @match self.mark {
                    Mark::Better => { " " abbr title="better than the first" { "+" } }
                    Mark::Worse => { " " abbr title="worse than the first" { "−" } }
                    Mark::None => {}
                }
            }
        }
    }
}

/// A form of sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For terminals.
    Text,
    /// For documents in Markdown.
    Markdown,
    /// A `tabular` for LaTeX.
    Latex,
    /// Comma-separated values.
    Csv,
    /// A `table` for pages.
    Html,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 5] = [
        Form::Text,
        Form::Markdown,
        Form::Latex,
        Form::Csv,
        Form::Html,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Markdown => "markdown",
            Form::Latex => "latex",
            Form::Csv => "csv",
            Form::Html => "html",
        }
    }

    /// What files in it end with.
    pub fn ending(self) -> &'static str {
        match self {
            Form::Text => "txt",
            Form::Markdown => "md",
            Form::Latex => "tex",
            Form::Csv => "csv",
            Form::Html => "html",
        }
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Form::ALL.into_iter().find(|form| form.name() == text);
        found.ok_or_else(|| "expected text, markdown, latex, csv or html".to_owned())
    }
}

impl Sheet {
    /// The sheet in a form.
    pub fn written(&self, form: Form) -> String {
        match form {
            Form::Text => self.text(),
            Form::Markdown => self.markdown(),
            Form::Latex => self.latex(),
            Form::Csv => self.csv(),
            Form::Html => written(self.html()),
        }
    }

    /// The notes, with the marks as a form has them.
    pub fn noted(&self, marks: [&str; 3]) -> Vec<String> {
        let note = |note: &String| {
            let [best, better, worse] = marks;
            note.replace(BEST, best)
                .replace(BETTER, better)
                .replace(WORSE, worse)
        };
        self.notes.iter().map(note).collect()
    }

    /// Of each column but the first, whether any of its entries is words.
    fn wordy(&self) -> Vec<bool> {
        (1..self.headings.len())
            .map(|column| {
                let mut entries = self.lines.iter().filter_map(|l| l.entries.get(column - 1));
                entries.any(Entry::is_wordy)
            })
            .collect()
    }

    fn text(&self) -> String {
        let entry = |entry: &Entry| {
            let mark = match entry.mark {
                Mark::Better => " +",
                Mark::Worse => " -",
                Mark::None => "  ",
            };
            let best = if entry.best { "*" } else { "" };
            let spread = entry.spread.as_ref();
            let spread = spread.map_or(String::new(), |spread| format!(" ± {spread}"));
            format!("{best}{}{spread}{mark}", entry.text)
        };
        let written: Vec<Vec<String>> = self
            .lines
            .iter()
            .map(|line| line.entries.iter().map(entry).collect())
            .collect();
        let wordy = self.wordy().into_iter().map(|wordy| match wordy {
            true => Align::Left,
            false => Align::Right,
        });
        let mut table = TextTable::new(std::iter::once(Align::Left).chain(wordy));
        // A heading ends where the figures do, before their marks.
        let headings = self.headings[1..].iter().map(|text| format!("{text}  "));
        table.line(std::iter::once(self.headings[0].clone()).chain(headings));
        for (own, entries) in self.lines.iter().zip(written) {
            table.line(std::iter::once(own.heading.clone()).chain(entries));
        }
        let mut text = format!("{}\n\n{table}", self.title);
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in self.noted(["*", "+", "-"]) {
            text += &format!("{note}\n");
        }
        text
    }

    fn markdown(&self) -> String {
        let escaped = |text: &str| {
            let mut out = String::new();
            for character in text.chars() {
                match character {
                    '|' | '*' | '_' | '`' | '<' | '\\' => out.extend(['\\', character]),
                    '\n' | '\r' => out.push(' '),
                    other => out.push(other),
                }
            }
            out
        };
        let mut text = format!("### {}\n\n", escaped(&self.title));
        let mut line = |parts: Vec<String>| text += &format!("| {} |\n", parts.join(" | "));
        line(self.headings.iter().map(|text| escaped(text)).collect());
        let rule = (0..self.headings.len()).map(|place| match place {
            0 => "---".to_owned(),
            _ => "---:".to_owned(),
        });
        line(rule.collect());
        for own in &self.lines {
            let entries = own.entries.iter().map(|entry| {
                let mark = match entry.mark {
                    Mark::Better => " +",
                    Mark::Worse => " −",
                    Mark::None => "",
                };
                let spread = entry.spread.as_ref();
                let spread = spread.map_or(String::new(), |spread| format!(" ± {spread}"));
                let figure = format!("{}{spread}{mark}", escaped(&entry.text));
                match entry.best {
                    true => format!("**{figure}**"),
                    false => figure,
                }
            });
            let heading = std::iter::once(escaped(&own.heading));
            line(heading.chain(entries).collect());
        }
        for note in self.noted(["bold:", "+", "−"]) {
            text += &format!("\n{}\n", escaped(&note));
        }
        text
    }

    fn latex(&self) -> String {
        let columns = "r".repeat(self.headings.len().saturating_sub(1));
        let mut text = format!(
            "% {}\n\\begin{{tabular}}{{l{columns}}}\n\\hline\n",
            self.title.replace(['\n', '\r'], " ")
        );
        let headings: Vec<String> = self.headings.iter().map(|text| in_latex(text)).collect();
        text += &format!("{} \\\\\n\\hline\n", headings.join(" & "));
        let mut summed = false;
        for own in &self.lines {
            if own.summary && !summed {
                text += "\\hline\n";
                summed = true;
            }
            text += &in_latex(&own.heading);
            for entry in &own.entries {
                let figure = match entry.best {
                    true => format!("\\textbf{{{}}}", in_latex(&entry.text)),
                    false => in_latex(&entry.text),
                };
                let spread = entry.spread.as_ref();
                let spread = spread.map_or(String::new(), |s| format!(" $\\pm$ {}", in_latex(s)));
                let mark = match entry.mark {
                    Mark::Better => " $\\circ$",
                    Mark::Worse => " $\\bullet$",
                    Mark::None => "",
                };
                text += &format!(" & {figure}{spread}{mark}");
            }
            text += " \\\\\n";
        }
        text += "\\hline\n\\end{tabular}\n";
        for note in self.noted(["bold:", "circle:", "bullet:"]) {
            text += &format!("% {}\n", note.replace(['\n', '\r'], " "));
        }
        text
    }

    fn csv(&self) -> String {
        let spread = self
            .lines
            .iter()
            .any(|line| line.entries.iter().any(|entry| entry.spread.is_some()));
        let mut out = Vec::new();
        let mut record = |cells: Vec<String>| {
            // Writing into memory cannot fail.
            let _ = kinwood_workbench::output::record(&mut out, &cells);
        };
        let mut head = vec![self.headings[0].clone()];
        for heading in &self.headings[1..] {
            head.push(heading.clone());
            if spread {
                head.push(format!("{heading} (spread)"));
            }
        }
        record(head);
        for line in &self.lines {
            let mut cells = vec![line.heading.clone()];
            for entry in &line.entries {
                cells.push(entry.text.clone());
                if spread {
                    cells.push(entry.spread.clone().unwrap_or_default());
                }
            }
            record(cells);
        }
        String::from_utf8(out).unwrap_or_default()
    }

    /// The table alone, for a page that has it in a box of its own.
    pub(crate) fn html(&self) -> Markup {
        let wordy = self.wordy();
        let words = |column: Option<usize>| {
            let wordy = column.and_then(|column| wordy.get(column));
            wordy.filter(|wordy| **wordy).map(|_| "words")
        };
        html! {
            table { "\n"
                caption { (self.title) } "\n"
                thead { tr {
                    @for (place, heading) in self.headings.iter().enumerate() {
                        th scope="col" class=[words(place.checked_sub(1))] { (heading) }
                    }
                } } "\n"
                tbody { "\n"
                    @for line in &self.lines {
                        tr class=[line.summary.then_some("summary")] {
                            th scope="row" { (line.heading) }
                            @for (place, entry) in line.entries.iter().enumerate().take(wordy.len()) {
                                (entry.html(words(Some(place))))
                            }
                        } "\n"
                    }
                } "\n"
            } "\n"
            @for note in self.noted(["bold:", "+", "−"]) { p class="note" { (note) } "\n" }
        }
    }
}

/// A text as LaTeX prints it.
fn in_latex(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', character]),
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "$<$",
            '>' => out += "$>$",
            '|' => out += "$|$",
            '*' => out += "$*$",
            '\n' | '\r' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let entry = |text: &str, best, mark| Entry {
            text: text.into(),
            spread: Some("0.1".into()),
            best,
            mark,
        };
        Sheet {
            name: "accuracy".into(),
            title: "Accuracy".into(),
            headings: vec!["data".into(), "K*_1".into(), "a<b|c".into()],
            lines: vec![
                Line {
                    heading: "iris & co".into(),
                    entries: vec![
                        entry("95.0", true, Mark::None),
                        entry("9.0", false, Mark::Worse),
                    ],
                    summary: false,
                },
                Line {
                    heading: "mean".into(),
                    entries: vec![Entry::new("95.0"), Entry::new("-")],
                    summary: true,
                },
            ],
            notes: vec!["n_1".into()],
        }
    }

    #[test]
    fn every_form_says_the_same_and_nothing_escapes() {
        let sheet = sheet();
        assert_eq!(
            sheet.written(Form::Text),
            "Accuracy\n\n\
             data              K*_1        a<b|c\n\
             iris & co  *95.0 ± 0.1    9.0 ± 0.1 -\n\
             mean              95.0            -\n\nn_1\n"
        );
        let markdown = sheet.written(Form::Markdown);
        assert!(markdown.contains("| data | K\\*\\_1 | a\\<b\\|c |\n| --- | ---: | ---: |\n"));
        assert!(markdown.contains("| iris & co | **95.0 ± 0.1** | 9.0 ± 0.1 − |"));
        let latex = sheet.written(Form::Latex);
        assert!(latex.contains("data & K$*$\\_1 & a$<$b$|$c \\\\"));
        assert!(
            latex.contains(
                "iris \\& co & \\textbf{95.0} $\\pm$ 0.1 & 9.0 $\\pm$ 0.1 $\\bullet$ \\\\"
            )
        );
        assert_eq!(
            sheet.written(Form::Csv),
            "data,K*_1,K*_1 (spread),a<b|c,a<b|c (spread)\niris & co,95.0,0.1,9.0,0.1\nmean,95.0,,-,\n"
        );
        let html = sheet.written(Form::Html);
        assert!(html.contains("<th scope=\"col\">a&lt;b|c</th>") && html.contains("iris &amp; co"));
        assert!(html.contains("<td class=\"best\">95.0 <small>± 0.1</small></td>"));
    }
}
