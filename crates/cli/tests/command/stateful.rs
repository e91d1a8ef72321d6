//! Verbs in random order, disturbed: killed at any moment, on a disk that is full, beside another
//! run of the same verb, in a folder that cannot be written to.
//!
//! What may be there afterwards is known from a run of the same verb in a copy of the folder that
//! nothing disturbs: each output is absent as before, the complete old one or the complete new one,
//! and everything else is as it was. A killed run may leave hidden temporary files and the parts of
//! a matrix; whatever was stopped goes on to the same end when it is run again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use kinwood_testing::soak;
use tempfile::TempDir;

use crate::sandbox::{Ended, WEATHER, ended, program};

/// Files by their path below a folder.
type Files = BTreeMap<String, Vec<u8>>;

/// The verbs, each with what it writes: a name that ends with `/` is a folder that is written as a
/// whole, and of several files a run that is not killed writes all or none.
const VERBS: &[(&str, &str)] = &[
    (
        "fit knn weather.csv --target play -o model.kin --force",
        "model.kin",
    ),
    (
        "fit tree weather.csv --target play -o model.kin --force",
        "model.kin",
    ),
    ("append model.kin weather.csv", "model.kin"),
    (
        "predict model.kin weather.csv -o said.csv --force",
        "said.csv",
    ),
    ("evaluate knn weather.csv --target play --folds 3", ""),
    ("matrix points.csv --target side -o m.npy --force", "m.npy"),
    ("matrix points.csv --target side -o m.csv --force", "m.csv"),
    (
        "convert weather.csv out.arff --force",
        "out.arff out.schema.toml",
    ),
    ("convert weather.csv out.sqlite --force", "out.sqlite"),
    ("convert points.csv out.parquet --force", "out.parquet"),
    ("convert weather.csv tables --force", "tables/"),
    (
        "tune knn weather.csv --target play --try k=1|3 --folds 3 -o tuned.kin --force",
        "tuned.kin",
    ),
    ("report model.kin -o page.html --force", "page.html"),
    (
        "map points.csv --target side -o map.html --force",
        "map.html",
    ),
    (
        "cluster points.csv --target side --k 2 -o groups.csv --force",
        "groups.csv",
    ),
    (
        "describe weather.csv --schema -o weather.schema.toml",
        "weather.schema.toml",
    ),
    ("compare --study study.toml -o results", "results/"),
];

const STUDY: &str = r#"
split = { folds = 3, repeats = 2 }

[[data]]
path = "weather.csv"
target = "play"

[[learners]]
learner = "majority"

[[learners]]
learner = "knn"
"#;

/// What happens to a run.
#[derive(Clone, Copy, Debug)]
enum Disturbance {
    None,
    /// Killed after so many microseconds.
    Kill(u64),
    /// No file may become larger than so many blocks.
    Full(u64),
    /// The same verb runs beside it.
    Beside,
}

/// Random numbers of a case.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % count
    }
}

struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut points = String::from("x,y,side\n");
        for i in 0..30 {
            let (x, y) = (i * 7 % 30, i * 13 % 30);
            let side = if x + y > 30 { "above" } else { "below" };
            points += &format!("{x}.5,{y}.5,{side}\n");
        }
        for (name, text) in [
            ("weather.csv", WEATHER),
            ("points.csv", points.as_str()),
            ("study.toml", STUDY),
            ("notes.txt", "the user's own"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        World { folder }
    }

    /// The same files in another folder, without what killed runs left.
    fn copy(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in self.files() {
            if !temporary(&name) {
                let path = folder.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
        World { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn files(&self) -> Files {
        let mut found = Files::new();
        let mut open = vec![PathBuf::new()];
        while let Some(next) = open.pop() {
            for entry in fs::read_dir(self.path().join(&next)).unwrap() {
                let entry = entry.unwrap();
                let name = next.join(entry.file_name());
                match entry.file_type().unwrap().is_dir() {
                    true => open.push(name),
                    false => {
                        let bytes = fs::read(entry.path()).unwrap();
                        found.insert(name.to_str().unwrap().to_owned(), bytes);
                    }
                }
            }
        }
        found
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(program());
        command.args(words.split(' ')).current_dir(self.path());
        piped(&mut command);
        command
    }

    fn run(&self, words: &str) -> Ended {
        sound(words, ended(self.command(words).output().unwrap()))
    }

    /// Runs a verb under a disturbance; gives how each run ended, if it was not killed.
    fn disturbed(&self, words: &str, by: Disturbance) -> Vec<Ended> {
        match by {
            Disturbance::None => vec![self.run(words)],
            Disturbance::Kill(after) => {
                let mut child = self.command(words).spawn().unwrap();
                thread::sleep(Duration::from_micros(after));
                // One that has ended by itself cannot be killed, which is no failure.
                let _ = child.kill();
                let output = child.wait_with_output().unwrap();
                let over = output.status.code().is_some();
                over.then(|| sound(words, ended(output)))
                    .into_iter()
                    .collect()
            }
            Disturbance::Full(blocks) => {
                let mut command = Command::new("sh");
                let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
                command
                    .args(["-c", &script])
                    .arg(program())
                    .args(words.split(' '))
                    .current_dir(self.path());
                piped(&mut command);
                vec![sound(words, ended(command.output().unwrap()))]
            }
            Disturbance::Beside => {
                let children = [0, 1].map(|_| self.command(words).spawn().unwrap());
                let outputs = children.map(|child| child.wait_with_output().unwrap());
                outputs.map(|output| sound(words, ended(output))).into()
            }
        }
    }
}

fn piped(command: &mut Command) {
    command
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
}

/// A run that ended by itself did so with a code of the manual and without a panic.
fn sound(words: &str, ended: Ended) -> Ended {
    assert!(matches!(ended.code, 0 | 2), "{words}: {ended:?}");
    assert!(!ended.err.contains("panicked"), "{words}: {}", ended.err);
    assert_eq!(
        ended.code == 2,
        ended.err.contains("error"),
        "{words}: {ended:?}"
    );
    ended
}

/// Whether a path is of a temporary file, or in a temporary folder.
fn temporary(name: &str) -> bool {
    name.split('/')
        .any(|part| part.starts_with('.') && part.ends_with(".tmp"))
}

/// Whether a path is of what an interrupted matrix is taken up from.
fn part(name: &str) -> bool {
    name.ends_with(".part") || name.ends_with(".part.json")
}

/// What a folder of results has that two runs do not have in common: times, which the logs of folds
/// have too. The tables that are made of the logs are the same.
fn of_the_moment(name: &str) -> bool {
    ["results/tables/seconds", "results/folds/", "results/.lock"]
        .iter()
        .any(|part| name.starts_with(part))
}

/// Whether a file belongs to an output.
fn belongs(name: &str, of: &str) -> bool {
    of.split(' ').any(|of| match of.ends_with('/') {
        true => name.starts_with(of),
        false => name == of,
    })
}

/// The files of an output.
fn output(files: &Files, of: &str) -> Files {
    let own = |name: &String| belongs(name, of);
    let files = files
        .iter()
        .filter(|(name, _)| own(name) && !of_the_moment(name));
    files
        .map(|(name, bytes)| (name.clone(), bytes.clone()))
        .collect()
}

fn names(files: &Files) -> Vec<&String> {
    files.keys().collect()
}

/// One verb and what became of the files.
fn step(world: &World, (words, of): (&str, &str), by: Disturbance) {
    let undisturbed = world.copy();
    let expected_end = undisturbed.run(words);
    let expected = undisturbed.files();
    let before = world.files();
    let ends = world.disturbed(words, by);
    let after = world.files();
    let about = format!("{words} ({by:?})");
    // Everything that is no output, by its name.
    let others = |files: &Files| -> Files {
        let other = |name: &String| !belongs(name, of) && !temporary(name) && !part(name);
        let files = files.iter().filter(|(name, _)| other(name));
        files
            .map(|(name, bytes)| (name.clone(), bytes.clone()))
            .collect()
    };
    assert!(
        others(&before) == others(&after),
        "{about}: {:?} and then {:?}",
        names(&others(&before)),
        names(&others(&after))
    );
    let killed = ends.is_empty();
    if !killed {
        let left: Vec<&String> = after
            .keys()
            .filter(|name| temporary(name) && !before.contains_key(*name))
            .collect();
        assert!(left.is_empty(), "{about}: {left:?} is left");
    }
    // A folder of results grows; that it comes to the same end is looked at in the end.
    if of != "results/" && !of.is_empty() {
        let (old, new, now) = (
            output(&before, of),
            output(&expected, of),
            output(&after, of),
        );
        // Files that were killed one after the other are each whole.
        let each = |of: &str| {
            let now = output(&after, of);
            now == output(&before, of) || now == output(&expected, of)
        };
        assert!(
            now == old || now == new || killed && of.split(' ').all(each),
            "{about}: {:?} is neither the old nor the new {:?}",
            names(&now),
            names(&new)
        );
        if ends.iter().any(|end| end.code == 0) {
            assert!(
                now == new,
                "{about}: said to be done, and is not the new one"
            );
        }
    }
    match by {
        Disturbance::None => assert_eq!(ends[0].code, expected_end.code, "{about}"),
        // Of two runs at least one does what one run does.
        Disturbance::Beside if expected_end.code == 0 => {
            assert!(ends.iter().any(|end| end.code == 0), "{about}: {ends:?}");
        }
        _ => {}
    }
}

/// What can be taken up comes to the end that it has when nothing disturbs it.
fn taken_up(world: &World) {
    for (words, of) in VERBS {
        if !words.starts_with("matrix") && !words.starts_with("compare") {
            continue;
        }
        let fresh = World::new();
        assert_eq!(fresh.run(words).code, 0);
        let done = world.run(words);
        assert_eq!(done.code, 0, "{words}: {}", done.err);
        let (found, expected) = (output(&world.files(), of), output(&fresh.files(), of));
        let found: Files = found
            .into_iter()
            .filter(|(name, _)| !temporary(name))
            .collect();
        for (name, bytes) in &expected {
            assert!(found.get(name) == Some(bytes), "{words}: {name} differs");
        }
        assert_eq!(names(&found), names(&expected), "{words}");
    }
    let left: Vec<String> = world
        .files()
        .into_keys()
        .filter(|name| part(name))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[cfg(unix)]
#[test]
fn soak_verbs_that_are_disturbed_leave_the_old_or_the_new() {
    soak(
        "soak_verbs_that_are_disturbed_leave_the_old_or_the_new",
        2,
        |case| {
            let mut random = Random(case);
            let world = World::new();
            for _ in 0..10 {
                let verb = VERBS[random.below(VERBS.len() as u64) as usize];
                let by = match random.below(8) {
                    0..3 => Disturbance::Kill(random.below(120_000)),
                    3..5 => Disturbance::Full(random.below(24)),
                    5..7 => Disturbance::Beside,
                    _ => Disturbance::None,
                };
                step(&world, verb, by);
            }
            taken_up(&world);
        },
    );
}

/// Every verb once on a disk that is full from the start, and once beside itself.
#[cfg(unix)]
#[test]
fn every_verb_on_a_full_disk_or_beside_itself_leaves_the_old_or_the_new() {
    let world = World::new();
    for &verb in VERBS {
        step(&world, verb, Disturbance::Full(0));
        step(&world, verb, Disturbance::Full(1));
        step(&world, verb, Disturbance::Beside);
        step(&world, verb, Disturbance::Full(3));
    }
    taken_up(&world);
}

/// Who may write everywhere is somebody else here, who may not.
#[cfg(unix)]
#[test]
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn a_folder_that_cannot_be_written_to_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65_534;
    let world = World::new();
    assert_eq!(world.run(VERBS[0].0).code, 0);
    let rights = |mode: u32| {
        let rights = fs::Permissions::from_mode(mode);
        fs::set_permissions(world.path(), rights).unwrap();
    };
    rights(0o555);
    let mighty = fs::write(world.path().join("probe"), "").is_ok();
    if mighty {
        fs::remove_file(world.path().join("probe")).unwrap();
    }
    let before = world.files();
    for (words, of) in VERBS.iter().filter(|(_, of)| !of.is_empty()) {
        let mut command = world.command(words);
        if mighty {
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => {
                eprintln!("skipped: the command cannot be run by another user: {error}");
                break;
            }
        };
        let ended = sound(words, ended(output));
        assert_eq!(ended.code, 2, "{words}: {}", ended.err);
        assert!(
            !ended.err.is_empty() && ended.out.is_empty(),
            "{words} {of}"
        );
        assert!(world.files() == before, "{words}");
    }
    rights(0o755);
}
