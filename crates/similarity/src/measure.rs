//! Measures with everything known that training data had to say: what the registry builds from an
//! expression.
//!
//! A fitted measure is bound to two columns and then answers by row number ([`Pairs`], [`Gram`]).
//! Nested measures bind their parts to the child columns, so that no value is taken out of its
//! column and nothing is looked up in a loop.

use std::sync::Arc;

use kinwood_values::{Column, Type, Value};

use crate::account::{Account, Contribution, Detail, How, Listed};
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws, NormalisedGram};
use crate::laws::Laws;
use crate::pairs::{Pairs, Row};
use crate::score::{Score, TermSize};
use crate::sql::{Operand, Refused, Written};

pub use crate::score::Measured;

/// A distance with its parts, fitted, on values of one type. For authors of distances.
pub trait FittedDistance: Send + Sync {
    /// What it guarantees on complete values: nothing missing in them, no collection empty. What it
    /// guarantees on the values at hand, its bound form says.
    fn laws(&self) -> Laws;
    /// The expression that builds it again without training data.
    fn expression(&self) -> Expression;
    /// Binds it to two columns of its type. Whatever can be wrong with values is found here.
    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error>;
    /// The largest distance there is, if there is one whatever the data.
    fn largest(&self) -> Option<f64> {
        None
    }
    /// How far a missing value is put, if that is known without data: as the largest distance there
    /// is, or is meant to be.
    fn far(&self) -> Option<f64> {
        self.largest()
    }
    /// Whether it gives pairs instead of numbers.
    fn pair_valued(&self) -> bool {
        false
    }
    /// Whether it knows what to do with a missing value; otherwise the registry does it.
    fn takes_missing(&self) -> bool {
        false
    }
    /// The factor, if it is this times the absolute difference of numbers: rows of such fields are
    /// computed at once.
    fn factor(&self) -> Option<f64> {
        None
    }
    /// Whether it is 0 for equal values and 1 for all others: who asks no more can compare codes.
    fn is_equality(&self) -> bool {
        false
    }
    /// Whether complete values are points and it is their Euclidean distance: kernels made from it
    /// are inner products.
    fn is_euclidean(&self) -> bool {
        false
    }
    /// How far a value of a row is from a constant, as SQL; why not, where it cannot be written.
    /// [`written`] goes into parts.
    fn sql(&self, _: &Operand, _: &Value) -> Result<Written, Refused> {
        Err(Refused::measure(&self.expression().name))
    }
    /// How the number of the first row of each column comes about; [`Account::of`] goes into parts.
    fn how(&self, _: &Column, _: &Column, _: Detail) -> Result<How, Error> {
        Ok(How::Plain)
    }
}

/// A kernel with its parts, fitted, on values of one type. For authors of kernels.
pub trait FittedKernel: Send + Sync {
    /// What it guarantees.
    fn laws(&self) -> KernelLaws;
    /// The expression that builds it again without training data.
    fn expression(&self) -> Expression;
    /// Binds it to two columns of its type.
    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error>;
    /// Each value's inner product with itself.
    fn diagonal(&self, column: &Column) -> Result<Vec<f64>, Error> {
        let gram = self.bind(column, column)?;
        let own = |row: usize| {
            let mut out = [0.0];
            gram.prepare(row).fill(row..row + 1, &mut out);
            out[0]
        };
        Ok((0..column.len()).map(own).collect())
    }
    /// Whether any positive power of it is an inner product if it is one itself.
    fn is_infinitely_divisible(&self) -> bool {
        false
    }
    /// Whether it is no inner product before its matrix is centred, as `-d^2` is not.
    fn needs_centring(&self) -> bool {
        false
    }
    /// What adds up to the inner product of the first row of each column, if it is a sum of what
    /// people know.
    fn contributions(
        &self,
        _: &Column,
        _: &Column,
        _: Detail,
    ) -> Result<Option<Listed<Contribution>>, Error> {
        Ok(None)
    }
    /// Which values are not the origin.
    fn directed(&self, column: &Column) -> Result<Vec<bool>, Error> {
        let diagonal = self.diagonal(column)?;
        Ok(diagonal.into_iter().map(|own| own > 0.0).collect())
    }
    /// Binds its kernel of directions, `k(x,y) / sqrt(k(x,x) k(y,y))`, 0 with the origin. Kernels
    /// whose values may exceed every number have a way of their own.
    fn bind_normalised(
        &self,
        queries: &Column,
        references: &Column,
    ) -> Result<Arc<dyn Gram>, Error> {
        Ok(Arc::new(NormalisedGram {
            gram: self.bind(queries, references)?,
            queries: finite_diagonal(self, queries, "normalised")?,
            references: finite_diagonal(self, references, "normalised")?,
        }))
    }
}

