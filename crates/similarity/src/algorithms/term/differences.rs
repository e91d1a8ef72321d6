//! Where two terms differ, and what each place adds to Nienhuys-Cheng's distance.

use std::ops::Range;

use super::{FlatTerm, Meeting, together};

/// Two subterms at the same place that differ in their outermost symbols.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferentSubterms {
    /// The nodes of the first term.
    pub left: Range<usize>,
    /// The nodes of the second term.
    pub right: Range<usize>,
    /// What they add to the distance.
    pub weight: f64,
    /// Which argument, from 1, of which argument and so on, from the outermost.
    pub path: Vec<u32>,
}

/// The places where two terms differ, in preorder; the way to a place only where it is `wanted`, by
/// its number, and empty elsewhere.
///
/// The weights add up to [`super::nienhuys_cheng`]. Cost: one pass over both terms, and the depth
/// for each way.
pub fn differences(
    a: FlatTerm<'_>,
    b: FlatTerm<'_>,
    wanted: impl Fn(usize) -> bool,
) -> Vec<DifferentSubterms> {
    struct Open {
        argument: u32,
        arity: u32,
        weight: f64,
    }
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    for meeting in together(a, b) {
        while open.last().is_some_and(|last| last.argument == last.arity) {
            open.pop();
        }
        let weight = match open.last_mut() {
            Some(last) => {
                last.argument += 1;
                last.weight
            }
            None => 1.0,
        };
        match meeting {
            Meeting::Same(node, _) => {
                let arity = a.arities[node];
                if arity > 0 {
                    open.push(Open {
                        argument: 0,
                        arity,
                        weight: weight / (2.0 * f64::from(arity)),
                    });
                }
            }
            Meeting::Differ(left, right) => {
                let path = match wanted(found.len()) {
                    true => open.iter().map(|functor| functor.argument).collect(),
                    false => Vec::new(),
                };
                found.push(DifferentSubterms {
                    left,
                    right,
                    weight,
                    path,
                });
            }
        }
    }
    found
}
