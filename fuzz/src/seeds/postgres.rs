//! What a PostgreSQL server says while a small database is read from it: two tables of many types,
//! a key between them and an enumeration.
//!
//! The client decides what it asks and when, so the conversation is recorded: a server of a few
//! answers is read from once, and what it said is the seed.

use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};

use kinwood::formats::sql::{SqlOptions, read_postgres};

use crate::messages::write;

/// Types by their numbers in the protocol.
const BOOL: u32 = 16;
const INT8: u32 = 20;
const INT2: u32 = 21;
const TEXT: u32 = 25;
const OID: u32 = 26;
const INT2_LIST: u32 = 1005;
const TEXT_LIST: u32 = 1009;

/// A cell as it is sent.
type Cell = Option<Vec<u8>>;

fn text(text: &str) -> Cell {
    Some(text.as_bytes().to_vec())
}

fn whole<const N: usize>(bytes: [u8; N]) -> Cell {
    Some(bytes.to_vec())
}

/// An array of one dimension.
fn list(of: u32, members: &[Vec<u8>]) -> Cell {
    let mut bytes = Vec::new();
    let dimensions = i32::from(!members.is_empty());
    bytes.extend(dimensions.to_be_bytes());
    bytes.extend(0i32.to_be_bytes());
    bytes.extend(of.to_be_bytes());
    if dimensions == 1 {
        bytes.extend((members.len() as i32).to_be_bytes());
        bytes.extend(1i32.to_be_bytes());
    }
    for member in members {
        bytes.extend((member.len() as i32).to_be_bytes());
        bytes.extend(member);
    }
    Some(bytes)
}

fn cells(cells: &[Cell]) -> Vec<u8> {
    let mut bytes = (cells.len() as i16).to_be_bytes().to_vec();
    for cell in cells {
        let length = cell.as_ref().map_or(-1, |cell| cell.len() as i32);
        bytes.extend(length.to_be_bytes());
        bytes.extend(cell.iter().flatten());
    }
    bytes
}

/// A column: number, name, type as text, type, kind, and of a list the type and kind of members.
fn column(number: i16, name: &str, of: (u32, &str), member: Option<(u32, &str)>) -> Vec<Cell> {
    vec![
        whole(number.to_be_bytes()),
        text(name),
        text("type"),
        whole(of.0.to_be_bytes()),
        text(of.1),
        member.and_then(|(of, _)| whole(of.to_be_bytes())),
        member.and_then(|(_, kind)| text(kind)),
    ]
}

/// A prepared query: what it takes, what it gives.
#[derive(Clone, Default)]
struct Prepared {
    text: String,
    columns: &'static [u32],
}

/// A server of a few answers.
struct Server {
    said: Vec<u8>,
    prepared: Vec<(Vec<u8>, Prepared)>,
    /// The statement, and the number it was bound to.
    bound: (Prepared, u32),
}

impl Server {
    fn say(&mut self, letter: u8, body: &[u8]) {
        write(&mut self.said, letter, body);
    }

    /// The beginning: nobody asks for a password.
    fn welcome(&mut self) {
        self.say(b'R', &0i32.to_be_bytes());
        self.say(b'S', b"server_version\x0016.1\0");
        self.say(b'S', b"client_encoding\0UTF8\0");
        self.say(b'K', &[0, 0, 0, 1, 0, 0, 0, 2]);
        self.say(b'Z', b"I");
    }