/// Each value's inner product with itself; an error if one exceeds every number, for a ratio or a
/// difference of such is none.
pub(crate) fn finite_diagonal<K: FittedKernel + ?Sized>(
    kernel: &K,
    column: &Column,
    measure: &str,
) -> Result<Vec<f64>, Error> {
    let diagonal = kernel.diagonal(column)?;
    match diagonal.iter().position(|own| !own.is_finite()) {
        None => Ok(diagonal),
        row => Err(Error::Undefined {
            measure: measure.to_owned(),
            what: format!(
                "a value whose `{}` with itself exceeds every number: that of `normalised` does not",
                kernel.expression().name
            ),
            row,
        }),
    }
}

/// A distance bound to queries and references.
#[derive(Clone)]
pub enum Bound {
    /// A number for each pair.
    Real(Arc<dyn Pairs<f64>>),
    /// A pair of whole numbers, ordered by the first and then the second.
    Term(Arc<dyn Pairs<TermSize>>),
}

impl Bound {
    /// Binds to numbers.
    pub fn real(pairs: impl Pairs<f64> + 'static) -> Self {
        Bound::Real(Arc::new(pairs))
    }

    /// Numbers of queries and references.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Bound::Real(pairs) => pairs.shape(),
            Bound::Term(pairs) => pairs.shape(),
        }
    }

    /// What the distance guarantees.
    pub fn laws(&self) -> Laws {
        match self {
            Bound::Real(pairs) => pairs.laws(),
            Bound::Term(pairs) => pairs.laws(),
        }
    }
}

impl Account {
    /// The account that a measure gives of the first rows of two columns. For authors of distances:
    /// this goes into their parts.
    pub fn of(
        measure: &dyn FittedDistance,
        a: &Column,
        b: &Column,
        detail: Detail,
    ) -> Result<Account, Error> {
        let shown = |column: &Column| detail.cut(&column.value(0).to_string());
        Ok(Account {
            measure: measure.expression().name,
            distance: first_distance(measure, a, b)?,
            first: shown(a),
            second: shown(b),
            how: match detail.depth {
                0 => How::Plain,
                _ => measure.how(a, b, detail.inside())?,
            },
        })
    }

    /// The same of chosen rows.
    pub(crate) fn of_rows(
        measure: &dyn FittedDistance,
        (a, row): (&Column, usize),
        (b, other): (&Column, usize),
        detail: Detail,
    ) -> Result<Account, Error> {
        let one = |column: &Column, row: usize| column.gather(&[row as u32]);
        Account::of(measure, &one(a, row), &one(b, other), detail)
    }
}

/// How far a value of a row is from a constant by a measure, as SQL. For authors of distances: this
/// goes into their parts.
pub fn written(
    measure: &dyn FittedDistance,
    value: &Operand,
    constant: &Value,
) -> Result<Written, Refused> {
    match value {
        Operand::Other(of) => Err(Refused::Values {
            measure: measure.expression().name,
            of: of.to_string(),
        }),
        value => measure.sql(value, constant),
    }
}

/// The distance of the first rows, by the fast path.
fn first_distance(measure: &dyn FittedDistance, a: &Column, b: &Column) -> Result<Measured, Error> {
    Ok(match measure.bind(a, b)? {
        Bound::Real(pairs) => {
            let mut out = [0.0];
            pairs.prepare(0).fill(0..1, &mut out);
            Measured::Number(out[0])
        }
        Bound::Term(pairs) => {
            let mut out = [TermSize::zero()];
            pairs.prepare(0).fill(0..1, &mut out);
            Measured::Pair(out[0])
        }
    })
}

/// A distance on values of one type, ready to be bound to columns.
///
/// ```
/// use kinwood_similarity::{DistanceOn, Registry};
/// use kinwood_values::{Type, Value};
/// let of: Type = "set<numeric>".parse()?;
/// let registry = Registry::builtin();
/// let distance = registry.distance(&"hausdorff(absolute)".parse()?, &of, None, "the values")?;
/// let set = |numbers: &[f64]| Value::set(numbers.iter().map(|&x| Value::Number(x)).collect());
/// let (a, b) = (set(&[1.0, 2.0, 3.0]), set(&[4.0, 5.0, 20.0]));
/// assert_eq!(distance.between(&a, &b)?.to_string(), "17");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct DistanceOn {
    of: Type,
    measure: Arc<dyn FittedDistance>,
}

impl DistanceOn {
    pub(crate) fn new(of: Type, measure: Arc<dyn FittedDistance>) -> Self {
        Self { of, measure }
    }

    /// The type of the values.
    pub fn of(&self) -> &Type {
        &self.of
    }

    /// What it guarantees on complete values; its bound form says what on the values at hand.
    pub fn laws(&self) -> Laws {
        self.measure.laws()
    }

    /// The largest distance there is, if there is one whatever the data.
    pub fn largest(&self) -> Option<f64> {
        self.measure.largest()
    }

    /// Whether it gives pairs instead of numbers.
    pub fn pair_valued(&self) -> bool {
        self.measure.pair_valued()
    }

