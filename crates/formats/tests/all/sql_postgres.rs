//! PostgreSQL for real: a private server, its catalogue, its types, its failures.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed step is a failed test, and a skipped one is told"
)]

use std::net::TcpListener;
use std::path::Path;
use std::sync::OnceLock;

use crate::support::{PASSWORD, Server, skipped};
use kinwood_formats::read::source_name;
use kinwood_formats::sql::{SqlOptions, read_postgres};
use kinwood_formats::{Dataset, ReadOptions, WriteOptions};
use kinwood_values::{Database, Remedy, Type};

/// The server of all tests that do not end it.
fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Server> = OnceLock::new();
    (!skipped()).then(|| SERVER.get_or_init(|| Server::start(true)))
}

fn read(url: &str) -> Dataset {
    read_postgres(url, &SqlOptions::default()).unwrap()
}

fn tables(names: &[&str]) -> SqlOptions {
    SqlOptions {
        tables: Some(names.iter().map(|name| (*name).to_owned()).collect()),
        ..SqlOptions::default()
    }
}

/// The message of a failure, without the port, and never with the password.
fn refused_with(url: &str, options: &SqlOptions) -> String {
    let message = read_postgres(url, options).unwrap_err().to_string();
    assert!(!message.contains(PASSWORD), "{message}");
    let mut shown = String::new();
    let mut parts = message.split("localhost:");
    shown.push_str(parts.next().unwrap_or_default());
    for part in parts {
        shown.push_str("localhost:PORT");
        shown.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    shown
}

fn refused(url: &str) -> String {
    refused_with(url, &SqlOptions::default())
}

fn notices(data: &Dataset) -> Vec<&str> {
    data.notices.iter().map(|notice| notice.message()).collect()
}

fn names(database: &Database) -> Vec<&str> {
    database.tables().iter().map(|table| table.name()).collect()
}

fn column(data: &Dataset, table: &str, column: &str) -> Vec<String> {
    let table = data.database.table(data.database.find(table).unwrap());
    let column = &table.attribute(table.find(column).unwrap()).column;
    (0..column.len())
        .map(|row| column.value(row).to_string())
        .collect()
}

fn type_of(data: &Dataset, table: &str, column: &str) -> String {
    let table = data.database.table(data.database.find(table).unwrap());
    let of: Type = table.attribute(table.find(column).unwrap()).type_of();
    of.to_string()
}

/// The foreign keys as `name: from(columns) -> to(columns)`.
fn keys(database: &Database) -> Vec<String> {
    let end = |table: usize, columns: &[usize]| {
        let table = database.table(table);
        let names: Vec<&str> = columns
            .iter()
            .map(|&column| table.attribute(column).name.as_str())
            .collect();
        format!("{}({})", table.name(), names.join(","))
    };
    database
        .foreign_keys()
        .iter()
        .map(|key| {
            let from = end(key.from, &key.from_columns);
            format!("{}: {from} -> {}", key.name, end(key.to, &key.to_columns))
        })
        .collect()
}

/// A URL stands where a path does, and a schema says more about what it leads to.
#[test]
fn the_one_way_in_takes_urls_and_schemas() {
    let Some(server) = server() else { return };
    let url = server.database(
        "one_way",
        "CREATE TABLE molecule (id int PRIMARY KEY, active int, name text);
         CREATE TABLE atom (number int PRIMARY KEY, molecule int REFERENCES molecule, words text);
         CREATE VIEW half AS SELECT * FROM molecule WHERE id = 1;
         INSERT INTO molecule VALUES (1, 0, 'a'), (2, 1, 'b');
         INSERT INTO atom VALUES (1, 2, '[1, 2]'), (2, 1, '[]');",
    );
    let path = Path::new(&url);
    let plain = kinwood_formats::read(path, &ReadOptions::default()).unwrap();
    assert_eq!(names(&plain.database), ["atom", "half", "molecule"]);
    assert!(
        !source_name(path).contains(PASSWORD),
        "{}",
        source_name(path)
    );
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("schema.toml");
    let text = "target = 'molecule.active'\n[tables.molecule.columns]\nactive = 'nominal'\n\
                [tables.atom.columns]\nwords = 'list<numeric>'\nnumber = { role = 'ignore' }\n";
    std::fs::write(&schema, text).unwrap();
    let options = ReadOptions {
        schema: Some(schema.clone()),
        sql: SqlOptions {
            views: false,
            ..SqlOptions::default()
        },
        ..ReadOptions::default()
    };
    let stated = kinwood_formats::read(path, &options).unwrap();
    assert_eq!(names(&stated.database), ["molecule", "atom"]);
    assert_eq!(type_of(&stated, "molecule", "active"), "nominal");
    assert_eq!(type_of(&stated, "atom", "words"), "list<numeric>");
    assert_eq!(stated.targets, [(0, 1)]);
    assert!(stated.keys_declared);
    assert_eq!(
        keys(&stated.database),
        ["atom_molecule_fkey: atom(molecule) -> molecule(id)"]
    );
    // What is written as a file is the same database, whatever form it takes.
    let file = folder.path().join("copy.sqlite");
    let written = WriteOptions {
        targets: stated.targets.clone(),
        stated_roles: stated.stated_roles.clone(),
        ..WriteOptions::default()
    };
    kinwood_formats::write(&stated.database, &file, &written).unwrap();
    let copy = kinwood_formats::read(&file, &ReadOptions::default()).unwrap();
    assert!(copy.database == stated.database);
    std::fs::write(&schema, "[tables.molecul.columns]\nactive = 'nominal'\n").unwrap();
    let message = kinwood_formats::read(path, &options)
        .unwrap_err()
        .to_string();
    assert!(
        message.ends_with(
            "schema.toml: unknown table `molecul`; did you mean `molecule`?; the tables are `atom`, `molecule`"
        ),
        "{message}"
    );
    let wrong = url.replace(PASSWORD, "Xq7Z-wrong");
    let message = kinwood_formats::read(Path::new(&wrong), &ReadOptions::default());
    let message = message.unwrap_err().to_string();
    assert!(message.contains("password"), "{message}");
    assert!(!message.contains("Xq7Z-wrong"), "{message}");
}

#[test]
fn declared_keys_are_read() {
    let Some(server) = server() else { return };
    let url = server.database(
        "keys",
        "CREATE TABLE note (code text UNIQUE, up int);
         CREATE TABLE molecule (id int PRIMARY KEY, best int, name text);
         CREATE TABLE atom (molecule int CONSTRAINT refers REFERENCES molecule DEFERRABLE INITIALLY DEFERRED,
             number int, element text, PRIMARY KEY (molecule, number));
         CREATE TABLE bond (a int, b int, molecule int, note text CONSTRAINT refers REFERENCES note (code),
             CONSTRAINT first FOREIGN KEY (molecule, a) REFERENCES atom (molecule, number),
             CONSTRAINT second FOREIGN KEY (molecule, b) REFERENCES atom);",
    );
    server.execute(
        "keys",
        "ALTER TABLE molecule ADD CONSTRAINT best FOREIGN KEY (id, best) REFERENCES atom DEFERRABLE;
         ALTER TABLE molecule ADD CONSTRAINT itself FOREIGN KEY (best) REFERENCES molecule NOT VALID;
         BEGIN; SET CONSTRAINTS ALL DEFERRED;
         INSERT INTO molecule VALUES (2, 1, 'methane'), (1, NULL, 'water');
         INSERT INTO atom VALUES (1, 2, 'H'), (1, 1, 'O'), (2, 1, 'C'); COMMIT;
         INSERT INTO note VALUES ('x', 1); INSERT INTO bond VALUES (1, 2, 1, 'x'), (NULL, 2, 1, NULL);",
    );
    let data = read(&url);
    assert_eq!(names(&data.database), ["atom", "bond", "molecule", "note"]);
    assert_eq!(
        keys(&data.database),
        [
            "refers: atom(molecule) -> molecule(id)",
            "first: bond(molecule,a) -> atom(molecule,number)",
            "bond_refers: bond(note) -> note(code)",
            "second: bond(molecule,b) -> atom(molecule,number)",
            "best: molecule(id,best) -> atom(molecule,number)",
            "itself: molecule(best) -> molecule(id)",
        ]
    );
    assert_eq!(
        notices(&data),
        [
            "`bond`, `note` have no primary key: rows come in the order in which the server finds them, which updates change (a primary key keeps it)",
            "two foreign keys are named `refers`; that of table `bond` is called `bond_refers`",
        ]
    );
    // In the order of the primary key, however they were written.
    assert_eq!(column(&data, "molecule", "name"), ["water", "methane"]);
    assert_eq!(column(&data, "atom", "element"), ["O", "H", "C"]);
    assert_eq!(data.database.table(0).key(), Some([0, 1].as_slice()));
    assert_eq!(data.database.table(3).key(), None);
    assert_eq!(data.database.link(1).forward(0), Some(0));
    assert_eq!(data.database.link(1).forward(1), None);
    assert_eq!(data.formats, ["PostgreSQL"; 4]);
}

#[test]
fn every_type_has_its_form() {
    let Some(server) = server() else { return };
    let url = server.database(
        "types",
        "CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad');
         CREATE DOMAIN small AS int CHECK (VALUE < 10); CREATE DOMAIN smaller AS small;
         CREATE TYPE pair AS (x int, y text);
         CREATE TABLE t (i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, v varchar(5), c char(3), nm name,
             m mood, u uuid, b bool, d date, ts timestamp, tz timestamptz, dom smaller, ai int[], at text[], am mood[],
             ad date[], au uuid[], an numeric[], aa smaller[], j json, jb jsonb, tv tsvector, iv interval, p pair, by bytea, cc \"char\");
         INSERT INTO t VALUES (1, 2, 3, 0.1, 0.1, 12.50, 'ab', 'x', 'me', 'glad', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', true,
             '2024-05-01', '2024-05-01 12:30', '2024-05-01 12:30+02', 7, '{1,NULL,3}', '{a,\"b c\"}', '{ok}',
             '{2024-05-01}', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', '{1.50,NaN}', '{5}',
             '{\"a\": 1}', '[1, 2]', 'a b', '1 day', '(1,u)', '\\x00', 'z'),
            (NULL, NULL, 9007199254740993, 'NaN', 'Infinity', 'NaN', NULL, NULL, NULL, 'sad', NULL, false, 'infinity', '-infinity', NULL, NULL,
             '{{1,2},{3,4}}', '{}', NULL, NULL, NULL, NULL, NULL, '{\"a\": null}', '[]', NULL, NULL, NULL, NULL, NULL);",
    );
    let data = read(&url);
    for (name, of, first, second) in [
        ("i2", "numeric", "1", "?"),
        ("i4", "numeric", "2", "?"),
        ("i8", "numeric", "3", "9007199254740992"),
        ("f4", "numeric", "0.1", "?"),
        ("f8", "numeric", "0.1", "?"),
        ("n", "numeric", "12.5", "?"),
        ("v", "nominal", "ab", "?"),
        ("c", "nominal", "x  ", "?"),
        ("nm", "nominal", "me", "?"),
        ("m", "nominal", "glad", "sad"),
        ("u", "nominal", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "?"),
        ("b", "nominal", "true", "false"),
        ("d", "datetime", "2024-05-01", "?"),
        ("ts", "datetime", "2024-05-01T12:30:00Z", "?"),
        ("tz", "datetime", "2024-05-01T10:30:00Z", "?"),
        ("dom", "numeric", "7", "?"),
        ("ai", "list<numeric>", "[1, ?, 3]", "[1, 2, 3, 4]"),
        ("at", "list<nominal>", "[a, b c]", "[]"),
        ("am", "list<nominal>", "[ok]", "?"),
        ("ad", "list<datetime>", "[2024-05-01]", "?"),
        (
            "au",
            "list<nominal>",
            "[a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11]",
            "?",
        ),
        ("an", "list<numeric>", "[1.5, ?]", "?"),
        ("aa", "list<numeric>", "[5]", "?"),
        ("j", "tuple<a: numeric>", "(1)", "(?)"),
        ("jb", "list<numeric>", "[1, 2]", "[]"),
        ("tv", "string", "'a' 'b'", "?"),
        ("iv", "string", "1 day", "?"),
        ("p", "string", "(1,u)", "?"),
        ("cc", "nominal", "z", "?"),
    ] {
        assert_eq!(type_of(&data, "t", name), of, "{name}");
        assert_eq!(column(&data, "t", name), [first, second], "{name}");
    }
    let mood = data.database.table(0).attribute(9);
    let (_, dictionary) = mood.column.codes().unwrap();
    assert_eq!(
        dictionary.labels().collect::<Vec<_>>(),
        ["sad", "ok", "glad"]
    );
    assert_eq!(
        notices(&data),
        [
            "`t` has no primary key: rows come in the order in which the server finds them, which updates change (a primary key keeps it)",
            "column `tv` of table `t` has type `tsvector`, read as string (a view can cast it to another type)",
            "column `iv` of table `t` has type `interval`, read as string (a view can cast it to another type)",
            "column `p` of table `t` has type `pair`, read as string (a view can cast it to another type)",
            "column `by` of table `t` has type `bytea`, which holds binary values, which are not read; it is left out (a view can cast it to another type)",
            "column `i8` of table `t` holds 1 whole number beyond 2^53; it is rounded",
            "column `f4` of table `t` holds 1 value that is infinite, not a number or outside of the calendar; it is missing",
            "column `f8` of table `t` holds 1 value that is infinite, not a number or outside of the calendar; it is missing",
            "column `n` of table `t` holds 1 value that is infinite, not a number or outside of the calendar; it is missing",
            "column `d` of table `t` holds 1 value that is infinite, not a number or outside of the calendar; it is missing",
            "column `ts` of table `t` holds 1 value that is infinite, not a number or outside of the calendar; it is missing",
            "column `ai` of table `t` holds 1 list of several dimensions; it is read as one list",
            "column `an` of table `t` holds 1 value that is infinite, not a number or outside of the calendar; it is missing",
        ]
    );
    assert_eq!(
        data.evidence[0][..2],
        [
            "declared `smallint`; 1 of 1 values are numbers",
            "declared `integer`; 1 of 1 values are numbers",
        ]
    );
    assert_eq!(data.evidence[0][9], "declared `mood`; one of 3 labels");
}

#[test]
fn keys_stay_exact_and_comparable() {
    let Some(server) = server() else { return };
    let url = server.database(
        "exact",
        "CREATE TABLE post (id int8 PRIMARY KEY); CREATE TABLE reply (post int8 REFERENCES post);
         INSERT INTO post VALUES (9007199254740992), (9007199254740993), (7);
         INSERT INTO reply VALUES (9007199254740993), (7);
         CREATE TABLE price (amount numeric PRIMARY KEY); CREATE TABLE sale (amount numeric(9,2) REFERENCES price);
         INSERT INTO price VALUES (5), (0.5); INSERT INTO sale VALUES (5.00), (0.50);
         CREATE TABLE event (at timestamptz PRIMARY KEY);
         INSERT INTO event VALUES ('2024-05-01 00:00:00.000001Z'), ('2024-05-01 00:00:00.000002Z');
         CREATE TABLE blob (id bytea PRIMARY KEY, path int[] UNIQUE);
         CREATE TABLE leaf (blob bytea REFERENCES blob, path int[] REFERENCES blob (path));
         INSERT INTO blob VALUES ('\\x0a', '{1,2}'), ('\\x0b', '{3}'); INSERT INTO leaf VALUES ('\\x0b', '{1,2}');",
    );
    let data = read(&url);
    let link = |name: &str| {
        let keys = data.database.foreign_keys();
        let position = keys.iter().position(|key| key.name == name).unwrap();
        let link = data.database.link(position);
        let rows = data.database.table(keys[position].from).rows();
        (0..rows).map(|row| link.forward(row)).collect::<Vec<_>>()
    };
    assert_eq!(link("reply_post_fkey"), [Some(2), Some(0)]);
    assert_eq!(link("sale_amount_fkey"), [Some(1), Some(0)]);
    assert_eq!(type_of(&data, "price", "amount"), "numeric");
    assert_eq!(
        column(&data, "event", "at"),
        ["2024-05-01T00:00:00.000001Z", "2024-05-01T00:00:00.000002Z"]
    );
    assert_eq!(link("leaf_blob_fkey"), [Some(1)]);
    assert_eq!(link("leaf_path_fkey"), [Some(0)]);
}

#[test]
fn partitions_views_and_tables_without_columns_or_rows() {
    let Some(server) = server() else { return };
    let url = server.database(
        "kinds",
        "CREATE TABLE parent (id int PRIMARY KEY); INSERT INTO parent VALUES (1), (2);
         CREATE TABLE part (id int REFERENCES parent, day date) PARTITION BY RANGE (day);
         CREATE TABLE part_old PARTITION OF part FOR VALUES FROM ('2000-01-01') TO ('2020-01-01');
         CREATE TABLE part_new PARTITION OF part FOR VALUES FROM ('2020-01-01') TO ('2030-01-01');
         INSERT INTO part VALUES (1, '2010-01-01'), (2, '2025-01-01');
         CREATE TABLE animal (name text); CREATE TABLE dog (breed text) INHERITS (animal);
         INSERT INTO animal VALUES ('a cat'); INSERT INTO dog VALUES ('Rex', 'collie');
         CREATE TABLE nothing (); CREATE TABLE norows (x float8, d date);
         CREATE VIEW odd AS SELECT id FROM parent WHERE id % 2 = 1;
         CREATE MATERIALIZED VIEW sums AS SELECT sum(id) AS total FROM parent;
         CREATE MATERIALIZED VIEW later AS SELECT 1 AS x WITH NO DATA;
         CREATE VIEW failing AS SELECT 1 / (id - 1) AS x FROM parent;",
    );
    let data = read(&url);
    assert_eq!(
        names(&data.database),
        ["animal", "dog", "norows", "odd", "parent", "part", "sums"]
    );
    assert_eq!(
        keys(&data.database),
        ["part_id_fkey: part(id) -> parent(id)"]
    );
    assert_eq!(column(&data, "part", "id"), ["1", "2"]);
    assert_eq!(column(&data, "animal", "name"), ["a cat"]);
    assert_eq!(column(&data, "odd", "id"), ["1"]);
    assert_eq!(column(&data, "sums", "total"), ["3"]);
    assert_eq!(type_of(&data, "norows", "d"), "datetime");
    assert_eq!(
        notices(&data),
        [
            "table `animal` is read without the rows of the tables that inherit from it",
            "`animal`, `dog`, `norows`, `part` have no primary key: rows come in the order in which the server finds them, which updates change (a primary key keeps it)",
            "view `failing` cannot be read (division by zero); it is left out",
            "view `later` cannot be read (materialized view \"later\" has not been populated); it is left out",
            "table `nothing` has no columns that can be read; it is left out",
            "2 views are read as tables without keys: `odd`, `sums`; a schema can state keys",
            "table `animal` has neither a primary key nor foreign keys: no other table leads to its rows (a schema can state keys)",
            "table `dog` has neither a primary key nor foreign keys: no other table leads to its rows (a schema can state keys)",
            "table `norows` has neither a primary key nor foreign keys: no other table leads to its rows (a schema can state keys)",
        ]
    );
    assert_eq!(
        refused_with(&url, &tables(&["failing"])),
        "`postgresql://owner@localhost:PORT/kinds`: cannot read table `failing`: division by zero"
    );
    assert_eq!(
        refused_with(&url, &tables(&["nothing"])),
        "`postgresql://owner@localhost:PORT/kinds` is empty: expected at least one table with columns"
    );
    let without_views = SqlOptions {
        views: false,
        ..SqlOptions::default()
    };
    let data = read_postgres(&url, &without_views).unwrap();
    assert_eq!(data.database.tables().len(), 5);
}

#[test]
fn several_schemas() {
    let Some(server) = server() else { return };
    let url = server.database(
        "schemas",
        "CREATE SCHEMA lab; CREATE TABLE lab.sample (id int PRIMARY KEY); CREATE TABLE public.sample (id int PRIMARY KEY);
         CREATE TABLE lab.test (sample int REFERENCES lab.sample, again int REFERENCES public.sample);
         INSERT INTO lab.sample VALUES (1); INSERT INTO public.sample VALUES (2); INSERT INTO lab.test VALUES (1, 2);",
    );
    let schemas = |names: &[&str]| SqlOptions {
        schemas: names.iter().map(|name| (*name).to_owned()).collect(),
        ..SqlOptions::default()
    };
    let data = read_postgres(&url, &schemas(&["lab", "public"])).unwrap();
    assert_eq!(
        names(&data.database),
        ["lab.sample", "lab.test", "public.sample"]
    );
    assert_eq!(
        keys(&data.database),
        [
            "test_again_fkey: lab.test(again) -> public.sample(id)",
            "test_sample_fkey: lab.test(sample) -> lab.sample(id)",
        ]
    );
    let data = read_postgres(&url, &schemas(&["lab"])).unwrap();
    assert_eq!(names(&data.database), ["sample", "test"]);
    assert_eq!(
        notices(&data),
        [
            "foreign key `test_again_fkey` of table `test` refers to table `public.sample`, which is not read; it is left out",
            "`test` has no primary key: rows come in the order in which the server finds them, which updates change (a primary key keeps it)",
        ]
    );
    let other_schema = true;
    assert_eq!(
        data.notices[0].remedy(),
        Some(&Remedy::ReadTable { other_schema })
    );
    assert_eq!(names(&read(&url).database), ["sample"]);
    let data = read_postgres(&url, &tables(&["lab.test"])).unwrap();
    assert_eq!(names(&data.database), ["test"]);
    let data = read_postgres(&url, &tables(&["lab.test", "sample"])).unwrap();
    assert_eq!(names(&data.database), ["public.sample", "lab.test"]);
    assert_eq!(
        refused_with(&url, &schemas(&["lob"])),
        "`postgresql://owner@localhost:PORT/schemas`: cannot read the catalogue: there is no schema `lob`; did you mean `lab`?"
    );
    assert_eq!(
        refused_with(&url, &tables(&["sampel"])),
        "postgresql://owner@localhost:PORT/schemas: unknown table `sampel`; did you mean `sample`?; the tables are `sample`"
    );
    assert_eq!(
        refused_with(&url, &tables(&["Test"])),
        "`postgresql://owner@localhost:PORT/schemas`: table `Test` is not in the schemas that are read but in `lab`: name it `lab.Test`, or read the schema"
    );
    let refused = read_postgres(&url, &tables(&["Test"])).err().unwrap();
    let schema = "lab".to_owned();
    assert_eq!(refused.remedy(), Some(Remedy::ReadSchema { schema }));
}

#[test]
fn a_type_that_cannot_be_written_is_left_out() {
    let Some(server) = server() else { return };
    let url = server.database(
        "unwritable",
        "CREATE TYPE secret AS (x int);
         CREATE FUNCTION refuse(secret) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'not for you'; END $$;
         CREATE CAST (secret AS text) WITH FUNCTION refuse(secret);
         CREATE TABLE t (a int, s secret); INSERT INTO t VALUES (1, ROW(2)::secret);",
    );
    let data = read(&url);
    assert_eq!(column(&data, "t", "a"), ["1"]);
    assert_eq!(
        notices(&data),
        [
            "`t` has no primary key: rows come in the order in which the server finds them, which updates change (a primary key keeps it)",
            "column `s` of table `t` has type `secret`, which cannot be written as text (not for you); it is left out (a view can cast it to another type)",
        ]
    );
}

#[test]
fn refused_connections_say_why() {
    let Some(server) = server() else { return };
    let port = server.port;
    server.database(
        "closed",
        "CREATE USER guest PASSWORD 'guest'; CREATE TABLE diary (x int); CREATE TABLE open (x int);
         INSERT INTO open VALUES (1); GRANT SELECT ON open TO guest;",
    );
    assert_eq!(
        refused(&format!(
            "postgresql://owner:wrong{PASSWORD}@localhost:{port}/closed"
        )),
        "cannot connect to `postgresql://owner@localhost:PORT/closed`: password authentication failed for user \"owner\"; \
         check user and password in the URL, or the password in `PGPASSWORD`"
    );
    assert_eq!(
        refused(&format!("postgresql://owner@localhost:{port}/closed")),
        "cannot connect to `postgresql://owner@localhost:PORT/closed`: the server asks for a password; \
         state it in the URL or in `PGPASSWORD`"
    );
    assert_eq!(
        refused(&server.url("nowhere")),
        "cannot connect to `postgresql://owner@localhost:PORT/nowhere`: database \"nowhere\" does not exist; \
         `psql -l` lists the databases of a server"
    );
    let guest = format!("postgresql://guest:guest@localhost:{port}/closed");
    assert_eq!(
        refused(&guest),
        "`postgresql://guest@localhost:PORT/closed`: cannot read table `diary`: permission denied for table diary; \
         grant `SELECT` on it to `guest`, or name the tables to read and leave it out"
    );
    let data = read_postgres(&guest, &tables(&["open"])).unwrap();
    assert_eq!(column(&data, "open", "x"), ["1"]);
    let unused = TcpListener::bind("127.0.0.1:0").unwrap();
    let free = unused.local_addr().unwrap().port();
    drop(unused);
    assert_eq!(
        refused(&format!(
            "postgresql://owner:{PASSWORD}@localhost:{free}/closed"
        )),
        "cannot connect to `postgresql://owner@localhost:PORT/closed`: connection refused; \
         is the server running, and does it listen at this address and port?"
    );
    assert_eq!(
        refused(&format!(
            "postgresql://owner:{PASSWORD}@no-such-host.invalid/closed"
        )),
        "cannot connect to `postgresql://owner@no-such-host.invalid:5432/closed`: unknown host `no-such-host.invalid`"
    );
    let socket = format!(
        "postgresql://owner:{PASSWORD}@/closed?host={}&port={port}",
        server.folder.display()
    );
    let data = read_postgres(&socket, &tables(&["open"])).unwrap();
    assert_eq!(column(&data, "open", "x"), ["1"]);
}

#[test]
fn certificates_are_checked_as_asked() {
    let Some(server) = server() else { return };
    let url = server.database(
        "encrypted",
        "CREATE VIEW how AS SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
    );
    let how = |parameters: &str| column(&read(&format!("{url}?{parameters}")), "how", "ssl");
    let folder = tempfile::TempDir::new().unwrap();
    let certificate = folder.path().join("my root.crt");
    std::fs::write(&certificate, server.certificate()).unwrap();
    let roots = certificate.display().to_string().replace(' ', "%20");
    assert_eq!(how("sslmode=disable"), ["false"]);
    assert_eq!(how("sslmode=prefer"), ["true"]);
    assert_eq!(how(""), ["true"]);
    assert_eq!(how("sslmode=require"), ["true"]);
    assert_eq!(
        how(&format!("sslmode=verify-ca&sslrootcert={roots}")),
        ["true"]
    );
    assert_eq!(
        how(&format!("sslmode=verify-full&sslrootcert={roots}")),
        ["true"]
    );
    for mode in ["verify-ca", "verify-full"] {
        let message = refused(&format!("{url}?sslmode={mode}"));
        assert_eq!(
            message,
            "cannot connect to `postgresql://owner@localhost:PORT/encrypted`: the server's certificate signs itself; \
             to trust it, name a file that holds this very certificate by `sslrootcert`"
        );
    }
    let by_number =
        format!("{url}?sslmode=MODE&sslrootcert={roots}").replace("localhost", "127.0.0.1");
    assert_eq!(
        column(&read(&by_number.replace("MODE", "verify-ca")), "how", "ssl"),
        ["true"]
    );
    let message = refused(&by_number.replace("MODE", "verify-full"));
    assert!(
        message.ends_with(
            "the server's certificate is not for host `127.0.0.1`; connect by a name it has, or with \
             `sslmode=verify-ca`, which does not compare names"
        ),
        "{message}"
    );
    let message = refused(&format!(
        "{url}?sslmode=verify-full&sslrootcert=/no/such.crt"
    ));
    assert!(
        message.starts_with(
            "cannot connect to `postgresql://owner@localhost:PORT/encrypted`: cannot read the root certificates in `/no/such.crt`: "
        ),
        "{message}"
    );
    std::fs::write(&certificate, "nothing").unwrap();
    assert!(
        refused(&format!("{url}?sslmode=require&sslrootcert={roots}"))
            .ends_with("`; `sslrootcert` names a file in PEM form")
    );
}

#[test]
fn a_backend_that_dies_half_way() {
    let Some(server) = server() else { return };
    let url = server.database(
        "dying",
        "CREATE VIEW v AS SELECT i, CASE WHEN i = 60000 THEN pg_terminate_backend(pg_backend_pid()) END AS x
         FROM generate_series(1, 100000) i",
    );
    let message = refused(&url);
    assert!(
        message.starts_with("`postgresql://owner@localhost:PORT/dying`: cannot read table `v`: the connection was lost after ")
            && message.ends_with("; see the server's log, then try again"),
        "{message}"
    );
}

#[test]
fn a_server_that_dies_half_way_and_one_without_encryption() {
    if skipped() {
        return;
    }
    let mut server = Server::start(false);
    let url = server.database(
        "dying",
        "CREATE VIEW slow AS SELECT i, pg_sleep(0.01)::text AS x FROM generate_series(1, 1000000) i",
    );
    assert_eq!(
        refused(&format!("{url}?sslmode=require")),
        "cannot connect to `postgresql://owner@localhost:PORT/dying`: the server does not encrypt connections; \
         `sslmode=prefer` does without where it must"
    );
    let reading = std::thread::spawn(move || refused(&url));
    server.wait_for(
        "postgres",
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'kinwood' AND query LIKE 'COPY%'",
    );
    server.crash();
    let message = reading.join().unwrap();
    assert!(
        message.starts_with("`postgresql://owner@localhost:PORT/dying`: cannot read table `slow`: the connection was lost after ")
            && message.ends_with("; see the server's log, then try again"),
        "{message}"
    );
}

#[test]
fn large_tables_stream() {
    let Some(server) = server() else { return };
    let url = server.database(
        "large",
        "CREATE TABLE t (id int PRIMARY KEY, code text, x float8);
         INSERT INTO t SELECT i, 'c' || i % 100, i / 2.0 FROM generate_series(100000, 1, -1) i;",
    );
    let data = read(&url);
    let table = data.database.table(0);
    assert_eq!(table.rows(), 100_000);
    assert_eq!(table.attribute(0).column.number(99_999), Some(100_000.0));
    assert_eq!(table.attribute(1).column.codes().unwrap().1.len(), 100);
}
