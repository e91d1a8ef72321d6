//! Modules inside a crate: among the children of any module there is no cycle.
//!
//! A child that uses another child, through whatever re-export, is above it. References between a
//! child and its parent's own file do not count: a parent is made of its children, and children may
//! use the words their parent defines. What is under `#[cfg(test)]` may look anywhere.
//!
//! Paths in strings (`#[serde(with = "…")]`) and names that macros paste together are not seen.

mod cycles;
mod paths;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What breaks the rule in the crates that `cargo metadata` lists, in words.
pub(crate) fn faults(metadata: &Value) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for (name, roots) in roots(metadata) {
        for root in &roots {
            let cycles = check(root, &|path| fs::read_to_string(path).ok())?;
            faults.extend(cycles.iter().map(|cycle| format!("`{name}`: {cycle}")));
        }
    }
    Ok(faults)
}

/// A string, a character or a number in the source of a crate.
pub(crate) struct Literal {
    pub(crate) package: String,
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    /// As it is written, with its quotes.
    pub(crate) text: String,
}

/// All literals of the crates that `cargo metadata` lists, without those of tests.
pub(crate) fn literals(metadata: &Value) -> Result<Vec<Literal>, String> {
    let mut found = Vec::new();
    for (package, roots) in roots(metadata) {
        for root in &roots {
            let modules = tree::read(root, &|path| fs::read_to_string(path).ok())?;
            for module in modules.into_values() {
                let literal = |(line, text)| Literal {
                    package: package.clone(),
                    file: module.file.clone(),
                    line,
                    text,
                };
                found.extend(module.literals.into_iter().map(literal));
            }
        }
    }
    Ok(found)
}

/// Each crate's files that a module tree begins with: of its library and of its programs.
fn roots(metadata: &Value) -> Vec<(String, Vec<PathBuf>)> {
    const PRODUCT: &[&str] = &["lib", "rlib", "cdylib", "proc-macro", "bin"];
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let product = |target: &Value| {
        let kinds = list(&target["kind"]);
        let mut kinds = kinds.iter().filter_map(Value::as_str);
        kinds.any(|kind| PRODUCT.contains(&kind))
    };
    let of_crate = |package: &Value| {
        let targets = list(&package["targets"]).into_iter();
        let sources = targets
            .filter(product)
            .filter_map(|target| target["src_path"].as_str().map(PathBuf::from));
        let name = package["name"].as_str().unwrap_or_default().to_owned();
        (name, sources.collect())
    };
    list(&metadata["packages"]).iter().map(of_crate).collect()
}

