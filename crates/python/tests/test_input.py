"""Every way to give data, what is understood of it, and what is said where it is not."""

from __future__ import annotations

import datetime
import decimal
import fractions
from collections import Counter, OrderedDict, deque, namedtuple

import numpy as np
import pytest

import kinwood
from kinwood import Bag, Graph, Table, Term, Tree


def types(data, **options):
    return Table(data, **options).columns


def values(data):
    """The type of a list of values, as an estimator sees it."""
    model = kinwood.MajorityClassifier().fit(data, ["a", "b"] * (len(data) // 2) + ["a"] * (len(data) % 2))
    return model.value_type_


# ----- lists of values -----


@pytest.mark.parametrize(
    ("given", "of"),
    [
        (["kitten", "sitting"], "string"),
        ([[1, 2], [3]], "list<numeric>"),
        ([[1, None], [3.5]], "list<numeric>"),
        ([[[1], [2, 3]], [[4]], []], "list<list<numeric>>"),
        ([{1, 2}, {3}], "set<numeric>"),
        ([frozenset({1}), set()], "set<numeric>"),
        ([Bag([1, 1, 2]), Bag([])], "bag<numeric>"),
        ([Counter([1, 1]), Counter([2])], "bag<numeric>"),
        ([np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]])], "bag<tuple<numeric, numeric>>"),
        ([Tree("a(b)"), Tree("c")], "tree"),
        ([Term("p(X)"), Term("q")], "term"),
        ([Graph([(1, 2)]), Graph([("a", "b", "bond")])], "graph"),
        ([{(1, "a")}, {(2, "b"), (3, "c")}], None),
    ],
)
def test_lists_of_values(given, of):
    found = values(given)
    assert found == of if of else found.startswith("set<tuple<numeric, ")


def test_a_three_dimensional_array_is_bags():
    assert values(np.zeros((4, 3, 2))) == "bag<tuple<numeric, numeric>>"


def test_a_list_of_values_may_have_holes():
    model = kinwood.KNeighborsClassifier(k=1).fit(["aa", None, "bb", "ab"], ["x", "x", "y", "x"])
    assert model.predict(["aa", None]).shape == (2,)


def test_lists_of_equal_length_are_rows():
    model = kinwood.KNeighborsClassifier(k=1).fit([[1, 2], [3, 4], [5, 6]], ["x", "y", "y"])
    assert model.value_type_ is None
    assert model.n_features_in_ == 2


def test_what_was_fitted_on_lists_takes_lists_of_any_length():
    model = kinwood.KNeighborsClassifier(k=1).fit([[1, 2], [3], [5, 6, 7]], ["x", "y", "y"])
    assert list(model.predict([[1, 2], [3, 3]])) == list(model.predict([[1, 2], [3, 3], [1, 1, 1]]))[:2]
    assert model.predict([[1.0]]).shape == (1,)
    assert model.predict([[]]).shape == (1,)


def test_one_list_of_numbers_is_refused_with_advice():
    with pytest.raises(ValueError, match=r"(?i)1d|2d|reshape"):
        kinwood.KNeighborsClassifier(k=1).fit([1.0, 2.0, 3.0], ["x", "y", "x"])


def test_nothing_is_refused():
    for empty in ([], (), np.empty((0, 2)), Table({"x": []})):
        with pytest.raises(ValueError):
            kinwood.KNeighborsClassifier(k=1).fit(empty, [])
    with pytest.raises(ValueError):
        kinwood.KNeighborsClassifier(k=1).fit([None, None], ["a", "b"])


