//! Phrases: the same words in another order say something else.

use kinwood_learners::random::Generator;
use kinwood_values::types::Type;
use kinwood_values::{Attribute, Column, Role, Table, Value};

use super::keyed;

/// What there is to find.
pub(super) const LAW: &str = "The mood is `glad` if the word `sun` comes anywhere before the word `rain`, `sad` if it comes after, `calm` if one of them is lacking; `length` is the number of letters. Noise is the share of letters changed in the string and of moods turned into another.";

const STREAM: u64 = 0x7068_7261;
const WORDS: [&str; 10] = [
    "the", "a", "old", "green", "hill", "river", "and", "over", "slow", "bright",
];
const MOODS: [&str; 3] = ["glad", "sad", "calm"];

/// Phrases of 4 to 10 words.
pub(super) fn table(phrases: usize, noise: f64, seed: u64) -> Table {
    let mut random = Generator::new(seed, &[STREAM]);
    let of_words = Type::List(Box::new(Type::Nominal));
    let mut words_column = Column::empty(&of_words);
    let mut text_column = Column::empty(&Type::String);
    let (mut moods, mut lengths) = (Vec::new(), Vec::new());
    for _ in 0..phrases {
        let mut words: Vec<&str> = (0..4 + random.below(5))
            .map(|_| WORDS[random.below(WORDS.len())])
            .collect();
        let mood = random.below(3);
        plant(&mut words, mood, &mut random);
        let text = words.join(" ");
        lengths.push(text.chars().filter(|c| c.is_alphabetic()).count() as f64);
        let mut letters: Vec<char> = text.chars().collect();
        for letter in letters.iter_mut().filter(|letter| letter.is_alphabetic()) {
            if random.unit() < noise {
                *letter = char::from(b'a' + random.below(26) as u8);
            }
        }
        let changed = random.unit() < noise;
        moods.push(Some(
            MOODS[if changed {
                (mood + 1 + random.below(2)) % 3
            } else {
                mood
            }],
        ));
        let list = words
            .iter()
            .map(|word| Value::Symbol((*word).to_owned()))
            .collect();
        words_column
            .push(&Value::List(list))
            .expect("a list of labels");
        text_column
            .push(&Value::Text(letters.into_iter().collect()))
            .expect("a string");
    }
    let ids = Column::numeric((1..=phrases).map(|id| id as f64).collect());
    keyed(
        "phrases",
        vec![
            Attribute::new("id", ids).with_role(Role::Id),
            Attribute::new("text", text_column),
            Attribute::new("words", words_column),
            Attribute::new("mood", Column::nominal(moods)),
            Attribute::new("length", Column::numeric(lengths)),
        ],
    )
}

/// Puts `sun` and `rain` where the mood wants them.
fn plant(words: &mut Vec<&str>, mood: usize, random: &mut Generator) {
    let first = random.below(words.len() + 1);
    let (before, after) = if mood == 0 {
        ("sun", "rain")
    } else {
        ("rain", "sun")
    };
    match mood {
        2 => {
            if random.below(2) == 0 {
                words.insert(first, before);
            }
        }
        _ => {
            words.insert(first, before);
            let later = first + 1 + random.below(words.len() - first);
            words.insert(later, after);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_noise_the_law_holds() {
        let table = table(300, 0.0, 2);
        for row in 0..300 {
            let text = table.attribute(1).column.value(row).to_string();
            let words: Vec<&str> = text.trim_matches('"').split(' ').collect();
            let place = |word: &str| words.iter().position(|other| *other == word);
            let mood = match (place("sun"), place("rain")) {
                (Some(sun), Some(rain)) if sun < rain => "glad",
                (Some(_), Some(_)) => "sad",
                _ => "calm",
            };
            assert_eq!(
                table.attribute(3).column.value(row).to_string(),
                mood,
                "{text}"
            );
        }
    }
}
