//! A piece of a picture: SVG with the room it takes, put together from smaller ones.

use std::fmt::Write;

use crate::diagram::{escape, width};

/// A piece of a picture, drawn from its upper left corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Piece {
    pub width: f64,
    pub height: f64,
    pub body: String,
}

impl Piece {
    /// Another piece on top, at a place in this one; the room grows with it.
    pub fn put(&mut self, x: f64, y: f64, other: &Piece) {
        self.width = self.width.max(x + other.width);
        self.height = self.height.max(y + other.height);
        if x == 0.0 && y == 0.0 {
            self.body.push_str(&other.body);
        } else {
            self.draw(format_args!(
                "<g transform=\"translate({},{})\">{}</g>",
                Figure(x),
                Figure(y),
                other.body
            ));
        }
    }

    /// More SVG, within the room there is.
    pub fn draw(&mut self, svg: std::fmt::Arguments<'_>) {
        self.body
            .write_fmt(svg)
            .expect("a string takes all that is written to it");
    }

    /// Text at a place, within the room there is.
    pub fn text(&mut self, class: &str, size: f64, (x, y): (f64, f64), anchor: &str, text: &str) {
        let anchor = match anchor {
            "start" => String::new(),
            anchor => format!(" text-anchor=\"{anchor}\""),
        };
        self.draw(format_args!(
            "<text class=\"{class}\" font-size=\"{size}\" x=\"{}\" y=\"{}\"{anchor}>{}</text>",
            Figure(x),
            Figure(y),
            escape(text)
        ));
    }

    /// A line of text, cut to its room.
    pub fn words(class: &str, size: f64, most: f64, text: &str) -> Self {
        let text = width::cut(text, size, most);
        let mut piece = Self {
            width: width::of(&text, size),
            height: size * 1.35,
            body: String::new(),
        };
        piece.text(class, size, (0.0, size), "start", &text);
        piece
    }

    /// The piece in a rounded frame.
    pub fn framed(&self, class: &str, padding: f64) -> Self {
        let mut framed = Self {
            width: self.width + 2.0 * padding,
            height: self.height + 2.0 * padding,
            body: String::new(),
        };
        framed.draw(format_args!(
            "<rect class=\"{class}\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
            Figure(framed.width),
            Figure(framed.height)
        ));
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

/// A length to a tenth of a pixel, without needless digits.
pub(super) struct Figure(pub f64);

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", (self.0 * 10.0).round() / 10.0 + 0.0)
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
            body: "<x/>".to_owned(),
        };
        let flow = Piece::flow(&vec![piece; 3], 90.0, 5.0);
        assert_eq!((flow.width, flow.height), (85.0, 25.0));
        assert_eq!(flow.body.matches("<x/>").count(), 3);
        assert!(
            flow.body
                .ends_with("<g transform=\"translate(0,15)\"><x/></g>")
        );
    }

    #[test]
    fn lengths_are_short() {
        let written = [1.0, 2.3456, -0.01].map(|length| Figure(length).to_string());
        assert_eq!(written, ["1", "2.3", "0"]);
    }
}
