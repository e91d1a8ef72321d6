//! The bindings of an object on a path, as queries: which tables are joined by which keys, and what
//! is asked of their rows.
//!
//! Occurrences form a tree and conditions speak of one each. The rows of an occurrence that take
//! part in some binding are then found by joining the tables that lead to it, and asking by
//! `EXISTS` for what hangs on these besides.

use super::seen::seen;
use super::{literal, table_name};
use crate::mirt::terms::{Kind, Terms};
use crate::mirt::test::{ABOUT, Condition, Function, Is, Step, Test};
use crate::tree::terms::{has, sized};
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Gap, Seen, double, identifier, number, numeric, textual};
use kinwood_similarity::sql::Operand;
use kinwood_values::Type;

/// What a path has asked for.
#[derive(Clone)]
pub(super) struct State<'a> {
    terms: &'a Terms,
    seen: Option<&'a Seen>,
    steps: Vec<Step>,
    /// By occurrence: what is asked of its rows.
    asked: Vec<Vec<String>>,
    /// How many of the occurrences must be there.
    required: usize,
}

impl<'a> State<'a> {
    /// Objects of which nothing is asked.
    pub fn new(terms: &'a Terms, seen: Option<&'a Seen>) -> Self {
        Self {
            terms,
            seen,
            steps: Vec::new(),
            asked: vec![Vec::new()],
            required: 1,
        }
    }

    /// Adds what a test asks for where it holds. What it asks of all rows of an occurrence together
    /// is handed back.
    pub fn take(&mut self, test: &Test) -> Result<Option<String>> {
        self.follow(&test.steps)?;
        self.required = self.asked.len();
        match &test.condition {
            None => Ok(None),
            Some(Condition::Some {
                occurrence,
                column,
                is,
            }) => {
                let asked = self.value_is(*occurrence, *column, is)?;
                self.asked[*occurrence as usize].push(asked);
                Ok(None)
            }
            Some(condition) => self.together(condition).map(Some),
        }
    }

    /// Follows further keys, whether they lead anywhere or not.
    pub fn with_beyond(mut self, steps: &[Step]) -> Result<Self> {
        self.follow(steps)?;
        Ok(self)
    }

    /// Follows keys to rows that can be told apart from those that are not seen.
    fn follow(&mut self, steps: &[Step]) -> Result<()> {
        for &step in steps {
            self.steps.push(step);
            self.visible(self.steps.len() as u32)?;
        }
        self.asked.resize(self.steps.len() + 1, Vec::new());
        Ok(())
    }

    /// What an object has to satisfy so that it has a binding.
    pub fn holds(&self) -> Vec<String> {
        let below = self.children(0).map(|child| self.exists(child));
        self.asked[0].iter().cloned().chain(below).collect()
    }

    fn table(&self, occurrence: u32) -> usize {
        self.terms.table_of(&self.steps, occurrence)
    }

    /// A column of an occurrence.
    pub fn column(&self, occurrence: u32, column: u32) -> String {
        let name = &self.terms.column(self.table(occurrence), column).name;
        format!("{}.{}", alias(occurrence), identifier(name))
    }

    /// A column of numbers.
    pub fn number(&self, occurrence: u32, column: u32) -> Result<String> {
        let of = self.terms.column(self.table(occurrence), column);
        match of.kind {
            Kind::Number => Ok(numeric(&self.column(occurrence, column))),
            Kind::Moment => Err(Gap::Moment {
                column: of.name.clone(),
            }
            .into()),
            Kind::Labels(_) | Kind::Other => Err(Gap::Column {
                column: of.name.clone(),
            }
            .into()),
        }
    }

    /// Whether a row has a label of a column.
    pub fn has_label(&self, occurrence: u32, column: u32, labels: &[u32]) -> Result<String> {
        let of = self.terms.column(self.table(occurrence), column);
        let Kind::Labels(known) = &of.kind else {
            return Ok("1 = 0".to_owned());
        };
        let listed = labels.iter().map(|&code| literal(known.label(code)));
        let listed: Vec<String> = listed.collect::<Result<_>>()?;
        Ok(match listed.is_empty() {
            true => "1 = 0".to_owned(),
            false => format!(
                "CAST({} AS text) IN ({})",
                self.column(occurrence, column),
                listed.join(", ")
            ),
        })
    }

