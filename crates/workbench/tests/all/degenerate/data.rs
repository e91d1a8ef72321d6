//! The data sets: what is left of ordinary rows when something is taken to its end.

use std::sync::Arc;

use kinwood_learners::testing::linked_view;
use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};

/// Rows to learn from, and what is known of the answers beforehand.
pub struct Degenerate {
    pub name: &'static str,
    /// The rows, with the targets `class` and `amount`.
    pub rows: View,
    /// The same, each row with what it holds in a table of its own, for learners of bags.
    pub bags: View,
    /// Whether labels are written like numbers that are none, so that texts may have such words.
    pub odd_words: bool,
}

/// Columns by the row, to be changed before they are put together.
#[derive(Clone)]
struct Rows {
    x: Vec<f64>,
    y: Vec<f64>,
    hue: Vec<Option<String>>,
    class: Vec<Option<String>>,
    amount: Vec<f64>,
    weight: Option<Vec<f64>>,
    /// Columns of other types.
    more: Vec<(&'static str, &'static str, Vec<Value>)>,
    /// Which of `x`, `y` and `hue` there are.
    inputs: [bool; 3],
}

const COUNT: usize = 12;

fn words(words: &[&str], count: usize) -> Vec<Option<String>> {
    let word = |row: usize| Some(words[row % words.len()].to_owned());
    (0..count).map(word).collect()
}

/// Rows without anything special.
fn ordinary(count: usize) -> Rows {
    let number = |row: usize, factor: usize| ((row * factor) % 11) as f64 / 2.0;
    Rows {
        x: (0..count).map(|row| number(row, 7)).collect(),
        y: (0..count).map(|row| number(row, 3) - 2.0).collect(),
        hue: words(&["red", "green", "blue"], count),
        class: (0..count)
            .map(|row| Some(if number(row, 7) > 2.0 { "high" } else { "low" }.to_owned()))
            .collect(),
        amount: (0..count).map(|row| 3.0 * number(row, 7) + 1.0).collect(),
        weight: None,
        more: Vec::new(),
        inputs: [true; 3],
    }
}

fn labels(of: &[Option<String>]) -> Column {
    Column::nominal(of.iter().map(Option::as_deref))
}

impl Rows {
    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        let [x, y, hue] = self.inputs;
        if x {
            attributes.push(Attribute::new("x", Column::numeric(self.x.clone())));
        }
        if y {
            attributes.push(Attribute::new("y", Column::numeric(self.y.clone())));
        }
        if hue {
            attributes.push(Attribute::new("hue", labels(&self.hue)));
        }
        for (name, of, values) in &self.more {
            let of: Type = of.parse().unwrap();
            attributes.push(Attribute::new(
                *name,
                Column::from_values(&of, values).unwrap(),
            ));
        }
        attributes.extend(self.targets());
        attributes
    }

    fn targets(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            Attribute::new("class", labels(&self.class)),
            Attribute::new("amount", Column::numeric(self.amount.clone())),
        ];
        if let Some(weight) = &self.weight {
            let weight = Attribute::new("weight", Column::numeric(weight.clone()));
            attributes.push(weight.with_role(Role::Weight));
        }
        attributes
    }

    fn view(&self) -> View {
        let table = Table::new("rows", self.attributes()).unwrap();
        View::new(Arc::new(Database::single(table).unwrap()), 0)
    }

    /// Each row as two rows of another table.
    fn bags(&self) -> View {
        let count = self.class.len();
        let owners: Vec<usize> = (0..count).flat_map(|row| [row, row]).collect();
        self.linked(&owners)
    }

    /// What these rows hold as rows of another table, which belong to these.
    fn linked(&self, owners: &[usize]) -> View {
        let own: Vec<u32> = owners.iter().map(|&row| row as u32).collect();
        let of = |column: Column| column.gather(&own);
        let mut parts = Vec::new();
        let [x, y, hue] = self.inputs;
        if x {
            parts.push(Attribute::new("x", of(Column::numeric(self.x.clone()))));
        }
        if y {
            parts.push(Attribute::new("y", of(Column::numeric(self.y.clone()))));
        }
        if hue {
            parts.push(Attribute::new("hue", of(labels(&self.hue))));
        }
        let owners = owners.iter().map(|&row| row as f64).collect();
        linked_view(self.targets(), ("part", owners), parts)
    }

    fn named(self, name: &'static str) -> Degenerate {
        Degenerate {
            name,
            rows: self.view(),
            bags: self.bags(),
            odd_words: false,
        }
    }
}

/// All of them.
pub fn all() -> Vec<Degenerate> {
    let mut all = plain();
    all.extend(numbers());
    all.extend(missing());
    all.extend(weights());
    all.extend(texts());
    all.extend(structured());
    all.extend(linked());
    all
}

