//! A private PostgreSQL server for tests: its own folder, socket, port, password and certificate.
//!
//! A shell keeps the server and waits for the end of its input, which is the end of the test
//! process, however that comes: passed, failed, panicked or killed. Then it stops the server and
//! removes the folder.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};

/// Whether tests that need PostgreSQL are to be skipped, which is told; never in continuous
/// integration.
pub fn skipped() -> bool {
    let skip = std::env::var("KINWOOD_SKIP").unwrap_or_default();
    let named = skip.split(',').any(|need| need == "postgresql");
    if named {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "tests of PostgreSQL would be skipped, and CI=true"
        );
        println!("skipped: PostgreSQL is not installed (Debian: postgresql)");
    }
    named
}

/// A running server.
pub struct Server {
    keeper: Child,
    pub folder: PathBuf,
    pub port: u16,
}

/// The superuser's password.
pub const PASSWORD: &str = "Xq7Z-secret";

const KEEPER: &str = r#"
"$1/postgres" -D "$2" >"$2/log" 2>&1 &
server=$!
echo $server >"$2/pid"
cat >/dev/null
kill -QUIT $server 2>/dev/null
wait $server
rm -rf "$2"
"#;

impl Server {
    /// Starts a server, with or without a certificate that signs itself.
    pub fn start(encrypted: bool) -> Self {
        let programs = programs();
        let mut attempts = 0;
        loop {
            attempts += 1;
            let server = Self::attempt(&programs, encrypted);
            match server {
                Ok(server) => return server,
                // Another process may have taken the port in between.
                Err(reason) => assert!(attempts < 3, "PostgreSQL does not start: {reason}"),
            }
        }
    }

    fn attempt(programs: &Path, encrypted: bool) -> Result<Self, String> {
        let folder = run(ordinary("mktemp").args(["-d", "-t", "kinwood-pg.XXXXXX"]))?;
        let folder = PathBuf::from(folder.trim());
        // The folder must be empty when the server's files are made, so the password lies beside
        // it.
        let secret = PathBuf::from(format!("{}.password", folder.display()));
        let keep = r#"umask 077 && printf %s "$1" >"$2""#;
        run(ordinary("sh")
            .args(["-c", keep, "keep", PASSWORD])
            .arg(&secret))?;
        let made = run(ordinary(programs.join("initdb"))
            .args(["--no-sync", "--auth=scram-sha-256", "--username=owner"])
            .args(["--encoding=UTF8", "--locale=C.UTF-8"])
            .arg(format!("--pwfile={}", secret.display()))
            .arg("-D")
            .arg(&folder));
        fs::remove_file(&secret).map_err(|error| error.to_string())?;
        made?;
        let port = TcpListener::bind(("127.0.0.1", 0))
            .and_then(|listener| listener.local_addr())
            .map_err(|error| error.to_string())?
            .port();
        let shown = folder.display();
        let mut settings = format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = '{shown}'\n\
             fsync = off\nmax_connections = 30\n"
        );
        if encrypted {
            run(ordinary("openssl")
                .args([
                    "req", "-new", "-x509", "-nodes", "-newkey", "rsa:2048", "-days", "7",
                ])
                .args([
                    "-subj",
                    "/CN=localhost",
                    "-addext",
                    "subjectAltName=DNS:localhost",
                ])
                .arg("-keyout")
                .arg(folder.join("server.key"))
                .arg("-out")
                .arg(folder.join("server.crt")))?;
            settings.push_str("ssl = on\n");
        }
        fs::OpenOptions::new()
            .append(true)
            .open(folder.join("postgresql.conf"))
            .and_then(|mut file| file.write_all(settings.as_bytes()))
            .map_err(|error| error.to_string())?;
        let keeper = ordinary("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(programs)
            .arg(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let server = Self {
            keeper,
            folder,
            port,
        };
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(60) {
            if server.connect("postgres").is_ok() {
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(fs::read_to_string(server.folder.join("log")).unwrap_or_default())
    }

    /// The URL of a database for the superuser.
    pub fn url(&self, database: &str) -> String {
        format!(
            "postgresql://owner:{PASSWORD}@localhost:{}/{database}",
            self.port
        )
    }

    fn connect(&self, database: &str) -> Result<Client, postgres::Error> {
        Client::connect(&format!("{}?sslmode=disable", self.url(database)), NoTls)
    }

    /// Makes a database by these statements and returns its URL.
    pub fn database(&self, name: &str, statements: &str) -> String {
        let create = format!("CREATE DATABASE {name}");
        self.execute("postgres", &create);
        self.execute(name, statements);
        self.url(name)
    }

    /// Executes statements as superuser.
    pub fn execute(&self, database: &str, statements: &str) {
        let mut client = self.connect(database).expect("the server runs");
        client
            .batch_execute(statements)
            .expect("the statements are valid");
    }

    /// Waits until a query gives a row.
    pub fn wait_for(&self, database: &str, query: &str) {
        let mut client = self.connect(database).expect("the server runs");
        let begin = Instant::now();
        while client
            .query(query, &[])
            .expect("the query is valid")
            .is_empty()
        {
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "waited for {query}"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The server's certificate, which signs itself.
    pub fn certificate(&self) -> String {
        let mut command = ordinary("cat");
        run(command.arg(self.folder.join("server.crt"))).expect("the server has a certificate")
    }

    /// Ends the server at once, as a crash would.
    pub fn crash(&mut self) {
        drop(self.keeper.stdin.take());
        self.keeper.wait().expect("the keeper is a child of ours");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        // The keeper ends on its own; waiting for it keeps nothing behind.
        self.keeper.wait().ok();
    }
}

/// A command run as an ordinary user: PostgreSQL refuses to run as root.
fn ordinary(program: impl AsRef<Path>) -> Command {
    let root = run(Command::new("id").arg("-u")).is_ok_and(|user| user.trim() == "0");
    let mut command = Command::new(if root {
        "runuser".as_ref()
    } else {
        program.as_ref()
    });
    if root {
        let user = ["postgres", "nobody"]
            .into_iter()
            .find(|user| run(Command::new("id").arg(user)).is_ok());
        command
            .args(["-u", user.expect("there is an ordinary user"), "--"])
            .arg(program.as_ref());
    }
    // A folder that the user may enter and one that it may write to, whatever those of the tests
    // are.
    command.current_dir("/").env("LC_ALL", "C.UTF-8");
    if root {
        command.env_remove("TMPDIR");
    }
    command
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("{command:?}: {}", text(&output.stderr))),
    }
}

/// Where the server's programs are: Debian keeps them out of the search path, one folder a version.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut found: Vec<(u32, PathBuf)> = versions
        .flatten()
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .filter(|(_, folder)| folder.join("initdb").is_file())
        .collect();
    found.sort();
    let on_path = std::env::var_os("PATH").and_then(|path| {
        std::env::split_paths(&path).find(|folder| folder.join("initdb").is_file())
    });
    let newest = found.pop().map(|(_, folder)| folder);
    newest
        .or(on_path)
        .expect("PostgreSQL is installed (Debian: postgresql), or KINWOOD_SKIP names `postgresql`")
}
