//! The verbs that compare objects: what they print, what they write, and how they refuse.

use crate::sandbox::Sandbox;

#[test]
fn distances_between_two_values() {
    let sandbox = Sandbox::new();
    let cases = [
        ("distance hausdorff(absolute) [1,2,3] [4,5,20]", "17\n"),
        ("distance discrete a b", "1\n"),
        ("distance edit kitten sitting", "3\n"),
        ("distance 'matching(absolute, M=3)' [1,2,3] [1,4]", "2.5\n"),
        (
            "distance nienhuys_cheng 'p(f(a),g(a,b))' 'p(f(b),b)'",
            "0.375\n",
        ),
        ("distance lgg 'p(a,b)' 'p(b,b)'", "(2, -2)\n"),
        (
            "distance 'induced(subsequence)' aac ac",
            "0.5863019699779287\n",
        ),
        ("distance tree_edit 'a(b,c)' 'a(c)'", "1\n"),
        (
            "distance 'hausdorff(mean(discrete, absolute))' '[[\"c\",1]]' '[[\"n\",2],[\"c\",1]]'",
            "1\n",
        ),
    ];
    for (words, expected) in cases {
        assert_eq!(sandbox.out(words), expected, "{words}");
    }
}

#[test]
fn a_distance_explains_itself() {
    let sandbox = Sandbox::new();
    let text = sandbox.out("distance hausdorff(absolute) [1,2] [4] --explain");
    assert_eq!(
        text,
        "3\n  the largest of the distances to the nearest member:\n    1 of the first: nearest is 4, which decides: 3\n    2 of the first: nearest is 4: 2\n    4 of the second: nearest is 2: 2\n"
    );
    assert!(
        sandbox
            .out("distance edit ab b --explain")
            .contains("delete")
    );
}

#[test]
fn pairs_come_from_a_file_and_ranges_from_data() {
    let sandbox = Sandbox::with_weather();
    sandbox.write("pairs.jsonl", "[64, 85]\n[70, 70]\n\n[74.5, 85]\n");
    assert_eq!(
        sandbox.out("distance absolute(range=train) --pairs pairs.jsonl --fit weather.csv --column temperature --quiet"),
        "1\n0\n0.5\n"
    );
    sandbox.write("broken.jsonl", "[1, 2]\n[1]\n");
    let message = sandbox.err("distance absolute --pairs broken.jsonl");
    assert!(
        message.starts_with("error: line 2 of `broken.jsonl`: expected a JSON array of two values"),
        "{message}"
    );
}

#[test]
fn mistakes_in_expressions_and_values_are_told() {
    let sandbox = Sandbox::with_weather();
    let cases = [
        (
            "distance hausdorff(absolute [1] [2]",
            "error: the `(` at column 10 is never closed\n",
        ),
        (
            "distance hausdorf [1] [2]",
            "error: unknown distance or kernel `hausdorf` at column 1 of the expression; did you mean `hausdorff`?\n",
        ),
        (
            "distance absolute 1 abc --type numeric",
            "error: the values: expected a number, found the string `abc`\n",
        ),
        (
            "distance absolute(range=train) 1 2",
            "error: `range` of `absolute` comes from training data, and there is none: give it a number, or fit it on data\n",
        ),
        (
            "distance sum_of_minima(absolute) [] [2]",
            "error: `sum_of_minima` is not defined for an empty collection: say how far it is from others by `empty=NUMBER` (row 1)\n",
        ),
        (
            "matrix weather.csv --column outlook --distance hausdorff -o m.npy --quiet",
            "error: `hausdorff` needs a set, bag or list; column `outlook` is a `nominal`\n",
        ),
        (
            "matrix weather.csv -o m.txt --quiet",
            "error: `m.txt` does not say what it is: a matrix is written as .npy, .csv or .parquet\n",
        ),
        (
            "neighbours weather.csv --query 99 --quiet",
            "error: there is no object `99`; objects are named by their key, or by their row from 1\n",
        ),
        (
            "cluster weather.csv --svg t.svg --quiet",
            "error: `--svg` draws a hierarchy: say `--method average`, `complete` or `single`\n",
        ),
        (
            "distances edt",
            "error: unknown distance or kernel `edt`; did you mean `edit`?\n",
        ),
    ];
    for (words, expected) in cases {
        assert_eq!(sandbox.err(words), expected, "{words}");
    }
    assert!(!sandbox.path("m.npy").exists() && !sandbox.path("m.npy.part").exists());
}

