//! All aggregates of one entity for all of its queries, in one walk along its linked rows.

use std::ops::Range;

use kinwood_values::{Cells, Column, Validity};

use crate::aggregate::{Operation, Span};
use crate::linked::Linked;
use crate::numbers::{Slope, Spread, Sums};
use crate::ranks::{Counts, Ranks, quantile};

/// What is read of a linked row.
pub(crate) enum Reader<'a> {
    /// Its number in its table.
    Row,
    /// A number.
    Number(&'a [f64], Option<&'a Validity>),
    /// The code of a label.
    Code(&'a [u32], Option<&'a Validity>),
}

impl<'a> Reader<'a> {
    /// A reader of a column of numbers or labels.
    pub fn new(column: &'a Column) -> Self {
        match column.cells() {
            Cells::Nominal { codes, .. } => Reader::Code(codes, column.validity()),
            Cells::Numeric(numbers) => Reader::Number(numbers, column.validity()),
            _ => Reader::Row,
        }
    }

    #[inline]
    pub fn read(&self, row: u32) -> Option<f64> {
        let at = row as usize;
        let known = |validity: &Option<&Validity>| validity.is_none_or(|v| v.is_present(at));
        match self {
            Reader::Row => Some(f64::from(row)),
            // Both zeros are one value.
            Reader::Number(numbers, validity) => known(validity).then(|| numbers[at] + 0.0),
            Reader::Code(codes, validity) => known(validity).then(|| f64::from(codes[at])),
        }
    }
}

/// An output that is wanted of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub operation: Operation,
    pub span: Span,
}

/// Values of linked rows, and what is wanted of them.
pub(crate) struct Source<'a> {
    pub reader: Reader<'a>,
    /// Only rows with this code in this column count.
    pub condition: Option<(Reader<'a>, u32)>,
    pub wanted: Vec<Wanted>,
    /// Length of a day, or of a unit, in the terms of the rows' times.
    pub unit: f64,
}

/// One query of an entity: how many of its rows are seen, in order of time, and by when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub seen: usize,
    /// The last instant that is seen.
    pub reference: f64,
}

/// Memory that is used again for one entity after the other.
#[derive(Default)]
pub(crate) struct Scratch {
    values: Vec<f64>,
    times: Vec<f64>,
    /// By query, how many of the values it sees.
    ends: Vec<usize>,
    sums: Sums,
}

impl Source<'_> {
    /// Adds the answers to all queries, one for each output wanted.
    pub fn answer(
        &self,
        linked: &[Linked],
        asked: &[Asked],
        scratch: &mut Scratch,
        out: &mut [Vec<f64>],
    ) {
        self.collect(linked, asked, scratch);
        let Scratch {
            values,
            times,
            ends,
            sums,
        } = scratch;
        if self.wanted.iter().any(|wanted| wanted.adds_up()) {
            sums.fill(values.iter().copied());
        }
        let series = Series {
            values,
            times,
            ends,
            sums,
            asked,
            unit: self.unit,
        };
        let mut order = None;
        for (wanted, out) in self.wanted.iter().zip(out) {
            series.answer(*wanted, &mut order, out);
        }
    }

    /// The known values of the rows that count, and how many of them each query sees.
    fn collect(&self, linked: &[Linked], asked: &[Asked], scratch: &mut Scratch) {
        let Scratch {
            values,
            times,
            ends,
            ..
        } = scratch;
        values.clear();
        times.clear();
        ends.clear();
        let mut next = 0;
        for query in asked {
            for linked in &linked[next..query.seen] {
                let counts = self
                    .condition
                    .as_ref()
                    .is_none_or(|(reader, code)| reader.read(linked.row) == Some(f64::from(*code)));
                if let Some(value) = counts.then(|| self.reader.read(linked.row)).flatten() {
                    values.push(value);
                    times.push(linked.known);
                }
            }
            next = query.seen;
            ends.push(values.len());
        }
    }
}

impl Wanted {
    /// Whether sums are needed.
    fn adds_up(&self) -> bool {
        matches!(
            self.operation,
            Operation::Sum | Operation::Mean | Operation::Change
        )
    }
}

