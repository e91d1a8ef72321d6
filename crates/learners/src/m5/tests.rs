use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, Role, Table, View};

use super::*;
use crate::testing::{NUMBER, check_learner, check_learner_with, check_weights_with, mixed_view};

fn view(attributes: Vec<Attribute>) -> View {
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

#[test]
fn the_rules_of_learners_are_kept() {
    let view = mixed_view(80);
    check_learner(&M5, &view, &[NUMBER]);
    for given in [
        &[("pruning", "false")][..],
        &[("smoothing", "false")],
        &[("constant", "true")],
        &[("leaf", "20"), ("pruning", "false"), ("smoothing", "false")],
    ] {
        check_learner_with(&M5, given, &view, &[NUMBER]);
        check_weights_with(&M5, given, &view, &[NUMBER]);
    }
}
