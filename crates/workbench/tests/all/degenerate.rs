//! Every learner on data that has next to nothing to learn from, or numbers at the ends of what
//! numbers are: fit, save, load, predict, show and evaluate end in a right answer or in a clear
//! error, and never in a panic or in a number that is none.
//!
//! What came out is a table in docs/reliability.md; `KINWOOD_UPDATE_GOLDEN=1` (`cargo xtask
//! golden`) writes it.

mod data;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use kinwood_container::Stored;
use kinwood_learners::{Context, Entry, Predictions, Registry, Targets};
use kinwood_values::View;
use kinwood_workbench::evaluate::{Division, evaluate};
use kinwood_workbench::output::write_predictions;
use kinwood_workbench::{Origin, Problem, Trained};

use data::Degenerate;

/// What came of a learner on some data.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// All was right.
    Right,
    /// The model was right; it could not be evaluated, for this reason.
    NotEvaluated(String),
    /// There is no model, for this reason.
    Refused(String),
}

/// The words of a text, numbers and names apart.
fn has_no_number(text: &str) -> Option<&'static str> {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let words: BTreeSet<&str> = text.split(word).collect();
    ["NaN", "inf", "-inf", "Infinity"]
        .into_iter()
        .find(|none| words.contains(none))
}

/// The reason without what differs from one data set to another.
fn reason(message: &str) -> String {
    assert!(!message.is_empty(), "an error says something");
    assert!(
        !message.contains("panicked") && !message.contains("called `"),
        "an error is no panic: {message}"
    );
    let mut told = String::new();
    for (place, part) in message.split('`').enumerate() {
        // What stands in quotes is a name.
        told += if place % 2 == 1 { "`…`" } else { part };
    }
    let mut short = String::new();
    for c in told.chars() {
        match c.is_ascii_digit() {
            true if short.ends_with('N') => {}
            true => short.push('N'),
            false => short.push(c),
        }
    }
    short.replace("N.N", "N").replace("`…`, `…`", "`…`")
}

/// What must hold of predictions, whatever they say.
fn check_predictions(said: &Predictions, rows: &View, target: usize) -> Result<(), String> {
    let [answer] = said.targets.as_slice() else {
        return Err(format!("{} targets", said.targets.len()));
    };
    let (output, truth) = (&answer.output, &rows.table().attribute(target).column);
    if output.len() != rows.len() {
        return Err(format!("{} answers for {} rows", output.len(), rows.len()));
    }
    if let Some(number) = output.numbers().iter().find(|number| !number.is_finite()) {
        return Err(format!("{number} is predicted"));
    }
    let known: Vec<usize> = (0..truth.len())
        .filter(|&row| truth.is_present(row))
        .collect();
    for row in 0..rows.len() {
        if let Some(classes) = output.kind().as_classes() {
            let shares = output.row(row);
            let sum: f64 = shares.iter().sum();
            if shares.len() != classes.len() || (sum - 1.0).abs() > 1e-9 {
                return Err(format!(
                    "probabilities {shares:?} of {} classes",
                    classes.len()
                ));
            }
            if shares
                .iter()
                .any(|share| !(0.0..=1.0 + 1e-12).contains(share))
            {
                return Err(format!("probabilities {shares:?}"));
            }
            let class = output.class(row);
            if !known.iter().any(|&row| truth.code(row) == class) {
                return Err(format!("class {class:?} is of no row"));
            }
        } else {
            let numbers: Vec<f64> = known.iter().filter_map(|&row| truth.number(row)).collect();
            let first = numbers.first().copied().unwrap_or(0.0);
            let constant = numbers.iter().all(|number| *number == first);
            let said = output.number(row).ok_or("no number")?;
            if constant && (said - first).abs() > 1e-6 * (1.0 + first.abs()) {
                return Err(format!("{said} is predicted where all rows have {first}"));
            }
        }
    }
    Ok(())
}

/// Whose numbers are means of what training rows have, and so within their range.
const MEANS: [&str; 6] = ["mean", "knn", "kstar", "citation_knn", "tree", "forest"];

fn check_range(name: &str, said: &Predictions, rows: &View, target: usize) -> Result<(), String> {
    let output = &said.targets[0].output;
    if !MEANS.contains(&name) || !output.kind().is_number() {
        return Ok(());
    }
    let truth = &rows.table().attribute(target).column;
    let known = (0..truth.len()).filter_map(|row| truth.number(row));
    let (least, greatest) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    let slack = 1e-9 * least.abs().max(greatest.abs());
    for row in 0..output.len() {
        let number = output.number(row).unwrap_or(f64::NAN);
        if !(least - slack..=greatest + slack).contains(&number) {
            return Err(format!("a mean {number} outside of {least} to {greatest}"));
        }
    }
    Ok(())
}

