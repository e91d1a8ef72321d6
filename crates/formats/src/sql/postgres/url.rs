//! Where a database is: a URL, of which the password is never shown again.

use std::path::PathBuf;
use std::str::FromStr;

use kinwood_values::suggest::{did_you_mean, nearest};
use postgres::Config;
use postgres::config::{Host, SslMode};

use crate::error::{Error, Result};

/// How much is asked of a server's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// Nothing: the connection is encrypted, if at all, but with whom is not known.
    Anyone,
    /// It is signed by an authority that is trusted.
    Authority,
    /// And it is the host's.
    Host,
}

/// The authorities that are trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Roots {
    /// Those of the system.
    System,
    /// Those in a file.
    File(PathBuf),
}

/// A database that can be connected to.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub config: Config,
    pub trust: Trust,
    pub roots: Roots,
    /// The URL without password.
    pub place: String,
}

const MODES: [&str; 6] = [
    "disable",
    "allow",
    "prefer",
    "require",
    "verify-ca",
    "verify-full",
];

fn wrong(reason: impl Into<String>) -> Error {
    Error::DatabaseUrl {
        reason: reason.into(),
    }
}

impl Target {
    /// Reads a URL as PostgreSQL's own library does.
    pub fn parse(url: &str) -> Result<Self> {
        if !["postgresql://", "postgres://"]
            .iter()
            .any(|scheme| url.starts_with(scheme))
        {
            return Err(wrong("it does not begin with `postgresql://`"));
        }
        let (address, parameters) = url.split_once('?').unwrap_or((url, ""));
        let mut mode = "prefer".to_owned();
        let mut roots = None;
        let mut kept = Vec::new();
        for parameter in parameters.split('&').filter(|part| !part.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => mode = decoded(value),
                Some(("sslrootcert", value)) => roots = Some(decoded(value)),
                _ => kept.push(parameter),
            }
        }
        let (ssl, mut trust) = match mode.as_str() {
            "disable" => (SslMode::Disable, Trust::Anyone),
            "allow" | "prefer" => (SslMode::Prefer, Trust::Anyone),
            "require" => (SslMode::Require, Trust::Anyone),
            "verify-ca" => (SslMode::Require, Trust::Authority),
            "verify-full" => (SslMode::Require, Trust::Host),
            unknown => {
                let suggestion = did_you_mean(&nearest(unknown, MODES));
                return Err(wrong(format!("unknown sslmode `{unknown}`{suggestion}")));
            }
        };
        // A root certificate is there to be used, as PostgreSQL's own library has it.
        if ssl == SslMode::Require && roots.is_some() {
            trust = trust.max(Trust::Authority);
        }
        let separator = if kept.is_empty() { "" } else { "?" };
        let rest = format!("{address}{separator}{}", kept.join("&"));
        let mut config = Config::from_str(&rest).map_err(|error| {
            let source = std::error::Error::source(&error);
            wrong(source.map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        config.ssl_mode(ssl);
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host("localhost");
        }
        if config.get_password().is_none()
            && let Some(password) = std::env::var_os("PGPASSWORD")
        {
            config.password(password.as_encoded_bytes());
        }
        Ok(Self {
            place: place(&config),
            config,
            trust,
            roots: match roots.as_deref() {
                None | Some("system") => Roots::System,
                Some(file) => Roots::File(PathBuf::from(file)),
            },
        })
    }

    /// The hosts, as a list.
    pub fn hosts(&self) -> String {
        let hosts: Vec<String> = self.config.get_hosts().iter().map(host_text).collect();
        hosts.join(", ")
    }
}

fn host_text(host: &Host) -> String {
    match host {
        Host::Tcp(name) if name.contains(':') => format!("[{name}]"),
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(folder) => folder.display().to_string(),
    }
}

fn place(config: &Config) -> String {
    let user = config.get_user().map(|user| format!("{user}@"));
    let ports = config.get_ports();
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .enumerate()
        .map(|(position, host)| {
            let port = ports.get(position).or(ports.first()).unwrap_or(&5432);
            format!("{}:{port}", host_text(host))
        })
        .collect();
    let database = config.get_dbname().map(|name| format!("/{name}"));
    format!(
        "postgresql://{}{}{}",
        user.unwrap_or_default(),
        hosts.join(","),
        database.unwrap_or_default()
    )
}

/// A part of a URL without its `%` escapes.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escape = after.get(..2).and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        match (first, escape) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_place_shows_no_password() {
        let place = |url: &str| Target::parse(url).unwrap().place;
        assert_eq!(
            place("postgresql://ann:secret@db.example:5433/sales?sslmode=require"),
            "postgresql://ann@db.example:5433/sales"
        );
        assert_eq!(
            place("postgres://ann@[::1]/sales?password=secret"),
            "postgresql://ann@[::1]:5432/sales"
        );
        assert_eq!(
            place("postgresql:///sales?host=/run/postgresql&user=ann"),
            "postgresql://ann@/run/postgresql:5432/sales"
        );
    }

    #[test]
    fn modes_state_how_much_is_checked() {
        let trust = |parameters: &str| {
            let target = Target::parse(&format!("postgresql://h/d?{parameters}")).unwrap();
            (target.config.get_ssl_mode(), target.trust, target.roots)
        };
        let file = || Roots::File("/my ca.crt".into());
        assert_eq!(
            trust("connect_timeout=3"),
            (SslMode::Prefer, Trust::Anyone, Roots::System)
        );
        assert_eq!(
            trust("sslmode=verify-full&sslrootcert=/my%20ca.crt"),
            (SslMode::Require, Trust::Host, file())
        );
        assert_eq!(
            trust("sslrootcert=/my%20ca.crt&sslmode=require"),
            (SslMode::Require, Trust::Authority, file())
        );
        assert_eq!(
            trust("sslmode=verify-ca"),
            (SslMode::Require, Trust::Authority, Roots::System)
        );
        assert_eq!(
            trust("sslmode=disable"),
            (SslMode::Disable, Trust::Anyone, Roots::System)
        );
    }

    #[test]
    fn what_is_no_url_is_refused_without_being_repeated() {
        for (url, reason) in [
            (
                "mysql://u:secret@h/d",
                "it does not begin with `postgresql://`",
            ),
            (
                "postgresql://u:secret@h/d?sslmode=verify",
                "unknown sslmode `verify`; did you mean `verify-ca`?",
            ),
            (
                "postgresql://u@h:secret/d",
                "invalid value for option `port`",
            ),
            (
                "postgresql://u:secret@h/d?colour=red",
                "unknown option `colour`",
            ),
        ] {
            let message = Target::parse(url).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!(
                    "the URL does not name a PostgreSQL database: {reason}; expected"
                )),
                "{message}"
            );
            assert!(!message.contains("secret"), "{message}");
        }
    }

    proptest! {
        #[test]
        fn no_url_is_echoed_with_its_password(
            before in "[a-z:/@?&=%]{0,6}", after in "[a-z0-9:/@?&=%\\[\\]]{0,12}",
        ) {
            let url = format!("postgresql://u{before}:Xq7Zsecret@{after}");
            match Target::parse(&url) {
                // Whoever writes the password where the user or host belongs has named it so.
                Ok(target) => prop_assert!(
                    before.contains(['/', '@', '?']) || !target.place.contains("Xq7Zsecret"),
                    "{}", target.place
                ),
                Err(error) => prop_assert!(
                    before.contains(['&', '?', '=']) || !error.to_string().contains("Xq7Zsecret"),
                    "{error}"
                ),
            }
        }
    }
}
