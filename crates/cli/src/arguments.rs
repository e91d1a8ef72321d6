//! The command line: what every verb takes, and the parts that several verbs share.

pub mod amounts;
pub mod comparing;
pub mod data;
pub mod dividing;
pub mod general;
pub mod pairs;

use clap::Parser;

pub use comparing::Comparing;
pub use data::{Reading, Roles};
pub use dividing::Dividing;
pub use general::General;

use crate::verbs::Verb;

/// Learn from data that is not a flat table: structured values, bags, databases, logical facts
#[derive(Debug, Parser)]
#[command(
    name = "kinwood",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    subcommand_required = true,
    disable_help_subcommand = true,
    subcommand_value_name = "VERB",
    subcommand_help_heading = "Verbs",
    after_help = "`kinwood tour` shows the main verbs on built-in data; `kinwood VERB --help` explains a verb."
)]
pub struct Arguments {
    /// What every verb takes.
    #[command(flatten)]
    pub general: General,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn check(command: &clap::Command, path: &str) {
        assert!(command.get_about().is_some(), "`{path}` has no help");
        for argument in command.get_arguments() {
            let name = argument.get_id();
            assert!(
                argument.get_help().is_some(),
                "`{path}`: `{name}` has no help"
            );
            let takes_value = argument.get_action().takes_values();
            let named = argument.get_value_names().is_some_and(|names| {
                names
                    .iter()
                    .all(|name| name.chars().all(|c| !c.is_lowercase()))
            });
            assert!(
                !takes_value || named,
                "`{path}`: `{name}` does not name its value"
            );
        }
        for verb in command.get_subcommands() {
            check(verb, &format!("{path} {}", verb.get_name()));
        }
    }

    #[test]
    fn every_verb_and_argument_has_help_and_names_its_value() {
        let mut command = Arguments::command();
        command.build();
        check(&command, "kinwood");
    }

    #[test]
    fn the_command_line_holds_together() {
        Arguments::command().debug_assert();
    }
}
