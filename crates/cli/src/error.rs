//! What can go wrong in the command, and the exit code that says so.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use kinwood::container::reason;
use kinwood::evaluation::run::RunError;
use kinwood::formats::{Error as FormatError, Halted};
use kinwood::learners::Error as LearnerError;
use kinwood_values::suggest::did_you_mean;
use miette::Diagnostic;

use crate::amounts::show_size;
use crate::remedy::message;

/// Our mistake.
pub const INTERNAL: u8 = 1;
/// The user's mistake, or something wrong with the data.
pub const USER: u8 = 2;
/// The user stopped the work.
pub const INTERRUPTED: u8 = 130;

/// What can go wrong in the command.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The library refuses or fails.
    #[error("{}", message(.0))]
    Library(#[from] kinwood::Error),
    /// A query is wrong, or may not do what it would.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Query(kinwood::queries::Error),
    /// A model file is damaged, or does not hold what a model needs.
    #[error("model `{}`: {}", path.display(), message(source))]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: kinwood::Error,
    },
    /// A model file or `kinwood.toml` cannot be read.
    #[error("cannot read `{}`: {}", path.display(), reason(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program of a verb of the user's own cannot be run.
    #[error("cannot run `{}`: {}", program.display(), reason(source))]
    External {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something in `kinwood.toml` is not right.
    #[error("{file}:{line}:{column}: {reason}{}", did_you_mean(nearest))]
    Configuration {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// What is wrong.
        reason: String,
        /// The nearest valid name, where a name is wrong.
        nearest: Option<String>,
    },
    /// The data is larger than the user allows.
    #[error(
        "`{data}` takes {} in memory, more than the {} that are allowed",
        show_size(*needed),
        show_size(*allowed)
    )]
    Memory {
        /// What was read.
        data: String,
        /// What its columns take, in bytes.
        needed: u64,
        /// What they may take, in bytes.
        allowed: u64,
    },
    /// A report of results that is to show other data.
    #[error("`{}` is a results folder, which has its data: leave out `--data`", path.display())]
    ResultsHaveData {
        /// The folder.
        path: PathBuf,
    },
    /// A comparison without learners or without data.
    #[error(
        "there is nothing to compare: name learners and `--data`, or a `--study`, or a `--results` folder alone to see its tables"
    )]
    NothingToCompare,
    /// Predictions of folds where no folds are made.
    #[error("`-o` keeps what was predicted of folds, and here are none")]
    NoFolds,
    /// A comparison in which every learner failed on every data set.
    #[error("every learner failed on every data set; the first: {reason}")]
    AllFailed {
        /// What the first of them said.
        reason: String,
    },
    /// A value on the command line or in a file of pairs that is not what it should be.
    #[error("{place}: {reason}")]
    PairValue {
        /// Where it stands.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// A picture of a hierarchy where there is none.
    #[error("`--svg` draws a hierarchy: say `--method average`, `complete` or `single`")]
    NoHierarchy,
    /// A file that would be overwritten.
    #[error("`{}` is already there", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A folder that should be empty.
    #[error("the folder `{}` is not empty", path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// A file or folder that cannot be written.
    #[error("cannot write `{}`: {}", path.display(), reason(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Rows are to be divided, and there are none.
    #[error("rows are divided to evaluate on data, and there is none: say `--data DATA`")]
    NothingToDivide,
    /// Cutoffs where rows are written as they are.
    #[error(
        "`convert` writes rows as they are: --as-of, --gap, --window, --horizon and --freeze say what rows see of others, which no file keeps"
    )]
    SeesNothing,
    /// What says how a model is fitted, where it is fitted already.
    #[error("a model is measured as it is: `{what}` says how a learner is fitted")]
    ModelIsFitted {
        /// What was stated.
        what: &'static str,
    },
    /// Parts of the rows are to be frozen, and there are none.
    #[error(
        "`--freeze` needs a date, such as 2010-01-01; without one, or with two, it is for rows that `--split-column` divides"
    )]
    FreezeWithoutParts,
    /// A part of a task that nobody stated.
    #[error("a task needs `{flag}`, or a file with it by `--task`")]
    NoTaskPart {
        /// The flag that states it.
        flag: &'static str,
    },
    /// Nobody said where the data of studies is.
    #[error("no data folder is named: say `--data DIR`, or set KINWOOD_DATA")]
    NoStudyData,
    /// Nobody said where benchmarks are.
    #[error(
        "skipped: no folder of benchmarks is named: say `--data DIR`, or set KINWOOD_BENCHMARKS"
    )]
    NoBenchmarks,
    /// Standard output cannot be written.
    #[error("cannot write the results: {}", reason(.0))]
    Output(io::Error),
}

