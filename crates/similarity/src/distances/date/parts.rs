//! The parts of a point in time that are compared: places on a line or on a circle.

use kinwood_values::datetime::{CalendarTime, calendar, print};
use kinwood_values::{Cells, Column};

/// Milliseconds of a day.
pub(super) const DAY: f64 = 86_400_000.0;

/// Days of a year, on average.
pub(super) const YEAR: f64 = 365.2425;

/// A part of a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// When it is.
    Elapsed,
    Year,
    Month,
    /// The day of the year.
    Yearday,
    Weekday,
    /// The time of day.
    Hour,
}

impl Part {
    pub(super) const ALL: [Part; 6] = [
        Part::Elapsed,
        Part::Year,
        Part::Month,
        Part::Yearday,
        Part::Weekday,
        Part::Hour,
    ];

    /// What counts unless it is said.
    pub(super) const USUAL: [(Part, f64); 4] = [
        (Part::Elapsed, 1.0),
        (Part::Yearday, 0.5),
        (Part::Weekday, 0.5),
        (Part::Hour, 0.5),
    ];

    /// The name of its weight.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Part::Elapsed => "elapsed",
            Part::Year => "year",
            Part::Month => "month",
            Part::Yearday => "yearday",
            Part::Weekday => "weekday",
            Part::Hour => "hour",
        }
    }

    /// How places become a distance, where so many days are 1 apart.
    pub(super) fn scale(self, days: f64) -> Scale {
        let circle = |period: f64, furthest: f64| Scale::Circle { period, furthest };
        match self {
            Part::Elapsed => Scale::Line { unit: days * DAY },
            Part::Year => Scale::Line {
                unit: (days / YEAR).max(1.0),
            },
            Part::Month => circle(12.0, 6.0),
            Part::Yearday => circle(1.0, 0.5),
            Part::Weekday => circle(7.0, 3.0),
            Part::Hour => circle(24.0, 12.0),
        }
    }

    /// Where each row of a column is; 0 where it has no value.
    pub(super) fn places(self, column: &Column) -> Vec<f64> {
        let Cells::DateTime(instants) = column.cells() else {
            return vec![0.0; column.len()];
        };
        let place = |&instant: &i64| match self {
            Part::Elapsed => instant as f64,
            part => calendar(instant).map_or(0.0, |time| part.place(time)),
        };
        instants.iter().map(place).collect()
    }

    fn place(self, time: CalendarTime) -> f64 {
        match self {
            Part::Elapsed => 0.0,
            Part::Year => f64::from(time.year),
            Part::Month => f64::from(time.month),
            Part::Yearday => f64::from(time.day_of_year) / f64::from(time.days_in_year),
            Part::Weekday => f64::from(time.weekday),
            Part::Hour => time.since_midnight as f64 / 3_600_000.0,
        }
    }

    /// The part of the first row in words.
    pub(super) fn text(self, column: &Column) -> String {
        let instant = match column.cells() {
            Cells::DateTime(instants) => instants.first().copied().unwrap_or(0),
            _ => 0,
        };
        let Some(time) = calendar(instant) else {
            return print(instant);
        };
        match self {
            Part::Elapsed => print(instant),
            Part::Year => time.year.to_string(),
            Part::Month => time.month.to_string(),
            Part::Yearday => format!("day {}", time.day_of_year),
            Part::Weekday => [
                "Monday",
                "Tuesday",
                "Wednesday",
                "Thursday",
                "Friday",
                "Saturday",
                "Sunday",
            ][time.weekday as usize % 7]
                .to_owned(),
            Part::Hour => {
                let minutes = time.since_midnight / 60_000;
                format!("{:02}:{:02}", minutes / 60, minutes % 60)
            }
        }
    }
}

/// How two places become a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    /// By their difference, in units.
    Line { unit: f64 },
    /// By the shorter way around, as a share of the furthest.
    Circle { period: f64, furthest: f64 },
}

impl Scale {
    #[inline]
    pub(super) fn apart(self, a: f64, b: f64) -> f64 {
        let difference = (a - b).abs();
        match self {
            Scale::Line { unit } => difference / unit,
            Scale::Circle { period, furthest } => difference.min(period - difference) / furthest,
        }
    }
}
