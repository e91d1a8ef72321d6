//! Errors as Python's exceptions, with messages that end in Python's words.

use std::io;

use kinwood::container::Error as ContainerError;
use kinwood::formats::{Error as FormatError, Halted};
use kinwood::learners::Error as LearnerError;
use kinwood::{Error, similarity};
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyboardInterrupt, PyMemoryError, PyNotImplementedError, PyOSError,
    PyTimeoutError, PyValueError,
};

use crate::remedy::message;

/// The exception that an error is.
pub(crate) fn raised(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    let message = message(&error);
    match &error {
        Error::Learners(LearnerError::Interrupted) => PyKeyboardInterrupt::new_err(message),
        Error::Learners(LearnerError::OutOfTime) => PyTimeoutError::new_err(message),
        Error::Formats(FormatError::Halted { halted, .. }) => match halted {
            Halted::Interrupted => PyKeyboardInterrupt::new_err(message),
            Halted::OutOfTime => PyTimeoutError::new_err(message),
            _ => PyMemoryError::new_err(message),
        },
        Error::Memory { .. } | Error::Learners(LearnerError::KernelMemory { .. }) => {
            PyMemoryError::new_err(message)
        }
        Error::NoTrees { .. }
        | Error::Learners(
            LearnerError::CannotAppend { .. }
            | LearnerError::CannotExplain { .. }
            | LearnerError::CannotWriteSql { .. }
            | LearnerError::Sql(_),
        ) => PyNotImplementedError::new_err(message),
        Error::Write { .. } => PyOSError::new_err(message),
        Error::Container(error) => match file(error) {
            Some(source) => of_file(source, message),
            None => PyValueError::new_err(message),
        },
        Error::Formats(FormatError::Read { source, .. }) => of_file(source, message),
        _ => PyValueError::new_err(message),
    }
}

/// The exception of a measure that an expression does not give.
pub(crate) fn unmeasured(error: similarity::Error) -> PyErr {
    raised(LearnerError::from(error))
}

fn file(error: &ContainerError) -> Option<&io::Error> {
    match error {
        ContainerError::Read { source, .. } | ContainerError::Write { source, .. } => Some(source),
        _ => None,
    }
}

fn of_file(source: &io::Error, message: String) -> PyErr {
    match source.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}
