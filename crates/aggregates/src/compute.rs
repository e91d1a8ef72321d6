//! Aggregates for the rows of a view: places one after the other, entities side by side.

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::as_of::instant;
use kinwood_values::datetime::{CalendarTime, calendar};
use kinwood_values::{Cells, Column, Direction, Validity, Value, View};
use rayon::prelude::*;

use crate::aggregate::{Aggregate, Condition, Operation, Span, units_are_days};
use crate::clocks::{Clock, clocks};
use crate::error::{Error, Result};
use crate::linked::{Linked, Reach, Visibility};
use crate::paths::Paths;
use crate::queries::{NOTHING, Queries, Query};
use crate::sweep::{Asked, Reader, Scratch, Source, Wanted};

/// Milliseconds of a day.
pub(crate) const DAY: f64 = 86_400_000.0;

/// Queries that one thread answers at a time.
const PORTION: usize = 512;

/// Portions that are answered before the next look at whether to stop.
const PORTIONS: usize = 64;

/// What aggregates are computed of: some rows of a view, and the rows that paths lead to.
pub(crate) struct Work<'a> {
    pub view: &'a View,
    pub paths: &'a Paths,
    pub objects: Range<usize>,
    clocks: Vec<Clock<'a>>,
    /// Whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// By place that one row at most leads to, that row for each object, once it is known.
    entities: Vec<Option<Arc<[u32]>>>,
}

impl<'a> Work<'a> {
    pub fn new(
        view: &'a View,
        paths: &'a Paths,
        objects: Range<usize>,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self {
            view,
            paths,
            objects,
            clocks: clocks(view),
            stop,
            entities: vec![None; paths.len() + 1],
        }
    }

    pub fn check(&self) -> Result<()> {
        match (self.stop)() {
            true => Err(Error::Stopped),
            false => Ok(()),
        }
    }

    /// The columns of some aggregates, in their order.
    pub fn columns(&mut self, aggregates: &[Aggregate]) -> Result<Vec<Column>> {
        let mut columns: Vec<Option<Column>> = vec![None; aggregates.len()];
        for place in 0..=self.paths.len() {
            let here = || (0..aggregates.len()).filter(|&at| aggregates[at].place == place);
            if here().next().is_none() {
                continue;
            }
            self.check()?;
            let of: Vec<&Aggregate> = here().map(|at| &aggregates[at]).collect();
            let made = match self.paths.to_one(place) {
                true => {
                    let rows = self.entities(place)?;
                    let values = of.iter().map(|aggregate| self.value(aggregate, &rows));
                    values.collect()
                }
                false => self.swept(place, &of)?,
            };
            for (at, column) in here().zip(made) {
                columns[at] = Some(column);
            }
        }
        let columns = columns.into_iter();
        Ok(columns
            .map(|column| column.expect("every aggregate has a place"))
            .collect())
    }

    /// The row that a path leads each object to, or [`NOTHING`].
    pub fn entities(&mut self, place: usize) -> Result<Arc<[u32]>> {
        if let Some(rows) = &self.entities[place] {
            return Ok(Arc::clone(rows));
        }
        let rows: Arc<[u32]> = match place {
            0 => self.objects.clone().map(|at| self.view.row(at)).collect(),
            _ if self.paths.step(place).latest => self.latest(place)?,
            _ => {
                let step = self.paths.step(place).clone();
                let from = self.entities(step.from)?;
                let link = self.view.database().link(step.key);
                let next = |(position, &row): (usize, &u32)| {
                    if row == NOTHING {
                        return NOTHING;
                    }
                    let origin = self.view.row(self.objects.start + position);
                    let linked = link.forward(row as usize);
                    linked
                        .filter(|&row| self.view.sees(origin, step.table, row))
                        .unwrap_or(NOTHING)
                };
                from.iter().enumerate().map(next).collect()
            }
        };
        self.entities[place] = Some(Arc::clone(&rows));
        Ok(rows)
    }

    /// The latest of the rows that refer to the row of the place before.
    fn latest(&mut self, place: usize) -> Result<Arc<[u32]>> {
        let from = self.entities(self.paths.step(place).from)?;
        let view = self.view;
        let hops = vec![self.paths.step(place)];
        let reach = Reach::new(view, hops, &self.clocks);
        let source = Source {
            reader: Reader::Row,
            condition: None,
            wanted: vec![Wanted {
                operation: Operation::Latest,
                span: Span::All,
            }],
            unit: 1.0,
        };
        let queries = Queries::new(view, self.objects.clone(), &from, reach.visibility);
        let answers = self.answers(&reach, &[source], &queries)?;
        let row = |&query: &u32| match query {
            NOTHING => NOTHING,
            query => row_number(answers[0][query as usize]),
        };
        Ok(queries.of.iter().map(row).collect())
    }

