//! Amounts in cells: percentages, money, thousands; the mark before decimals is settled by all.

use kinwood_values::notation::Notation;
use kinwood_values::notation::amounts::{Decimal, Told, Unit, read, told};
use kinwood_values::{Type, Value};

use super::{Meaning, Texts};

pub(super) fn find(texts: &Texts<'_>) -> Option<Meaning> {
    let mut unit: Option<Unit<'_>> = None;
    let (mut points, mut commas) = (None, None);
    let (mut grouped, mut pointed) = (None, None);
    for text in &texts.texts {
        let (marks, of) = told(text)?;
        match (of, unit) {
            (Unit::None, _) => {}
            (of, None) => unit = Some(of),
            (of, Some(known)) if of == known => {}
            // Dollars and euros make no sum.
            _ => return None,
        }
        let seen = match marks {
            Told::Nothing => continue,
            Told::Point => &mut points,
            Told::Comma => &mut commas,
            Told::CommaAndThree => &mut grouped,
            Told::PointAndThree => &mut pointed,
        };
        seen.get_or_insert(text);
    }
    let money = matches!(unit, Some(Unit::Currency(_)));
    let decimal = match (points, commas, grouped, pointed) {
        (Some(_), Some(_), ..) => return None,
        (Some(_), None, ..) => Decimal::Point,
        (None, Some(_), ..) => Decimal::Comma,
        (None, None, Some(_), Some(_)) => return None,
        // Prices have no three decimals.
        (None, None, None, Some(_)) if money => Decimal::Comma,
        _ => Decimal::Point,
    };
    // Figures alone were kept as labels for a reason: they have leading zeros, or are in quotes.
    if unit.is_none() && commas.is_none() && grouped.is_none() {
        return None;
    }
    let number =
        |text: &&str| read(text, decimal).and_then(|amount| Value::number(amount.number).ok());
    let what = match unit {
        Some(Unit::Percent) => "percentages".to_owned(),
        Some(Unit::Currency(symbol)) => format!("amounts in {symbol}"),
        _ => "numbers".to_owned(),
    };
    let (notation, marks) = match (decimal, commas, grouped) {
        (Decimal::Comma, Some(text), _) => (
            Some(Notation::DecimalComma),
            format!(" with a comma before decimals, as in `{text}`"),
        ),
        (Decimal::Comma, None, _) => (
            Some(Notation::DecimalComma),
            " with points between thousands".to_owned(),
        ),
        (Decimal::Point, _, Some(text)) => (
            None,
            format!(" with commas between thousands, as in `{text}`"),
        ),
        (Decimal::Point, ..) => (None, String::new()),
    };
    let form = match notation {
        Some(_) => format!("{what}, decimal comma"),
        None => what.clone(),
    };
    Some(Meaning {
        of: Type::Numeric,
        values: texts.texts.iter().map(number).collect::<Option<_>>()?,
        notation,
        evidence: format!("all {} values are {what}{marks}", texts.present),
        form,
    })
}
