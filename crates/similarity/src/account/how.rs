//! What can be behind a distance: a kind for each family of measures.

use std::ops::Range;

use serde::Serialize;

use super::Account;
use super::listed::Listed;
use crate::coefficient::Coefficient;
use crate::combination::Combination;
use crate::missing::Missing;
use crate::score::TermSize;

/// How a distance comes about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum How {
    /// There is nothing behind it but the values, or it is too far in to be told.
    Plain,
    /// 0 or 1: equal or not.
    Equality {
        /// Whether the values are equal.
        equal: bool,
    },
    /// The difference of numbers or times.
    Difference {
        /// It, without its sign.
        difference: f64,
        /// What divides it.
        range: f64,
    },
    /// A missing value, by a rule.
    Missing {
        /// The rule.
        rule: Missing,
        /// What is missing.
        absent: Absent,
    },
    /// The edits that turn one sequence into the other, and what they cost.
    Edits {
        /// In the order of the sequences.
        edits: Listed<Edit>,
    },
    /// The segments of two sequences that align best.
    Alignment {
        /// Where the segment of the first lies.
        first: Range<usize>,
        /// Where that of the second lies.
        second: Range<usize>,
        /// Both as text.
        segments: (String, String),
        /// What they score.
        score: f64,
        /// What the longer sequence scores with itself; 0 if both are empty.
        most: f64,
        /// How one segment becomes the other; what each takes off the distance is its cost.
        edits: Listed<Edit>,
    },
    /// The distances of members to the nearest member of the other collection.
    Nearest {
        /// Which of them count.
        near: Near,
        /// The members, those of the first before those of the second.
        members: Listed<NearestMember>,
    },
    /// Members of both collections in pairs.
    Pairs {
        /// Which pairs are allowed.
        related: Related,
        /// The pairs.
        pairs: Listed<MemberPair>,
        /// The members in none.
        left_over: Listed<Alone>,
    },
    /// A collection that is empty, at a distance that is said.
    Empty {
        /// Which of them is.
        absent: Absent,
    },
    /// The members that only one collection has.
    OnlyIn {
        /// How many both have.
        shared: usize,
        /// Those of the first.
        first: Listed<String>,
        /// Those of the second.
        second: Listed<String>,
    },
    /// What share of their members two collections have in common.
    Shared {
        /// Of what it is a share.
        coefficient: Coefficient,
        /// What the first has in all.
        first: f64,
        /// What the second has in all.
        second: f64,
        /// The members of both, with what each adds to the common part.
        members: Listed<Contribution>,
        /// Those that only the first has.
        only_first: Listed<String>,
        /// Those that only the second has.
        only_second: Listed<String>,
    },
    /// The distances of the fields of a tuple.
    Fields {
        /// How they are joined.
        combination: Combination,
        /// Their weights in all.
        weight: f64,
        /// The weights of those that are left out as missing; the others stand for them.
        skipped: f64,
        /// The fields. What they add up to is weighted, and squared where the join squares.
        fields: Listed<FieldShare>,
    },
    /// The nodes of two trees that correspond, and those that do not.
    Nodes {
        /// Nodes with the same label.
        kept: Listed<NodePair>,
        /// Nodes with another label.
        relabelled: Listed<NodePair>,
        /// Nodes that only the first tree has.
        deleted: Listed<Alone>,
        /// Nodes that only the second tree has.
        inserted: Listed<Alone>,
    },
    /// Where two terms differ.
    Positions {
        /// In preorder.
        positions: Listed<Position>,
    },
    /// The least general generalisation of two terms.
    Generalisation {
        /// It, as text.
        general: String,
        /// What its variables stand for.
        variables: Listed<StandsFor>,
        /// The size of the first term.
        first: TermSize,
        /// The size of the second.
        second: TermSize,
        /// The size of the generalisation.
        common: TermSize,
    },
    /// Nodes of graphs assigned to each other.
    Vertices {
        /// The nodes of the first graph, then the new ones of the second.
        vertices: Listed<Vertex>,
        /// What edges cost that are inserted, deleted or relabelled.
        edges: f64,
    },
    /// Counts that differ.
    Counts {
        /// What is counted.
        counts: Listed<FeatureCount>,
    },
    /// A distance in the space of a kernel.
    Induced {
        /// The kernel, as an expression.
        kernel: String,
        /// The inner product of the first with itself.
        first: f64,
        /// That of the second.
        second: f64,
        /// That of both.
        both: f64,
        /// What adds up to that of both, where the kernel is a sum.
        contributions: Option<Listed<Contribution>>,
    },
    /// Another distance, divided.
    Divided {
        /// By what.
        by: f64,
        /// The distance.
        of: Box<Account>,
    },
    /// The first component of a distance that gives pairs.
    FirstComponent {
        /// The distance.
        of: Box<Account>,
    },
}

/// Which of two values is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both.
    Both,
}

