//! The long run: a worker process at a time for each target, watched from outside.
//!
//! A worker may hang, overflow its stack or be out of memory; it is a process of its own, and its
//! notebook tells what it was at. Its processor time is what counts as slow: on a busy machine the
//! clock runs on while a worker waits for its turn.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::engine::SLOW;
use crate::notebook::{self, Done};
use crate::targets::Target;
use crate::{corpus, say};

/// A worker that does nothing for so long waits for something that never comes.
const STUCK: Duration = Duration::from_secs(120);

/// How often a worker is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// The most workers of a target that may die in a slice before it is given up.
const DEATHS: usize = 20;

/// How long a worker may take to pack its corpus, beyond what it was given.
const PACKING: Duration = Duration::from_secs(300);

/// What the search is to do.
pub struct Plan {
    /// The targets.
    pub targets: Vec<&'static Target>,
    /// How long, all together.
    pub time: Duration,
    /// How many workers at a time.
    pub jobs: usize,
    /// Where workers and the ledger have their files.
    pub folder: PathBuf,
    /// The first seed; every slice has one of its own.
    pub seed: u64,
}

/// What a slice of time on one target came to.
#[derive(Default)]
struct Slice {
    done: Done,
    findings: usize,
}

/// Searches. Rounds give every target a slice as long as its share, so that a short search has
/// seen all of them too. Returns the number of findings.
pub fn supervise(plan: &Plan) -> io::Result<usize> {
    fs::create_dir_all(&plan.folder)?;
    let shares: u32 = plan.targets.iter().map(|target| target.share).sum();
    let jobs = plan.jobs.max(1) as u32;
    let rounds = (plan.time.as_secs() / 1200).max(1) as u32;
    let unit = plan.time * jobs / shares.max(1) / rounds;
    let ends = Instant::now() + plan.time;
    // Another target is the first each time: one whose slice takes longer than it should leaves
    // less for those behind it.
    let mut targets = plan.targets.clone();
    let first = plan.seed as usize % targets.len().max(1);
    targets.rotate_left(first);
    let work: Vec<(u32, &Target)> = (0..rounds)
        .flat_map(|round| targets.iter().map(move |target| (round, *target)))
        .collect();
    let next = std::sync::Mutex::new(work.into_iter());
    let findings = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let job = |_| -> io::Result<()> {
            loop {
                let taken = next.lock().map_or(None, |mut next| next.next());
                let Some((round, target)) = taken else {
                    return Ok(());
                };
                // A slice never goes beyond the end of the search.
                let left = ends.saturating_duration_since(Instant::now());
                let time = (unit * target.share).min(left);
                if time.is_zero() {
                    return Ok(());
                }
                let seed = plan
                    .seed
                    .wrapping_mul(1_000_003)
                    .wrapping_add(u64::from(round));
                let slice = spend(plan, target, time, seed)?;
                findings.fetch_add(slice.findings, std::sync::atomic::Ordering::Relaxed);
                enter(plan, target, time, &slice)?;
            }
        };
        let threads: Vec<_> = (0..jobs)
            .map(|number| scope.spawn(move || job(number)))
            .collect();
        threads.into_iter().try_for_each(|thread| {
            let failed = || io::Error::other("a supervisor panicked");
            thread.join().map_err(|_| failed())?
        })
    })?;
    Ok(findings.into_inner())
}

/// Lets workers search a target for so long; one that dies is followed by another.
fn spend(plan: &Plan, target: &Target, time: Duration, seed: u64) -> io::Result<Slice> {
    let name = target.name.replace(' ', "-");
    let notebook = plan.folder.join(format!("{name}.notebook"));
    let fresh = plan.folder.join("fresh").join(&name);
    let before = corpus::files(&corpus::crashes(target.name))?.len();
    let mut slice = Slice::default();
    let ends = Instant::now() + time;
    for attempt in 0..DEATHS as u64 {
        let left = ends.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        // What an earlier worker has noted is not this one's.
        let _ = fs::remove_file(&notebook);
        let mut worker = Command::new(std::env::current_exe()?)
            .args(["work", target.name])
            .args(["--milliseconds", &left.as_millis().to_string()])
            .args(["--seed", &(seed.wrapping_add(attempt << 32)).to_string()])
            .arg("--notebook")
            .arg(&notebook)
            .arg("--fresh")
            .arg(&fresh)
            .spawn()?;
        let ended = watch(&mut worker, &notebook, left + PACKING)?;
        let done = notebook::read(&notebook).unwrap_or_default();
        add(&mut slice.done, &done);
        let Some(kind) = ended else { break };
        let input = notebook::input(&notebook)?;
        let file = corpus::keep(&corpus::crashes(target.name), kind, &input)?;
        say(&format!("{}: {kind}\n  {}", target.name, file.display()));
    }
    slice.findings = corpus::files(&corpus::crashes(target.name))?.len() - before;
    Ok(slice)
}