/// What the command's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The error of a failed read of a path.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Error::Read {
            path: path.to_owned(),
            source,
        }
    }

    /// The error of a failed write to a path.
    pub fn write(path: &Path, source: io::Error) -> Self {
        Error::Write {
            path: path.to_owned(),
            source,
        }
    }

    /// Whether whoever read the results has stopped reading: nothing went wrong.
    pub fn nobody_listens(&self) -> bool {
        matches!(self, Error::Output(source) if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            _ if self.nobody_listens() => 0,
            Error::Library(error) if error.interrupted() => INTERRUPTED,
            _ => USER,
        }
    }
}

impl Diagnostic for Error {
    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        let help: String = match self {
            Error::Library(
                kinwood::Error::Learners(error)
                | kinwood::Error::Evaluation(RunError::Learner(error)),
            ) => return learner_help(error),
            Error::Library(kinwood::Error::UnknownColumn { .. }) => {
                "`kinwood describe DATA` shows the columns".to_owned()
            }
            // Only a delimiter that was guessed is in doubt; ARFF has its own.
            Error::Library(kinwood::Error::Formats(FormatError::Ragged { hint, .. }))
                if hint.contains("separated by") =>
            {
                "`--delimiter` states what separates cells".to_owned()
            }
            Error::Library(kinwood::Error::Formats(FormatError::UnclosedQuote { .. })) => {
                "`--quote none` says that".to_owned()
            }
            Error::Memory { .. }
            | Error::Library(kinwood::Error::Formats(FormatError::Halted {
                halted: Halted::Memory { .. } | Halted::Needs { .. },
                ..
            })) => "`--memory` sets the limit".to_owned(),
            Error::Library(kinwood::Error::Memory { .. }) => {
                "`--rows` takes fewer rows, `--memory` sets the limit".to_owned()
            }
            Error::Library(kinwood::Error::Formats(FormatError::Halted {
                halted: Halted::OutOfTime,
                ..
            })) => "`--time` sets the limit".to_owned(),
            Error::Library(kinwood::Error::StudyData { .. }) => {
                "`--data DIR` or KINWOOD_DATA says where they are".to_owned()
            }
            Error::Library(kinwood::Error::NoResults { .. }) => {
                "`kinwood compare … -o FOLDER` makes some".to_owned()
            }
            #[cfg(feature = "sqlite")]
            Error::Query(kinwood::queries::Error::ReadOnly(_)) => {
                "`--write` lets it change the tables of a SQLite file".to_owned()
            }
            #[cfg(feature = "sqlite")]
            Error::Query(kinwood::queries::Error::Large { .. }) => {
                "`--memory` sets the limit".to_owned()
            }
            Error::Exists { .. }
            | Error::Library(kinwood::Error::Formats(FormatError::Exists { .. })) => {
                "`--force` replaces it".to_owned()
            }
            Error::NotEmpty { .. } => "name an empty or a new folder".to_owned(),
            _ => return None,
        };
        Some(Box::new(help))
    }
}

fn learner_help(error: &LearnerError) -> Option<Box<dyn Display>> {
    let help = match error {
        LearnerError::UnknownLearner { .. } => "`kinwood learners` explains them".to_owned(),
        LearnerError::UnknownSetting { learner, .. } => {
            format!("`kinwood learners {learner}` explains its settings")
        }
        LearnerError::OutOfTime => "`--time` sets the limit".to_owned(),
        _ => return None,
    };
    Some(Box::new(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_say_whose_mistake_it_is() {
        let output = |kind: io::ErrorKind| Error::Output(kind.into()).exit_code();
        assert_eq!(output(io::ErrorKind::BrokenPipe), 0);
        assert_eq!(output(io::ErrorKind::StorageFull), USER);
        let stopped = kinwood::Error::from(LearnerError::Interrupted);
        assert_eq!(Error::from(stopped).exit_code(), INTERRUPTED);
    }
}