    /// Whether complete values are points and it is their Euclidean distance.
    pub fn is_euclidean(&self) -> bool {
        self.measure.is_euclidean()
    }

    /// The expression that builds it again, without training data.
    pub fn expression(&self) -> Expression {
        self.measure.expression()
    }

    /// Binds it to columns of its type.
    pub fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        for column in [queries, references] {
            if column.type_of() != self.of {
                return Err(Error::TwoTypes {
                    first: self.of.to_string(),
                    second: column.type_of().to_string(),
                });
            }
        }
        self.measure.bind(queries, references)
    }

    /// Binds it to columns of its type, as numbers.
    pub fn bind_real(
        &self,
        queries: &Column,
        references: &Column,
        within: &str,
    ) -> Result<Arc<dyn Pairs<f64>>, Error> {
        match self.bind(queries, references)? {
            Bound::Real(pairs) => Ok(pairs),
            Bound::Term(_) => Err(Error::PairValued {
                measure: self.expression().name,
                within: within.to_owned(),
            }),
        }
    }

    /// The distance between two values. For many pairs, [`DistanceOn::bind`] is far faster.
    pub fn between(&self, a: &Value, b: &Value) -> Result<Measured, Error> {
        let (a, b) = (self.column(a)?, self.column(b)?);
        Ok(match self.bind(&a, &b)? {
            Bound::Real(pairs) => Measured::Number(single(&*pairs.prepare(0), 0.0)),
            Bound::Term(pairs) => {
                let zero = TermSize::zero();
                Measured::Pair(single(&*pairs.prepare(0), zero))
            }
        })
    }

    /// How far a value of a row is from a constant, as SQL; why not, where it cannot be written.
    ///
    /// ```
    /// use kinwood_similarity::Registry;
    /// use kinwood_similarity::sql::Operand;
    /// use kinwood_values::{Type, Value};
    /// let registry = Registry::builtin();
    /// let quarters = "absolute(range=4)".parse()?;
    /// let distance = registry.distance(&quarters, &Type::Numeric, None, "sizes")?;
    /// let size = Operand::new(&Type::Numeric, "\"size\"").known();
    /// let written = distance.sql(&size, &Value::Number(2.0))?;
    /// assert_eq!(written.sql, "ABS(\"size\" - 2.0) * 0.25");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sql(&self, value: &Operand, constant: &Value) -> Result<Written, Refused> {
        written(&*self.measure, value, constant)
    }

    /// How the distance between two values comes about.
    pub fn account(&self, a: &Value, b: &Value, detail: Detail) -> Result<Account, Error> {
        Account::of(&*self.measure, &self.column(a)?, &self.column(b)?, detail)
    }

    fn column(&self, value: &Value) -> Result<Column, Error> {
        Column::from_values(&self.of, [value]).map_err(|_| Error::TwoTypes {
            first: self.of.to_string(),
            second: value.to_string(),
        })
    }
}

fn single<S: Score>(row: &dyn Row<S>, zero: S) -> S {
    let mut out = [zero];
    row.fill(0..1, &mut out);
    out[0]
}

/// A kernel on values of one type, ready to be bound to columns.
#[derive(Clone)]
pub struct KernelOn {
    of: Type,
    measure: Arc<dyn FittedKernel>,
}

impl KernelOn {
    pub(crate) fn new(of: Type, measure: Arc<dyn FittedKernel>) -> Self {
        Self { of, measure }
    }

    /// The type of the values.
    pub fn of(&self) -> &Type {
        &self.of
    }

    /// What it guarantees.
    pub fn laws(&self) -> KernelLaws {
        self.measure.laws()
    }

    /// Whether it is no inner product before its matrix is centred.
    pub fn needs_centring(&self) -> bool {
        self.measure.needs_centring()
    }

    /// The expression that builds it again, without training data.
    pub fn expression(&self) -> Expression {
        self.measure.expression()
    }

    /// Binds it to columns of its type.
    pub fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        for column in [queries, references] {
            if column.type_of() != self.of {
                return Err(Error::TwoTypes {
                    first: self.of.to_string(),
                    second: column.type_of().to_string(),
                });
            }
        }
        self.measure.bind(queries, references)
    }

    /// Each value's inner product with itself.
    pub fn diagonal(&self, column: &Column) -> Result<Vec<f64>, Error> {
        self.measure.diagonal(column)
    }

    /// The inner product of two values.
    pub fn inner(&self, a: &Value, b: &Value) -> Result<f64, Error> {
        let column = |value: &Value| {
            Column::from_values(&self.of, [value]).map_err(|_| Error::TwoTypes {
                first: self.of.to_string(),
                second: value.to_string(),
            })
        };
        let (a, b) = (column(a)?, column(b)?);
        Ok(single(&*self.bind(&a, &b)?.prepare(0), 0.0))
    }
}
