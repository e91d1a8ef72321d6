use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, MapBuilder, StringBuilder};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    FixedSizeListArray, Float32Array, Float64Array, Int8Array, Int32Array, Int64Array,
    LargeListArray, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray,
    StringViewArray, StructArray, TimestampMicrosecondArray, TimestampNanosecondArray,
    TimestampSecondArray, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field};
use kinwood_values::Column;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type as ParquetType;

use super::*;

const FORMS: [Form; 3] = [Form::Parquet, Form::File, Form::Stream];

fn bytes(batches: &[RecordBatch], form: Form) -> Vec<u8> {
    let schema = batches[0].schema();
    let mut out = Vec::new();
    match form {
        Form::Parquet => {
            let mut writer = ArrowWriter::try_new(&mut out, schema, None).unwrap();
            batches
                .iter()
                .for_each(|batch| writer.write(batch).unwrap());
            writer.close().unwrap();
        }
        Form::File => {
            let mut writer = FileWriter::try_new(&mut out, &schema).unwrap();
            batches
                .iter()
                .for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
        Form::Stream => {
            let mut writer = StreamWriter::try_new(&mut out, &schema).unwrap();
            batches
                .iter()
                .for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
    }
    out
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn read_bytes(bytes: Vec<u8>, form: Form) -> Result<ArrowRead> {
    read(&Source::from_bytes("x", bytes), form)
}

/// The type and values of the only column, from every form.
fn shown(array: ArrayRef) -> (String, Vec<String>, Vec<String>) {
    let batches = [batch(vec![("x", array)])];
    let all = FORMS.map(|form| {
        let read = read_bytes(bytes(&batches, form), form).unwrap().read;
        let attribute = read.table.attribute(0);
        let values = (0..read.table.rows()).map(|row| attribute.column.value(row).to_string());
        let notices = read
            .notices
            .iter()
            .map(|notice| notice.message().to_owned());
        (
            attribute.type_of().to_string(),
            values.collect(),
            notices.collect(),
        )
    });
    assert_eq!(all[0], all[1]);
    assert_eq!(all[1], all[2]);
    let [first, ..] = all;
    first
}

fn check(
    array: impl arrow_array::Array + 'static,
    of: &str,
    values: &[&str],
    notice: Option<&str>,
) {
    let (found, shown, notices) = shown(Arc::new(array));
    assert_eq!(found, of);
    assert_eq!(shown, values, "{of}");
    let told = notices.first().map(String::as_str);
    assert_eq!(told, notice, "{of}");
}

#[test]
fn flat_columns() {
    check(
        BooleanArray::from(vec![Some(true), None]),
        "nominal",
        &["true", "?"],
        None,
    );
    check(
        Int8Array::from(vec![Some(-3), None]),
        "numeric",
        &["-3", "?"],
        None,
    );
    check(
        Float32Array::from(vec![0.5, -0.0]),
        "numeric",
        &["0.5", "0"],
        None,
    );
    check(
        StringArray::from(vec![Some("b"), None, Some("")]),
        "nominal",
        &["b", "?", ""],
        None,
    );
    check(LargeStringArray::from(vec!["b"]), "nominal", &["b"], None);
    check(
        StringViewArray::from(vec!["a rather long text"]),
        "string",
        &["a rather long text"],
        None,
    );
    check(NullArray::new(2), "nominal", &["?", "?"], None);
    check(
        Decimal128Array::from(vec![12345, -5])
            .with_precision_and_scale(10, 2)
            .unwrap(),
        "numeric",
        &["123.45", "-0.05"],
        None,
    );
    check(
        Date32Array::from(vec![Some(1), None]),
        "datetime",
        &["1970-01-02", "?"],
        None,
    );
    let zoned = TimestampSecondArray::from(vec![-1]).with_timezone("+02:00");
    check(zoned, "datetime", &["1969-12-31T23:59:59Z"], None);
}

#[test]
fn what_is_lost_is_told() {
    check(
        Float64Array::from(vec![Some(f64::NAN), None, Some(1.0)]),
        "numeric",
        &["?", "?", "1"],
        Some("1 values of column `x` of `x` are NaN: they count as missing"),
    );
    check(
        Float64Array::from(vec![f64::INFINITY, f64::NEG_INFINITY]),
        "numeric",
        &["?", "?"],
        Some("2 values of column `x` of `x` are infinite: they count as missing"),
    );
    let rounded = "1 values of column `x` of `x` have more digits than a double holds and are rounded; identifiers should be texts";
    check(
        Int64Array::from(vec![Some((1 << 53) + 1), None, Some(1 << 60)]),
        "numeric",
        &["9007199254740992", "?", "1.152921504606847e18"],
        Some(rounded),
    );
    check(
        UInt64Array::from(vec![u64::MAX]),
        "numeric",
        &["1.8446744073709552e19"],
        Some(rounded),
    );
    check(
        TimestampMicrosecondArray::from(vec![-1, 1_000]),
        "datetime",
        &["1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.001Z"],
        Some("1 values of column `x` of `x` are finer than a millisecond: the rest is dropped"),
    );
    check(
        TimestampNanosecondArray::from(vec![2_000_000]),
        "datetime",
        &["1970-01-01T00:00:00.002Z"],
        None,
    );
    check(
        TimestampSecondArray::from(vec![i64::MAX]),
        "datetime",
        &["?"],
        Some(
            "1 values of column `x` of `x` are dates outside of the calendar: they count as missing",
        ),
    );
}

#[test]
fn nested_columns() {
    let numbers = |values: Vec<Option<Vec<Option<i32>>>>| {
        ListArray::from_iter_primitive::<Int32Type, _, _>(values)
    };
    let lists = vec![
        Some(vec![Some(1), None]),
        None,
        Some(vec![]),
        Some(vec![Some(2)]),
    ];
    check(
        numbers(lists.clone()),
        "list<numeric>",
        &["[1, ?]", "?", "[]", "[2]"],
        None,
    );
    // A slice begins behind items that belong to nobody.
    let slice = numbers(lists.clone()).slice(2, 2);
    check(slice, "list<numeric>", &["[]", "[2]"], None);
    check(
        LargeListArray::from_iter_primitive::<Int32Type, _, _>(lists),
        "list<numeric>",
        &["[1, ?]", "?", "[]", "[2]"],
        None,
    );
    let pairs = vec![
        Some(vec![Some(1), Some(2)]),
        None,
        Some(vec![Some(3), None]),
    ];
    check(
        FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(pairs, 2),
        "list<numeric>",
        &["[1, 2]", "?", "[3, ?]"],
        None,
    );
    let mut map = MapBuilder::new(None, StringBuilder::new(), Int64Builder::new());
    map.keys().append_value("a");
    map.values().append_value(1);
    map.append(true).unwrap();
    map.append(false).unwrap();
    let (of, values, _) = shown(Arc::new(map.finish()));
    assert_eq!(of, "list<tuple<key: nominal, value: numeric>>");
    assert_eq!(values, ["[(a, 1)]", "?"]);
    let fields = vec![
        (
            Arc::new(Field::new("n", DataType::Int32, true)),
            Arc::new(Int32Array::from(vec![1, 2])) as ArrayRef,
        ),
        (
            Arc::new(Field::new("of list", DataType::Utf8, true)),
            Arc::new(StringArray::from(vec![None, Some("b")])) as ArrayRef,
        ),
    ];
    let (fields, arrays): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let nulls = NullBuffer::from(vec![true, false]);
    check(
        StructArray::new(fields.into(), arrays, Some(nulls)),
        "tuple<n: numeric, 'of list': nominal>",
        &["(1, ?)", "?"],
        None,
    );
}

#[test]
fn a_missing_list_hides_its_items() {
    let items = Arc::new(Int32Array::from(vec![1, 2, 3]));
    let field = Arc::new(Field::new_list_field(DataType::Int32, true));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(vec![0, 2, 3]));
    let nulls = NullBuffer::from(vec![false, true]);
    let lists = ListArray::new(field, offsets, items, Some(nulls));
    check(lists, "list<numeric>", &["?", "[3]"], None);
}

#[test]
fn a_missing_tuple_has_missing_fields() {
    let field = Arc::new(Field::new("n", DataType::Int32, false));
    let values: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    let nulls = NullBuffer::from(vec![true, false]);
    let tuples = StructArray::new(vec![field].into(), vec![values], Some(nulls));
    let read = read_bytes(
        bytes(&[batch(vec![("x", Arc::new(tuples))])], Form::File),
        Form::File,
    );
    let column = Arc::clone(&read.unwrap().read.table.attribute(0).column);
    let of = "tuple<n: numeric>".parse().unwrap();
    let values = [
        kinwood_values::Value::Tuple(vec![kinwood_values::Value::Number(1.0)]),
        kinwood_values::Value::Missing,
    ];
    assert_eq!(*column, Column::from_values(&of, &values).unwrap());
}

#[test]
fn dictionaries_keep_their_order_over_batches() {
    let first: DictionaryArray<Int8Type> = vec![Some("b"), None, Some("a")].into_iter().collect();
    let values: ArrayRef = Arc::new(StringArray::from(vec!["z", "a", "y"]));
    let second = DictionaryArray::new(Int8Array::from(vec![1, 1, 2]), values);
    let batches = [
        batch(vec![("x", Arc::new(first) as ArrayRef)]),
        batch(vec![("x", Arc::new(second) as ArrayRef)]),
    ];
    let read = read_bytes(bytes(&batches, Form::Stream), Form::Stream)
        .unwrap()
        .read;
    let attribute = read.table.attribute(0);
    let (codes, dictionary) = attribute.column.codes().unwrap();
    assert_eq!(
        dictionary.labels().collect::<Vec<_>>(),
        ["b", "a", "z", "y"]
    );
    assert_eq!(codes, [0, 0, 1, 1, 1, 3]);
    assert_eq!(attribute.column.missing(), 1);
    assert!(
        read.evidence[0].starts_with("declared Dictionary"),
        "{}",
        read.evidence[0]
    );
}

#[test]
fn other_types_are_left_out_and_told() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("n", Arc::new(Int32Array::from(vec![1]))),
        ("b", Arc::new(BinaryArray::from(vec![b"x".as_slice()]))),
    ];
    for form in FORMS {
        let read = read_bytes(bytes(&[batch(columns.clone())], form), form)
            .unwrap()
            .read;
        assert_eq!(read.table.attributes().len(), 1);
        let told = read.notices[0].message();
        assert_eq!(
            told,
            "column `b` of `x` is left out: values of type `Binary` are not read"
        );
    }
    let only = batch(columns[1..].to_vec());
    let error = read_bytes(bytes(&[only], Form::File), Form::File).unwrap_err();
    assert!(error.to_string().starts_with("`x` is empty"), "{error}");
}

