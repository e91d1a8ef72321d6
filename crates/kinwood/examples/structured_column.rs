//! A structured column: lists of words, compared by an edit distance and learned from without being
//! flattened.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use kinwood::objects::{Compared, Objects};
use kinwood::prelude::*;
use kinwood::similarity::nearest;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (tables, keys) = sample::find("phrases")?.make(200, 0.0, 1)?.into_parts();
    let data = gather(Tables {
        source: "phrases".to_owned(),
        tables,
        keys: Some(keys),
        ..Tables::default()
    })?;
    let words = data.database().table(0).find("words")?;
    let column = &data.database().table(0).attribute(words).column;
    println!("words: {}", column.type_of());
    println!("the first phrase: {}\n", column.value(0));

    // The phrases most like the first one. An expression names the distance, and that of the
    // members inside it.
    let asked = Compared {
        column: Some("words".to_owned()),
        distance: Some("edit(discrete)".to_owned()),
        ..Compared::default()
    };
    let (phrases, _) = Objects::of(&data, &asked)?;
    let pairs = phrases.pairs("neighbours")?;
    for near in nearest(&*pairs.prepare(0), phrases.len(), 4) {
        println!("{:>5}  {}", near.distance, column.value(near.reference));
    }

    // The mood depends on the order of two words. Learners take the column as it is: by its nearest
    // values (`knn`), or by prototypes that a tree chooses (`dbdt`).
    let choices = Choices {
        targets: vec!["mood".to_owned()],
        roles: vec![("length".to_owned(), Role::Ignore)],
        ..Choices::default()
    };
    let (problem, _) = data.problem(&choices)?;
    let (learners, context) = (Registry::new(), Context::new());
    for learner in ["majority", "knn", "dbdt"] {
        let report = evaluate(
            &learners,
            learner,
            &[],
            &problem,
            None,
            data.source(),
            &context,
        )?;
        let accuracy = report.evaluation.mean("accuracy").unwrap_or_default();
        println!("{learner:<9} {:.1} %", 100.0 * accuracy);
    }
    Ok(())
}
