//! Every example runs to its end: what it claims, it asserts itself.

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[path = "../../examples/database.rs"]
mod database;
#[path = "../../examples/flat_table.rs"]
mod flat_table;
#[path = "../../examples/own_distance.rs"]
pub mod own_distance;
#[path = "../../examples/own_learner.rs"]
mod own_learner;
#[path = "../../examples/structured_column.rs"]
mod structured_column;

#[test]
fn a_flat_table() -> Outcome {
    flat_table::main()
}

#[test]
fn a_database() -> Outcome {
    database::main()
}

#[test]
fn a_structured_column() -> Outcome {
    structured_column::main()
}

#[test]
fn a_distance_of_ones_own() -> Outcome {
    own_distance::main()
}

#[test]
fn a_learner_of_ones_own() -> Outcome {
    own_learner::main()
}