# ----- columns -----

Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("column", "of"),
    [
        ([1, 2.5, None], "numeric"),
        ([True, False, None], "nominal"),
        (["a", "b", None], "nominal"),
        ([np.float32(1), np.int8(2), np.nan], "numeric"),
        ([np.str_("a"), np.str_("b"), None], "nominal"),
        ([np.bool_(True), np.bool_(False), None], "nominal"),
        ([decimal.Decimal("1.5"), fractions.Fraction(1, 2), 3], "numeric"),
        ([datetime.datetime(2024, 5, 1, 12), datetime.date(2024, 5, 2), None], "datetime"),
        ([np.datetime64("2024-05-01"), np.datetime64("NaT"), None], "datetime"),
        ([(1, "a"), (2, "b"), None], "tuple<numeric, nominal>"),
        ([(1, 2), (1, 2, 3), None], "list<numeric>"),
        ([Point(1, 2), Point(3, 4), None], "tuple<x: numeric, y: numeric>"),
        ([{"x": 1, "y": "a"}, {"y": "b"}, None], "tuple<x: numeric, y: nominal>"),
        ([OrderedDict(x=1), {"x": 2}, None], "tuple<x: numeric>"),
        ([[{"a", "b"}], [set()], None], "list<set<nominal>>"),
        ([deque([1, 2]), range(3), None], "list<numeric>"),
        ([np.array([1, 2]), np.array([3]), None], "list<numeric>"),
        ([Bag([(1, "a")]), Bag([(2, "b")]), None], "bag<tuple<numeric, nominal>>"),
        ([Tree("a"), None, Tree("b")], "tree"),
    ],
)
def test_columns_of_python_values(column, of):
    table = Table({"column": column, "n": list(range(len(column)))})
    assert table.columns["column"] == of
    assert len(table["column"]) == len(column)


def test_values_come_back():
    held = [(1.0, "a"), None, (2.0, "b")]
    table = Table(
        {
            "tuple": held,
            "set": [{1.0}, set(), None],
            "list": [["x"], [], None],
            "bag": [Bag([1.0, 1.0]), None, Bag()],
            "tree": [Tree("a(b)"), None, Tree("c")],
            "day": [datetime.datetime(2024, 5, 1, 12, 30, 0, 250000), None, datetime.datetime(1969, 1, 1)],
        }
    )
    assert list(table["tuple"]) == held
    assert list(table["set"]) == [frozenset({1.0}), frozenset(), None]
    assert list(table["list"]) == [["x"], [], None]
    assert list(table["bag"]) == [Bag([1.0, 1.0]), None, Bag()]
    assert list(table["tree"]) == [Tree("a(b)"), None, Tree("c")]
    assert list(table["day"]) == [datetime.datetime(2024, 5, 1, 12, 30, 0, 250000), None, datetime.datetime(1969, 1, 1)]


def test_times_with_zones_are_in_universal_time():
    zone = datetime.timezone(datetime.timedelta(hours=2))
    table = Table({"day": [datetime.datetime(2024, 5, 1, 12, tzinfo=zone)]})
    assert table["day"][0] == datetime.datetime(2024, 5, 1, 10)


def test_stated_types():
    assert types({"a": ["1", "2"]}) == {"a": "nominal"}
    assert types({"a": ["1", "2"]}, types={"a": "numeric"}) == {"a": "numeric"}
    assert types({"a": [1, 2]}, types={"a": "nominal"}) == {"a": "nominal"}
    assert types({"a": ["x", "y"]}, types={"a": "string"}) == {"a": "string"}
    assert types({"a": [[1], [2]]}, types={"a": "set<numeric>"}) == {"a": "set<numeric>"}
    assert types({"a": ["f(x)", "g"]}, types={"a": "term"}) == {"a": "term"}
    assert types({"a": ["2024-05-01", None]}, types={"a": "datetime"}) == {"a": "datetime"}
    with pytest.raises(ValueError, match="`b`.*`?a"):
        types({"a": [1]}, types={"b": "numeric"})
    with pytest.raises((TypeError, ValueError), match="a.*row 2|row 2.*a"):
        types({"a": [[1], "x"]}, types={"a": "set<numeric>"})
    with pytest.raises(ValueError, match="nonsense"):
        types({"a": [1]}, types={"a": "nonsense"})


# ----- messages -----


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ([{1}, {2}, 3], ["`size`", "row 3", "set<numeric>", "numeric"]),
        ([[1], (1, 2, 3), {4}], ["`size`"]),
        ([Tree("a"), Term("a")], ["`size`", "row 2", "tree", "term"]),
        ([1.0, object()], ["`size`", "row 2", "object"]),
        ([1.0, float("inf")], ["`size`", "row 2", "infinite"]),
        ([[1.0], [float("-inf")]], ["`size`", "row 2", "infinite"]),
        ([1, 10**400], ["`size`", "row 2"]),
        ([np.zeros((1, 1)), np.zeros((2, 2, 2))], ["`size`", "row 2", "3 dimensions"]),
        ([b"abc", b"d"], ["`size`", "row 1", "bytes"]),
        ([1 + 2j, 3], ["`size`", "row 1", "complex"]),
    ],
)
def test_messages_name_row_and_column(column, words):
    with pytest.raises((TypeError, ValueError, OverflowError)) as raised:
        Table({"id": list(range(len(column))), "size": column})
    for word in words:
        assert word in str(raised.value)


