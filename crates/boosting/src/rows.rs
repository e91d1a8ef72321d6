//! Rows of a node divided in two, in their order.

use rayon::prelude::*;

/// So many rows are divided by one thread.
const BLOCK: usize = 1 << 15;

/// Puts those rows first whose bin is marked, keeps the order within both, and says how many are
/// first. `room` is as long as the rows.
pub fn divide(rows: &mut [u32], room: &mut [u32], bins: &[u8], first: &[bool; 256]) -> usize {
    if rows.len() <= 2 * BLOCK {
        let count = divide_block(rows, room, bins, first);
        let others = rows.len() - count;
        rows[count..].copy_from_slice(&room[..others]);
        return count;
    }
    let blocks = rows.par_chunks_mut(BLOCK).zip(room.par_chunks_mut(BLOCK));
    let counts: Vec<usize> = blocks
        .map(|(rows, room)| divide_block(rows, room, bins, first))
        .collect();
    let mut to = 0;
    for (block, count) in counts.iter().enumerate() {
        let from = block * BLOCK;
        rows.copy_within(from..from + count, to);
        to += count;
    }
    let all = to;
    for (block, count) in counts.iter().enumerate() {
        let from = block * BLOCK;
        let others = BLOCK.min(rows.len() - from) - count;
        rows[to..to + others].copy_from_slice(&room[from..from + others]);
        to += others;
    }
    all
}

/// The first rows stay, the others are put aside.
fn divide_block(rows: &mut [u32], room: &mut [u32], bins: &[u8], first: &[bool; 256]) -> usize {
    let (mut ours, mut others) = (0, 0);
    for place in 0..rows.len() {
        let row = rows[place];
        let goes = first[bins[row as usize] as usize];
        rows[ours] = row;
        room[others] = row;
        ours += usize::from(goes);
        others += usize::from(!goes);
    }
    ours
}

/// Adds to the score of each row the number of its leaf; the rows of a leaf rise.
pub fn add(scores: &mut [f64], leaves: &[(&[u32], f64)]) {
    scores
        .par_chunks_mut(BLOCK)
        .enumerate()
        .for_each(|(block, scores)| {
            let from = (block * BLOCK) as u32;
            let to = from + scores.len() as u32;
            for (rows, value) in leaves {
                let begin = rows.partition_point(|row| *row < from);
                let end = begin + rows[begin..].partition_point(|row| *row < to);
                for &row in &rows[begin..end] {
                    scores[(row - from) as usize] += value;
                }
            }
        });
}