    /// The value of the one row that a path leads to, or what is known of the cutoff.
    fn value(&self, aggregate: &Aggregate, rows: &[u32]) -> Column {
        let table = self
            .view
            .database()
            .table(self.paths.table_of(aggregate.place));
        let cutoff = |position: usize| {
            let as_of = self.view.as_of()?;
            let cutoff = as_of.cutoff(self.view.row(self.objects.start + position));
            Some(cutoff).filter(|cutoff| !cutoff.is_nan())
        };
        let each = |of: &dyn Fn(usize) -> Option<f64>| {
            let all = 0..rows.len();
            Column::numeric(all.map(|at| of(at).unwrap_or(f64::NAN)).collect())
        };
        let calendar = |part: fn(CalendarTime) -> f64| {
            each(&|at| {
                cutoff(at)
                    .and_then(|cutoff| calendar(cutoff as i64))
                    .map(part)
            })
        };
        let column = aggregate
            .column
            .map(|column| &table.attribute(column).column);
        match (aggregate.operation, column) {
            (Operation::CutoffYear, _) => calendar(|time| f64::from(time.year)),
            (Operation::CutoffMonth, _) => calendar(|time| f64::from(time.month)),
            (Operation::CutoffWeekday, _) => calendar(|time| f64::from(time.weekday + 1)),
            (Operation::Age, Some(column)) => each(&|at| {
                let row = Some(rows[at]).filter(|&row| row != NOTHING)?;
                Some((cutoff(at)? - instant(column, row as usize)?) / DAY)
            }),
            (_, Some(column)) => gathered(column, rows),
            (_, None) => Column::numeric(vec![f64::NAN; rows.len()]),
        }
    }

    /// Aggregates of a place that many rows may be at.
    fn swept(&mut self, place: usize, aggregates: &[&Aggregate]) -> Result<Vec<Column>> {
        let entities = self.entities(self.paths.anchor(place))?;
        let reach = Reach::new(self.view, self.paths.hops(place), &self.clocks);
        let queries = Queries::new(self.view, self.objects.clone(), &entities, reach.visibility);
        let (sources, outputs) = self.sources(place, aggregates);
        let answers = self.answers(&reach, &sources, &queries)?;
        let table = self.view.database().table(self.paths.table_of(place));
        let made = aggregates
            .par_iter()
            .zip(&outputs)
            .map(|(aggregate, &output)| {
                let column = aggregate
                    .column
                    .map(|column| &table.attribute(column).column);
                finished(aggregate, column, &answers[output], &queries.of)
            });
        Ok(made.collect())
    }

    /// Sources and, for each aggregate, which of their outputs it is. Aggregates of one column
    /// share a source.
    fn sources(&self, place: usize, aggregates: &[&Aggregate]) -> (Vec<Source<'a>>, Vec<usize>) {
        let table = self.view.database().table(self.paths.table_of(place));
        let unit = match units_are_days(self.view, self.paths, place) {
            true => DAY,
            false => 1.0,
        };
        let mut keys: Vec<(Option<usize>, Option<Condition>)> = Vec::new();
        let mut sources: Vec<Source> = Vec::new();
        let mut places = Vec::new();
        for aggregate in aggregates {
            // The latest value is a value of the latest row, known or not.
            let column = match aggregate.operation {
                Operation::Latest => None,
                _ => aggregate.column,
            };
            let key = (column, aggregate.condition);
            let known = keys.iter().position(|other| *other == key);
            let source = known.unwrap_or_else(|| {
                let reader = |column: usize| Reader::new(table.attribute(column).column.as_ref());
                keys.push(key);
                sources.push(Source {
                    reader: column.map_or(Reader::Row, reader),
                    condition: aggregate
                        .condition
                        .map(|condition| (reader(condition.column), condition.code)),
                    wanted: Vec::new(),
                    unit,
                });
                sources.len() - 1
            });
            let wanted = Wanted {
                operation: aggregate.operation,
                span: aggregate.span,
            };
            let all = &mut sources[source].wanted;
            let at = all.iter().position(|other| *other == wanted);
            let at = at.unwrap_or_else(|| {
                all.push(wanted);
                all.len() - 1
            });
            places.push((source, at));
        }
        let starts: Vec<usize> = sources
            .iter()
            .scan(0, |start, source| {
                let here = *start;
                *start += source.wanted.len();
                Some(here)
            })
            .collect();
        let outputs = places.iter().map(|&(source, at)| starts[source] + at);
        (sources, outputs.collect())
    }

