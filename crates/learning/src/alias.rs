//! Settings by the names that practitioners know them by: `max_depth`, `min_leaf`, `n_neighbors`.
//!
//! A name of ours always wins. Files keep our names: an alias is what a person writes, and
//! `Settings::read` is where it ends.

/// Another name of a setting.
struct Alias {
    /// What people write.
    written: &'static str,
    /// What the setting is called here.
    setting: &'static str,
    /// A setting that the learner must have too, where a name means something else to others:
    /// `depth` counts tests for trees, which have a `size`, and foreign keys for all else.
    beside: &'static str,
}

const fn alias(written: &'static str, setting: &'static str) -> Alias {
    beside(written, setting, setting)
}

const fn beside(written: &'static str, setting: &'static str, beside: &'static str) -> Alias {
    Alias {
        written,
        setting,
        beside,
    }
}

/// Names that mean the same.
const ALIASES: &[Alias] = &[
    alias("n_neighbors", "k"),
    alias("n_neighbours", "k"),
    alias("neighbors", "k"),
    beside("max_k", "most", "k"),
    beside("metric", "distance", "k"),
    beside("max_depth", "depth", "size"),
    beside("min_leaf", "leaf", "size"),
    beside("min_samples_leaf", "leaf", "size"),
    beside("min_data_in_leaf", "leaf", "size"),
    beside("max_nodes", "size", "depth"),
    beside("criterion", "heuristic", "size"),
    beside("beam_width", "width", "size"),
    alias("n_estimators", "trees"),
    alias("num_trees", "trees"),
    alias("n_trees", "trees"),
    alias("n_estimators", "rounds"),
    alias("num_iterations", "rounds"),
    beside("max_features", "inputs", "trees"),
    beside("mtry", "inputs", "trees"),
    alias("learning_rate", "shrinkage"),
    alias("eta", "shrinkage"),
    alias("learning_rate", "rate"),
    alias("eta", "rate"),
    alias("class_weight", "class_weights"),
    beside("class_weight", "weights", "kernel"),
    alias("C", "c"),
    alias("alpha", "lambda"),
];

/// Names of something near, which is worth a hint and no more.
const RELATED: &[(&str, &str)] = &[
    ("max_leaf_nodes", "size"),
    ("num_leaves", "size"),
    ("min_samples_split", "leaf"),
    ("min_child_weight", "leaf"),
    ("minleaf", "leaf"),
    ("maxdepth", "depth"),
    ("ccp_alpha", "pruning"),
    ("prune", "pruning"),
    ("bootstrap", "sample"),
    ("max_samples", "sample"),
    ("subsample", "sample"),
    ("colsample_bytree", "space"),
    ("l2", "lambda"),
    ("reg_lambda", "lambda"),
    ("p", "distance"),
    ("algorithm", "search"),
    ("beam", "width"),
    ("n_estimators", "width"),
];

/// The setting, one of `names`, that somebody means who writes an alias of it.
pub fn meant<'n>(written: &str, names: &[&'n str]) -> Option<&'n str> {
    if names.contains(&written) {
        return None;
    }
    let aliases = ALIASES.iter().filter(|alias| alias.written == written);
    find(aliases, names)
}

fn find<'a, 'n>(
    mut aliases: impl Iterator<Item = &'a Alias>,
    names: &[&'n str],
) -> Option<&'n str> {
    aliases.find_map(|alias| {
        let found = names.iter().find(|name| **name == alias.setting)?;
        names.contains(&alias.beside).then_some(*found)
    })
}

/// The setting, one of `names`, that does something like what others call so.
pub fn related(written: &str, names: &[&str]) -> Option<String> {
    let pairs = RELATED.iter().filter(|(name, _)| *name == written);
    pairs
        .map(|(_, setting)| *setting)
        .find(|setting| names.contains(setting))
        .map(str::to_owned)
}

/// The aliases of a setting of a learner that has the settings `names`.
pub fn aliases(setting: &str, names: &[&str]) -> Vec<&'static str> {
    let own = ALIASES.iter().filter(|alias| alias.setting == setting);
    own.map(|alias| alias.written)
        .filter(|written| meant(written, names) == Some(setting))
        .collect()
}

/// All names that somebody may write as a setting of some learner besides ours.
pub fn known(written: &str) -> bool {
    let alias = ALIASES.iter().any(|alias| alias.written == written);
    alias || RELATED.iter().any(|(name, _)| *name == written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ours_win_and_the_others_depend_on_the_learner() {
        let (tree, rows) = (["leaf", "size", "depth"], ["k", "depth", "most"]);
        assert_eq!(meant("max_depth", &tree), Some("depth"));
        assert_eq!(meant("max_depth", &rows), None);
        assert_eq!(meant("max_k", &rows), Some("most"));
        assert_eq!(meant("min_samples_leaf", &tree), Some("leaf"));
        assert_eq!(meant("alpha", &["alpha", "lambda"]), None);
        assert_eq!(related("max_leaf_nodes", &tree), Some("size".to_owned()));
        assert_eq!(
            aliases("leaf", &tree),
            ["min_leaf", "min_samples_leaf", "min_data_in_leaf"]
        );
        assert!(aliases("depth", &rows).is_empty());
        assert!(known("max_features") && !known("leaf"));
    }
}
