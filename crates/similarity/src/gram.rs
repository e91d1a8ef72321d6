//! Kernels bound to queries and references, by index: the twin of [`crate::Pairs`]. A kernel is not a distance.

use crate::pairs::Row;

/// What a kernel guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelLaws {
    /// Every matrix of it is an inner product in some space.
    pub positive_semidefinite: bool,
}

impl KernelLaws {
    /// An inner product.
    pub const INNER_PRODUCT: KernelLaws = KernelLaws {
        positive_semidefinite: true,
    };
    /// Symmetric, and no more.
    pub const NONE: KernelLaws = KernelLaws {
        positive_semidefinite: false,
    };

    /// What holds of a sum or product of kernels with these laws.
    pub fn and(self, other: KernelLaws) -> KernelLaws {
        KernelLaws {
            positive_semidefinite: self.positive_semidefinite && other.positive_semidefinite,
        }
    }
}

/// A kernel bound to queries and references.
pub trait Gram: Send + Sync {
    /// How many queries and references there are.
    fn shape(&self) -> (usize, usize);
    /// Makes a query ready for many references.
    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_>;
}
