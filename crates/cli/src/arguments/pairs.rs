//! Arguments of several parts, such as `NAME=VALUE` and `COLUMN=ROLE`, and names from a list.

use kinwood::evaluation::attempts::Portion;
use kinwood::evaluation::measures::Measure;
use kinwood_values::{ParseError, Role, Type};

/// A setting: the first `=` ends its name.
pub fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE, as in k=3".to_owned()),
    }
}

/// A role: the last `=` ends the column's name, which may have others in it.
pub fn role(text: &str) -> Result<(String, Role), String> {
    match text.rsplit_once('=') {
        Some((column, role)) if !column.is_empty() => {
            let role = role
                .parse()
                .map_err(|error: kinwood_values::Error| error.to_string())?;
            Ok((column.to_owned(), role))
        }
        _ => Err("expected COLUMN=ROLE, as in number=id".to_owned()),
    }
}

/// A type: the last `=` ends the column's name, which may have others in it.
pub fn column_type(text: &str) -> Result<(String, Type), String> {
    match text.rsplit_once('=') {
        Some((column, of)) if !column.is_empty() => {
            let of = of
                .trim()
                .parse()
                .map_err(|error: ParseError| error.to_string())?;
            Ok((column.to_owned(), of))
        }
        _ => Err("expected COLUMN=TYPE, as in basket=set<nominal>".to_owned()),
    }
}

/// A measure by its name.
pub fn measure(text: &str) -> Result<Measure, String> {
    text.parse::<Measure>().map_err(|error| error.to_string())
}

/// Portions of training rows: shares up to 1, or numbers of rows, separated by commas.
pub fn portions(text: &str) -> Result<Vec<Portion>, String> {
    let portion = |part: &str| match (part.parse::<usize>(), part.parse::<f64>()) {
        (Ok(rows), _) if rows > 1 => Ok(Portion::Rows(rows)),
        (_, Ok(share)) if share > 0.0 && share <= 1.0 => Ok(Portion::Share(share)),
        _ => Err(format!(
            "`{part}` is neither a share of the training rows up to 1, such as 0.5, nor a number of rows from 2"
        )),
    };
    text.split(',').map(|part| portion(part.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_divided_where_they_should_be() {
        assert_eq!(setting("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(role("x=1=id"), Ok(("x=1".to_owned(), Role::Id)));
        assert!(setting("k").is_err() && setting("=3").is_err() && role("id").is_err());
        assert_eq!(
            role("a=ipnut"),
            Err(
                "unknown role `ipnut`; did you mean `input`?; expected one of input, id, ignore, weight, group, fold, target, event, cutoff"
                    .to_owned()
            )
        );
    }

    #[test]
    fn portions_are_shares_or_rows() {
        let read = portions("0.1, 1,20").unwrap();
        assert_eq!(
            read,
            [Portion::Share(0.1), Portion::Share(1.0), Portion::Rows(20)]
        );
        for wrong in ["", "0", "-1", "1.5", "0.1,,1", "nan", "a"] {
            assert!(portions(wrong).is_err(), "{wrong}");
        }
    }
}
