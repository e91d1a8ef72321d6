//! Rows as facts: a table is a predicate, its rows are facts about the objects that their keys
//! name.
//!
//! A foreign key leads one of two ways. Either the rows that refer *describe* the row referred to,
//! as atoms describe their molecule; or the row referred to is an argument like any other, whose
//! own facts say what it is. Unless keys say which, a table describes one other: that of its keys
//! that leads nearest to the objects, if it leads nearer at all; of several the first, as the first
//! argument of a fact is the ID that it describes. So facts lead away from what is asked about,
//! every row says each thing once, and circles of keys stay circles of facts.

use std::borrow::Cow;

use kinwood_values::term::Node;
use kinwood_values::{Cells, Column, Direction, ForeignKey, Type, Value, View};

use crate::error::Error;
use crate::facts::{Described, Facts, MAIN, constant, facts_type, identifier};

/// The name of the field of facts.
pub(crate) const FIELD: &str = "facts";

/// Facts for each row of the database from which on objects are taken to reach one another without
/// end.
const MOST: usize = 20;
const ALWAYS: usize = 1_000_000;

/// The rows of a view, each as a tuple of one field: the facts that describe it.
pub fn rows(view: &View) -> Result<Column, Error> {
    let database = view.database();
    let plan = Plan::of(view);
    let most = database.tables().iter().map(|table| table.rows() * MOST);
    let most = most.sum::<usize>().max(ALWAYS);
    let mut all = 0;
    let mut objects = Vec::with_capacity(view.len());
    for row in view.rows() {
        let facts = plan.object(view, row);
        all += facts.len();
        if all > most {
            return Err(Error::TooManyFacts {
                table: view.table().name().to_owned(),
                objects: objects.len() + 1,
                facts: all,
                most,
            });
        }
        objects.push(facts.into_value());
    }
    let facts = Column::from_values(&facts_type(), &objects).map_err(|_| Error::Layout {
        column: FIELD.to_owned(),
    })?;
    let cells = Cells::Tuple {
        names: vec![Some(FIELD.to_owned())],
        fields: vec![facts],
        rows: view.len(),
    };
    Ok(Column::new(cells, None))
}

/// How the tables of a database say what its objects are.
struct Plan {
    /// By key, whether the rows that refer describe the row referred to.
    describes: Vec<bool>,
    /// By table, whether its rows are IDs to those they describe: others describe them, or they
    /// have members.
    described: Vec<bool>,
    /// By key, the predicate of the facts by which the rows that refer describe the row referred
    /// to.
    predicates: Vec<String>,
    /// By table, its input columns with their types.
    inputs: Vec<Vec<(usize, Type)>>,
}

impl Plan {
    fn of(view: &View) -> Self {
        let database = view.database();
        let keys = database.foreign_keys();
        let far = away(view);
        let nearer = |key: &ForeignKey| far[key.to] < far[key.from];
        let first = |place: usize| {
            let of = &keys[place];
            let beside = keys
                .iter()
                .enumerate()
                .filter(|(_, key)| key.from == of.from && nearer(key));
            let best =
                beside.min_by_key(|(place, key)| (far[key.to], key.from_columns.clone(), *place));
            best.is_some_and(|(best, _)| best == place)
        };
        let stated = |table: usize| {
            keys.iter()
                .any(|key| key.from == table && key.describes.is_some())
        };
        let describes: Vec<bool> = keys
            .iter()
            .enumerate()
            .map(|(place, key)| key.describes.unwrap_or(!stated(key.from) && first(place)))
            .collect();
        let mut described = vec![false; database.tables().len()];
        for (key, &describes) in keys.iter().zip(&describes) {
            described[key.to] |= describes;
        }
        let predicates = keys.iter().enumerate().map(|(place, key)| {
            let name = database.table(key.from).name();
            let beside = keys.iter().enumerate().any(|(other, of)| {
                other != place && of.from == key.from && of.to == key.to && describes[other]
            });
            match beside || key.from == key.to {
                true => format!("{name} by {}", key.name),
                false => name.to_owned(),
            }
        });
        let predicates = predicates.collect();
        let inputs = (0..database.tables().len()).map(|table| {
            let columns = view.inputs_of(table).into_iter();
            let typed = |column| (column, database.table(table).attribute(column).type_of());
            columns.map(typed).collect()
        });
        let inputs: Vec<Vec<(usize, Type)>> = inputs.collect();
        // Members are said of the row that has them, so it must be an ID to say them of.
        for (described, inputs) in described.iter_mut().zip(&inputs) {
            *described |= inputs
                .iter()
                .any(|(_, of)| matches!(of, Type::List(_) | Type::Set(_) | Type::Bag(_)));
        }
        Self {
            describes,
            described,
            predicates,
            inputs,
        }
    }

