//! Lengths of time, and the cutoffs of a task.

use kinwood_values::datetime;

use super::{TaskDefinition, wrong};
use crate::error::Result;

/// Milliseconds of a day.
pub(super) const DAY: f64 = 86_400_000.0;

/// Cutoffs beyond this are a mistake in the lengths.
const MOST_CUTOFFS: usize = 1_000_000;

/// A number of days as it is written: `30`, `30d`, `30 days`, `4 weeks`, `1 year` of 365 days.
pub fn days(text: &str) -> std::result::Result<f64, String> {
    let text = text.trim();
    let end = text
        .find(|c: char| !matches!(c, '0'..='9' | '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim() {
        "" | "d" | "day" | "days" => Some(1.0),
        "w" | "week" | "weeks" => Some(7.0),
        "y" | "year" | "years" => Some(365.0),
        _ => None,
    };
    let number: Option<f64> = number.parse().ok();
    match (number, unit) {
        (Some(number), Some(unit)) if number.is_finite() => Ok(number * unit),
        _ => Err(format!(
            "`{text}` is no length of time, expected days such as 30, `4 weeks` or `1 year`"
        )),
    }
}

/// What times are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Dates,
    Numbers,
}

impl Unit {
    /// A length of time in milliseconds, or in units of numbers.
    pub fn length(self, days: f64) -> f64 {
        match self {
            Unit::Dates => days * DAY,
            Unit::Numbers => days,
        }
    }

    /// An instant as it is written; a year alone is its first day.
    fn read(self, what: &str, written: &str) -> Result<f64> {
        let written = written.trim();
        let found = match self {
            Unit::Numbers => written.parse().ok().filter(|n: &f64| n.is_finite()),
            Unit::Dates => {
                let year = written.len() == 4 && written.bytes().all(|c| c.is_ascii_digit());
                let date = match year {
                    true => datetime::parse(&format!("{written}-01-01")),
                    false => datetime::parse(written),
                };
                date.ok().map(|date| date as f64)
            }
        };
        let expected = match self {
            Unit::Dates => "a date such as 2010-01-01",
            Unit::Numbers => "a number, as the times are numbers",
        };
        found.ok_or_else(|| wrong(format!("`{what}` is `{written}`, expected {expected}")))
    }
}

/// What rows of a cutoff are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// To learn from.
    Train,
    /// To choose by.
    Validation,
    /// To test.
    Test,
}

impl Part {
    /// The word in the column `split`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Train => "train",
            Part::Validation => "val",
            Part::Test => "test",
        }
    }
}

/// The cutoffs in ascending order, each with what its rows are for. `first` and `last` are the
/// first and last times there are.
pub(super) fn cutoffs(
    task: &TaskDefinition,
    unit: Unit,
    (first, last): (f64, f64),
) -> Result<Vec<(Part, f64)>> {
    let (every, horizon) = (unit.length(task.every), unit.length(task.horizon));
    for (what, length) in [("every", every), ("horizon", horizon)] {
        if !(length.is_finite() && length > 0.0) {
            return Err(wrong(format!("`{what}` must be more than 0 days")));
        }
    }
    let read = |what: &str, written: &Option<String>| match written {
        Some(written) => unit.read(what, written).map(Some),
        None => Ok(None),
    };
    let from = read("from", &task.from)?.unwrap_or(first);
    let to = read("to", &task.to)?.unwrap_or(last);
    let validation = read("validation", &task.validation)?;
    let test = read("test", &task.test)?;
    if let (Some(validation), Some(test)) = (validation, test)
        && validation >= test
    {
        return Err(wrong("the validation date must be before the test date"));
    }
    if ((to - from) / every) as usize > MOST_CUTOFFS {
        return Err(wrong(format!(
            "there would be more than {MOST_CUTOFFS} cutoffs"
        )));
    }
    let most = task.cutoffs.unwrap_or(MOST_CUTOFFS);
    let onwards = |start: f64, end: f64| {
        let steps = (0..most).map(move |step| start + step as f64 * every);
        steps.take_while(move |cutoff| cutoff + horizon <= end)
    };
    let mut cutoffs: Vec<(Part, f64)> = Vec::new();
    match validation.or(test) {
        Some(held_out) => {
            let steps = (0..).map(|step| held_out - horizon - f64::from(step) * every);
            let back = steps.take_while(|cutoff| *cutoff >= from);
            cutoffs.extend(back.map(|cutoff| (Part::Train, cutoff)));
            cutoffs.reverse();
        }
        None => {
            let all = (0..).map(|step| from + f64::from(step) * every);
            let all = all.take_while(|cutoff| cutoff + horizon <= to);
            cutoffs.extend(all.map(|cutoff| (Part::Train, cutoff)));
        }
    }
    if let Some(validation) = validation {
        let end = test.unwrap_or(to);
        cutoffs.extend(onwards(validation, end).map(|cutoff| (Part::Validation, cutoff)));
    }
    if let Some(test) = test {
        cutoffs.extend(onwards(test, to).map(|cutoff| (Part::Test, cutoff)));
    }
    if cutoffs.is_empty() {
        return Err(wrong(format!(
            "there is no cutoff: the times are from {} to {}, and a window is {} long",
            shown(unit, from),
            shown(unit, to),
            match unit {
                Unit::Dates => format!("{} days", task.horizon),
                Unit::Numbers => task.horizon.to_string(),
            }
        )));
    }
    Ok(cutoffs)
}

