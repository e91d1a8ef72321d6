//! Which conditions of a query a table takes, written as text that a person reads in `EXPLAIN QUERY
//! PLAN` and the table reads back: `steered by size<=?, uses=?; filtered afterwards by leaves=?`.

use rusqlite::types::Value;

use crate::conditions::{Comparison, Given};
use crate::source::{Known, Source};

/// A condition that SQLite offers to a table before a query runs.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The column, by its place among the fields.
    pub column: i32,
    /// The operator, by the number that SQLite has for it.
    pub operator: u8,
    /// Whether what it is compared with is known when the table computes.
    pub usable: bool,
    /// Whether it is an `IN`, of which a table can have all values together.
    pub several: bool,
    /// With what it is compared, where the query says so itself.
    pub value: Option<Value>,
}

/// A condition or a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offered {
    /// A comparison of a column.
    Compared(Comparison),
    /// How many rows are wanted.
    Limit,
    /// How many are passed over.
    Offset,
    /// A comparison that no table takes, in words.
    Other(&'static str),
}

impl Offered {
    /// What an operator of SQLite is; nothing where tables take no such condition.
    fn of(code: u8) -> Option<Self> {
        Some(match code {
            2 | 72 => Self::Compared(Comparison::Equal),
            4 => Self::Compared(Comparison::Above),
            8 => Self::Compared(Comparison::AtMost),
            16 => Self::Compared(Comparison::Below),
            32 => Self::Compared(Comparison::AtLeast),
            68 => Self::Compared(Comparison::Unequal),
            73 => Self::Limit,
            74 => Self::Offset,
            64 => Self::Other(" match ?"),
            65 => Self::Other(" like ?"),
            66 => Self::Other(" glob ?"),
            67 => Self::Other(" regexp ?"),
            69 => Self::Other(" is not ?"),
            70 => Self::Other(" is not null"),
            71 => Self::Other(" is null"),
            _ => return None,
        })
    }
}

/// A condition that the table takes.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Its place among those offered.
    pub place: usize,
    /// Whether all values of an `IN` come together.
    pub together: bool,
    /// Whether the table itself sees to it that rows meet it, so that SQLite need not look.
    pub checked: bool,
}

/// What a table takes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The conditions, in the order of their values.
    pub taken: Vec<Taken>,
    /// All of it in words.
    pub text: String,
    /// About how many rows there are.
    pub expected: f64,
}

impl Plan {
    /// The plan for what is offered; nothing where another order of the tables is needed.
    pub(crate) fn of(source: &dyn Source, offered: &[Offer]) -> Option<Self> {
        let fields = source.fields();
        let (mut taken, mut words) = (Vec::new(), Vec::new());
        let (mut known, mut filtered, mut limits) = (Vec::new(), Vec::new(), Vec::new());
        let (mut all, mut named) = (true, Vec::new());
        for (place, offer) in offered.iter().enumerate() {
            let field = usize::try_from(offer.column).ok();
            let field = field.and_then(|at| fields.get(at));
            let comparison = match (Offered::of(offer.operator), field) {
                (Some(limit @ (Offered::Limit | Offered::Offset)), _) => {
                    if offer.usable {
                        let name = match limit {
                            Offered::Offset => "offset",
                            _ => "limit",
                        };
                        limits.push((place, format!("{name}=?")));
                    }
                    continue;
                }
                (Some(Offered::Compared(comparison)), _) => Some(comparison),
                (Some(Offered::Other(words)), Some(field)) => {
                    filtered.push(format!("{}{words}", field.name));
                    None
                }
                _ => None,
            };
            let Some((field, comparison)) = field.zip(comparison) else {
                all = false;
                continue;
            };
            if !field.takes.contains(&comparison) {
                all = false;
                filtered.push(format!("{}{}?", field.name, comparison.sign()));
                continue;
            }
            if !offer.usable {
                // An argument that another table gives wants that table first.
                if field.argument && comparison == Comparison::Equal {
                    return None;
                }
                all = false;
                filtered.push(format!("{}{}?", field.name, comparison.sign()));
                continue;
            }
            // A column that takes `=` takes all values of `IN` together; an argument is called once
            // for each.
            let together = !field.argument && offer.several;
            let sign = match together {
                true => " in ",
                false => comparison.sign(),
            };
            known.push(Known {
                name: field.name,
                value: offer.value.as_ref(),
            });
            words.push(format!("{}{sign}?", field.name));
            // What an argument is given first is what its cells say: another value is no row.
            let first = !named.contains(&field.name);
            named.push(field.name);
            taken.push(Taken {
                place,
                together,
                checked: (field.argument && first) || (together && field.finds_in),
            });
        }
        if source.takes_limit() && all {
            for (place, text) in limits {
                words.push(text);
                taken.push(Taken {
                    place,
                    together: false,
                    checked: false,
                });
            }
        }
        let mut text = match words.is_empty() {
            true => "steered by nothing".to_owned(),
            false => format!("steered by {}", words.join(", ")),
        };
        if !filtered.is_empty() {
            text += &format!("; filtered afterwards by {}", filtered.join(", "));
        }
        if let Some(remark) = source.remark(&known) {
            text += &format!("; {remark}");
        }
        Some(Self {
            taken,
            text,
            expected: source.expected(&named),
        })
    }
}

/// A condition of a plan, of which the values come when the query runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Planned {
    /// The column, or `limit` and `offset`.
    name: String,
    /// How it is compared.
    comparison: Comparison,
    /// Whether all values of an `IN` come together.
    together: bool,
}

/// Of each condition of a plan, whether all values of an `IN` come together.
pub fn together(plan: &str) -> Vec<bool> {
    let planned = Planned::read(plan).into_iter();
    planned.map(|condition| condition.together).collect()
}

impl Planned {
    /// The conditions of a plan, read back from its text.
    pub(crate) fn read(text: &str) -> Vec<Self> {
        let steering = text.split(';').next().unwrap_or("");
        let steering = steering.strip_prefix("steered by ").unwrap_or("");
        let condition = |word: &str| {
            let word = word.strip_suffix('?')?;
            if let Some(name) = word.strip_suffix(" in ") {
                return Some(Self {
                    name: name.to_owned(),
                    comparison: Comparison::Equal,
                    together: true,
                });
            }
            let mut signs = Comparison::ALL.iter();
            signs.find_map(|(comparison, sign)| {
                let name = word.strip_suffix(sign)?;
                Some(Self {
                    name: name.to_owned(),
                    comparison: *comparison,
                    together: false,
                })
            })
        };
        steering.split(", ").filter_map(condition).collect()
    }

    /// The condition with its values.
    pub(crate) fn given(self, values: Vec<Value>) -> Given {
        Given {
            name: self.name,
            comparison: self.comparison,
            values,
        }
    }
}
