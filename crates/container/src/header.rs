//! The fixed bytes at the start of the file: version, sizes and the checksums of what follows.
//!
//! Header, manifest and section table have a checksum each, so that damage is reported where it
//! is. The version is judged before the header's own checksum, because a later version may place
//! that checksum elsewhere.

use sha2::{Digest, Sha256};

use crate::error::{Damage, Error, Place, Result, damaged};
use crate::signature::{FORMAT_VERSION, Resemblance, SIGNATURE};

/// Bytes of the header.
pub(crate) const HEADER_LENGTH: usize = 144;

/// Bytes of the header that its own checksum covers.
const COVERED: usize = 104;

/// The header's last bytes: they end the line, so that the manifest starts on its own.
const LINE_END: [u8; 8] = *b"\0\0\0\0\0\0\0\n";

/// The largest manifest in bytes: a manifest is for reading, arrays go into sections.
pub(crate) const LARGEST_MANIFEST: u64 = 16 << 20;

/// A SHA-256 checksum.
pub(crate) type Checksum = [u8; 32];

/// The SHA-256 checksum of `bytes`.
pub(crate) fn checksum(bytes: &[u8]) -> Checksum {
    Sha256::digest(bytes).into()
}

/// The number of zero bytes that fill `length` up to a multiple of eight.
pub(crate) fn padding(length: u64) -> usize {
    (length.wrapping_neg() % 8) as usize
}

/// The content of the header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) section_count: u32,
    pub(crate) file_length: u64,
    pub(crate) manifest_length: u64,
    pub(crate) table_length: u64,
    pub(crate) manifest_checksum: Checksum,
    pub(crate) table_checksum: Checksum,
}

impl Header {
    /// The header as it stands in the file.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_LENGTH);
        bytes.extend_from_slice(&SIGNATURE);
        bytes.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes.extend_from_slice(&self.section_count.to_le_bytes());
        bytes.extend_from_slice(&self.file_length.to_le_bytes());
        bytes.extend_from_slice(&self.manifest_length.to_le_bytes());
        bytes.extend_from_slice(&self.table_length.to_le_bytes());
        bytes.extend_from_slice(&self.manifest_checksum);
        bytes.extend_from_slice(&self.table_checksum);
        let own = checksum(&bytes);
        bytes.extend_from_slice(&own);
        bytes.extend_from_slice(&LINE_END);
        bytes
    }

    /// Reads the header from the first bytes of a file; more bytes may follow.
    pub(crate) fn decode(start: &[u8]) -> Result<Header> {
        let cut_off = || {
            damaged(
                Place::Header,
                Damage::Truncated {
                    needed: HEADER_LENGTH as u64,
                    found: start.len() as u64,
                },
            )
        };
        let mut cursor = Cursor::new(start);
        match cursor.take::<8>() {
            Some(SIGNATURE) => {}
            None if !start.is_empty() && SIGNATURE.starts_with(start) => return Err(cut_off()),
            _ => {
                return Err(Error::NotModel {
                    looks_like: Resemblance::of(start),
                });
            }
        }
        match cursor.u32() {
            Some(FORMAT_VERSION) => {}
            Some(found) => return Err(Error::Version { found }),
            None => return Err(cut_off()),
        }
        let header = cursor.header_fields().ok_or_else(cut_off)?;
        let own = cursor.take().ok_or_else(cut_off)?;
        let line_end = cursor.take().ok_or_else(cut_off)?;
        if own != checksum(&start[..COVERED]) {
            return Err(damaged(Place::Header, Damage::Checksum));
        }
        if line_end != LINE_END {
            return Err(damaged(Place::Header, Damage::Padding));
        }
        if header.manifest_length > LARGEST_MANIFEST {
            return Err(Error::TooLarge {
                place: Place::Manifest,
                limit: LARGEST_MANIFEST,
                found: header.manifest_length,
            });
        }
        Ok(header)
    }
}

/// Reads fixed fields one after the other; past the end there is nothing.
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { rest: bytes }
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*field)
    }

    pub(crate) fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (slice, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(slice)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn header_fields(&mut self) -> Option<Header> {
        Some(Header {
            section_count: self.u32()?,
            file_length: self.u64()?,
            manifest_length: self.u64()?,
            table_length: self.u64()?,
            manifest_checksum: self.take()?,
            table_checksum: self.take()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_undoes_encoding() {
        let header = Header {
            section_count: 3,
            file_length: 1 << 40,
            manifest_length: 12,
            table_length: 216,
            manifest_checksum: checksum(b"manifest"),
            table_checksum: checksum(b"table"),
        };
        let bytes = header.encode();
        assert_eq!(bytes.len(), HEADER_LENGTH);
        assert_eq!(Header::decode(&bytes).unwrap(), header);
    }

    #[test]
    fn padding_fills_up_to_eight() {
        let paddings: Vec<usize> = (0..10).map(padding).collect();
        assert_eq!(paddings, [0, 7, 6, 5, 4, 3, 2, 1, 0, 7]);
    }
}
