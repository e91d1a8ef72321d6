//! The kernel between rows, or members of bags, as a machine needs it: fitted, its width found from
//! what it is to compare.

use kinwood_similarity::{
    Expression, FittedRowKernel, KernelOn, Missing, Registry, RowDistance, RowKernel,
};
use kinwood_values::{Column, Type, View};

use super::gamma::Gamma;
use super::inside::{
    distance_of, leaves_width_open, made_from_distance, says_width, width, with_width,
};
use super::settings::{GAMMA, listed, refused};
use kinwood_learning::error::Result;

/// A kernel between rows as it was asked for.
#[derive(Clone)]
pub struct Declared {
    kernel: RowKernel,
    gammas: Vec<Gamma>,
}

/// A kernel fitted to training rows, its width perhaps still open.
pub struct Prepared {
    fitted: FittedRowKernel,
    /// The widths to choose from; none where the kernel has none, or says it.
    gammas: Vec<Gamma>,
}

impl Declared {
    /// A kernel expression, so many keys away, with widths to choose from, the first being taken
    /// where nothing is chosen.
    pub fn new(expression: Expression, depth: usize, gammas: Vec<Gamma>) -> Result<Self> {
        let given = gammas != [Gamma::default()];
        if given && !leaves_width_open(&expression) {
            let expected = match made_from_distance(&expression).is_some_and(says_width) {
                true => "`auto` where the kernel says `gamma` itself",
                false => "`auto` where the kernel is not `gaussian` or `polynomial` of a distance",
            };
            return Err(refused(&GAMMA, &listed(&gammas), expected));
        }
        let kernel = RowKernel { expression, depth };
        Ok(Self { kernel, gammas })
    }

    /// The same with each of its widths alone.
    pub fn widths(&self) -> Vec<Self> {
        let alone = |&gamma: &Gamma| Self {
            kernel: self.kernel.clone(),
            gammas: vec![gamma],
        };
        match self.gammas.len() {
            0 => vec![self.clone()],
            _ => self.gammas.iter().map(alone).collect(),
        }
    }

    /// A kernel that says all there is to say.
    pub fn settled(expression: Expression, depth: usize) -> Self {
        Self {
            kernel: RowKernel { expression, depth },
            gammas: Vec::new(),
        }
    }

    /// Fits the kernel to values that are members of rows, with the first of its widths, and gives
    /// that; the automatic width looks at these of the values.
    pub fn fit_members(
        &self,
        values: &Column,
        looked_at: &[u32],
    ) -> Result<(KernelOn, Option<f64>)> {
        let registry = Registry::known();
        let of = values.type_of();
        let place = "the members of bags";
        let mut expression = self.kernel.expression.clone();
        let one_field = match &of {
            Type::Tuple(fields) => fields.len() == 1,
            _ => {
                // A distance that joins fields has none to join: members are compared as they are
                // by themselves.
                if let Some(distance) = distance_of(&mut expression)
                    && *distance == Expression::new("euclidean")
                {
                    *distance = Expression::new("default");
                }
                false
            }
        };
        let open = leaves_width_open(&expression);
        let kernel = match registry.kernel(&expression, &of, Some(values), place) {
            Err(kinwood_similarity::Error::WrongType { place: at, .. })
                if at == place && one_field =>
            {
                let field = Expression::new("add").part(expression);
                registry.kernel(&field, &of, Some(values), place)?
            }
            other => other?,
        };
        let gamma = match self.gammas.first() {
            Some(gamma) if open => *gamma,
            _ => return Ok((kernel, None)),
        };
        let gamma = match gamma {
            Gamma::Number(number) => number,
            Gamma::Automatic(factor) => factor * width(&kernel, values, looked_at)?,
        };
        let expression = with_width(kernel.expression(), gamma);
        let kernel = registry.kernel(&expression, &of, None, place)?;
        Ok((kernel, Some(gamma)))
    }

    /// Fits the kernel to the rows of a view, which it gives as it compares them; widths are found
    /// when they are asked for.
    pub fn fit(&self, view: &View) -> Result<(Prepared, Column)> {
        let mut kernel = self.kernel.clone();
        let open = leaves_width_open(&kernel.expression);
        if let Some(distance) = distance_of(&mut kernel.expression) {
            // What columns state of themselves holds inside a kernel as it does for neighbours.
            let stated = RowDistance {
                expression: distance.clone(),
                missing: Missing::default(),
                depth: kernel.depth,
            };
            *distance = stated.over(view)?.expression;
        }
        let (fitted, rows) = kernel.fit(view, Registry::known())?;
        let gammas = match open && made_from_distance(&fitted.kernel().expression()).is_some() {
            true => self.gammas.clone(),
            false => Vec::new(),
        };
        Ok((Prepared { fitted, gammas }, rows))
    }
}

impl Prepared {
    /// The kernels to choose from, with their widths; the automatic width looks at these of the
    /// training rows.
    pub fn kernels(
        &self,
        rows: &Column,
        objects: &[u32],
    ) -> Result<Vec<(FittedRowKernel, Option<f64>)>> {
        if self.gammas.is_empty() {
            return Ok(vec![(self.fitted.clone(), None)]);
        }
        let mut automatic = None;
        let mut kernels = Vec::with_capacity(self.gammas.len());
        for gamma in &self.gammas {
            let gamma = match *gamma {
                Gamma::Number(number) => number,
                Gamma::Automatic(factor) => {
                    let found = match automatic {
                        Some(found) => found,
                        None => width(self.fitted.kernel(), rows, objects)?,
                    };
                    automatic = Some(found);
                    factor * found
                }
            };
            kernels.push((self.with(gamma)?, Some(gamma)));
        }
        Ok(kernels)
    }

    fn with(&self, gamma: f64) -> Result<FittedRowKernel> {
        let mut stored = self.fitted.stored();
        stored.expression = with_width(self.fitted.kernel().expression(), gamma).to_string();
        Ok(FittedRowKernel::from_stored(&stored, Registry::known())?)
    }
}
