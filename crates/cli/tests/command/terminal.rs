//! Terminals: progress where somebody looks, and Ctrl-C.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::sandbox::{Sandbox, ended, program, skipped};

/// Rows enough that comparing all with all takes many seconds on any machine.
const MANY: usize = 120_000;

fn sandbox_with_long_work() -> Sandbox {
    let sandbox = Sandbox::new();
    // Scattered over so many columns that no tree over the rows spares the work.
    let mut state = 1u32;
    let mut number = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut rows = String::from("a,b,c,d,e,f,g,h,class\n");
    for row in 0..MANY {
        (0..8).for_each(|_| rows += &format!("{},", number()));
        rows += ["x\n", "y\n"][row % 2];
    }
    sandbox.write("long.csv", rows);
    sandbox.out("fit knn long.csv --target class -o model.kin");
    sandbox
}

/// What a child prints, as it comes.
fn listen(mut from: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let heard = Arc::new(Mutex::new(String::new()));
    let shared = Arc::clone(&heard);
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            shared
                .lock()
                .unwrap()
                .push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    });
    heard
}

/// Waits until the child has said something, however long that takes; fails if it ends without.
fn wait_for(child: &mut Child, heard: &Mutex<String>, word: &str) {
    loop {
        // The end is asked for first: what was said before it is then complete enough to be looked
        // at.
        let over = child.try_wait().unwrap();
        if heard.lock().unwrap().contains(word) {
            return;
        }
        assert!(
            over.is_none(),
            "ended without `{word}`: {}",
            heard.lock().unwrap()
        );
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn progress_is_for_terminals_and_an_interrupt_leaves_nothing_half_done() {
    if skipped("script") {
        return;
    }
    let sandbox = sandbox_with_long_work();
    let mut piped = sandbox
        .command("predict model.kin long.csv -o piped.csv --threads 1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let line = format!(
        "{} predict model.kin long.csv -o out.csv --threads 1",
        program()
    );
    let mut seen = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(sandbox.path("."))
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let heard = listen(seen.stdout.take().unwrap());
    wait_for(&mut seen, &heard, "comparing rows [");
    // The twin in a pipe, which began before, is now as far: over a second into its work.
    assert!(
        piped.try_wait().unwrap().is_none(),
        "the work is too short for this test"
    );
    seen.stdin.as_mut().unwrap().write_all(b"\x03").unwrap();
    assert_eq!(
        seen.wait().unwrap().code(),
        Some(130),
        "{}",
        heard.lock().unwrap()
    );
    let interrupted = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", piped.id())])
        .status()
        .unwrap();
    assert!(interrupted.success());
    let piped = ended(piped.wait_with_output().unwrap());
    assert_eq!(
        (piped.code, piped.out.as_str(), piped.err.as_str()),
        (130, "", "interrupted\n")
    );
    assert_eq!(sandbox.files(), ["long.csv", "model.kin"]);
}

#[test]
fn short_work_shows_no_progress_and_errors_are_coloured_on_a_terminal_only() {
    if skipped("script") {
        return;
    }
    let sandbox = Sandbox::with_weather();
    let on_a_terminal = |words: &str, plain: bool| {
        let line = format!("{} {words}", program());
        let mut command = Command::new("script");
        command
            .args(["-qec", &line, "/dev/null"])
            .current_dir(sandbox.path("."))
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null());
        if plain {
            command.env("NO_COLOR", "1");
        }
        ended(command.output().unwrap())
    };
    let short = on_a_terminal("evaluate oner weather.csv --target play --folds 2", false);
    assert_eq!(short.code, 0);
    assert!(
        !short.out.contains("evaluating") && !short.out.contains('\u{1b}'),
        "{}",
        short.out
    );
    let wrong = on_a_terminal("describe none.csv", false);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .out
            .contains("\u{1b}[1;31merror:\u{1b}[0m cannot read"),
        "{}",
        wrong.out
    );
    let plain = on_a_terminal("describe none.csv", true);
    assert!(plain.out.starts_with("error: cannot read"), "{}", plain.out);
}
