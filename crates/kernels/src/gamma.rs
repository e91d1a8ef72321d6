//! How fast similarity falls with distance.

use std::fmt;

/// How fast similarity falls with distance, where the kernel does not say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gamma {
    /// So many times one over the mean squared distance between training rows; once by default.
    Automatic(f64),
    /// This number, above 0.
    Number(f64),
}

impl Default for Gamma {
    fn default() -> Self {
        Gamma::Automatic(1.0)
    }
}

impl Gamma {
    /// `auto`, `auto*FACTOR` or a number above 0.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let gamma = match text.strip_prefix("auto") {
            Some("") => Gamma::Automatic(1.0),
            Some(rest) => {
                let factor = rest.trim_start().strip_prefix('*')?;
                Gamma::Automatic(factor.trim().parse().ok()?)
            }
            None => Gamma::Number(text.trim().parse().ok()?),
        };
        gamma.fits().then_some(gamma)
    }

    /// Whether its number is above 0.
    pub(crate) fn fits(self) -> bool {
        let (Gamma::Automatic(number) | Gamma::Number(number)) = self;
        number.is_finite() && number > 0.0
    }
}

impl fmt::Display for Gamma {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gamma::Automatic(1.0) => formatter.write_str("auto"),
            Gamma::Automatic(factor) => write!(formatter, "auto*{factor}"),
            Gamma::Number(number) => write!(formatter, "{number}"),
        }
    }
}
