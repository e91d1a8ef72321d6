//! Models of every learner, as files and as listings of what the files hold.

use std::sync::Arc;

use kinwood::container::{Kind, Sections, Stored};
use kinwood::learners::testing::{linked_view, mixed_view};
use kinwood::learners::{Context, Generator, Registry};
use kinwood::{Origin, Problem, Trained, sample};
use kinwood_values::{Attribute, Column, Role, View};
use serde_json::{Map, Value, json};

/// Bags with a class and numbers.
fn bags() -> View {
    let mut generator = Generator::new(7, &[]);
    let (mut owners, mut class) = (Vec::new(), Vec::new());
    let mut columns: [Vec<f64>; 2] = Default::default();
    for bag in 0..6 {
        class.push(Some(["no", "yes"][bag % 2]));
        for member in 0..2 {
            owners.push(bag as f64);
            let special = f64::from(u8::from(bag % 2 == 1 && member == 0));
            columns[0].push(generator.normal() + 5.0 * special);
            columns[1].push(generator.normal());
        }
    }
    let class = Attribute::new("class", Column::nominal(class)).with_role(Role::Target);
    let [x, y] = columns.map(Column::numeric);
    let parts = vec![Attribute::new("x", x), Attribute::new("y", y)];
    linked_view(vec![class], ("member", owners), parts)
}

/// So many objects of a sample.
fn view(name: &str, objects: usize) -> View {
    let kind = sample::find(name).expect("it is a sample");
    let database = kind.make(objects, 0.1, 1).expect("a sample can be made");
    View::new(Arc::new(database), 0)
}

/// Rows that models of [`contents`] can be asked about.
pub fn asked() -> Vec<View> {
    vec![
        mixed_view(6),
        bags(),
        view("molecules", 5),
        view("phrases", 5),
        view("shapes", 5),
    ]
}

/// What a model of the seeds is made by: a learner, its settings, and the targets by name.
type Recipe = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

/// Models of flat rows.
const FLAT: &[Recipe] = &[
    ("majority", &[], &["class"]),
    ("mean", &[], &["amount"]),
    ("oner", &[], &["class"]),
    ("knn", &[], &["class", "amount"]),
    ("knn", &[("filter", "ib3"), ("k", "2")], &["class"]),
    ("knn", &[("k", "loo"), ("weights", "kernel")], &["amount"]),
    ("kstar", &[], &["class"]),
    ("citation_knn", &[], &["class"]),
    ("tree", &[("leaf", "1")], &["class", "amount"]),
    (
        "tree",
        &[("search", "beam"), ("width", "2"), ("size", "5")],
        &["class"],
    ),
    ("dbdt", &[], &["class"]),
    ("forest", &[("trees", "2")], &["class", "amount"]),
    (
        "boost",
        &[("trees", "3"), ("stopping", "none")],
        &["class", "amount"],
    ),
    (
        "auto",
        &[("learners", "majority, tree"), ("folds", "2")],
        &["class"],
    ),
    ("m5", &[], &["amount"]),
    ("centres", &[], &["class"]),
    ("svm", &[], &["class"]),
    ("svr", &[], &["amount"]),
    ("ridge", &[], &["amount"]),
];

/// A model of each learner, and of kinds of data that some of them are for.
fn trained() -> Vec<Trained> {
    let flat = FLAT.iter().map(|recipe| (mixed_view(12), *recipe));
    let (molecules, phrases, shapes) =
        (view("molecules", 10), view("phrases", 8), view("shapes", 8));
    let others: [(View, Recipe); 10] = [
        (bags(), ("mi_svm", &[], &["class"])),
        (bags(), ("citation_knn", &[], &["class"])),
        (molecules.clone(), ("mirt", &[("leaf", "1")], &["active"])),
        (
            molecules.clone(),
            ("tree", &[("flatten", "p2")], &["active"]),
        ),
        (molecules, ("knn", &[], &["active"])),
        (phrases.clone(), ("kstar", &[], &["mood"])),
        (phrases, ("svm", &[], &["mood"])),
        (
            shapes.clone(),
            ("boost", &[("trees", "2"), ("leaf", "1")], &["kind"]),
        ),
        (shapes.clone(), ("dbdt", &[], &["kind"])),
        (shapes, ("knn", &[], &["kind", "blossoms"])),
    ];
    flat.chain(others)
        .map(|(view, recipe)| fit(view, recipe))
        .collect()
}

