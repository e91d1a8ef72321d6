//! Bags of readings: a bag is positive if one of its readings is of a certain kind.

use std::sync::Arc;

use kinwood_learners::random::Generator;
use kinwood_values::{Attribute, Cells, Column, Dictionary, Role, Table};

use super::{Key, keyed};

/// What there is to find.
pub(super) const LAW: &str = "A bag is positive if one of its readings has both `pressure` above 6 and `tone` above 6 on a scale of 0 to 10; `drift` and `hum` say nothing. Noise is the share of classes turned around.";

pub(super) const KEYS: &[Key] = &[("reading", "bag_id", "bag")];

const STREAM: u64 = 0x6261_6773;

/// Bags of 2 to 12 readings.
pub(super) fn tables(bags: usize, noise: f64, seed: u64) -> Vec<Table> {
    let mut random = Generator::new(seed, &[STREAM]);
    let mut class = Vec::with_capacity(bags);
    let mut owner = Vec::new();
    let mut readings: [Vec<f64>; 4] = Default::default();
    for bag in 0..bags {
        let wanted = random.below(2) == 1;
        let count = 2 + random.below(11);
        let special = random.below(count);
        for reading in 0..count {
            let (pressure, tone) = pair(wanted && reading == special, &mut random);
            let values = [pressure, tone, 10.0 * random.unit(), 10.0 * random.unit()];
            owner.push((bag + 1) as f64);
            readings
                .iter_mut()
                .zip(values)
                .for_each(|(column, value)| column.push(value));
        }
        let turned = random.unit() < noise;
        class.push(u32::from(wanted != turned));
    }
    let ids = |count: usize| Column::numeric((1..=count).map(|id| id as f64).collect());
    let count = owner.len();
    let labels = Arc::new(Dictionary::from_labels(["negative", "positive"]));
    let class = Column::new(
        Cells::Nominal {
            codes: class,
            dictionary: labels,
        },
        None,
    );
    let bag = keyed(
        "bag",
        vec![
            Attribute::new("bag_id", ids(bags)).with_role(Role::Id),
            Attribute::new("class", class),
        ],
    );
    let mut attributes = vec![
        Attribute::new("reading_id", ids(count)).with_role(Role::Id),
        Attribute::new("bag_id", Column::numeric(owner)).with_role(Role::Id),
    ];
    for (name, values) in ["pressure", "tone", "drift", "hum"]
        .into_iter()
        .zip(readings)
    {
        attributes.push(Attribute::new(name, Column::numeric(values)));
    }
    vec![bag, keyed("reading", attributes)]
}

/// Pressure and tone, both above 6 or not both.
fn pair(special: bool, random: &mut Generator) -> (f64, f64) {
    if special {
        return (6.5 + 3.5 * random.unit(), 6.5 + 3.5 * random.unit());
    }
    loop {
        let (pressure, tone) = (10.0 * random.unit(), 10.0 * random.unit());
        if pressure <= 5.5 || tone <= 5.5 {
            return (pressure, tone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;

    #[test]
    fn without_noise_the_law_holds() {
        let database = find("bags").unwrap().make(100, 0.0, 5).unwrap();
        let readings = database.table(1);
        for bag in 0..100 {
            let found = database.link(0).backward(bag).iter().any(|&row| {
                let value = |column| {
                    readings
                        .attribute(column)
                        .column
                        .number(row as usize)
                        .unwrap()
                };
                value(2) > 6.0 && value(3) > 6.0
            });
            let class = database.table(0).attribute(1).column.value(bag).to_string();
            assert_eq!(class == "positive", found);
        }
    }
}