/// Runs everything a user would; the error says what was wrong.
fn tried(entry: &Entry, of: &Degenerate, rows: &View, target: &str) -> Result<Outcome, String> {
    let registry = Registry::new();
    let context = Context::new().with_threads(1);
    let column = rows
        .table()
        .find(target)
        .map_err(|error| error.to_string())?;
    let problem = Problem {
        view: rows.clone(),
        targets: vec![column],
        rows: None,
        timing: None,
    };
    // A few trees are enough of a forest.
    let has_trees = entry.parameters.iter().any(|of| of.name == "trees");
    let given: Vec<(String, String)> = match has_trees {
        true => vec![("trees".to_owned(), "4".to_owned())],
        false => Vec::new(),
    };
    let origin = Origin {
        command: "a test".to_owned(),
        data: of.name.to_owned(),
    };
    let fitted = Trained::fit(&registry, entry.name, &given, &problem, &origin, &context);
    let trained = match fitted {
        Ok((trained, _)) => trained,
        Err(error) => return Ok(Outcome::Refused(reason(&error.to_string()))),
    };
    let bytes = trained
        .sections()
        .and_then(|sections| Ok(sections.to_bytes()?));
    let bytes = bytes.map_err(|error| format!("a model that is not written: {error}"))?;
    let stored = Stored::from_bytes(bytes).map_err(|error| error.to_string())?;
    let again = Trained::from_stored(&stored, "model.kin", &registry)
        .map_err(|error| format!("a model that is not read: {error}"))?;
    let answers = |trained: &Trained| -> Result<(View, Predictions), String> {
        let (view, _) = trained.conform(rows).map_err(|error| error.to_string())?;
        let said = trained.predict(&view, &context);
        Ok((
            view,
            said.map_err(|error| format!("no prediction: {error}"))?,
        ))
    };
    let ((view, said), (_, same)) = (answers(&trained)?, answers(&again)?);
    if said != same {
        return Err("a loaded model predicts otherwise".to_owned());
    }
    check_predictions(&said, rows, column)?;
    check_range(entry.name, &said, rows, column)?;
    let mut written = Vec::new();
    write_predictions(&mut written, &view, &said).map_err(|error| error.to_string())?;
    let shown = trained.show().0;
    if shown.trim().is_empty() {
        return Err("nothing is shown".to_owned());
    }
    let division = Division::Folds {
        folds: 3,
        repeats: 1,
    };
    let report = evaluate(
        &registry,
        entry.name,
        &given,
        &problem,
        Some(&division),
        of.name,
        &context,
    );
    let report = match report {
        Ok(report) => report,
        Err(error) => return Ok(Outcome::NotEvaluated(reason(&error.to_string()))),
    };
    let texts = [
        ("show", shown),
        ("predict", String::from_utf8_lossy(&written).into_owned()),
        ("evaluate", report.to_text()),
        ("evaluate as JSON", report.to_json().to_string()),
        ("the model as JSON", trained.model().to_json().to_string()),
    ];
    for (verb, text) in texts.iter().filter(|_| !of.odd_words) {
        // Data with infinite inputs is shown as it is.
        if let Some(word) = has_no_number(text)
            && !of.name.starts_with("infinite")
        {
            return Err(format!("{verb} says {word}: {text}"));
        }
    }
    Ok(Outcome::Right)
}

/// The outcome, where a panic is one that is wrong.
fn outcome(entry: &Entry, of: &Degenerate, target: &str) -> Result<Outcome, String> {
    let rows = match entry.name {
        "mi_svm" => &of.bags,
        _ => &of.rows,
    };
    let caught = catch_unwind(AssertUnwindSafe(|| tried(entry, of, rows, target)));
    caught.unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<String>().map(String::as_str);
        let words = words.or(payload.downcast_ref::<&str>().copied());
        Err(format!("a panic: {}", words.unwrap_or("without words")))
    })
}

/// The targets that a learner is tried on.
fn targets(entry: &Entry) -> &'static [&'static str] {
    match entry.targets {
        targets if targets == Targets::NOMINAL => &["class"],
        targets if targets == Targets::NUMERIC => &["amount"],
        _ => &["class", "amount"],
    }
}

const BEGIN: &str = "<!-- degenerate data -->";
const END: &str = "<!-- end -->";

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reliability.md")
}

/// How a cell says an outcome, by the place of its reason among all.
fn mark(outcome: &Outcome, reasons: &mut Vec<String>) -> String {
    let mut number = |reason: &String| {
        let place = reasons.iter().position(|known| known == reason);
        1 + place.unwrap_or_else(|| {
            reasons.push(reason.clone());
            reasons.len() - 1
        })
    };
    match outcome {
        Outcome::Right => "✓".to_owned(),
        Outcome::NotEvaluated(reason) => format!("✓{}", number(reason)),
        Outcome::Refused(reason) => number(reason).to_string(),
    }
}

#[test]
fn degenerate_data_ends_in_a_right_answer_or_a_clear_error() {
    let registry = Registry::new();
    let sets = data::all();
    assert!(sets.len() >= 40, "{}", sets.len());
    let names: Vec<String> = registry
        .entries()
        .iter()
        .map(|entry| format!("`{}`", entry.name))
        .collect();
    let mut table = format!("| data | {} |\n| --- |", names.join(" | "));
    table += &" --- |".repeat(names.len());
    let (mut reasons, mut wrong) = (Vec::new(), Vec::new());
    for of in &sets {
        table += &format!("\n| {} |", of.name);
        for entry in registry.entries() {
            let mut marks = Vec::new();
            for target in targets(entry) {
                match outcome(entry, of, target) {
                    Ok(outcome) => marks.push(mark(&outcome, &mut reasons)),
                    Err(what) => {
                        marks.push("✗".to_owned());
                        wrong.push(format!("{} on {}, {target}: {what}", entry.name, of.name));
                    }
                }
            }
            marks.dedup();
            table += &format!(" {} |", marks.join(" / "));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    table += "\n\n";
    for (place, reason) in reasons.iter().enumerate() {
        table += &format!("{}. {reason}\n", place + 1);
    }
    let path = page();
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the place of the table");
    let (_, after) = rest.split_once(END).expect("the end of the table");
    let now = format!("{before}{BEGIN}\n{table}{END}{after}");
    if now == text {
        return;
    }
    match std::env::var_os("KINWOOD_UPDATE_GOLDEN").is_some() {
        true => std::fs::write(&path, now).unwrap(),
        false => panic!(
            "the table in {} is not what comes out: `cargo xtask golden` writes it",
            path.display()
        ),
    }
}
