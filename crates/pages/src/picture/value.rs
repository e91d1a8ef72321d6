//! Values as they are: a graph as a graph, a tree as a tree, a string as its characters, a set as
//! its elements.

mod alignment;
mod graph;

use kinwood_values::Value;
use kinwood_values::term::Node;
use maud::{Markup, html};

pub(super) use alignment::{against, aligned};

use super::layout::{Gaps, Size, tidy};
use super::piece::Piece;
use crate::kit::number::Figure;
use crate::kit::width;

/// How much is shown of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// How wide it may be, as far as it can be broken into lines.
    pub across: f64,
    /// How many elements, characters or nodes are shown.
    pub most: usize,
    /// How many values within values are drawn as such.
    pub depth: usize,
}

impl Room {
    /// Beside a branch.
    pub const SMALL: Self = Self {
        across: 150.0,
        most: 24,
        depth: 2,
    };
    /// In the pane for details.
    pub const LARGE: Self = Self {
        across: 320.0,
        most: 120,
        depth: 3,
    };

    /// For the parts of a value.
    fn within(self) -> Self {
        Self {
            across: self.across - 12.0,
            most: (self.most / 2).max(6),
            depth: self.depth - 1,
        }
    }
}

const SIZE: f64 = 11.5;
const SMALL: f64 = 10.0;

/// A value as SVG within a page, as large as it is in the pane for details.
pub(crate) fn drawn_value(of: &Value) -> Markup {
    let piece = value(of, Room::LARGE);
    let (width, height) = (piece.width.ceil() + 2.0, piece.height.ceil() + 2.0);
    let (view, label) = (
        format!("-1 -1 {width} {height}"),
        width::cut(&printed(of), 12.0, 1_200.0),
    );
    html! {
        svg width=(width) height=(height) viewBox=(view) role="img" aria-label=(label) {
            (piece.body)
        }
    }
}

/// Draws a value.
pub(super) fn value(value: &Value, room: Room) -> Piece {
    match value {
        Value::Text(text) => string(text, room),
        Value::Graph(graph) => graph::draw(graph, room),
        Value::Tree(tree) => {
            let labels: Vec<String> = tree.labels().iter().take(room.most).cloned().collect();
            hierarchy(labels, tree.arities(), tree.len())
        }
        Value::Term(term) => {
            let label = |node: &Node| match node {
                Node::Functor { name, .. } => name.clone(),
                Node::Number(number) => kinwood_values::text::number_text(*number),
                Node::Variable(name) => name.clone(),
            };
            let labels: Vec<String> = term.nodes().iter().take(room.most).map(label).collect();
            let arities: Vec<u32> = term
                .nodes()
                .iter()
                .map(|node| node.arity() as u32)
                .collect();
            hierarchy(labels, &arities, term.len())
        }
        Value::List(elements) if room.depth > 0 => parts(elements, "cell", room),
        Value::Set(elements) if room.depth > 0 => parts(elements, "chip", room),
        Value::Bag(elements) if room.depth > 0 => bag(elements, room),
        Value::Tuple(fields) if room.depth > 0 => tuple(fields, room),
        Value::Missing => Piece::words("soft", SIZE, room.across, "?"),
        // Written as it is, a label of no characters would take no room, and nobody would see it.
        Value::Symbol(label) if label.is_empty() => empty(room),
        scalar => Piece::words("value", SIZE, room.across, &printed(scalar)),
    }
}

/// A value in a line; of a long one the beginning, as far as it could be shown.
pub(crate) fn printed(value: &Value) -> String {
    struct Beginning(String);
    impl std::fmt::Write for Beginning {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.push_str(text);
            // Stops the writer: nobody sees what would follow.
            if self.0.len() > 400 {
                Err(std::fmt::Error)
            } else {
                Ok(())
            }
        }
    }
    let mut beginning = Beginning(String::new());
    let _ = std::fmt::write(&mut beginning, format_args!("{value}"));
    beginning.0
}

/// What stands for a value without characters or elements.
fn empty(room: Room) -> Piece {
    Piece::words("soft", SIZE, room.across, "empty")
}

fn more(count: usize) -> Option<Piece> {
    (count > 0).then(|| Piece::words("soft", SMALL, f64::MAX, &format!("+{count} more")))
}

/// A character or a word in a cell of its own.
fn cell(class: &str, text: &str) -> Piece {
    let text = width::cut(text, SIZE, 90.0);
    let width = (width::of(&text, SIZE) + 5.0).max(13.0);
    let mut piece = Piece::empty(width, 17.0);
    piece.draw(html! { rect class=(class) width=(Figure(width)) height="17" {} });
    piece.text("value mono", SIZE, (width / 2.0, 12.5), "middle", &text);
    piece
}

