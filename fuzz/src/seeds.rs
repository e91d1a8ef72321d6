//! Seeds: small inputs that use every feature of a format.

use kinwood::container::{Kind, Sections, Stored};
use kinwood::learners::testing::{CLASS, NUMBER, mixed_view};
use kinwood::learners::{Context, Registry};
use kinwood::{Origin, Problem, Trained, sample};
use kinwood_values::{Column, Type};
use serde_json::{Map, Value, json};

fn all(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// ARFF: every attribute type, sparse rows, weights, quotes, bags, hierarchies.
pub fn arff() -> Vec<Vec<u8>> {
    all(&[
        "@relation r\n@attribute x numeric\n@attribute 'a b' {a,'b c',\"d\"}\n@data\n1.5,a\n?,'b c'\n-2e3,d,{0.5}\n",
        "% c\n@RELATION r\n@ATTRIBUTE s string\n@attribute d date \"yyyy-MM-dd HH:mm:ss\"\n@DATA\n'it\\'s',\"2024-05-01 10:20:30\"\n?,?\n",
        "@relation bags\n@attribute id {m1,m2}\n@attribute bag relational\n @attribute f1 numeric\n @attribute f2 {x,y}\n@end bag\n@attribute class {0,1}\n@data\nm1,'1,x\\n2,y',1\nm2,'3,?',0\n",
        "@relation s\n@attribute a numeric\n@attribute b {x,y}\n@data\n{0 1.5, 1 y}\n{}\n{1 y},{2}\n",
        "@relation h\n@attribute k key\n@attribute class hierarchical 1,1/1,1/2,2\n@data\na,1/1@2\nb,1\n",
    ])
}

/// CSV: delimiters, quotes, headers, dates, missing markers.
pub fn csv() -> Vec<Vec<u8>> {
    all(&[
        "a,b,c\n1,x,2024-05-01\n2,\"y, z\",2024-05-02T10:00:00Z\n?,\"q\"\"q\",\n",
        "\"id\";\"name\"\n1;\"Hl.m. Praha\"\n2;Brno\n",
        " 1 1 1 3 data_5\n 1 1 2 1 data_6\n",
        "x\ty\n1\t2\n3\t4\n",
        "5.1,3.5,a,\n4.9,3.0,b,\n",
        "text\n\"a line\nbreak\"\nmore\n",
    ])
}

/// JSON: rows, lines, tables, nesting.
pub fn json() -> Vec<Vec<u8>> {
    all(&[
        r#"[{"a":1,"b":"x","c":[{"d":1},{"d":null}]},{"a":null,"b":"y","c":[]}]"#,
        "{\"a\":1,\"b\":[[1],[2,3]]}\n{\"a\":2.5e3,\"b\":[]}\n",
        r#"{"atom":[{"id":1,"e":"c"}],"bond":[{"a":1,"b":1,"ok":true}]}"#,
        "[{\"d\":\"2024-05-01\",\"s\":\"\\u00e9\\n\"}]",
    ])
}

/// Prolog: facts, lists, quotes, comments, negatives, directives.
pub fn prolog() -> Vec<Vec<u8>> {
    all(&[
        "atm(d1,d1_1,c,22,-0.117).\nbond(d1,d1_1,d1_2,7). % c\n/* x */ p('it''s',\"s\",[a,b|T],f(g(X),_)).\n",
        "active(d1).\n:- active(d2).\n:- dynamic foo/2.\nh(X) :- b(X).\n",
        "phen(d1,<[a,b],[c],[d]>).\nq(0x1F,0'a,-3,1.5e-3).\n",
    ])
}

/// The bytes of samples as they are written: numbers, labels, dates, missing values, texts, lists,
/// trees, graphs.
fn written(ending: &str, names: &[&str]) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written to");
    let path = folder.path().join(format!("sample.{ending}"));
    let bytes = |name: &&str| {
        let kind = sample::find(name).expect("it is a sample");
        let made = kind.write(5, 0.5, 1, &path, true);
        made.expect("a small sample can be written");
        std::fs::read(&path).expect("what was written can be read")
    };
    names.iter().map(bytes).collect()
}

/// Parquet: every kind of column.
pub fn parquet() -> Vec<Vec<u8>> {
    written("parquet", &["table", "phrases", "shapes"])
}

/// Arrow: files with a footer, and the streams inside of them.
pub fn arrow() -> Vec<Vec<u8>> {
    let files = written("arrow", &["table", "phrases", "shapes"]);
    // Between its magic number and its footer, a file is a stream: messages, of which the last has
    // no length.
    let streams = files.iter().map(|file| {
        let mark = |bytes: &[u8]| bytes.starts_with(&[0xff; 4]);
        let last = |bytes: &[u8]| mark(bytes) && bytes.ends_with(&[0; 4]);
        let begin = file.windows(4).position(mark).unwrap_or(0);
        let end = file.windows(8).rposition(last).unwrap_or(0) + 8;
        file[begin..end].to_vec()
    });
    streams.chain(files.iter().cloned()).collect()
}

