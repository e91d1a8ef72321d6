//! Messages of a PostgreSQL server, forged: each a letter, a length and a body.
//!
//! A client that meets a wrong length gives up at once. What is to be tried comes after it: rows
//! with other columns than were described, values of other types, answers nobody asked for.

use crate::dice::Dice;

/// The letters that begin messages of a server.
const LETTERS: &[u8] = b"RSKZTDCEN123stnGHWdcAIVv";

/// A message: its letter and its body.
pub(crate) type Message = (u8, Vec<u8>);

/// The messages that bytes consist of, and what is left behind them.
pub(crate) fn split(bytes: &[u8]) -> (Vec<Message>, &[u8]) {
    let mut messages = Vec::new();
    let mut rest = bytes;
    while let [letter, a, b, c, d, after @ ..] = rest {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let Some((body, after)) = length
            .checked_sub(4)
            .and_then(|length| after.split_at_checked(length))
        else {
            break;
        };
        messages.push((*letter, body.to_vec()));
        rest = after;
    }
    (messages, rest)
}

/// Writes a message with its length.
pub(crate) fn write(bytes: &mut Vec<u8>, letter: u8, body: &[u8]) {
    bytes.push(letter);
    bytes.extend((body.len() as u32 + 4).to_be_bytes());
    bytes.extend_from_slice(body);
}

/// Changes what a server says, and bodies of messages by `change`, which has a body of another
/// conversation too; false if the bytes are no messages.
pub(crate) fn forge(
    input: &mut Vec<u8>,
    other: &[u8],
    dice: &mut Dice,
    change: impl Fn(&mut Vec<u8>, &[u8], &mut Dice),
) -> bool {
    let (mut messages, rest) = split(input);
    if messages.is_empty() {
        return false;
    }
    let rest = rest.to_vec();
    if dice.one_in(3) {
        garble(&mut messages, dice);
        join(input, &messages, &rest);
        return true;
    }
    let (others, _) = split(other);
    for _ in 0..1 + (dice.bits().trailing_zeros() as usize).min(4) {
        if messages.is_empty() {
            break;
        }
        let at = dice.below(messages.len());
        match dice.below(12) {
            0 => {
                messages.remove(at);
            }
            1 => messages.insert(at, messages[at].clone()),
            2 => {
                let to = dice.below(messages.len());
                messages.swap(at, to);
            }
            3 if !others.is_empty() => messages[at] = dice.pick(&others).clone(),
            4 if !others.is_empty() => messages.insert(at, dice.pick(&others).clone()),
            5 => messages[at].0 = *dice.pick(LETTERS),
            6 => messages.truncate(at),
            _ => {
                let (_, body) = &mut messages[at];
                let donor = others.get(at).map_or(&[][..], |(_, body)| body);
                change(body, donor, dice);
            }
        }
    }
    join(input, &messages, &rest);
    true
}

/// Changes a byte of what rows hold, so that the conversation goes on.
fn garble(messages: &mut [Message], dice: &mut Dice) {
    let rows = |(letter, body): &&mut Message| matches!(letter, b'd' | b'D') && !body.is_empty();
    let mut rows: Vec<&mut Message> = messages.iter_mut().filter(rows).collect();
    let count = rows.len();
    if let Some((_, body)) = rows.get_mut(dice.below(count)) {
        let at = dice.below(body.len());
        body[at] = dice.bits() as u8;
    }
}

/// Messages as bytes, and what is behind them.
fn join(bytes: &mut Vec<u8>, messages: &[Message], rest: &[u8]) {
    bytes.clear();
    for (letter, body) in messages {
        write(bytes, *letter, body);
    }
    bytes.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_split_as_they_were_written() {
        let mut bytes = Vec::new();
        write(&mut bytes, b'Z', b"I");
        write(&mut bytes, b'C', b"");
        let length = bytes.len();
        bytes.extend(b"D\0\0\0\x09ab");
        let (messages, rest) = split(&bytes);
        assert_eq!(messages, [(b'Z', b"I".to_vec()), (b'C', Vec::new())]);
        assert_eq!(rest, &bytes[length..]);
    }
}
