//! The nearest valid name, for errors that help.

/// The candidate most like `wrong`, if any is like enough to be what was meant: a few slips of the
/// keyboard away, or one a longer or shorter form of the other.
///
/// ```
/// use kinwood_values::suggest::nearest;
/// assert_eq!(nearest("ag", ["age", "height"]), Some("age".to_owned()));
/// assert_eq!(nearest("molecule", ["atom_id", "molecule_id"]), Some("molecule_id".to_owned()));
/// assert_eq!(nearest("zzz", ["age", "height"]), None);
/// ```
pub fn nearest<S: AsRef<str>>(
    wrong: &str,
    candidates: impl IntoIterator<Item = S>,
) -> Option<String> {
    if wrong.is_empty() {
        return None;
    }
    let wrong = wrong.to_lowercase();
    let length = wrong.chars().count();
    let tolerated = (length / 3).max(1);
    let mut best: Option<(usize, String)> = None;
    for candidate in candidates {
        let folded = candidate.as_ref().to_lowercase();
        let form = length >= 3
            && !folded.is_empty()
            && (folded.starts_with(&wrong) || wrong.starts_with(&folded));
        let slips = strsim::osa_distance(&wrong, &folded);
        // Another form is worse than any slip that is tolerated.
        let unlike = match (
            slips <= tolerated && slips < length.max(folded.chars().count()),
            form,
        ) {
            (true, _) => slips,
            (false, true) => tolerated + slips,
            (false, false) => continue,
        };
        if best.as_ref().is_none_or(|(least, _)| unlike < *least) {
            best = Some((unlike, candidate.as_ref().to_owned()));
        }
    }
    best.map(|(_, name)| name)
}

/// The tail of an error message: `; did you mean …?` where there is a nearest name, nothing where
/// there is none.
pub fn did_you_mean(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_tolerates_case_swaps_and_one_third() {
        let names = ["nominal", "numeric", "set"];
        assert_eq!(nearest("Nominl", names), Some("nominal".to_owned()));
        assert_eq!(nearest("ste", names), Some("set".to_owned()));
        assert_eq!(nearest("list", names), None);
        assert_eq!(nearest("k", ["K"]), Some("K".to_owned()));
        assert_eq!(nearest("k", ["kk"]), Some("kk".to_owned()));
        // Nothing of the one letter would be left.
        assert_eq!(nearest("b", ["a", "c"]), None);
    }
}