/// SQLite: tables with keys and every kind of column.
pub fn sqlite() -> Vec<Vec<u8>> {
    written("sqlite", &["table", "phrases", "shapes", "bags"])
}

/// Schema files: every key.
pub fn schema() -> Vec<Vec<u8>> {
    all(&[
        "target = \"m.active\"\n[tables.m]\nfile = \"m.csv\"\nkey = \"id\"\nheader = \"none\"\ndelimiter = \";\"\nmissing = [\"?\"]\n[tables.m.columns]\nid = { type = \"nominal\", role = \"id\" }\nx = \"numeric\"\nc = { type = \"set<nominal>\", hierarchy = \"/\" }\n[[tables.a.foreign_keys]]\ncolumns = [\"m\", \"n\"]\nreferences = \"m\"\nto = \"id\"\nname = \"k\"\n",
        "target = [\"a\", \"b\"]\n[tables.t.columns]\na = { type = \"nominal\", values = [\"0\", \"1\"] }\nb = \"tuple<x: numeric, list<tree>>\"\n",
    ])
}

/// Types.
pub fn types() -> Vec<Vec<u8>> {
    all(&[
        "set<tuple<nominal, charge: numeric>>",
        "bag<list<ref<'my table'>>>",
        "datetime",
        "tuple<>",
        "graph",
    ])
}

/// A type and a value of it in JSON.
pub fn values() -> Vec<Vec<u8>> {
    all(&[
        "set<tuple<nominal, numeric>>\n[[\"a\",1],[\"b\",2.5],[\"a\",1]]",
        "graph\n{\"directed\":false,\"nodes\":{\"1\":\"C\"},\"edges\":[[\"1\",\"1\",\"double\"]]}",
        "graph\n[[\"a\",\"b\"],[\"b\",\"c\",\"x\"]]",
        "list<term>\n[\"p(f(a),X)\",\"[a,b|T]\",null]",
        "bag<tree>\n[\"a(b,c(d))\",\"a(b,c(d))\"]",
        "tuple<d: datetime, r: ref<t>>\n{\"d\":\"2024-05-01\"}",
    ])
}

/// Trees.
pub fn trees() -> Vec<Vec<u8>> {
    all(&["a(b,c(d))", "'it''s'( x , y )", "a"])
}

/// Terms.
pub fn terms() -> Vec<Vec<u8>> {
    all(&[
        "p(f(a),X)",
        "[a,b|T]",
        "'A b'(-1.5e3,_,\"s\")",
        "[]",
        "f([[]],X,X)",
    ])
}

/// Dates and times.
pub fn datetimes() -> Vec<Vec<u8>> {
    all(&[
        "2024-05-01",
        "2024-05-01T12:30:00.250Z",
        "2024-05-01 12:30:00+02:00",
        "-0044-03-15",
    ])
}

/// Conditions on rows.
pub fn conditions() -> Vec<Vec<u8>> {
    all(&[
        "size >= 2 and (age < 3 or not colour in (red, 'green'))",
        "\"class\" != low or age is not missing",
    ])
}

/// Distances and kernels.
pub fn expressions() -> Vec<Vec<u8>> {
    all(&[
        "hausdorff(mean(discrete * 2, absolute(range=train)), empty=0.5)",
        "euclidean(a: absolute(least=0, greatest=2, missing=skip), 'b c': default, missing=max, far=3)",
        "induced(normalised(set(gaussian(0.5), power=2)))",
        "scaled(edit(insert=1, delete=2, substitute=0.5), by=train)",
        "matching(absolute, M=3)",
        "ranked_hausdorff(scaled(discrete, by=2), k=2, empty=1)",
        "polynomial(tree_edit(1, 2, 1), gamma=2, p=3, origin='\"a(b)\"')",
        "walk(weight=0.1)",
        "spectrum(k=2)",
        "subsequence(lambda=0.5, length=2)",
        "lgg",
        "structural",
    ])
}

/// Values to measure: a few of each kind, one of them missing.
pub fn measured() -> Vec<(Type, Column)> {
    let kinds = [
        ("numeric", json!([1, 2.5, null])),
        ("string", json!(["abca", "bc", ""])),
        ("set<numeric>", json!([[1, 2], [2.5], []])),
        ("list<nominal>", json!([["a", "b"], ["b"], null])),
        (
            "tuple<a: nominal, 'b c': numeric>",
            json!([["x", 1], ["y", null], null]),
        ),
        ("tree", json!(["a(b,c)", "a(c(d))", "b"])),
        ("term", json!(["f(a,X)", "f(b,[a])", "g"])),
        (
            "graph",
            json!([[["a", "b"]], [["a", "b"], ["b", "c"]], null]),
        ),
    ];
    let column = |(of, values): (&str, Value)| {
        let of: Type = of.parse().expect("a type");
        let values: Vec<kinwood_values::Value> = values
            .as_array()
            .into_iter()
            .flatten()
            .map(|json| kinwood_values::Value::from_json(&of, json).expect("a value"))
            .collect();
        let column = Column::from_values(&of, &values).expect("values of the type");
        (of, column)
    };
    kinds.into_iter().map(column).collect()
}