#[test]
fn types_deeper_than_ours_are_left_out() {
    let mut array: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    for _ in 0..70 {
        let field = Arc::new(Field::new_list_field(array.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths([1]);
        array = Arc::new(ListArray::new(field, offsets, array, None));
    }
    let columns: Vec<(&str, ArrayRef)> =
        vec![("n", Arc::new(Int32Array::from(vec![1]))), ("deep", array)];
    let made = batch(columns);
    let options = ArrowWriterOptions::new().with_skip_arrow_metadata(true);
    let mut out = Vec::new();
    let mut writer = ArrowWriter::try_new_with_options(&mut out, made.schema(), options).unwrap();
    writer.write(&made).unwrap();
    writer.close().unwrap();
    let read = read_bytes(out, Form::Parquet).unwrap().read;
    let told = read.notices[0].message();
    assert!(
        told.ends_with("its type is nested more than 64 levels deep"),
        "{told}"
    );
}

#[test]
fn usual_compressions_are_read() {
    let made = batch(vec![(
        "x",
        Arc::new(Int32Array::from_iter_values(0..1000)) as ArrayRef,
    )]);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let gzip = Compression::GZIP(Default::default());
    for compression in [Compression::SNAPPY, zstd, Compression::LZ4_RAW, gzip] {
        let properties = WriterProperties::builder()
            .set_compression(compression)
            .build();
        let mut out = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut out, made.schema(), Some(properties)).unwrap();
        writer.write(&made).unwrap();
        writer.close().unwrap();
        let read = read_bytes(out, Form::Parquet).unwrap().read;
        assert_eq!(read.table.attribute(0).column.number(999), Some(999.0));
    }
    for compression in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let options = IpcWriteOptions::default()
            .try_with_compression(Some(compression))
            .unwrap();
        let mut out = Vec::new();
        let mut writer =
            FileWriter::try_new_with_options(&mut out, &made.schema(), options).unwrap();
        writer.write(&made).unwrap();
        writer.finish().unwrap();
        drop(writer);
        let read = read_bytes(out, Form::File).unwrap().read;
        assert_eq!(read.table.attribute(0).column.number(999), Some(999.0));
    }
}

