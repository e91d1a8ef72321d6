//! Objects in the plane by what is alike in them: the two leading kernel principal components.

use kinwood_learners::Context;
use kinwood_machines::{Dense, components};
use kinwood_similarity::cluster::scaling::Scaled;
use kinwood_similarity::{Expression, Gram, KernelOn, Registry, RowKernel};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::objects::Objects;

/// Matrices of all pairs that are held at once: the products, these centred, and the eigenvectors.
const MATRICES: u64 = 4;

/// Places objects by a kernel; gives the kernel with all that it took from them, too.
pub fn place_by_kernel(
    objects: &Objects,
    kernel: &Expression,
    depth: usize,
    context: &Context,
) -> Result<(Scaled, Expression)> {
    let needed = (objects.len() as u64).pow(2) * size_of::<f64>() as u64 * MATRICES;
    if let Some(allowed) = context.memory()
        && needed > allowed
    {
        return Err(Error::Memory {
            what: format!("the inner products of {} objects", objects.len()),
            needed,
            allowed,
            advice: "take fewer rows, or allow more",
        });
    }
    let registry = Registry::known();
    let (gram, fitted) = match objects.column() {
        Some(name) => {
            let values = objects.values();
            let place = format!("column `{name}`");
            let fitted = registry.kernel(kernel, &values.type_of(), Some(values), &place)?;
            symmetric(&fitted)?;
            (fitted.bind(values, values)?, fitted.expression())
        }
        None => {
            let declared = RowKernel {
                expression: kernel.clone(),
                depth,
            };
            let (fitted, rows) = declared.fit(objects.view(), registry)?;
            symmetric(fitted.kernel())?;
            (fitted.bind(&rows, &rows)?, fitted.kernel().expression())
        }
    };
    let placed = context.install(|| project(&*gram, objects.len(), context))?;
    Ok((placed, fitted))
}

/// Components are those of a symmetric matrix.
fn symmetric(kernel: &KernelOn) -> Result<()> {
    match kernel.laws().symmetric {
        true => Ok(()),
        false => Err(Error::AsymmetricKernel {
            kernel: kernel.expression().to_string(),
        }),
    }
}

fn project(gram: &dyn Gram, count: usize, context: &Context) -> Result<Scaled> {
    let mut entries = vec![0.0; count * count];
    let rows = entries.par_chunks_mut(count.max(1)).enumerate();
    rows.try_for_each(|(row, out)| {
        context.check()?;
        gram.prepare(row).fill(0..count, out);
        Ok::<(), Error>(())
    })?;
    let products = Dense::new(count, entries)?;
    let found = components::fit(&products, 2)?;
    context.check()?;
    let place = |row: usize| {
        let along = found.project(products.at(row));
        [0, 1].map(|axis| along.get(axis).copied().unwrap_or(0.0))
    };
    Ok(Scaled {
        points: (0..count).map(place).collect(),
        // Without any spread, all of it is shown.
        shown: match found.count() {
            0 => 1.0,
            _ => found.shares().iter().sum(),
        },
    })
}

#[cfg(test)]
mod tests {
    use kinwood_similarity::cluster::scaling::scale;
    use kinwood_similarity::matrix::Condensed;
    use kinwood_values::{Column, Type};

    use super::*;

    /// Scaling finds its directions by iteration, and stops where pictures do not change.
    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-4
    }

    /// What is placed by a kernel lies as what is placed by the distance that it induces, up to
    /// mirrors.
    #[test]
    fn components_are_the_scaling_of_the_induced_distance() {
        let numbers = Column::numeric(vec![0.0, 1.0, 1.5, 4.0, 9.0, 2.0]);
        let registry = Registry::builtin();
        let of = Type::Numeric;
        let kernel = registry
            .kernel(&"gaussian(0.1)".parse().unwrap(), &of, None, "numbers")
            .unwrap();
        let gram = kernel.bind(&numbers, &numbers).unwrap();
        let placed = project(&*gram, 6, &Context::new()).unwrap();
        let distance = registry
            .distance(
                &"induced(gaussian(0.1))".parse().unwrap(),
                &of,
                None,
                "numbers",
            )
            .unwrap();
        let pairs = distance.bind_real(&numbers, &numbers, "a test").unwrap();
        let scaled = scale(&Condensed::of(&*pairs, &|_| true).unwrap());
        for (one, other) in placed.points.iter().zip(&scaled.points) {
            for axis in 0..2 {
                assert!(
                    near(one[axis].abs(), other[axis].abs()),
                    "{one:?} {other:?}"
                );
            }
        }
        assert!(near(placed.shown, scaled.shown));
        assert!(placed.points.iter().any(|point| point[1].abs() > 0.1));
    }

    #[test]
    fn equal_objects_lie_on_one_point() {
        let numbers = Column::numeric(vec![3.0; 4]);
        let kernel = Registry::builtin()
            .kernel(
                &"gaussian(0.1)".parse().unwrap(),
                &Type::Numeric,
                None,
                "numbers",
            )
            .unwrap();
        let gram = kernel.bind(&numbers, &numbers).unwrap();
        let placed = project(&*gram, 4, &Context::new()).unwrap();
        assert_eq!((placed.points, placed.shown), (vec![[0.0; 2]; 4], 1.0));
    }
}
