//! Arguments of two parts: `NAME=VALUE` and `COLUMN=ROLE`.

use kinwood_values::Role;

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
                "unknown role `ipnut`; did you mean `input`?; expected one of input, id, ignore, weight, group, fold, target"
                    .to_owned()
            )
        );
    }
}
