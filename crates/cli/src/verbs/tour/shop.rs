//! A shop with a past and a future: customers, their orders, and the question, month after month,
//! whether a customer orders again within thirty days. Some customers slow down and leave.

use std::path::Path;

use crate::error::{Error, Result};

/// Customers, the days that are recorded, and how many days apart the question is asked.
const CUSTOMERS: u64 = 80;
const DAYS: u64 = 300;
const MONTH: u64 = 30;

/// Writes the folder `shop`.
pub fn make() -> Result<String> {
    let folder = Path::new("shop");
    let failed = |source| Error::write(folder, source);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut customers = "id,city\n".to_owned();
    let mut orders = "id,customer,date,amount\n".to_owned();
    let mut churn = "customer,date,left\n".to_owned();
    let mut number = 0;
    for customer in 1..=CUSTOMERS {
        let city = ["north", "south", "west"][(drawn(customer, 0) % 3) as usize];
        customers += &format!("c{customer},{city}\n");
        // Those who leave order less and less from some day on.
        let turns = 60 + drawn(customer, 1) % 400;
        let usual = 8 + drawn(customer, 2) % 14;
        let (mut day, mut days) = (drawn(customer, 3) % usual, Vec::new());
        while day < DAYS {
            days.push(day);
            number += 1;
            let amount = 10 + drawn(customer, 10 + day) % 90;
            orders += &format!("o{number},c{customer},{},{amount}\n", date(day));
            let late = day.saturating_sub(turns) / 3;
            day += usual + drawn(customer, 500 + day) % 6 + late * 2;
        }
        for month in 3..DAYS / MONTH - 1 {
            let asked = month * MONTH;
            let stays = days
                .iter()
                .any(|day| (asked + 1..=asked + MONTH).contains(day));
            let left = if stays { "no" } else { "yes" };
            churn += &format!("c{customer},{},{left}\n", date(asked));
        }
    }
    for (name, text) in [
        ("customers", &customers),
        ("orders", &orders),
        ("churn", &churn),
    ] {
        let path = folder.join(format!("{name}.csv"));
        std::fs::write(&path, text).map_err(|source| Error::write(&path, source))?;
    }
    Ok(format!(
        "wrote shop: {CUSTOMERS} customers, {number} orders, {} questions\n",
        churn.lines().count() - 1
    ))
}

/// A day of 2024.
fn date(day: u64) -> String {
    const LENGTHS: [u64; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let (mut month, mut day) = (0, day);
    while day >= LENGTHS[month] {
        day -= LENGTHS[month];
        month += 1;
    }
    format!("2024-{:02}-{:02}", month + 1, day + 1)
}

/// A number that two others decide, by splitmix64.
fn drawn(one: u64, other: u64) -> u64 {
    let mut mixed = (one << 32 | other).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) >> 11
}
