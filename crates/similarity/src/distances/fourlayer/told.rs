//! How a four-layer distance comes about, layer by layer: predicates, facts and their nearest,
//! arguments, and the objects behind these.

use crate::account::{
    Absent, Account, Alone, Combination, Detail, FieldShare, How, Kept, MemberPair, Near,
    NearestMember, Related, Side,
};
use crate::algorithms::matching::Matcher;
use crate::facts::base::{Argument, Base, Group};
use crate::facts::fourlayer::{FourLayer, Third};
use crate::facts::plan::Rank;
use crate::measure::Measured;

/// What lies behind the distance of two objects.
pub(super) fn how(
    layers: &FourLayer,
    third: Third,
    first: u32,
    second: u32,
    detail: Detail,
) -> How {
    layers.opened(first, second, |square| {
        let teller = Teller {
            base: layers.base(),
            third,
            square,
        };
        let main = layers.base().main();
        let mut behind = vec![(main, first, second)];
        teller.object(main, first, second, detail, &mut behind)
    })
}

struct Teller<'a> {
    base: &'a Base,
    third: Third,
    /// The square of the distance of two objects of a kind.
    square: &'a dyn Fn(u32, u32, u32) -> f64,
}

/// A fact of either object.
type Pair = (usize, usize);

/// The facts of a predicate about two objects.
struct Facing<'a> {
    predicate: u32,
    a: Group<'a>,
    b: Group<'a>,
    /// By pair of facts.
    squares: Vec<f64>,
}

impl Facing<'_> {
    fn square(&self, (one, other): Pair) -> f64 {
        self.squares[one * self.b.facts + other]
    }
}