fn add(sum: &mut Done, done: &Done) {
    sum.runs += done.runs;
    sum.accepted += done.accepted;
    sum.calls += done.calls;
    sum.panics += done.panics;
    sum.edges = sum.edges.max(done.edges);
    sum.entries = sum.entries.max(done.entries);
}

/// Waits for a worker; what its input is a case of, if it did not end by itself.
fn watch(
    worker: &mut Child,
    notebook: &Path,
    longest: Duration,
) -> io::Result<Option<&'static str>> {
    let started = Instant::now();
    let mut last = (Done::default(), Instant::now(), processor_time(worker.id()));
    loop {
        if let Some(status) = worker.try_wait()? {
            return match (status.success(), status.code()) {
                (true, _) => Ok(None),
                // A worker that says itself what is wrong is none that an input brought down.
                (false, Some(_)) => Err(io::Error::other(format!("a worker failed: {status}"))),
                (false, None) => Ok(Some("abort-")),
            };
        }
        std::thread::sleep(LOOK);
        let Ok(done) = notebook::read(notebook) else {
            continue;
        };
        let (before, since, used) = last;
        if done != before {
            last = (done, Instant::now(), processor_time(worker.id()));
            // A worker that goes on for ever without being slow at any input has lost its clock.
            if started.elapsed() > longest + PACKING {
                end(worker)?;
                return Err(io::Error::other("a worker did not end"));
            }
            continue;
        }
        let slow = processor_time(worker.id()).saturating_sub(used) > SLOW;
        if done.running == 1 && (slow || since.elapsed() > STUCK) {
            end(worker)?;
            return Ok(Some(if slow { "slow-" } else { "stuck-" }));
        }
    }
}

fn end(worker: &mut Child) -> io::Result<()> {
    worker.kill()?;
    worker.wait().map(|_| ())
}

/// The processor time that a process has had, in hundredths of seconds on every Linux.
fn processor_time(process: u32) -> Duration {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = status.rsplit_once(')').map_or("", |(_, fields)| fields);
    let mut ticks = fields.split_whitespace().skip(11).take(2);
    let mut next = || {
        ticks
            .next()
            .and_then(|ticks| ticks.parse().ok())
            .unwrap_or(0)
    };
    let (user, system): (u64, u64) = (next(), next());
    Duration::from_millis(10 * (user + system))
}

/// The columns of the ledger.
const COLUMNS: &str = "target\tseconds\truns\taccepted\tedges\tentries\tfindings\n";

/// Enters a slice into the ledger, and tells of it.
fn enter(plan: &Plan, target: &Target, time: Duration, slice: &Slice) -> io::Result<()> {
    let path = plan.folder.join("ledger.tsv");
    let begins = !path.exists();
    let mut ledger = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)?;
    let Done {
        runs,
        accepted,
        edges,
        entries,
        ..
    } = slice.done;
    let (seconds, findings) = (time.as_secs_f64(), slice.findings);
    let row = format!(
        "{}\t{seconds:.1}\t{runs}\t{accepted}\t{edges}\t{entries}\t{findings}\n",
        target.name
    );
    let head = if begins { COLUMNS } else { "" };
    ledger.write_all(format!("{head}{row}").as_bytes())?;
    say(&format!(
        "{:14} {runs:>12} runs, {accepted:>12} accepted, {:>8.0} runs/s, {edges} edges, {findings} findings",
        target.name,
        runs as f64 / seconds
    ));
    Ok(())
}

/// What the ledger says of all searches: seconds, runs and findings by target.
pub fn totals(folder: &Path) -> io::Result<Vec<(String, f64, u64, u64)>> {
    let text = fs::read_to_string(folder.join("ledger.tsv"))?;
    let mut totals: Vec<(String, f64, u64, u64)> = Vec::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, seconds, runs, _, _, _, findings] = cells.as_slice() else {
            continue;
        };
        let place = match totals.iter().position(|(known, ..)| known == name) {
            Some(place) => place,
            None => {
                totals.push(((*name).to_owned(), 0.0, 0, 0));
                totals.len() - 1
            }
        };
        totals[place].1 += seconds.parse::<f64>().unwrap_or(0.0);
        totals[place].2 += runs.parse::<u64>().unwrap_or(0);
        totals[place].3 += findings.parse::<u64>().unwrap_or(0);
    }
    Ok(totals)
}