/// A model of each learner.
fn trained() -> Vec<Trained> {
    let fit = |(learner, targets): (&str, &[usize])| {
        let problem = Problem {
            view: mixed_view(12),
            targets: targets.to_vec(),
            rows: None,
        };
        Trained::fit(
            &Registry::new(),
            learner,
            &[],
            &problem,
            &Origin::default(),
            &Context::new(),
        )
        .expect("the learners fit the sample")
        .0
    };
    let learners: [(&str, &[usize]); 4] = [
        ("majority", &[CLASS]),
        ("mean", &[NUMBER]),
        ("oner", &[CLASS]),
        ("knn", &[CLASS, NUMBER]),
    ];
    learners.into_iter().map(fit).collect()
}

/// Model files.
pub fn models() -> Vec<Vec<u8>> {
    let bytes = |model: &Trained| {
        model
            .sections()
            .and_then(|sections| Ok(sections.to_bytes()?))
    };
    trained()
        .iter()
        .map(|model| bytes(model).expect("a model can be written"))
        .collect()
}

/// Model files as JSON text, section by section.
pub fn contents() -> Vec<Vec<u8>> {
    models()
        .into_iter()
        .map(|bytes| {
            let stored = Stored::from_bytes(bytes).expect("what was written can be read");
            listing(&stored).to_string().into_bytes()
        })
        .collect()
}

fn listing(stored: &Stored) -> Value {
    let section = |name: &str| -> Option<Value> {
        Some(match stored.shape(name).ok()?.0 {
            Kind::U8 => json!({"u8": stored.bytes(name).ok()?}),
            Kind::U32 => json!({"u32": stored.u32s(name).ok()?}),
            Kind::U64 => json!({"u64": stored.u64s(name).ok()?}),
            Kind::I64 => json!({"i64": stored.i64s(name).ok()?}),
            // JSON has no NaN: the filler of missing numbers goes as text.
            Kind::F64 => {
                json!({"f64": stored.f64s(name).ok()?.iter().map(f64::to_string).collect::<Vec<_>>()})
            }
            Kind::Text => json!({"text": stored.text(name).ok()?}),
            Kind::Json => json!({"json": stored.json::<Value>(name).ok()?}),
        })
    };
    let sections: Map<String, Value> = stored
        .names()
        .filter_map(|name| Some((name.to_owned(), section(name)?)))
        .collect();
    json!({"manifest": stored.manifest(), "sections": sections})
}

/// The sections that such a text describes.
pub fn sections(text: &[u8]) -> Option<Sections> {
    let listing: Value = serde_json::from_slice(text).ok()?;
    let mut sections = Sections::new();
    *sections.manifest_mut() = listing.get("manifest")?.as_object()?.clone();
    for (name, content) in listing.get("sections")?.as_object()? {
        let (kind, values) = content.as_object()?.iter().next()?;
        let items = values.as_array();
        let numbers = |most: u64| -> Option<Vec<u64>> {
            items?
                .iter()
                .map(|item| item.as_u64().filter(|number| *number <= most))
                .collect()
        };
        match kind.as_str() {
            "u8" => {
                let bytes: Vec<u8> = numbers(255)?
                    .into_iter()
                    .map(|number| number as u8)
                    .collect();
                sections.put_u8(name, &bytes)
            }
            "u32" => {
                let words: Vec<u32> = numbers(u64::from(u32::MAX))?
                    .into_iter()
                    .map(|number| number as u32)
                    .collect();
                sections.put_u32(name, &words)
            }
            "u64" => sections.put_u64(name, &numbers(u64::MAX)?),
            "i64" => sections.put_i64(
                name,
                &items?
                    .iter()
                    .map(Value::as_i64)
                    .collect::<Option<Vec<_>>>()?,
            ),
            "f64" => {
                let parse = |item: &Value| item.as_str()?.parse().ok();
                sections.put_f64(
                    name,
                    &items?.iter().map(parse).collect::<Option<Vec<f64>>>()?,
                )
            }
            "text" => sections.put_text(
                name,
                &items?
                    .iter()
                    .map(Value::as_str)
                    .collect::<Option<Vec<_>>>()?,
            ),
            "json" => sections.put_json(name, values),
            _ => return None,
        }
        .ok()?;
    }
    Some(sections)
}
