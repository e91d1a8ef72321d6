//! The aggregates that are tried at a place, the plain ones first.

use kinwood_values::{Cells, Type, View};

use super::frequent::Frequent;
use crate::aggregate::{Aggregate, Condition, Operation, Span};
use crate::choice::{Choice, Family};
use crate::paths::Paths;

/// As many aggregates of a place have conditions.
const CONDITIONAL: usize = 120;

/// As many labels of a column are conditions.
const CONDITIONS: usize = 8;

/// So many of them are as plain as any condition; later ones are kept where there is room.
const PLAIN_CONDITIONS: usize = 4;

/// An aggregate that is tried.
pub(super) struct Candidate {
    pub aggregate: Aggregate,
    /// The lower, the sooner it is kept: how plain it is and how near its rows.
    pub rank: usize,
    /// Where its column stands.
    pub order: (usize, usize),
}

/// What is tried at a place.
pub(super) fn candidates(
    view: &View,
    paths: &Paths,
    place: usize,
    frequent: &Frequent,
    choice: &Choice,
) -> Vec<Candidate> {
    let mut found = Found {
        view,
        paths,
        place,
        choice,
        frequent,
        timed: is_timed(view, paths, place),
        candidates: Vec::new(),
    };
    match paths.to_one(place) {
        true => found.one(),
        false => found.many(),
    }
    found.candidates
}

/// Whether anything on the way from the anchor of a place has a time.
fn is_timed(view: &View, paths: &Paths, place: usize) -> bool {
    let hops = paths.hops(place);
    hops.iter()
        .any(|step| view.database().table(step.table).time().is_some())
}

struct Found<'a> {
    view: &'a View,
    paths: &'a Paths,
    place: usize,
    choice: &'a Choice,
    frequent: &'a Frequent,
    timed: bool,
    candidates: Vec<Candidate>,
}