#[test]
fn a_matrix_is_written_in_each_form() {
    let sandbox = Sandbox::with_weather();
    let words = "--column temperature --distance absolute --quiet";
    sandbox.out(&format!("matrix weather.csv {words} -o m.csv"));
    let csv = String::from_utf8(sandbox.read("m.csv")).unwrap();
    assert!(csv.starts_with(",1,2,3,"), "{csv}");
    assert!(
        csv.lines().nth(1).unwrap().starts_with("1,0,5,2,15,"),
        "{csv}"
    );
    sandbox.out(&format!("matrix weather.csv {words} -o m.npy"));
    assert_eq!(sandbox.read("m.npy").len(), 128 + 14 * 14 * 8);
    sandbox.out(&format!("matrix weather.csv {words} -o m.parquet"));
    let described = sandbox.out("describe m.parquet --quiet");
    assert!(described.contains("14 rows, 15 columns"), "{described}");
    let one = sandbox.out(&format!("matrix weather.csv {words} -o a.npy --threads 1"));
    let two = sandbox.out(&format!("matrix weather.csv {words} -o b.npy --threads 2"));
    assert_eq!(one.replace("a.npy", "b.npy"), two);
    assert_eq!(sandbox.read("a.npy"), sandbox.read("b.npy"));
}

#[test]
fn neighbours_of_a_row_and_of_a_file() {
    let sandbox = Sandbox::with_weather();
    let text = sandbox.out("neighbours weather.csv --target play --query 1 -k 2 --quiet");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[0], "nearest to 1");
    assert!(
        lines[1].contains("play no") && lines[1].contains("outlook sunny"),
        "{text}"
    );
    sandbox.write("new.csv", "outlook,temperature,windy\nsunny,85,false\n");
    let text = sandbox
        .out("neighbours weather.csv --target play --query new.csv -k 1 --distance sum --quiet");
    assert!(text.contains("  1  0.000000"), "{text}");
}

#[test]
fn clusters_and_their_picture() {
    let sandbox = Sandbox::with_weather();
    let text = sandbox.out("cluster weather.csv --target play --k 2 -o c.csv --quiet");
    assert!(text.contains("cluster 2 around "), "{text}");
    let csv = String::from_utf8(sandbox.read("c.csv")).unwrap();
    assert_eq!(csv.lines().count(), 15);
    sandbox.out("cluster weather.csv --target play --k 2 --method average --svg t.svg --quiet");
    let svg = String::from_utf8(sandbox.read("t.svg")).unwrap();
    assert_eq!(svg.matches(" objects at ").count(), 13);
}

#[test]
fn a_map_is_one_page() {
    let sandbox = Sandbox::with_weather();
    let text = sandbox.out("map weather.csv --target play -o map.html --quiet");
    assert!(text.contains("14 objects placed by euclidean("), "{text}");
    let page = String::from_utf8(sandbox.read("map.html")).unwrap();
    assert_eq!(page.matches("data-i=").count(), 14);
    assert!(page.contains("<b>play</b>"));
    assert!(!page.contains("http:") && !page.contains("https:"));
}

#[test]
fn knn_compares_bags_behind_keys() {
    let sandbox = Sandbox::new();
    sandbox.write("molecule.csv", "id,active\nm1,yes\nm2,no\nm3,yes\nm4,no\n");
    let atoms = "id,molecule,element\na1,m1,c\na2,m1,n\na3,m2,c\na4,m3,n\na5,m3,c\na6,m4,c\n";
    sandbox.write("atom.csv", atoms);
    std::fs::create_dir(sandbox.path("db")).unwrap();
    for name in ["molecule.csv", "atom.csv"] {
        std::fs::rename(sandbox.path(name), sandbox.path("db").join(name)).unwrap();
    }
    sandbox.out("fit knn db --target active -o m.kin --quiet");
    let text = sandbox.out("neighbours db --target active --query m1 -k 1 --quiet");
    assert!(text.contains("m3  0.000000"), "{text}");
    let shown = sandbox.out("show m.kin");
    assert!(
        shown.contains("hausdorff(mean(element: discrete), empty=1)"),
        "{shown}"
    );
    let predicted = sandbox.out("predict m.kin db --quiet");
    assert!(predicted.contains("m2,no"), "{predicted}");
}
