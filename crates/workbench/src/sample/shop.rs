//! A shop with a past: customers, their orders, and the question whether they order again. What
//! came after the question stands in the same tables, as it does wherever data has grown for a
//! while.

use std::sync::Arc;

use kinwood_learners::random::Generator;
use kinwood_values::{Attribute, Cells, Column, Dictionary, Role, Table};

use super::{Key, keyed};

/// What there is to find.
pub(super) const LAW: &str = "Each customer is asked about once: `left` is yes if nothing is ordered within the thirty days that follow. Who leaves has ordered less often for two months; five weeks after the question a letter `miss_you` goes to those who left, so that it gives the answer away to whoever looks ahead. City, amounts and other letters say nothing. Noise is the share of customers who order less often and stay, or leave all at once.";

pub(super) const KEYS: &[Key] = &[
    ("churn", "customer", "customers"),
    ("orders", "customer", "customers"),
    ("letters", "customer", "customers"),
];

const STREAM: u64 = 0x7368_6f70;
const DAY: i64 = 86_400_000;
/// 2024-01-01, the first day that is recorded, in milliseconds since 1970.
const FIRST: i64 = 19_723 * DAY;
/// The last day that is recorded.
const LAST: usize = 305;
const MONTH: usize = 30;
/// How long those who leave have ordered less often.
const SLOW: usize = 60;

/// A table whose rows have a customer and a day.
#[derive(Default)]
struct Events {
    customer: Vec<f64>,
    day: Vec<i64>,
}

impl Events {
    fn add(&mut self, customer: usize, day: usize) {
        self.customer.push((customer + 1) as f64);
        self.day.push(FIRST + day as i64 * DAY);
    }

    /// The columns: a number of its own, the customer, the day.
    fn attributes(self) -> Vec<Attribute> {
        let ids = Column::numeric((1..=self.day.len()).map(|id| id as f64).collect());
        vec![
            Attribute::new("id", ids).with_role(Role::Id),
            Attribute::new("customer", Column::numeric(self.customer)).with_role(Role::Id),
            Attribute::new("date", Column::new(Cells::DateTime(self.day), None)),
        ]
    }
}

/// As many customers as questions.
pub(super) fn tables(customers: usize, noise: f64, seed: u64) -> Vec<Table> {
    let mut random = Generator::new(seed, &[STREAM]);
    let (mut asked, mut orders, mut letters) =
        (Events::default(), Events::default(), Events::default());
    let (mut left, mut city, mut kind) = (Vec::new(), Vec::new(), Vec::new());
    let mut amount = Vec::new();
    for customer in 0..customers {
        city.push(random.below(3) as u32);
        let question = (4 + random.below(6)) * MONTH;
        let leaves = random.unit() < 0.4;
        let slow = leaves != (random.unit() < noise);
        asked.add(customer, question);
        left.push(u32::from(leaves));
        for day in days(question, leaves, slow, &mut random) {
            orders.add(customer, day);
            amount.push((500.0 + 9_500.0 * random.unit()).round() / 100.0);
        }
        for _ in 0..random.below(3) {
            letters.add(customer, random.below(LAST));
            kind.push(random.below(2) as u32);
        }
        if leaves {
            letters.add(customer, question + 35 + random.below(5));
            kind.push(2);
        }
    }
    let labelled = |codes: Vec<u32>, labels: &[&str]| {
        let dictionary = Arc::new(Dictionary::from_labels(labels.iter().copied()));
        Column::new(Cells::Nominal { codes, dictionary }, None)
    };
    let with = |events: Events, name: &str, column: Column| {
        let mut attributes = events.attributes();
        attributes.push(Attribute::new(name, column));
        attributes
    };
    let ids = Column::numeric((1..=customers).map(|id| id as f64).collect());
    let people = vec![
        Attribute::new("id", ids).with_role(Role::Id),
        Attribute::new("city", labelled(city, &["north", "south", "west"])),
    ];
    let kinds = labelled(kind, &["offer", "greeting", "miss_you"]);
    vec![
        keyed("churn", with(asked, "left", labelled(left, &["no", "yes"]))),
        keyed("customers", people),
        keyed("orders", with(orders, "amount", Column::numeric(amount))),
        keyed("letters", with(letters, "kind", kinds)),
    ]
}

/// The days on which a customer orders.
fn days(question: usize, leaves: bool, slow: bool, random: &mut Generator) -> Vec<usize> {
    let usual = 7 + random.below(6);
    let mut days = Vec::new();
    let mut day = random.below(usual);
    while day <= LAST {
        if leaves && day > question {
            break;
        }
        days.push(day);
        let late = slow && day + SLOW > question && day <= question;
        let pause = usual + random.below(5);
        day += if late { pause * 5 / 2 } else { pause };
    }
    let after = question + 1..=question + MONTH;
    if !leaves && !days.iter().any(|day| after.contains(day)) {
        days.push(question + 1 + random.below(MONTH));
        days.sort_unstable();
    }
    days
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    #[test]
    fn the_answer_is_what_the_orders_say_and_the_letters_give_away() {
        let database = find("shop").unwrap().make(200, 0.0, 3).unwrap();
        let [churn, _, orders, letters] = database.tables() else {
            panic!("four tables")
        };
        let customer = |table: &Table, row: usize| table.attribute(1).column.number(row).unwrap();
        let day = |table: &Table, row: usize| match table.attribute(2).column.cells() {
            Cells::DateTime(days) => days[row] / DAY,
            _ => panic!("a date"),
        };
        for row in 0..200 {
            let own = |table: &Table, other: usize| {
                let apart = day(table, other) - day(churn, row);
                (customer(table, other) == customer(churn, row)).then_some(apart)
            };
            let again = (0..orders.rows())
                .filter_map(|order| own(orders, order))
                .any(|apart| (1..=30).contains(&apart));
            let missed = (0..letters.rows()).any(|letter| {
                let kind = letters.attribute(3).column.value(letter).to_string();
                kind == "miss_you" && own(letters, letter).is_some_and(|apart| apart > 30)
            });
            let left = churn.attribute(3).column.value(row).to_string();
            assert_eq!(left == "no", again);
            assert_eq!(left == "yes", missed);
        }
    }
}