impl Found<'_> {
    /// Adds an aggregate if its kind is wanted and rows have the times it needs.
    fn add(&mut self, tier: usize, operation: Operation, column: Option<usize>, span: Span) {
        self.add_where(tier, operation, column, span, None);
    }

    fn add_where(
        &mut self,
        tier: usize,
        operation: Operation,
        column: Option<usize>,
        span: Span,
        condition: Option<Condition>,
    ) {
        let spans = match span {
            Span::All => None,
            Span::Within(_) => Some(Family::Windows),
            Span::Last(_) => Some(Family::Last),
        };
        let conditions = condition.map(|_| Family::Conditional);
        let wanted = [Some(operation.family()), spans, conditions];
        let wanted = wanted.into_iter().flatten();
        let timed = self.timed || !operation.needs_time() && span == Span::All;
        let cutoffs = self.view.as_of().is_some()
            || !matches!(span, Span::Within(_))
                && !matches!(operation, Operation::SinceLatest | Operation::SinceFirst);
        if !timed || !cutoffs || !wanted.into_iter().all(|family| self.choice.tries(family)) {
            return;
        }
        self.candidates.push(Candidate {
            rank: tier + self.paths.depth(self.place).max(1) - 1,
            order: (self.place, self.candidates.len()),
            aggregate: Aggregate {
                place: self.place,
                operation,
                column,
                condition,
                span,
                name: String::new(),
                words: String::new(),
                sql: None,
            },
        });
    }

    /// The row that the path leads to, and the cutoff.
    fn one(&mut self) {
        let table = self.paths.table_of(self.place);
        let cutoffs = self.view.as_of().is_some();
        let dated = self.view.database().tables().iter().any(|table| {
            let column = |time: kinwood_values::TableTime| &table.attribute(time.begin()).column;
            table
                .time()
                .is_some_and(|time| matches!(column(time).cells(), Cells::DateTime(_)))
        });
        if self.place == 0 && cutoffs && dated {
            for part in [
                Operation::CutoffYear,
                Operation::CutoffMonth,
                Operation::CutoffWeekday,
            ] {
                self.add(1, part, None, Span::All);
            }
        }
        if self.place > 0 && !self.paths.is_owner(self.place) {
            // The latest of many: its values are those of the many.
            return;
        }
        for column in self.view.inputs_of(table) {
            let of = self
                .view
                .database()
                .table(table)
                .attribute(column)
                .type_of();
            if of == Type::DateTime && cutoffs {
                self.add(0, Operation::Age, Some(column), Span::All);
            } else if self.place > 0 {
                self.add(0, Operation::Value, Some(column), Span::All);
            }
        }
    }

    /// The rows that the path leads to.
    fn many(&mut self) {
        let choice = self.choice;
        self.add(0, Operation::Count, None, Span::All);
        self.add(3, Operation::Exists, None, Span::All);
        self.add(0, Operation::SinceLatest, None, Span::All);
        self.add(1, Operation::SinceFirst, None, Span::All);
        for &window in &choice.windows {
            self.add(1, Operation::Count, None, Span::Within(window));
        }
        let table = self.paths.table_of(self.place);
        let inputs = self.view.inputs_of(table);
        let of = |column: usize| {
            self.view
                .database()
                .table(table)
                .attribute(column)
                .type_of()
        };
        let of_type = |wanted: Type| -> Vec<usize> {
            let inputs = inputs.iter().copied();
            inputs.filter(|&column| of(column) == wanted).collect()
        };
        let (numbers, labels) = (of_type(Type::Numeric), of_type(Type::Nominal));
        for column in &inputs {
            match of(*column) {
                Type::Numeric => self.numbers(*column),
                Type::Nominal => self.labels(*column),
                _ => {}
            }
        }
        self.conditional(&numbers, &labels);
    }

    fn numbers(&mut self, column: usize) {
        let choice = self.choice;
        let one = Some(column);
        self.add(0, Operation::Mean, one, Span::All);
        self.add(0, Operation::Latest, one, Span::All);
        for &rows in &choice.last {
            self.add(1, Operation::Mean, one, Span::Last(rows));
        }
        for &window in &choice.windows {
            self.add(1, Operation::Mean, one, Span::Within(window));
        }
        for operation in [
            Operation::Sum,
            Operation::Least,
            Operation::Most,
            Operation::Deviation,
        ] {
            self.add(1, operation, one, Span::All);
        }
        for operation in [Operation::Median, Operation::Trend, Operation::Distinct] {
            self.add(2, operation, one, Span::All);
        }
        for &window in &choice.windows {
            self.add(2, Operation::Sum, one, Span::Within(window));
            self.add(3, Operation::Change, one, Span::Within(window));
        }
        for operation in [
            Operation::Range,
            Operation::LowerQuartile,
            Operation::UpperQuartile,
        ] {
            self.add(3, operation, one, Span::All);
        }
        self.shares(column, 2);
    }

    fn labels(&mut self, column: usize) {
        let one = Some(column);
        self.add(0, Operation::Mode, one, Span::All);
        self.add(0, Operation::Latest, one, Span::All);
        self.add(1, Operation::Distinct, one, Span::All);
        self.shares(column, 0);
    }

    /// The shares of frequent values, at all times and of late.
    fn shares(&mut self, column: usize, tier: usize) {
        let choice = self.choice;
        for &value in self.frequent.of(column) {
            let share = Operation::Share(value);
            self.add(tier, share, Some(column), Span::All);
            for &rows in &choice.last {
                self.add(tier + 2, share, Some(column), Span::Last(rows));
            }
            for &window in &choice.windows {
                self.add(tier + 2, share, Some(column), Span::Within(window));
            }
        }
    }

    /// Aggregates of the rows with a frequent label, the most frequent first.
    fn conditional(&mut self, numbers: &[usize], labels: &[usize]) {
        let start = self.candidates.len();
        for place in 0..CONDITIONS {
            let rare = usize::from(place >= PLAIN_CONDITIONS);
            for &column in labels {
                let Some(&value) = self.frequent.of(column).get(place) else {
                    continue;
                };
                let condition = Some(Condition {
                    column,
                    code: value as u32,
                });
                self.add_where(1 + rare, Operation::Count, None, Span::All, condition);
                for &number in numbers {
                    for operation in [Operation::Mean, Operation::Most, Operation::Least] {
                        self.add_where(2 + rare, operation, Some(number), Span::All, condition);
                    }
                }
                for &other in labels.iter().filter(|&&other| other != column) {
                    for &value in self.frequent.of(other).iter().take(PLAIN_CONDITIONS) {
                        let share = Operation::Share(value);
                        self.add_where(3 + rare, share, Some(other), Span::All, condition);
                    }
                }
                if self.candidates.len() > start + CONDITIONAL {
                    self.candidates.truncate(start + CONDITIONAL);
                    return;
                }
            }
        }
    }
}
