//! Test programs: building them, and the tests in each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::limits::Limits;
use super::options::Options;
use crate::{cargo, line, metadata};

/// A program that runs the unit tests or the integration tests of a crate.
#[derive(Debug)]
pub(super) struct Program {
    /// `CRATE` for unit tests, `CRATE/NAME` for others.
    pub(super) label: String,
    pub(super) executable: PathBuf,
    /// The crate it belongs to.
    pub(super) package: Package,
}

/// A crate of the workspace, as far as its tests see it.
#[derive(Debug, Clone)]
pub(super) struct Package {
    pub(super) name: String,
    version: String,
    /// Where its manifest is; tests run there.
    folder: PathBuf,
    /// Whether it has a library whose documentation is tested.
    pub(super) documents: bool,
}

/// All that was built.
pub(super) struct Built {
    pub(super) programs: Vec<Program>,
    pub(super) packages: Vec<Package>,
    /// The command `kinwood`, if it was built.
    pub(super) command: Option<PathBuf>,
}

impl Package {
    /// How the names of its files begin, as seen from the workspace.
    pub(super) fn sources(&self) -> String {
        let folder = std::env::current_dir().unwrap_or_default();
        let own = self.folder.strip_prefix(&folder).unwrap_or(&self.folder);
        format!("{}/src", own.display())
    }
}

impl Program {
    /// The program as cargo would start it: in the folder of its crate, with the variables that
    /// cargo sets. This command itself was started by cargo, so that those of its own crate are in
    /// the environment and have to be replaced.
    pub(super) fn command(&self, limits: &Limits) -> Command {
        let Package {
            name,
            version,
            folder,
            ..
        } = &self.package;
        let mut command = Command::new(&self.executable);
        command
            .current_dir(folder)
            .env("CARGO_MANIFEST_DIR", folder)
            .env("CARGO_MANIFEST_PATH", folder.join("Cargo.toml"))
            .env("CARGO_PKG_NAME", name)
            .env("CARGO_PKG_VERSION", version)
            .stdin(Stdio::null());
        limits.apply(&mut command);
        command
    }
}

/// Builds all test programs and the command.
pub(super) fn build(options: &Options) -> Result<Built, String> {
    let packages = packages(&metadata(&["--no-deps"])?)?;
    for name in &options.packages {
        if packages.values().all(|package| package.name != *name) {
            let names: Vec<&str> = packages.values().map(|p| p.name.as_str()).collect();
            return Err(format!(
                "there is no crate `{name}`; there are `{}`",
                names.join("`, `")
            ));
        }
    }
    let mut command = cargo();
    // Crates by themselves have other features of what they depend on, which all would be built
    // again: the whole workspace is built, whatever is run of it.
    command
        .args([
            "test",
            "--no-run",
            "--workspace",
            "--message-format=json-render-diagnostics",
        ])
        .stderr(Stdio::inherit());
    let output = command
        .output()
        .map_err(|error| format!("cannot run {}: {error}", line(&command)))?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", line(&command), output.status));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> = messages
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    Ok(Built {
        programs: messages
            .iter()
            .filter_map(|message| program(message, &packages))
            .filter(|program| options.choose_package(&program.package.name))
            .collect(),
        command: messages.iter().find_map(built_command),
        packages: packages.into_values().collect(),
    })
}

/// The crates of the workspace by what cargo calls them in messages.
fn packages(metadata: &Value) -> Result<BTreeMap<String, Package>, String> {
    let unexpected = || "`cargo metadata` has an unexpected shape".to_owned();
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(unexpected);
    let packages = metadata["packages"].as_array().ok_or_else(unexpected)?;
    let package = |package: &Value| {
        let manifest = PathBuf::from(text(&package["manifest_path"])?);
        let targets = package["targets"].as_array().ok_or_else(unexpected)?;
        let read = Package {
            name: text(&package["name"])?,
            version: text(&package["version"])?,
            folder: manifest.parent().unwrap_or(Path::new(".")).to_owned(),
            documents: targets.iter().any(|target| target["doctest"] == true),
        };
        Ok((text(&package["id"])?, read))
    };
    packages.iter().map(package).collect()
}