def test_values_nested_too_deep_are_refused():
    deep = [1.0]
    for _ in range(200):
        deep = [deep]
    with pytest.raises(ValueError, match="levels deep"):
        Table({"a": [deep]})
    round_about = []
    round_about.append(round_about)
    with pytest.raises(ValueError, match="levels deep"):
        Table({"a": [round_about]})


@pytest.mark.parametrize("make", ["array", "frame", "records", "table", "polars", "arrow"])
def test_infinite_numbers_are_refused(make):
    numbers = [1.0, float("inf"), 2.0, 3.0]
    if make == "array":
        X = np.array(numbers)[:, None]
    elif make == "records":
        X = [{"size": number} for number in numbers]
    elif make == "frame":
        X = pytest.importorskip("pandas").DataFrame({"size": numbers})
    elif make == "polars":
        X = pytest.importorskip("polars").DataFrame({"size": numbers})
    elif make == "arrow":
        X = pytest.importorskip("pyarrow").table({"size": numbers})
    else:
        with pytest.raises(ValueError, match="infinit"):
            Table({"size": np.array(numbers)})
        return
    with pytest.raises(ValueError, match=r"(?i)infinit"):
        kinwood.KNeighborsClassifier(k=1).fit(X, ["a", "b", "a", "b"])


def test_infinite_numbers_of_a_matrix_are_refused():
    matrix = np.array([[1.0, np.inf], [2.0, 3.0]])
    with pytest.raises(ValueError, match=r"(?i)infinit"):
        Table(matrix)
    with pytest.raises(ValueError, match=r"(?i)infinit"):
        kinwood.pairwise("euclidean(absolute)", matrix)


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="b"):
        Table({"a": [1, 2, 3], "b": [1, 2]})


def test_columns_of_the_same_name_are_refused():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=["a", "a"])
    with pytest.raises(ValueError, match="a"):
        Table(frame)


def test_no_table_is_said_to_be_none():
    for given in (3, "text", object()):
        with pytest.raises((TypeError, ValueError)):
            Table(given)


# ----- frames of pandas -----


def test_pandas_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "float": [1.0, np.nan, 2.0],
            "int": [1, 2, 3],
            "small": np.array([1, 2, 3], dtype=np.uint8),
            "bool": [True, False, True],
            "object": ["a", None, "b"],
            "category": pandas.Categorical(["x", "y", None]),
            "numbers as category": pandas.Categorical([1, 2, 1]),
            "Int64": pandas.array([1, None, 3], dtype="Int64"),
            "Float64": pandas.array([1.5, None, 3], dtype="Float64"),
            "boolean": pandas.array([True, None, False], dtype="boolean"),
            "string": pandas.array(["a", None, "b"], dtype="string"),
            "day": pandas.to_datetime(["2024-01-01", None, "2024-01-03"]),
            "sets": [{1}, {2}, None],
            "mixed numbers": pandas.Series([1, 2.5, None], dtype=object),
        }
    )
    table = Table(frame)
    assert table.columns == {
        "float": "numeric",
        "int": "numeric",
        "small": "numeric",
        "bool": "nominal",
        "object": "nominal",
        "category": "nominal",
        "numbers as category": "nominal",
        "Int64": "numeric",
        "Float64": "numeric",
        "boolean": "nominal",
        "string": "nominal",
        "day": "datetime",
        "sets": "set<numeric>",
        "mixed numbers": "numeric",
    }
    assert list(table["category"]) == ["x", "y", None]
    assert list(table["boolean"]) == ["true", None, "false"]
    assert list(table["object"]) == ["a", None, "b"]
    assert np.isnan(table["Int64"][1])
    model = kinwood.PCTClassifier(leaf=1).fit(frame, ["p", "q", "p"])
    assert list(model.feature_names_in_) == list(frame.columns)
    assert model.predict(frame).shape == (3,)


