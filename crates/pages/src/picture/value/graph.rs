//! A graph as nodes and edges, in the plane.
//!
//! Nodes are placed so that their distances are those along edges, as well as the plane allows:
//! stress majorisation one node at a time (Gansner, Koren and North, *Graph drawing by stress
//! majorization*, 2004), from a few fixed beginnings of which the best is kept. There is no chance
//! in it: the same graph is always the same picture. Edges called as bonds are (`2`, `double`,
//! `aromatic`) are drawn as such, and the elements of molecules have the colours that chemists give
//! them.

use kinwood_values::{Edge, Graph};
use maud::html;

use super::super::piece::Piece;
use super::{Room, SMALL, more};
use crate::kit::number::{Figure, ends};
use crate::kit::width;

/// The nodes that are shown at most: distances take the square of them.
const NODES: usize = 60;
/// The length of an edge.
const LENGTH: f64 = 30.0;
const MARGIN: f64 = 11.0;
const ROUNDS: usize = 250;

type Point = [f64; 2];

/// Draws a graph; of a large one, its first nodes.
pub(super) fn draw(graph: &Graph, room: Room) -> Piece {
    let count = graph.nodes().len().min(NODES).min(room.most * 2);
    if count == 0 {
        return Piece::words("soft", super::SIZE, room.across, "no nodes");
    }
    let edges: Vec<&Edge> = graph
        .edges()
        .iter()
        .filter(|edge| (edge.from.max(edge.to) as usize) < count)
        .collect();
    let mut beside = vec![Vec::new(); count];
    for edge in &edges {
        let (a, b) = (edge.from as usize, edge.to as usize);
        if a != b {
            beside[a].push(b);
            beside[b].push(a);
        }
    }
    let parts: Vec<Piece> = components(&beside)
        .iter()
        .map(|nodes| component(graph, &edges, &beside, nodes))
        .collect();
    let drawn = Piece::flow(&parts, room.across.max(160.0), 6.0);
    match more(graph.nodes().len() - count) {
        Some(more) => Piece::stack(&[drawn, more], 2.0),
        None => drawn,
    }
}

/// The connected parts, each in the order of its nodes.
fn components(beside: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; beside.len()];
    let mut parts = Vec::new();
    for start in 0..beside.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut next = 0;
        while let Some(&node) = part.get(next) {
            for &other in &beside[node] {
                if !std::mem::replace(&mut seen[other], true) {
                    part.push(other);
                }
            }
            next += 1;
        }
        parts.push(part);
    }
    parts
}

fn component(graph: &Graph, edges: &[&Edge], beside: &[Vec<usize>], nodes: &[usize]) -> Piece {
    let mut place_of = vec![usize::MAX; beside.len()];
    for (place, &node) in nodes.iter().enumerate() {
        place_of[node] = place;
    }
    let near: Vec<Vec<usize>> = nodes
        .iter()
        .map(|&node| beside[node].iter().map(|&other| place_of[other]).collect())
        .collect();
    let points = placed(&near);
    let along = |axis: usize| ends(points.iter().map(|point| point[axis]));
    let ((left, right), (top, bottom)) = (along(0), along(1));
    let at = |place: usize| -> Point {
        let [x, y] = points[place];
        [x - left + MARGIN, y - top + MARGIN]
    };
    let mut piece = Piece::empty(right - left + 2.0 * MARGIN, bottom - top + 2.0 * MARGIN);
    for edge in edges {
        let ends = [edge.from, edge.to].map(|end| place_of[end as usize]);
        if !ends.contains(&usize::MAX) {
            bond(&mut piece, graph.directed(), edge, ends.map(at));
        }
    }
    for (place, &node) in nodes.iter().enumerate() {
        atom(&mut piece, graph.nodes()[node].label(), at(place));
    }
    piece
}

