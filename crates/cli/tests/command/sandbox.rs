//! A folder of its own for each test, and the program run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Fourteen days and whether somebody played, in the order of the well-known example.
pub const WEATHER: &str = "outlook,temperature,windy,play
sunny,85,false,no
sunny,80,true,no
overcast,83,false,yes
rainy,70,false,yes
rainy,68,false,yes
rainy,65,true,no
overcast,64,true,yes
sunny,72,false,no
sunny,69,false,yes
rainy,75,false,yes
sunny,75,true,yes
overcast,72,true,yes
overcast,81,false,yes
rainy,71,true,no
";

/// The program that is tested: the one that `KINWOOD_COMMAND` names by its full path, or the one
/// built with the tests.
pub fn program() -> String {
    let named = std::env::var("KINWOOD_COMMAND");
    named.unwrap_or_else(|_| env!("CARGO_BIN_EXE_kinwood").to_owned())
}

pub struct Sandbox {
    folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Sandbox {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A folder with `weather.csv` in it.
    pub fn with_weather() -> Self {
        let sandbox = Self::new();
        sandbox.write("weather.csv", WEATHER);
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The files in the folder, by name.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The program with these words, to be run in the folder.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(program());
        command
            .args(divided(words))
            .current_dir(self.folder.path())
            .env_remove("NO_COLOR");
        command
    }

    pub fn run(&self, words: &str) -> Ended {
        ended(self.command(words).stdin(Stdio::null()).output().unwrap())
    }

    pub fn run_with_input(&self, words: &str, input: &str) -> Ended {
        let mut child = self
            .command(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        ended(child.wait_with_output().unwrap())
    }

    /// What a run prints that must go well without a note.
    pub fn out(&self, words: &str) -> String {
        let ended = self.run(words);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "kinwood {words}");
        ended.out
    }

    /// What a run tells that must fail by the user's mistake, printing nothing.
    pub fn err(&self, words: &str) -> String {
        let ended = self.run(words);
        assert_eq!(
            (ended.code, ended.out.as_str()),
            (2, ""),
            "kinwood {words}: {}",
            ended.err
        );
        ended.err
    }
}

pub fn ended(output: std::process::Output) -> Ended {
    Ended {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Words divided at blanks, except between quotes; within double quotes a backslash keeps what
/// follows.
fn divided(words: &str) -> Vec<String> {
    let (mut divided, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = words.chars();
    while let Some(c) = characters.next() {
        match quote {
            Some(open) if c == open => quote = None,
            Some('"') if c == '\\' => word.get_or_insert_default().extend(characters.next()),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => divided.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    divided.extend(word);
    divided
}

/// Whether tests are told to do without this need, which is then said.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
pub fn skipped(need: &str) -> bool {
    let skips = std::env::var("KINWOOD_SKIP").unwrap_or_default();
    let skipped = skips.split(',').any(|skip| skip == need);
    if skipped {
        eprintln!("skipped: this test needs `{need}`, which KINWOOD_SKIP names");
    }
    skipped
}
