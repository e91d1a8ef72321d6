//! PostgreSQL's `numeric` as it is sent: digits to the base 10,000.

use std::fmt::Write;

/// What a `numeric` is, apart from a number.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Numeric {
    /// A number; its text was written.
    Number,
    /// An infinity or no number.
    NotFinite,
}

/// No `numeric` has more digits before or behind the point than this.
const LONGEST: i32 = 200_000;

/// Writes the number without superfluous zeros; `None` where the bytes are no `numeric`.
pub(super) fn write(bytes: &[u8], text: &mut String) -> Option<Numeric> {
    text.clear();
    let (head, digits) = bytes.split_at_checked(8)?;
    let word = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
    let (count, sign) = (usize::from(word(0)), word(4));
    // Signed: where the first digit stands, in powers of 10,000.
    let weight = i32::from(i16::from_be_bytes([head[2], head[3]]));
    match sign {
        0x0000 | 0x4000 => {}
        0xC000 | 0xD000 | 0xF000 => return Some(Numeric::NotFinite),
        _ => return None,
    }
    if digits.len() != 2 * count || weight.abs() * 4 > LONGEST {
        return None;
    }
    let digit = |position: i32| {
        let at = 2 * usize::try_from(position).ok()?;
        let pair = digits.get(at..at + 2)?;
        Some(u16::from_be_bytes([pair[0], pair[1]])).filter(|&digit| digit < 10_000)
    };
    if (0..count as i32).any(|position| digit(position).is_none()) {
        return None;
    }
    if sign == 0x4000 && count > 0 {
        text.push('-');
    }
    let begin = text.len();
    for position in 0..=weight {
        let padded = digit(position).unwrap_or(0);
        if text.len() > begin {
            write!(text, "{padded:04}").ok()?;
        } else if padded > 0 {
            write!(text, "{padded}").ok()?;
        }
    }
    if text.len() == begin {
        text.push('0');
    }
    if weight < count as i32 - 1 {
        text.push('.');
        for position in weight + 1..count as i32 {
            write!(text, "{:04}", digit(position).unwrap_or(0)).ok()?;
        }
        let kept = text.trim_end_matches('0').trim_end_matches('.').len();
        text.truncate(kept);
    }
    Some(Numeric::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(weight: i16, sign: u16, digits: &[u16]) -> Vec<u8> {
        let mut bytes = (digits.len() as u16).to_be_bytes().to_vec();
        bytes.extend(weight.to_be_bytes());
        bytes.extend(sign.to_be_bytes());
        bytes.extend(0u16.to_be_bytes());
        digits
            .iter()
            .for_each(|digit| bytes.extend(digit.to_be_bytes()));
        bytes
    }

    #[test]
    fn numbers_are_written_as_one_would() {
        for (weight, sign, digits, expected) in [
            (0, 0, &[][..], "0"),
            (0, 0, &[5], "5"),
            (0, 0x4000, &[5, 2500], "-5.25"),
            (1, 0, &[1, 20], "10020"),
            (2, 0, &[1], "100000000"),
            (-1, 0, &[1000], "0.1"),
            (-2, 0x4000, &[1], "-0.00000001"),
            (0, 0, &[12, 3400, 0], "12.34"),
        ] {
            let mut text = String::new();
            let read = write(&sent(weight, sign, digits), &mut text);
            assert_eq!((read, text.as_str()), (Some(Numeric::Number), expected));
        }
    }

    #[test]
    fn what_is_not_finite_is_told_and_what_is_no_number_refused() {
        let mut text = String::new();
        for sign in [0xC000, 0xD000, 0xF000] {
            let read = write(&sent(0, sign, &[]), &mut text);
            assert_eq!(read, Some(Numeric::NotFinite));
        }
        for bytes in [
            vec![],
            vec![0; 7],
            sent(0, 0x1234, &[]),
            sent(0, 0, &[10_000]),
            sent(0, 0, &[1])[..9].to_vec(),
        ] {
            assert_eq!(write(&bytes, &mut text), None, "{bytes:?}");
        }
        let longest = write(&sent(i16::MAX, 0, &[1]), &mut text);
        assert_eq!(longest, Some(Numeric::Number));
        assert_eq!(text.len(), 4 * 32_767 + 1);
    }
}
