//! Which cells say that nothing is known.

/// The markers of files that do not say theirs.
pub(super) const USUAL: [&str; 8] = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"];

/// The texts that stand for a missing value.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    markers: Vec<String>,
    longest: usize,
    numbers: bool,
}

impl Missing {
    /// The given markers, or the usual ones. An empty cell is missing in any case: it holds
    /// nothing.
    pub fn new(markers: Option<&[String]>) -> Self {
        let mut markers: Vec<String> = match markers {
            Some(markers) => markers
                .iter()
                .map(|marker| marker.trim().to_owned())
                .collect(),
            None => USUAL.iter().map(|marker| (*marker).to_owned()).collect(),
        };
        if !markers.iter().any(String::is_empty) {
            markers.push(String::new());
        }
        Self {
            longest: markers.iter().map(String::len).max().unwrap_or(0),
            numbers: markers
                .iter()
                .any(|marker| super::number::read(marker).is_some()),
            markers,
        }
    }

    /// The markers but those that a column declares as values.
    pub fn except(&self, values: &[String]) -> Self {
        let kept: Vec<String> = self
            .markers
            .iter()
            .filter(|marker| !values.contains(marker))
            .cloned()
            .collect();
        let mut missing = Self::new(Some(&kept));
        if values.iter().any(String::is_empty) {
            missing.markers.retain(|marker| !marker.is_empty());
        }
        missing
    }

    /// Whether a cell with this text is missing; padding does not count.
    pub fn is(&self, text: &str) -> bool {
        let text = text.trim_matches([' ', '\t']);
        text.len() <= self.longest && self.markers.iter().any(|marker| marker == text)
    }

    /// Whether a number can be a marker, so that numbers have to be looked up.
    pub fn numbers(&self) -> bool {
        self.numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_and_stated_markers() {
        let usual = Missing::new(None);
        assert!(USUAL.iter().all(|marker| usual.is(marker)));
        assert!(usual.is("  ") && usual.is(" ?") && !usual.is("none") && !usual.numbers());
        let stated = Missing::new(Some(&["-9".to_owned()]));
        assert!(stated.is("-9") && stated.is("") && !stated.is("?") && stated.numbers());
    }

    #[test]
    fn declared_values_are_no_markers() {
        let missing = Missing::new(None).except(&["?".to_owned(), "yes".to_owned()]);
        assert!(!missing.is("?") && missing.is("NA") && missing.is(""));
        assert!(!Missing::new(None).except(&[String::new()]).is(""));
    }
}