#[test]
fn a_schema_in_the_metadata_is_found_and_checked() {
    let with = |text: &str| {
        let made = batch(vec![("x", Arc::new(Int32Array::from(vec![1])) as ArrayRef)]);
        let metadata = HashMap::from([(SCHEMA_KEY.to_owned(), text.to_owned())]);
        let schema = made.schema().as_ref().clone().with_metadata(metadata);
        bytes(
            &[made.with_schema(Arc::new(schema)).unwrap()],
            Form::Parquet,
        )
    };
    let read = read_bytes(with("target = 'x'"), Form::Parquet).unwrap();
    assert_eq!(read.schema.unwrap().targets, ["x"]);
    let error = read_bytes(with("tarmac = 'x'"), Form::Parquet)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("x, its `kinwood.schema`:1:1: expected"),
        "{error}"
    );
}

/// A file of several batches with every kind of buffer, to be damaged.
fn victim(form: Form, compressed: bool) -> Vec<u8> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in 0..40 {
        (0..row % 3).for_each(|item| lists.values().append_value(format!("item {item}")));
        lists.append(row % 7 != 0);
    }
    let labels: DictionaryArray<Int8Type> = (0..40)
        .map(|row| ["a", "b", "c"].get(row % 4).copied())
        .collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "n",
            Arc::new(Float64Array::from_iter(
                (0..40).map(|row| (row % 5 > 0).then_some(0.5)),
            )),
        ),
        (
            "s",
            Arc::new(StringArray::from_iter(
                (0..40).map(|row| Some(format!("text {row}"))),
            )),
        ),
        ("d", Arc::new(labels)),
        ("l", Arc::new(lists.finish())),
    ];
    let made = batch(columns);
    if !compressed {
        return bytes(&[made.clone(), made], form);
    }
    let mut out = Vec::new();
    let options = IpcWriteOptions::default()
        .try_with_compression(Some(CompressionType::LZ4_FRAME))
        .unwrap();
    let mut writer = StreamWriter::try_new_with_options(&mut out, &made.schema(), options).unwrap();
    writer.write(&made).unwrap();
    writer.finish().unwrap();
    drop(writer);
    out
}