def test_an_index_of_pandas_does_not_count():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0, 8.0, 9.0]}, index=[7, 3, 3, 1])
    y = pandas.Series(["x", "x", "y", "y"], index=[1, 2, 3, 4], name="class")
    model = kinwood.KNeighborsClassifier(k=1).fit(frame, y)
    assert list(model.predict(frame)) == list(y)
    assert model.model_.targets == ["class"]


def test_a_target_of_pandas_may_be_categorical_or_boolean():
    pandas = pytest.importorskip("pandas")
    X = [[1.0], [2.0], [8.0], [9.0]]
    for y in (
        pandas.Series(["x", "x", "y", "y"], dtype="category"),
        pandas.Series([True, True, False, False]),
        pandas.Series(["x", "x", "y", "y"], dtype="string"),
        pandas.Series([1, 1, 0, 0], dtype="Int64"),
    ):
        model = kinwood.KNeighborsClassifier(k=1).fit(X, y)
        assert list(model.predict(X)) == list(y)


def test_unseen_labels_of_a_category_are_no_labels():
    pandas = pytest.importorskip("pandas")
    kind = pandas.CategoricalDtype(["z", "x", "y"])
    frame = pandas.DataFrame({"a": pandas.Series(["x", "y", "x", "y"], dtype=kind)})
    model = kinwood.OneR().fit(frame, ["p", "q", "p", "q"])
    assert list(model.predict(frame)) == ["p", "q", "p", "q"]


def test_free_text_in_a_frame_is_text():
    sentences = [f"the {number} quick brown foxes jumped over {number * 7} lazy dogs" for number in range(60)]
    assert types({"a": sentences})["a"] == "string"


# ----- polars -----


def test_polars_columns():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {
            "float": [1.0, None, 2.0],
            "int": [1, 2, 3],
            "bool": [True, None, False],
            "text": ["a", None, "b"],
            "category": polars.Series(["x", "y", "x"], dtype=polars.Categorical),
            "enum": polars.Series(["x", "y", "x"], dtype=polars.Enum(["y", "x"])),
            "day": [datetime.date(2024, 1, 1), None, datetime.date(2024, 1, 3)],
            "time": [datetime.datetime(2024, 1, 1, 5), None, datetime.datetime(2024, 1, 3)],
            "list": [[1.0, 2.0], [], None],
            "struct": [{"x": 1.0, "y": "a"}, {"x": None, "y": "b"}, None],
            "nested": [[{"x": 1.0}], [{"x": 2.0}, {"x": 3.0}], []],
            "decimal": [decimal.Decimal("1.5"), None, decimal.Decimal("2.5")],
            "array": polars.Series([[1, 2], [3, 4], [5, 6]], dtype=polars.Array(polars.Int32, 2)),
        }
    )
    expected = {
        "float": "numeric",
        "int": "numeric",
        "bool": "nominal",
        "text": "nominal",
        "category": "nominal",
        "enum": "nominal",
        "day": "datetime",
        "time": "datetime",
        "list": "list<numeric>",
        "struct": "tuple<x: numeric, y: nominal>",
        "nested": "list<tuple<x: numeric>>",
        "decimal": "numeric",
        "array": "list<numeric>",
    }
    assert Table(frame).columns == expected
    assert Table(frame.lazy()).columns == expected
    assert list(Table(frame)["list"]) == [[1.0, 2.0], [], None]
    model = kinwood.KNeighborsClassifier(k=1).fit(frame, polars.Series(["p", "q", "p"]))
    assert model.predict(frame).shape == (3,)


def test_polars_objects():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"n": [1.0, 2.0], "set": polars.Series([{1}, {2, 3}], dtype=polars.Object)})
    assert Table(frame).columns == {"n": "numeric", "set": "set<numeric>"}


def test_polars_columns_of_nothing():
    polars = pytest.importorskip("polars")
    model = kinwood.KNeighborsClassifier(k=1).fit(polars.DataFrame({"a": [1.0, 2.0, 9.0], "b": ["x", "y", "x"]}), ["p", "p", "q"])
    assert model.predict(polars.DataFrame({"a": [None], "b": ["x"]})).shape == (1,)
    assert model.predict(polars.DataFrame({"a": [9.0], "b": [None]})).shape == (1,)
    assert len(Table(polars.DataFrame({"a": [{"x": 1, "y": None}, None], "n": [1, 2]}))) == 2


