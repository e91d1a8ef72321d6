//! A database: several tables with keys between them, learned from as they are.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use kinwood::prelude::*;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A folder of CSV files with a `schema.toml`; a SQLite file or `postgresql://…` is opened in
    // the same way.
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("molecules");
    let sample = sample::find("molecules")?;
    sample.write(300, 0.0, 1, &place, false)?;
    println!("The law in it: {}\n", sample.law);

    let data = open(&place, &Opening::default())?;
    println!("{}", kinwood::diagram::text(data.database()));

    // The target is a column of one table; learners that follow keys see the rows of the others.
    let choices = Choices {
        targets: vec!["molecule.activity".to_owned()],
        ..Choices::default()
    };
    let (problem, _) = data.problem(&choices)?;
    let (learners, context) = (Registry::new(), Context::new());
    let settings = [("pruning".to_owned(), "models".to_owned())];
    let origin = Origin {
        command: "cargo run --example database".to_owned(),
        data: data.source().to_owned(),
    };
    let (model, _) = Trained::fit(&learners, "mirt", &settings, &problem, &origin, &context)?;
    println!("{}", model.model().show());

    // The tree as a picture that opens anywhere.
    let picture = kinwood::picture::svg(&model.drawing()?).alone();
    assert!(picture.contains("<svg"));

    // How well does such a tree predict molecules that it has not seen?
    let folds = Division::Folds {
        folds: 3,
        repeats: 1,
    };
    let report = evaluate(
        &learners,
        "mirt",
        &settings,
        &problem,
        Some(&folds),
        data.source(),
        &context,
    )?;
    println!("{}", report.to_text());
    Ok(())
}