/// Where the nodes of a connected graph stand.
fn placed(near: &[Vec<usize>]) -> Vec<Point> {
    let count = near.len();
    let far: Vec<Vec<f64>> = (0..count).map(|node| steps(near, node)).collect();
    let mut found: Option<(f64, Vec<Point>)> = None;
    for stride in [1, 2, 3, 5, 7] {
        // On a circle, in the order of a walk through the graph, or some nodes further each time.
        let mut points: Vec<Point> = (0..count)
            .map(|place| {
                let angle = (place * stride) as f64 * std::f64::consts::TAU / count as f64;
                let radius = LENGTH * (1.0 + place as f64 * 0.05);
                [radius * angle.cos(), radius * angle.sin()]
            })
            .collect();
        for _ in 0..ROUNDS {
            settle(&mut points, &far);
        }
        let stress = stress(&points, &far);
        if found.as_ref().is_none_or(|(best, _)| stress < best - 1e-9) {
            found = Some((stress, points));
        }
    }
    let points = found.map(|(_, points)| points).unwrap_or_default();
    lying(points)
}

/// The number of edges from a node to each other one.
fn steps(near: &[Vec<usize>], from: usize) -> Vec<f64> {
    let mut steps = vec![f64::INFINITY; near.len()];
    steps[from] = 0.0;
    let mut walk = vec![from];
    let mut next = 0;
    while let Some(&node) = walk.get(next) {
        for &other in &near[node] {
            if steps[other].is_infinite() {
                steps[other] = steps[node] + 1.0;
                walk.push(other);
            }
        }
        next += 1;
    }
    steps
}

/// Moves each node to where the others want it, near ones most.
fn settle(points: &mut [Point], far: &[Vec<f64>]) {
    for node in 0..points.len() {
        let (mut sum, mut weights) = ([0.0, 0.0], 0.0);
        for other in 0..points.len() {
            if other == node {
                continue;
            }
            let wanted = far[node][other] * LENGTH;
            let weight = 1.0 / (wanted * wanted);
            let [dx, dy] = [0, 1].map(|axis| points[node][axis] - points[other][axis]);
            let distance = dx.hypot(dy).max(1e-6);
            sum[0] += weight * (points[other][0] + wanted * dx / distance);
            sum[1] += weight * (points[other][1] + wanted * dy / distance);
            weights += weight;
        }
        if weights > 0.0 {
            points[node] = sum.map(|sum| sum / weights);
        }
    }
}

fn stress(points: &[Point], far: &[Vec<f64>]) -> f64 {
    let mut stress = 0.0;
    for a in 0..points.len() {
        for b in 0..a {
            let wanted = far[a][b] * LENGTH;
            let distance = (points[a][0] - points[b][0]).hypot(points[a][1] - points[b][1]);
            stress += ((distance - wanted) / wanted).powi(2);
        }
    }
    stress
}

/// The points turned so that they are wider than high: their main direction lies flat.
fn lying(points: Vec<Point>) -> Vec<Point> {
    let count = points.len() as f64;
    let mean = [0, 1].map(|axis| points.iter().map(|p| p[axis]).sum::<f64>() / count);
    let moment = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        let moved = points.iter().map(|p| f(p[0] - mean[0], p[1] - mean[1]));
        moved.sum()
    };
    let (xx, xy, yy) = (
        moment(&|x, _| x * x),
        moment(&|x, y| x * y),
        moment(&|_, y| y * y),
    );
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let (sin, cos) = angle.sin_cos();
    points
        .iter()
        .map(|p| {
            let (x, y) = (p[0] - mean[0], p[1] - mean[1]);
            [x * cos + y * sin, y * cos - x * sin]
        })
        .collect()
}

