//! Accounts as lines for people.

use std::fmt;

use serde::Serialize;

use super::{
    Absent, Account, Action, Edit, How, Listed, Near, NearestMember, Position, Related, Side,
    Vertex,
};
use crate::coefficient::Coefficient;
use crate::combination::Combination;
use crate::missing::Missing;

/// One line of an account.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// How far in it stands.
    pub depth: usize,
    /// What is done or compared.
    pub text: String,
    /// What it costs; the amounts at one depth add up to the distance where it is a sum.
    pub amount: Option<f64>,
}

/// The distance, what is behind it, and a line for each part.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.distance)?;
        let lines = self.lines();
        let colon = if lines.is_empty() { "" } else { ":" };
        writeln!(f, "  {}{colon}", self.title())?;
        for line in lines {
            write!(
                f,
                "{:indent$}{}",
                "",
                line.text,
                indent = 4 + 2 * line.depth
            )?;
            match line.amount {
                Some(amount) if amount.is_nan() => writeln!(f)?,
                Some(amount) => writeln!(f, ": {amount}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

/// Kept nodes named on one line.
fn labels(nodes: &Listed<super::NodePair>) -> String {
    let shown: Vec<&str> = nodes.shown.iter().map(|node| &*node.label).collect();
    let more = match nodes.left_out {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("keep {}{more}", shown.join(", "))
}

/// Members that only one collection has, on one line.
fn only(members: &Listed<String>, side: &str) -> String {
    let more = match members.left_out {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("only the {side} has {}{more}", members.shown.join(", "))
}

fn less(coefficient: Coefficient) -> &'static str {
    match coefficient {
        Coefficient::Jaccard => "1 less the common part of all",
        Coefficient::Dice => "1 less the common part of the mean of both",
        Coefficient::Cosine => "1 less the common part of the geometric mean of both squares",
        Coefficient::Overlap => "1 less the common part of the smaller",
    }
}

impl Account {
    /// What is behind the number, in a few words.
    pub fn title(&self) -> String {
        match &self.how {
            How::Plain => "nothing is behind the number but the values themselves".to_owned(),
            How::Equality { equal: true } => "the values are equal".to_owned(),
            How::Equality { equal: false } => "the values differ".to_owned(),
            How::Difference { difference, range } => match *range == 1.0 {
                true => format!("the difference of {} and {}", self.first, self.second),
                false => format!(
                    "the difference of {} and {}, {difference}, divided by {range}",
                    self.first, self.second
                ),
            },
            How::Missing { rule, absent } => missing(*rule, *absent).to_owned(),
            How::Edits { .. } => "a cheapest way from the first to the second".to_owned(),
            How::Alignment { most, .. } if *most == 0.0 => "both are empty".to_owned(),
            How::Alignment { first, .. } if first.is_empty() => {
                "no segment of the first aligns with one of the second".to_owned()
            }
            How::Alignment {
                segments: (first, second),
                score,
                most,
                ..
            } => format!("{first} aligned with {second} scores {score} of {most}"),
            How::Nearest { near, .. } => match near {
                Near::Largest => "the largest of the distances to the nearest member".to_owned(),
                Near::Least => "the least of the distances to the nearest member".to_owned(),
                Near::Ranked(k) => format!(
                    "of each side number {k} of the distances to the nearest member, the larger"
                ),
                Near::HalfSum => "half of the distances to the nearest member".to_owned(),
            },
            How::Pairs { related, .. } => match related {
                Related::Matching => "the cheapest pairs, and half of M for each member left over",
                Related::Surjection => "the cheapest map of the larger collection onto the smaller",
                Related::FairSurjection => {
                    "the cheapest map of the larger collection evenly onto the smaller"
                }
                Related::Link => "the cheapest relation in which every member occurs",
            }
            .to_owned(),
            How::Empty { absent } => match absent {
                Absent::First => "the first is empty, and how far that is is set".to_owned(),
                Absent::Second => "the second is empty, and how far that is is set".to_owned(),
                Absent::Both => "both are empty".to_owned(),
            },
            How::OnlyIn { shared, .. } => {
                format!("the members that only one of them has; both have {shared}")
            }
            How::Shared {
                coefficient,
                first,
                second,
                ..
            } => format!(
                "{}, where the first has {first} in all and the second {second}; both have",
                less(*coefficient)
            ),
            How::Fields {
                combination,
                weight,
                skipped,
                fields,
            } => {
                let mut title = format!("the {}", joins(*combination));
                if *weight != fields.len() as f64 {
                    title += &format!(", weights {weight} in all");
                }
                if *skipped > 0.0 {
                    title += match skipped >= weight {
                        true => "; all are left out, so it is as far as can be",
                        false => "; the others stand for those left out",
                    };
                }
                title
            }
            How::Nodes { .. } => {
                "a cheapest way from the first to the second, nodes in preorder".to_owned()
            }
            How::Positions { positions } if positions.is_empty() => {
                "the terms are the same".to_owned()
            }
            How::Positions { .. } => {
                "where they differ, halved at each functor and shared among its arguments"
                    .to_owned()
            }
            How::Generalisation { general, .. } => {
                format!("the least general generalisation is {general}")
            }
            How::Vertices { .. } => "what becomes of the nodes, and edits of edges".to_owned(),
            How::Counts { .. } => "the nodes and edges whose numbers differ".to_owned(),
            How::Induced { kernel, .. } => {
                format!("the root of own products less twice the shared one, by {kernel}")
            }
            How::Divided { by, of } => format!("{}, divided by {by}", of.title()),
            How::FirstComponent { of } => {
                format!("the first component of {}: {}", of.distance, of.title())
            }
        }
    }

    /// A line for each part, those of the parts' parts below.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        self.write(0, &mut lines);
        lines
    }

    fn write(&self, depth: usize, lines: &mut Vec<Line>) {
        let mut out = Writer { depth, lines };
        match &self.how {
            How::Plain
            | How::Equality { .. }
            | How::Difference { .. }
            | How::Missing { .. }
            | How::Empty { .. } => {}
            How::Edits { edits } => out.all(edits, Writer::edit),
            How::Alignment { most, edits, .. } => {
                if *most > 0.0 {
                    out.add("with nothing aligned", 1.0);
                }
                out.all(edits, Writer::edit);
            }
            How::Nearest { near, members } => {
                let share = if *near == Near::HalfSum { 0.5 } else { 1.0 };
                out.each(members, share, |out, member| out.nearest(member, share));
            }
            How::Pairs {
                pairs, left_over, ..
            } => {
                out.all(pairs, |out, pair| {
                    let Account { first, second, .. } = &pair.account;
                    out.part(format!("{first} with {second}"), 1.0, &pair.account);
                });
                out.all(left_over, |out, member| {
                    let text = format!("{} of the {} is left over", member.text, side(member.side));
                    out.add(text, member.cost);
                });
            }
            How::OnlyIn { first, second, .. } => {
                for (members, side) in [(first, "first"), (second, "second")] {
                    out.all(members, |out, member| {
                        out.add(format!("{member} of the {side}"), 1.0);
                    });
                }
            }
            How::Shared {
                members,
                only_first,
                only_second,
                ..
            } => {
                out.all(members, |out, of| out.add(&*of.what, of.amount));
                for (members, side) in [(only_first, "first"), (only_second, "second")] {
                    if !members.is_empty() {
                        out.line(only(members, side), None);
                    }
                }
            }
            How::Fields {
                combination,
                fields,
                ..
            } => {
                let counted = fields.shown.iter();
                let weighted = counted.clone().any(|field| field.weight != 1.0);
                for field in counted {
                    let name = match &field.name {
                        Some(name) => format!("`{name}`"),
                        None => format!("field {}", field.position + 1),
                    };
                    let weight = match weighted {
                        true => format!(", weight {}", field.weight),
                        false => String::new(),
                    };
                    let text = format!("{name}: {}{weight}", compared(&field.account));
                    out.part(text, 1.0, &field.account);
                }
                // The root of what the others add up to is as one field of that distance.
                let rest = match combination {
                    Combination::Sum | Combination::Mean => fields.rest,
                    Combination::Euclidean | Combination::Rms => fields.rest.sqrt(),
                };
                out.more(fields.left_out, rest);
            }
            How::Nodes {
                kept,
                relabelled,
                deleted,
                inserted,
            } => {
                if !kept.is_empty() {
                    out.add(labels(kept), 0.0);
                }
                out.all(relabelled, |out, pair| {
                    out.add(
                        format!("relabel {} to {}", pair.label, pair.becomes),
                        pair.cost,
                    );
                });
                for (nodes, verb) in [(deleted, "delete"), (inserted, "insert")] {
                    out.all(nodes, |out, node| {
                        out.add(format!("{verb} {}", node.text), node.cost);
                    });
                }
            }
            How::Positions { positions } => out.all(positions, |out, position| {
                out.add(place(position), position.weight);
            }),
            How::Generalisation { variables, .. } => {
                for stands in &variables.shown {
                    let text = format!(
                        "{} stands for {} and {}",
                        stands.variable, stands.first, stands.second
                    );
                    out.line(text, None);
                }
                if variables.left_out > 0 {
                    out.line(format!("and {} more variables", variables.left_out), None);
                }
            }
            How::Vertices { vertices, edges } => {
                out.all(vertices, |out, vertex| {
                    out.add(becomes(vertex), vertex.cost)
                });
                if *edges > 0.0 {
                    out.add("edges inserted, deleted or relabelled", *edges);
                }
            }
            How::Counts { counts } => out.all(counts, |out, count| {
                let text = format!(
                    "{}: {} in the first, {} in the second",
                    count.feature, count.first, count.second
                );
                out.add(text, (count.first - count.second).abs());
            }),
            How::Induced {
                first,
                second,
                both,
                contributions,
                ..
            } => {
                out.add("the first with itself", *first);
                out.add("the second with itself", *second);
                out.add("both, counted off twice", *both);
                if let Some(contributions) = contributions {
                    out.depth += 1;
                    out.all(contributions, |out, of| out.add(&*of.what, of.amount));
                }
            }
            How::Divided { of, .. } | How::FirstComponent { of } => of.write(depth, lines),
        }
    }

    /// Whether there are lines to be read below one that names the values.
    fn has_parts(&self) -> bool {
        match &self.how {
            How::Plain
            | How::Equality { .. }
            | How::Difference { .. }
            | How::Missing { .. }
            | How::Empty { .. } => false,
            How::Divided { of, .. } | How::FirstComponent { of } => of.has_parts(),
            _ => true,
        }
    }
}

/// The values, and what is to be known of their comparison where that has no lines of its own.
fn compared(account: &Account) -> String {
    let both = format!("{} and {}", account.first, account.second);
    let note = match &account.how {
        How::Difference { range, .. } if *range != 1.0 => format!("divided by {range}"),
        How::Divided { by, of } if !of.has_parts() => format!("divided by {by}"),
        How::Missing { rule, absent } => missing(*rule, *absent).to_owned(),
        How::Empty { .. } => account.title(),
        _ => return both,
    };
    format!("{both}, {note}")
}

fn missing(rule: Missing, absent: Absent) -> &'static str {
    match (rule, absent) {
        (Missing::Skip, _) => "left out as missing",
        (Missing::Own, Absent::Both) => "both are missing, and that is the same",
        (Missing::Max, Absent::Both) => "both are missing, and as far as can be",
        (_, Absent::First) => "the first is missing, and as far as can be",
        (_, Absent::Second) => "the second is missing, and as far as can be",
    }
}

fn joins(combination: Combination) -> String {
    match combination {
        Combination::Sum | Combination::Mean => {
            format!("{} of the fields' distances", combination.name())
        }
        Combination::Euclidean => "root of the sum of the fields' squared distances".to_owned(),
        Combination::Rms => "root of the mean of the fields' squared distances".to_owned(),
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

fn place(position: &Position) -> String {
    let Position {
        path,
        depth,
        first,
        second,
        ..
    } = position;
    let path: Vec<String> = path.iter().map(u32::to_string).collect();
    let cut = if path.len() < *depth { "…." } else { "" };
    match depth {
        0 => format!("outermost: {first} and {second}"),
        _ => format!(
            "argument {cut}{}, depth {depth}: {first} and {second}",
            path.join(".")
        ),
    }
}

fn becomes(vertex: &Vertex) -> String {
    match (&vertex.first, &vertex.second, &vertex.labels) {
        (Some(node), Some(image), None) => format!("node {node} becomes {image}"),
        (Some(node), Some(image), Some((label, other))) => {
            format!("node {node} becomes {image}, `{label}` as `{other}`")
        }
        (Some(node), None, _) => format!("node {node} is deleted"),
        (None, image, _) => format!("node {} is inserted", image.as_deref().unwrap_or_default()),
    }
}

/// The measures of the layers of the four-layer distance begin so.
const LAYER: &str = "layer ";

/// Lines at one depth.
struct Writer<'a> {
    depth: usize,
    lines: &'a mut Vec<Line>,
}

impl Writer<'_> {
    fn line(&mut self, text: String, amount: Option<f64>) {
        self.lines.push(Line {
            depth: self.depth,
            text,
            amount,
        });
    }

    fn add(&mut self, text: impl Into<String>, amount: f64) {
        self.line(text.into(), Some(amount));
    }

    /// A part with its share of a distance, and below it what is behind that.
    fn part(&mut self, text: String, share: f64, account: &Account) {
        let amount = account.number().map(|number| share * number);
        self.line(text, amount);
        // How layers join their parts is said once, at the top.
        if account.measure.starts_with(LAYER) {
            return account.write(self.depth + 1, self.lines);
        }
        if account.has_parts() {
            let title = Line {
                depth: self.depth + 1,
                text: format!("{}:", account.title()),
                amount: None,
            };
            let place = self.lines.len();
            account.write(self.depth + 2, self.lines);
            if self.lines.len() > place {
                self.lines.insert(place, title);
            }
        }
    }

    fn more(&mut self, left_out: usize, rest: f64) {
        if left_out > 0 {
            self.add(format!("and {left_out} more"), rest);
        }
    }

    fn each<T>(&mut self, items: &Listed<T>, share: f64, tell: impl Fn(&mut Self, &T)) {
        for item in &items.shown {
            tell(self, item);
        }
        self.more(items.left_out, share * items.rest);
    }

    fn all<T>(&mut self, items: &Listed<T>, tell: impl Fn(&mut Self, &T)) {
        self.each(items, 1.0, tell);
    }

    fn edit(&mut self, edit: &Edit) {
        let items = &edit.items;
        let text = match (edit.action, &edit.becomes) {
            (Action::Keep, _) => format!("keep {items}"),
            (Action::Replace, becomes) => {
                let becomes = becomes.as_deref().unwrap_or_default();
                format!("replace {items} by {becomes}")
            }
            (Action::Insert, _) => format!("insert {items}"),
            (Action::Delete, _) => format!("delete {items}"),
        };
        self.add(text, edit.cost);
        if let Some(account) = &edit.account
            && account.has_parts()
        {
            account.write(self.depth + 1, self.lines);
        }
    }

    fn nearest(&mut self, member: &NearestMember, share: f64) {
        let account = &member.account;
        let (this, other) = match member.side {
            Side::First => (&account.first, &account.second),
            Side::Second => (&account.second, &account.first),
        };
        let decides = if member.decides {
            ", which decides"
        } else {
            ""
        };
        let side = side(member.side);
        let text = format!("{this} of the {side}: nearest is {other}{decides}");
        self.part(text, share, account);
    }
}
