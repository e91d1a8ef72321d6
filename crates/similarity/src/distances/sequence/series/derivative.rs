//! How steep a series is at each of its numbers.

/// The estimate of Keogh and Pazzani, Derivative dynamic time warping, SDM 2001: at each number but
/// the ends the mean of the slope from the one before and of the slope between both neighbours; the
/// ends are as steep as what is next to them.
pub(super) fn derivative(numbers: &[f64]) -> Vec<f64> {
    match numbers {
        [] => Vec::new(),
        [_] => vec![0.0],
        [first, second] => vec![second - first; 2],
        _ => {
            let inner = numbers.windows(3).map(|around| {
                let (before, own, after) = (around[0], around[1], around[2]);
                ((own - before) + (after - before) / 2.0) / 2.0
            });
            let mut steep = vec![0.0];
            steep.extend(inner);
            steep[0] = steep[1];
            steep.extend(steep.last().copied());
            steep
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_of_neighbours() {
        assert_eq!(derivative(&[1.0, 2.0, 4.0, 4.0]), [1.25, 1.25, 1.5, 1.5]);
        assert_eq!(derivative(&[3.0, 5.0]), [2.0, 2.0]);
        assert_eq!(derivative(&[3.0]), [0.0]);
        assert!(derivative(&[]).is_empty());
    }
}
