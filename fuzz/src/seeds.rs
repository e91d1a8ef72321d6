//! Seeds: small inputs that use every feature of a format.

mod files;
mod models;
mod postgres;

use kinwood_values::{Column, Type};
use serde_json::{Value, json};

pub use files::{arrow, parquet, sqlite};
pub use models::{asked, contents, models, sections};
pub use postgres::postgres;

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

/// Studies: every key.
pub fn study() -> Vec<Vec<u8>> {
    all(&[
        "title = \"Three\"\nseed = 3\nmeasure = \"accuracy\"\nlevel = 0.05\nrope = 0.01\ninner_folds = 3\nsplit = { folds = 10, repeats = 1 }\n[[data]]\npath = \"iris.arff\"\nname = \"Iris\"\ntarget = \"class\"\nignore = [\"x\"]\nroles = { id = \"id\" }\nrows = \"a > 1\"\nschema = \"s.toml\"\nbag = \"b\"\n[[learners]]\nlearner = \"knn\"\ngrid = { k = [1, 3], weights = [\"none\"] }\n[[learners]]\nname = \"SVM\"\nlearner = \"svm\"\nsettings = { kernel = \"default\" }\ntune = { c = [1, 10.5, true] }\n",
        "[[data]]\npath = \"a\"\ntargets = [\"x\", \"y\"]\nsplit = { train_share = 0.6, repeats = 25 }\n[[learners]]\nlearner = \"mean\"\n",
    ])
}

/// Settings files of CLUS.
pub fn clus() -> Vec<Vec<u8>> {
    all(&[
        "% a run\n[Data]\nFile = 'iris.arff' % the data\n\n[Attributes]\nTarget = 4-5, 1\nDisable = None\n[tree]\nheuristic=Gain\n[Beam]\nBeamWidth = 10\nMaxSize = Infinity\nPostPrune = Yes\n",
        "[Output]\nAnything = 1\n",
    ])
}

/// Patterns of facts.
pub fn patterns() -> Vec<Vec<u8>> {
    all(&[
        "class(molecule, label: target)",
        "a(atom, 'Element b': symbol, _, charge: number)",
        "p(_, a, number)",
    ])
}

/// Constraints on trees.
pub fn constraints() -> Vec<Vec<u8>> {
    all(&[
        "size <= 11 and (depth <= 4 or cost < 2.5)",
        "not (uses(age) or uses('colour')) and leaf >= 5",
        "accuracy >= 90% or error <= 0.1",
        "monotone(age, up) and monotone(size, down, high) and like(FILE)",
        "fair(colour) <= 0.1 and fair(colour, low) < 0.2",
        "(uses(size) or depth <= 3) and (uses(age) or depth <= 2)",
    ])
}

/// Partial trees, printed and in JSON.
pub fn sketches() -> Vec<Vec<u8>> {
    all(&[
        "size > 2.45\n+--yes: age > ?\n|       +--yes: ?\n|       +--no:  [high]\n+--no:  colour in {red, 'blue'}\n        +--yes: ?\n        +--no:  leaf\n",
        "colour = red\n+--yes: ?\n+--no: [low] 3.0: 2\n",
        "?",
    ])
}

/// A learner, and settings of it.
pub fn settings() -> Vec<Vec<u8>> {
    all(&[
        "knn\nk=3\nweights=kernel\nfilter=ib3\ndistance=euclidean\n",
        "tree\npreset=paper\nheuristic=gain\nleaf=2\nconstraints=size <= 11\npruning=c45\nconfidence=0.25\n",
        "svm\nc=10\ntune=no\n",
        "forest\ntrees=10\nsample=bootstrap\n",
        "mirt\nleaf=2\nbindings=2\n",
        "kstar\n",
        "oner\nbucket=6\n",
    ])
}

/// Ways to divide rows.
pub fn divisions() -> Vec<Vec<u8>> {
    all(&[
        "folds=5,repeats=2",
        "train_share=0.6,repeats=25",
        "leave_one_out=true",
        "column=fold",
        "apart=a,apart=b,folds=3",
        "by_time=date,folds=4",
    ])
}

/// URLs of databases.
pub fn urls() -> Vec<Vec<u8>> {
    all(&[
        "postgresql://ann:secret@db.example:5433/sales?sslmode=require&connect_timeout=3",
        "postgres://ann@[::1],10.0.0.1:6/sales?password=secret",
        "postgresql:///sales?host=/run/postgresql&user=ann&sslrootcert=%2Froot.pem",
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