impl Teller<'_> {
    /// Layer 4.
    fn object(
        &self,
        kind: u32,
        x: u32,
        y: u32,
        detail: Detail,
        behind: &mut Vec<(u32, u32, u32)>,
    ) -> How {
        let predicates = &self.base.kinds()[kind as usize];
        let mut accounts = Vec::new();
        for &predicate in predicates {
            accounts.push(self.predicate(predicate, x, y, detail, behind));
        }
        self.joined(predicates.len(), accounts, detail, |place| {
            self.base.predicate(predicates[place]).to_owned()
        })
    }

    /// Distances joined by the root of the mean of their squares.
    fn joined(
        &self,
        count: usize,
        accounts: Vec<Account>,
        detail: Detail,
        name: impl Fn(usize) -> String,
    ) -> How {
        let squares: Vec<f64> = accounts
            .iter()
            .map(|account| account.number().unwrap_or(0.0).powi(2))
            .collect();
        let mut accounts: Vec<Option<Account>> = accounts.into_iter().map(Some).collect();
        let fields = Kept::costliest(&squares, detail.items).told(|place| FieldShare {
            position: place,
            name: Some(name(place)),
            weight: 1.0,
            account: accounts[place].take().expect("each is told once"),
        });
        How::Fields {
            combination: Combination::Rms,
            weight: count as f64,
            skipped: 0.0,
            fields,
        }
    }

    /// Layer 3.
    fn predicate(
        &self,
        predicate: u32,
        x: u32,
        y: u32,
        detail: Detail,
        behind: &mut Vec<(u32, u32, u32)>,
    ) -> Account {
        let facing = self.facing(predicate, x, y);
        let Facing { a, b, .. } = &facing;
        let counted = |facts: usize| match facts {
            1 => "1 fact".to_owned(),
            facts => format!("{facts} facts"),
        };
        let mut fact = |pair: Pair| self.fact(&facing, pair, detail, behind);
        let (distance, how) = match (a.facts, b.facts, self.third) {
            (0, 0, _) => (
                0.0,
                How::Empty {
                    absent: Absent::Both,
                },
            ),
            (_, 0, Third::Hausdorff | Third::SumOfMinima) => (
                1.0,
                How::Empty {
                    absent: Absent::Second,
                },
            ),
            (0, _, Third::Hausdorff | Third::SumOfMinima) => (
                1.0,
                How::Empty {
                    absent: Absent::First,
                },
            ),
            (1, 1, Third::Hausdorff | Third::SumOfMinima) if self.base.single(predicate) => {
                nearest(&facing, Third::Hausdorff, detail, &mut fact)
            }
            (_, _, Third::Matching(most)) => self.matched(&facing, most, detail, &mut fact),
            (_, _, third) => nearest(&facing, third, detail, &mut fact),
        };
        Account {
            measure: "layer 3".to_owned(),
            distance: Measured::Number(distance),
            first: counted(a.facts),
            second: counted(b.facts),
            how: match detail.depth {
                0 => How::Plain,
                _ => how,
            },
        }
    }

    fn matched(
        &self,
        facing: &Facing<'_>,
        most: f64,
        detail: Detail,
        fact: &mut impl FnMut(Pair) -> Account,
    ) -> (f64, How) {
        let Facing { a, b, .. } = facing;
        let costs: Vec<f64> = facing.squares.iter().map(|square| square.sqrt()).collect();
        let mut matcher = Matcher::default();
        let matching = matcher.solve(&costs, a.facts, b.facts, most);
        let paired: Vec<Pair> = matching
            .pairs
            .iter()
            .map(|&(one, other)| (one as usize, other as usize))
            .collect();
        let total = matching.total;
        let of_pairs: Vec<f64> = paired
            .iter()
            .map(|&(one, other)| costs[one * b.facts + other])
            .collect();
        let pairs = Kept::costliest(&of_pairs, detail.items).told(|place| {
            let (first, second) = paired[place];
            MemberPair {
                first,
                second,
                account: fact((first, second)),
            }
        });
        let mut alone: Vec<(Side, usize)> = Vec::new();
        alone.extend(
            (0..a.facts)
                .filter(|one| !paired.iter().any(|pair| pair.0 == *one))
                .map(|place| (Side::First, place)),
        );
        alone.extend(
            (0..b.facts)
                .filter(|other| !paired.iter().any(|pair| pair.1 == *other))
                .map(|place| (Side::Second, place)),
        );
        let prices = vec![most / 2.0; alone.len()];
        let left_over = Kept::first(&prices, detail.items).told(|item| {
            let (side, place) = alone[item];
            let group = match side {
                Side::First => a,
                Side::Second => b,
            };
            Alone {
                side,
                place,
                text: detail.cut(&self.text(facing.predicate, group, place)),
                cost: most / 2.0,
            }
        });
        let how = How::Pairs {
            related: Related::Matching,
            pairs,
            left_over,
        };
        (total, how)
    }

    /// Layer 2.
    fn fact(
        &self,
        facing: &Facing<'_>,
        (one, other): Pair,
        detail: Detail,
        behind: &mut Vec<(u32, u32, u32)>,
    ) -> Account {
        let Facing {
            predicate, a, b, ..
        } = facing;
        let ranks = self.base.ranks(*predicate);
        let inner = Detail {
            depth: detail.depth.saturating_sub(2),
            ..detail
        };
        let how = match detail.depth > 1 && !ranks.is_empty() {
            true => {
                let mut arguments = Vec::with_capacity(ranks.len());
                for (place, rank) in ranks.iter().enumerate() {
                    let pair = (a.argument(one, place), b.argument(other, place));
                    arguments.push(self.argument(*rank, pair, inner, behind));
                }
                self.joined(ranks.len(), arguments, detail, |place| {
                    format!("argument {}", place + 2)
                })
            }
            false => How::Plain,
        };
        Account {
            measure: "layer 2".to_owned(),
            distance: Measured::Number(facing.square((one, other)).sqrt()),
            first: detail.cut(&self.text(*predicate, a, one)),
            second: detail.cut(&self.text(*predicate, b, other)),
            how,
        }
    }

    /// Layer 1, or the objects that both arguments name.
    fn argument(
        &self,
        rank: Rank,
        (x, y): (Argument, Argument),
        detail: Detail,
        behind: &mut Vec<(u32, u32, u32)>,
    ) -> Account {
        let distance = self.argument_square(rank, x, y).sqrt();
        let how = match (x, y, rank.kind) {
            (Argument::Number(x), Argument::Number(y), _) => {
                match rank.largest() > 0.0 && (x - y).abs() < rank.largest() {
                    true => How::Difference {
                        difference: (x - y).abs(),
                        range: rank.largest(),
                    },
                    false => How::Equality { equal: x == y },
                }
            }
            (Argument::Object(x), Argument::Object(y), Some(kind)) => {
                // Within itself, an object's distance is a number that is known, not a story
                // without end.
                match detail.depth > 0 && x != y && !behind.contains(&(kind, x, y)) {
                    true => {
                        behind.push((kind, x, y));
                        let how = self.object(kind, x, y, detail, behind);
                        behind.pop();
                        how
                    }
                    false => How::Plain,
                }
            }
            _ => How::Equality {
                equal: distance == 0.0,
            },
        };
        Account {
            measure: "layer 1".to_owned(),
            distance: Measured::Number(distance),
            first: detail.cut(&self.base.text(x)),
            second: detail.cut(&self.base.text(y)),
            how,
        }
    }

    fn argument_square(&self, rank: Rank, x: Argument, y: Argument) -> f64 {
        match (x, y) {
            (Argument::Number(x), Argument::Number(y)) => rank.square(x, y),
            (Argument::Symbol(x), Argument::Symbol(y)) => f64::from(u8::from(x != y)),
            (Argument::Object(x), Argument::Object(y)) => match rank.kind {
                Some(kind) => (self.square)(kind, x, y),
                None => f64::from(u8::from(x != y)),
            },
            _ => 1.0,
        }
    }

    /// The facts of a predicate about two objects, with the squares of their distances.
    fn facing(&self, predicate: u32, x: u32, y: u32) -> Facing<'_> {
        let (a, b) = (self.base.group(x, predicate), self.base.group(y, predicate));
        let ranks = self.base.ranks(predicate);
        let pairs = (0..a.facts).flat_map(|one| (0..b.facts).map(move |other| (one, other)));
        let square = |(one, other): Pair| {
            let squares = ranks.iter().enumerate().map(|(place, rank)| {
                self.argument_square(*rank, a.argument(one, place), b.argument(other, place))
            });
            squares.sum::<f64>() / ranks.len().max(1) as f64
        };
        Facing {
            predicate,
            squares: pairs.map(square).collect(),
            a,
            b,
        }
    }

    fn text(&self, predicate: u32, group: &Group<'_>, fact: usize) -> String {
        let name = self.base.predicate(predicate);
        let name = name.rsplit_once('/').map_or(name, |(name, _)| name);
        let arguments: Vec<String> = (0..self.base.ranks(predicate).len())
            .map(|rank| self.base.text(group.argument(fact, rank)))
            .collect();
        format!("{name}({})", arguments.join(", "))
    }
}

