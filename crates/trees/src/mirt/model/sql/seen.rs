//! What objects see in SQL: rows that were known by their cutoff.

use kinwood_learning::error::Result;
use kinwood_learning::sql::{CutoffIn, Gap, Seen, TableSeen, identifier, moment, number, text};
use kinwood_values::datetime;

/// The condition that a row of a table is seen by the object `o`; nothing where all rows are.
/// `own` has the columns that tell rows of the objects' table apart, where this is that table.
pub(super) fn seen(
    seen: &Seen,
    table: &TableSeen,
    alias: &str,
    own: Option<&[String]>,
) -> Result<Option<String>> {
    let Some((begin, end)) = &table.time else {
        return Ok(None);
    };
    let column = |name: &String| format!("{alias}.{}", identifier(name));
    let later = seen.gap + table.later;
    let mut all = vec![compared(seen, &column(begin), "<=", later)];
    match (end, seen.window) {
        (None, window) => {
            all.extend(
                window.map(|window| compared(seen, &column(begin), ">=", window + table.later)),
            );
        }
        (Some(end), window) => {
            let end = column(end);
            let mut holds = compared(seen, &end, ">", later);
            if let Some(window) = window {
                holds = format!("{holds} AND {}", compared(seen, &end, ">=", window));
            }
            all.push(format!("({end} IS NULL OR {holds})"));
        }
    }
    if let [first, rest @ ..] = table.known.as_slice() {
        let mut known = format!("{} IS NOT NULL", column(first));
        for name in rest {
            known += &format!(" OR {} IS NOT NULL", column(name));
        }
        all.push(format!("({known})"));
    }
    let all = all.join(" AND ");
    // An object sees itself, whatever its time.
    let at_once =
        seen.gap == 0.0 && seen.cutoff == CutoffIn::Column(begin.clone()) && end.is_none();
    match own {
        Some(_) if at_once => Ok(Some(all)),
        Some([]) => Err(Gap::Itself {
            table: table.name.clone(),
        }
        .into()),
        Some(keys) => {
            let same = keys.iter().map(|key| {
                let key = identifier(key);
                format!("{alias}.{key} = o.{key}")
            });
            let same: Vec<String> = same.collect();
            Ok(Some(format!("({all} OR {})", same.join(" AND "))))
        }
        None => Ok(Some(all)),
    }
}

/// A time beside the cutoff less so much.
fn compared(seen: &Seen, time: &str, sign: &str, less: f64) -> String {
    match &seen.cutoff {
        CutoffIn::At(at) if seen.dates => {
            let at = datetime::print((at - less) as i64);
            // A date has no character that cannot be written.
            format!("{time} {sign} {}", text(&at).unwrap_or_default())
        }
        CutoffIn::At(at) => format!("{time} {sign} {}", number(at - less)),
        CutoffIn::Column(column) => {
            let cutoff = format!("o.{}", identifier(column));
            match (less == 0.0, seen.dates) {
                (true, _) => format!("{time} {sign} {cutoff}"),
                (false, false) => format!("{time} {sign} {cutoff} - {}", number(less)),
                // Databases share no way to count days back but this one.
                (false, true) => format!(
                    "{} {sign} {} - {}",
                    moment(time),
                    moment(&cutoff),
                    number(less)
                ),
            }
        }
    }
}
