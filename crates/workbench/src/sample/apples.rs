//! An orchard's survey of its apples: a flat table of mixed types, with gaps.

use std::sync::Arc;

use kinwood_learners::random::Generator;
use kinwood_values::{Attribute, Cells, Column, Dictionary, Role, Table, Validity};

/// What there is to find.
pub(super) const LAW: &str = "The grade is C with 3 spots or more, else A if sugar is at least 12.5 and firmness at least 62, else B; the price in cents is 0.2 * weight_g + 2 * sugar + a premium of 0, 6, 12 or 20 for amber, crimson, pippin and russet. Noise is the share of grades turned into another and a tenth of the standard deviation of the price's error.";

/// The stream of random numbers that samples are made from; splits and learners have others.
const STREAM: u64 = 0x6170_706C_6573;
/// The share of values that the survey misses in each column that has gaps.
const MISSING: f64 = 0.05;
/// 2024-09-01, the first day of the harvest, in milliseconds since 1970.
const FIRST_DAY: i64 = 1_725_148_800_000;
const DAY: i64 = 86_400_000;
/// How many days the harvest lasts.
const DAYS: usize = 45;

/// A kind of apple.
struct Variety {
    name: &'static str,
    weight: f64,
    sugar: f64,
    /// What buyers pay for the name.
    premium: f64,
}

const VARIETIES: [Variety; 4] = [
    variety("amber", 150.0, 11.0, 0.0),
    variety("crimson", 180.0, 10.5, 6.0),
    variety("pippin", 120.0, 12.0, 12.0),
    variety("russet", 140.0, 12.5, 20.0),
];

const fn variety(name: &'static str, weight: f64, sugar: f64, premium: f64) -> Variety {
    Variety {
        name,
        weight,
        sugar,
        premium,
    }
}

const GRADES: [&str; 3] = ["A", "B", "C"];

/// An apple as it is; the survey may miss parts of it.
struct Apple {
    variety: usize,
    weight: f64,
    sugar: f64,
    firmness: f64,
    spots: f64,
    harvest: i64,
}

impl Apple {
    fn draw(random: &mut Generator) -> Self {
        let variety = random.below(VARIETIES.len());
        let day = random.below(DAYS);
        let kind = &VARIETIES[variety];
        Self {
            variety,
            weight: tenths((kind.weight + 20.0 * random.normal()).max(40.0)),
            // Sugar comes with the sun: a tenth of a degree every other day.
            sugar: tenths(kind.sugar + 0.05 * day as f64 + random.normal()),
            firmness: tenths((70.0 - 0.2 * day as f64 + 6.0 * random.normal()).max(10.0)),
            spots: (2.5 * random.normal()).abs().floor(),
            harvest: FIRST_DAY + day as i64 * DAY,
        }
    }

    /// The grade by the law, as a position in [`GRADES`].
    fn grade(&self) -> usize {
        if self.spots >= 3.0 {
            2
        } else if self.sugar >= 12.5 && self.firmness >= 62.0 {
            0
        } else {
            1
        }
    }

    /// The price by the law, in cents.
    fn price(&self) -> f64 {
        0.2 * self.weight + 2.0 * self.sugar + VARIETIES[self.variety].premium
    }
}

