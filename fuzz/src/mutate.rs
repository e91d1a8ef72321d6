//! Mutations: from inputs that were accepted, or reached something new, to inputs nobody would
//! write.

use std::collections::BTreeSet;

use crate::dice::Dice;
use crate::{forge, messages};

/// The longest input made, unless seeds are longer; readers are linear, and many short inputs find
/// more than few long ones.
const LONGEST: usize = 4096;

/// The longest input of a target whose runs take a microsecond, but for one in [`LONG`]: what is
/// short is run more often, and nesting and repeats want a long one now and then.
const SHORT: usize = 120;
const LONG: usize = 64;

/// The most words of its own that a target's seeds give.
const MOST_WORDS: usize = 2000;

/// What inputs of a target are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Bytes, or text.
    Bytes,
    /// The sections of a model file in JSON: values are changed, and it stays JSON.
    Listing,
    /// Messages of a server: their bodies are changed, and their lengths still fit.
    Messages,
}

/// Words that mean something somewhere: more telling than random bytes.
const WORDS: &[&[u8]] = &[
    b"@attribute",
    b"@data",
    b"@relation",
    b"@end",
    b"relational",
    b"hierarchical",
    b"numeric",
    b"nominal",
    b"date",
    b"string",
    b"{",
    b"}",
    b"'",
    b"\"",
    b"\\",
    b"%",
    b"?",
    b",",
    b";",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"1e308",
    b"-1e-320",
    b"NaN",
    b"inf",
    b"99999999999999999999",
    b"-0",
    b"0x1F",
    b"0'a",
    b":-",
    b".",
    b"<[",
    b"]>",
    b"[",
    b"]",
    b"|",
    b"(",
    b")",
    b"/*",
    b"*/",
    b"set<",
    b"bag<",
    b"list<",
    b"tuple<",
    b"ref<",
    b"term",
    b"tree",
    b"graph",
    b">",
    b"and",
    b"or",
    b"not",
    b"in",
    b"is",
    b"missing",
    b"<=",
    b"!=",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xc3\xa9",
    b"null",
    b"true",
    b"{\"a\":1}",
    b"[[\"a\",\"b\"]]",
    b"\"nodes\"",
    b"\\u0000",
    b"_",
    b"X",
    b"2024-02-30",
    b"yyyy-MM-dd",
    b"[tables.t]",
    b"key = \"a\"",
    b"foreign_keys",
    b"\x1f\x8b",
    b"PAR1",
    b"SQLite format 3\0",
];

/// Numbers at which something overflows or ends.
const NUMBERS: &[&[u8]] = &[
    b"0",
    b"1",
    b"-1",
    b"2",
    b"7",
    b"127",
    b"128",
    b"255",
    b"256",
    b"32768",
    b"65535",
    b"65536",
    b"1000000",
    b"2147483647",
    b"2147483648",
    b"4294967295",
    b"4294967296",
    b"9007199254740993",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"18446744073709551615",
    b"1e300",
    b"0.1",
];

/// The same for binary formats.
const WHOLE: &[u64] = &[
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    15,
    16,
    31,
    32,
    63,
    64,
    127,
    128,
    255,
    256,
    1023,
    1024,
    4095,
    4096,
    32767,
    32768,
    65535,
    65536,
    1 << 24,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    1 << 32,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
];

/// Makes inputs of a target.
pub struct Mutator {
    shape: Shape,
    longest: usize,
    /// The longest of most inputs.
    usual: usize,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    /// For inputs like these seeds, whose words are taken over.
    pub fn new(shape: Shape, seeds: &[Vec<u8>]) -> Self {
        let longest = seeds.iter().map(Vec::len).max().unwrap_or(0);
        let own = seeds.iter().flat_map(|seed| tokens(seed));
        let own: BTreeSet<&[u8]> = own.collect();
        let own = own.into_iter().take(MOST_WORDS);
        let words = own.chain(WORDS.iter().copied());
        let whole = LONGEST.max(longest + longest / 2);
        Self {
            shape,
            longest: whole,
            usual: whole,
            words: words.map(<[u8]>::to_vec).collect(),
        }
    }

    /// The same, with inputs that are mostly short.
    pub fn short(mut self) -> Self {
        self.usual = SHORT;
        self
    }

    /// Makes an input from one of the others by a few random changes.
    pub fn make(&self, others: &[impl AsRef<[u8]>], dice: &mut Dice, input: &mut Vec<u8>) {
        let parent = dice.below(others.len());
        self.change(parent, others, dice, input);
    }

