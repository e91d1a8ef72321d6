//! The model loader, and every verb on what it loads.

use std::sync::LazyLock;

use kinwood::container::Stored;
use kinwood::learners::sql::Asked as Sql;
use kinwood::learners::{Context, Registry};
use kinwood::members::{Compared, members};
use kinwood::output::write_predictions;
use kinwood::report::{Asked, Rows, html as page, of_model};
use kinwood::{Origin, Trained, importance, picture};
use kinwood_values::{Database, View};

use crate::seeds;

static LEARNERS: LazyLock<Registry> = LazyLock::new(Registry::new);
/// Rows to ask models about: flat ones, bags, a database, structured columns.
static ROWS: LazyLock<Vec<View>> = LazyLock::new(seeds::asked);

/// A model file as bytes; checksums refuse most.
pub(super) fn file(bytes: &[u8]) -> bool {
    let Ok(stored) = Stored::from_bytes(bytes.to_vec()) else {
        return false;
    };
    load(&stored).is_some()
}

/// The sections of a model file without their checksums, so that mutations get past them. What is
/// loaded predicts and is shown.
pub(super) fn content(bytes: &[u8]) -> bool {
    let Some(model) = stored(bytes).as_ref().and_then(load) else {
        return false;
    };
    let _ = (model.show(), model.model().to_json());
    if let Some((rows, _)) = ROWS.iter().find_map(|rows| model.conform(rows).ok()) {
        let _ = model.predict(&rows, &Context::new());
    }
    true
}

/// The same, and everything that can be done with a model is done.
pub(super) fn verbs(bytes: &[u8]) -> bool {
    let Some(mut model) = stored(bytes).as_ref().and_then(load) else {
        return false;
    };
    show(&model);
    for rows in ROWS.iter() {
        if let Ok((rows, _)) = model.conform(rows) {
            ask(&model, &rows);
            append(&mut model, &rows);
            break;
        }
    }
    true
}

fn stored(bytes: &[u8]) -> Option<Stored> {
    let sections = seeds::sections(bytes)?;
    Stored::from_bytes(sections.to_bytes().ok()?).ok()
}

/// A database must give its values; a model that is loaded is written and loaded again.
fn load(stored: &Stored) -> Option<Trained> {
    if let Ok(database) = Database::read(&stored.scope("schema")) {
        for table in database.tables() {
            for attribute in table.attributes() {
                // Enough rows to touch what was read; a stated number of rows may be large where
                // they hold nothing.
                (0..table.rows().min(50)).for_each(|row| drop(attribute.column.value(row)));
            }
        }
    }
    Trained::from_stored(stored, "fuzz", &LEARNERS).ok()
}

/// Whatever is done without rows.
fn show(model: &Trained) {
    let _ = (model.show(), model.model().to_json(), model.model().facts());
    for asked in [Sql::Answers, Sql::Shares, Sql::Known] {
        let _ = (model.sql(asked), model.view("predictions", asked));
    }
    draw(model, None);
    let context = Context::new();
    let _ = members(model, &LEARNERS, None, &context).map(|report| report.to_text());
    let _ = of_model(model, None, &Asked::default(), &context).map(|report| page(&report));
    let count = model.members().ok().flatten().unwrap_or(1).min(3);
    for member in 1..=count {
        if let Ok(alone) = model.member(member) {
            let _ = (alone.show(), alone.model().to_json());
            draw(&alone, None);
        }
        let picked = model.pick(member, "pick");
        let _ = picked.and_then(|picked| Ok((picked.show(), picked.sections()?.to_bytes()?)));
    }
    if let Ok(bytes) = model.sections().and_then(|all| Ok(all.to_bytes()?)) {
        let again = Stored::from_bytes(bytes).map_err(|error| error.to_string());
        let again = again.and_then(|stored| {
            let loaded = Trained::from_stored(&stored, "fuzz", &LEARNERS);
            loaded.map_err(|error| error.to_string())
        });
        assert!(
            again.is_ok(),
            "what was loaded and written is refused: {:?}",
            again.err()
        );
    }
}

/// Every form of picture.
fn draw(model: &Trained, rows: Option<&View>) {
    let Ok(drawing) = model.drawing() else {
        return;
    };
    let ways = rows.and_then(|rows| picture::rows(model, &drawing, rows).ok());
    let _ = (picture::dot(&drawing), picture::svg(&drawing).alone());
    let _ = picture::html(&drawing, &ways.unwrap_or_default());
}

/// Whatever is done with rows.
fn ask(model: &Trained, rows: &View) {
    let context = Context::new();
    if let Ok(predictions) = model.predict(rows, &context) {
        let mut written = Vec::new();
        let _ = write_predictions(&mut written, rows, &predictions);
        let _ = predictions
            .targets
            .iter()
            .map(|target| target.output.len())
            .sum::<usize>();
    }
    if let Ok(explanation) = model.explain(rows, 0, 3) {
        let _ = (explanation.to_text(), explanation.to_json());
    }
    let _ = model.visited(rows, 1);
    draw(model, Some(rows));
    if let Ok(report) = importance::importance(model, rows, "fuzz", &[], 1, &context) {
        let _ = (report.to_text(), report.to_json(), report.drawing().alone());
    }
    let compared = Compared {
        conformed: rows,
        data: "fuzz",
        measures: &[],
        folds: None,
    };
    if let Ok(report) = members(model, &LEARNERS, Some(&compared), &context) {
        let _ = (report.to_text(), report.to_json());
    }
    let asked = Rows {
        conformed: rows,
        source: "fuzz",
    };
    let report = of_model(model, Some(asked), &Asked::default(), &context);
    let _ = report.map(|report| page(&report));
}

/// More rows, and an answer afterwards.
fn append(model: &mut Trained, rows: &View) {
    let origin = Origin {
        command: "append".to_owned(),
        data: "fuzz".to_owned(),
    };
    if model.append(rows, &origin).is_ok() {
        let _ = (model.predict(rows, &Context::new()), model.show());
        let _ = model
            .sections()
            .and_then(|sections| Ok(sections.to_bytes()?));
    }
}
