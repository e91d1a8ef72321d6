//! How a file separates and quotes its cells.

use std::fmt;

/// What stands between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tabulator.
    Tab,
    /// `|`
    Bar,
    /// One or more blanks or tabulators; those that begin or end a line separate nothing.
    Blank,
}

impl Delimiter {
    /// Every delimiter, in the order of preference among equals.
    pub const ALL: [Delimiter; 5] = [
        Delimiter::Comma,
        Delimiter::Semicolon,
        Delimiter::Tab,
        Delimiter::Bar,
        Delimiter::Blank,
    ];

    /// The names that [`Delimiter::from_name`] knows.
    pub const NAMES: &'static str = "`,`, `;`, `|`, `tab` or `blank`";

    /// The name used in schema files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Delimiter::Comma => ",",
            Delimiter::Semicolon => ";",
            Delimiter::Tab => "tab",
            Delimiter::Bar => "|",
            Delimiter::Blank => "blank",
        }
    }

    /// The delimiter of that name, or that character.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "\t" | "\\t" => Some(Delimiter::Tab),
            " " => Some(Delimiter::Blank),
            _ => Delimiter::ALL.into_iter().find(|d| d.name() == name),
        }
    }

    pub(crate) fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Semicolon => b';',
            Delimiter::Tab => b'\t',
            Delimiter::Bar => b'|',
            Delimiter::Blank => b' ',
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Delimiter::Tab => formatter.write_str("tabs"),
            Delimiter::Blank => formatter.write_str("blanks"),
            other => write!(formatter, "`{}`", other.name()),
        }
    }
}

/// What encloses cells that hold delimiters, quotes or line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quote {
    /// `"`
    Double,
    /// `'`
    Single,
    /// Nothing: quotes are ordinary characters.
    None,
}

impl Quote {
    /// The names that [`Quote::from_name`] knows.
    pub const NAMES: &'static str = "`\"`, `'` or `none`";

    /// The name used in schema files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Quote::Double => "\"",
            Quote::Single => "'",
            Quote::None => "none",
        }
    }

    /// The quote of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Quote::Double, Quote::Single, Quote::None]
            .into_iter()
            .find(|quote| quote.name() == name)
    }

    pub(crate) fn byte(self) -> Option<u8> {
        match self {
            Quote::Double => Some(b'"'),
            Quote::Single => Some(b'\''),
            Quote::None => None,
        }
    }
}

/// Whether the first row names the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Header {
    /// Decided by what stands in the file.
    #[default]
    Detect,
    /// It does.
    Yes,
    /// It is data.
    None,
}

impl Header {
    /// The names that [`Header::from_name`] knows.
    pub const NAMES: &'static str = "`detect`, `yes` or `none`";

    /// The name used in schema files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Header::Detect => "detect",
            Header::Yes => "yes",
            Header::None => "none",
        }
    }

    /// The choice of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Header::Detect, Header::Yes, Header::None]
            .into_iter()
            .find(|header| header.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for delimiter in Delimiter::ALL {
            assert_eq!(Delimiter::from_name(delimiter.name()), Some(delimiter));
        }
        assert_eq!(Delimiter::from_name("\t"), Some(Delimiter::Tab));
        assert_eq!(Delimiter::from_name(" "), Some(Delimiter::Blank));
        assert_eq!(Delimiter::from_name(":"), None);
        for quote in [Quote::Double, Quote::Single, Quote::None] {
            assert_eq!(Quote::from_name(quote.name()), Some(quote));
        }
        for header in [Header::Detect, Header::Yes, Header::None] {
            assert_eq!(Header::from_name(header.name()), Some(header));
        }
    }
}
