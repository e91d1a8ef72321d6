//! The nearest valid name, for errors that help.

/// The candidate most like `wrong`, if any is like enough to be what was meant.
///
/// ```
/// use kinwood_values::suggest::nearest;
/// assert_eq!(nearest("ag", ["age", "height"]), Some("age".to_owned()));
/// assert_eq!(nearest("zzz", ["age", "height"]), None);
/// ```
pub fn nearest<S: AsRef<str>>(
    wrong: &str,
    candidates: impl IntoIterator<Item = S>,
) -> Option<String> {
    let folded = wrong.to_lowercase();
    let mut best: Option<(f64, String)> = None;
    for candidate in candidates {
        let candidate = candidate.as_ref();
        let likeness = strsim::jaro_winkler(&folded, &candidate.to_lowercase());
        if likeness > 0.75 && best.as_ref().is_none_or(|(most, _)| likeness > *most) {
            best = Some((likeness, candidate.to_owned()));
        }
    }
    best.map(|(_, name)| name)
}

/// The tail of an error message: `; did you mean …?` where there is a nearest name, nothing where there is none.
pub fn did_you_mean(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}