    fn value_is(&self, occurrence: u32, column: u32, is: &Is) -> Result<String> {
        match is {
            Is::Among(labels) => self.has_label(occurrence, column, labels),
            Is::AtMost(_) | Is::AtLeast(_) => bounded(&self.number(occurrence, column)?, is),
            Is::Has(items) => {
                let table = self.table(occurrence);
                let Kind::Other = self.terms.column(table, column).kind else {
                    let column = self.terms.column(table, column).name.clone();
                    let what = "the month, weekday or hour of a time";
                    return Err(Gap::Contents { column, what }.into());
                };
                let of = &self.terms.column(table, column).name;
                let name = format!("CAST({} AS text)", self.column(occurrence, column));
                let pool = self.terms.pool(table, column);
                let items = pool.into_iter().flat_map(|pool| pool.named(items));
                let each = items.map(|item| has(&name, item, of));
                let each: Vec<String> = each.collect::<Result<_>>()?;
                Ok(format!("({})", each.join(" OR ")))
            }
            Is::Sized(least) => {
                let table = self.table(occurrence);
                let name = format!("CAST({} AS text)", self.column(occurrence, column));
                let pool = self.terms.pool(table, column);
                let of = &self.terms.column(table, column).name;
                sized(&name, pool.map(|pool| pool.measure.of()), *least, of)
            }
            Is::Near { prototype, radius } => self.near(occurrence, column, *prototype, *radius),
        }
    }

    /// Whether a value is there and not farther than this from a prototype.
    fn near(&self, occurrence: u32, column: u32, prototype: u32, radius: f64) -> Result<String> {
        let table = self.table(occurrence);
        let of = self.terms.column(table, column);
        let pool = self.terms.pool(table, column);
        let pool = pool.filter(|pool| (prototype as usize) < pool.values.len());
        let Some(pool) = pool else {
            return Ok("1 = 0".to_owned());
        };
        let value = textual(&self.column(occurrence, column));
        let operand = match pool.measure.of() {
            of @ (Type::String | Type::Nominal) => Operand::new(of, &value).known(),
            other => Operand::Other(other.clone()),
        };
        let prototype = pool.values.value(prototype as usize);
        let written = pool.measure.sql(&operand, &prototype);
        let written = written.map_err(|why| Gap::Prototypes {
            column: of.name.clone(),
            why,
        })?;
        let radius = number(match written.squared {
            true => radius * radius,
            false => radius,
        });
        Ok(format!(
            "{value} IS NOT NULL AND {} <= {radius}",
            written.sql
        ))
    }

    /// A condition on all rows of an occurrence together.
    fn together(&self, condition: &Condition) -> Result<String> {
        let occurrence = condition.occurrence();
        match condition {
            Condition::Some { column, is, .. } => self.value_is(occurrence, *column, is),
            Condition::Count { least, .. } => {
                Ok(format!("{} >= {least}", self.made(occurrence, "COUNT(*)")))
            }
            Condition::Every { column, is, .. } => {
                let so = self.value_is(occurrence, *column, is)?;
                if occurrence == 0 {
                    return Ok(so);
                }
                let known = match is {
                    Is::Among(_) | Is::Near { .. } | Is::Has(_) | Is::Sized(_) => {
                        self.column(occurrence, *column)
                    }
                    Is::AtMost(_) | Is::AtLeast(_) => self.number(occurrence, *column)?,
                };
                let each =
                    format!("MIN(CASE WHEN {known} IS NULL THEN NULL WHEN {so} THEN 1 ELSE 0 END)");
                Ok(format!("{} = 1", self.made(occurrence, &each)))
            }
            Condition::Aggregate {
                column,
                function,
                is,
                ..
            } => {
                let is = match function {
                    Function::Mean => &loose(is),
                    Function::Minimum | Function::Maximum => is,
                };
                bounded(&self.aggregate(occurrence, *column, *function)?, is)
            }
        }
    }

    /// The mean, least or greatest value of an occurrence's rows; nothing where there is none.
    pub fn aggregate(&self, occurrence: u32, column: u32, function: Function) -> Result<String> {
        let number = self.number(occurrence, column)?;
        if occurrence == 0 {
            return Ok(number);
        }
        let made = match function {
            // What is left of numbers that cancel is rounding: nothing, as where the model was
            // made.
            Function::Mean => format!(
                "CASE WHEN ABS(SUM({number})) < {} * SUM(ABS({number})) THEN {} ELSE AVG({number}) END",
                double(ABOUT),
                double(0.0)
            ),
            Function::Minimum => format!("MIN({number})"),
            Function::Maximum => format!("MAX({number})"),
        };
        Ok(self.made(occurrence, &made))
    }

    /// What is made of the rows of an occurrence.
    pub fn made(&self, occurrence: u32, of: &str) -> String {
        match occurrence {
            // Without tables of its own a query would make it of the objects' table.
            0 => "1".to_owned(),
            occurrence => format!("({})", self.rows(occurrence, of)),
        }
    }

