//! Which module a path leads to.
//!
//! A path is followed through imports, re-exports and stars to the module that defines what it
//! names. What leads out of the crate is of no interest here.

use super::tree::{Module, Modules, Position, Reference};

/// A module refers to another.
#[derive(Debug, Clone)]
pub(super) struct Edge<'a> {
    pub(super) from: &'a Position,
    pub(super) to: Position,
    pub(super) reference: &'a Reference,
}

/// How many re-exports a path may lead through; more are a circle of them.
const STEPS: usize = 12;

/// All references between modules of a crate.
pub(super) fn edges(modules: &Modules) -> Vec<Edge<'_>> {
    let names = Names { modules };
    let mut edges = Vec::new();
    for (from, module) in modules {
        for reference in &module.references {
            if let Some(to) = names.resolve(from, &reference.path, STEPS) {
                let edge = Edge {
                    from,
                    to,
                    reference,
                };
                edges.push(edge);
            }
        }
        for reference in &module.bare {
            let name = &reference.path[0];
            if owns(module, name) {
                continue;
            }
            if let Some(to) = names.by_star(from, &reference.path, STEPS) {
                let edge = Edge {
                    from,
                    to,
                    reference,
                };
                edges.push(edge);
            }
        }
    }
    edges
}

/// Whether a module has the name without a star.
fn owns(module: &Module, name: &String) -> bool {
    module.defined.contains(name)
        || module.imports.contains_key(name)
        || module.children.contains(name)
}

struct Names<'a> {
    modules: &'a Modules,
}

impl Names<'_> {
    /// The module that a path leads to from where it stands; none outside of the crate.
    fn resolve(&self, from: &Position, path: &[String], steps: usize) -> Option<Position> {
        let steps = steps.checked_sub(1)?;
        let (head, rest) = path.split_first()?;
        match head.as_str() {
            "crate" => self.walk(Vec::new(), rest, steps),
            "self" => self.walk(from.clone(), rest, steps),
            "super" => {
                let parent = from.split_last()?.1.to_vec();
                match rest.first().map(String::as_str) {
                    Some("super") => self.resolve(&parent, rest, steps),
                    _ => self.walk(parent, rest, steps),
                }
            }
            _ if owns(&self.modules[from], head) => self.walk(from.clone(), path, steps),
            _ => self.by_star(from, path, steps),
        }
    }

    /// Where a path leads whose first name came by a star.
    fn by_star(&self, from: &Position, path: &[String], steps: usize) -> Option<Position> {
        let steps = steps.checked_sub(1)?;
        let source = self.source(from, path.first()?, steps)?;
        self.walk(source, path, steps)
    }

    /// The module that a star takes this name from.
    fn source(&self, at: &Position, name: &String, steps: usize) -> Option<Position> {
        let steps = steps.checked_sub(1)?;
        let globs = self.modules[at].globs.iter();
        let mut sources = globs.filter_map(|glob| self.resolve(at, glob, steps));
        sources.find(|source| {
            source != at
                && (owns(&self.modules[source], name) || self.source(source, name, steps).is_some())
        })
    }

    /// Goes from a module along the names of a path to the module that defines its end.
    fn walk(&self, from: Position, path: &[String], steps: usize) -> Option<Position> {
        let steps = steps.checked_sub(1)?;
        let Some((head, rest)) = path.split_first() else {
            return Some(from);
        };
        let module = &self.modules[&from];
        // An item and a module may share a name; with more names to come it is the module.
        let item = module.defined.contains(head);
        if module.children.contains(head) && !(item && rest.is_empty()) {
            let child = [from.as_slice(), std::slice::from_ref(head)].concat();
            return match self.modules.contains_key(&child) {
                true => self.walk(child, rest, STEPS),
                false => Some(from),
            };
        }
        if item {
            return Some(from);
        }
        if let Some(import) = module.imports.get(head) {
            let whole = [import.as_slice(), rest].concat();
            // `use a::a` does not lead to itself.
            let again = import.first() == Some(head) && !module.children.contains(head);
            let found = (!again).then(|| self.resolve(&from, &whole, steps));
            return found.flatten().or(Some(from));
        }
        let source = self.source(&from, head, steps);
        match source {
            Some(source) => self.walk(source, path, steps),
            None => Some(from),
        }
    }
}
