//! How little two collections have in common, as a share: Jaccard, Dice, cosine and overlap, of
//! sets, of bags by how often members occur, and with weights of members.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::Column;
use kinwood_values::parameter::Parameter;

use super::{COLLECTIONS, EMPTY};
use crate::account::{Absent, Contribution, Detail, How, Kept, Listed};
use crate::coefficient::Coefficient;
use crate::declaration::Declaration;
use crate::distances::collection::{children, offsets};
use crate::distances::counted::{Counted, SETTINGS};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::profile::ProfilePairs;
use crate::symbols::Symbols;
use crate::weights;

type Built = Result<Arc<dyn FittedDistance>, Error>;

/// How far nothing is from something; two that have nothing are at 0.
const NOTHING: Parameter = Parameter {
    doc: "How far an empty collection is from one with members; two empty ones are at 0.",
    default: "1",
    ..EMPTY
};

const PARAMETERS: [Parameter; 5] = [NOTHING, SETTINGS[0], SETTINGS[1], SETTINGS[2], SETTINGS[3]];

/// The catalogue's entries.
pub(crate) const ENTRIES: [Entry; 4] = [
    entry(
        "jaccard",
        "1 - |A and B| / |A or B|; of bags and lists 1 - sum of the lesser counts / sum of the larger counts, with weights the same of weighted counts.",
        "metric on sets and bags; a list is compared as a bag, and weights of 0 or far apart separate nothing; with an empty collection the triangle needs `empty` to be at least 0.5",
        "Jaccard, Étude comparative de la distribution florale, Bulletin de la Société Vaudoise des Sciences Naturelles 37, 1901; Levandowsky and Winter, Distance between sets, Nature 234, 1971 (the triangle); Ružička, 1958 (counts)",
        "0.75",
        |declaration| build(declaration, Coefficient::Jaccard),
    ),
    entry(
        "dice",
        "1 - 2 |A and B| / (|A| + |B|); of bags and lists by the lesser counts, which is Bray and Curtis's dissimilarity.",
        "zero on self and symmetric, separates sets and bags; no triangle: {a} and {b} are at 1, either is at 1/3 from {a, b}",
        "Dice, Measures of the amount of ecologic association between species, Ecology 26, 1945; Bray and Curtis, 1957",
        "0.6",
        |declaration| build(declaration, Coefficient::Dice),
    ),
    entry(
        "cosine",
        "1 - the cosine of the angle between the collections as vectors of (weighted) counts; with `weights=idf` the usual distance of texts as bags of words.",
        "zero on self and symmetric, separates sets, but not bags, of which it sees the proportions only; no triangle",
        "Ochiai, Zoogeographical studies on the soleoid fishes found in Japan and its neighbouring regions, 1957; Salton, Wong and Yang, A vector space model for automatic indexing, CACM 18, 1975",
        "0.591751709536137",
        |declaration| build(declaration, Coefficient::Cosine),
    ),
    entry(
        "overlap",
        "1 - |A and B| / the smaller of |A| and |B|: 0 if one is part of the other.",
        "zero on self and symmetric; does not separate, no triangle",
        "Simpson, Notes on the measurement of faunal resemblance, American Journal of Science 258-A, 1960",
        "0.5",
        |declaration| build(declaration, Coefficient::Overlap),
    ),
];

