//! The description as text for a terminal of 100 columns.

use kinwood_text::{Align, TextTable, padded, width};
use std::cmp::Reverse;
use std::fmt::Write;

use kinwood_values::Role;

use super::statistics::{Part, Spread, Statistics};
use super::terse::{counted, cut, number, percent, shown, wrapped};
use super::{
    CandidateDescription, Class, ColumnDescription, Description, ForeignKeyDescription,
    TableDescription, TargetDescription,
};

/// How wide the text may be.
const WIDTH: usize = 100;
/// Tables with more columns than this are shown by runs of columns alike, in no more lines than
/// this.
const MOST_COLUMNS: usize = 40;
/// How many columns of a run are shown before the rest is counted.
const SHOWN_OF_A_RUN: usize = 3;
/// How many classes of a target get a bar.
const MOST_CLASSES: usize = 12;
/// The longest bar, name, type and reference.
const BAR: usize = 40;
const NAME: usize = 28;
const TYPE: usize = 24;
const REFERENCE: usize = 56;

impl Description {
    /// The description as a person reads it: a table of columns for each table, foreign keys,
    /// targets, notices.
    ///
    /// Lines have at most 100 characters, numbers at most four significant digits; a table of more
    /// than 40 columns shows runs of columns of one type and role by their first three. Nothing is
    /// left out of the JSON form; `all_columns` says where the columns that are left out here are
    /// found, in the words of the interface.
    pub fn to_text(&self, all_columns: &str) -> String {
        let mut lines = vec![cut(&shown(&self.source), WIDTH)];
        if self.tables.is_empty() {
            lines.push("no tables".to_owned());
        }
        for table in &self.tables {
            lines.push(String::new());
            table_lines(table, all_columns, &mut lines);
        }
        if !self.foreign_keys.is_empty() {
            lines.extend([String::new(), "foreign keys".to_owned()]);
            foreign_key_lines(&self.foreign_keys, &mut lines);
        }
        candidate_lines(&self.key_candidates, &mut lines);
        for target in &self.targets {
            lines.push(String::new());
            target_lines(target, &mut lines);
        }
        sentence_lines("facts", &self.facts, &mut lines);
        sentence_lines("notices", &self.notices, &mut lines);
        let mut text = String::new();
        for line in lines {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Sentences under a heading, if there are any.
fn sentence_lines(heading: &str, sentences: &[String], lines: &mut Vec<String>) {
    if sentences.is_empty() {
        return;
    }
    lines.extend([String::new(), heading.to_owned()]);
    for sentence in sentences {
        let broken = wrapped(&shown(sentence), WIDTH - 4);
        for (position, line) in broken.iter().enumerate() {
            let lead = if position == 0 { "  - " } else { "    " };
            lines.push(format!("{lead}{line}"));
        }
    }
}

/// Candidates shown that were not taken: the best few; the JSON form has all.
const DOUBTFUL: usize = 5;

fn candidate_lines(candidates: &[CandidateDescription], lines: &mut Vec<String>) {
    let told = |candidate: &CandidateDescription| {
        let columns = candidate.columns.join(", ");
        let refers = candidate
            .to
            .as_ref()
            .map(|to| format!(" -> {to} ({})", candidate.references.join(", ")));
        let key = format!(
            "{} ({columns}){}",
            candidate.table,
            refers.unwrap_or_default()
        );
        let because = candidate.evidence.join("; ");
        wrapped(&shown(&format!("{key}: {because}")), WIDTH - 4)
    };
    let (taken, doubtful): (Vec<_>, Vec<_>) =
        candidates.iter().partition(|candidate| candidate.accepted);
    for (heading, list) in [
        ("keys found", &taken[..]),
        ("keys not taken", &doubtful[..doubtful.len().min(DOUBTFUL)]),
    ] {
        if list.is_empty() {
            continue;
        }
        lines.extend([String::new(), heading.to_owned()]);
        for candidate in list {
            for (position, line) in told(candidate).iter().enumerate() {
                lines.push(format!(
                    "{}{line}",
                    if position == 0 { "  - " } else { "    " }
                ));
            }
        }
    }
}

/// A line of a table's columns.
enum Line<'a> {
    Column(&'a ColumnDescription),
    /// So many more columns of the type and role of the one given.
    Alike(usize, &'a ColumnDescription),
    /// So many more columns.
    Others(usize),
}

fn choose_lines(columns: &[ColumnDescription]) -> Vec<Line<'_>> {
    if columns.len() <= MOST_COLUMNS {
        return columns.iter().map(Line::Column).collect();
    }
    let mut lines = Vec::new();
    let mut told = 0;
    for run in columns.chunk_by(|a, b| a.of == b.of && a.role == b.role) {
        // A line that counts a single column might as well show it.
        let collapsed = run.len() > SHOWN_OF_A_RUN + 1;
        let shown = if collapsed { SHOWN_OF_A_RUN } else { run.len() };
        if lines.len() + shown + usize::from(collapsed) >= MOST_COLUMNS {
            lines.push(Line::Others(columns.len() - told));
            break;
        }
        lines.extend(run[..shown].iter().map(Line::Column));
        if collapsed {
            lines.push(Line::Alike(run.len() - shown, &run[0]));
        }
        told += run.len();
    }
    lines
}

fn table_lines(table: &TableDescription, all_columns: &str, lines: &mut Vec<String>) {
    let mut facts = vec![
        counted(table.rows, "row"),
        counted(table.columns.len(), "column"),
    ];
    facts.extend(table.format.as_deref().map(shown));
    if !table.key.is_empty() {
        facts.push(format!("key ({})", shown(&table.key.join(", "))));
    }
    let heading = format!("{}   {}", cut(&shown(&table.name), 40), facts.join(", "));
    lines.push(cut(&heading, WIDTH));

    let chosen = choose_lines(&table.columns);
    let cells: Vec<[String; 5]> = chosen
        .iter()
        .filter_map(|line| match line {
            Line::Column(column) => Some(column_cells(column)),
            Line::Alike(..) | Line::Others(_) => None,
        })
        .collect();
    let header = ["column", "type", "role", "missing", "values"].map(str::to_owned);
    let columns = [
        Align::Left,
        Align::Left,
        Align::Left,
        Align::Right,
        Align::Left,
    ];
    let mut aligned = TextTable::new(columns).indented(2);
    if !cells.is_empty() {
        aligned.line(header);
    }
    for row in cells {
        aligned.line(row);
    }
    let aligned = aligned.to_string();
    let mut aligned = aligned.lines().map(|line| cut(line, WIDTH));
    lines.extend(aligned.next());
    let mut collapsed = false;
    for line in &chosen {
        let text = match line {
            Line::Column(_) => aligned.next().unwrap_or_default(),
            Line::Alike(count, first) => {
                let of = cut(&shown(&first.of.to_string()), TYPE);
                format!("  … and {count} more {of} {}", plural(first.role))
            }
            Line::Others(count) => format!("  … and {}", counted(*count, "more column")),
        };
        collapsed |= !matches!(line, Line::Column(_));
        lines.push(text);
    }
    if collapsed {
        lines.push(format!("  (all columns: {all_columns})"));
    }
}

fn plural(role: Role) -> &'static str {
    match role {
        Role::Input => "inputs",
        Role::Id => "ids",
        Role::Ignore => "columns to ignore",
        Role::Weight => "weights",
        Role::Group => "groups",
        Role::Fold => "folds",
        Role::Target => "targets",
        Role::Event => "events",
        Role::Cutoff => "cutoff",
    }
}

fn column_cells(column: &ColumnDescription) -> [String; 5] {
    let missing = column.missing.filter(|&missing| missing > 0.0);
    [
        cut(&shown(&column.name), NAME),
        cut(&shown(&column.of.to_string()), TYPE),
        column.role.name().to_owned(),
        missing.map(percent).unwrap_or_default(),
        column
            .statistics
            .as_ref()
            .map(in_one_line)
            .unwrap_or_default(),
    ]
}

/// `3`, or `1 to 12 nodes, mean 4.5`, or nothing where nothing was counted.
fn spread(spread: Option<Spread>, what: &str) -> String {
    match spread {
        None => "no values".to_owned(),
        Some(Spread { min, max, .. }) if min == max => counted(min, what),
        Some(Spread { min, mean, max }) => {
            format!("{min} to {max} {what}s, mean {}", number(mean))
        }
    }
}

/// What values are like, in one line of any length, the most telling first.
pub(crate) fn in_one_line(statistics: &Statistics) -> String {
    match statistics {
        Statistics::Numeric {
            min: Some(min),
            max: Some(max),
            mean,
            sd,
            ..
        } => {
            if min == max {
                return format!("always {}", number(*min));
            }
            let mut text = format!("{} to {}", number(*min), number(*max));
            for (name, value) in [("mean", mean), ("sd", sd)] {
                if let Some(value) = value {
                    let _ = write!(text, ", {name} {}", number(*value));
                }
            }
            text
        }
        Statistics::Nominal {
            distinct,
            most_frequent,
        } if *distinct > 0 => {
            let all_once = most_frequent.first().is_some_and(|first| first.count == 1);
            let labels: Vec<String> = most_frequent
                .iter()
                .map(|label| match all_once {
                    true => shown(&label.value),
                    false => format!("{} {}", shown(&label.value), label.count),
                })
                .collect();
            let more = if *distinct > labels.len() {
                ", …"
            } else {
                ""
            };
            let once = if all_once && *distinct > 1 {
                ", each once"
            } else {
                ""
            };
            format!(
                "{}{once}: {}{more}",
                counted(*distinct, "value"),
                labels.join(", ")
            )
        }
        Statistics::DateTime {
            earliest: Some(earliest),
            latest: Some(latest),
        } => match earliest == latest {
            true => format!("always {earliest}"),
            false => format!("{earliest} to {latest}"),
        },
        Statistics::String {
            distinct,
            length: Some(length),
        } => format!(
            "{distinct} different, {}",
            spread(Some(*length), "character")
        ),
        Statistics::Collection {
            size: Some(size),
            empty,
            members,
        } => {
            let mut text = spread(Some(*size), "member");
            if let Some(empty) = empty.filter(|&empty| empty > 0.0 && size.max > 0) {
                let _ = write!(text, ", {} empty", percent(empty));
            }
            if size.max > 0 {
                let _ = write!(text, "; {}", part_in_one_line(members));
            }
            text
        }
        Statistics::Tuple { fields } => {
            let parts: Vec<String> = fields
                .iter()
                .map(|field| match &field.name {
                    Some(name) => format!("{}: {}", shown(name), part_in_one_line(field)),
                    None => part_in_one_line(field),
                })
                .collect();
            parts.join("; ")
        }
        Statistics::Tree {
            nodes: Some(nodes),
            depth: Some(depth),
            distinct_labels,
        } => format!(
            "{}, depth up to {}, {}",
            spread(Some(*nodes), "node"),
            depth.max,
            counted(*distinct_labels, "label"),
        ),
        Statistics::Term {
            size: Some(size),
            distinct_functors,
            ground,
        } => format!(
            "{}, {}, {} ground",
            spread(Some(*size), "symbol"),
            counted(*distinct_functors, "functor"),
            percent(ground.unwrap_or_default()),
        ),
        Statistics::Graph {
            nodes: Some(nodes),
            edges,
            directed,
            distinct_node_labels,
            ..
        } => format!(
            "{}; {}; {}, {} directed",
            spread(Some(*nodes), "node"),
            spread(*edges, "edge"),
            counted(*distinct_node_labels, "label"),
            percent(directed.unwrap_or_default()),
        ),
        Statistics::Ref { distinct } if *distinct > 0 => format!("{distinct} different"),
        _ => "no values".to_owned(),
    }
}

fn part_in_one_line(part: &Part) -> String {
    part.statistics
        .as_ref()
        .map(in_one_line)
        .unwrap_or_default()
}

fn foreign_key_lines(keys: &[ForeignKeyDescription], lines: &mut Vec<String>) {
    let side =
        |table: &str, columns: &[String]| shown(&format!("{table} ({})", columns.join(", ")));
    let references: Vec<String> = keys
        .iter()
        .map(|key| {
            let reference = format!(
                "{} -> {}",
                side(&key.from, &key.columns),
                side(&key.to, &key.references)
            );
            cut(&reference, REFERENCE)
        })
        .collect();
    let width = references.iter().map(|text| width(text)).max();
    let width = width.unwrap_or_default();
    for (key, reference) in keys.iter().zip(references) {
        let mut facts = Vec::new();
        match key.children {
            Some(_) if key.one_to_one => facts.push("one to one".to_owned()),
            Some(Spread { min, max, .. }) if min == max => {
                facts.push(format!("{} each", counted(min, "row")));
            }
            Some(Spread { min, mean, max }) => {
                facts.push(format!("{} rows each ({min} to {max})", number(mean)));
            }
            None => facts.push(format!("`{}` has no rows", shown(&key.to))),
        }
        if key.dangling > 0 {
            facts.push(format!("{} dangling", key.dangling));
        }
        if key.missing > 0 {
            facts.push(format!("{} missing", key.missing));
        }
        facts.extend(key.describes.map(|describes| match describes {
            true => "describes".to_owned(),
            false => "only mentions".to_owned(),
        }));
        let reference = padded(&reference, width, Align::Left);
        let line = format!("  {reference}   {}", facts.join(", "));
        lines.push(cut(&line, WIDTH));
    }
}

fn target_lines(target: &TargetDescription, lines: &mut Vec<String>) {
    let name = shown(&format!("{}.{}", target.table, target.column));
    let of = shown(&target.of.to_string());
    lines.push(cut(&format!("target {name} ({of})"), WIDTH));
    if let Some(classes) = &target.distribution {
        class_lines(classes, lines);
    }
    if let Some(summary) = &target.summary {
        lines.push(cut(&format!("  {}", in_one_line(summary)), WIDTH));
        if let Statistics::Numeric {
            quartiles: Some(quartiles),
            ..
        } = summary
        {
            let [lower, median, upper] = quartiles.map(number);
            lines.push(format!(
                "  a quarter below {lower}, half below {median}, a quarter above {upper}"
            ));
        }
    }
    if target.missing > 0 {
        lines.push(format!(
            "  {} without a value",
            counted(target.missing, "row")
        ));
    }
}

fn class_lines(classes: &[Class], lines: &mut Vec<String>) {
    if classes.is_empty() {
        lines.push("  no values".to_owned());
    }
    let mut order: Vec<&Class> = classes.iter().collect();
    if classes.len() > MOST_CLASSES {
        order.sort_by_key(|class| Reverse(class.count));
    }
    let (barred, rest) = order.split_at(order.len().min(MOST_CLASSES));
    let most = barred.iter().map(|class| class.count).max().unwrap_or(0);
    let names: Vec<String> = barred
        .iter()
        .map(|class| cut(&shown(&class.value), NAME))
        .collect();
    let columns = [Align::Left, Align::Right, Align::Right, Align::Left];
    let mut table = TextTable::new(columns).indented(2).at_least(2, 7);
    for (class, name) in barred.iter().zip(names) {
        let share = class.share.map(percent).unwrap_or_default();
        table.line([name, class.count.to_string(), share, bar(class.count, most)]);
    }
    lines.extend(table.to_string().lines().map(str::to_owned));
    if !rest.is_empty() {
        let rows: usize = rest.iter().map(|class| class.count).sum();
        let classes = if rest.len() == 1 { "class" } else { "classes" };
        lines.push(format!(
            "  … and {} more {classes} with {}",
            rest.len(),
            counted(rows, "row")
        ));
    }
}

/// A bar as long as the count is large beside the greatest; what is not nothing is seen.
fn bar(count: usize, most: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let length = (count as f64 / most as f64 * BAR as f64).round() as usize;
    match length {
        0 => "▏".to_owned(),
        length => "█".repeat(length),
    }
}

#[cfg(test)]
mod tests;
