//! A piece of a picture: SVG with the room it takes, put together from smaller ones.

use maud::{Markup, html};

use crate::kit::number::Figure;
use crate::kit::{append, width};

/// A piece of a picture, drawn from its upper left corner.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub width: f64,
    pub height: f64,
    pub body: Markup,
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        let size = |piece: &Piece| (piece.width, piece.height);
        size(self) == size(other) && self.body.0 == other.body.0
    }
}

impl Piece {
    /// A piece with room and nothing in it.
    pub fn empty(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            body: Markup::default(),
        }
    }

    /// Another piece on top, at a place in this one; the room grows with it.
    pub fn put(&mut self, x: f64, y: f64, other: &Piece) {
        self.width = self.width.max(x + other.width);
        self.height = self.height.max(y + other.height);
        if x == 0.0 && y == 0.0 {
            append(&mut self.body, &other.body);
        } else {
            let moved = format_args!("translate({},{})", Figure(x), Figure(y));
            self.draw(html! { g transform=(moved) { (other.body) } });
        }
    }

    /// More shapes, within the room there is.
    pub fn draw(&mut self, shapes: Markup) {
        append(&mut self.body, &shapes);
    }

    /// Text at a place, within the room there is.
    pub fn text(&mut self, class: &str, size: f64, (x, y): (f64, f64), anchor: &str, text: &str) {
        let anchor = Some(anchor).filter(|anchor| *anchor != "start");
        self.draw(html! {
            text class=(class) font-size=(size) x=(Figure(x)) y=(Figure(y)) text-anchor=[anchor] {
                (text)
            }
        });
    }

    /// A line of text, cut to its room.
    pub fn words(class: &str, size: f64, most: f64, text: &str) -> Self {
        let text = width::cut(text, size, most);
        let mut piece = Self::empty(width::of(&text, size), size * 1.35);
        piece.text(class, size, (0.0, size), "start", &text);
        piece
    }

    /// The piece in a rounded frame.
    pub fn framed(&self, class: &str, padding: f64) -> Self {
        let mut framed = Self::empty(self.width + 2.0 * padding, self.height + 2.0 * padding);
        framed.draw(html! {
            rect class=(class) width=(Figure(framed.width)) height=(Figure(framed.height)) rx="4" {}
        });
        framed.put(padding, padding, self);
        framed
    }

    /// Pieces one after the other, in as many lines as they need.
    pub fn flow(pieces: &[Piece], across: f64, gap: f64) -> Self {
        let mut flow = Self::default();
        let (mut x, mut y, mut line) = (0.0, 0.0, 0.0_f64);
        for piece in pieces {
            if x > 0.0 && x + piece.width > across {
                (x, y, line) = (0.0, y + line + gap, 0.0);
            }
            flow.put(x, y, piece);
            x += piece.width + gap;
            line = line.max(piece.height);
        }
        flow
    }

    /// Pieces below each other.
    pub fn stack(pieces: &[Piece], gap: f64) -> Self {
        let mut stack = Self::default();
        for piece in pieces {
            let y = match stack.height > 0.0 {
                true => stack.height + gap,
                false => 0.0,
            };
            stack.put(0.0, y, piece);
        }
        stack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_flow_into_lines() {
        let piece = Piece {
            width: 40.0,
            height: 10.0,
            body: html! { x {} },
        };
        let flow = Piece::flow(&vec![piece; 3], 90.0, 5.0);
        assert_eq!((flow.width, flow.height), (85.0, 25.0));
        assert_eq!(flow.body.0.matches("<x>").count(), 3);
        assert!(
            flow.body
                .0
                .ends_with("<g transform=\"translate(0,15)\"><x></x></g>")
        );
    }
}