/// The cycles of the module tree that begins with this file, in words.
fn check(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Vec<String>, String> {
    let modules = tree::read(root, read)?;
    let edges = paths::edges(&modules);
    let folder = std::env::current_dir().unwrap_or_default();
    let cycles = cycles::cycles(&modules, &edges);
    Ok(cycles.iter().map(|cycle| cycle.words(&folder)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::HashMap;

    /// The cycles of a crate whose files are given by path and text.
    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let files: HashMap<PathBuf, String> = files
            .iter()
            .map(|(path, text)| (PathBuf::from("src").join(path), (*text).to_owned()))
            .collect();
        check(Path::new("src/lib.rs"), &|path| files.get(path).cloned()).unwrap()
    }

    #[test]
    fn a_cycle_is_shown_with_its_places() {
        let found = cycles(&[
            ("lib.rs", "pub mod a; pub mod b; pub mod c;"),
            ("a.rs", "//! A.\nuse crate::b::Thing;\npub struct Own;"),
            ("b.rs", "pub struct Thing;\nfn f() { super::c::go() }"),
            ("c.rs", "\n\npub fn go() { let _ = crate::a::Own; }"),
        ]);
        assert_eq!(
            found,
            ["modules of `crate` use each other in a circle\n  \
              `a` uses `b`: `crate::b::Thing` at src/a.rs:2\n  \
              `b` uses `c`: `super::c::go` at src/b.rs:2\n  \
              `c` uses `a`: `crate::a::Own` at src/c.rs:3"]
        );
    }

    #[test]
    fn one_way_is_no_cycle() {
        let files = [
            ("lib.rs", "mod a; mod b; use a::A; fn f() { b::go(); }"),
            ("a.rs", "use crate::b; pub struct A; fn f() { b::go() }"),
            ("b.rs", "use super::f; pub fn go() {}"),
        ];
        assert!(cycles(&files).is_empty());
    }

    #[test]
    fn tests_may_look_anywhere() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            (
                "a.rs",
                "use crate::b::B;\n#[cfg(test)] use crate::b::{B, C};",
            ),
            (
                "b.rs",
                "pub struct B;\n#[cfg(test)]\n#[allow(unused)]\nmod tests { use crate::a; }\n\
                 #[cfg(test)] const X: crate::a::X = crate::a::X { y: 1 };\n\
                 #[cfg(all(test, unix))] fn f() -> crate::a::X { crate::a::f() }\n\
                 struct C { #[cfg(test)] seen: crate::a::X, other: u8 }",
            ),
        ];
        assert!(cycles(&files).is_empty());
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B;"),
            (
                "b.rs",
                "#[cfg(test)] fn t() {}\n#[cfg(unix)] fn u() { crate::a::f() }",
            ),
        ];
        assert_eq!(cycles(&files).len(), 1);
    }

    #[test]
    fn a_parents_re_export_leads_to_the_child() {
        let found = cycles(&[
            ("lib.rs", "mod x;"),
            ("x.rs", "mod a; mod b; pub use a::{One, Two as Second};"),
            (
                "x/a.rs",
                "use super::b::Other; pub struct One; pub struct Two;",
            ),
            ("x/b.rs", "use super::Second; pub struct Other;"),
        ]);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains("`b` uses `a`: `super::Second`"),
            "{found:?}"
        );
        assert!(found[0].starts_with("modules of `crate::x` "), "{found:?}");
    }

    #[test]
    fn names_that_came_by_a_star_are_followed() {
        let found = cycles(&[
            ("lib.rs", "mod a; mod b; pub use a::*; use b::helper;"),
            ("a.rs", "use crate::b::Other; pub struct One;"),
            (
                "b.rs",
                "use super::*; pub struct Other; pub fn helper(x: One) {}",
            ),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("`b` uses `a`: `One` at src/b.rs:1"),
            "{found:?}"
        );
    }

    #[test]
    fn an_imported_module_is_followed() {
        let found = cycles(&[
            ("lib.rs", "mod tree;"),
            ("tree.rs", "mod grow; mod node; pub use node::Node;"),
            (
                "tree/grow.rs",
                "use crate::tree; fn f() -> tree::Node { todo!() }",
            ),
            (
                "tree/node.rs",
                "pub struct Node; fn g() { super::grow::f() }",
            ),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("`grow` uses `node`: `tree::Node`"),
            "{found:?}"
        );
    }

    #[test]
    fn an_item_is_told_from_a_module_of_its_name() {
        let files = [
            (
                "lib.rs",
                "mod compare; mod other; pub fn compare() { compare::go(); }",
            ),
            ("compare.rs", "use crate::other; pub fn go() { other::f() }"),
            ("other.rs", "use super::compare; pub fn f() { compare() }"),
        ];
        assert!(cycles(&files).is_empty());
        let files = [
            (
                "lib.rs",
                "mod compare; mod other; pub fn compare() { compare::go(); }",
            ),
            ("compare.rs", "use crate::other; pub fn go() { other::f() }"),
            (
                "other.rs",
                "use super::compare; pub fn f() { compare::go() }",
            ),
        ];
        assert_eq!(cycles(&files).len(), 1);
    }

    #[test]
    fn modules_in_a_file_and_in_a_folder_count() {
        let found = cycles(&[
            (
                "lib.rs",
                "mod a { use crate::b::inner::X; pub struct A; }\nmod b;",
            ),
            ("b/mod.rs", "pub mod inner;"),
            ("b/inner.rs", "pub struct X(crate::a::A);"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("src/b/inner.rs:1"), "{found:?}");
    }

    #[test]
    fn other_crates_and_strings_do_not_count() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            (
                "a.rs",
                "use std::fmt; use crate::b::B; // crate::b::C\nfn f() { fmt::write(); \"crate::a\"; }",
            ),
            (
                "b.rs",
                "use ::a::X; use outer::a; fn f() { a::g(); x.a(); r\"crate::a::b\"; }",
            ),
        ];
        assert!(cycles(&files).is_empty());
    }

    #[test]
    fn a_file_that_is_missing_is_named() {
        let read = |path: &Path| (path == Path::new("src/lib.rs")).then(|| "mod a;".to_owned());
        let error = check(Path::new("src/lib.rs"), &read).unwrap_err();
        assert_eq!(error, "src/lib.rs:1: there is no file of module `a`");
    }

    #[test]
    fn programs_and_libraries_have_roots_and_tests_have_not() {
        let target = |kind: &str, path: &str| json!({"kind": [kind], "src_path": path});
        let targets = [
            target("lib", "lib.rs"),
            target("bin", "main.rs"),
            target("test", "t.rs"),
            target("example", "e.rs"),
            target("custom-build", "build.rs"),
        ];
        let found = roots(&json!({"packages": [{"name": "a", "targets": targets}]}));
        let expected = vec![PathBuf::from("lib.rs"), PathBuf::from("main.rs")];
        assert_eq!(found, [("a".to_owned(), expected)]);
    }
}