/// Of how many rows and columns there are, and how alike they are.
fn plain() -> Vec<Degenerate> {
    let changed = |name, change: &dyn Fn(&mut Rows)| {
        let mut rows = ordinary(COUNT);
        change(&mut rows);
        rows.named(name)
    };
    let alike = |rows: &mut Rows| {
        rows.x.fill(1.5);
        rows.y.fill(-2.0);
        rows.hue.fill(Some("red".to_owned()));
    };
    let one_answer = |rows: &mut Rows| {
        rows.class.fill(Some("low".to_owned()));
        rows.amount.fill(7.25);
    };
    vec![
        ordinary(0).named("no rows"),
        ordinary(1).named("one row"),
        ordinary(2).named("two rows"),
        changed("one class, one number", &one_answer),
        changed("constant inputs", &alike),
        changed("constant inputs and targets", &|rows| {
            alike(rows);
            one_answer(rows);
        }),
        changed("every row twice", &|rows| {
            let half = ordinary(COUNT / 2);
            let twice = |numbers: &[f64]| [numbers, numbers].concat();
            rows.x = twice(&half.x);
            rows.y = twice(&half.y);
            rows.amount = twice(&half.amount);
            rows.hue = [half.hue.clone(), half.hue.clone()].concat();
            rows.class = [half.class.clone(), half.class].concat();
        }),
        changed("equal rows that contradict each other", &|rows| {
            alike(rows);
            rows.class = words(&["low", "high"], COUNT);
        }),
        changed("no input", &|rows| rows.inputs = [false; 3]),
        changed("one number to learn from", &|rows| {
            rows.inputs = [true, false, false];
        }),
        changed("one label to learn from", &|rows| {
            rows.inputs = [false, false, true];
        }),
        changed("the same label everywhere", &|rows| {
            rows.inputs = [false, false, true];
            rows.hue.fill(Some("red".to_owned()));
        }),
        changed("every label once", &|rows| {
            rows.hue = (0..COUNT).map(|row| Some(format!("hue {row}"))).collect();
        }),
        changed("every class once", &|rows| {
            rows.class = (0..COUNT).map(|row| Some(format!("class {row}"))).collect();
        }),
        changed("a class of one row", &|rows| {
            rows.class.fill(Some("low".to_owned()));
            rows.class[3] = Some("high".to_owned());
        }),
        wide(),
    ]
}

/// More columns than rows, by far.
fn wide() -> Degenerate {
    const NAMES: usize = 60;
    let rows = ordinary(3);
    let columns = (0..NAMES).map(|column| {
        let numbers = (0..3).map(|row| ((row * 5 + column) % 7) as f64).collect();
        Attribute::new(format!("c{column}"), Column::numeric(numbers))
    });
    let attributes = columns.chain(rows.attributes()).collect();
    let table = Table::new("rows", attributes).unwrap();
    Degenerate {
        rows: View::new(Arc::new(Database::single(table).unwrap()), 0),
        ..rows.named("sixty columns, three rows")
    }
}

/// Of how large numbers are.
fn numbers() -> Vec<Degenerate> {
    let inputs = |name, of: &dyn Fn(f64) -> f64| {
        let mut rows = ordinary(COUNT);
        rows.x = rows.x.iter().map(|&x| of(x)).collect();
        rows.y = rows.y.iter().map(|&y| of(y)).collect();
        rows.named(name)
    };
    let targets = |name, of: &dyn Fn(f64) -> f64| {
        let mut rows = ordinary(COUNT);
        rows.amount = rows.amount.iter().map(|&amount| of(amount)).collect();
        rows.named(name)
    };
    vec![
        inputs("inputs up to 1e300", &|x| x * 2e299),
        inputs("inputs at both ends of what numbers are", &|x| {
            if x > 1.0 { f64::MAX } else { -f64::MAX }
        }),
        inputs("inputs of 1e-300", &|x| x * 1e-300),
        inputs("inputs below the normal numbers", &|x| x * 1e-323),
        inputs("huge and tiny inputs", &|x| {
            if x > 2.0 { 1e300 } else { x * 1e-300 }
        }),
        inputs("inputs that differ in the last digit", &|x| 1e15 + x),
        inputs("infinite inputs", &|x| {
            if x > 4.0 {
                f64::INFINITY
            } else if x < -1.0 {
                f64::NEG_INFINITY
            } else {
                x
            }
        }),
        inputs("zeros of both signs", &|x| if x > 2.0 { 0.0 } else { -0.0 }),
        targets("targets up to 1e300", &|amount| amount * 1e299),
        targets("targets at both ends of what numbers are", &|amount| {
            if amount > 5.0 { f64::MAX } else { -f64::MAX }
        }),
        targets("targets of 1e-300", &|amount| amount * 1e-300),
        targets("targets below the normal numbers", &|amount| {
            amount * 1e-323
        }),
        targets("infinite targets", &|amount| {
            if amount > 10.0 { f64::INFINITY } else { amount }
        }),
    ]
}

