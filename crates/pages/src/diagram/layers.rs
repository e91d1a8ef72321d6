//! Which table stands in which column of the drawing, and in which order from top to bottom.
//!
//! A layered drawing: tables stand right of all they refer to, references that skip a layer get a
//! place in it, and the order within layers follows the mean place of the neighbours. Reference:
//! Sugiyama, Tagawa, Toda, Methods for visual understanding of hierarchical system structures, IEEE
//! Transactions on Systems, Man, and Cybernetics 11, 1981.

use std::collections::BTreeSet;

/// Passes over the layers: the order settles after a few.
const PASSES: usize = 12;

/// Something with a place in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A table.
    Table(usize),
    /// A reference on its way through.
    Passing(usize),
}

/// The layers from left to right, each from top to bottom; and the items of each reference, from
/// left to right.
pub(super) struct Layers {
    pub items: Vec<Vec<Item>>,
    pub ways: Vec<Way>,
}

/// A reference between two different tables, cut into steps from one layer to the next.
pub(super) struct Way {
    pub reference: usize,
    /// The layer of its leftmost item.
    pub first: usize,
    /// Its items, one a layer.
    pub items: Vec<Item>,
    /// Whether the table referred to stands on the left, as it should.
    pub to_the_left: bool,
}

/// Arranges tables of these heights, connected by references (from, to).
pub(super) fn arrange(heights: &[f64], references: &[(usize, usize)]) -> Layers {
    let tables = heights.len();
    let edges: BTreeSet<(usize, usize)> = references
        .iter()
        .copied()
        .filter(|(from, to)| from != to)
        .collect();
    let ordered = without_cycles(tables, &edges);
    let mut layer = depths(tables, &ordered);
    pull_right(&mut layer, &ordered);
    let connected: BTreeSet<usize> = edges.iter().flat_map(|&(from, to)| [from, to]).collect();
    let mut items = place_connected(&layer, &connected, references);
    place_rest(&mut items, &connected, heights);

    let mut ways = Vec::new();
    for (reference, &(from, to)) in references.iter().enumerate() {
        if from == to {
            continue;
        }
        let to_the_left = layer[to] < layer[from];
        let (left, right) = if to_the_left { (to, from) } else { (from, to) };
        let mut way = vec![Item::Table(left)];
        for between in &mut items[layer[left] + 1..layer[right]] {
            between.push(Item::Passing(reference));
            way.push(Item::Passing(reference));
        }
        way.push(Item::Table(right));
        ways.push(Way {
            reference,
            first: layer[left],
            items: way,
            to_the_left,
        });
    }
    order(&mut items, &ways);
    Layers { items, ways }
}

/// The edges with those of cycles turned round that close one, found depth first.
fn without_cycles(tables: usize, edges: &BTreeSet<(usize, usize)>) -> BTreeSet<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; tables];
    let mut kept = BTreeSet::new();
    for start in 0..tables {
        if state[start] != State::New {
            continue;
        }
        // An explicit stack: a chain of ten thousand tables shall not exhaust the real one.
        let neighbours = |table: usize| -> Vec<usize> {
            edges
                .range((table, 0)..(table + 1, 0))
                .map(|&(_, to)| to)
                .collect()
        };
        state[start] = State::Open;
        let mut stack = vec![(start, neighbours(start))];
        while let Some((table, rest)) = stack.last_mut() {
            let table = *table;
            match rest.pop() {
                None => {
                    state[table] = State::Done;
                    stack.pop();
                }
                Some(next) if state[next] == State::Open => {
                    kept.insert((next, table));
                }
                Some(next) => {
                    kept.insert((table, next));
                    if state[next] == State::New {
                        state[next] = State::Open;
                        stack.push((next, neighbours(next)));
                    }
                }
            }
        }
    }
    kept
}

/// The longest way from each table along its references.
fn depths(tables: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    let mut waiting = vec![0usize; tables];
    let mut referring: Vec<Vec<usize>> = vec![Vec::new(); tables];
    for &(from, to) in edges {
        waiting[from] += 1;
        referring[to].push(from);
    }
    let mut depth = vec![0; tables];
    let mut ready: Vec<usize> = (0..tables).filter(|&table| waiting[table] == 0).collect();
    while let Some(table) = ready.pop() {
        for &from in &referring[table] {
            depth[from] = depth[from].max(depth[table] + 1);
            waiting[from] -= 1;
            if waiting[from] == 0 {
                ready.push(from);
            }
        }
    }
    depth
}

/// Puts tables that refer to nothing next to the first that refers to them: a dictionary stands
/// beside its user.
fn pull_right(layer: &mut [usize], edges: &BTreeSet<(usize, usize)>) {
    for table in 0..layer.len() {
        let refers = edges.range((table, 0)..(table + 1, 0)).next().is_some();
        let nearest = edges
            .iter()
            .filter(|(_, to)| *to == table)
            .map(|(from, _)| layer[*from])
            .min();
        if let (false, Some(nearest)) = (refers, nearest) {
            layer[table] = nearest - 1;
        }
    }
}