/// Measured to a tenth; so no difference in the last bit of a logarithm between machines reaches
/// the data.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// A survey of so many apples with two targets, `grade` and `price`.
///
/// Columns: `id` (from 1), `variety` (amber, crimson, pippin, russet), `weight_g`, `sugar` (degrees
/// Brix), `firmness` (newton), `spots` (how many), `harvest` (a day of September or October 2024),
/// `grade`, `price`.
///
/// The law:
/// - `grade` is C with 3 spots or more; else A if `sugar` is at least 12.5 and `firmness` at least
///   62; else B.
/// - `price` in cents is 0.2 · `weight_g` + 2 · `sugar` + a premium for the name: amber 0, crimson
///   6, pippin 12, russet 20.
///
/// `noise` is from 0 to 1: that share of the apples gets one of the two other grades, and the price
/// is off by a normal error with a standard deviation of 10 · `noise` cents. The law sees the
/// apples as they are; afterwards one in twenty values of `variety`, `sugar`, `firmness` and
/// `harvest` goes missing. Noise changes the targets only, and more rows continue fewer: the same
/// seed means the same apples.
///
/// ```
/// let apples = kinwood_workbench::sample::table(200, 0.1, 1);
/// assert_eq!((apples.rows(), apples.attributes().len()), (200, 9));
/// ```
pub fn table(rows: usize, noise: f64, seed: u64) -> Table {
    let noise = if noise.is_nan() {
        0.0
    } else {
        noise.clamp(0.0, 1.0)
    };
    let mut fruit = Generator::new(seed, &[STREAM, 0]);
    let mut chance = Generator::new(seed, &[STREAM, 1]);
    let mut gaps = Generator::new(seed, &[STREAM, 2]);

    let mut apples = Vec::with_capacity(rows);
    let mut grades = Vec::with_capacity(rows);
    let mut prices = Vec::with_capacity(rows);
    let mut known: [Vec<bool>; 4] = Default::default();
    for _ in 0..rows {
        let apple = Apple::draw(&mut fruit);
        // Each apple draws as many numbers whatever the noise, so that it changes nothing else.
        let (misjudged, shift, haggling) =
            (chance.unit() < noise, chance.below(2), chance.normal());
        let shift = if misjudged { 1 + shift } else { 0 };
        grades.push((apple.grade() + shift) % GRADES.len());
        prices.push(tenths(apple.price() + 10.0 * noise * haggling));
        apples.push(apple);
        for column in &mut known {
            column.push(gaps.unit() >= MISSING);
        }
    }

    let [variety, sugar, firmness, harvest] = &known;
    let numbers = |of: fn(&Apple) -> f64| Column::numeric(apples.iter().map(of).collect());
    let gappy = |of: fn(&Apple) -> f64, known: &[bool]| {
        let of = |(apple, &known)| if known { of(apple) } else { f64::NAN };
        Column::numeric(apples.iter().zip(known).map(of).collect())
    };
    let varieties = apples.iter().map(|apple| apple.variety);
    let days = apples.iter().map(|apple| apple.harvest).collect();
    let ids = (1..=rows).map(|id| id as f64).collect();
    let attributes = vec![
        Attribute::new("id", Column::numeric(ids)).with_role(Role::Id),
        Attribute::new(
            "variety",
            labels(&VARIETIES.map(|variety| variety.name), varieties, variety),
        ),
        Attribute::new("weight_g", numbers(|apple| apple.weight)),
        Attribute::new("sugar", gappy(|apple| apple.sugar, sugar)),
        Attribute::new("firmness", gappy(|apple| apple.firmness, firmness)),
        Attribute::new("spots", numbers(|apple| apple.spots)),
        Attribute::new(
            "harvest",
            Column::new(
                Cells::DateTime(days),
                Some(Validity::from_bits(harvest.iter().copied())),
            ),
        ),
        Attribute::new(
            "grade",
            labels(&GRADES, grades.into_iter(), &vec![true; rows]),
        ),
        Attribute::new("price", Column::numeric(prices)),
    ];
    let mut table =
        Table::new("apples", attributes).expect("the columns have one length and different names");
    table.set_key(Some(vec![0]));
    table
}

/// A nominal column whose labels have their own order, not that of the rows.
fn labels(names: &[&str], chosen: impl Iterator<Item = usize>, known: &[bool]) -> Column {
    Column::new(
        Cells::Nominal {
            codes: chosen.map(|name| name as u32).collect(),
            dictionary: Arc::new(Dictionary::from_labels(names)),
        },
        Some(Validity::from_bits(known.iter().copied())),
    )
}

#[cfg(test)]
mod tests;
