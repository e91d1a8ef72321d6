//! Packages: a stripped program with man pages and completions, a wheel that needs no compiler,
//! checksums and a container file. Each is installed into a bare folder and tried.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, execute, line, python, target};

/// The shells whose completions are packed.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "kinwood.bash"),
    ("zsh", "_kinwood"),
    ("fish", "kinwood.fish"),
];

/// Makes all packages and says where they are; `--no-wheel` leaves out the Python package.
pub(crate) fn make(arguments: &[String]) -> Result<(), String> {
    let wheel = match arguments {
        [] => true,
        [word] if word == "--no-wheel" => false,
        _ => return Err("expected nothing or --no-wheel".to_owned()),
    };
    let folder = target().join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    let mut made = vec![archive(&folder)?, container(&folder)?];
    if wheel {
        made.push(python::package(&folder)?);
    }
    let sums = checksums(&folder, &made)?;
    for file in made.iter().chain([&sums]) {
        println!("wrote {}", file.display());
    }
    Ok(())
}

/// The program with its licences, man pages and completions, packed and tried.
fn archive(folder: &Path) -> Result<PathBuf, String> {
    execute(
        cargo()
            .args(["build", "--release", "--package", "kinwood-cli"])
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols"),
    )?;
    let name = format!("kinwood-{}-{}", env!("CARGO_PKG_VERSION"), host()?);
    let root = folder.join(&name);
    let (bin, man) = (root.join("bin"), root.join("share/man/man1"));
    let completions = root.join("share/completions");
    for made in [&bin, &man, &completions] {
        fs::create_dir_all(made).map_err(|error| error.to_string())?;
    }
    let program = bin.join("kinwood");
    copy(&target().join("release/kinwood"), &program)?;
    for text in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"] {
        copy(Path::new(text), &root.join(text))?;
    }
    execute(
        Command::new(&program)
            .args(["completions", "--man"])
            .arg(&man),
    )?;
    for (shell, file) in SHELLS {
        let script = output(Command::new(&program).args(["completions", shell]))?;
        fs::write(completions.join(file), script).map_err(|error| error.to_string())?;
    }
    let packed = folder.join(format!("{name}.tar.gz"));
    execute(
        Command::new("tar")
            .args([
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "-czf",
            ])
            .arg(&packed)
            .arg("-C")
            .arg(folder)
            .arg(&name),
    )?;
    fs::remove_dir_all(&root).map_err(|error| error.to_string())?;
    try_archive(folder, &packed, &name)?;
    Ok(packed)
}

/// Unpacks the archive into a bare folder and does a small job with nothing of the environment.
fn try_archive(folder: &Path, packed: &Path, name: &str) -> Result<(), String> {
    let bare = folder.join("bare");
    fs::create_dir_all(&bare).map_err(|error| error.to_string())?;
    execute(
        Command::new("tar")
            .arg("-xzf")
            .arg(packed)
            .arg("-C")
            .arg(&bare),
    )?;
    let program = bare.join(name).join("bin/kinwood");
    for words in [
        "--version",
        "sample molecules --size 60 -o molecules.sqlite",
        "fit mirt molecules.sqlite --target active -o model.kin",
        "show model.kin --sql",
    ] {
        let mut command = Command::new(&program);
        command
            .args(words.split(' '))
            .current_dir(&bare)
            .env_clear();
        output(&mut command)?;
    }
    fs::remove_dir_all(&bare).map_err(|error| error.to_string())
}

/// A file from which an image with the program alone is built.
fn container(folder: &Path) -> Result<PathBuf, String> {
    let file = folder.join("Containerfile");
    let name = format!("kinwood-{}-{}", env!("CARGO_PKG_VERSION"), host()?);
    let text = format!(
        "# docker build -t kinwood -f Containerfile . && docker run --rm -v \"$PWD:/data\" kinwood tour\n\
         FROM debian:stable-slim\n\
         ADD {name}.tar.gz /opt\n\
         RUN ln -s /opt/{name}/bin/kinwood /usr/local/bin/kinwood\n\
         WORKDIR /data\n\
         ENTRYPOINT [\"kinwood\"]\n"
    );
    fs::write(&file, text).map_err(|error| error.to_string())?;
    Ok(file)
}

/// The SHA-256 of every package, in the form that `sha256sum --check` reads.
fn checksums(folder: &Path, files: &[PathBuf]) -> Result<PathBuf, String> {
    let names = files.iter().filter_map(|file| file.file_name());
    let sums = output(Command::new("sha256sum").args(names).current_dir(folder))?;
    let file = folder.join("SHA256SUMS");
    fs::write(&file, sums).map_err(|error| error.to_string())?;
    Ok(file)
}

/// What the machine is called in names of packages.
fn host() -> Result<String, String> {
    let told = output(Command::new("rustc").arg("-vV"))?;
    let told = String::from_utf8_lossy(&told).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| "rustc does not say its host".to_owned())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("{}: {error}", from.display()))
}

fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", line(command)))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!(
            "{} failed: {}",
            line(command),
            String::from_utf8_lossy(&output.stderr).trim_end()
        )),
    }
}
