//! Processes whose output is read as it comes, and which can be ended with all they started.

use std::fs;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::line;

/// How often a silent process is looked at.
const BREATH: Duration = Duration::from_secs(1);

/// A piece of what a program prints.
pub(crate) enum Piece {
    Output(Vec<u8>),
    Errors(Vec<u8>),
}

/// Runs a command, gives each line of its output as it comes, and ends it when it prints nothing
/// for longer than `silence`. Its errors go where ours go.
pub(crate) fn lines(
    command: &mut Command,
    silence: Duration,
    mut each: impl FnMut(&str),
) -> Result<ExitStatus, String> {
    let failed = |command: &Command, error| format!("cannot run {}: {error}", line(command));
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = spawned.map_err(|error| failed(command, error))?;
    let (sender, receiver) = channel();
    if let Some(output) = child.stdout.take() {
        forward(output, Piece::Output, sender);
    }
    let mut open = Vec::new();
    let mut heard = Instant::now();
    loop {
        match receiver.recv_timeout(silence.min(BREATH)) {
            Ok(Piece::Output(bytes) | Piece::Errors(bytes)) => {
                heard = Instant::now();
                open.extend(bytes);
                while let Some(end) = open.iter().position(|byte| *byte == b'\n') {
                    let whole: Vec<u8> = open.drain(..=end).collect();
                    each(String::from_utf8_lossy(&whole).trim_end_matches(['\n', '\r']));
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            // A process that it left behind may keep the pipe open.
            Err(RecvTimeoutError::Timeout) if matches!(child.try_wait(), Ok(Some(_))) => break,
            Err(RecvTimeoutError::Timeout) if heard.elapsed() < silence => {}
            Err(RecvTimeoutError::Timeout) => {
                kill(&mut child);
                let silent = silence.as_secs();
                return Err(format!(
                    "{} printed nothing for {silent} s and was killed",
                    line(command)
                ));
            }
        }
    }
    if !open.is_empty() {
        each(&String::from_utf8_lossy(&open));
    }
    child.wait().map_err(|error| failed(command, error))
}

/// Sends what comes out of a pipe on, as it comes.
pub(crate) fn forward(
    mut pipe: impl Read + Send + 'static,
    piece: fn(Vec<u8>) -> Piece,
    sender: Sender<Piece>,
) {
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => return,
                Ok(read) if sender.send(piece(buffer[..read].to_vec())).is_err() => return,
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return,
                _ => {}
            }
        }
    });
}

/// Waits for a process to end, up to a point in time.
pub(crate) fn wait(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}

/// Ends a process with all that it started, if it still runs.
pub(crate) fn kill(child: &mut Child) {
    if matches!(child.try_wait(), Ok(Some(_))) {
        return;
    }
    // First those it started: once it is gone, nobody knows whose children they were.
    let below = descendants(child.id());
    if !below.is_empty() {
        let below = below.iter().map(u32::to_string);
        // One that has ended meanwhile is no failure.
        let _ = Command::new("kill").arg("-KILL").args(below).output();
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Processes that a process started, and those that they did; none where there is no `/proc`.
fn descendants(process: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    let tasks = tasks.into_iter().flatten().flatten();
    let children = tasks
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| {
            let list = list.split_whitespace().filter_map(|id| id.parse().ok());
            list.collect::<Vec<u32>>()
        });
    children
        .flat_map(|child| {
            let mut below = descendants(child);
            below.push(child);
            below
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(body: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", body]);
        command
    }

    #[test]
    fn lines_come_one_by_one() {
        let mut seen = Vec::new();
        let mut command = shell("echo one; echo; printf two; exit 3");
        let status = lines(&mut command, Duration::from_secs(20), |line| {
            seen.push(line.to_owned());
        });
        assert_eq!(seen, ["one", "", "two"]);
        assert_eq!(status.unwrap().code(), Some(3));
    }

    #[test]
    fn a_process_left_behind_is_not_waited_for() {
        let begin = Instant::now();
        let mut command = shell("sleep 9 & echo done");
        let status = lines(&mut command, Duration::from_secs(20), |_| {});
        assert!(status.unwrap().success());
        assert!(begin.elapsed() < Duration::from_secs(8));
    }

    #[test]
    fn a_silent_command_is_ended() {
        let begin = Instant::now();
        let mut command = shell("sleep 77");
        let error = lines(&mut command, Duration::from_millis(200), |_| {}).unwrap_err();
        assert!(error.contains("printed nothing for 0 s"), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
}
