//! Mutations: from seeds to inputs nobody would write.

use kinwood::learners::Generator;

/// The longest input made, unless seeds are longer; readers are linear, and many short inputs find
/// more than few long ones.
const LONGEST: usize = 4096;

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

/// An input made from the seeds by a few random changes.
pub fn mutate(seeds: &[Vec<u8>], generator: &mut Generator) -> Vec<u8> {
    let mut input = seeds[generator.below(seeds.len())].clone();
    for _ in 0..1 + generator.below(6) {
        change(&mut input, seeds, generator);
    }
    let longest = seeds.iter().map(Vec::len).max().unwrap_or(0);
    input.truncate(LONGEST.max(longest));
    input
}

fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], generator: &mut Generator) {
    let place = generator.below(input.len() + 1);
    match generator.below(9) {
        0 if place < input.len() => input[place] ^= 1 << generator.below(8),
        1 if place < input.len() => input[place] = generator.bits() as u8,
        2 if place < input.len() => {
            input.remove(place);
        }
        3 => input.truncate(place),
        4 => {
            // A stretch stands again: nesting, repeats, long rows.
            let length = generator.below(input.len() - place + 1).min(64);
            let stretch = input[place..place + length].to_vec();
            let times = 1 + generator.below(20);
            input.splice(place..place, stretch.repeat(times));
        }
        5 => {
            let other = &seeds[generator.below(seeds.len())];
            let from = generator.below(other.len() + 1);
            input.truncate(place);
            input.extend_from_slice(&other[from..]);
        }
        6 => {
            let length = generator.below(input.len() - place + 1).min(32);
            input.drain(place..place + length);
        }
        _ => {
            let word = WORDS[generator.below(WORDS.len())];
            let times = if generator.below(8) == 0 {
                generator.below(300)
            } else {
                1
            };
            input.splice(place..place, word.repeat(times));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_a_function_of_their_number() {
        let seeds = vec![b"hello world".to_vec(), b"(a,b)".to_vec()];
        let make = |number| mutate(&seeds, &mut Generator::new(1, &[number]));
        assert_eq!(make(5), make(5));
        let distinct: std::collections::BTreeSet<_> = (0..100).map(make).collect();
        assert!(distinct.len() > 80, "{}", distinct.len());
    }
}