@pytest.mark.parametrize("make", ["pandas", "table", "records", "arrow"])
def test_columns_of_nothing_are_missing(make):
    model = kinwood.KNeighborsClassifier(k=1).fit(Table({"a": [1.0, 2.0, 9.0], "s": [{"x"}, {"y"}, {"x"}]}), ["p", "p", "q"])
    columns = {"a": [None], "s": [None]}
    if make == "pandas":
        X = pytest.importorskip("pandas").DataFrame(columns)
    elif make == "arrow":
        X = pytest.importorskip("pyarrow").table(columns)
    elif make == "records":
        X = [{"a": None, "s": None}]
    else:
        X = Table(columns)
    assert model.predict(X).shape == (1,)


def test_values_are_taken_in_the_type_of_fit():
    """What the guess would be alone does not count: lists are sets where sets were learned."""
    model = kinwood.KNeighborsClassifier(k=1).fit([{"a"}, {"b"}, {"c"}, {"d"}], ["p", "p", "q", "q"])
    for asked in ([["d"]], np.array([{"d"}], dtype=object), ({"d"},), [frozenset({"d"})]):
        assert list(model.predict(asked)) == ["q"]
    with pytest.raises(TypeError, match="row 1"):
        model.predict([Tree("a")])
    frame = kinwood.PCTClassifier().fit(Table({"a": [1.0, 2.0, 8.0, 9.0] * 3}), ["p", "p", "q", "q"] * 3)
    assert list(frame.predict(Table({"a": ["1.5", "8.5"]}))) == ["p", "q"]
    with pytest.raises(ValueError, match="`a`.*row 1.*`x`"):
        frame.predict(Table({"a": ["x", "y"]}))


# ----- Arrow -----


def test_arrow_columns():
    pyarrow = pytest.importorskip("pyarrow")
    columns = {
        "float": pyarrow.array([1.0, None, 2.0]),
        "small": pyarrow.array([1, 2, None], pyarrow.int8()),
        "unsigned": pyarrow.array([1, 2, 3], pyarrow.uint64()),
        "half": pyarrow.array(np.array([1, 2, 3], np.float16)),
        "bool": pyarrow.array([True, None, False]),
        "text": pyarrow.array(["a", None, "b"]),
        "large": pyarrow.array(["a", None, "b"], pyarrow.large_string()),
        "view": pyarrow.array(["a", None, "b"], pyarrow.string_view()),
        "dictionary": pyarrow.array(["x", None, "y"]).dictionary_encode(),
        "day": pyarrow.array([datetime.date(2024, 1, 1), None, datetime.date(2024, 1, 3)]),
        "time": pyarrow.array([datetime.datetime(2024, 1, 1), None, datetime.datetime(2024, 1, 3)], pyarrow.timestamp("us")),
        "zoned": pyarrow.array([datetime.datetime(2024, 1, 1), None, datetime.datetime(2024, 1, 3)], pyarrow.timestamp("ns", "UTC")),
        "list": pyarrow.array([[1.0, 2.0], [], None]),
        "large list": pyarrow.array([[1.0, 2.0], [], None], pyarrow.large_list(pyarrow.float64())),
        "fixed list": pyarrow.array([[1, 2], [3, 4], None], pyarrow.list_(pyarrow.int32(), 2)),
        "struct": pyarrow.array([{"x": 1.0, "y": "a"}, {"x": None, "y": "b"}, None]),
        "nested": pyarrow.array([[{"x": 1.0}], [{"x": 2.0}, {"x": 3.0}], []]),
        "decimal": pyarrow.array([decimal.Decimal("1.5"), None, decimal.Decimal("2.5")]),
    }
    table = pyarrow.table(columns)
    expected = {
        "float": "numeric",
        "small": "numeric",
        "unsigned": "numeric",
        "half": "numeric",
        "bool": "nominal",
        "text": "nominal",
        "large": "nominal",
        "view": "nominal",
        "dictionary": "nominal",
        "day": "datetime",
        "time": "datetime",
        "zoned": "datetime",
        "list": "list<numeric>",
        "large list": "list<numeric>",
        "fixed list": "list<numeric>",
        "struct": "tuple<x: numeric, y: nominal>",
        "nested": "list<tuple<x: numeric>>",
        "decimal": "numeric",
    }
    assert Table(table).columns == expected
    assert list(Table(table)["dictionary"]) == ["x", None, "y"]
    assert list(Table(table)["large list"]) == [[1.0, 2.0], [], None]