    /// Answers a message.
    fn hear(&mut self, letter: u8, body: &[u8]) {
        let mut texts = body.split(|&byte| byte == 0);
        let mut next = || texts.next().unwrap_or_default().to_vec();
        match letter {
            b'Q' => {
                for _ in String::from_utf8_lossy(body).split(';') {
                    self.say(b'C', b"SET\0");
                }
                self.say(b'Z', b"T");
            }
            b'P' => {
                let (name, text) = (next(), String::from_utf8_lossy(&next()).into_owned());
                let columns = columns_of(&text);
                self.prepared.push((name, Prepared { text, columns }));
                self.say(b'1', b"");
            }
            b'D' => {
                let name = next().split_off(1);
                let found = self.prepared.iter().find(|(known, _)| *known == name);
                let prepared = found
                    .map(|(_, prepared)| prepared.clone())
                    .unwrap_or_default();
                self.describe(&prepared);
            }
            b'B' => {
                let (_, name) = (next(), next());
                let found = self.prepared.iter().find(|(known, _)| *known == name);
                let prepared = found
                    .map(|(_, prepared)| prepared.clone())
                    .unwrap_or_default();
                // The only numbers that queries take are those of tables and types; they stand
                // before the formats of results.
                let at = body.len().saturating_sub(8);
                let number = body.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
                self.bound = (prepared, number.map_or(0, u32::from_be_bytes));
                self.say(b'2', b"");
            }
            b'E' => self.execute(),
            b'C' => self.say(b'3', b""),
            b'S' => self.say(b'Z', b"T"),
            _ => {}
        }
    }

    fn describe(&mut self, prepared: &Prepared) {
        let takes: &[u32] = match &prepared.text {
            text if text.contains("ANY ($1)") => &[TEXT_LIST],
            text if text.contains("$1") => &[OID],
            _ => &[],
        };
        let mut body = (takes.len() as i16).to_be_bytes().to_vec();
        takes.iter().for_each(|of| body.extend(of.to_be_bytes()));
        self.say(b't', &body);
        let mut body = (prepared.columns.len() as i16).to_be_bytes().to_vec();
        for of in prepared.columns {
            body.extend(b"c\0");
            body.extend(0i32.to_be_bytes());
            body.extend(0i16.to_be_bytes());
            body.extend(of.to_be_bytes());
            body.extend(8i16.to_be_bytes());
            body.extend((-1i32).to_be_bytes());
            body.extend(1i16.to_be_bytes());
        }
        match prepared.columns.is_empty() {
            true => self.say(b'n', b""),
            false => self.say(b'T', &body),
        }
    }

    fn execute(&mut self) {
        let (prepared, number) = self.bound.clone();
        if prepared.text.starts_with("COPY") {
            let rows = copied(&prepared.text);
            let mut body = vec![1];
            body.extend((rows[0].len() as i16).to_be_bytes());
            rows[0].iter().for_each(|_| body.extend(1i16.to_be_bytes()));
            self.say(b'H', &body);
            let mut data = b"PGCOPY\n\xff\r\n\0".to_vec();
            data.extend([0; 8]);
            for row in &rows {
                data.extend(cells(row));
                self.say(b'd', &std::mem::take(&mut data));
            }
            self.say(b'd', &(-1i16).to_be_bytes());
            self.say(b'c', b"");
            return self.say(b'C', b"COPY 2\0");
        }
        for row in rows_of(&prepared.text, number) {
            self.say(b'D', &cells(&row));
        }
        self.say(b'C', b"SELECT 1\0");
    }
}

/// The types of a query's columns.
fn columns_of(query: &str) -> &'static [u32] {
    match query {
        query if query.contains("current_schemas") => &[TEXT_LIST],
        query if query.contains("reltuples") => &[OID, TEXT, TEXT, TEXT, INT8, BOOL],
        query if query.contains("RECURSIVE") => &[INT2, TEXT, TEXT, OID, TEXT, OID, TEXT],
        query if query.contains("contype") => &[TEXT, TEXT, INT2_LIST, TEXT, TEXT, TEXT_LIST],
        query if query.starts_with("COPY") => &[],
        _ => &[TEXT],
    }
}

const ATOM: u32 = 100;