/// Tables with references, the most referred to first.
fn place_connected(
    layer: &[usize],
    connected: &BTreeSet<usize>,
    references: &[(usize, usize)],
) -> Vec<Vec<Item>> {
    let mut items: Vec<Vec<Item>> = Vec::new();
    let mut order: Vec<usize> = connected.iter().copied().collect();
    let referred = |table: usize| references.iter().filter(|(_, to)| *to == table).count();
    order.sort_by_key(|&table| (usize::MAX - referred(table), table));
    for table in order {
        if items.len() <= layer[table] {
            items.resize(layer[table] + 1, Vec::new());
        }
        items[layer[table]].push(Item::Table(table));
    }
    items
}

/// Tables without references go where there is room, at most as many columns as make a square of
/// them.
fn place_rest(items: &mut Vec<Vec<Item>>, connected: &BTreeSet<usize>, heights: &[f64]) {
    let rest: Vec<usize> = (0..heights.len())
        .filter(|table| !connected.contains(table))
        .collect();
    let columns = (1..)
        .find(|columns| columns * columns >= rest.len())
        .unwrap_or(1)
        .min(6);
    if items.len() < columns {
        items.resize(columns, Vec::new());
    }
    let mut filled: Vec<f64> = items
        .iter()
        .map(|layer| layer.iter().map(|item| height(heights, item)).sum())
        .collect();
    for table in rest {
        let mut lowest = 0;
        for layer in 1..filled.len() {
            if filled[layer] < filled[lowest] {
                lowest = layer;
            }
        }
        items[lowest].push(Item::Table(table));
        filled[lowest] += heights[table];
    }
    items.retain(|layer| !layer.is_empty());
}

fn height(heights: &[f64], item: &Item) -> f64 {
    match item {
        Item::Table(table) => heights[*table],
        Item::Passing(_) => 0.0,
    }
}

/// Orders the layers by the mean place of the neighbours, there and back again.
fn order(items: &mut [Vec<Item>], ways: &[Way]) {
    let layers = items.len();
    // The steps from each layer to the next, as (left, right).
    let mut steps: Vec<Vec<(Item, Item)>> = vec![Vec::new(); layers];
    for way in ways {
        for (position, step) in way.items.windows(2).enumerate() {
            steps[way.first + position].push((step[0], step[1]));
        }
    }
    for pass in 0..PASSES {
        let rightward = pass % 2 == 0;
        for step in 1..layers {
            let layer = if rightward { step } else { layers - 1 - step };
            let beside = if rightward { layer - 1 } else { layer + 1 };
            let place = |item: Item| items[beside].iter().position(|other| *other == item);
            let neighbours = |item: Item| -> Vec<f64> {
                let between = steps[layer.min(beside)].iter();
                let turned = between.map(|&(left, right)| {
                    if rightward {
                        (right, left)
                    } else {
                        (left, right)
                    }
                });
                let other = turned
                    .filter(|(own, _)| *own == item)
                    .filter_map(|(_, other)| place(other));
                other.map(|place| place as f64).collect()
            };
            let mut sorted: Vec<(f64, Item)> = items[layer]
                .iter()
                .enumerate()
                .map(|(own, &item)| match neighbours(item).as_slice() {
                    [] => (own as f64, item),
                    places => (places.iter().sum::<f64>() / places.len() as f64, item),
                })
                .collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            items[layer] = sorted.into_iter().map(|(_, item)| item).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer_of(layers: &Layers, table: usize) -> usize {
        let holds = |layer: &Vec<Item>| layer.contains(&Item::Table(table));
        layers.items.iter().position(holds).unwrap()
    }

    #[test]
    fn tables_stand_right_of_what_they_refer_to() {
        // molecule 0, atom 1, bond 2
        let layers = arrange(&[1.0; 3], &[(1, 0), (2, 1), (2, 1), (2, 0)]);
        assert_eq!([0, 1, 2].map(|table| layer_of(&layers, table)), [0, 1, 2]);
        let long = layers.ways.iter().find(|way| way.reference == 3).unwrap();
        assert_eq!(
            long.items,
            [Item::Table(0), Item::Passing(3), Item::Table(2)]
        );
        assert!(layers.ways.iter().all(|way| way.to_the_left));
    }

    #[test]
    fn cycles_and_self_references_are_drawn_somehow() {
        let layers = arrange(&[1.0; 4], &[(0, 1), (1, 2), (2, 0), (3, 3)]);
        let placed: usize = layers
            .items
            .iter()
            .flatten()
            .filter(|item| matches!(item, Item::Table(_)))
            .count();
        assert_eq!(placed, 4);
        assert_eq!(layers.ways.len(), 3);
        assert_eq!(layers.ways.iter().filter(|way| !way.to_the_left).count(), 1);
    }

    #[test]
    fn long_chains_do_not_exhaust_the_stack() {
        let chain: Vec<(usize, usize)> = (1..3000).map(|table| (table, table - 1)).collect();
        assert_eq!(arrange(&[1.0; 3000], &chain).items.len(), 3000);
    }

    #[test]
    fn unconnected_tables_make_a_square() {
        let layers = arrange(&[1.0; 9], &[]);
        assert_eq!(
            layers.items.iter().map(Vec::len).collect::<Vec<_>>(),
            [3, 3, 3]
        );
    }
}