fn bond(piece: &mut Piece, directed: bool, edge: &Edge, [[x1, y1], [x2, y2]]: [Point; 2]) {
    let label = edge.label.as_deref().unwrap_or_default();
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy);
    if length < 1e-6 {
        // A loop, above its node.
        piece.draw(html! { circle class="bond" cx=(Figure(x1)) cy=(Figure(y1 - 9.0)) r="7" {} });
        return;
    }
    let (across, along) = ([-dy / length, dx / length], [dx / length, dy / length]);
    let (lines, told): (&[(f64, &str)], bool) = match label.to_lowercase().as_str() {
        "" | "1" | "single" | "-" => (&[(0.0, "bond")], false),
        "2" | "double" | "=" => (&[(-2.0, "bond"), (2.0, "bond")], false),
        "3" | "triple" | "#" => (&[(-3.0, "bond"), (0.0, "bond"), (3.0, "bond")], false),
        "aromatic" | ":" => (&[(-1.5, "bond"), (2.5, "bond dashed")], false),
        _ => (&[(0.0, "bond")], true),
    };
    for &(aside, class) in lines {
        let [ax, ay] = across.map(|part| part * aside);
        let way = format_args!(
            "M{} {}L{} {}",
            Figure(x1 + ax),
            Figure(y1 + ay),
            Figure(x2 + ax),
            Figure(y2 + ay)
        );
        piece.draw(html! { path class=(class) d=(way) {} });
    }
    if directed {
        // The tip stands clear of the node it points at.
        let [tip_x, tip_y] = [x2 - along[0] * 9.0, y2 - along[1] * 9.0];
        let side = |sign: f64| -> Point {
            [
                tip_x - along[0] * 6.0 + sign * across[0] * 3.0,
                tip_y - along[1] * 6.0 + sign * across[1] * 3.0,
            ]
        };
        let ([ax, ay], [bx, by]) = (side(1.0), side(-1.0));
        let way = format_args!(
            "M{} {}L{} {}L{} {}Z",
            Figure(tip_x),
            Figure(tip_y),
            Figure(ax),
            Figure(ay),
            Figure(bx),
            Figure(by)
        );
        piece.draw(html! { path class="tip" d=(way) {} });
    }
    if told {
        let label = width::cut(label, 8.5, 40.0);
        let (x, y) = (
            (x1 + x2) / 2.0 + across[0] * 5.0,
            (y1 + y2) / 2.0 + across[1] * 5.0,
        );
        piece.text("soft", 8.5, (x, y + 3.0), "middle", &label);
    }
}

fn atom(piece: &mut Piece, label: &str, [x, y]: Point) {
    let class = match label.to_lowercase().as_str() {
        "n" => "atom nitrogen",
        "o" => "atom oxygen",
        "s" => "atom sulfur",
        "f" | "cl" => "atom chlorine",
        "br" | "i" => "atom bromine",
        "p" => "atom phosphorus",
        _ => "atom",
    };
    let text = width::cut(label, SMALL, 19.0);
    let mut word = Piece::default();
    word.text("value", SMALL - 0.5, (x, y + 3.4), "middle", &text);
    piece.draw(html! {
        g {
            title { (label) }
            circle class=(class) cx=(Figure(x)) cy=(Figure(y)) r="8.5" {}
            (word.body)
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(count: usize) -> Vec<Vec<usize>> {
        (0..count)
            .map(|node| vec![(node + 1) % count, (node + count - 1) % count])
            .collect()
    }

    #[test]
    fn a_ring_is_round() {
        let points = placed(&ring(6));
        let radii: Vec<f64> = points.iter().map(|p| p[0].hypot(p[1])).collect();
        assert!(
            radii.iter().all(|radius| (radius - radii[0]).abs() < 0.5),
            "{radii:?}"
        );
    }

    #[test]
    fn a_chain_lies_straight() {
        let chain = [vec![1], vec![0, 2], vec![1, 3], vec![2]];
        let points = placed(&chain);
        assert!(
            points.iter().all(|point| point[1].abs() < 3.0),
            "{points:?}"
        );
        let length = (points[0][0] - points[3][0]).abs();
        assert!((length - 3.0 * LENGTH).abs() < 1.0, "{length}");
    }

    #[test]
    fn bonds_and_atoms_are_drawn_as_chemists_draw_them() {
        let graph: Graph = graph_of(&[("c", "o", "2"), ("c", "n", "1"), ("n", "h", "weak")]);
        let piece = draw(&graph, Room::SMALL);
        assert_eq!(piece.body.0.matches("class=\"bond\"").count(), 4);
        assert!(piece.body.0.contains("atom oxygen") && piece.body.0.contains(">weak<"));
    }

    /// A graph whose nodes are named by their labels.
    fn graph_of(edges: &[(&str, &str, &str)]) -> Graph {
        let mut names: Vec<&str> = Vec::new();
        for (from, to, _) in edges {
            for name in [from, to] {
                if !names.contains(name) {
                    names.push(name);
                }
            }
        }
        let place = |name: &str| names.iter().position(|n| *n == name).unwrap() as u32;
        let edges = edges.iter().map(|(from, to, label)| Edge {
            from: place(from),
            to: place(to),
            label: Some((*label).to_owned()),
        });
        let nodes = names.iter().map(|name| kinwood_values::GraphNode {
            id: (*name).to_owned(),
            label: None,
        });
        Graph::new(false, nodes.collect(), edges.collect()).unwrap()
    }
}
