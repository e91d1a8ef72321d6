//! Folds of training objects: stratified, and a function of the seed alone.

use kinwood_learning::random::Generator;

/// The fold of each object, of so many folds: each class is dealt out in random order, going on
/// where the class before ended.
pub fn stratified(classes: &[u32], folds: usize, generator: &mut Generator) -> Vec<usize> {
    let mut order: Vec<usize> = (0..classes.len()).collect();
    generator.shuffle(&mut order);
    // Stable, so that within a class the order stays random.
    order.sort_by_key(|&object| classes[object]);
    let mut dealt = vec![0; classes.len()];
    for (place, object) in order.into_iter().enumerate() {
        dealt[object] = place % folds;
    }
    dealt
}

/// The fold of each object with a number: objects are dealt out in the order of their numbers, so
/// that folds are alike.
pub fn spread(numbers: &[f64], folds: usize, generator: &mut Generator) -> Vec<usize> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    generator.shuffle(&mut order);
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let mut dealt = vec![0; numbers.len()];
    for block in order.chunks(folds) {
        let mut places: Vec<usize> = (0..folds).collect();
        generator.shuffle(&mut places);
        for (&object, place) in block.iter().zip(places) {
            dealt[object] = place;
        }
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_alike_in_classes_and_sizes() {
        let classes: Vec<u32> = (0..23).map(|object| u32::from(object % 3 == 0)).collect();
        let folds = stratified(&classes, 5, &mut Generator::new(1, &[]));
        for fold in 0..5 {
            let of = |class: u32| {
                let both = folds.iter().zip(&classes);
                both.filter(|&(&f, &c)| f == fold && c == class).count()
            };
            assert!(
                (1..=2).contains(&of(1)) && (3..=3).contains(&of(0)),
                "{folds:?}"
            );
        }
        assert_eq!(folds, stratified(&classes, 5, &mut Generator::new(1, &[])));
        assert_ne!(folds, stratified(&classes, 5, &mut Generator::new(2, &[])));
    }

    #[test]
    fn folds_of_numbers_have_small_and_large_ones() {
        let numbers: Vec<f64> = (0..20).map(f64::from).collect();
        let folds = spread(&numbers, 4, &mut Generator::new(1, &[]));
        for block in folds.chunks(4) {
            let mut block = block.to_vec();
            block.sort_unstable();
            assert_eq!(block, [0, 1, 2, 3]);
        }
    }
}
