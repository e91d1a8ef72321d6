//! The kernel between rows as a machine needs it: fitted, its width found from the training rows, and the distance inside it.

use kinwood_similarity::expression::{Argument, Literal};
use kinwood_similarity::{
    DistanceOn, Expression, FittedRowKernel, KernelOn, Missing, Registry, RowDistance, RowKernel,
};
use kinwood_values::{Cells, Column, Type, View};

use super::settings::{self, GAMMA, KERNEL};
use crate::error::{Error, Result};
use crate::settings::Settings;

/// Kernels that are made from a distance.
const FROM_DISTANCE: [&str; 4] = ["gaussian", "linear", "negative", "polynomial"];
/// Those of them that have a width.
const WIDE: [&str; 2] = ["gaussian", "polynomial"];
/// Kernels that may be around another kernel of the same values, or of their one field.
const AROUND: [&str; 3] = ["add", "multiply", "normalised"];
/// How many training rows the automatic width looks at, evenly spread: comparing their pairs costs little beside the training.
const SAMPLED: usize = 200;

/// How fast similarity falls with distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gamma {
    /// So many times one over the mean squared distance.
    Automatic(f64),
    /// As it was told.
    Number(f64),
}

impl Gamma {
    /// `auto`, `auto*FACTOR` or a number above 0.
    fn read(text: &str) -> Option<Self> {
        let above = |text: &str| {
            let number = text.trim().parse().ok();
            number.filter(|number: &f64| number.is_finite() && *number > 0.0)
        };
        match text.strip_prefix("auto") {
            Some("") => Some(Gamma::Automatic(1.0)),
            Some(rest) => above(rest.trim_start().strip_prefix('*')?).map(Gamma::Automatic),
            None => above(text).map(Gamma::Number),
        }
    }
}

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

/// A distance inside a kernel, and the fields in which its values lie.
pub struct Inner {
    /// The distance.
    pub distance: DistanceOn,
    fields: Vec<usize>,
}

impl Declared {
    /// Reads the settings `kernel`, `depth` and `gamma`.
    pub fn read(settings: &Settings) -> Result<Self> {
        Self::new(
            settings.text(KERNEL.name).parse()?,
            settings.whole("depth"),
            settings,
        )
    }

    /// A kernel expression, so many keys away, with the setting `gamma`.
    pub fn new(expression: Expression, depth: usize, settings: &Settings) -> Result<Self> {
        let gammas = settings::list(
            settings,
            GAMMA.name,
            "`auto`, `auto*FACTOR` or a number above 0",
            Gamma::read,
        )?;
        let kernel = RowKernel { expression, depth };
        let told = gammas != [Gamma::Automatic(1.0)];
        match made_from_distance(&kernel.expression) {
            Some(made) if WIDE.contains(&made.name.as_str()) && !says_width(made) => {}
            Some(made) if told && says_width(made) => {
                return Err(settled(
                    settings,
                    "`auto` where the kernel says `gamma` itself",
                ));
            }
            _ if told => {
                return Err(settled(
                    settings,
                    "`auto` where the kernel is not `gaussian` or `polynomial` of a distance",
                ));
            }
            _ => {}
        }
        Ok(Self { kernel, gammas })
    }

    /// A kernel that says all there is to say.
    pub fn settled(expression: Expression, depth: usize) -> Self {
        Self {
            kernel: RowKernel { expression, depth },
            gammas: Vec::new(),
        }
    }