#[test]
fn a_file_that_is_cut_off_is_an_error_that_names_it() {
    for form in FORMS {
        let whole = victim(form, false);
        for length in (0..whole.len()).step_by(7) {
            match read_bytes(whole[..length].to_vec(), form) {
                Err(error) => assert!(error.to_string().contains("`x` is"), "{error}"),
                // A stream may end behind any message.
                Ok(read) => {
                    assert_eq!(form, Form::Stream);
                    assert!(read.read.table.rows() <= 80);
                }
            }
        }
    }
}

#[test]
fn damaged_bytes_are_read_or_refused() {
    // A generator of our own keeps the damage the same on every machine.
    let mut state = 1u64;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below
    };
    let mut refused = 0;
    let runs = std::env::var("KINWOOD_ARROW_RUNS").map_or(1500, |runs| runs.parse().unwrap());
    for run in 0..runs {
        let (form, compressed) = [
            (Form::Parquet, false),
            (Form::File, false),
            (Form::Stream, false),
            (Form::Stream, true),
        ][run % 4];
        let mut damaged = victim(form, compressed);
        for _ in 0..=random(4) {
            let at = random(damaged.len());
            match random(4) {
                0 => damaged[at] ^= 1 << random(8),
                1 => damaged[at] = random(256) as u8,
                2 => damaged[at] = [0, 0xff, 0x7f, 0x80][random(4)],
                _ => {
                    let end = (at + 1 + random(8)).min(damaged.len());
                    damaged.drain(at..end);
                }
            }
            if damaged.is_empty() {
                damaged.push(0);
            }
        }
        refused += usize::from(read_bytes(damaged, form).is_err());
    }
    assert!(refused > runs / 10, "{refused}");
}

/// A Parquet file without rows, its only column so deep in groups.
fn nested(levels: usize) -> Vec<u8> {
    let build = move || {
        let required = Repetition::REQUIRED;
        let leaf = ParquetType::primitive_type_builder("x", PhysicalType::INT32);
        let mut of = Arc::new(leaf.with_repetition(required).build().unwrap());
        for _ in 0..levels {
            let group = ParquetType::group_type_builder("g").with_repetition(required);
            of = Arc::new(group.with_fields(vec![of]).build().unwrap());
        }
        let root = ParquetType::group_type_builder("r").with_fields(vec![of]);
        let mut out = Vec::new();
        let schema = Arc::new(root.build().unwrap());
        let writer = SerializedFileWriter::new(&mut out, schema, Arc::default()).unwrap();
        writer.close().unwrap();
        out
    };
    // The writer recurses too.
    let thread = std::thread::Builder::new().stack_size(1 << 28);
    thread.spawn(build).unwrap().join().unwrap()
}

#[test]
fn a_schema_too_deep_for_the_stack_is_refused() {
    for levels in [300, 3_000, 20_000] {
        let message = read_bytes(nested(levels), Form::Parquet)
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "`x` is no whole Parquet file: its schema is nested more than 256 levels deep"
        );
    }
    let error = read_bytes(nested(250), Form::Parquet).unwrap_err();
    assert!(matches!(error, Error::Empty { .. }), "{error}");
}