impl Absent {
    /// From whether either is there.
    pub fn of(first: bool, second: bool) -> Option<Absent> {
        match (first, second) {
            (true, true) => None,
            (false, true) => Some(Absent::First),
            (true, false) => Some(Absent::Second),
            (false, false) => Some(Absent::Both),
        }
    }
}

/// One of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

/// What an edit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The items are the same.
    Keep,
    /// An item becomes another.
    Replace,
    /// The items of the second are new.
    Insert,
    /// The items of the first go.
    Delete,
}

/// One edit of a sequence, or a run of the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edit {
    /// What it does.
    pub action: Action,
    /// The places in the first sequence, empty for an insertion.
    pub first: Range<usize>,
    /// The places in the second sequence, empty for a deletion.
    pub second: Range<usize>,
    /// The items as text: of the first, or the new ones.
    pub items: String,
    /// What an item becomes.
    pub becomes: Option<String>,
    /// What it costs.
    pub cost: f64,
    /// What is behind the cost of a replacement by an item distance.
    pub account: Option<Box<Account>>,
}

/// Which distances to the nearest member count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Near {
    /// The largest of all.
    Largest,
    /// The least of all.
    Least,
    /// Of each side that of this rank, the larger of both.
    Ranked(usize),
    /// Half of their sum.
    HalfSum,
}

/// A member with the nearest of the other collection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NearestMember {
    /// Whose member it is.
    pub side: Side,
    /// Its place there.
    pub member: usize,
    /// The place of the nearest in the other.
    pub nearest: usize,
    /// Whether it is the one that decides the distance.
    pub decides: bool,
    /// Their distance, the member of the first collection first.
    pub account: Account,
}

/// Which pairs of members are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Related {
    /// One to one; some may be left over, at a price.
    Matching,
    /// A map of the larger collection onto the smaller.
    Surjection,
    /// The same, as evenly as can be.
    FairSurjection,
    /// Any in which every member occurs.
    Link,
}

/// Two members that are paired.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberPair {
    /// The place of the member in the first collection.
    pub first: usize,
    /// The place of that in the second.
    pub second: usize,
    /// Their distance.
    pub account: Account,
}

/// Something that only one of two values has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alone {
    /// Which of the values.
    pub side: Side,
    /// Its place there.
    pub place: usize,
    /// It, as text.
    pub text: String,
    /// What it costs.
    pub cost: f64,
}

/// What a field adds to the distance of two tuples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldShare {
    /// Its place in the tuple.
    pub position: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// How much it counts.
    pub weight: f64,
    /// Its distance; not a number if it is left out.
    pub account: Account,
}

/// Two nodes that correspond.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodePair {
    /// The place of the node in the first tree, in preorder.
    pub first: usize,
    /// The place of that in the second.
    pub second: usize,
    /// The label in the first tree.
    pub label: String,
    /// The label in the second.
    pub becomes: String,
    /// What it costs.
    pub cost: f64,
}

/// Where two terms differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Position {
    /// Which argument, of which argument and so on, from the outermost and from 1; the innermost
    /// places where it is deep.
    pub path: Vec<u32>,
    /// How many functors deep it is.
    pub depth: usize,
    /// The subterm of the first.
    pub first: String,
    /// The subterm of the second.
    pub second: String,
    /// What it adds to the distance.
    pub weight: f64,
}

/// What a variable of a generalisation stands for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandsFor {
    /// The variable.
    pub variable: String,
    /// The subterm of the first.
    pub first: String,
    /// The subterm of the second.
    pub second: String,
}

/// What becomes of a node of a graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Vertex {
    /// The node of the first graph; none if it is new.
    pub first: Option<String>,
    /// The node of the second; none if it goes.
    pub second: Option<String>,
    /// The labels, if they differ.
    pub labels: Option<(String, String)>,
    /// What it costs.
    pub cost: f64,
}

/// How often something occurs in either graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeatureCount {
    /// What is counted.
    pub feature: String,
    /// How often in the first.
    pub first: f64,
    /// How often in the second.
    pub second: f64,
}

/// What something that both values have adds to their inner product.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contribution {
    /// It.
    pub what: String,
    /// What it adds.
    pub amount: f64,
}

impl How {
    /// Places of two sequences next to each other, as pictures draw them: a place without a partner
    /// is alone. Of an account that was cut, what is shown; none for what is no sequence.
    pub fn alignment(&self) -> Option<Vec<(Option<usize>, Option<usize>)>> {
        let (How::Edits { edits } | How::Alignment { edits, .. }) = self else {
            return None;
        };
        let mut places = Vec::new();
        for edit in &edits.shown {
            let length = edit.first.len().max(edit.second.len());
            let at = |range: &Range<usize>, i: usize| range.clone().nth(i);
            places.extend((0..length).map(|i| (at(&edit.first, i), at(&edit.second, i))));
        }
        Some(places)
    }
}