def test_chunked_and_sliced_arrow_tables():
    pyarrow = pytest.importorskip("pyarrow")
    part = pyarrow.table({"n": [1.0, 2.0, None], "t": ["a", "b", None], "l": [[1.0], None, [2.0, 3.0]]})
    other = pyarrow.table({"n": [4.0], "t": ["c"], "l": [[]]}, schema=part.schema)
    whole = pyarrow.concat_tables([part, other, part])
    table = Table(whole)
    assert len(table) == 7
    assert list(table["t"]) == ["a", "b", None, "c", "a", "b", None]
    assert list(table["l"]) == [[1.0], None, [2.0, 3.0], [], [1.0], None, [2.0, 3.0]]
    sliced = Table(whole.slice(2, 3))
    assert list(sliced["t"]) == [None, "c", "a"]
    assert list(sliced["l"]) == [[2.0, 3.0], [], [1.0]]
    np.testing.assert_array_equal(sliced["n"], [np.nan, 4.0, 1.0])
    chunks = [pyarrow.array(["x", "y"]).dictionary_encode(), pyarrow.array(["z", "x"]).dictionary_encode()]
    dictionaries = pyarrow.table({"d": pyarrow.chunked_array(chunks)})
    assert list(Table(dictionaries)["d"]) == ["x", "y", "z", "x"]
    batches = pyarrow.RecordBatchReader.from_batches(part.schema, part.to_batches())
    assert len(Table(batches)) == 3


def test_any_arrow_stream_is_a_table():
    pyarrow = pytest.importorskip("pyarrow")

    class Offers:
        def __arrow_c_stream__(self, requested_schema=None):
            return pyarrow.table({"a": [1.0, 2.0]}).__arrow_c_stream__(requested_schema)

    assert Table(Offers()).columns == {"a": "numeric"}

    class Fails:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("the source is gone")

    with pytest.raises(RuntimeError, match="the source is gone"):
        Table(Fails())

    class Lies:
        def __arrow_c_stream__(self, requested_schema=None):
            return "no capsule"

    with pytest.raises(TypeError, match="capsule"):
        Table(Lies())


def test_empty_arrow_tables():
    pyarrow = pytest.importorskip("pyarrow")
    assert len(Table(pyarrow.table({"a": pyarrow.array([], pyarrow.float64())}))) == 0


# ----- arrays -----


def test_arrays_of_every_kind_of_number():
    for kind in (np.int8, np.uint32, np.float32, np.float64, bool):
        X = np.array([[0, 1], [1, 0], [1, 1], [0, 0]], dtype=kind)
        model = kinwood.KNeighborsClassifier(k=1).fit(X, ["a", "b", "b", "a"])
        assert list(model.predict(X)) == ["a", "b", "b", "a"]
    strided = np.arange(40, dtype=float).reshape(10, 4)[::2, 1::2]
    assert list(Table(strided)["x0"]) == list(strided[:, 0])
    turned = np.array([[1.0, 2.0], [3.0, 4.0]]).T
    assert list(Table(turned)["x0"]) == [1.0, 2.0]


def test_arrays_of_texts_are_labels():
    X = np.array([["red", "1"], ["blue", "2"], ["red", "3"]])
    model = kinwood.KNeighborsClassifier(k=1).fit(X, ["a", "b", "a"])
    assert list(model.predict(X)) == ["a", "b", "a"]


def test_arrays_of_objects():
    X = np.array([["red", 1.0], ["blue", None], ["red", 3.0]], dtype=object)
    model = kinwood.KNeighborsClassifier(k=1).fit(X, ["a", "b", "a"])
    assert [of for _, of, role in model.model_.columns if role == "input"] == ["nominal", "numeric"]


def test_rows_of_records():
    rows = [{"a": 1, "s": {"x"}}, {"a": 2, "s": {"y"}}, {"s": {"x", "y"}}]
    model = kinwood.KNeighborsClassifier(k=1).fit(rows, ["p", "q", "q"])
    assert list(model.feature_names_in_) == ["a", "s"]
    assert list(model.predict(rows)) == ["p", "q", "q"]
    assert list(model.predict([{"s": {"x"}, "a": 1}])) == ["p"]


