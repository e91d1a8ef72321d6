//! Laws: what a distance guarantees, stated as data so that indexes can ask and tests can check.

/// What a distance guarantees. No default: whoever writes a distance says which laws it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Laws {
    /// Everything is at zero from itself.
    pub zero_on_self: bool,
    /// Different things are never at zero.
    pub separates: bool,
    /// Both directions are the same.
    pub symmetric: bool,
    /// No detour is shorter.
    pub triangle: bool,
}

impl Laws {
    /// All four.
    pub const METRIC: Laws = Laws {
        zero_on_self: true,
        separates: true,
        symmetric: true,
        triangle: true,
    };
    /// All but separation.
    pub const PSEUDO_METRIC: Laws = Laws {
        separates: false,
        ..Laws::METRIC
    };
    /// None.
    pub const NONE: Laws = Laws {
        zero_on_self: false,
        separates: false,
        symmetric: false,
        triangle: false,
    };

    /// What holds of a sum, mean or Euclidean combination of distances with these laws.
    ///
    /// One part that separates does not make the whole separate: every field must.
    pub fn and(self, other: Laws) -> Laws {
        Laws {
            zero_on_self: self.zero_on_self && other.zero_on_self,
            separates: self.separates && other.separates,
            symmetric: self.symmetric && other.symmetric,
            triangle: self.triangle && other.triangle,
        }
    }
}
