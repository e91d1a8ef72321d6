//! From the parts of an account back to the distance.

use super::{Account, How, Listed, Near, Related};
use crate::combination::Combination;
use crate::gram::induced;
use crate::score::{Measured, TermSize};

impl Account {
    /// The distance from the parts, these from theirs: what the fast path gives, up to rounding.
    pub fn recombined(&self) -> Measured {
        match &self.how {
            How::Generalisation {
                first,
                second,
                common,
                ..
            } => Measured::Pair(TermSize {
                functors: first.functors + second.functors - 2 * common.functors,
                variables: first.variables + second.variables - 2 * common.variables,
            }),
            How::Fields { fields, .. } if self.number().is_none() => {
                match fields.shown.as_slice() {
                    [field] => field.account.recombined(),
                    _ => self.distance,
                }
            }
            how => match of_parts(how) {
                Some(number) => Measured::Number(number),
                None => self.distance,
            },
        }
    }

    /// The same of a distance that is a number.
    fn again(&self) -> f64 {
        match self.recombined() {
            Measured::Number(number) => number,
            Measured::Pair(size) => size.functors as f64,
        }
    }
}

/// The number that parts make; none where there are no parts.
fn of_parts(how: &How) -> Option<f64> {
    Some(match how {
        How::Plain | How::Missing { .. } | How::Empty { .. } | How::Generalisation { .. } => {
            return None;
        }
        How::Equality { equal } => f64::from(u8::from(!equal)),
        How::Difference { difference, range } => difference / range,
        How::Edits { edits } => sum(edits, |edit| edit.cost),
        How::Alignment { most, edits, .. } => match *most > 0.0 {
            true => 1.0 + sum(edits, |edit| edit.cost),
            false => 0.0,
        },
        How::Nearest { near, members } => {
            let distances = members.shown.iter().map(|member| member.account.again());
            match near {
                Near::Largest => distances.fold(0.0, f64::max),
                Near::Least => distances.fold(f64::INFINITY, f64::min),
                Near::Ranked(_) => {
                    let decides = members.shown.iter().find(|member| member.decides)?;
                    decides.account.again()
                }
                Near::HalfSum => sum(members, |member| member.account.again()) / 2.0,
            }
        }
        How::Pairs {
            related,
            pairs,
            left_over,
        } => {
            let paired = sum(pairs, |pair| pair.account.again());
            match related {
                Related::Matching => paired + sum(left_over, |member| member.cost),
                Related::Surjection | Related::FairSurjection | Related::Link => paired,
            }
        }
        How::OnlyIn { first, second, .. } => sum(first, |_| 1.0) + sum(second, |_| 1.0),
        How::Shared {
            coefficient,
            first,
            second,
            members,
            ..
        } => coefficient.distance(*first, *second, sum(members, |member| member.amount)),
        How::Fields {
            combination,
            weight,
            skipped,
            fields,
        } => return joined(*combination, *weight, *skipped, fields),
        How::Nodes {
            kept,
            relabelled,
            deleted,
            inserted,
        } => {
            sum(kept, |pair| pair.cost)
                + sum(relabelled, |pair| pair.cost)
                + sum(deleted, |node| node.cost)
                + sum(inserted, |node| node.cost)
        }
        How::Positions { positions } => sum(positions, |position| position.weight),
        How::Vertices { vertices, edges } => sum(vertices, |vertex| vertex.cost) + edges,
        How::Counts { counts } => sum(counts, |count| (count.first - count.second).abs()),
        How::Induced {
            first,
            second,
            both,
            ..
        } => induced(*first, *second, *both),
        How::Divided { by, of } => of.again() / by,
        How::FirstComponent { of } => of.again(),
    })
}

fn sum<T>(items: &Listed<T>, of: impl Fn(&T) -> f64) -> f64 {
    items.shown.iter().map(of).sum::<f64>() + items.rest
}

/// Fields joined as the fast path does; none where all are left out, as nothing is left to join.
fn joined(
    combination: Combination,
    weight: f64,
    skipped: f64,
    fields: &Listed<super::FieldShare>,
) -> Option<f64> {
    if fields.is_empty() {
        return Some(0.0);
    }
    if skipped >= weight && skipped > 0.0 {
        return None;
    }
    let added = sum(fields, |field| {
        let distance = field.account.again();
        match distance.is_nan() {
            true => 0.0,
            false => combination.added(distance, field.weight),
        }
    });
    let added = match skipped > 0.0 {
        true => added * (weight / (weight - skipped)),
        false => added,
    };
    Some(combination.finish(added, weight))
}