def test_read_only_and_memory_mapped_arrays(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 3))
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    y = np.where(X[:, 0] > 0, "a", "b")
    np.testing.assert_array_equal(
        kinwood.PCTClassifier().fit(mapped, y).predict_proba(mapped), kinwood.PCTClassifier().fit(X, y).predict_proba(X)
    )


# ----- other libraries -----


def test_networkx_graphs():
    networkx = pytest.importorskip("networkx")
    ring, line = networkx.cycle_graph(4), networkx.path_graph(4)
    for graph, label in ((ring, "c"), (line, "n")):
        networkx.set_node_attributes(graph, label, "label")
        networkx.set_edge_attributes(graph, "bond", "kind")
    model = kinwood.KNeighborsClassifier(k=1).fit([ring, line, ring, line], ["ring", "line", "ring", "line"])
    assert model.value_type_ == "graph"
    assert list(model.predict([line, ring])) == ["line", "ring"]
    held = Table({"graph": [ring]})["graph"][0]
    assert held.nodes == {"0": "c", "1": "c", "2": "c", "3": "c"}
    assert {(a, b, label) for a, b, label in held.edges} == {("0", "1", "bond"), ("0", "3", "bond"), ("1", "2", "bond"), ("2", "3", "bond")}
    directed = networkx.DiGraph([("a", "b")])
    assert Table({"graph": [directed]})["graph"][0].directed
    several = networkx.MultiGraph([("a", "b"), ("a", "b")])
    try:
        assert len(Table({"graph": [several]})["graph"][0].edges) in (1, 2)
    except (TypeError, ValueError) as error:
        assert "row 1" in str(error)


def test_rdkit_molecules():
    Chem = pytest.importorskip("rdkit.Chem")
    molecules = [Chem.MolFromSmiles(smiles) for smiles in ("CCO", "CCN", "CCC", "c1ccccc1O")]
    model = kinwood.KNeighborsClassifier(k=1).fit(molecules, ["o", "n", "c", "o"])
    assert model.value_type_ == "graph"
    assert list(model.predict(molecules)) == ["o", "n", "c", "o"]
    held = Table({"molecule": molecules})["molecule"][0]
    assert held.nodes == {"0": "C", "1": "C", "2": "O"}
    assert [label for *_, label in held.edges] == ["single", "single"]
    with pytest.raises((TypeError, ValueError)):
        kinwood.KNeighborsClassifier(k=1).fit([Chem.MolFromSmiles("CC"), "CCO"], ["a", "b"])


def test_frames_are_bags():
    pandas = pytest.importorskip("pandas")
    bags = [pandas.DataFrame({"x": [1.0, 2.0], "kind": ["a", "b"]}), pandas.DataFrame({"x": [3.0], "kind": ["a"]})]
    assert values(bags).startswith("bag<tuple<x: numeric, kind: ")


# ----- the package's own values -----


def test_bags():
    bag = Bag([1, 1, 2])
    assert bag == Bag([2, 1, 1]) != Bag([1, 2])
    assert hash(bag) == hash(Bag([1, 2, 1]))
    assert (len(bag), list(bag), bag[0]) == (3, [1, 1, 2], 1)
    assert eval(repr(bag)) == bag
    assert bag != [1, 1, 2]
    assert Bag([{1}, {2}]) == Bag([{2}, {1}])


def test_trees_and_terms():
    tree = Tree("a(b, c(d))")
    assert (str(tree), len(tree), tree.depth) == (str(Tree(str(tree))), 4, 3)
    assert eval(repr(tree)) == tree
    assert hash(tree) == hash(Tree("a(b,c(d))"))
    assert tree != Tree("a(c(d),b)")
    with pytest.raises(ValueError):
        Tree("a(b")
    with pytest.raises(ValueError):
        Term("p(")
    with pytest.raises(TypeError):
        Tree(3)
    quoted = Tree("'a b'(c)")
    assert Tree(str(quoted)) == quoted


