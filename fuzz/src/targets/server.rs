//! A hostile PostgreSQL server: it answers what the input says, whatever is asked.
//!
//! It listens on a socket in a folder of its own, so that nothing leaves the machine, or even the
//! process. Whenever the client has said something, the messages up to the next `ReadyForQuery` are
//! sent; where the client says nothing, being still unsatisfied, the rest follows, and then the
//! end.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use kinwood::formats::Dataset;
use kinwood::formats::sql::{SqlOptions, read_postgres};

use super::readers::check;

/// How long a client is waited for before it gets more than it requested. Searches are in a hurry;
/// a client that is scheduled later than this meets a server that is ruder than the input says.
const PATIENCE: Duration = Duration::from_millis(1);

/// The server: where it is, and where to say what it is to answer next.
struct Server {
    url: String,
    answers: Mutex<Sender<(Vec<u8>, Duration)>>,
    /// The socket is there as long as the folder is.
    _folder: tempfile::TempDir,
}

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("the temporary folder can be written to");
    let socket = folder.path().join(".s.PGSQL.5432");
    let listener = UnixListener::bind(socket).expect("a socket can be made");
    let (answers, taken) = channel();
    std::thread::spawn(move || serve(&listener, &taken));
    Server {
        url: format!(
            "postgresql:///fuzz?host={}&user=fuzz&password=fuzz&sslmode=disable",
            folder.path().display()
        ),
        answers: Mutex::new(answers),
        _folder: folder,
    }
});

/// Reads a database from a server that answers so.
pub(super) fn read(bytes: &[u8]) -> bool {
    read_within(bytes, PATIENCE)
}

fn read_within(bytes: &[u8], patience: Duration) -> bool {
    let answers = SERVER
        .answers
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if answers.send((bytes.to_vec(), patience)).is_err() {
        return false;
    }
    let Ok(Dataset { database, .. }) = read_postgres(&SERVER.url, &SqlOptions::default()) else {
        return false;
    };
    database.tables().iter().for_each(check);
    true
}

fn serve(listener: &UnixListener, answers: &Receiver<(Vec<u8>, Duration)>) {
    while let Ok((bytes, patience)) = answers.recv() {
        let Ok((stream, _)) = listener.accept() else {
            return;
        };
        // A client that has gone is none to answer.
        let _ = answer(stream, &bytes, patience);
    }
}

fn answer(mut stream: UnixStream, bytes: &[u8], patience: Duration) -> std::io::Result<()> {
    stream.set_read_timeout(Some(patience))?;
    let mut rest = bytes;
    let mut heard = Vec::new();
    let mut piece = [0; 1 << 14];
    let mut greeted = false;
    loop {
        let turns = match stream.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(length) => {
                heard.extend_from_slice(&piece[..length]);
                asked(&mut heard, &mut greeted)
            }
            // It waits for more.
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => 1,
            Err(error) => return Err(error),
        };
        for _ in 0..turns {
            if rest.is_empty() {
                return stream.shutdown(Shutdown::Both);
            }
            let (now, later) = rest.split_at(turn(rest));
            stream.write_all(now)?;
            rest = later;
        }
        if rest.is_empty() {
            // What was sent can still be read; nobody waits for more.
            stream.shutdown(Shutdown::Write)?;
        }
    }
}

/// How many answers a client waits for: a greeting, queries, ends of requests, passwords.
fn asked(heard: &mut Vec<u8>, greeted: &mut bool) -> usize {
    let mut turns = 0;
    loop {
        // A greeting has no letter.
        let letter = usize::from(*greeted);
        let Some(length) = heard
            .get(letter..letter + 4)
            .and_then(|bytes| bytes.try_into().ok())
        else {
            return turns;
        };
        let length = letter + u32::from_be_bytes(length) as usize;
        if heard.len() < length {
            return turns;
        }
        turns += usize::from(!*greeted || matches!(heard[0], b'S' | b'Q' | b'p'));
        *greeted = true;
        heard.drain(..length);
    }
}

/// How many bytes are one turn: messages up to the next `ReadyForQuery`, or a request for a
/// password.
fn turn(bytes: &[u8]) -> usize {
    let mut end = 0;
    while let [letter, a, b, c, d, ..] = &bytes[end..] {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let Some(next) = end
            .checked_add(length.max(4) + 1)
            .filter(|&next| next <= bytes.len())
        else {
            return bytes.len();
        };
        let asks = *letter == b'R' && bytes[end + 5..next].iter().any(|&byte| byte != 0);
        end = next;
        if *letter == b'Z' || asks {
            return end;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{split, write};
    use crate::seeds;

    /// Reads at leisure: the answer does not depend on which thread runs when.
    fn read(bytes: &[u8]) -> bool {
        read_within(bytes, Duration::from_secs(60))
    }

    /// What a server says when one of its messages is another.
    fn with(place: usize, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
        let (mut messages, _) = split(&seeds::postgres()[0]);
        change(&mut messages[place].1);
        let mut bytes = Vec::new();
        for (letter, body) in &messages {
            write(&mut bytes, *letter, body);
        }
        bytes
    }

    /// The places of messages with a letter.
    fn places(wanted: u8) -> Vec<usize> {
        let (messages, _) = split(&seeds::postgres()[0]);
        let places = messages.iter().enumerate();
        places
            .filter(|(_, (letter, _))| *letter == wanted)
            .map(|(place, _)| place)
            .collect()
    }

    /// Values of the catalogue were once converted by a function that panics.
    #[test]
    fn a_server_that_describes_other_types_is_refused() {
        let described = places(b'T');
        assert!(described.len() > 5);
        for place in described {
            // Every column is a point, which nothing is read as.
            let other = with(place, |body| {
                for column in body[2..].chunks_exact_mut(20) {
                    column[8..12].copy_from_slice(&600u32.to_be_bytes());
                }
            });
            assert!(!read(&other), "message {place}");
        }
    }

    /// Memory was once reserved for as many rows as a server believed there are.
    #[test]
    fn a_server_that_promises_rows_takes_no_memory_for_them() {
        let two = 2i64.to_be_bytes();
        let mut promised = 0;
        for place in places(b'D') {
            let other = with(place, |body| {
                if let Some(at) = body.windows(8).position(|bytes| bytes == two) {
                    body[at..at + 8].copy_from_slice(&400_000_000i64.to_be_bytes());
                }
            });
            if other != seeds::postgres()[0] {
                promised += 1;
                let before = crate::heap::watch();
                assert!(read(&other), "a row that does not come is not missed");
                assert!(crate::heap::peak(before) < 100_000_000);
            }
        }
        assert_eq!(promised, 2);
    }

    #[test]
    fn seeds_are_accepted() {
        assert!(seeds::postgres().iter().all(|seed| read(seed)));
    }

    #[test]
    fn a_conversation_may_end_at_any_message() {
        let bytes = &seeds::postgres()[0];
        let ends = std::iter::successors(Some(0), |&end| {
            (end < bytes.len()).then(|| end + turn(&bytes[end..]))
        });
        let accepted: Vec<bool> = ends.map(|end| read(&bytes[..end])).collect();
        let (last, earlier) = accepted.split_last().expect("a conversation has an end");
        assert!(*last && earlier.len() > 5);
        // What comes behind the last rows is not waited for.
        assert!(
            earlier[..earlier.len() - 2]
                .iter()
                .all(|accepted| !accepted)
        );
    }
}
