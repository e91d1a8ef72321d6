//! Dates in cells, other than ISO 8601: the order of day and month is settled by all of them.

use kinwood_values::notation::Notation;
use kinwood_values::notation::dates::{Order, Told, read, told};
use kinwood_values::{Type, Value};

use super::{Meaning, Texts};

pub(super) fn find(texts: &Texts<'_>) -> Option<Meaning> {
    let (mut day_first, mut month_first, mut either) = (None, None, None);
    for text in &texts.texts {
        match told(text)? {
            Told::Settled => {}
            Told::DayFirst => day_first = day_first.or(Some(text)),
            Told::MonthFirst => month_first = month_first.or(Some(text)),
            Told::Either => either = either.or(Some(text)),
        }
    }
    let (order, form, why) = match (day_first, month_first, either) {
        (Some(_), Some(_), _) => return None,
        (Some(text), None, _) => (
            Some(Order::DayFirst),
            "day before month",
            format!(", with the day before the month, as `{text}` shows"),
        ),
        (None, Some(text), _) => (
            Some(Order::MonthFirst),
            "month before day",
            format!(", with the month before the day, as `{text}` shows"),
        ),
        (None, None, Some(text)) => (
            Some(Order::DayFirst),
            "day before month, which is a guess",
            format!(", with the day before the month; no value shows it, `{text}` could be either"),
        ),
        (None, None, None) => (None, "dates", String::new()),
    };
    let instant = |text: &&str| read(text, order.unwrap_or(Order::DayFirst)).map(Value::DateTime);
    Some(Meaning {
        of: Type::DateTime,
        values: texts.texts.iter().map(instant).collect::<Option<_>>()?,
        notation: order.map(|order| match order {
            Order::DayFirst => Notation::DayFirst,
            Order::MonthFirst => Notation::MonthFirst,
        }),
        evidence: format!("all {} values are dates{why}", texts.present),
        form: form.to_owned(),
    })
}
