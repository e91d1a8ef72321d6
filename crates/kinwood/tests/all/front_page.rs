use kinwood::prelude::*;

#[test]
fn molecules_are_learned_from() -> Result<()> {
    // Three tables and the keys between them. Files, folders and databases are read by `open`.
    let (tables, keys) = sample::find("molecules")?.make(150, 0.0, 1)?.into_parts();
    let data = gather(Tables {
        source: "molecules".to_owned(),
        tables,
        keys: Some(keys),
        ..Tables::default()
    })?;

    // What is to be predicted. What was decided on the way is told, for people to read.
    let (problem, _notices) = data.problem(&Choices {
        targets: vec!["molecule.activity".to_owned()],
        ..Choices::default()
    })?;

    // How well do relational model trees predict molecules that they have not seen?
    let (learners, context) = (Registry::new(), Context::new());
    let folds = Division::Folds {
        folds: 3,
        repeats: 1,
    };
    let settings = [("pruning".to_owned(), "models".to_owned())];
    let report = evaluate(
        &learners,
        "mirt",
        &settings,
        &problem,
        Some(&folds),
        data.source(),
        &context,
    )?;
    let error = report.evaluation.mean("rmse");
    assert!(
        error.is_some_and(|error| error < 2.0),
        "{}",
        report.to_text()
    );

    // The model itself: it says what it has learned, and predicts data in its own terms.
    let origin = Origin {
        data: data.source().to_owned(),
        ..Origin::default()
    };
    let (model, _notices) =
        Trained::fit(&learners, "mirt", &settings, &problem, &origin, &context)?;
    assert!(model.model().show().contains("bond"));
    let (molecules, _notices) = model.conform(&problem.view)?;
    let predictions = model.predict(&molecules, &context)?;
    assert_eq!(predictions.targets[0].output.len(), 150);
    Ok(())
}
