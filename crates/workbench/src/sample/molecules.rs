//! Molecules of our own invention, with a law that leads along foreign keys.

use std::sync::Arc;

use kinwood_learners::random::Generator;
use kinwood_values::{Attribute, Cells, Column, Dictionary, Role, Table};

use super::{Key, keyed};

/// What there is to find.
pub(super) const LAW: &str = "A molecule with a nitrogen atom in a double bond has activity 3 + 5 * (charge of that atom) + 0.5 * logp; any other has -1 + 0.5 * logp. It is active if the activity is above 1. Noise is a normal error of the activity with a standard deviation of five times its strength.";

pub(super) const KEYS: &[Key] = &[
    ("atom", "molecule_id", "molecule"),
    ("bond", "atom1_id", "atom"),
    ("bond", "atom2_id", "atom"),
];

const STREAM: u64 = 0x6d6f_6c65;
const ELEMENTS: [&str; 4] = ["c", "h", "o", "n"];
const CARBON: u32 = 0;
const NITROGEN: u32 = 3;
const BONDS: [&str; 3] = ["single", "double", "aromatic"];
const SINGLE: u32 = 0;
const DOUBLE: u32 = 1;
const AROMATIC: u32 = 2;
/// How far the activity is off with noise of strength 1.
const SPREAD: f64 = 5.0;
/// At most so many bonds beyond those that hold a molecule together.
const MOST_EXTRA: usize = 5;

#[derive(Default)]
struct Atoms {
    molecule: Vec<f64>,
    element: Vec<u32>,
    charge: Vec<f64>,
}

#[derive(Default)]
struct Bonds {
    first: Vec<f64>,
    second: Vec<f64>,
    kind: Vec<u32>,
}

/// About 25 atoms and 27 bonds a molecule.
pub(super) fn tables(molecules: usize, noise: f64, seed: u64) -> Vec<Table> {
    let mut random = Generator::new(seed, &[STREAM]);
    let (mut atoms, mut bonds) = (Atoms::default(), Bonds::default());
    let (mut logp, mut activity) = (Vec::new(), Vec::new());
    for molecule in 0..molecules {
        let partition = round(random.normal() * 1.5 + 2.5, 2);
        let found = draw(molecule, &mut random, &mut atoms, &mut bonds);
        let law = found.map_or(-1.0, |charge| 3.0 + 5.0 * charge) + 0.5 * partition;
        logp.push(partition);
        activity.push(law + noise * SPREAD * random.normal());
    }
    let active = activity
        .iter()
        .map(|activity| u32::from(*activity > 1.0))
        .collect();
    let numbered = |count: usize| Column::numeric((1..=count).map(|id| id as f64).collect());
    let id = |name: &str, column: Column| Attribute::new(name, column).with_role(Role::Id);
    let molecule = keyed(
        "molecule",
        vec![
            id("molecule_id", numbered(molecules)),
            Attribute::new("logp", Column::numeric(logp)),
            Attribute::new("activity", Column::numeric(activity)),
            Attribute::new("active", labels(active, &["no", "yes"])),
        ],
    );
    let atom = keyed(
        "atom",
        vec![
            id("atom_id", numbered(atoms.element.len())),
            id("molecule_id", Column::numeric(atoms.molecule)),
            Attribute::new("element", labels(atoms.element, &ELEMENTS)),
            Attribute::new("charge", Column::numeric(atoms.charge)),
        ],
    );
    let bond = keyed(
        "bond",
        vec![
            id("bond_id", numbered(bonds.kind.len())),
            id("atom1_id", Column::numeric(bonds.first)),
            id("atom2_id", Column::numeric(bonds.second)),
            Attribute::new("kind", labels(bonds.kind, &BONDS)),
        ],
    );
    vec![molecule, atom, bond]
}

