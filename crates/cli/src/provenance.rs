//! The command that makes a result again, for the provenance of models.
//!
//! Only what decides the result is in it, in a fixed order: models made with other threads, other
//! output files or options in another order are the same, byte by byte.

use std::fmt::Display;

/// The words of a command.
#[derive(Debug, Default)]
pub struct Words {
    text: String,
}

impl Words {
    /// A command that begins with these words.
    pub fn new(words: &[&str]) -> Self {
        let mut command = Words {
            text: "kinwood".to_owned(),
        };
        words.iter().for_each(|word| command.word(word));
        command
    }

    /// One more word.
    pub fn word(&mut self, word: &str) {
        self.text.push(' ');
        self.text.push_str(&quoted(word));
    }

    /// An option, if it has a value.
    pub fn option(&mut self, name: &str, value: &Option<impl Display>) {
        if let Some(value) = value {
            self.word(name);
            self.word(&value.to_string());
        }
    }

    /// The settings given, by name.
    pub fn settings(&mut self, settings: &[(String, String)]) {
        let mut sorted: Vec<_> = settings.iter().collect();
        sorted.sort();
        for (name, value) in sorted {
            self.option("--set", &Some(format!("{name}={value}")));
        }
    }

    /// The command as one would type it.
    pub fn finish(self) -> String {
        self.text
    }
}

/// A word as a shell reads it back.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:@%+,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_divide_them() {
        let mut words = Words::new(&["fit", "knn", "my data.csv"]);
        words.option("--rows", &Some("a = 'b'"));
        words.option("--header", &None::<String>);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        words.settings(&[pair("missing", "max"), pair("k", "3")]);
        assert_eq!(
            words.finish(),
            r"kinwood fit knn 'my data.csv' --rows 'a = '\''b'\''' --set k=3 --set missing=max"
        );
    }
}