fn fit(view: View, (learner, given, targets): Recipe) -> Trained {
    let place = |name: &&str| view.table().find(name).expect("a column");
    let targets = targets.iter().map(place).collect();
    let given: Vec<(String, String)> = given
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let problem = Problem {
        view,
        targets,
        rows: None,
        timing: None,
    };
    let (registry, context) = (Registry::new(), Context::new());
    let fitted = Trained::fit(
        &registry,
        learner,
        &given,
        &problem,
        &Origin::default(),
        &context,
    );
    match fitted {
        Ok((model, _)) => model,
        Err(error) => panic!("{learner}: {error}"),
    }
}

/// Model files.
pub fn models() -> Vec<Vec<u8>> {
    let bytes = |model: &Trained| {
        model
            .sections()
            .and_then(|sections| Ok(sections.to_bytes()?))
    };
    trained()
        .iter()
        .map(|model| bytes(model).expect("a model can be written"))
        .collect()
}

/// Model files as JSON text, section by section.
pub fn contents() -> Vec<Vec<u8>> {
    models()
        .into_iter()
        .map(|bytes| {
            let stored = Stored::from_bytes(bytes).expect("what was written can be read");
            listing(&stored).to_string().into_bytes()
        })
        .collect()
}

fn listing(stored: &Stored) -> Value {
    let section = |name: &str| -> Option<Value> {
        Some(match stored.shape(name).ok()?.0 {
            Kind::U8 => json!({"u8": stored.bytes(name).ok()?}),
            Kind::U32 => json!({"u32": stored.u32s(name).ok()?}),
            Kind::U64 => json!({"u64": stored.u64s(name).ok()?}),
            Kind::I64 => json!({"i64": stored.i64s(name).ok()?}),
            // JSON has no NaN: the filler of missing numbers goes as text.
            Kind::F64 => {
                json!({"f64": stored.f64s(name).ok()?.iter().map(f64::to_string).collect::<Vec<_>>()})
            }
            Kind::Text => json!({"text": stored.text(name).ok()?}),
            Kind::Json => json!({"json": stored.json::<Value>(name).ok()?}),
        })
    };
    let sections: Map<String, Value> = stored
        .names()
        .filter_map(|name| Some((name.to_owned(), section(name)?)))
        .collect();
    json!({"manifest": stored.manifest(), "sections": sections})
}

/// The sections that such a text describes.
pub fn sections(text: &[u8]) -> Option<Sections> {
    let listing: Value = serde_json::from_slice(text).ok()?;
    let mut sections = Sections::new();
    *sections.manifest_mut() = listing.get("manifest")?.as_object()?.clone();
    for (name, content) in listing.get("sections")?.as_object()? {
        let (kind, values) = content.as_object()?.iter().next()?;
        let items = values.as_array();
        let numbers = |most: u64| -> Option<Vec<u64>> {
            items?
                .iter()
                .map(|item| item.as_u64().filter(|number| *number <= most))
                .collect()
        };
        match kind.as_str() {
            "u8" => {
                let bytes: Vec<u8> = numbers(255)?
                    .into_iter()
                    .map(|number| number as u8)
                    .collect();
                sections.put_u8(name, &bytes)
            }
            "u32" => {
                let words: Vec<u32> = numbers(u64::from(u32::MAX))?
                    .into_iter()
                    .map(|number| number as u32)
                    .collect();
                sections.put_u32(name, &words)
            }
            "u64" => sections.put_u64(name, &numbers(u64::MAX)?),
            "i64" => sections.put_i64(
                name,
                &items?
                    .iter()
                    .map(Value::as_i64)
                    .collect::<Option<Vec<_>>>()?,
            ),
            "f64" => {
                let parse = |item: &Value| item.as_str()?.parse().ok();
                sections.put_f64(
                    name,
                    &items?.iter().map(parse).collect::<Option<Vec<f64>>>()?,
                )
            }
            "text" => sections.put_text(
                name,
                &items?
                    .iter()
                    .map(Value::as_str)
                    .collect::<Option<Vec<_>>>()?,
            ),
            "json" => sections.put_json(name, values),
            _ => return None,
        }
        .ok()?;
    }
    Some(sections)
}

#[cfg(test)]
mod tests {
    use kinwood::learners::testing::{CLASS, NUMBER};

    use super::*;

    #[test]
    fn every_learner_is_among_the_models() {
        let models = trained();
        for entry in Registry::new().entries() {
            let named = |model: &Trained| model.learner() == entry.name;
            assert!(models.iter().any(named), "{}", entry.name);
        }
        assert_eq!(mixed_view(1).table().attribute(CLASS).name, "class");
        assert_eq!(mixed_view(1).table().attribute(NUMBER).name, "amount");
    }
}
