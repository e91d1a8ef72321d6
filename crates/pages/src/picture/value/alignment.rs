//! Two strings or lists below each other, with gaps where one has more.
//!
//! An alignment of least cost, each gap and each pair of unlike elements costing one: Wagner and
//! Fischer, *The string-to-string correction problem*, JACM 21(1), 1974. Of equally good ones,
//! pairs come before gaps, read from the end.

use kinwood_values::Value;

use super::super::piece::Piece;
use super::{Room, cell, more, printed, visible};

/// The most elements of each that are aligned: the table has the square of it.
const ALIGNED: usize = 400;

/// Where elements stand opposite each other: a place in either, or a gap.
type Column = (Option<usize>, Option<usize>);

/// Draws two strings or two lists aligned; `None` for other values.
pub(in crate::picture) fn aligned(upper: &Value, lower: &Value, room: Room) -> Option<Piece> {
    let (above, below) = sequences(upper, lower)?;
    let columns = columns(&above, &below);
    let drawn = columns.iter().take(room.most).map(|&column| {
        let look = look(column, &above, &below);
        let (up, down) = (entry(look, column.0, &above), entry(look, column.1, &below));
        let mut pair = Piece::default();
        let width = up.width.max(down.width);
        pair.put((width - up.width) / 2.0, 0.0, &up);
        pair.put((width - down.width) / 2.0, 18.0, &down);
        pair
    });
    let mut pieces: Vec<Piece> = drawn.collect();
    pieces.extend(more(columns.len() - pieces.len()));
    Some(Piece::flow(&pieces, room.across, 1.0))
}

/// Draws a string or a list as it stands in its alignment with another; `None` for other values.
pub(in crate::picture) fn against(own: &Value, other: &Value, room: Room) -> Option<Piece> {
    let (above, below) = sequences(own, other)?;
    let columns = columns(&above, &below);
    let drawn = columns.iter().take(room.most);
    let mut pieces: Vec<Piece> = drawn
        .map(|&column| entry(look(column, &above, &below), column.0, &above))
        .collect();
    pieces.extend(more(columns.len() - pieces.len()));
    Some(Piece::flow(&pieces, room.across, 0.0))
}

/// The elements of two strings or two lists, of which neither is empty.
fn sequences(upper: &Value, lower: &Value) -> Option<(Vec<String>, Vec<String>)> {
    let (above, below) = match (upper, lower) {
        (Value::Text(upper), Value::Text(lower)) => (characters(upper), characters(lower)),
        (Value::List(upper), Value::List(lower)) => (elements(upper), elements(lower)),
        _ => return None,
    };
    (!above.is_empty() && !below.is_empty()).then_some((above, below))
}

/// How a column looks: alike, different, or a gap.
fn look((up, down): Column, above: &[String], below: &[String]) -> &'static str {
    match (up, down) {
        (Some(up), Some(down)) if above[up] == below[down] => "cell",
        (Some(_), Some(_)) => "cell differs",
        _ => "cell gap",
    }
}

fn entry(look: &str, place: Option<usize>, of: &[String]) -> Piece {
    cell(look, place.map_or("–", |place| of[place].as_str()))
}

fn characters(text: &str) -> Vec<String> {
    let shown = text.chars().take(ALIGNED);
    shown
        .map(|character| visible(character).to_string())
        .collect()
}

fn elements(values: &[Value]) -> Vec<String> {
    values.iter().take(ALIGNED).map(printed).collect()
}

/// The columns of an alignment of least cost.
fn columns(above: &[String], below: &[String]) -> Vec<Column> {
    let wide = below.len() + 1;
    let mut costs: Vec<u32> = (0..wide as u32).collect();
    for (up, element) in above.iter().enumerate() {
        costs.push(up as u32 + 1);
        for (down, other) in below.iter().enumerate() {
            let at = (up + 1) * wide + down + 1;
            let pair = costs[at - wide - 1] + u32::from(element != other);
            costs.push(pair.min(costs[at - wide] + 1).min(costs[at - 1] + 1));
        }
    }
    let (mut up, mut down) = (above.len(), below.len());
    let mut columns = Vec::new();
    while up > 0 || down > 0 {
        let at = up * wide + down;
        let pairs = up > 0
            && down > 0
            && costs[at] == costs[at - wide - 1] + u32::from(above[up - 1] != below[down - 1]);
        if pairs {
            (up, down) = (up - 1, down - 1);
            columns.push((Some(up), Some(down)));
        } else if up > 0 && costs[at] == costs[at - wide] + 1 {
            up -= 1;
            columns.push((Some(up), None));
        } else {
            down -= 1;
            columns.push((None, Some(down)));
        }
    }
    columns.reverse();
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(upper: &str, lower: &str) -> (String, String) {
        let (above, below) = (characters(upper), characters(lower));
        let columns = columns(&above, &below);
        let line = |of: &[String], side: &dyn Fn(&Column) -> Option<usize>| -> String {
            let places = columns.iter().map(side);
            places
                .map(|place| place.map_or("-", |place| of[place].as_str()))
                .collect()
        };
        (line(&above, &|c| c.0), line(&below, &|c| c.1))
    }

    #[test]
    fn gaps_stand_where_one_has_more() {
        assert_eq!(shown("ACGT", "AGT"), ("ACGT".into(), "A-GT".into()));
        assert_eq!(
            shown("kitten", "sitting"),
            ("kitten-".into(), "sitting".into())
        );
        assert_eq!(shown("a", ""), ("a".into(), "-".into()));
    }

    #[test]
    fn only_sequences_are_aligned() {
        let text = |text: &str| Value::Text(text.into());
        let piece = aligned(&text("ACGT"), &text("AGT"), Room::SMALL).unwrap();
        assert_eq!(piece.body.0.matches("cell gap").count(), 2);
        assert_eq!(aligned(&text("a"), &Value::Number(1.0), Room::SMALL), None);
        let side = against(&text("AGT"), &text("ACGC"), Room::SMALL).unwrap();
        assert_eq!(side.body.0.matches("cell gap").count(), 1);
        assert_eq!(side.body.0.matches("cell differs").count(), 1);
    }
}