/// What the catalogue says.
fn rows_of(query: &str, number: u32) -> Vec<Vec<Cell>> {
    let short = |number: i16| number.to_be_bytes().to_vec();
    let relation = |oid: u32, name: &str| {
        vec![
            whole(oid.to_be_bytes()),
            text("public"),
            text(name),
            text("r"),
            whole(2i64.to_be_bytes()),
            whole([0]),
        ]
    };
    let own = || {
        vec![
            text("p"),
            text("pk"),
            list(INT2, &[short(1)]),
            None,
            None,
            list(TEXT, &[]),
        ]
    };
    match query {
        query if query.contains("current_schemas") => {
            vec![vec![list(TEXT, &[b"public".to_vec()])]]
        }
        query if query.contains("reltuples") => {
            vec![relation(ATOM, "atom"), relation(ATOM + 1, "molecule")]
        }
        query if query.contains("pg_enum") => vec![vec![text("c")], vec![text("n")]],
        query if query.contains("RECURSIVE") && number == ATOM => vec![
            column(1, "id", (23, "bN"), None),
            column(2, "molecule", (25, "bS"), None),
            column(3, "charge", (1700, "bN"), None),
            column(4, "element", (16400, "eE"), None),
            column(5, "seen", (1184, "bD"), None),
        ],
        query if query.contains("RECURSIVE") => vec![
            column(1, "id", (25, "bS"), None),
            column(2, "sizes", (1007, "bA"), Some((23, "bN"))),
            column(3, "more", (3802, "bU"), None),
            column(4, "day", (1082, "bD"), None),
            column(5, "active", (16, "bB"), None),
            column(6, "weight", (701, "bN"), None),
            column(7, "place", (600, "bG"), None),
        ],
        query if query.contains("contype") && number == ATOM => {
            let to = list(TEXT, &[b"id".to_vec()]);
            let from = list(INT2, &[short(2)]);
            vec![
                vec![
                    text("f"),
                    text("of"),
                    from,
                    text("public"),
                    text("molecule"),
                    to,
                ],
                own(),
            ]
        }
        query if query.contains("contype") => vec![own()],
        _ => vec![vec![text("other")], vec![text("public")]],
    }
}

/// The rows of a table.
fn copied(query: &str) -> Vec<Vec<Cell>> {
    let four = |number: i32| number.to_be_bytes().to_vec();
    if query.contains("\"charge\"") {
        let mut decimal = Vec::new();
        [2i16, 0, 0, 2, 3, 1400]
            .iter()
            .for_each(|part| decimal.extend(part.to_be_bytes()));
        let atom = |id: i32, element: &str| {
            let seen = whole(700_000_000_000_000i64.to_be_bytes());
            let charge = Some(decimal.clone());
            vec![Some(four(id)), text("m1"), charge, text(element), seen]
        };
        return vec![atom(1, "c"), atom(2, "n")];
    }
    vec![vec![
        text("m1"),
        list(23, &[four(1), four(2)]),
        text("{\"a\": [1, 2]}"),
        Some(four(8000)),
        whole([1]),
        whole(2.5f64.to_be_bytes()),
        text("(1,2)"),
    ]]
}

/// Talks to a client; all that was said.
fn talk(mut stream: UnixStream) -> io::Result<Vec<u8>> {
    let mut server = Server {
        said: Vec::new(),
        prepared: Vec::new(),
        bound: Default::default(),
    };
    let mut length = [0; 4];
    let mut told = 0;
    let mut hear = |stream: &mut UnixStream| -> io::Result<Vec<u8>> {
        stream.read_exact(&mut length)?;
        let mut body = vec![0; u32::from_be_bytes(length).saturating_sub(4) as usize];
        stream.read_exact(&mut body)?;
        Ok(body)
    };
    hear(&mut stream)?;
    server.welcome();
    loop {
        let gone = stream.write_all(&server.said[told..]).is_err();
        told = server.said.len();
        let mut letter = [0];
        if gone || stream.read(&mut letter)? == 0 || letter == *b"X" {
            return Ok(server.said);
        }
        let body = hear(&mut stream)?;
        server.hear(letter[0], &body);
    }
}

/// A whole conversation.
///
/// # Panics
/// If no socket can be made in the temporary folder.
pub fn postgres() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written to");
    let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).expect("a socket");
    let host = folder.path().display();
    let url = format!("postgresql:///fuzz?host={host}&user=fuzz&password=fuzz&sslmode=disable");
    let server = std::thread::spawn(move || talk(listener.accept()?.0));
    let read = read_postgres(&url, &SqlOptions::default());
    let said = server.join().ok().and_then(io::Result::ok);
    assert!(
        read.is_ok(),
        "the database of the seed is read: {:?}",
        read.err()
    );
    said.into_iter().collect()
}
