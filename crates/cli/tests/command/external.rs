//! A verb of one's own is a program beside ours.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::sandbox::{Sandbox, ended};

#[test]
fn a_program_of_the_search_path_is_a_verb() {
    let sandbox = Sandbox::new();
    let program = sandbox.path("kinwood-greet");
    sandbox.write("kinwood-greet", "#!/bin/sh\necho \"hello $*\"\nexit 3\n");
    let run = |words: &str, path: &str| {
        let mut command = sandbox.command(words);
        ended(command.env("PATH", path).output().unwrap())
    };
    let folder = sandbox.path("").display().to_string();
    // A file that may not be run is no program.
    let refused = run("greet kin", &folder);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.starts_with("error: there is no verb `greet`\n"),
        "{}",
        refused.err
    );
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let greeted = run("greet kin --json", &folder);
    assert_eq!(
        (greeted.code, greeted.out.as_str()),
        (3, "hello kin --json\n"),
        "{}",
        greeted.err
    );
    // The folder that the command is run in is not searched unless it is named in full.
    assert_eq!(run("greet kin", ".").code, 2);
    // Our own verbs cannot be replaced.
    fs::copy(&program, sandbox.path("kinwood-learners")).unwrap();
    let ours = run("learners", &folder);
    assert!(ours.out.contains("majority"), "{}", ours.out);
}