    /// The facts about a row of the view's table, and about all that they speak of.
    fn object(&self, view: &View, row: u32) -> Facts {
        let mut facts = Facts::default();
        let main = (view.table_position(), row);
        let mut known = std::collections::BTreeSet::from([main]);
        let mut next = vec![main];
        while let Some(object) = next.pop() {
            let mut reach = |reached: (usize, u32)| {
                if known.insert(reached) {
                    next.push(reached);
                }
                self.name(view, main, reached)
            };
            self.describe(view, main, object, &mut facts, &mut reach);
        }
        facts
    }

    /// What an ID is called: by its key, where it has one.
    fn name(&self, view: &View, main: (usize, u32), (table, row): (usize, u32)) -> Vec<Node> {
        if (table, row) == main {
            return constant(MAIN);
        }
        let of = view.database().table(table);
        let key: Vec<Value> = match of.key() {
            Some(columns) => {
                let value = |&column: &usize| of.attribute(column).column.value(row as usize);
                columns.iter().map(value).collect()
            }
            None => vec![Value::Number(f64::from(row) + 1.0)],
        };
        identifier(of.name(), &key)
    }

    fn describe(
        &self,
        view: &View,
        main: (usize, u32),
        (table, row): (usize, u32),
        facts: &mut Facts,
        reach: &mut impl FnMut((usize, u32)) -> Vec<Node>,
    ) {
        let database = view.database();
        let id = self.name(view, main, (table, row));
        let own = self.arguments(
            view,
            main.1,
            (table, row),
            |key| !self.describes[key],
            reach,
        );
        let name = database.table(table).name();
        facts.say(name, &id, own, &self.fields(view, table, row), false);
        for (key, of) in database.foreign_keys().iter().enumerate() {
            if of.to != table || !self.describes[key] {
                continue;
            }
            for from in view.linked(main.1, key, Direction::Backward, row) {
                // What else a row describes is an argument of what it says here.
                let others = |other: usize| other != key && self.describes[other];
                let predicate = &self.predicates[key];
                if self.described[of.from] {
                    let mut first = vec![reach((of.from, from))];
                    first.extend(self.arguments(view, main.1, (of.from, from), others, reach));
                    facts.say(predicate, &id, first, &[], true);
                } else {
                    let all = |other: usize| other != key;
                    let first = self.arguments(view, main.1, (of.from, from), all, reach);
                    let fields = self.fields(view, of.from, from);
                    facts.say(predicate, &id, first, &fields, true);
                }
            }
        }
    }

    /// The IDs that a row refers to by some of its keys; what refers to nothing is not known.
    fn arguments(
        &self,
        view: &View,
        origin: u32,
        (table, row): (usize, u32),
        taken: impl Fn(usize) -> bool,
        reach: &mut impl FnMut((usize, u32)) -> Vec<Node>,
    ) -> Vec<Vec<Node>> {
        let keys = view.database().foreign_keys().iter().enumerate();
        keys.filter(|(key, of)| of.from == table && taken(*key))
            .map(
                |(key, of)| match view.linked(origin, key, Direction::Forward, row).next() {
                    Some(to) => reach((of.to, to)),
                    None => constant("?"),
                },
            )
            .collect()
    }

    fn fields<'a>(&'a self, view: &'a View, table: usize, row: u32) -> Vec<Described<'a>> {
        let of = view.database().table(table);
        let field = |(column, kind): &'a (usize, Type)| Described {
            name: Cow::Owned(format!("{}.{}", of.name(), of.attribute(*column).name)),
            of: kind,
            value: match view.column(table, *column) {
                Some(values) => values.value(row as usize),
                None => Value::Missing,
            },
        };
        self.inputs[table].iter().map(field).collect()
    }
}