/// Each fact with the nearest of the other object, and which decides.
fn nearest(
    facing: &Facing<'_>,
    third: Third,
    detail: Detail,
    fact: &mut impl FnMut(Pair) -> Account,
) -> (f64, How) {
    let Facing { a, b, .. } = facing;
    let at = |pair: Pair| facing.square(pair);
    let mut members: Vec<(Side, Pair)> = Vec::new();
    for one in 0..a.facts {
        let pairs = (0..b.facts).map(|other| (one, other));
        let least = pairs.min_by(|&x, &y| at(x).total_cmp(&at(y)));
        members.extend(least.map(|pair| (Side::First, pair)));
    }
    for other in 0..b.facts {
        let pairs = (0..a.facts).map(|one| (one, other));
        let least = pairs.min_by(|&x, &y| at(x).total_cmp(&at(y)));
        members.extend(least.map(|pair| (Side::Second, pair)));
    }
    let distances: Vec<f64> = members.iter().map(|&(_, pair)| at(pair).sqrt()).collect();
    let largest = distances.iter().copied().fold(0.0, f64::max);
    let decides = distances.iter().position(|&distance| distance == largest);
    let (distance, near) = match third {
        Third::SumOfMinima => (distances.iter().sum::<f64>() / 2.0, Near::HalfSum),
        _ => (largest, Near::Largest),
    };
    let members = Kept::costliest(&distances, detail.items).told(|place| {
        let (side, pair) = members[place];
        let (member, nearest) = match side {
            Side::First => pair,
            Side::Second => (pair.1, pair.0),
        };
        NearestMember {
            side,
            member,
            nearest,
            decides: near == Near::Largest && decides == Some(place),
            account: fact(pair),
        }
    });
    (distance, How::Nearest { near, members })
}