    /// Fits the kernel to values that are members of rows, with the first of its widths, and gives that; the automatic width looks at
    /// these of the values.
    pub fn fit_members(
        &self,
        values: &Column,
        looked_at: &[u32],
    ) -> Result<(KernelOn, Option<f64>)> {
        let registry = Registry::builtin();
        let of = values.type_of();
        let place = "the members of bags";
        let mut expression = self.kernel.expression.clone();
        let one_field = match &of {
            Type::Tuple(fields) => fields.len() == 1,
            _ => {
                // A distance that joins fields has none to join: members are compared as they are by themselves.
                if let Some(distance) = distance_of(&mut expression)
                    && *distance == Expression::new("euclidean")
                {
                    *distance = Expression::new("default");
                }
                false
            }
        };
        let open = made_from_distance(&expression)
            .is_some_and(|made| WIDE.contains(&made.name.as_str()) && !says_width(made));
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

    /// Fits the kernel to the rows of a view, which it gives as it compares them; widths are found when they are asked for.
    pub fn fit(&self, view: &View) -> Result<(Prepared, Column)> {
        let mut kernel = self.kernel.clone();
        let open = made_from_distance(&kernel.expression)
            .is_some_and(|made| WIDE.contains(&made.name.as_str()) && !says_width(made));
        if let Some(distance) = distance_of(&mut kernel.expression) {
            // What columns state of themselves holds inside a kernel as it does for neighbours.
            let stated = RowDistance {
                expression: distance.clone(),
                missing: Missing::default(),
                depth: kernel.depth,
            };
            *distance = stated.over(view)?.expression;
        }
        let (fitted, rows) = kernel.fit(view, Registry::builtin())?;
        let gammas = match open && made_from_distance(&fitted.kernel().expression()).is_some() {
            true => self.gammas.clone(),
            false => Vec::new(),
        };
        Ok((Prepared { fitted, gammas }, rows))
    }
}

fn settled(settings: &Settings, expected: &str) -> Error {
    Error::SettingValue {
        name: GAMMA.name.to_owned(),
        value: settings.text(GAMMA.name).to_owned(),
        expected: expected.to_owned(),
        nearest: None,
    }
}

impl Prepared {
    /// The kernels to choose from, with their widths; the automatic width looks at these of the training rows.
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
        Ok(FittedRowKernel::from_stored(&stored, Registry::builtin())?)
    }
}

/// One over the mean squared distance between some of the objects; 1 where they are all the same.
fn width(kernel: &KernelOn, rows: &Column, objects: &[u32]) -> Result<f64> {
    let Some(inner) = inner(kernel)? else {
        return Ok(1.0);
    };
    let taken = objects.len().min(SAMPLED);
    let sample: Vec<u32> = (0..taken)
        .map(|place| objects[place * objects.len() / taken])
        .collect();
    let rows = rows.gather(&sample);
    let values = inner.values(&rows);
    let pairs = inner.distance.bind_real(values, values, "a kernel")?;
    let mut distances = vec![0.0; taken];
    let (mut sum, mut count) = (0.0, 0.0);
    for query in 0..taken {
        let others = query + 1..taken;
        let out = &mut distances[others.clone()];
        pairs.prepare(query).fill(others, out);
        for square in out.iter().map(|distance| distance * distance) {
            if square.is_finite() {
                sum += square;
                count += 1.0;
            }
        }
    }
    let gamma = count / sum;
    Ok(match gamma.is_finite() && gamma > 0.0 {
        true => gamma,
        false => 1.0,
    })
}

/// A fitted kernel with another width.
fn with_width(mut expression: Expression, gamma: f64) -> Expression {
    if let Some(made) = made_from_distance_mut(&mut expression) {
        for argument in &mut made.arguments {
            if let Argument::Setting { name, value, .. } = argument
                && name == "gamma"
            {
                *value = Literal::Number(gamma);
            }
        }
    }
    expression
}

/// The distance inside a fitted kernel, if it is made from one.
pub fn inner(kernel: &KernelOn) -> Result<Option<Inner>> {
    let expression = kernel.expression();
    let (mut at, mut of) = (&expression, kernel.of());
    let mut fields = Vec::new();
    loop {
        let mut parts = at.parts();
        let (Some(part), None) = (parts.next(), parts.next()) else {
            return Ok(None);
        };
        match at.name.as_str() {
            name if FROM_DISTANCE.contains(&name) => {
                let place = "the values of a kernel";
                let distance = Registry::builtin().distance(&part.measure, of, None, place)?;
                return Ok(Some(Inner { distance, fields }));
            }
            "normalised" => {}
            "add" | "multiply" => {
                let Type::Tuple(of_fields) = of else {
                    return Ok(None);
                };
                let named = |name: &String| {
                    let mut names = of_fields.iter().map(|field| field.name.as_ref());
                    names.position(|field| field == Some(name))
                };
                let place = match (&part.field, of_fields.len()) {
                    (Some(name), _) => named(name),
                    (None, 1) => Some(0),
                    _ => None,
                };
                let Some(place) = place else {
                    return Ok(None);
                };
                fields.push(place);
                of = &of_fields[place].of;
            }
            _ => return Ok(None),
        }
        at = &part.measure;
    }
}