const fn entry(
    name: &'static str,
    summary: &'static str,
    laws: &'static str,
    reference: &'static str,
    gives: &'static str,
    build: fn(&Declaration<'_>) -> Built,
) -> Entry {
    Entry {
        name: Cow::Borrowed(name),
        values: Cow::Borrowed(COLLECTIONS),
        takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
        inside: Inside::Leaf,
        facts: None,
        summary: Cow::Borrowed(summary),
        laws,
        cost: "|A| + |B|; of many references those that share a member, or a word for 64 labels",
        reference,
        parameters: &PARAMETERS,
        example: Some(Example {
            expression: name,
            of: "set<nominal>",
            a: "[\"a\", \"b\"]",
            b: "[\"b\", \"c\", \"d\"]",
            gives,
        }),
        build: Build::Distance(build),
    }
}

fn build(declaration: &Declaration<'_>, coefficient: Coefficient) -> Built {
    Ok(Arc::new(Shares {
        counted: Counted::declared(declaration, coefficient)?,
        empty: declaration.number(NOTHING.name),
    }))
}

struct Shares {
    counted: Counted,
    empty: f64,
}

impl Shares {
    /// What holds, given whether something has nothing that counts.
    fn laws_where(&self, nothing: bool) -> Laws {
        let separates = match self.counted.coefficient {
            Coefficient::Jaccard | Coefficient::Dice => true,
            Coefficient::Cosine => self.counted.of_sets(),
            Coefficient::Overlap => false,
        };
        let triangle = self.counted.coefficient == Coefficient::Jaccard;
        Laws {
            separates: separates && self.counted.sees_all() && !(nothing && self.empty == 0.0),
            // By way of nothing it is twice as far as that is put: that must be no shortcut.
            triangle: triangle && !(nothing && self.empty < 0.5),
            ..Laws::METRIC
        }
    }
}

impl FittedDistance for Shares {
    fn laws(&self) -> Laws {
        self.laws_where(self.counted.may_be_nothing())
    }

    fn expression(&self) -> Expression {
        let expression = Expression::new(self.counted.coefficient.name());
        let expression = match self.empty == 1.0 {
            true => expression,
            false => expression.number(NOTHING.name, self.empty),
        };
        self.counted.settings(expression)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let (first, second) = self.counted.profiles(queries, references)?;
        let laws = self.laws_where(first.has_empty() || second.has_empty());
        Ok(Bound::real(ProfilePairs::new(
            self.counted.coefficient,
            first,
            second,
            laws,
            self.empty,
        )))
    }

    fn largest(&self) -> Option<f64> {
        Some(self.empty.max(1.0))
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let (first, second) = self.counted.profiles(a, b)?;
        let totals = (first.totals()[0], second.totals()[0]);
        if let Some(absent) = Absent::of(totals.0 > 0.0, totals.1 > 0.0) {
            return Ok(How::Empty { absent });
        }
        let (x, y) = (first.get(0), second.get(0));
        let names = Names::of(a, b)?;
        let (mut shared, mut added) = (Vec::new(), Vec::new());
        let mut common = (vec![false; x.symbols.len()], vec![false; y.symbols.len()]);
        x.common(&y, self.counted.coefficient, |i, j, amount| {
            shared.push(x.symbols[i]);
            added.push(amount);
            (common.0[i], common.1[j]) = (true, true);
        });
        let kept = Kept::costliest(&added, detail.items);
        let members = kept.told(|place| Contribution {
            what: detail.cut(&names.of_symbol(shared[place])),
            amount: added[place],
        });
        let only = |symbols: &[u32], common: &[bool]| -> Listed<String> {
            let alone = symbols.iter().zip(common).filter(|(_, common)| !**common);
            let alone: Vec<u32> = alone.map(|(&symbol, _)| symbol).collect();
            let kept = Kept::first(&vec![1.0; alone.len()], detail.items);
            kept.told(|place| detail.cut(&names.of_symbol(alone[place])))
        };
        Ok(How::Shared {
            coefficient: self.counted.coefficient,
            first: totals.0,
            second: totals.1,
            members,
            only_first: only(x.symbols, &common.0),
            only_second: only(y.symbols, &common.1),
        })
    }
}

/// The members of two collections by symbol.
struct Names<'a> {
    symbols: Symbols,
    children: (&'a Column, &'a Column),
    starts: (usize, usize),
}

impl<'a> Names<'a> {
    fn of(a: &'a Column, b: &'a Column) -> Result<Self, Error> {
        let children = children(a, b, "the members")?;
        Ok(Self {
            symbols: Symbols::of(children.0, children.1),
            children,
            starts: (offsets(a).range(0).start, offsets(b).range(0).start),
        })
    }

    fn of_symbol(&self, symbol: u32) -> String {
        let place = |symbols: &[u32], start: usize| {
            let found = symbols[start..].iter().position(|&other| other == symbol);
            found.map(|place| start + place)
        };
        let member = match place(&self.symbols.queries, self.starts.0) {
            Some(place) => self.children.0.value(place),
            None => match place(&self.symbols.references, self.starts.1) {
                Some(place) => self.children.1.value(place),
                None => return String::new(),
            },
        };
        weights::key(&member)
    }
}