/// The test program that a message of cargo tells of.
fn program(message: &Value, packages: &BTreeMap<String, Package>) -> Option<Program> {
    if message["profile"]["test"] != true {
        return None;
    }
    let executable = PathBuf::from(message["executable"].as_str()?);
    let package = packages.get(message["package_id"].as_str()?)?.clone();
    let target = &message["target"];
    let kinds = target["kind"].as_array()?;
    let label = match kinds.iter().any(|kind| kind == "test") {
        true => format!("{}/{}", package.name, target["name"].as_str()?),
        false => package.name.clone(),
    };
    Some(Program {
        label,
        executable,
        package,
    })
}

/// The command `kinwood`, if a message tells that it was built.
fn built_command(message: &Value) -> Option<PathBuf> {
    let program = message["target"]["name"] == "kinwood"
        && message["target"]["kind"][0] == "bin"
        && message["profile"]["test"] == false;
    let path = message["executable"].as_str().filter(|_| program)?;
    Some(PathBuf::from(path))
}

/// The chosen tests of each program, by its position.
pub(super) fn list(
    programs: &[Program],
    options: &Options,
    limits: &Limits,
) -> Result<Vec<Vec<String>>, String> {
    let list = |program: &Program| {
        let mut command = program.command(limits);
        command.args(["--list", "--format", "terse"]);
        let output = command.output();
        let output = output.map_err(|error| format!("cannot run {}: {error}", line(&command)))?;
        if !output.status.success() {
            return Err(format!("{} failed: {}", line(&command), output.status));
        }
        let tests = String::from_utf8_lossy(&output.stdout).into_owned();
        let tests = tests.lines().filter_map(|line| line.strip_suffix(": test"));
        let chosen = tests.filter(|test| options.choose(test));
        Ok(chosen.map(str::to_owned).collect())
    };
    programs.iter().map(list).collect()
}

/// Made-up test programs.
#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use std::io::Write;

    /// Gives a shell script as a test program to a function, then removes it.
    pub(in crate::suite) fn script<T>(body: &str, run: impl FnOnce(&Program) -> T) -> T {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("kinwood-script-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Another process writes it: a file that is open for writing here while another test starts
        // a process could not be run.
        let mut writer = Command::new("sh")
            .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = writer.stdin.take().unwrap();
        write!(input, "#!/bin/sh\n{body}\n").unwrap();
        drop(input);
        assert!(writer.wait().unwrap().success());
        let program = Program {
            label: "made-up".to_owned(),
            executable: path.clone(),
            package: Package {
                name: "made-up".to_owned(),
                version: "0.1.0".to_owned(),
                folder: std::env::temp_dir(),
                documents: false,
            },
        };
        let result = run(&program);
        std::fs::remove_file(path).unwrap();
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_tell_of_programs() {
        let packages = packages(&json!({"packages": [{
            "id": "path#kinwood-values@0.1.0", "name": "kinwood-values", "version": "0.1.0",
            "manifest_path": "/w/crates/values/Cargo.toml", "targets": [{"doctest": true}],
        }]}))
        .unwrap();
        let message = |kind: &str, name: &str, test: bool| {
            json!({
                "reason": "compiler-artifact", "package_id": "path#kinwood-values@0.1.0",
                "target": {"kind": [kind], "name": name}, "profile": {"test": test},
                "executable": "/t/program",
            })
        };
        let found = program(&message("test", "all", true), &packages).unwrap();
        assert_eq!(found.label, "kinwood-values/all");
        assert_eq!(found.package.folder, Path::new("/w/crates/values"));
        assert!(found.package.documents);
        let found = program(&message("lib", "kinwood_values", true), &packages).unwrap();
        assert_eq!(found.label, "kinwood-values");
        let command = message("bin", "kinwood", false);
        assert!(program(&command, &packages).is_none());
        assert_eq!(built_command(&command), Some(PathBuf::from("/t/program")));
        assert_eq!(built_command(&message("bin", "kinwood", true)), None);
    }
}