/// By table, how many keys away from the view's it is.
fn away(view: &View) -> Vec<usize> {
    let database = view.database();
    let mut far = vec![usize::MAX; database.tables().len()];
    far[view.table_position()] = 0;
    let mut next = std::collections::VecDeque::from([view.table_position()]);
    while let Some(table) = next.pop_front() {
        for key in database.foreign_keys() {
            for (here, there) in [(key.from, key.to), (key.to, key.from)] {
                if here == table && far[there] == usize::MAX {
                    far[there] = far[table] + 1;
                    next.push_back(there);
                }
            }
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kinwood_values::{Attribute, Database, Role, Table};

    use super::*;

    fn key(name: &str, from: (usize, usize), to: usize) -> ForeignKey {
        ForeignKey {
            name: name.to_owned(),
            from: from.0,
            from_columns: vec![from.1],
            to,
            to_columns: vec![0],
            describes: None,
        }
    }

    fn labels(name: &str, labels: &[&str], role: Role) -> Attribute {
        let column = Column::nominal(labels.iter().map(|label| Some(*label)));
        Attribute::new(name, column).with_role(role)
    }

    /// Molecules m and n with atoms; bonds between atoms; charges of atoms.
    fn molecules(mut keys: Vec<ForeignKey>) -> View {
        let table = |name: &str, attributes: Vec<Attribute>, keyed: bool| {
            let mut table = Table::new(name, attributes).unwrap();
            table.set_key(keyed.then(|| vec![0]));
            table
        };
        let numbers =
            |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
        let tables = vec![
            table(
                "molecule",
                vec![
                    labels("id", &["m", "n"], Role::Id),
                    numbers("weight", &[5.0, 6.0]),
                ],
                true,
            ),
            table(
                "atom",
                vec![
                    labels("id", &["a", "b", "c"], Role::Id),
                    labels("molecule", &["m", "m", "n"], Role::Id),
                    labels("element", &["carbon", "oxygen", "carbon"], Role::Input),
                ],
                true,
            ),
            table(
                "bond",
                vec![
                    labels("one", &["a"], Role::Id),
                    labels("other", &["b"], Role::Id),
                    labels("type", &["single"], Role::Input),
                ],
                false,
            ),
        ];
        keys.insert(0, key("in", (1, 1), 0));
        let (database, _) = Database::new(tables, keys).unwrap();
        View::new(Arc::new(database), 0)
    }

    fn said(view: &View) -> Vec<String> {
        let rows = rows(view).unwrap();
        (0..view.len())
            .map(|row| rows.value(row).to_string())
            .collect()
    }

    #[test]
    fn rows_that_refer_describe() {
        let view = molecules(Vec::new());
        assert_eq!(
            said(&view),
            [
                "({atom(self,carbon), atom(self,oxygen), molecule(self,5)})",
                "({atom(self,carbon), molecule(self,6)})",
            ]
        );
        // What is hidden is not said.
        assert_eq!(said(&view.hiding(0, 1))[1], "({atom(self,carbon)})");
    }

    #[test]
    fn what_is_described_is_an_id() {
        // Bonds describe the atom that they name first.
        let view = molecules(vec![key("other", (2, 1), 1), key("one", (2, 0), 1)]);
        let facts = &said(&view)[0];
        assert!(facts.contains("bond(atom(a),atom(b),single)"), "{facts}");
        assert!(!facts.contains("bond(atom(b)"), "{facts}");
        // Or both, each an argument to the other.
        let describing = |key: ForeignKey| ForeignKey {
            describes: Some(true),
            ..key
        };
        let view = molecules(vec![
            describing(key("one", (2, 0), 1)),
            describing(key("other", (2, 1), 1)),
        ]);
        let facts = &said(&view)[0];
        for fact in [
            "atom(self,atom(a))",
            "atom(atom(a),carbon)",
            "'bond by one'(atom(a),atom(b),single)",
            "'bond by other'(atom(b),atom(a),single)",
            "molecule(self,5)",
        ] {
            assert!(facts.contains(fact), "{fact} in {facts}");
        }
    }

    #[test]
    fn a_key_may_say_what_it_is() {
        let stated = |key: ForeignKey, describes: bool| ForeignKey {
            describes: Some(describes),
            ..key
        };
        let view = molecules(vec![
            stated(key("one", (2, 0), 1), false),
            stated(key("other", (2, 1), 1), true),
        ]);
        let facts = &said(&view)[0];
        assert!(facts.contains("bond(atom(b),atom(a),single)"), "{facts}");
        assert!(!facts.contains("bond(atom(a)"), "{facts}");
    }

    #[test]
    fn circles_of_keys_end() {
        let attributes = vec![
            labels("name", &["x", "y", "z"], Role::Id),
            labels("boss", &["y", "x", "z"], Role::Id),
            labels("trade", &["smith", "baker", "smith"], Role::Input),
        ];
        let mut table = Table::new("person", attributes).unwrap();
        table.set_key(Some(vec![0]));
        let (database, _) = Database::new(vec![table], vec![key("boss", (0, 1), 0)]).unwrap();
        let view = View::new(Arc::new(database), 0);
        assert_eq!(
            said(&view),
            [
                "({person(self,person(y),smith), person(person(y),self,baker)})",
                "({person(self,person(x),baker), person(person(x),self,smith)})",
                "({person(self,self,smith)})",
            ]
        );
    }

    #[test]
    fn columns_called_like_tables_are_not_taken_for_them() {
        let mut table = Table::new(
            "mol",
            vec![
                labels("id", &["m"], Role::Id),
                Attribute::new(
                    "atom",
                    Column::from_values(
                        &"list<nominal>".parse().unwrap(),
                        [&Value::List(vec![Value::Symbol("o".to_owned())])],
                    )
                    .unwrap(),
                ),
            ],
        )
        .unwrap();
        table.set_key(Some(vec![0]));
        let atoms = vec![
            labels("mol", &["m"], Role::Id),
            labels("element", &["c"], Role::Input),
        ];
        let atoms = Table::new("atom", atoms).unwrap();
        let keys = vec![key("of", (1, 0), 0)];
        let (database, _) = Database::new(vec![table, atoms], keys).unwrap();
        let view = View::new(Arc::new(database), 0);
        assert_eq!(said(&view), ["({atom(self,c), 'mol.atom'(self,o)})"]);
    }
}
