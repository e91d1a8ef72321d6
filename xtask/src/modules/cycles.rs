//! Circles among the children of a module.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use super::paths::Edge;
use super::tree::{Modules, Position};

/// Children of one module that use each other in a circle.
pub(super) struct Cycle<'a> {
    parent: &'a Position,
    /// How many children can reach each other, of which the circle is one way round.
    tangled: usize,
    /// From each child to the next, with an example.
    steps: Vec<(&'a str, &'a Edge<'a>, &'a Path)>,
}

/// What each child uses, with an example of how.
type Uses<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a Edge<'a>>>;

/// The shortest circle of each set of children that can all reach each other.
pub(super) fn cycles<'a>(modules: &'a Modules, edges: &'a [Edge<'a>]) -> Vec<Cycle<'a>> {
    let mut cycles = Vec::new();
    for (parent, module) in modules {
        let uses = uses(parent, edges);
        let reached: BTreeMap<&str, BTreeSet<&str>> = module
            .children
            .iter()
            .map(|child| (child.as_str(), reach(child, &uses)))
            .collect();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for (&child, reach) in &reached {
            if !reach.contains(child) || seen.contains(child) {
                continue;
            }
            let tangled: Vec<&str> = reach
                .iter()
                .copied()
                .filter(|other| reached.get(other).is_some_and(|back| back.contains(child)))
                .collect();
            seen.extend(&tangled);
            let circles = tangled.iter().filter_map(|start| circle(start, &uses));
            let Some(names) = circles.min_by_key(Vec::len) else {
                continue;
            };
            let next = names.iter().cycle().skip(1);
            let steps = names.iter().zip(next).map(|(&from, to)| {
                let edge = uses[from][to];
                (from, edge, modules[edge.from].file.as_path())
            });
            cycles.push(Cycle {
                parent,
                tangled: tangled.len(),
                steps: steps.collect(),
            });
        }
    }
    cycles
}

/// Which children of a module use which of its other children.
fn uses<'a>(parent: &Position, edges: &'a [Edge<'a>]) -> Uses<'a> {
    let child = |position: &'a Position| {
        let below = position.strip_prefix(parent.as_slice())?;
        below.first().map(String::as_str)
    };
    let mut uses = Uses::new();
    for edge in edges {
        if let (Some(from), Some(to)) = (child(edge.from), child(&edge.to))
            && from != to
        {
            uses.entry(from).or_default().entry(to).or_insert(edge);
        }
    }
    uses
}

/// All children that one can come to; itself only in a circle.
fn reach<'a>(start: &str, uses: &Uses<'a>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(child) = open.pop() {
        for &next in uses.get(child).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// The shortest way from a child back to itself.
fn circle<'a>(start: &'a str, uses: &Uses<'a>) -> Option<Vec<&'a str>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(child) = open.pop_front() {
        for &next in uses.get(child).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                let mut way = vec![child];
                while let Some(&earlier) = way.last().and_then(|last| before.get(last)) {
                    way.push(earlier);
                }
                way.reverse();
                return Some(way);
            }
            if !before.contains_key(next) {
                before.insert(next, child);
                open.push_back(next);
            }
        }
    }
    None
}

impl Cycle<'_> {
    /// The circle step by step; files as seen from `folder`.
    pub(super) fn words(&self, folder: &Path) -> String {
        let parent: String = self.parent.iter().map(|name| format!("::{name}")).collect();
        let more = match self.tangled - self.steps.len() {
            0 => String::new(),
            more => format!(" (with {more} more between them)"),
        };
        let head = format!("modules of `crate{parent}` use each other in a circle{more}");
        let steps = self
            .steps
            .iter()
            .enumerate()
            .map(|(at, (from, edge, file))| {
                let (to, ..) = self.steps[(at + 1) % self.steps.len()];
                let file = file.strip_prefix(folder).unwrap_or(file).display();
                let path = edge.reference.path.join("::");
                format!(
                    "\n  `{from}` uses `{to}`: `{path}` at {file}:{}",
                    edge.reference.line
                )
            });
        head + &steps.collect::<String>()
    }
}