    /// The outputs of some sources, by query.
    fn answers(
        &self,
        reach: &Reach,
        sources: &[Source],
        queries: &Queries,
    ) -> Result<Vec<Vec<f64>>> {
        let outputs: usize = sources.iter().map(|source| source.wanted.len()).sum();
        let mut all = vec![Vec::with_capacity(queries.queries.len()); outputs];
        for portions in portions(&queries.groups).chunks(PORTIONS) {
            self.check()?;
            let answered: Vec<Vec<Vec<f64>>> = portions
                .par_iter()
                .map(|groups| {
                    let mut out = vec![Vec::new(); outputs];
                    let mut memory = Memory::default();
                    for group in &queries.groups[groups.clone()] {
                        let group = &queries.queries[group.clone()];
                        answer(reach, sources, group, &mut memory, &mut out);
                    }
                    out
                })
                .collect();
            for portion in answered {
                for (all, more) in all.iter_mut().zip(portion) {
                    all.extend(more);
                }
            }
        }
        Ok(all)
    }

    /// Calls with the rows of a place that any of the objects sees, entity after entity: the rows,
    /// each as often as paths lead there.
    pub fn seen(&mut self, place: usize, mut each: impl FnMut(&[Linked])) -> Result<()> {
        let entities = self.entities(self.paths.anchor(place))?;
        let reach = Reach::new(self.view, self.paths.hops(place), &self.clocks);
        let queries = Queries::new(self.view, self.objects.clone(), &entities, reach.visibility);
        let mut memory = Memory::default();
        for (position, group) in queries.groups.iter().enumerate() {
            if position % PORTION == 0 {
                self.check()?;
            }
            let group = &queries.queries[group.clone()];
            visit(&reach, group, &mut memory, |linked, asked| {
                let seen = asked.last().map_or(0, |asked| asked.seen);
                each(&linked[..seen]);
            });
        }
        Ok(())
    }

    /// How many rows a path leads to over all objects' entities; more than the limit is not
    /// counted.
    pub fn count(&mut self, place: usize, limit: u64) -> Result<u64> {
        let entities = self.entities(self.paths.anchor(place))?;
        let mut distinct: Vec<u32> = entities.iter().copied().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let hops = self.paths.hops(place);
        let database = self.view.database();
        // From the end of the path back: how many rows lie behind each row of the tables before.
        let mut behind: Option<Vec<u64>> = None;
        for (at, step) in hops.iter().enumerate().rev() {
            let from = match at {
                0 => self.paths.table_of(self.paths.anchor(place)),
                at => hops[at - 1].table,
            };
            let link = database.link(step.key);
            let of = |row: u32| behind.as_ref().map_or(1, |behind| behind[row as usize]);
            let sum = |row: usize| match step.direction() {
                Direction::Forward => link.forward(row).map_or(0, of),
                Direction::Backward => {
                    let rows = link.backward(row).iter();
                    rows.fold(0u64, |sum, &row| sum.saturating_add(of(row)))
                }
            };
            behind = Some((0..database.table(from).rows()).map(sum).collect());
        }
        let behind = behind.unwrap_or_default();
        let counts = distinct.iter().filter(|&&row| row != NOTHING);
        let total = counts.fold(0u64, |sum, &row| sum.saturating_add(behind[row as usize]));
        Ok(total.min(limit.saturating_add(1)))
    }
}

/// Memory for the rows of one entity after the other.
#[derive(Default)]
struct Memory {
    linked: Vec<Linked>,
    seen: Vec<Linked>,
    asked: Vec<Asked>,
    scratch: Scratch,
}

/// Groups of queries with about as many queries in each portion.
fn portions(groups: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut portions: Vec<Range<usize>> = Vec::new();
    let mut queries = 0;
    for (position, group) in groups.iter().enumerate() {
        match portions.last_mut() {
            Some(last) if queries < PORTION => last.end = position + 1,
            _ => {
                portions.push(position..position + 1);
                queries = 0;
            }
        }
        queries += group.len();
    }
    portions
}

