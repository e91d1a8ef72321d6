//! The JSON form of descriptions keeps the contract of `docs/schemas/describe.json`.

use std::collections::BTreeMap;

use boon::{Compiler, SchemaIndex, Schemas};
use kinwood_pages::describe::{About, Description};
use kinwood_testing::{any_type, any_value_of};
use kinwood_values::{Attribute, Column, Database, ForeignKey, Notice, Role, Table};
use kinwood_workbench::sample;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

const SCHEMA: &str = include_str!("../../../../docs/schemas/describe.json");

struct Contract {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Contract {
    fn read() -> Self {
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        let schema = serde_json::from_str(SCHEMA).unwrap();
        compiler.add_resource("describe.json", schema).unwrap();
        let index = compiler.compile("describe.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    fn broken_by(&self, json: &Json) -> Option<String> {
        let outcome = self.schemas.validate(json, self.index);
        outcome.err().map(|error| format!("{error:#}"))
    }
}

fn as_json(description: &Description) -> Json {
    serde_json::to_value(description).unwrap()
}

/// Apples and the trees they grew on, with everything a description may hold.
fn orchard() -> Json {
    let apples = sample::table(120, 0.1, 1);
    let tree_of = (0..120_u32).map(|apple| f64::from(apple % 7)).collect();
    let mut attributes = apples.attributes().to_vec();
    attributes.push(Attribute::new("tree", Column::numeric(tree_of)).with_role(Role::Id));
    let mut paths = Attribute::new("paths", Column::nominal([Some("1/2")].repeat(120)));
    paths.hierarchy = Some('/');
    attributes.push(paths);
    let apples = Table::new("apples", attributes).unwrap();
    let age = Attribute::new("age", Column::numeric((0..6).map(f64::from).collect()));
    let number = Attribute::new("number", Column::numeric((0..6).map(f64::from).collect()));
    let mut trees = Table::new("trees", vec![number, age]).unwrap();
    trees.set_key(Some(vec![0]));
    let grows_on = ForeignKey {
        name: "grows_on".into(),
        from: 0,
        from_columns: vec![9],
        to: 1,
        to_columns: vec![0],
        describes: Some(false),
    };
    let (database, mut notices) = Database::new(vec![apples, trees], vec![grows_on]).unwrap();
    notices.push(Notice::new("`id` identifies rows"));
    let about = About {
        source: "orchard/".into(),
        formats: vec!["CSV".into(), "ARFF".into()],
        evidence: vec![vec!["all 120 values are whole numbers".into()]],
        role_reasons: BTreeMap::from([((0, 9), "it refers to `trees`".into())]),
        targets: vec![(0, 7), (0, 8)],
        notices: notices.iter().map(ToString::to_string).collect(),
        inferred: kinwood_values::keys::infer(&database),
        facts: vec!["an example is an ID of `apple`".into()],
    };
    as_json(&Description::of(&database, &about))
}

#[test]
fn a_database_with_everything_keeps_the_contract() {
    let json = orchard();
    assert_eq!(Contract::read().broken_by(&json), None);
    assert_eq!(json["tables"][1]["key"], json!(["number"]));
    assert_eq!(
        json["tables"][0]["columns"][9]["role_reason"],
        "it refers to `trees`"
    );
    assert_eq!(json["tables"][0]["columns"][10]["hierarchy"], "/");
    assert_eq!(json["foreign_keys"][0]["dangling"], 17);
    assert_eq!(
        json["foreign_keys"][0]["children"],
        json!({"min": 17, "mean": 103.0 / 6.0, "max": 18})
    );
    let classes = json["targets"][0]["distribution"].as_array().unwrap();
    let shares: f64 = classes
        .iter()
        .map(|class| class["share"].as_f64().unwrap())
        .sum();
    assert!((shares - 1.0).abs() < 1e-12);
    assert_eq!(json["targets"][1]["summary"]["kind"], "numeric");
    assert_eq!(json["notices"].as_array().unwrap().len(), 2);
}

#[test]
fn the_contract_refuses_what_breaks_it() {
    let contract = Contract::read();
    let whole = orchard();
    let change = |path: &str, value: Json| {
        let mut json = whole.clone();
        *json.pointer_mut(path).unwrap() = value;
        contract.broken_by(&json)
    };
    for (path, value) in [
        ("/source", json!(null)),
        ("/tables/0/rows", json!(-1)),
        ("/tables/0/columns/1/type", json!("number")),
        ("/tables/0/columns/1/role", json!("inputs")),
        ("/tables/0/columns/1/missing", json!(5)),
        ("/tables/0/columns/1/statistics/kind", json!("numeric")),
        ("/tables/0/columns/2/statistics", json!({"kind": "numeric"})),
        ("/tables/0/columns/2/statistics/quartiles", json!([1, 2])),
        ("/foreign_keys/0/children/min", json!(0.5)),
        ("/targets/0/type", json!("numeric")),
    ] {
        assert!(change(path, value).is_some(), "{path}");
    }
}

#[test]
fn the_same_data_give_the_same_bytes() {
    assert_eq!(orchard().to_string(), orchard().to_string());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_column_of_any_type_keeps_the_contract_and_the_width(
        (of, values) in any_type().prop_flat_map(|of| {
            let values = prop::collection::vec(any_value_of(&of), 0..8);
            (Just(of), values)
        })
    ) {
        let column = Column::from_values(&of, &values).unwrap();
        let table = Table::new("t", vec![Attribute::new("x", column)]).unwrap();
        let about = About { targets: vec![(0, 0)], ..About::default() };
        let description = Description::of(&Database::single(table).unwrap(), &about);
        prop_assert_eq!(Contract::read().broken_by(&as_json(&description)), None);
        let text = description.to_text("elsewhere");
        prop_assert!(text.lines().all(|line| kinwood_text::width(line) <= 100), "{}", text);
    }
}