/// An instant for people.
pub(super) fn shown(unit: Unit, instant: f64) -> String {
    match unit {
        Unit::Dates => datetime::print(instant as i64),
        Unit::Numbers => instant.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(every: f64, horizon: f64) -> TaskDefinition {
        TaskDefinition {
            every,
            horizon,
            ..TaskDefinition::default()
        }
    }

    fn counted(cutoffs: &[(Part, f64)], part: Part) -> Vec<f64> {
        let of = cutoffs.iter().filter(|(found, _)| *found == part);
        of.map(|(_, cutoff)| *cutoff).collect()
    }

    #[test]
    fn lengths_have_units() {
        assert_eq!(days("30"), Ok(30.0));
        assert_eq!(days(" 4 weeks "), Ok(28.0));
        assert_eq!(days("1y"), Ok(365.0));
        assert!(days("1 month").unwrap_err().contains("no length of time"));
        assert!(days("").is_err());
    }

    #[test]
    fn no_window_reaches_into_the_part_that_follows() {
        let task = TaskDefinition {
            validation: Some("100".into()),
            test: Some("150".into()),
            ..task(10.0, 20.0)
        };
        let found = cutoffs(&task, Unit::Numbers, (55.0, 200.0)).unwrap();
        assert_eq!(counted(&found, Part::Train), [60.0, 70.0, 80.0]);
        let validation = [100.0, 110.0, 120.0, 130.0];
        assert_eq!(counted(&found, Part::Validation), validation);
        let test = [150.0, 160.0, 170.0, 180.0];
        assert_eq!(counted(&found, Part::Test), test);
        let few = TaskDefinition {
            cutoffs: Some(2),
            ..task
        };
        let found = cutoffs(&few, Unit::Numbers, (55.0, 200.0)).unwrap();
        assert_eq!(counted(&found, Part::Test), [150.0, 160.0]);
        assert_eq!(counted(&found, Part::Train).len(), 3);
    }

    #[test]
    fn without_parts_all_rows_are_to_learn_from() {
        let found = cutoffs(&task(5.0, 5.0), Unit::Numbers, (0.0, 20.0)).unwrap();
        assert_eq!(counted(&found, Part::Train), [0.0, 5.0, 10.0, 15.0]);
    }

    #[test]
    fn what_makes_no_cutoffs_is_told() {
        let message =
            |task: &TaskDefinition, unit| cutoffs(task, unit, (0.0, 20.0)).unwrap_err().to_string();
        assert!(message(&task(0.0, 1.0), Unit::Numbers).contains("`every` must be more than 0"));
        assert!(message(&task(1.0, 30.0), Unit::Numbers).contains("there is no cutoff"));
        let wrong = TaskDefinition {
            test: Some("soon".into()),
            ..task(1.0, 1.0)
        };
        assert!(message(&wrong, Unit::Dates).contains("`test` is `soon`, expected a date"));
        let wrong = TaskDefinition {
            validation: Some("9".into()),
            test: Some("8".into()),
            ..task(1.0, 1.0)
        };
        assert!(message(&wrong, Unit::Numbers).contains("must be before the test date"));
        assert!(message(&task(1e-9, 1.0), Unit::Numbers).contains("more than 1000000 cutoffs"));
    }
}
