//! Baskets of a shop: a set of goods and a review in words.

use kinwood_learners::random::Generator;
use kinwood_values::types::Type;
use kinwood_values::{Attribute, Column, Role, Table, Value};

use super::keyed;

/// What there is to find.
pub(super) const LAW: &str = "A customer comes back if the basket holds `tofu` or `seitan`, or if the review has the word `friendly`; the other goods, the other words and what was spent say nothing. Noise is the share of answers turned around.";

const STREAM: u64 = 0x6261_736b;
const GOODS: [&str; 12] = [
    "bread", "milk", "butter", "apples", "coffee", "tea", "rice", "beans", "pasta", "honey",
    "cheese", "eggs",
];
/// The goods that bring customers back.
const TELLING: [&str; 2] = ["tofu", "seitan"];
const WORDS: [&str; 14] = [
    "the", "shop", "was", "large", "and", "staff", "quick", "prices", "fair", "parking", "easy",
    "queue", "long", "clean",
];
const WORD: &str = "friendly";

/// Baskets of 2 to 7 goods, with reviews of 4 to 10 words.
pub(super) fn table(baskets: usize, noise: f64, seed: u64) -> Table {
    let mut random = Generator::new(seed, &[STREAM]);
    let mut goods_column = Column::empty(&Type::Set(Box::new(Type::Nominal)));
    let mut review_column = Column::empty(&Type::String);
    let (mut spent, mut returns) = (Vec::new(), Vec::new());
    for _ in 0..baskets {
        let mut goods: Vec<&str> = (0..2 + random.below(4))
            .map(|_| GOODS[random.below(GOODS.len())])
            .collect();
        for good in TELLING {
            if random.unit() < 0.18 {
                goods.push(good);
            }
        }
        let mut words: Vec<&str> = (0..4 + random.below(6))
            .map(|_| WORDS[random.below(WORDS.len())])
            .collect();
        let friendly = random.unit() < 0.3;
        if friendly {
            words.insert(random.below(words.len() + 1), WORD);
        }
        let back = friendly || goods.iter().any(|good| TELLING.contains(good));
        let turned = random.unit() < noise;
        returns.push(Some(if back == turned { "no" } else { "yes" }));
        spent.push((500.0 + 4_500.0 * random.unit()).round() / 100.0);
        let goods = goods.iter().map(|good| Value::Symbol((*good).to_owned()));
        goods_column
            .push(&Value::set(goods.collect()))
            .expect("a set of labels");
        review_column
            .push(&Value::Text(words.join(" ")))
            .expect("a text");
    }
    let ids = Column::numeric((1..=baskets).map(|id| id as f64).collect());
    keyed(
        "baskets",
        vec![
            Attribute::new("id", ids).with_role(Role::Id),
            Attribute::new("goods", goods_column),
            Attribute::new("review", review_column),
            Attribute::new("spent", Column::numeric(spent)),
            Attribute::new("returns", Column::nominal(returns)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_noise_the_law_holds() {
        let table = table(300, 0.0, 3);
        let mut back = 0;
        for row in 0..300 {
            let cell = |column| table.attribute(column).column.value(row).to_string();
            let (goods, review) = (cell(1), cell(2));
            let expected = TELLING.iter().any(|good| goods.contains(good)) || review.contains(WORD);
            assert_eq!(cell(4) == "yes", expected, "{goods} {review}");
            back += usize::from(expected);
        }
        assert!((90..210).contains(&back), "{back} come back");
    }
}