impl Inner {
    /// The values that the distance compares, of rows that the kernel compares.
    pub fn values<'a>(&self, rows: &'a Column) -> &'a Column {
        let mut column = rows;
        for &field in &self.fields {
            if let Cells::Tuple { fields, .. } = column.cells() {
                column = &fields[field];
            }
        }
        column
    }
}

/// Whether the kernel is `-d^2` and no inner product before it is centred.
pub fn needs_centring(expression: &Expression) -> bool {
    match expression.name.as_str() {
        "negative" => true,
        "add" => {
            expression.parts().next().is_some()
                && expression.parts().all(|part| needs_centring(&part.measure))
        }
        _ => false,
    }
}

/// Whether the training matrix, centred where that is needed, is known to have no negative eigenvalues: by the kernel's laws, or because
/// the distance inside it is that of points, which columns of numbers and labels without a gap are.
pub fn is_inner_product(kernel: &KernelOn, rows: &Column) -> bool {
    if kernel.laws().positive_semidefinite {
        return true;
    }
    let expression = kernel.expression();
    let mut parts = expression.parts();
    let (true, Some(part), Cells::Tuple { fields, .. }) = (
        FROM_DISTANCE.contains(&expression.name.as_str()),
        parts.next(),
        rows.cells(),
    ) else {
        return false;
    };
    let of_points =
        |measure: &Expression| ["absolute", "discrete"].contains(&measure.name.as_str());
    let joined = &part.measure;
    joined.name == "euclidean"
        && joined.parts().next().is_some()
        && joined
            .parts()
            .all(|part| of_points(&part.measure) && part.weight >= 0.0)
        && fields.iter().all(|field| field.missing() == 0)
}

/// The kernel made from a distance that an expression is, or is around.
fn made_from_distance(expression: &Expression) -> Option<&Expression> {
    let mut at = expression;
    loop {
        let mut parts = at.parts();
        let (Some(part), None) = (parts.next(), parts.next()) else {
            return None;
        };
        match &at.name {
            name if FROM_DISTANCE.contains(&name.as_str()) => return Some(at),
            name if AROUND.contains(&name.as_str()) => at = &part.measure,
            _ => return None,
        }
    }
}

fn made_from_distance_mut(expression: &mut Expression) -> Option<&mut Expression> {
    made_from_distance(expression)?;
    let mut at = expression;
    while AROUND.contains(&at.name.as_str()) {
        at = part_mut(at)?;
    }
    Some(at)
}

/// The distance between rows that a kernel is made from; a kernel of fields has none.
fn distance_of(expression: &mut Expression) -> Option<&mut Expression> {
    let mut at = expression;
    while at.name == "normalised" {
        at = part_mut(at)?;
    }
    match FROM_DISTANCE.contains(&at.name.as_str()) {
        true => part_mut(at),
        false => None,
    }
}

fn part_mut(expression: &mut Expression) -> Option<&mut Expression> {
    expression
        .arguments
        .iter_mut()
        .find_map(|argument| match argument {
            Argument::Part(part) => Some(&mut part.measure),
            _ => None,
        })
}

/// Whether a kernel says its width.
fn says_width(expression: &Expression) -> bool {
    let told = |argument: &Argument| match argument {
        Argument::Setting { name, .. } => name == "gamma",
        Argument::Number(..) => true,
        Argument::Part(_) => false,
    };
    expression.arguments.iter().any(told)
}