def test_graphs():
    graph = Graph([(1, 2, "bond"), (2, 3)], {1: "c", 2: "n", 3: None})
    assert (len(graph), graph.directed) == (3, False)
    assert graph.nodes == {"1": "c", "2": "n", "3": None}
    assert graph.edges == [("1", "2", "bond"), ("2", "3", None)]
    assert graph == Graph([(1, 2, "bond"), (2, 3)], {1: "c", 2: "n", 3: None})
    with pytest.raises(ValueError, match="`9`"):
        Graph([(1, 9)], [1, 2])
    with pytest.raises(TypeError, match="edge"):
        Graph([(1, 2, 3, 4)])
    with pytest.raises(TypeError):
        Graph(3)


def test_values_can_be_pickled_and_copied():
    import copy
    import pickle

    for value in (Bag([{1}, {2, 3}]), Tree("a(b)"), Term("p(X,Y,X)"), Graph([(1, 2, "b")], {1: "c", 2: None}, directed=True)):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value


def test_tables_are_sliced_pickled_and_described():
    import pickle

    table = Table({"n": [1.0, 2.0, 3.0], "s": [{"a"}, {"b"}, None]}, target="n")
    assert (len(table), table.shape, table.target) == (3, (3, 1), "n")
    np.testing.assert_array_equal(table.y, [1.0, 2.0, 3.0])
    assert list(table[[2, 0]]["n"]) == [3.0, 1.0]
    assert list(table[np.array([True, False, True])]["n"]) == [1.0, 3.0]
    assert list(table[1:]["n"]) == [2.0, 3.0]
    assert list(table[-1]["n"]) == [3.0]
    assert list(table[[1, 2]][[1]]["n"]) == [3.0]
    again = pickle.loads(pickle.dumps(table[[2, 0]]))
    assert (list(again["n"]), again.target, again.columns) == ([3.0, 1.0], "n", table.columns)
    assert "3 rows" in table.describe()
    assert "3 rows" in repr(table)
    for wrong in ([3], [-4], [0.5], [True, False], ["n"]):
        with pytest.raises(IndexError):
            table[wrong]
    with pytest.raises((KeyError, ValueError), match="`?m`?"):
        table["m"]
    with pytest.raises((KeyError, ValueError), match="m"):
        Table({"n": [1.0]}, target="m")


def test_a_table_with_its_target_is_all_that_fit_needs():
    table = Table({"n": [1.0, 2.0, 8.0, 9.0], "kind": ["a", "a", "b", "b"]}, target="kind")
    model = kinwood.KNeighborsClassifier(k=1).fit(table)
    assert model.n_features_in_ == 1
    assert list(model.classes_) == ["a", "b"]
    assert list(model.predict(table)) == ["a", "a", "b", "b"]
    assert list(model.predict(Table({"n": [1.5, 8.5]}))) == ["a", "b"]
    assert list(model.predict(Table({"n": [1.5], "kind": ["b"]}))) == ["a"], "the answer must not be looked at"


def test_a_target_of_numbers_may_be_classes():
    table = Table({"x": [1.0, 2.0, 8.0, 9.0] * 3, "kind": [2, 2, 10, 10] * 3}, target="kind")
    model = kinwood.PCTClassifier().fit(table)
    assert model.score(table, table.y) == 1.0
    assert list(model.classes_) == [2, 10]
    assert list(model.predict(table)) == list(kinwood.PCTClassifier().fit(table, table.y).predict(table))


def test_a_target_of_measurements_is_no_class():
    table = Table({"x": [float(row) for row in range(12)], "mass": [row / 7 for row in range(12)]}, target="mass")
    with pytest.raises(ValueError, match="continuous|label|class"):
        kinwood.PCTClassifier().fit(table)


def test_a_target_of_texts_is_no_number():
    table = Table({"x": [1.0, 2.0] * 6, "kind": ["a", "b"] * 6}, target="kind")
    with pytest.raises((ValueError, TypeError)):
        kinwood.PCTRegressor().fit(table)


def test_the_target_is_never_an_input():
    """Where rows hold the target too and y is given apart, the learner does not see it under another name."""
    table = Table({"n": [5.0, 5.0, 5.0, 5.0], "kind": ["a", "b", "a", "b"]}, target="kind")
    model = kinwood.KNeighborsClassifier(k=4).fit(table, table.y)
    assert [name for name, _, role in model.model_.columns if role == "input"] == ["n"]
