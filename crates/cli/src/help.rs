//! Help: the verbs in groups, examples of each, and answers to slips that clap does not know of.

mod examples;
mod slips;

use clap::Command;

pub use slips::{answer, rewritten};

/// The verbs by what one wants to do.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Data", &["describe", "convert", "sample", "task"]),
    (
        "Learn and predict",
        &["learners", "fit", "predict", "append", "pick", "query"],
    ),
    (
        "Judge",
        &["evaluate", "compare", "tune", "importance", "reproduce"],
    ),
    ("Look", &["tour", "show", "report"]),
    (
        "Compare objects",
        &[
            "distance",
            "distances",
            "matrix",
            "neighbours",
            "cluster",
            "map",
        ],
    ),
];

/// Where verbs stand that no group names.
const OTHERS: &str = "More";

/// The headings of help as clap writes them; what is no terminal gets them without the codes.
const HEADING: (&str, &str) = ("\u{1b}[1m\u{1b}[4m", "\u{1b}[0m");

/// The command line with its help. It is given the plain one: verbs know help, not the other way.
pub fn command(plain: Command) -> Command {
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{{all-args}}{{after-help}}",
        grouped(&plain)
    );
    let names: Vec<String> = plain
        .get_subcommands()
        .map(|verb| verb.get_name().to_owned())
        .collect();
    // Verbs that clap would list once more are hidden from its own list.
    let plain = plain
        .help_template(template)
        .override_usage("kinwood [OPTIONS] <VERB>");
    names.iter().fold(plain, |command, name| {
        let shown = examples::text(name);
        command.mut_subcommand(name, |verb| verb.hide(true).after_help(shown))
    })
}

/// The words of a command line, of which some stand in single or double quotes.
pub fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The list of verbs, a heading a group.
fn grouped(command: &Command) -> String {
    let verbs: Vec<&Command> = command.get_subcommands().collect();
    let width = verbs.iter().map(|verb| verb.get_name().len()).max();
    let width = width.unwrap_or_default();
    let line = |verb: &Command| {
        let about = verb.get_about().map(ToString::to_string);
        let name = verb.get_name();
        format!("  {name:<width$}  {}\n", about.unwrap_or_default())
    };
    let known = |name: &&str| GROUPS.iter().any(|(_, names)| names.contains(name));
    let others = verbs.iter().map(|verb| verb.get_name());
    let others: Vec<&str> = others.filter(|name| !known(name)).collect();
    let groups = GROUPS.iter().map(|(group, names)| (*group, names.to_vec()));
    let (on, off) = HEADING;
    groups
        .chain([(OTHERS, others)])
        .map(|(group, names)| {
            let named = names
                .iter()
                .filter_map(|name| verbs.iter().find(|verb| verb.get_name() == *name));
            let lines: String = named.map(|verb| line(verb)).collect();
            format!("{on}{group}:{off}\n{lines}\n")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::command;

    #[test]
    fn every_verb_has_a_line_that_fits_and_examples_that_parse() {
        let command = command();
        for verb in command.get_subcommands() {
            let name = verb.get_name();
            let about = verb.get_about().unwrap().to_string();
            assert!(about.len() <= 64, "`{name}`: {about}");
            let examples = examples::of(name);
            assert!(!examples.is_empty(), "`{name}` has no example");
            for example in examples {
                let outcome = command.clone().try_get_matches_from(words(example.command));
                assert!(
                    outcome.is_ok(),
                    "{}: {}",
                    example.command,
                    outcome.unwrap_err()
                );
            }
        }
    }

    #[test]
    fn help_lists_the_verbs_once_and_in_groups() {
        let text = command().render_help().to_string();
        for verb in command().get_subcommands() {
            let listed = text.matches(&format!("\n  {} ", verb.get_name())).count();
            assert_eq!(listed, 1, "{}", verb.get_name());
        }
        let at = |heading: &str| text.find(heading).unwrap();
        assert!(at("Data:") < at("Learn and predict:") && at("Judge:") < at("Look:"));
    }
}