fn string(text: &str, room: Room) -> Piece {
    let mut pieces: Vec<Piece> = text
        .chars()
        .take(room.most)
        .map(|character| cell("cell", visible(character).encode_utf8(&mut [0; 4])))
        .collect();
    if pieces.is_empty() {
        return empty(room);
    }
    pieces.extend(more(text.chars().count() - pieces.len()));
    Piece::flow(&pieces, room.across, 0.0)
}

/// A blank that can be seen.
fn visible(character: char) -> char {
    match character {
        ' ' => '␣',
        other => other,
    }
}

fn parts(elements: &[Value], class: &str, room: Room) -> Piece {
    let shown = elements.iter().take(room.most);
    let mut pieces: Vec<Piece> = shown.map(|element| part(element, class, room)).collect();
    if pieces.is_empty() {
        return empty(room);
    }
    pieces.extend(more(elements.len() - pieces.len()));
    Piece::flow(
        &pieces,
        room.across,
        if class == "cell" { 1.0 } else { 4.0 },
    )
}

fn part(element: &Value, class: &str, room: Room) -> Piece {
    let padding = match element {
        Value::Symbol(_)
        | Value::Number(_)
        | Value::DateTime(_)
        | Value::Missing
        | Value::Ref(_) => 2.5,
        _ => 4.0,
    };
    value(element, room.within()).framed(class, padding)
}

/// Equal elements stand once, with their number.
fn bag(elements: &[Value], room: Room) -> Piece {
    let mut counted: Vec<(&Value, usize)> = Vec::new();
    for element in elements {
        match counted.last_mut() {
            Some((last, count)) if *last == element => *count += 1,
            _ => counted.push((element, 1)),
        }
    }
    let mut pieces: Vec<Piece> = Vec::new();
    for &(element, count) in counted.iter().take(room.most) {
        let one = value(element, room.within());
        let one = match count {
            1 => one,
            _ => {
                let times = Piece::words("soft", SMALL, f64::MAX, &format!("×{count}"));
                Piece::flow(&[one, times], f64::MAX, 4.0)
            }
        };
        pieces.push(one.framed("chip", 3.0));
    }
    if pieces.is_empty() {
        return empty(room);
    }
    let shown: usize = counted.iter().take(room.most).map(|(_, count)| count).sum();
    pieces.extend(more(elements.len() - shown));
    Piece::flow(&pieces, room.across, 4.0)
}

/// A row a field.
fn tuple(fields: &[Value], room: Room) -> Piece {
    let shown = fields.iter().take(room.most.min(12));
    let mut table = Piece::default();
    for (place, field) in shown.clone().enumerate() {
        let top = table.height + 2.0;
        if place > 0 {
            let rule = format_args!("M0 {}h24", Figure(table.height));
            table.draw(html! { path class="rule" d=(rule) {} });
        }
        let number = Piece::words("soft", SMALL, 20.0, &(place + 1).to_string());
        table.put(2.0, top + 1.0, &number);
        table.put(20.0, top, &value(field, room.within()));
        table.height += 2.0;
    }
    if let Some(more) = more(fields.len() - shown.len()) {
        let top = table.height;
        table.put(2.0, top, &more);
    }
    table.framed("chip", 3.0)
}