/// Calls with rows in order of time and how many of them each query sees: once for all queries of
/// an entity, or once for each where they see different parts.
fn visit(
    reach: &Reach,
    group: &[Query],
    memory: &mut Memory,
    mut each: impl FnMut(&[Linked], &[Asked]),
) {
    let Memory {
        linked,
        seen,
        asked,
        ..
    } = memory;
    let Some(first) = group.first() else {
        return;
    };
    if reach.visibility != Visibility::ByOrigin {
        reach.rows_of(first.entity, linked);
    }
    let of = |query: &Query, seen: usize| Asked {
        seen,
        reference: query.sight.latest,
    };
    match reach.visibility {
        Visibility::All | Visibility::UpTo => {
            asked.clear();
            let sights = group.iter();
            asked.extend(sights.map(|query| of(query, reach.up_to(linked, query.sight))));
            each(linked, asked);
        }
        Visibility::Each => {
            for query in group {
                reach.seen(linked, query.sight, seen);
                each(seen, &[of(query, seen.len())]);
            }
        }
        Visibility::ByOrigin => {
            for query in group {
                reach.seen_by(query.origin, query.entity, seen);
                each(seen, &[of(query, seen.len())]);
            }
        }
    }
}

fn answer(
    reach: &Reach,
    sources: &[Source],
    group: &[Query],
    memory: &mut Memory,
    out: &mut [Vec<f64>],
) {
    let mut scratch = std::mem::take(&mut memory.scratch);
    visit(reach, group, memory, |linked, asked| {
        let mut start = 0;
        for source in sources {
            let end = start + source.wanted.len();
            source.answer(linked, asked, &mut scratch, &mut out[start..end]);
            start = end;
        }
    });
    memory.scratch = scratch;
}

/// The number of a row that was carried as a number; NaN is none.
fn row_number(number: f64) -> u32 {
    match number.is_nan() {
        true => NOTHING,
        false => number as u32,
    }
}

/// The column of an aggregate, from its answers by query.
fn finished(
    aggregate: &Aggregate,
    column: Option<&Arc<Column>>,
    answers: &[f64],
    of: &[u32],
) -> Column {
    let nothing = match aggregate.operation {
        Operation::Count | Operation::Exists | Operation::Distinct => 0.0,
        _ => f64::NAN,
    };
    let answer = |&query: &u32| match query {
        NOTHING => nothing,
        query => answers[query as usize],
    };
    match (aggregate.operation, column) {
        (Operation::Latest, Some(column)) => {
            let rows: Vec<u32> = of.iter().map(|query| row_number(answer(query))).collect();
            gathered(column, &rows)
        }
        (Operation::Mode, Some(column)) => {
            let codes: Vec<f64> = of.iter().map(answer).collect();
            let dictionary = column.codes().map(|(_, dictionary)| Arc::clone(dictionary));
            let present = Validity::from_bits(codes.iter().map(|code| !code.is_nan()));
            let cells = Cells::Nominal {
                codes: codes.iter().map(|&code| code as u32).collect(),
                dictionary: dictionary.unwrap_or_default(),
            };
            Column::new(cells, Some(present))
        }
        _ => Column::numeric(of.iter().map(answer).collect()),
    }
}

/// The rows of a column, missing where there is none.
pub(crate) fn gathered(column: &Column, rows: &[u32]) -> Column {
    if rows.iter().all(|&row| row != NOTHING) {
        return column.gather(rows);
    }
    // What stands where nothing is comes from a row that is reached: models store it, and any other
    // may belong to test objects only.
    let Some(&filler) = rows.iter().find(|&&row| row != NOTHING) else {
        return missing(column, rows.len());
    };
    let there: Vec<u32> = rows
        .iter()
        .map(|&row| if row == NOTHING { filler } else { row })
        .collect();
    let filled = column.gather(&there);
    let present = rows
        .iter()
        .map(|&row| row != NOTHING && column.is_present(row as usize));
    Column::new(filled.cells().clone(), Some(Validity::from_bits(present)))
}

/// A column of the same kind without a value in any row.
fn missing(column: &Column, rows: usize) -> Column {
    if let Some((_, dictionary)) = column.codes() {
        let cells = Cells::Nominal {
            codes: vec![0; rows],
            dictionary: Arc::clone(dictionary),
        };
        let nowhere = Validity::from_bits(std::iter::repeat_n(false, rows));
        return Column::new(cells, Some(nowhere));
    }
    let values = vec![Value::Missing; rows];
    Column::from_values(&column.type_of(), &values).expect("a missing value is of every type")
}
