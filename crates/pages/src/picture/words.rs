//! What nodes say, in few words.

pub(super) use kinwood_learners::drawing::amount;
use kinwood_learners::drawing::{self, Drawing, Mark, NodeDrawn, TargetDrawn, TreeDrawn};
use kinwood_values::notice::counted;

use crate::kit::width;

/// From this share on a label is said to be there.
const PRESENT: f64 = 0.5;
/// How many labels of a set are named.
const NAMED: usize = 4;

/// A number to four digits.
pub(super) fn short(number: f64) -> String {
    drawing::short(number, 4, -4.0..9.0)
}

/// A text cut to its room in the middle: the threshold of a test stands at its end.
pub(super) fn cut_within(text: &str, size: f64, most: f64) -> String {
    let letters: Vec<char> = text.chars().collect();
    let kept = |count: usize| -> String {
        let tail = count * 2 / 5;
        let (head, tail) = (&letters[..count - tail], &letters[letters.len() - tail..]);
        head.iter().chain(&['…']).chain(tail).collect()
    };
    if width::of(text, size) <= most {
        return width::cut(text, size, most);
    }
    let (mut least, mut greatest) = (0, letters.len());
    while least < greatest {
        let middle = (least + greatest).div_ceil(2);
        match width::of(&kept(middle), size) <= most {
            true => least = middle,
            false => greatest = middle - 1,
        }
    }
    width::cut(&kept(least), size, most)
}

/// A text in at most so many lines, broken between words; the last is cut to its room.
pub(super) fn wrapped(text: &str, size: f64, most: f64, lines: usize) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        let mut line = word.to_owned();
        if wrapped.len() + 1 >= lines {
            let rest: Vec<&str> = words.by_ref().collect();
            line = std::iter::once(word)
                .chain(rest)
                .collect::<Vec<_>>()
                .join(" ");
        }
        while let Some(next) = words.peek() {
            let longer = format!("{line} {next}");
            if width::of(&longer, size) > most {
                break;
            }
            line = longer;
            words.next();
        }
        wrapped.push(width::cut(&line, size, most));
    }
    wrapped
}

/// What is predicted, and on what ground.
pub(super) fn said(target: &TargetDrawn, answer: &Mark, weight: f64) -> (String, String) {
    match answer {
        Mark::Stack { weights, chosen } => match *chosen {
            Some(class) => (
                target.labels.get(class).cloned().unwrap_or_default(),
                format!(
                    "{} of {}",
                    amount(weights[class]),
                    amount(weights.iter().sum())
                ),
            ),
            None => ("?".to_owned(), "of 0".to_owned()),
        },
        Mark::Number {
            mean,
            deviation,
            weight,
            formula,
        } => {
            let ground = format!("sd {} of {}", short(*deviation), amount(*weight));
            match formula {
                Some(formula) => (formula.clone(), format!("mean {} {ground}", short(*mean))),
                None => (short(*mean), ground),
            }
        }
        Mark::Shares(shares) => {
            let present: Vec<&str> = target
                .labels
                .iter()
                .zip(shares)
                .filter(|(_, share)| **share >= PRESENT)
                .map(|(label, _)| label.as_str())
                .collect();
            let named = present[..present.len().min(NAMED)].join(", ");
            let more = match present.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" +{more}"),
            };
            (
                format!("{{{named}{more}}}"),
                format!("of {}", amount(weight)),
            )
        }
        Mark::Line { said, ground, .. } => (said.clone(), ground.clone()),
    }
}

/// What a node says of all targets, in a line each: `class 3 of 4`, with the target's name where
/// there are several.
pub(super) fn lines(drawing: &Drawing, node: &NodeDrawn) -> Vec<String> {
    let answers = drawing.targets.iter().zip(&node.answers);
    answers
        .map(|(target, answer)| {
            let (what, ground) = said(target, answer, node.weight);
            match drawing.targets.len() {
                1 => format!("{what} {ground}"),
                _ => format!("{}: {what} {ground}", target.name),
            }
        })
        .collect()
}

/// How good and how large a tree is, in a line.
pub(super) fn measures(tree: &TreeDrawn) -> String {
    let leaves = match tree.leaves() {
        1 => "1 leaf".to_owned(),
        leaves => format!("{leaves} leaves"),
    };
    let size = format!(
        "{}, {leaves}, depth {}",
        counted(tree.nodes.len(), "node"),
        tree.depth()
    );
    match tree.score {
        Some(score) => format!("score {}, {size}", short(score)),
        None => size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let written: Vec<String> = [0.0, 1.0, 0.12345, 12_345.6, -2.5, 1e12, 3.2e-7]
            .into_iter()
            .map(short)
            .collect();
        assert_eq!(
            written,
            ["0", "1", "0.1235", "12346", "-2.5", "1.000e12", "3.200e-7"]
        );
        assert_eq!((amount(3.0), amount(2.5)), ("3".into(), "2.50".into()));
    }

    #[test]
    fn what_stands_at_the_end_is_kept() {
        let text = "a column with a very long name > 0.75";
        let cut = cut_within(text, 12.0, 150.0);
        assert!(
            cut.starts_with("a column") && cut.ends_with(" > 0.75"),
            "{cut}"
        );
        assert!(width::of(&cut, 12.0) <= 150.0);
        assert_eq!(cut_within("short", 12.0, 150.0), "short");
        assert_eq!(cut_within(text, 12.0, 0.0), "…");
    }

    #[test]
    fn long_texts_are_broken_between_words() {
        let text = "has an atom that has a bond (as atom2) with type = 7";
        let lines = wrapped(text, 12.0, 120.0, 9);
        assert!(lines.len() > 2 && lines.join(" ") == text, "{lines:?}");
        assert!(lines.iter().all(|line| width::of(line, 12.0) <= 120.0));
        let cut = wrapped(text, 12.0, 120.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('…'), "{cut:?}");
        assert_eq!(wrapped("short", 12.0, 120.0, 2), ["short"]);
    }

    #[test]
    fn nothing_known_is_said_as_such() {
        let target = TargetDrawn {
            name: "c".to_owned(),
            kind: "classes",
            labels: vec!["a".to_owned(), "b".to_owned()],
        };
        let said_by = |weights: [f64; 2]| said(&target, &Mark::stack(weights.into()), 4.0);
        assert_eq!(said_by([0.0, 0.0]).0, "?");
        assert_eq!(said_by([1.0, 1.0]), ("a".to_owned(), "1 of 2".to_owned()));
    }
}