    /// Makes an input from a certain one of the others.
    pub fn change(
        &self,
        parent: usize,
        others: &[impl AsRef<[u8]>],
        dice: &mut Dice,
        input: &mut Vec<u8>,
    ) {
        let longest = match self.usual < self.longest && !dice.one_in(LONG) {
            true => self.usual,
            false => self.longest,
        };
        input.clear();
        let parent = others[parent].as_ref();
        input.extend_from_slice(&parent[..parent.len().min(longest)]);
        let other = others[dice.below(others.len())].as_ref();
        let whole = match self.shape {
            Shape::Bytes => false,
            // Bytes that are no JSON are refused soon, but must be refused too.
            Shape::Listing => !dice.one_in(32) && forge::forge(input, other, &self.words, dice),
            Shape::Messages => {
                let change = |body: &mut Vec<u8>, other: &[u8], dice: &mut Dice| {
                    self.change_bytes(body, other, dice);
                };
                !dice.one_in(8) && messages::forge(input, other, dice, change)
            }
        };
        if !whole {
            // Mostly few changes, sometimes many.
            let changes = 1 + (dice.bits().trailing_zeros() as usize).min(6);
            (0..changes).for_each(|_| self.change_bytes(input, other, dice));
        }
        input.truncate(longest);
    }

    /// Makes one change.
    fn change_bytes(&self, input: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
        let place = dice.below(input.len() + 1);
        let rest = input.len() - place;
        match dice.below(16) {
            0 if rest > 0 => input[place] ^= 1 << dice.below(8),
            1 if rest > 0 => input[place] = dice.bits() as u8,
            2 if rest > 0 => input[place] = 32 + dice.below(95) as u8,
            3 => input.insert(place, 32 + dice.below(95) as u8),
            4 if rest > 0 => {
                input.remove(place);
            }
            5 if dice.one_in(4) => input.truncate(place),
            6 => {
                // A stretch stands again: nesting, repeats, long rows.
                let length = dice.below(rest + 1).min(64);
                let times = match dice.one_in(4) {
                    true => 1 + dice.below(20),
                    false => 1,
                };
                let stretch = input[place..place + length].repeat(times);
                input.splice(place..place, stretch);
            }
            7 => {
                let length = dice.below(rest + 1).min(1 << dice.below(8));
                input.drain(place..place + length);
            }
            8 => {
                // The beginning of one and the end of another.
                let from = dice.below(other.len() + 1);
                input.truncate(place);
                input.extend_from_slice(&other[from..]);
            }
            9 => {
                // A piece of another.
                let from = dice.below(other.len() + 1);
                let length = dice.below(other.len() - from + 1).min(128);
                input.splice(place..place, other[from..from + length].iter().copied());
            }
            10 => {
                // A stretch of its own elsewhere.
                let from = dice.below(input.len() + 1);
                let length = dice.below(input.len() - from + 1).min(rest).min(64);
                input.copy_within(from..from + length, place);
            }
            11 => {
                // Another number.
                let digit = |byte: &u8| byte.is_ascii_digit();
                if let Some(from) = input[place..].iter().position(digit) {
                    let from = place + from;
                    let length = input[from..].iter().take_while(|byte| digit(byte)).count();
                    let number = *dice.pick(NUMBERS);
                    input.splice(from..from + length, number.iter().copied());
                }
            }
            12 => {
                let bytes = match dice.one_in(2) {
                    true => dice.pick(WHOLE).to_le_bytes(),
                    false => dice.pick(WHOLE).to_be_bytes(),
                };
                let width = (1 << dice.below(4)).min(rest);
                let from = if dice.one_in(2) { 0 } else { 8 - width };
                input[place..place + width].copy_from_slice(&bytes[from..from + width]);
            }
            13 => {
                let word = dice.pick(&self.words);
                let length = word.len().min(rest);
                input.splice(place..place + length, word.iter().copied());
            }
            _ => {
                let word = dice.pick(&self.words);
                match dice.one_in(64) {
                    true => {
                        let many = word.repeat(dice.below(300));
                        input.splice(place..place, many);
                    }
                    false => {
                        input.splice(place..place, word.iter().copied());
                    }
                }
            }
        }
    }
}

/// The words of a text: letters and digits, or signs, that stand together.
fn tokens(seed: &[u8]) -> impl Iterator<Item = &[u8]> {
    let kind = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'@' => 0,
        b'0'..=b'9' | b'.' | b'-' => 1,
        b'!'..=b'~' => 2,
        _ => 3,
    };
    seed.chunk_by(move |a, b| kind(a) == kind(b))
        .filter(move |word| word.len() <= 24 && kind(&word[0]) < 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_a_function_of_their_number() {
        let seeds = vec![b"hello world".to_vec(), b"(a,b)".to_vec()];
        let mutator = Mutator::new(Shape::Bytes, &seeds);
        let make = |number| {
            let mut input = Vec::new();
            mutator.make(&seeds, &mut Dice::new(1, number), &mut input);
            input
        };
        assert_eq!(make(5), make(5));
        let distinct: BTreeSet<_> = (0..100).map(make).collect();
        assert!(distinct.len() > 80, "{}", distinct.len());
    }

    #[test]
    fn words_are_taken_from_seeds() {
        let words: Vec<&[u8]> = tokens(b"@data x1 <= 2.5\n").collect();
        let expected: [&[u8]; 5] = [b"@data", b"x", b"1", b"<=", b"2.5"];
        assert_eq!(words, expected);
    }
}