    /// A query over the rows of an occurrence that take part in bindings, once for each way to
    /// them.
    pub fn rows(&self, occurrence: u32, of: &str) -> String {
        let mut chain = vec![occurrence];
        while let Some(above) = chain.last().map(|&last| self.steps[last as usize - 1].from) {
            if above == 0 {
                break;
            }
            chain.push(above);
        }
        chain.reverse();
        let mut asked = vec![self.join(chain[0])];
        for (place, &own) in chain.iter().enumerate() {
            asked.extend(self.asked[own as usize].iter().cloned());
            let next = chain.get(place + 1).copied();
            let besides = self.children(own).filter(|child| Some(*child) != next);
            asked.extend(besides.map(|child| self.exists(child)));
        }
        format!(
            "SELECT {of} FROM {} WHERE {}",
            self.joined(&chain),
            asked.join(" AND ")
        )
    }

    /// That an occurrence has a row for the one it hangs on.
    fn exists(&self, occurrence: u32) -> String {
        let mut chain = vec![occurrence];
        let mut asked = vec![self.join(occurrence)];
        let mut last = occurrence;
        loop {
            asked.extend(self.asked[last as usize].iter().cloned());
            let below: Vec<u32> = self.children(last).collect();
            match below.as_slice() {
                // What hangs alone is joined: parsers allow only so many queries inside of each
                // other.
                [only] => {
                    chain.push(*only);
                    last = *only;
                }
                below => {
                    asked.extend(below.iter().map(|&child| self.exists(child)));
                    break;
                }
            }
        }
        format!(
            "EXISTS (SELECT 1 FROM {} WHERE {})",
            self.joined(&chain),
            asked.join(" AND ")
        )
    }

    /// The tables of occurrences each of which hangs on the one before; the condition of the first
    /// is left to the query.
    fn joined(&self, chain: &[u32]) -> String {
        let mut sql = String::new();
        for (place, &occurrence) in chain.iter().enumerate() {
            let table = identifier(table_name(self.terms, self.seen, self.table(occurrence)));
            let named = format!("{table} AS {}", alias(occurrence));
            sql += &match place {
                0 => named,
                _ => format!(" JOIN {named} ON {}", self.join(occurrence)),
            };
        }
        sql
    }

    /// The occurrences that must be there and hang on one.
    fn children(&self, occurrence: u32) -> impl Iterator<Item = u32> + '_ {
        let required = self.steps[..self.required - 1].iter().enumerate();
        required
            .filter(move |(_, step)| step.from == occurrence)
            .map(|(place, _)| place as u32 + 1)
    }

    /// How the rows of an occurrence are found from those it hangs on, as far as they are seen.
    fn join(&self, occurrence: u32) -> String {
        let step = self.steps[occurrence as usize - 1];
        let key = &self.terms.keys[step.key as usize];
        let (own, above) = match step.backward {
            true => (&key.from_columns, &key.to_columns),
            false => (&key.to_columns, &key.from_columns),
        };
        let pairs = own.iter().zip(above);
        let equal = pairs.map(|(&own, &above)| {
            format!(
                "{} = {}",
                self.column(occurrence, own),
                self.column(step.from, above)
            )
        });
        let seen = self.visible(occurrence).into_iter().flatten();
        equal.chain(seen).collect::<Vec<_>>().join(" AND ")
    }

    /// The condition that a row of an occurrence is seen by the object; nothing where all rows are.
    fn visible(&self, occurrence: u32) -> Result<Option<String>> {
        let table = self.table(occurrence);
        let Some((by, of)) = self
            .seen
            .and_then(|seen| Some((seen, seen.tables.get(table)?)))
        else {
            return Ok(None);
        };
        let own = (table == self.terms.root).then(|| {
            let root = &self.terms.tables[table];
            let name = |column: &u32| root.columns[*column as usize].name.clone();
            root.key.iter().map(name).collect::<Vec<String>>()
        });
        seen(by, of, &alias(occurrence), own.as_deref())
    }
}

fn alias(occurrence: u32) -> String {
    match occurrence {
        0 => "o".to_owned(),
        occurrence => format!("r{occurrence}"),
    }
}

/// A bound that a mean keeps to however its sum was rounded: databases add up in ways of their own,
/// and bounds are means of objects.
fn loose(is: &Is) -> Is {
    match is {
        Is::AtMost(bound) => Is::AtMost(bound + bound.abs() * ABOUT),
        Is::AtLeast(bound) => Is::AtLeast(bound - bound.abs() * ABOUT),
        other => other.clone(),
    }
}

/// Whether a number is within a bound.
fn bounded(value: &str, is: &Is) -> Result<String> {
    let (bound, sign, all) = match is {
        Is::AtMost(bound) => (*bound, "<=", f64::INFINITY),
        Is::AtLeast(bound) => (*bound, ">=", f64::NEG_INFINITY),
        Is::Among(_) | Is::Near { .. } | Is::Has(_) | Is::Sized(_) => return Ok("1 = 0".to_owned()),
    };
    Ok(match bound.is_finite() {
        true => format!("{value} {sign} {}", number(bound)),
        false if bound == all => format!("{value} IS NOT NULL"),
        false => "1 = 0".to_owned(),
    })
}
