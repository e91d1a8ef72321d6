//! How far the sphere of influence reaches: one blend for all attributes, or their own for some.

use kinwood_values::suggest::nearest;
use serde::{Deserialize, Serialize};

use kinwood_learning::error::{Error, Result};

/// What is said about blends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blend {
    /// That of every attribute of which nothing is said.
    pub common: f64,
    /// Those of attributes by name.
    #[serde(default)]
    pub attributes: Vec<(String, f64)>,
}

/// What a blend is unless it is set: the paper's 20 percent.
pub const DEFAULT: f64 = 0.2;

/// The word that leaves the choice to cross-validation on the training rows.
pub const BY_CROSS_VALIDATION: &str = "cross_validation";

impl Blend {
    /// The same for all.
    pub fn common(common: f64) -> Self {
        Self {
            common,
            attributes: Vec::new(),
        }
    }

    /// Reads `0.2`, `0.2, age=0.5` or `age=0.5`.
    pub fn read(text: &str) -> Result<Self> {
        let mut blend = Self::common(DEFAULT);
        let mut said = false;
        for part in text.split(',').map(str::trim) {
            let (column, number) = match part.rsplit_once('=') {
                Some((column, number)) => (Some(column.trim()), number.trim()),
                None => (None, part),
            };
            let number: f64 = number
                .parse()
                .ok()
                .filter(|number| (0.0..=1.0).contains(number))
                .ok_or_else(|| Self::wrong(part))?;
            match column {
                Some(column) => blend.attributes.push((column.to_owned(), number)),
                None if said => return Err(Self::wrong(text)),
                None => {
                    blend.common = number;
                    said = true;
                }
            }
        }
        Ok(blend)
    }

    /// What is said of text that is no blend.
    pub fn wrong(found: &str) -> Error {
        Error::SettingValue {
            name: "blend".to_owned(),
            value: found.to_owned(),
            expected: format!(
                "a number from 0 to 1, `column=number` for a column of its own, or `{BY_CROSS_VALIDATION}`"
            ),
            nearest: nearest(found, [BY_CROSS_VALIDATION]),
        }
    }

    /// Fails on the first number that is no blend.
    pub fn check(&self) -> Result<()> {
        let fits = |blend: f64| (0.0..=1.0).contains(&blend);
        if !fits(self.common) {
            return Err(Self::wrong(&self.common.to_string()));
        }
        match self.attributes.iter().find(|(_, blend)| !fits(*blend)) {
            Some((column, blend)) => Err(Self::wrong(&format!("{column}={blend}"))),
            None => Ok(()),
        }
    }

    /// The blend of each attribute; fails on a name that none has.
    pub fn of<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<f64>> {
        let mut blends = vec![self.common; names.len()];
        for (column, blend) in &self.attributes {
            let position = names.iter().position(|name| name.as_ref() == column);
            let position = position.ok_or_else(|| Error::SettingValue {
                name: "blend".to_owned(),
                value: column.clone(),
                expected: "the name of an input column".to_owned(),
                nearest: nearest(column, names),
            })?;
            blends[position] = *blend;
        }
        Ok(blends)
    }

    /// Whether every number is a blend: what a file says may be anything.
    pub fn sound(&self) -> bool {
        self.check().is_ok()
    }
}

impl std::fmt::Display for Blend {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.common)?;
        self.attributes
            .iter()
            .try_for_each(|(column, blend)| write!(formatter, ", {column}={blend}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blends_are_read_and_resolved() {
        let names = ["size", "age"];
        let of = |text: &str| Blend::read(text).and_then(|blend| blend.of(&names));
        assert_eq!(of("0.3").unwrap(), [0.3, 0.3]);
        assert_eq!(of("0.3, age=0.5").unwrap(), [0.3, 0.5]);
        assert_eq!(of("age=1").unwrap(), [0.2, 1.0]);
        let message = |text: &str| of(text).unwrap_err().to_string();
        assert!(message("0.3, agee=0.5").ends_with("did you mean `age`?"));
        assert!(message("2").starts_with("setting `blend` cannot be `2`"));
        assert!(message("0.1, 0.2").starts_with("setting `blend` cannot be"));
        assert!(message("crossvalidation").contains("did you mean"));
        assert_eq!(
            Blend::read("0.3, age=0.5").unwrap().to_string(),
            "0.3, age=0.5"
        );
    }
}
