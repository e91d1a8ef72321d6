//! Sizes that a file announces, checked against the file before anybody allocates by them.

use std::io::{Read, Seek, SeekFrom};

use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Message, RecordBatch, root_as_footer, root_as_message};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;

use super::footer;

/// What stands before a message since Arrow 0.15.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Compressed bytes may announce this many when decompressed …
const PLENTY: u64 = 1 << 31;
/// … or so many times as many as they are.
const MOST_TIMES: u64 = 100_000;

/// The footer of a Parquet file.
pub(super) fn parquet_footer(input: &impl ChunkReader, size: u64) -> Result<(), String> {
    let read = |begin: u64, length: usize| {
        let bytes = input.get_bytes(begin, length);
        bytes.map_err(|error| error.to_string())
    };
    let begin = size.checked_sub(8).ok_or("it is too short")?;
    let end = read(begin, 8)?;
    let (length, mark) = end.split_at(4);
    if mark != b"PAR1" {
        return Err("it does not end as such files do, perhaps it is cut off".to_owned());
    }
    let length = length.try_into().map_or(0, u32::from_le_bytes);
    let begin = begin
        .checked_sub(length.into())
        .ok_or("its footer is said to be longer than the file")?;
    footer::check(&read(begin, length as usize)?)
}

/// The column chunks of a Parquet file.
pub(super) fn parquet(metadata: &ParquetMetaData, size: u64) -> Result<(), String> {
    let columns = metadata
        .row_groups()
        .iter()
        .flat_map(|group| group.columns());
    for column in columns {
        let begin = match column.dictionary_page_offset() {
            Some(dictionary) => dictionary.min(column.data_page_offset()),
            None => column.data_page_offset(),
        };
        within(begin, column.compressed_size(), size).ok_or_else(|| {
            format!(
                "the column `{}` is said to lie outside",
                column.column_path()
            )
        })?;
    }
    Ok(())
}

/// The blocks that the footer of an Arrow file names.
pub(super) fn file<R: Read + Seek>(input: &mut R, size: u64) -> Result<(), String> {
    let short = || "it is too short".to_owned();
    let mut end = [0; 10];
    input.seek(SeekFrom::End(-10)).map_err(|_| short())?;
    input.read_exact(&mut end).map_err(|_| short())?;
    let length = read_footer_length(end).map_err(|_| "it does not end as such files do")?;
    let begin = size
        .checked_sub(10 + length as u64)
        .ok_or("its footer is said to be longer than the file")?;
    let footer = bytes(input, begin, length)?;
    let footer = root_as_footer(&footer).map_err(|error| format!("its footer is none: {error}"))?;
    let dictionaries = footer.dictionaries().into_iter().flatten();
    let batches = footer.recordBatches().into_iter().flatten();
    for block in dictionaries.chain(batches) {
        let outside = || "a block is said to lie outside".to_owned();
        let end =
            within(block.offset(), block.metaDataLength().into(), size).ok_or_else(outside)?;
        let body = i64::try_from(end).map_err(|_| outside())?;
        within(body, block.bodyLength(), size).ok_or_else(outside)?;
        let begin = end - block.metaDataLength() as u64;
        let metadata = bytes(input, begin, block.metaDataLength() as usize)?;
        let prefix = if metadata.starts_with(&CONTINUATION) {
            8
        } else {
            4
        };
        let metadata = metadata.get(prefix..).ok_or("a block without a message")?;
        message(input, metadata, end, size)?;
    }
    input.rewind().map_err(|error| error.to_string())
}

/// The messages of a stream.
pub(super) fn stream<R: Read + Seek>(input: &mut R, size: u64) -> Result<(), String> {
    let mut at = 0;
    while at + 4 <= size {
        let mut word = bytes(input, at, 4)?;
        at += 4;
        if word == CONTINUATION {
            if at + 4 > size {
                return Err("it is cut off".to_owned());
            }
            word = bytes(input, at, 4)?;
            at += 4;
        }
        let length = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        if length == 0 {
            break;
        }
        let end = at + u64::from(length);
        if end > size {
            return Err("it is cut off".to_owned());
        }
        let metadata = bytes(input, at, length as usize)?;
        at = message(input, &metadata, end, size)?;
    }
    input.rewind().map_err(|error| error.to_string())
}

/// Checks a message whose body begins at `body`, and says where that ends.
fn message<R: Read + Seek>(
    input: &mut R,
    metadata: &[u8],
    body: u64,
    size: u64,
) -> Result<u64, String> {
    let message =
        root_as_message(metadata).map_err(|error| format!("a message is none: {error}"))?;
    let end = i64::try_from(body)
        .ok()
        .and_then(|body| within(body, message.bodyLength(), size))
        .ok_or("it is cut off")?;
    let batch = batch_of(&message);
    let compressed = batch.is_some_and(|batch| batch.compression().is_some());
    let buffers = batch.and_then(|batch| batch.buffers());
    for buffer in buffers.into_iter().flatten() {
        let outside = || "a buffer is said to lie outside".to_owned();
        let begin = i64::try_from(body)
            .ok()
            .filter(|_| buffer.offset() >= 0)
            .and_then(|body| body.checked_add(buffer.offset()))
            .ok_or_else(outside)?;
        within(begin, buffer.length(), end).ok_or_else(outside)?;
        if !compressed || buffer.length() < 8 {
            continue;
        }
        let announced = bytes(input, begin as u64, 8)?;
        let announced = announced.try_into().map_or(0, i64::from_le_bytes);
        // A length of -1 says that the buffer is not compressed after all.
        let announced = u64::try_from(announced).unwrap_or(0);
        if announced > PLENTY && announced / MOST_TIMES > buffer.length() as u64 {
            return Err(format!("a compressed buffer announces {announced} bytes"));
        }
    }
    Ok(end)
}

fn batch_of<'a>(message: &Message<'a>) -> Option<RecordBatch<'a>> {
    message.header_as_record_batch().or_else(|| {
        message
            .header_as_dictionary_batch()
            .and_then(|dictionary| dictionary.data())
    })
}

/// Where something of this length ends, if that is in the file.
fn within(begin: i64, length: i64, size: u64) -> Option<u64> {
    let end = u64::try_from(begin)
        .ok()?
        .checked_add(u64::try_from(length).ok()?)?;
    (end <= size).then_some(end)
}

fn bytes<R: Read + Seek>(input: &mut R, begin: u64, length: usize) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut bytes = vec![0; length];
    input.seek(SeekFrom::Start(begin)).map_err(failed)?;
    input.read_exact(&mut bytes).map_err(failed)?;
    Ok(bytes)
}
