//! Completion scripts.

use std::process::{Command, Stdio};

use crate::sandbox::{Sandbox, skipped};

#[test]
fn every_shell_gets_a_script_that_knows_the_verbs() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = sandbox.out(&format!("completions {shell}"));
        for word in ["evaluate", "fold-column", "with-schema"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn bash_can_read_its_script() {
    if skipped("bash") {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("kinwood.bash", sandbox.out("completions bash"));
    let output = Command::new("bash")
        .arg("-n")
        .arg(sandbox.path("kinwood.bash"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}
