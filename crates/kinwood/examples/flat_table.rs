//! A flat table: read a CSV file, measure a learner, keep a model, predict with it.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use kinwood::prelude::*;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A file to read: apples of an orchard, with numbers, labels, dates and missing values.
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("apples.csv");
    sample::find("table")?.write(300, 0.1, 1, &file, false)?;

    // Types and roles are found out; what was decided is told.
    let data = open(&file, &Opening::default())?;
    for notice in data.notices() {
        println!("note: {notice}");
    }
    let choices = Choices {
        targets: vec!["grade".to_owned()],
        ..Choices::default()
    };
    let (problem, _) = data.problem(&choices)?;

    // Ten folds, none of which is shown to the model that is tested on it.
    let (learners, context) = (Registry::new(), Context::new());
    for learner in ["majority", "tree"] {
        let report = evaluate(
            &learners,
            learner,
            &[],
            &problem,
            None,
            data.source(),
            &context,
        )?;
        println!("{}", report.to_text());
    }

    // A model of all rows, as text and as a file.
    let origin = Origin {
        command: "cargo run --example flat_table".to_owned(),
        data: data.source().to_owned(),
    };
    let (model, _) = Trained::fit(&learners, "tree", &[], &problem, &origin, &context)?;
    println!("{}", model.model().show());
    let kept = folder.path().join("apples.kin");
    model.save(&kept)?;

    // Another day: the model reads new data in its own terms, by the names of columns and labels.
    let model = Trained::load(&kept, &learners)?;
    let apples = View::new(Database::single(sample::table(3, 0.0, 2))?.into(), 0);
    let (apples, _) = model.conform(&apples)?;
    let predictions = model.predict(&apples, &context)?;
    let mut csv = Vec::new();
    kinwood::output::write_predictions(&mut csv, &apples, &predictions)?;
    println!("{}", String::from_utf8(csv)?);
    assert_eq!(predictions.targets[0].output.len(), 3);
    Ok(())
}
