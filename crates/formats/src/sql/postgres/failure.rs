//! What can go wrong with a server, in words that say what to do.

use std::error::Error as _;
use std::io;

use postgres::error::{DbError, SqlState};
use rustls::CertificateError;

use super::url::{Roots, Target};
use crate::error::Error;

/// Why rows stopped coming.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The server, or the way to it, failed.
    Server(postgres::Error),
    /// The bytes ended before the rows did.
    Lost,
    /// The server sent what it should not.
    Protocol(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Lost,
            io::ErrorKind::InvalidData => Self::Protocol(format!("{error} that is none")),
            _ => match error
                .into_inner()
                .map(|inner| inner.downcast::<postgres::Error>())
            {
                Some(Ok(server)) => Self::Server(*server),
                _ => Self::Lost,
            },
        }
    }
}

impl Trouble {
    /// The server's words, if only what was asked for cannot be had.
    pub fn excusable(&self) -> Option<String> {
        match self {
            Self::Server(error) => {
                let server = error.as_db_error()?;
                let denied = *server.code() == SqlState::INSUFFICIENT_PRIVILEGE;
                (!denied && !fatal(server)).then(|| server.message().to_owned())
            }
            Self::Lost | Self::Protocol(_) => None,
        }
    }
}

/// Whether the server ends the connection with this.
pub(super) fn fatal(error: &DbError) -> bool {
    matches!(
        *error.code(),
        SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW
    )
}

/// The server's own words, or those of the failure behind the error.
pub(super) fn words(error: &postgres::Error) -> String {
    if let Some(server) = error.as_db_error() {
        return server.message().to_owned();
    }
    match error.source() {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

/// The input or output that failed behind an error.
fn behind(error: &postgres::Error) -> Option<&io::Error> {
    error.source()?.downcast_ref()
}

/// A connection that could not be made.
pub(super) fn connecting(target: &Target, error: &postgres::Error) -> Error {
    let (reason, hint) = refusal(target, error);
    Error::Connect {
        place: target.place.clone(),
        reason,
        hint,
    }
}

fn refusal(target: &Target, error: &postgres::Error) -> (String, String) {
    let told = |reason: String, hint: &str| (reason, hint.to_owned());
    if let Some(server) = error.as_db_error() {
        let message = server.message().to_owned();
        return match *server.code() {
            SqlState::INVALID_PASSWORD => told(
                message,
                "; check user and password in the URL, or the password in `PGPASSWORD`",
            ),
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION => told(
                message,
                "; the server's `pg_hba.conf` says who may connect, from where, and whether encrypted",
            ),
            SqlState::INVALID_CATALOG_NAME => {
                told(message, "; `psql -l` lists the databases of a server")
            }
            SqlState::CANNOT_CONNECT_NOW => told(message, "; try again in a moment"),
            _ => told(message, ""),
        };
    }
    if let Some(failed) = behind(error) {
        if let Some(inner) = failed.get_ref().and_then(|inner| inner.downcast_ref()) {
            return certificate(target, inner);
        }
        let text = failed.to_string();
        return match failed.kind() {
            io::ErrorKind::ConnectionRefused => told(
                "connection refused".to_owned(),
                "; is the server running, and does it listen at this address and port?",
            ),
            io::ErrorKind::TimedOut => told(
                "no answer in time".to_owned(),
                "; is there a firewall? `connect_timeout` in the URL waits longer",
            ),
            io::ErrorKind::NotFound => told(
                format!("there is no server socket in `{}`", target.hosts()),
                "; is the server running?",
            ),
            _ if text.contains("lookup address") => {
                told(format!("unknown host `{}`", target.hosts()), "")
            }
            _ => told(
                text.split(" (os error")
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                "",
            ),
        };
    }
    let text = words(error);
    match text.as_str() {
        "server does not support TLS" => told(
            "the server does not encrypt connections".to_owned(),
            "; `sslmode=prefer` does without where it must",
        ),
        "password missing" => told(
            "the server asks for a password".to_owned(),
            "; state it in the URL or in `PGPASSWORD`",
        ),
        _ => told(text, ""),
    }
}

/// A handshake that failed, most often for a certificate.
fn certificate(target: &Target, error: &rustls::Error) -> (String, String) {
    use CertificateError as Wrong;
    let rustls::Error::InvalidCertificate(wrong) = error else {
        return (format!("the encryption failed: {error}"), String::new());
    };
    match wrong {
        Wrong::UnknownIssuer | Wrong::BadSignature | Wrong::InvalidPurpose => match &target.roots {
            Roots::System => (
                "the server's certificate is signed by no authority that this system trusts"
                    .to_owned(),
                "; name the file of its root certificate by `sslrootcert`".to_owned(),
            ),
            Roots::File(file) => (
                format!(
                    "the server's certificate is signed by no authority in `{}`",
                    file.display()
                ),
                "; `sslrootcert` must name the file of its root certificate".to_owned(),
            ),
        },
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => (
            format!(
                "the server's certificate is not for host `{}`",
                target.hosts()
            ),
            "; connect by a name it has, or with `sslmode=verify-ca`, which does not compare names"
                .to_owned(),
        ),
        Wrong::Expired | Wrong::ExpiredContext { .. } => (
            "the server's certificate has expired".to_owned(),
            String::new(),
        ),
        other if format!("{other:?}").contains("CaUsedAsEndEntity") => (
            "the server's certificate signs itself".to_owned(),
            "; to trust it, name a file that holds this very certificate by `sslrootcert`"
                .to_owned(),
        ),
        other => (
            format!("the server's certificate is refused: {other:?}"),
            String::new(),
        ),
    }
}

/// A table, or the catalogue, that could not be read to its end.
pub(super) fn reading(
    target: &Target,
    table: Option<String>,
    rows: usize,
    trouble: &Trouble,
) -> Error {
    let lost = |why: Option<&str>| {
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        (
            format!("the connection was lost after {rows} rows{why}"),
            "; see the server's log, then try again".to_owned(),
        )
    };
    let (reason, hint) = match trouble {
        Trouble::Lost => lost(None),
        Trouble::Protocol(reason) => (format!("the server sent {reason}"), String::new()),
        Trouble::Server(error) => match error.as_db_error() {
            None if behind(error).is_some() || error.is_closed() => lost(None),
            None => (words(error), String::new()),
            Some(server) if fatal(server) => lost(Some(server.message())),
            Some(server) => {
                let user = target.config.get_user().unwrap_or("the user");
                let hint = match *server.code() {
                    SqlState::INSUFFICIENT_PRIVILEGE => format!(
                        "; grant `SELECT` on it to `{user}`, or name the tables to read and leave it out"
                    ),
                    SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE => {
                        "; name the tables to read and leave it out, or do what the server asks"
                            .to_owned()
                    }
                    _ => String::new(),
                };
                (server.message().to_owned(), hint)
            }
        },
    };
    Error::Database {
        place: target.place.clone(),
        table,
        reason,
        hint,
    }
}
