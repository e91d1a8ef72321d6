//! Which functions of our crates a target's corpus reaches.
//!
//! The compiler's table marks where functions begin; `nm`, which is where a linker is, names them.
//! A function is counted once, however often it was compiled for other types; closures belong to
//! the function around them. What the optimiser put into its callers, or left out, is no function
//! of the program, and derived debugging output is not counted.

use std::collections::BTreeMap;
use std::io;
use std::process::Command;

use crate::corpus;
use crate::coverage;
use crate::engine::attempt;
use crate::features::Features;
use crate::targets::Target;

/// The functions of our crates, by name, and whether each was reached.
pub struct Functions {
    reached: BTreeMap<String, bool>,
    edges: (usize, usize),
}

/// So many of so many.
pub type Share = (usize, usize);

impl Functions {
    /// Runs the target's seeds and corpus.
    pub fn reached_by(target: &Target, names: &Names) -> io::Result<Self> {
        let mut inputs = (target.seeds)();
        inputs.extend(corpus::unpack(&corpus::path(target.name))?);
        let mut features = Features::new();
        for input in &inputs {
            attempt(target, input);
            features.look_everywhere();
            features.take();
        }
        let mut reached = BTreeMap::new();
        for (place, was) in coverage::places().iter().zip(features.reached()) {
            if place.begins_function()
                && let Some(name) = names.at(place.address).and_then(ours)
            {
                *reached.entry(name).or_insert(false) |= was;
            }
        }
        Ok(Self {
            reached,
            edges: (features.edges(), coverage::places().len()),
        })
    }

    /// Functions reached of all of our crates.
    pub fn all(&self) -> Share {
        self.below(&[""])
    }

    /// Functions reached of all whose path begins with one of these.
    pub fn below(&self, area: &[&str]) -> Share {
        let inside = self.inside(area);
        let reached = inside.clone().filter(|(_, reached)| *reached).count();
        (reached, inside.count())
    }

    /// Functions of an area that were not reached.
    pub fn missed<'s>(&'s self, area: &'s [&str]) -> Vec<&'s str> {
        self.inside(area)
            .filter(|(_, reached)| !reached)
            .map(|(name, _)| name)
            .collect()
    }

    fn inside<'s>(&'s self, area: &'s [&str]) -> impl Iterator<Item = (&'s str, bool)> + Clone {
        let functions = self.reached.iter().map(|(name, was)| (name.as_str(), *was));
        functions.filter(move |(name, _)| area.iter().any(|part| path(name).starts_with(part)))
    }

    /// Edges reached of all.
    pub fn edges(&self) -> Share {
        self.edges
    }
}

/// The path that a function's name begins with: of a method of a trait, that of its type.
fn path(name: &str) -> &str {
    name.trim_start_matches(['<', '&', '['])
        .trim_start_matches("mut ")
        .trim_start_matches("dyn ")
}

/// The name of a function of ours without closures and what it was compiled for; `None` for those
/// of others.
fn ours(name: &str) -> Option<String> {
    let name = name.split("::{{closure}}").next()?;
    let name = name.split("::{closure").next()?;
    let ours = path(name).starts_with("kinwood") && !path(name).starts_with("kinwood_fuzz");
    let debugging = name.contains(" as core::fmt::Debug>");
    (ours && !debugging).then(|| name.to_owned())
}

/// The names of functions by address.
pub struct Names {
    sorted: Vec<(usize, String)>,
    /// How far the program was moved when it was loaded.
    moved: usize,
}

impl Names {
    /// Reads the names of the running program.
    pub fn read() -> io::Result<Self> {
        let program = std::env::current_exe()?;
        let output = Command::new("nm")
            .args(["--demangle", "--defined-only"])
            .arg(&program)
            .output()
            .map_err(|error| {
                io::Error::other(format!("functions are named by `nm`, of binutils: {error}"))
            })?;
        let mut sorted: Vec<(usize, String)> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| {
                let (address, rest) = line.split_once(' ')?;
                let (kind, name) = rest.split_once(' ')?;
                let address = usize::from_str_radix(address, 16).ok()?;
                ["t", "T", "w", "W"]
                    .contains(&kind)
                    .then(|| (address, name.to_owned()))
            })
            .collect();
        sorted.sort();
        let (here, known) = coverage::known_address();
        let there = sorted.iter().find(|(_, name)| name == known);
        let there = there
            .map(|(address, _)| *address)
            .ok_or_else(|| io::Error::other("the program has no names: it was stripped of them"))?;
        Ok(Self {
            moved: here - there,
            sorted,
        })
    }

    fn at(&self, address: usize) -> Option<&str> {
        let address = address.checked_sub(self.moved)?;
        let after = self.sorted.partition_point(|(start, _)| *start <= address);
        let (_, name) = self.sorted.get(after.checked_sub(1)?)?;
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_ours_or_not_and_closures_belong_to_them() {
        let name = "kinwood_values::tree::parse::{{closure}}::{{closure}}";
        assert_eq!(ours(name).as_deref(), Some("kinwood_values::tree::parse"));
        let name = "<kinwood_values::types::Type as core::str::traits::FromStr>::from_str";
        assert_eq!(ours(name).as_deref(), Some(name));
        assert!(path(name).starts_with("kinwood_values::types"));
        assert_eq!(ours("<kinwood_values::T as core::fmt::Debug>::fmt"), None);
        assert_eq!(ours("alloc::vec::Vec<kinwood_values::T>::push"), None);
        assert_eq!(ours("kinwood_fuzz::engine::run"), None);
    }
}