/// One molecule; the charge of its nitrogen in a double bond, if it has one.
///
/// Each atom hangs on a random earlier one, then a few further bonds close rings. A double bond of
/// a nitrogen is planted in half of the molecules and occurs nowhere else: the law speaks of one
/// atom.
fn draw(
    molecule: usize,
    random: &mut Generator,
    atoms: &mut Atoms,
    bonds: &mut Bonds,
) -> Option<f64> {
    let first = atoms.element.len();
    let count = 15 + random.below(21);
    for _ in 0..count {
        atoms.molecule.push((molecule + 1) as f64);
        atoms
            .element
            .push([0, 0, 0, 0, 0, 1, 1, 1, 2, NITROGEN][random.below(10)]);
        atoms.charge.push(round(0.2 * random.normal(), 3));
    }
    // The planted nitrogen is not the first atom, so it has one bond to an earlier one: that
    // becomes the double bond.
    let planted = (random.below(2) == 0).then(|| 1 + random.below(count - 1));
    if let Some(atom) = planted {
        atoms.element[first + atom] = NITROGEN;
    }
    let start = bonds.kind.len();
    for atom in 1..count {
        let earlier = random.below(atom);
        let drawn = [SINGLE, SINGLE, SINGLE, SINGLE, DOUBLE, AROMATIC][random.below(6)];
        bonds.push(first, earlier, atom, drawn);
    }
    for _ in 0..random.below(MOST_EXTRA + 1) {
        let (a, b) = (random.below(count), random.below(count));
        let kind = [SINGLE, AROMATIC][random.below(2)];
        // A second bond between the same atoms would contradict the first.
        if a != b && !bonds.join(start, first, a, b) {
            bonds.push(first, a.min(b), a.max(b), kind);
        }
    }
    for bond in start..bonds.kind.len() {
        let ends = [bonds.first[bond], bonds.second[bond]].map(|id| id as usize - 1);
        if ends.iter().any(|&atom| atoms.element[atom] == NITROGEN) && bonds.kind[bond] == DOUBLE {
            bonds.kind[bond] = SINGLE;
        }
    }
    let atom = planted?;
    // Bond `atom - 1` of the molecule is the one by which the atom hangs on an earlier one. Were
    // that a nitrogen too, there would be two in the double bond.
    let bond = start + atom - 1;
    let earlier = bonds.first[bond] as usize - 1;
    if atoms.element[earlier] == NITROGEN {
        atoms.element[earlier] = CARBON;
    }
    bonds.kind[bond] = DOUBLE;
    Some(atoms.charge[first + atom])
}

impl Bonds {
    fn push(&mut self, first: usize, a: usize, b: usize, kind: u32) {
        self.first.push((first + a + 1) as f64);
        self.second.push((first + b + 1) as f64);
        self.kind.push(kind);
    }

    /// Whether two atoms of the molecule whose bonds begin at `start` are joined.
    fn join(&self, start: usize, first: usize, a: usize, b: usize) -> bool {
        let ends = ((first + a.min(b) + 1) as f64, (first + a.max(b) + 1) as f64);
        (start..self.kind.len()).any(|bond| (self.first[bond], self.second[bond]) == ends)
    }
}

fn labels(codes: Vec<u32>, names: &[&str]) -> Column {
    Column::new(
        Cells::Nominal {
            codes,
            dictionary: Arc::new(Dictionary::from_labels(names)),
        },
        None,
    )
}

fn round(number: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::super::find;

    #[test]
    fn without_noise_the_law_holds() {
        let database = find("molecules").unwrap().make(200, 0.0, 3).unwrap();
        let number = |table: usize, column: &str, row: usize| {
            let table = database.table(table);
            table
                .attribute(table.position(column).unwrap())
                .column
                .number(row)
                .unwrap()
        };
        let label = |table: usize, column: &str, row: usize| {
            let table = database.table(table);
            table
                .attribute(table.position(column).unwrap())
                .column
                .value(row)
                .to_string()
        };
        let mut planted = 0;
        for molecule in 0..200 {
            let mut charges = Vec::new();
            for &atom in database.link(0).backward(molecule) {
                let ends = (1..=2).flat_map(|key| database.link(key).backward(atom as usize));
                let double = ends
                    .filter(|&&bond| label(2, "kind", bond as usize) == "double")
                    .count();
                if label(1, "element", atom as usize) == "n" && double > 0 {
                    assert_eq!(double, 1);
                    charges.push(number(1, "charge", atom as usize));
                }
            }
            assert!(
                charges.len() <= 1,
                "molecule {molecule} has {} such atoms",
                charges.len()
            );
            planted += charges.len();
            let law = charges.first().map_or(-1.0, |charge| 3.0 + 5.0 * charge);
            let law = law + 0.5 * number(0, "logp", molecule);
            assert!((number(0, "activity", molecule) - law).abs() < 1e-12);
            assert_eq!(
                label(0, "active", molecule),
                if law > 1.0 { "yes" } else { "no" }
            );
        }
        assert!((70..130).contains(&planted), "{planted}");
    }

    #[test]
    fn sizes_are_those_of_the_scale_benchmarks() {
        let database = find("molecules").unwrap().make(1000, 0.1, 1).unwrap();
        let (atoms, bonds) = (database.table(1).rows(), database.table(2).rows());
        assert!((24_000..26_000).contains(&atoms), "{atoms}");
        assert!((25_500..28_000).contains(&bonds), "{bonds}");
    }
}
