//! Times of day and lengths of time in cells, as hours.

use kinwood_values::notation::clocks::read;
use kinwood_values::{Type, Value};

use super::{Meaning, Texts};

pub(super) fn find(texts: &Texts<'_>) -> Option<Meaning> {
    let hours = |text: &&str| Value::number(read(text)?).ok();
    let values: Vec<Value> = texts.texts.iter().map(hours).collect::<Option<_>>()?;
    let first = texts.texts.first()?;
    Some(Meaning {
        of: Type::Numeric,
        values,
        notation: None,
        evidence: format!(
            "all {} values are times in hours and minutes, as in `{first}`, read as hours",
            texts.present
        ),
        form: "times, in hours".to_owned(),
    })
}