/// The values of a source in order of time, with the queries.
struct Series<'a> {
    values: &'a [f64],
    times: &'a [f64],
    ends: &'a [usize],
    sums: &'a Sums,
    asked: &'a [Asked],
    unit: f64,
}

impl Series<'_> {
    fn answer(&self, wanted: Wanted, order: &mut Option<Ranks>, out: &mut Vec<f64>) {
        match (wanted.operation, wanted.span) {
            (Operation::Least, Span::All) => self.running(f64::NAN, f64::min, out),
            (Operation::Most, Span::All) => self.running(f64::NAN, f64::max, out),
            (Operation::Deviation, Span::All) => self.walked(
                Spread::default(),
                |spread, at| spread.add(self.values[at]),
                Spread::deviation,
                out,
            ),
            (Operation::Trend, Span::All) => self.walked(
                Slope::default(),
                |slope, at| self.add_to(slope, at),
                Slope::slope,
                out,
            ),
            (Operation::Share(value), Span::All) => {
                let mut hits = 0.0;
                self.each(out, |start, end| {
                    let new = self.values[start..end].iter();
                    hits += new.filter(|&&other| other == value).count() as f64;
                    hits / end as f64
                });
            }
            (
                Operation::Median
                | Operation::LowerQuartile
                | Operation::UpperQuartile
                | Operation::Distinct
                | Operation::Mode,
                Span::All,
            ) if self.ends.len() > 1 => {
                let ranks = order.get_or_insert_with(|| Ranks::new(self.values));
                self.ordered(wanted.operation, ranks, out);
            }
            _ => {
                for (query, &end) in self.ends.iter().enumerate() {
                    let part = self.part(wanted.span, query, end);
                    out.push(self.of_part(wanted, query, part));
                }
            }
        }
    }

    /// Calls with where the new values of each query start and end.
    fn each(&self, out: &mut Vec<f64>, mut of: impl FnMut(usize, usize) -> f64) {
        let mut start = 0;
        for &end in self.ends {
            out.push(of(start, end));
            start = end;
        }
    }

    fn running(&self, start: f64, pick: fn(f64, f64) -> f64, out: &mut Vec<f64>) {
        let mut best = start;
        self.each(out, |start, end| {
            best = self.values[start..end].iter().copied().fold(best, pick);
            best
        });
    }

    fn walked<S>(
        &self,
        mut state: S,
        add: impl Fn(&mut S, usize),
        of: fn(&S) -> f64,
        out: &mut Vec<f64>,
    ) {
        self.each(out, |start, end| {
            (start..end).for_each(|at| add(&mut state, at));
            of(&state)
        });
    }

    /// Adds a point to a line, at its time in units since the first.
    fn add_to(&self, slope: &mut Slope, at: usize) {
        let first = self
            .times
            .partition_point(|&time| time == f64::NEG_INFINITY);
        if at >= first {
            slope.add(
                (self.times[at] - self.times[first]) / self.unit,
                self.values[at],
            );
        }
    }

    fn ordered(&self, operation: Operation, ranks: &Ranks, out: &mut Vec<f64>) {
        let distinct = &ranks.distinct;
        match operation {
            Operation::Distinct | Operation::Mode => {
                let mut counts = vec![0u32; distinct.len()];
                let (mut different, mut best) = (0.0, (0u32, 0u32));
                self.each(out, |start, end| {
                    for &rank in &ranks.of[start..end] {
                        let count = &mut counts[rank as usize];
                        *count += 1;
                        different += f64::from(u8::from(*count == 1));
                        if *count > best.0 || (*count == best.0 && rank < best.1) {
                            best = (*count, rank);
                        }
                    }
                    match (operation, best.0) {
                        (Operation::Mode, 0) => f64::NAN,
                        (Operation::Mode, _) => distinct[best.1 as usize],
                        _ => different,
                    }
                });
            }
            _ => {
                let mut counts = Counts::new(distinct.len());
                let share = share_of(operation);
                self.each(out, |start, end| {
                    ranks.of[start..end]
                        .iter()
                        .for_each(|&rank| counts.add(rank));
                    match end {
                        0 => f64::NAN,
                        _ => counts.quantile(distinct, end, share),
                    }
                });
            }
        }
    }

    /// The values that a query sees in a span.
    fn part(&self, span: Span, query: usize, end: usize) -> Range<usize> {
        match span {
            Span::All => 0..end,
            Span::Within(length) => self.since(query, end, length)..end,
            Span::Last(rows) => end.saturating_sub(rows as usize)..end,
        }
    }

    /// The first of the values that are not older than so many units.
    fn since(&self, query: usize, end: usize, length: f64) -> usize {
        let earliest = self.asked[query].reference - length * self.unit;
        self.times[..end].partition_point(|&time| time < earliest)
    }

    fn of_part(&self, wanted: Wanted, query: usize, part: Range<usize>) -> f64 {
        let values = &self.values[part.clone()];
        let known = |number: f64| if values.is_empty() { f64::NAN } else { number };
        match wanted.operation {
            Operation::Count => values.len() as f64,
            Operation::Exists => f64::from(u8::from(!values.is_empty())),
            Operation::Sum => known(self.sums.sum(self.values, part)),
            Operation::Mean => known(self.sums.mean(self.values, part)),
            Operation::Least => values.iter().copied().fold(f64::NAN, f64::min),
            Operation::Most => values.iter().copied().fold(f64::NAN, f64::max),
            Operation::Range => {
                let most = values.iter().copied().fold(f64::NAN, f64::max);
                most - values.iter().copied().fold(f64::NAN, f64::min)
            }
            Operation::Deviation => {
                let mut spread = Spread::default();
                values.iter().for_each(|&value| spread.add(value));
                spread.deviation()
            }
            Operation::Trend => {
                let mut slope = Slope::default();
                part.for_each(|at| self.add_to(&mut slope, at));
                slope.slope()
            }
            Operation::Change => self.change(wanted.span, query, part),
            Operation::Share(value) => {
                let hits = values.iter().filter(|&&other| other == value).count();
                known(hits as f64 / values.len() as f64)
            }
            Operation::Latest => values.last().copied().unwrap_or(f64::NAN),
            Operation::SinceLatest | Operation::SinceFirst => {
                let times = &self.times[part];
                let dated = times.partition_point(|&time| time == f64::NEG_INFINITY);
                let time = match wanted.operation {
                    Operation::SinceLatest => times[dated..].last(),
                    _ => times.get(dated),
                };
                let since = |&time: &f64| (self.asked[query].reference - time) / self.unit;
                time.map_or(f64::NAN, since)
            }
            Operation::Median | Operation::LowerQuartile | Operation::UpperQuartile => {
                let mut sorted = values.to_vec();
                sorted.sort_unstable_by(f64::total_cmp);
                quantile(sorted.len(), share_of(wanted.operation), |at| sorted[at])
            }
            Operation::Distinct | Operation::Mode => {
                let ranks = Ranks::new(values);
                let mut counts = vec![0u32; ranks.distinct.len()];
                ranks.of.iter().for_each(|&rank| counts[rank as usize] += 1);
                match wanted.operation {
                    Operation::Distinct => ranks.distinct.len() as f64,
                    _ => {
                        let most = counts.iter().max();
                        let first = counts.iter().position(|count| Some(count) == most);
                        first.map_or(f64::NAN, |rank| ranks.distinct[rank])
                    }
                }
            }
            // These are of one row or of none: they are no part of a sweep.
            Operation::Value
            | Operation::Age
            | Operation::CutoffYear
            | Operation::CutoffMonth
            | Operation::CutoffWeekday => f64::NAN,
        }
    }

    /// The mean within a span less that of as many days, or rows, before it.
    fn change(&self, span: Span, query: usize, part: Range<usize>) -> f64 {
        let before = match span {
            Span::Within(length) => self.since(query, part.end, 2.0 * length),
            Span::Last(rows) => part.start.saturating_sub(rows as usize),
            Span::All => return f64::NAN,
        };
        if before == part.start || part.is_empty() {
            return f64::NAN;
        }
        let earlier = self.sums.mean(self.values, before..part.start);
        self.sums.mean(self.values, part) - earlier
    }
}

fn share_of(operation: Operation) -> f64 {
    match operation {
        Operation::LowerQuartile => 0.25,
        Operation::UpperQuartile => 0.75,
        _ => 0.5,
    }
}
