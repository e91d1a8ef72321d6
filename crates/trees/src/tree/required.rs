//! Beginnings of trees that use columns which must be used.

use super::constraint::Sketch;

/// At most so many beginnings are tried: columns can stand in as many places as a sketch has open
/// leaves.
const MOST: usize = 24;

/// The sketch with a test on each column somewhere, the test itself being left to the learner; the
/// nearest to the root first.
pub fn requiring<T: Clone + PartialEq>(sketch: &Sketch<T>, columns: &[u32]) -> Vec<Sketch<T>> {
    let Some((column, others)) = columns.split_first() else {
        return vec![sketch.clone()];
    };
    let mut all = Vec::new();
    if mentions(sketch, *column) {
        return requiring(sketch, others);
    }
    for place in 0.. {
        let mut left = place;
        let Some(with) = with_split(sketch, *column, &mut left) else {
            break;
        };
        all.extend(requiring(&with, others));
        if all.len() >= MOST {
            all.truncate(MOST);
            break;
        }
    }
    all
}

fn mentions<T>(sketch: &Sketch<T>, sought: u32) -> bool {
    match sketch {
        Sketch::Open | Sketch::Closed => false,
        Sketch::Split {
            column, branches, ..
        } => *column == sought || branches.iter().any(|branch| mentions(branch, sought)),
    }
}

/// The sketch with a test on a column in the open leaf of that number; `None` if there are fewer.
fn with_split<T: Clone>(sketch: &Sketch<T>, column: u32, left: &mut usize) -> Option<Sketch<T>> {
    match sketch {
        Sketch::Closed => None,
        Sketch::Open if *left == 0 => Some(Sketch::Split {
            column,
            test: None,
            branches: vec![Sketch::Open, Sketch::Open],
        }),
        Sketch::Open => {
            *left -= 1;
            None
        }
        Sketch::Split {
            column: own,
            test,
            branches,
        } => {
            let with = |(place, branch): (usize, &Sketch<T>)| {
                let with = with_split(branch, column, left)?;
                let mut branches = branches.clone();
                branches[place] = with;
                Some(branches)
            };
            let branches = branches.iter().enumerate().find_map(with)?;
            Some(Sketch::Split {
                column: *own,
                test: test.clone(),
                branches,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Test;
    use super::*;

    type Sketch = super::Sketch<Test>;

    #[test]
    fn every_open_leaf_is_tried() {
        assert_eq!(requiring(&Sketch::Open, &[3]).len(), 1);
        let two = requiring(&Sketch::Open, &[3, 5]);
        assert_eq!(two.len(), 2);
        assert!(
            two.iter()
                .all(|sketch| mentions(sketch, 3) && mentions(sketch, 5))
        );
        assert_ne!(two[0], two[1]);
        assert_eq!(requiring(&two[0], &[5]), vec![two[0].clone()]);
        assert!(requiring(&Sketch::Closed, &[1]).is_empty());
    }
}
