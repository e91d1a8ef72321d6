//! Errors as people read them: one line that says what is wrong, one that helps, colour on a
//! terminal only.

use std::fmt;
use std::io::{self, Write};

use miette::{Diagnostic, ReportHandler};

use crate::arguments::Color;
use crate::error::{Error, INTERRUPTED};

/// Tells an error on standard error.
pub fn tell(error: &Error, color: Color) {
    if error.nobody_listens() {
        return;
    }
    let colour = color.on_errors();
    let told = match error.exit_code() {
        INTERRUPTED => "interrupted".to_owned(),
        _ => format!("{:?}", Told(error, Plain { colour })),
    };
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "{told}");
}

/// An error with the handler that renders it.
struct Told<'a>(&'a Error, Plain);

impl fmt::Debug for Told<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.debug(self.0, formatter)
    }
}

/// `error:` and `help:`, nothing drawn around them: messages are searched for, copied and compared.
struct Plain {
    colour: bool,
}

impl Plain {
    fn label(&self, formatter: &mut fmt::Formatter<'_>, code: &str, label: &str) -> fmt::Result {
        match self.colour {
            true => write!(formatter, "\u{1b}[1;{code}m{label}\u{1b}[0m "),
            false => write!(formatter, "{label} "),
        }
    }
}

impl ReportHandler for Plain {
    fn debug(&self, error: &dyn Diagnostic, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.label(formatter, "31", "error:")?;
        write!(formatter, "{error}")?;
        if let Some(help) = error.help() {
            formatter.write_str("\n ")?;
            self.label(formatter, "36", "help:")?;
            write!(formatter, "{help}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_changes_the_labels_only() {
        let error = Error::Exists {
            path: "a.toml".into(),
        };
        let told = |colour| format!("{:?}", Told(&error, Plain { colour }));
        assert_eq!(
            told(false),
            "error: `a.toml` is already there\n help: `--force` replaces it"
        );
        assert!(told(true).starts_with("\u{1b}[1;31merror:\u{1b}[0m `a.toml`"));
    }
}
