//! Settings of a learner: declared once, read from text, checked before anything runs.

use std::collections::BTreeMap;

use kinwood_values::suggest::nearest;

use crate::alias::{meant, related};
use crate::error::{Error, Result};

pub use kinwood_values::parameter::{Allowed, Parameter, Preset, Refused};

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Error::SettingValue {
            name: refused.name.to_owned(),
            value: refused.value,
            expected: refused.expected,
            nearest: refused.nearest,
        }
    }
}

/// Settings under the names that the learner has for them.
fn own_names<'g, N: AsRef<str>, V: AsRef<str>>(
    parameters: &[Parameter],
    given: &'g [(N, V)],
) -> Vec<(&'g str, &'g str)> {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    let own = |(name, value): &'g (N, V)| {
        let name = name.as_ref();
        (meant(name, &names).unwrap_or(name), value.as_ref())
    };
    given.iter().map(own).collect()
}

/// So many names stand in a message; more would bury what it says.
const NAMES_TOLD: usize = 16;

fn listed(names: &[&str]) -> String {
    match names.len() {
        0 => "none".to_owned(),
        all if all > NAMES_TOLD => {
            let told = names[..NAMES_TOLD].join(", ");
            format!("{told} and {} more", all - NAMES_TOLD)
        }
        _ => names.join(", "),
    }
}

/// The settings a learner runs with: every parameter has a value that it may have.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Settings {
    values: BTreeMap<&'static str, String>,
}

impl Settings {
    /// Defaults, overruled by a preset, overruled by what is given.
    pub fn read<N: AsRef<str>, V: AsRef<str>>(
        learner: &str,
        parameters: &[Parameter],
        given: &[(N, V)],
    ) -> Result<Self> {
        let given = &own_names(parameters, given);
        let mut values: BTreeMap<&'static str, String> = parameters
            .iter()
            .map(|parameter| (parameter.name, parameter.default.to_owned()))
            .collect();
        for parameter in parameters {
            let Allowed::Preset(presets) = parameter.allowed else {
                continue;
            };
            let named = given
                .iter()
                .find(|(name, _)| *name == parameter.name)
                .map_or(parameter.default, |(_, value)| *value);
            if let Some(preset) = presets.iter().find(|preset| preset.name == named) {
                values.extend(
                    preset
                        .settings
                        .iter()
                        .map(|&(name, value)| (name, value.to_owned())),
                );
            }
        }
        for (position, &(name, value)) in given.iter().enumerate() {
            let parameter = parameters
                .iter()
                .find(|parameter| parameter.name == name)
                .ok_or_else(|| {
                    let names: Vec<&str> =
                        parameters.iter().map(|parameter| parameter.name).collect();
                    Error::UnknownSetting {
                        learner: learner.to_owned(),
                        name: name.to_owned(),
                        nearest: related(name, &names).or_else(|| nearest(name, &names)),
                        valid: listed(&names),
                    }
                })?;
            if given[..position]
                .iter()
                .any(|(earlier, _)| *earlier == name)
            {
                return Err(Error::RepeatedSetting {
                    name: name.to_owned(),
                });
            }
            parameter.check(value)?;
            values.insert(parameter.name, value.to_owned());
        }
        Ok(Self { values })
    }

    /// A whole number.
    pub fn whole(&self, name: &str) -> usize {
        self.text(name)
            .parse()
            .expect("checked when the settings were read")
    }

    /// A number.
    pub fn real(&self, name: &str) -> f64 {
        self.text(name)
            .parse()
            .expect("checked when the settings were read")
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// A number that a word can stand in for; `None` for the word.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.text(name).parse().ok()
    }

    /// The value that a word stands for.
    pub fn word<T>(&self, name: &str, named: impl Fn(&str) -> Option<T>) -> T {
        named(self.text(name)).expect("checked when the settings were read")
    }

    /// A word or text.
    ///
    /// # Panics
    /// If the learner asks for a setting it did not declare.
    pub fn text(&self, name: &str) -> &str {
        self.values
            .get(name)
            .map(String::as_str)
            .expect("a learner asks for settings it declares")
    }

    /// A word or text, of a setting that need not be there.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// The error, with the value of the setting it is about as it was written: `2.0`, and not the
    /// number 2.
    pub fn as_written(&self, error: Error) -> Error {
        match error {
            Error::SettingValue {
                name,
                value,
                expected,
                nearest,
            } => Error::SettingValue {
                value: self.get(&name).map_or(value, str::to_owned),
                name,
                expected,
                nearest,
            },
            other => other,
        }
    }

    /// The same settings without some.
    pub fn without(mut self, names: &[&str]) -> Self {
        self.values.retain(|name, _| !names.contains(name));
        self
    }

    /// The same settings, one of them with this value.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.values.insert(name, value.to_owned());
        self
    }

    /// Every setting with its value as text, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &[Parameter] = &[
        Parameter {
            name: "k",
            doc: "neighbours",
            allowed: Allowed::Whole {
                least: 1,
                most: u64::MAX,
            },
            default: "1",
        },
        Parameter {
            name: "missing",
            doc: "",
            allowed: Allowed::Choice(&["own", "max"]),
            default: "own",
        },
        Parameter {
            name: "preset",
            doc: "",
            allowed: Allowed::Preset(&[
                Preset {
                    name: "none",
                    settings: &[],
                },
                Preset {
                    name: "ib1",
                    settings: &[("k", "1"), ("missing", "max")],
                },
            ]),
            default: "none",
        },
        Parameter {
            name: "neighbours",
            doc: "",
            allowed: Allowed::WholeOr {
                least: 1,
                words: &["loo"],
            },
            default: "loo",
        },
    ];

    fn read(given: &[(&str, &str)]) -> Result<Settings> {
        Settings::read("knn", PARAMETERS, given)
    }

    #[test]
    fn defaults_are_overruled() {
        let settings = read(&[("k", "5")]).unwrap();
        assert_eq!((settings.whole("k"), settings.text("missing")), (5, "own"));
    }

    #[test]
    fn a_preset_overrules_defaults_and_is_overruled_by_what_is_given() {
        let of = |given: &[(&str, &str)]| {
            let settings = read(given).unwrap();
            (settings.whole("k"), settings.text("missing").to_owned())
        };
        assert_eq!(of(&[("preset", "ib1")]), (1, "max".to_owned()));
        // Whatever is given wins, before or after, default or not.
        let given = [("missing", "own"), ("preset", "ib1"), ("k", "3")];
        assert_eq!(of(&given), (3, "own".to_owned()));
        assert_eq!(of(&[("preset", "none")]), (1, "own".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let message = |given: &[(&str, &str)]| read(given).unwrap_err().to_string();
        assert_eq!(
            message(&[("misssing", "own")]),
            "`knn` has no setting `misssing` (its settings are k, missing, preset, neighbours); did you mean `missing`?"
        );
        assert_eq!(
            message(&[("k", "0")]),
            "setting `k` cannot be `0`: expected a whole number from 1"
        );
        assert!(message(&[("missing", "maxx")]).ends_with("did you mean `max`?"));
        assert_eq!(
            message(&[("neighbours", "lo")]),
            "setting `neighbours` cannot be `lo`: expected a whole number from 1, or loo; did you mean `loo`?"
        );
        assert_eq!(
            message(&[("preset", "ib4")]),
            "setting `preset` cannot be `ib4`: expected one of none, ib1; did you mean `ib1`?"
        );
        assert_eq!(
            message(&[("k", "1"), ("k", "2")]),
            "setting `k` is given twice"
        );
    }
}
