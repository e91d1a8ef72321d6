//! Customers with events and a cutoff a month over two years: how long the aggregates of all
//! examples take, and how that grows with the customers.
//!
//! `cargo bench -p kinwood-aggregates --bench customers -- [CUSTOMERS …]`; by default 1,000 and
//! 10,000 customers of 500 events each, on two threads.

#![allow(clippy::print_stdout, reason = "printing the figures is its purpose")]

use std::sync::Arc;
use std::time::Instant;

use kinwood_aggregates::{Choice, Plan};
use kinwood_values::{
    AsOf, Attribute, Column, Database, Dictionary, ForeignKey, Role, Table, TableTime, View,
};

const EVENTS: usize = 500;
const MONTHS: usize = 24;
const DAY: i64 = 86_400_000;

/// Numbers from a seed (a linear congruence): the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn dates(instants: Vec<i64>) -> Column {
    Column::new(kinwood_values::Cells::DateTime(instants), None)
}

fn view(customers: usize) -> View {
    let mut numbers = Numbers(7);
    let ids = |count: usize| Column::numeric((0..count).map(|id| id as f64).collect());
    let mut customer = Table::new(
        "customer",
        vec![Attribute::new("id", ids(customers)).with_role(Role::Id)],
    )
    .expect("one column");
    customer.set_key(Some(vec![0]));
    let rows = customers * EVENTS;
    let dictionary = Dictionary::from_labels(["view", "order", "return", "call", "mail"]);
    let codes = (0..rows).map(|_| numbers.below(5) as u32).collect();
    let kinds = kinwood_values::Cells::Nominal {
        codes,
        dictionary: Arc::new(dictionary),
    };
    let mut amounts = |most: u64| {
        Column::numeric(
            (0..rows)
                .map(|_| numbers.below(most) as f64 / 8.0)
                .collect(),
        )
    };
    let (amount, minutes) = (amounts(80_000), amounts(4_000));
    let days = (0..rows).map(|_| numbers.below(1_460) as i64 * DAY + numbers.below(86_400) as i64);
    let days = dates(days.collect());
    // Events stand in the order in which they were written down, not by customer.
    let owners = (0..rows).map(|row| (row % customers) as f64).collect();
    let mut event = Table::new(
        "event",
        vec![
            Attribute::new("customer", Column::numeric(owners)).with_role(Role::Id),
            Attribute::new("kind", Column::new(kinds, None)),
            Attribute::new("amount", amount),
            Attribute::new("minutes", minutes),
            Attribute::new("at", days).with_role(Role::Ignore),
        ],
    )
    .expect("columns of one length");
    event.set_time(Some(TableTime::Instant { column: 4 }));
    let examples = customers * MONTHS;
    let of = (0..examples)
        .map(|example| (example / MONTHS) as f64)
        .collect();
    let cutoff = |example: usize| (730 + 30 * (example % MONTHS) as i64) * DAY;
    let example = Table::new(
        "example",
        vec![Attribute::new("customer", Column::numeric(of)).with_role(Role::Id)],
    )
    .expect("one column");
    let key = |from: usize| ForeignKey {
        name: format!("key{from}"),
        from,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let tables = vec![customer, event, example];
    let (database, _) = Database::new(tables, vec![key(1), key(2)]).expect("keys that lead there");
    let cutoffs: Vec<f64> = (0..examples)
        .map(|example| cutoff(example) as f64)
        .collect();
    View::new(Arc::new(database), 2).seen_as_of(AsOf::new(cutoffs))
}

fn main() {
    let given: Vec<usize> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let sizes = if given.is_empty() {
        vec![1_000, 10_000]
    } else {
        given
    };
    let choice = Choice {
        depth: 3,
        rows: 10_000_000,
        families: Choice::families("all").expect("all of them"),
        windows: vec![30.0, 90.0, 365.0, 1095.0],
        last: vec![3, 5, 10],
        labels: 8,
        columns: 400,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.expect("two threads");
    for customers in sizes {
        let view = view(customers);
        let begun = Instant::now();
        let fitted = pool.install(|| Plan::fit(&view, &choice, &|| false));
        let fitted = fitted.expect("nobody stops the work");
        let chosen = begun.elapsed();
        let begun = Instant::now();
        let columns = pool.install(|| fitted.plan.columns(&view, 0..view.len(), &|| false));
        println!(
            "{customers} customers, {} events, {} examples: {} aggregates chosen and computed in {:.2} s, computed again in {:.2} s",
            customers * EVENTS,
            view.len(),
            columns.map_or(0, |columns| columns.len()),
            chosen.as_secs_f64(),
            begun.elapsed().as_secs_f64()
        );
    }
}
