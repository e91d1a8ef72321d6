//! The sorted lists of regions that many trees share: kept while there is room, made again from
//! the root's otherwise.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::presort::{Entry, picked};
use super::region::Lists;

/// The memory for lists, and the root's lists, from which all others can be made.
pub struct ListCache {
    root: Lists,
    rows: usize,
    used: AtomicUsize,
    most: usize,
}

impl ListCache {
    /// The lists of the root, which has so many rows; those of all other regions may take so many
    /// bytes.
    pub fn new(root: Lists, rows: usize, most: usize) -> Self {
        Self {
            root,
            rows,
            used: AtomicUsize::new(0),
            most,
        }
    }

    /// The lists of some rows, picked from the root's.
    fn pick(&self, rows: &[u32]) -> Lists {
        let mut places = vec![u32::MAX; self.rows];
        for (place, &row) in rows.iter().enumerate() {
            places[row as usize] = place as u32;
        }
        let inside = |row: usize| Some(places[row]).filter(|place| *place != u32::MAX);
        self.root.iter().map(|list| picked(list, inside)).collect()
    }

    /// The lists, if there is room for them.
    fn keep(&self, lists: Lists) -> Option<Lists> {
        let size = size(&lists);
        if self.used.fetch_add(size, Ordering::Relaxed) + size <= self.most {
            return Some(lists);
        }
        self.used.fetch_sub(size, Ordering::Relaxed);
        None
    }
}

fn size(lists: &Lists) -> usize {
    lists
        .iter()
        .map(|list| list.len() * size_of::<Entry>())
        .sum()
}

/// The lists of a region.
pub enum HeldLists {
    /// The region's own.
    Own(Lists),
    /// In a cache that many regions share.
    Cached(CachedLists),
}

/// Lists in a cache, if there was room for them.
pub struct CachedLists {
    lists: Option<Lists>,
    cache: Arc<ListCache>,
}

impl HeldLists {
    /// The lists of a root whose lists are the cache's.
    pub fn root(cache: ListCache) -> Self {
        HeldLists::Cached(CachedLists {
            lists: None,
            cache: Arc::new(cache),
        })
    }

    /// The lists of a child of a region that has these: in the same cache, or its own.
    pub fn below(&self, lists: Lists) -> Self {
        match self {
            HeldLists::Own(_) => HeldLists::Own(lists),
            HeldLists::Cached(above) => HeldLists::Cached(CachedLists {
                lists: above.cache.keep(lists),
                cache: Arc::clone(&above.cache),
            }),
        }
    }

    /// The lists of a region of these rows.
    pub fn of(&self, rows: &[u32]) -> Cow<'_, Lists> {
        match self {
            HeldLists::Own(lists) => Cow::Borrowed(lists),
            HeldLists::Cached(CachedLists { lists, cache }) => match lists {
                Some(lists) => Cow::Borrowed(lists),
                None if rows.len() == cache.rows => Cow::Borrowed(&cache.root),
                None => Cow::Owned(cache.pick(rows)),
            },
        }
    }
}

impl Drop for CachedLists {
    fn drop(&mut self) {
        let size = self.lists.as_ref().map_or(0, size);
        self.cache.used.fetch_sub(size, Ordering::Relaxed);
    }
}