/// A tree of labels in preorder with their numbers of children; labels may be fewer than nodes.
fn hierarchy(labels: Vec<String>, arities: &[u32], nodes: usize) -> Piece {
    let mut parents = Vec::with_capacity(labels.len());
    // The nodes that still miss children, and how many.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for (node, &arity) in arities.iter().enumerate().take(labels.len()) {
        while open.last().is_some_and(|(_, missing)| *missing == 0) {
            open.pop();
        }
        parents.push(open.last_mut().map(|(parent, missing)| {
            *missing -= 1;
            *parent
        }));
        open.push((node as u32, arity));
    }
    let drawn: Vec<Piece> = labels
        .iter()
        .map(|label| Piece::words("value", SIZE, 80.0, label).framed("chip", 2.5))
        .collect();
    let sizes: Vec<Size> = drawn
        .iter()
        .map(|piece| Size {
            width: piece.width,
            height: piece.height,
        })
        .collect();
    let gaps = Gaps {
        across: 5.0,
        down: 12.0,
    };
    let layout = tidy(&parents, &sizes, gaps);
    let mut tree = Piece::empty(layout.width, layout.height);
    for (node, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent.map(|parent| parent as usize) {
            let way = format_args!(
                "M{} {}L{} {}",
                Figure(layout.x[parent]),
                Figure(layout.y[parent] + sizes[parent].height),
                Figure(layout.x[node]),
                Figure(layout.y[node])
            );
            tree.draw(html! { path class="bond" d=(way) {} });
        }
    }
    for (node, piece) in drawn.iter().enumerate() {
        tree.put(layout.x[node] - piece.width / 2.0, layout.y[node], piece);
    }
    match more(nodes - drawn.len()) {
        Some(more) => Piece::stack(&[tree, more], 3.0),
        None => tree,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use kinwood_testing::{any_type, any_value_of};
    use proptest::prelude::*;

    fn symbol(text: &str) -> Value {
        Value::Symbol(text.to_owned())
    }

    #[test]
    fn a_set_is_its_elements() {
        let set = Value::set((0..30).map(|i| symbol(&format!("e{i:02}"))).collect());
        let piece = value(&set, Room::SMALL);
        assert_eq!(piece.body.0.matches("class=\"chip\"").count(), 24);
        assert!(piece.body.0.contains(">e00<") && piece.body.0.contains(">+6 more<"));
        assert!(piece.width <= Room::SMALL.across, "{}", piece.width);
    }

    #[test]
    fn equal_elements_of_a_bag_stand_once() {
        let bag = Value::bag(vec![symbol("a"), symbol("b"), symbol("a")]);
        let piece = value(&bag, Room::SMALL);
        assert_eq!(piece.body.0.matches("class=\"chip\"").count(), 2);
        assert!(piece.body.0.contains(">×2<"));
    }

    #[test]
    fn a_string_is_its_characters() {
        let piece = value(&Value::Text("a <&".into()), Room::SMALL);
        assert_eq!(piece.body.0.matches("class=\"cell\"").count(), 4);
        assert!(piece.body.0.contains(">␣<") && piece.body.0.contains(">&lt;<"));
    }

    #[test]
    fn an_empty_label_takes_room() {
        for nothing in [symbol(""), Value::Text(String::new()), Value::List(vec![])] {
            let piece = value(&nothing, Room::SMALL);
            assert!(
                piece.width > 0.0 && piece.body.0.contains(">empty<"),
                "{nothing:?}"
            );
        }
        let list = Value::List(vec![symbol(""), symbol("a")]);
        assert!(value(&list, Room::SMALL).body.0.contains(">empty<"));
    }

    #[test]
    fn a_tree_is_a_tree() {
        let tree = Value::Tree("a(b,c(d))".parse().unwrap());
        let piece = value(&tree, Room::SMALL);
        assert_eq!(piece.body.0.matches("class=\"bond\"").count(), 3);
        let term = Value::Term("p(f(X),1)".parse().unwrap());
        let piece = value(&term, Room::SMALL);
        assert_eq!(piece.body.0.matches("class=\"bond\"").count(), 3);
        let long: String = format!("a({})", vec!["b"; 99].join(","));
        let piece = value(&Value::Tree(long.parse().unwrap()), Room::SMALL);
        assert!(piece.body.0.contains(">+76 more<"));
    }

    /// Whether every element that is opened is closed, in order, and no character stands for itself
    /// that XML would take.
    pub(crate) fn well_formed(svg: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        for part in svg.split('<').skip(1) {
            let Some((tag, text)) = part.split_once('>') else {
                return false;
            };
            if text.contains('>') || tag.matches('"').count() % 2 != 0 {
                return false;
            }
            match tag.strip_prefix('/') {
                Some(name) if open.pop() != Some(name) => return false,
                Some(_) => {}
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap_or_default()),
            }
        }
        open.is_empty()
    }

    proptest! {
        #[test]
        fn any_value_is_drawn(values in any_type().prop_flat_map(|of| prop::collection::vec(any_value_of(&of), 2))) {
            for room in [Room::SMALL, Room::LARGE] {
                let piece = value(&values[0], room);
                prop_assert!(well_formed(&piece.body.0), "{}", piece.body.0);
                prop_assert!(piece.width.is_finite() && piece.height.is_finite());
                prop_assert!(piece.width > 0.0 && piece.height > 0.0);
                prop_assert_eq!(&piece, &value(&values[0], room));
                if let Some(piece) = aligned(&values[0], &values[1], room) {
                    prop_assert!(well_formed(&piece.body.0));
                }
            }
        }
    }
}
