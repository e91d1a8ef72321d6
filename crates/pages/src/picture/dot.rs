//! Trees in the language of Graphviz.

use std::fmt::Write;

use kinwood_learners::drawing::{Drawing, Mark, NodeDrawn};

use super::joins;
use super::svg::{branch, title};
use super::value::printed;
use super::words::{amount, lines, measures, short};
use crate::kit::plot::colour;
use crate::kit::width;

/// How many classes or labels of a distribution are listed.
const LISTED: usize = 6;
/// The room for a text, in pixels of ordinary letters.
const ROOM: f64 = 420.0;

/// Draws all trees as one graph, a cluster each where there are several.
pub fn dot(drawing: &Drawing) -> String {
    let mut dot = format!(
        "digraph {} {{\n  graph [label={}, labelloc=t, fontname=\"sans-serif\", ranksep=0.45, nodesep=0.25];\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#8895a5\", fontname=\"sans-serif\", fontsize=11, margin=\"0.12,0.06\"];\n  \
         edge [color=\"#66758a\", fontname=\"sans-serif\", fontsize=10, arrowsize=0.6];\n",
        quoted("trees"),
        quoted(&title(drawing))
    );
    let several = drawing.trees.len() > 1;
    for (number, tree) in drawing.trees.iter().enumerate() {
        let indent = if several { "    " } else { "  " };
        let about = format!("{}: {}", tree.name, measures(tree));
        if several {
            line(&mut dot, "  ", format_args!("subgraph cluster_{number} {{"));
            line(&mut dot, indent, format_args!("label={};", quoted(&about)));
            line(&mut dot, indent, format_args!("color=\"#b9c3cf\";"));
        } else {
            line(&mut dot, indent, format_args!("// {}", commented(&about)));
        }
        for (place, node) in tree.nodes.iter().enumerate() {
            line(
                &mut dot,
                indent,
                format_args!("t{number}n{place} [{}];", attributes(drawing, node)),
            );
        }
        for (place, node) in tree.nodes.iter().enumerate() {
            if let (Some((parent, _)), Some(branch)) = (node.parent, branch(tree, node)) {
                let said = match &branch.prototype {
                    Some(prototype) => width::cut(&printed(prototype), 11.0, ROOM / 2.0),
                    None => branch.words.clone(),
                };
                line(
                    &mut dot,
                    indent,
                    format_args!(
                        "t{number}n{parent} -> t{number}n{place} [label={}, penwidth={:.2}];",
                        quoted(&said),
                        1.0 + 3.0 * branch.share.clamp(0.0, 1.0)
                    ),
                );
            }
        }
        if several {
            line(&mut dot, "  ", format_args!("}}"));
        }
    }
    dot.push_str("}\n");
    dot
}

fn line(dot: &mut String, indent: &str, line: std::fmt::Arguments<'_>) {
    writeln!(dot, "{indent}{line}").expect("a string takes all that is written to it");
}

/// What is said of a node: its test, its answers, their distributions.
fn attributes(drawing: &Drawing, node: &NodeDrawn) -> String {
    let mut said: Vec<String> = node.test.iter().map(|test| test.words.clone()).collect();
    let answers = drawing.targets.iter().zip(&node.answers);
    for (line, (target, answer)) in lines(drawing, node).into_iter().zip(answers) {
        said.push(line);
        said.extend(distribution(&target.labels, answer));
    }
    let schema = drawing.schema.as_ref();
    said.extend(schema.and_then(|schema| joins::words(schema, &node.steps)));
    let cut: Vec<String> = said
        .iter()
        .map(|line| width::cut(line, 11.0, ROOM))
        .collect();
    let mut attributes = format!("label={}", quoted(&cut.join("\n")));
    if node.test.is_none() {
        let heavy = match node.answers.first() {
            Some(Mark::Stack { chosen, .. }) => *chosen,
            _ => None,
        };
        // Colours that have names in Graphviz's own way: others would need its colour schemes.
        let edge = heavy.map(colour).filter(|colour| colour.starts_with('#'));
        if let Some(edge) = edge {
            attributes += &format!(", color=\"{edge}\", penwidth=2");
        }
        attributes += ", fillcolor=\"#f1f5f9\"";
    }
    attributes
}

/// The heaviest classes or labels with their weights or shares.
fn distribution(labels: &[String], answer: &Mark) -> Option<String> {
    let (numbers, written): (_, fn(f64) -> String) = match answer {
        Mark::Stack { weights, .. } => (weights, amount),
        Mark::Shares(shares) => (shares, short),
        Mark::Number { .. } | Mark::Line { .. } => return None,
    };
    let mut order: Vec<usize> = (0..labels.len().min(numbers.len()))
        .filter(|&place| numbers[place] > 0.0)
        .collect();
    order.sort_by(|&a, &b| numbers[b].total_cmp(&numbers[a]).then(a.cmp(&b)));
    let listed: Vec<String> = order
        .iter()
        .take(LISTED)
        .map(|&place| format!("{} {}", labels[place], written(numbers[place])))
        .collect();
    let more = match order.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", +{more} more"),
    };
    Some(listed.join(", ") + &more)
}

/// A string of Graphviz that is shown as it is: no escapes, no entities of its own. Line breaks
/// divide lines.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '&' => quoted.push_str("&amp;"),
            '\n' => quoted.push_str("\\n"),
            character if character.is_control() => quoted.push(' '),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

fn commented(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_they_are() {
        assert_eq!(quoted("a\"b\\N&lt;"), r#""a\"b\\N&amp;lt;""#);
        assert_eq!(quoted("a\r\nb"), r#""a \nb""#);
    }
}
