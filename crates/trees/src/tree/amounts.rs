//! Amounts given by name in settings: costs of columns, weights of targets.

use std::collections::BTreeMap;

use kinwood_learning::error::{Error, Result};
use kinwood_learning::settings::Settings;
use kinwood_values::suggest::nearest;

/// The amount of each name, 1 where none is given; an amount of a name that there is not is
/// refused.
pub fn by_name(
    setting: &'static str,
    amounts: &BTreeMap<String, f64>,
    names: &[&str],
) -> Result<Vec<f64>> {
    if let Some(unknown) = amounts.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(Error::SettingValue {
            name: setting.to_owned(),
            value: unknown.clone(),
            expected: format!("one of {}", listed(names)),
            nearest: nearest(unknown, names),
        });
    }
    Ok(names
        .iter()
        .map(|name| amounts.get(*name).copied().unwrap_or(1.0))
        .collect())
}

/// Named amounts, `name=1.5, other=2`.
pub fn amounts(settings: &Settings, setting: &'static str) -> Result<BTreeMap<String, f64>> {
    let mut amounts = BTreeMap::new();
    for part in settings
        .text(setting)
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let amount = part.rsplit_once('=').and_then(|(name, amount)| {
            let amount: f64 = amount.trim().parse().ok()?;
            let fits = amount.is_finite() && amount >= 0.0;
            fits.then(|| (name.trim().to_owned(), amount))
        });
        let (name, amount) = amount.ok_or_else(|| no_amount(setting, part))?;
        amounts.insert(name, amount);
    }
    Ok(amounts)
}

/// Fails on an amount that is negative or no number, as reading it does.
pub fn check_amounts(setting: &'static str, amounts: &BTreeMap<String, f64>) -> Result<()> {
    let wrong = |amount: &f64| !amount.is_finite() || *amount < 0.0;
    match amounts.iter().find(|(_, amount)| wrong(amount)) {
        Some((name, amount)) => Err(no_amount(setting, &format!("{name}={amount}"))),
        None => Ok(()),
    }
}

/// What is said of text that is no amount of a name.
pub fn no_amount(setting: &'static str, found: &str) -> Error {
    Error::SettingValue {
        name: setting.to_owned(),
        value: found.to_owned(),
        expected: "a name and a number that is not negative, as `name=1.5, other=2`".to_owned(),
        nearest: None,
    }
}

pub fn listed(names: &[&str]) -> String {
    const MOST: usize = 20;
    let mut list = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MOST {
        list += &format!(" and {} more", names.len() - MOST);
    }
    list
}
