//! Slips that people make who know other programs: `--k 3` for `--set k=3`.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use kinwood::learners::learning::alias;
use kinwood::learners::{Entry, Registry};
use kinwood_values::suggest::{did_you_mean, nearest};

/// The verbs that take settings.
const TAKE_SETTINGS: [&str; 4] = ["fit", "evaluate", "tune", "query"];

/// What to say of an option that is none of ours and was meant as a setting; `None` for all else.
pub fn answer(
    error: &clap::Error,
    words: &[OsString],
    command: &Command,
    registry: &Registry,
) -> Option<String> {
    if error.kind() == ErrorKind::InvalidSubcommand {
        return unknown_verb(error, command);
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let texts: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let verb = texts.iter().find(|word| TAKE_SETTINGS.contains(word))?;
    let name = option.trim_start_matches('-');
    let name = name.split('=').next()?.replace('-', "_");
    let named = texts.iter().find_map(|word| registry.find(word).ok());
    let setting = match named {
        Some(entry) => setting_of(entry, &name)?,
        None => registry
            .entries()
            .iter()
            .find_map(|entry| setting_of(entry, &name))?,
    };
    let value = value(&texts, option).unwrap_or("VALUE");
    let learner = named.map_or(String::new(), |entry| format!(" {}", entry.name));
    Some(format!(
        "error: `{verb}` has no option `{option}`\n help: settings: `--set {setting}={value}`; \
         `kinwood learners{learner}` lists them"
    ))
}

/// A verb that is none, and the nearest; clap does not know those that it does not list.
fn unknown_verb(error: &clap::Error, command: &Command) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    let near = nearest(word, names);
    Some(format!(
        "error: there is no verb `{word}`{}\n help: `kinwood --help` lists the verbs",
        did_you_mean(&near)
    ))
}

/// The setting of a learner that a name means or is near to.
fn setting_of(entry: &Entry, name: &str) -> Option<String> {
    let own = entry.own_name(name);
    let parameters = entry.all_parameters();
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    match names.contains(&own.as_str()) {
        true => Some(own),
        false => alias::related(name, &names),
    }
}

/// What stands behind the option.
fn value<'w>(words: &[&'w str], option: &str) -> Option<&'w str> {
    let at = words.iter().position(|word| {
        let rest = word.strip_prefix(option);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })?;
    match words[at].split_once('=') {
        Some((_, value)) => Some(value),
        None => words
            .get(at + 1)
            .copied()
            .filter(|next| !next.starts_with("--")),
    }
}

/// `kinwood help VERB` is `kinwood VERB --help`.
pub fn rewritten(words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let texts: Vec<Option<&str>> = words.iter().map(|word| word.to_str()).collect();
    match texts.as_slice() {
        [_, Some("help")] => vec![words[0].clone(), "--help".into()],
        [_, Some("help"), Some(verb), ..] if command.find_subcommand(verb).is_some() => {
            vec![words[0].clone(), (*verb).into(), "--help".into()]
        }
        // A word that is no verb is one that clap answers with the nearest.
        [_, Some("help"), Some(verb), ..] => vec![words[0].clone(), (*verb).into()],
        _ => words,
    }
}