/// Of what is not known.
fn missing() -> Vec<Degenerate> {
    let changed = |name, change: &dyn Fn(&mut Rows)| {
        let mut rows = ordinary(COUNT);
        change(&mut rows);
        rows.named(name)
    };
    vec![
        changed("one input never known", &|rows| rows.x.fill(f64::NAN)),
        changed("no input ever known", &|rows| {
            rows.x.fill(f64::NAN);
            rows.y.fill(f64::NAN);
            rows.hue.fill(None);
        }),
        changed("half of the inputs missing", &|rows| {
            for row in (0..COUNT).step_by(2) {
                rows.x[row] = f64::NAN;
                rows.y[(row + 1) % COUNT] = f64::NAN;
                rows.hue[row] = None;
            }
        }),
        changed("no target known", &|rows| {
            rows.class.fill(None);
            rows.amount.fill(f64::NAN);
        }),
        changed("one target known", &|rows| {
            for row in 1..COUNT {
                rows.class[row] = None;
                rows.amount[row] = f64::NAN;
            }
        }),
    ]
}

/// Of how much rows count.
fn weights() -> Vec<Degenerate> {
    let weighed = |name, weight: &dyn Fn(usize) -> f64| {
        let mut rows = ordinary(COUNT);
        rows.weight = Some((0..COUNT).map(weight).collect());
        rows.named(name)
    };
    vec![
        weighed("no row counts", &|_| 0.0),
        weighed("one row counts", &|row| if row == 4 { 1.0 } else { 0.0 }),
        weighed("weights of 1e300", &|_| 1e300),
        weighed("weights of 1e-300", &|_| 1e-300),
        weighed("one weight outweighs all", &|row| {
            if row == 4 { 1e200 } else { 1.0 }
        }),
        weighed("weights missing", &|_| f64::NAN),
    ]
}

/// Of what texts look like.
fn texts() -> Vec<Degenerate> {
    let odd = ["NaN", "inf", "-inf", "null", "?", "1e999"];
    let mut like_numbers = ordinary(COUNT);
    like_numbers.hue = words(&odd, COUNT);
    like_numbers.class = words(&["NaN", "inf"], COUNT);
    let mut blank = ordinary(COUNT);
    blank.hue = words(&["", " ", "\t"], COUNT);
    blank.class = words(&["", " "], COUNT);
    vec![
        Degenerate {
            odd_words: true,
            ..like_numbers.named("labels like NaN and inf")
        },
        blank.named("empty and blank labels"),
    ]
}

/// Of values with structure that have none.
fn structured() -> Vec<Degenerate> {
    let with = |name, columns: &[(&'static str, &'static str, Value)]| {
        let mut rows = ordinary(COUNT);
        rows.inputs = [true, false, false];
        for (column, of, value) in columns {
            rows.more.push((column, of, vec![value.clone(); COUNT]));
        }
        rows.named(name)
    };
    let some = |name, of: &'static str, values: &[Value]| {
        let mut rows = ordinary(COUNT);
        rows.inputs = [true, false, false];
        let value = |row: usize| values[row % values.len()].clone();
        rows.more
            .push(("value", of, (0..COUNT).map(value).collect()));
        rows.named(name)
    };
    let symbol = |label: &str| Value::Symbol(label.to_owned());
    let term = |text: &str| Value::Term(text.parse().unwrap());
    vec![
        with(
            "empty strings",
            &[("value", "string", Value::Text(String::new()))],
        ),
        with(
            "empty sets",
            &[("value", "set<nominal>", Value::set(vec![]))],
        ),
        with(
            "empty lists of numbers",
            &[("value", "list<numeric>", Value::List(vec![]))],
        ),
        with(
            "sets that are all missing",
            &[("value", "set<numeric>", Value::Missing)],
        ),
        some(
            "sets empty, missing or of one",
            "set<nominal>",
            &[
                Value::set(vec![]),
                Value::Missing,
                Value::set(vec![symbol("a")]),
            ],
        ),
        with(
            "trees of one node, terms of one symbol, graphs of none",
            &[
                ("tree", "tree", Value::Tree("a".parse().unwrap())),
                ("term", "term", term("a")),
                (
                    "graph",
                    "graph",
                    Value::Graph(kinwood_values::Graph::new(false, vec![], vec![]).unwrap()),
                ),
            ],
        ),
        some(
            "terms with variables alone",
            "term",
            &[term("X"), term("Y")],
        ),
        some(
            "times at the ends of the calendar",
            "datetime",
            &[
                Value::DateTime(-8_000_000_000_000_000),
                Value::DateTime(8_000_000_000_000_000),
            ],
        ),
    ]
}

/// Of rows that others belong to.
fn linked() -> Vec<Degenerate> {
    let linked = |name, owners: &[usize]| {
        let rows = ordinary(COUNT);
        let view = rows.linked(owners);
        Degenerate {
            rows: view.clone(),
            bags: view,
            name,
            odd_words: false,
        }
    };
    let each: Vec<usize> = (0..COUNT).collect();
    vec![
        linked("bags of one row", &each),
        linked("a linked table without rows", &[]),
        linked("one bag has all rows", &[5; COUNT]),
    ]
}
