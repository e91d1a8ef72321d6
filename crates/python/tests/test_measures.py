"""Distances and kernels against independent computations, distances written in Python, and matrices for other libraries."""

from __future__ import annotations

import ast
import json
import threading

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist, directed_hausdorff
from sklearn.cluster import DBSCAN
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import kinwood
from kinwood import Bag, Graph, Term, Tree, distance, kernel, laws, medoids, pairwise, place, register_distance

RANDOM = np.random.default_rng(5)


# ----- the catalogue -----


@pytest.mark.parametrize("measure", [measure for measure in kinwood.catalogue() if measure["example"]], ids=lambda measure: measure["name"])
def test_every_example_of_the_catalogue(measure):
    example = measure["example"]
    compute = kernel if measure["kind"] == "kernel" else distance
    a, b = (json.loads(example[side]) for side in "ab")
    if example["type"] == "graph":
        a, b = Graph(a, directed=True), Graph(b, directed=True)
    found = compute(example["expression"], a, b, type=example["type"])
    assert found == ast.literal_eval(example["gives"])
    matrix = pairwise(example["expression"], [a, b], type=example["type"])
    np.testing.assert_array_equal(matrix[0, 1], found)


@pytest.mark.parametrize("measure", [measure for measure in kinwood.catalogue() if measure["example"]], ids=lambda measure: measure["name"])
def test_laws_are_told_and_hold_on_the_example(measure):
    example = measure["example"]
    told = laws(example["expression"], example["type"])
    a, b = (json.loads(example[side]) for side in "ab")
    if example["type"] == "graph":
        a, b = Graph(a, directed=True), Graph(b, directed=True)
    if measure["kind"] == "kernel":
        if told.laws["positive_semidefinite"]:
            matrix = pairwise(example["expression"], [a, b, a], type=example["type"])
            assert np.linalg.eigvalsh(matrix).min() > -1e-9 * max(1.0, np.abs(matrix).max())
        return
    forth = distance(example["expression"], a, b, type=example["type"])
    if told.laws["symmetric"]:
        assert distance(example["expression"], b, a, type=example["type"]) == forth
    if told.laws["zero_on_self"]:
        assert np.all(np.asarray(distance(example["expression"], a, a, type=example["type"])) == 0)


def test_laws_are_told_for_each_policy():
    told = laws("mean(discrete, missing=max)", "tuple<nominal>")
    assert told.laws["zero_on_self"] and not told.with_missing["zero_on_self"]
    assert not laws("mean(discrete, missing=skip)", "tuple<nominal>").with_missing["triangle"]
    assert laws("mean(discrete)", "tuple<nominal>").with_missing["triangle"]
    near = laws("hausdorff(discrete, empty=0.1)", "set<nominal>")
    assert near.laws["triangle"] and not near.with_empty["triangle"]
    assert laws("link(absolute)", "set<numeric>").with_empty is None
    assert laws("delta", "nominal").with_missing["positive_semidefinite"]


def test_matrices_of_a_directed_distance_have_two_halves():
    texts = ["a", "ab"]
    kernel_of = "gaussian(edit(insert=2))"
    assert not laws(kernel_of, "string").laws["symmetric"]
    assert not laws(f"induced({kernel_of})", "string").laws["symmetric"]
    matrix = pairwise(f"induced({kernel_of})", texts, type="string")
    np.testing.assert_allclose(matrix, [[0, 1.4012], [1.1244, 0]], atol=5e-5)
    inner = pairwise(kernel_of, texts, type="string")
    np.testing.assert_allclose(inner, [[1, np.exp(-4)], [np.exp(-1), 1]])


# ----- oracles -----


def test_rows_of_numbers():
    X, Y = RANDOM.normal(size=(20, 4)), RANDOM.normal(size=(15, 4))
    np.testing.assert_allclose(pairwise("euclidean(absolute)", X, Y), cdist(X, Y), rtol=1e-12)
    np.testing.assert_allclose(pairwise("sum(absolute)", X, Y), cdist(X, Y, "cityblock"), rtol=1e-12)
    np.testing.assert_allclose(pairwise("mean(absolute)", X, Y), cdist(X, Y, "cityblock") / 4, rtol=1e-12)
    np.testing.assert_allclose(pairwise("rms(absolute)", X, Y), cdist(X, Y) / 2, rtol=1e-12)
    # Columns are scaled by the ranges of the references.
    ranges = Y.max(axis=0) - Y.min(axis=0)
    np.testing.assert_allclose(pairwise("euclidean", X, Y), cdist(X / ranges, Y / ranges), rtol=1e-9)
    own = X.max(axis=0) - X.min(axis=0)
    np.testing.assert_allclose(pairwise("euclidean", X), cdist(X / own, X / own), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(pairwise("euclidean", X), pairwise("euclidean", X, X))


def test_ways_to_give_rows():
    X = RANDOM.normal(size=(6, 2))
    expected = pairwise("euclidean(absolute)", X)
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for given in (X.tolist(), tuple(map(tuple, X)), np.asfortranarray(X), pandas.DataFrame(X, columns=["a", "b"]), kinwood.Table(X)):
        np.testing.assert_array_equal(pairwise("euclidean(absolute)", given), expected)
    np.testing.assert_array_equal(pairwise("euclidean(absolute)", polars.DataFrame(X, schema=["a", "b"])), expected)
    np.testing.assert_array_equal(pairwise("absolute", X[:, 0]), np.abs(X[:, :1] - X[:, 0]))
    np.testing.assert_array_equal(pairwise("absolute", pandas.Series(X[:, 0])), np.abs(X[:, :1] - X[:, 0]))


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for start, left in enumerate(a, 1):
        before, row[0] = row[0], start
        for at, right in enumerate(b, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (left != right))
    return row[-1]


def test_edit_distances():
    words = ["".join(RANDOM.choice(list("abc"), size=size)) for size in RANDOM.integers(0, 12, size=25)]
    expected = np.array([[levenshtein(a, b) for b in words] for a in words], dtype=float)
    np.testing.assert_array_equal(pairwise("edit", words), expected)
    lists = [list(word) for word in words]
    np.testing.assert_array_equal(pairwise("edit", lists, type="list<nominal>"), expected)
    assert distance("edit", "", "") == 0
    assert distance("edit", "naïve ☂", "naive ☂") == 1


def test_sets():
    sets = [set(map(float, RANDOM.integers(0, 30, size=size))) for size in RANDOM.integers(1, 8, size=15)]
    column = lambda values: np.array(sorted(values))[:, None]  # noqa: E731

    def hausdorff(a, b):
        return max(directed_hausdorff(column(a), column(b))[0], directed_hausdorff(column(b), column(a))[0])

    np.testing.assert_allclose(pairwise("hausdorff(absolute)", sets), [[hausdorff(a, b) for b in sets] for a in sets])
    np.testing.assert_array_equal(pairwise("symmetric_difference", sets), [[float(len(a ^ b)) for b in sets] for a in sets])
    smallest = [[min(abs(x - y) for x in a for y in b) for b in sets] for a in sets]
    np.testing.assert_array_equal(pairwise("min_hausdorff(absolute)", sets), smallest)
    common = np.array([[float(len(a & b)) for b in sets] for a in sets])
    np.testing.assert_array_equal(pairwise("set(delta)", sets), common)
    root = np.sqrt(np.outer(common.diagonal(), common.diagonal()))
    np.testing.assert_allclose(pairwise("normalised(set(delta))", sets), common / root)


def test_matchings():
    sets = [Bag(RANDOM.integers(0, 30, size=size).astype(float).tolist()) for size in RANDOM.integers(1, 7, size=12)]

    def matched(a, b, most=50.0):
        costs = np.minimum(np.abs(np.subtract.outer(list(a), list(b))), most)
        rows, columns = linear_sum_assignment(costs)
        return costs[rows, columns].sum() + most / 2 * abs(len(a) - len(b))

    expected = [[matched(a, b) for b in sets] for a in sets]
    np.testing.assert_allclose(pairwise("matching(absolute, M=50)", sets), expected)


def test_kernels():
    numbers = RANDOM.normal(size=12)
    gap = np.subtract.outer(numbers, numbers) ** 2
    np.testing.assert_allclose(pairwise("gaussian(0.5)", numbers), np.exp(-0.5 * gap), rtol=1e-12)
    np.testing.assert_allclose(pairwise("product", numbers), np.outer(numbers, numbers), rtol=1e-12)
    words = ["abab", "abc", "", "cabab"]
    grams = [[word[at : at + 2] for at in range(len(word) - 1)] for word in words]
    expected = [[float(sum(a.count(gram) * b.count(gram) for gram in set(a))) for b in grams] for a in grams]
    np.testing.assert_array_equal(pairwise("spectrum(k=2)", words), expected)
    assert kernel("product", 2.0, 3.0) == 6.0


def test_pairs_of_whole_numbers():
    terms = [Term("p(a,b)"), Term("p(b,b)"), Term("q")]
    matrix = pairwise("lgg", terms)
    assert matrix.shape == (3, 3, 2)
    assert matrix.dtype == np.int64
    for row in range(3):
        for column in range(3):
            assert tuple(matrix[row, column]) == distance("lgg", terms[row], terms[column])


def test_tuples_and_nesting():
    assert distance("euclidean(discrete, absolute)", ("c", 1.0), ("n", 3.0)) == pytest.approx(5**0.5)
    assert distance("hausdorff(sum(absolute, absolute))", {(0.0, 0.0)}, {(1.0, 2.0), (0.0, 1.0)}) == 3.0
    nested = [[{1.0}, {2.0}], [{3.0}]]
    assert distance("hausdorff(hausdorff(absolute))", *nested) == 2.0
    assert distance("tree_edit", Tree("a(b,c)"), Tree("a(b,d(c))")) == 1.0
    assert distance("tree_edit", "a(b,c)", "a(b,d(c))", type="tree") == 1.0


def test_missing_values_are_as_far_as_data_says():
    with pytest.raises(ValueError, match="missing"):
        distance("absolute", 1.0, None)
    assert pairwise("absolute", [1.0, None, 5.0]).tolist() == [[0, 4, 4], [4, 0, 4], [4, 4, 0]]


def test_references_say_what_is_scaled():
    train, test = [[0.0], [10.0]], [[5.0]]
    assert pairwise("euclidean", test, train).tolist() == [[0.5, 0.5]]
    assert pairwise("euclidean", train, test).shape == (2, 1)


def test_labels_that_one_side_alone_has():
    matrix = pairwise("symmetric_difference", [{"new"}, {"a"}], [{"a"}, {"b"}])
    assert matrix.tolist() == [[2.0, 2.0], [0.0, 2.0]]
    assert pairwise("edit", ["abc"], ["abd", "xyz"]).tolist() == [[1.0, 3.0]]


def test_databases_are_compared_by_what_keys_reach(shop):
    near = pairwise("sum", shop, depth=1)
    assert near.shape == (12, 12)
    np.testing.assert_array_equal(near, near.T)
    assert (near.diagonal() == 0).all()
    np.testing.assert_array_equal(pairwise("sum", shop[[0, 5]], shop), near[[0, 5]])


def test_large_matrices_are_the_same_on_any_threads():
    X = RANDOM.normal(size=(300, 3))
    np.testing.assert_array_equal(pairwise("euclidean", X, n_jobs=1), pairwise("euclidean", X, n_jobs=2))
    words = ["".join(RANDOM.choice(list("ab"), size=8)) for _ in range(130)]
    matrix = pairwise("edit", words, n_jobs=2)
    np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_array_equal(matrix, pairwise("edit", words, words, n_jobs=1))


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="edits?`"):
        distance("edits", "a", "b")
    with pytest.raises(ValueError, match="expression|column"):
        distance("edit(", "a", "b")
    with pytest.raises(ValueError, match="numeric"):
        distance("edit", 1.0, 2.0)
    with pytest.raises((ValueError, TypeError)):
        distance("absolute", 1.0, "a")
    with pytest.raises(ValueError, match="kernel"):
        distance("product", 1.0, 2.0)
    with pytest.raises(ValueError, match="distance"):
        kernel("edit", "a", "b")
    with pytest.raises((ValueError, TypeError), match="rows|values|type"):
        pairwise("edit", ["a"], [[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ValueError):
        distance("absolute", float("inf"), 1.0)
    with pytest.raises(ValueError):
        distance("edit", "a", "b", type="nonsense")
    with pytest.raises(ValueError):
        pairwise("edit", ["a"], n_jobs=0)


def test_no_things_give_an_empty_matrix_or_an_error():
    try:
        assert pairwise("absolute", np.empty(0)).shape == (0, 0)
    except ValueError as error:
        assert len(str(error)) > 10


def test_lone_surrogates_do_not_break_anything():
    """A text that is no Unicode comes from a broken file name; it may be refused, never crash."""
    try:
        distance("edit", "a\ud800", "b")
    except (ValueError, TypeError):
        pass


# ----- what is made of matrices -----


def test_places_and_medoids():
    points = RANDOM.normal(size=(12, 2))
    matrix = cdist(points, points)
    placed = place(matrix)
    np.testing.assert_allclose(cdist(placed.points, placed.points), matrix, atol=1e-4)
    assert placed.shown == pytest.approx(1.0, abs=1e-6)
    grouped = medoids(pairwise("absolute", [0.0, 1.0, 9.0, 10.0, 11.0]), 2)
    assert grouped.groups.tolist() == [0, 0, 1, 1, 1]
    assert len(grouped.medoids) == 2
    assert grouped.total == 3.0
    for wrong in (np.zeros((2, 3)), np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([[0.0, np.nan], [np.nan, 0.0]]), -np.ones((2, 2))):
        with pytest.raises(ValueError):
            place(wrong)
        with pytest.raises(ValueError):
            medoids(wrong, 1)
    for groups in (0, 6, -1):
        with pytest.raises((ValueError, OverflowError)):
            medoids(np.zeros((5, 5)), groups)


@pytest.fixture(scope="module")
def words():
    stems = ["kitten", "sitting", "table"]
    letters = np.random.default_rng(9).choice(list("xyz"), size=60)
    return [stems[row % 3] + letter for row, letter in enumerate(letters)], [stems[row % 3] for row in range(60)]


def test_matrices_serve_scikit_learn(words):
    texts, stems = words
    train, test = texts[:45], texts[45:]
    near = KNeighborsClassifier(n_neighbors=1, metric="precomputed").fit(pairwise("edit", train), stems[:45])
    assert near.score(pairwise("edit", test, train), stems[45:]) == 1.0
    own = kinwood.KNeighborsClassifier(k=1, distance="edit").fit(train, stems[:45])
    assert list(own.predict(test)) == list(near.predict(pairwise("edit", test, train)))
    svm = SVC(kernel="precomputed").fit(pairwise("normalised(spectrum(k=2))", train), stems[:45])
    assert svm.score(pairwise("normalised(spectrum(k=2))", test, train), stems[45:]) == 1.0
    groups = DBSCAN(eps=2, min_samples=3, metric="precomputed").fit_predict(pairwise("edit", texts))
    assert len(set(groups)) == 3


# ----- distances written in Python -----


@register_distance("test_length", triangle=True)
def length_difference(a, b):
    return abs(len(a) - len(b))


def test_a_function_is_a_distance():
    assert length_difference("a", "bbb") == 2, "the decorator gives the function back"
    assert distance("test_length", "aa", "b") == 1.0
    assert distance("test_length", [1.0], [1.0, 2.0]) == 1.0
    matrix = pairwise("test_length", ["a", "bb", "cccc"])
    assert matrix.tolist() == [[0, 1, 3], [1, 0, 2], [3, 2, 0]]


def test_a_function_inside_expressions():
    sets = [{"a", "bb"}, {"cccc"}, {"dd", "e", "fff"}]
    expected = [
        [max(max(min(abs(len(x) - len(y)) for y in b) for x in a), max(min(abs(len(x) - len(y)) for y in a) for x in b)) for b in sets]
        for a in sets
    ]
    np.testing.assert_array_equal(pairwise("hausdorff(test_length)", sets), expected)
    assert distance("sum(test_length, absolute)", ("aa", 1.0), ("b", 3.0)) == 3.0
    assert distance("edit(test_length)", ["a", "bb"], ["a", "bbbb"]) == 2.0


def test_a_function_in_estimators(words):
    texts, stems = words
    register_distance("test_letters", lambda a, b: float(len(set(a) ^ set(b))))
    train, test = texts[:45], texts[45:]
    model = kinwood.KNeighborsClassifier(k=3, distance="test_letters").fit(train, stems[:45])
    slow = KNeighborsClassifier(n_neighbors=3, metric="precomputed").fit([[len(set(a) ^ set(b)) for b in train] for a in train], stems[:45])
    expected = slow.predict([[len(set(a) ^ set(b)) for b in train] for a in test])
    assert list(model.predict(test)) == list(expected)
    for kind in (kinwood.DBDTClassifier, kinwood.CentresClassifier, kinwood.CitationKNN):
        if "distance" in kind().get_params():
            assert kind(distance="test_letters").fit(train, stems[:45]).predict(test).shape == (15,)


def test_a_function_gets_plain_values():
    seen = []
    register_distance("test_seen", lambda a, b: seen.extend([a, b]) or 0.0)
    for a, b, kinds in [
        (1.0, 2.0, float),
        ("a", "b", str),
        ([1.0], [2.0], list),
        ({1.0}, {2.0}, frozenset),
        ((1.0, "a"), (2.0, "b"), tuple),
        (Bag([1.0]), Bag([2.0]), Bag),
        (Tree("a"), Tree("b"), Tree),
        (Term("a"), Term("b"), Term),
        (Graph([(1, 2)]), Graph([(1, 3)]), Graph),
    ]:
        seen.clear()
        distance("test_seen", a, b)
        assert seen[:2] == [a, b]
        assert all(isinstance(value, kinds) for value in seen)


class Strange(Exception):
    """Raised by a distance."""


def test_what_a_function_raises_is_raised():
    def fails(a, b):
        if "x" in a + b:
            raise Strange(f"{a} and {b}")
        return 1.0

    register_distance("test_fails", fails)
    with pytest.raises(Strange, match="x"):
        distance("test_fails", "x", "b")
    with pytest.raises(Strange):
        pairwise("test_fails", ["a", "b", "x", "c"])
    with pytest.raises(Strange):
        pairwise("hausdorff(test_fails)", [{"a"}, {"x", "b"}])
    with pytest.raises(Strange):
        kinwood.KNeighborsClassifier(k=1, distance="test_fails").fit(["a", "b"], ["p", "q"]).predict(["x"])
    # Nothing of it stays: the next call is right.
    assert distance("test_fails", "a", "b") == 1.0
    assert pairwise("edit", ["a", "b"]).tolist() == [[0, 1], [1, 0]]
    assert kinwood.KNeighborsClassifier(k=1, distance="test_fails").fit(["a", "b"], ["p", "q"]).predict(["a"]).shape == (1,)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1.0, None, "far", 1j])
def test_what_is_no_distance_is_refused(wrong):
    register_distance("test_wrong", lambda a, b: wrong)
    with pytest.raises((ValueError, TypeError)) as raised:
        pairwise("test_wrong", ["a", "b"])
    if isinstance(wrong, float):
        assert "test_wrong" in str(raised.value)
        assert "'a'" in str(raised.value)


def test_numbers_of_any_kind_are_distances():
    for number in (2, np.float32(2), np.int64(2), True + 1):
        register_distance("test_number", lambda a, b, number=number: number)
        assert distance("test_number", "a", "b") == 2.0


def test_names_are_checked():
    for name in ("edit", "hausdorff", "two words", "f(x)", "", "1st", "default"):
        with pytest.raises(ValueError):
            register_distance(name, lambda a, b: 0.0)
    with pytest.raises(TypeError):
        register_distance("test_not_callable", 3)
    with pytest.raises(ValueError, match="test_nobody"):
        distance("test_nobody", "a", "b")


def test_a_name_can_be_given_again():
    register_distance("test_again", lambda a, b: 1.0)
    assert distance("test_again", "a", "b") == 1.0
    register_distance("test_again", lambda a, b: 2.0)
    assert distance("test_again", "a", "b") == 2.0


def test_a_function_for_one_type():
    register_distance("test_typed", lambda a, b: abs(a - b) ** 0.5, type="numeric", triangle=True)
    assert distance("test_typed", 1.0, 5.0) == 2.0
    with pytest.raises(ValueError):
        distance("test_typed", {"a"}, {"b"})
    assert laws("test_typed", "numeric").laws["triangle"]
    assert not laws("test_typed", "numeric").laws["separates"]


def test_missing_values_never_reach_a_function():
    def lengths(a, b):
        assert a is not None and b is not None
        return abs(len(a) - len(b))

    register_distance("test_present", lengths)
    model = kinwood.KNeighborsClassifier(k=1, distance="test_present").fit(["a", None, "bbb"], ["p", "q", "q"])
    assert model.predict(["aa", None]).shape == (2,)


def test_a_function_may_use_the_package(python):
    """In a process of its own: work that waits for itself would never end."""
    program = """
import kinwood
kinwood.register_distance("inner", lambda a, b: kinwood.distance("edit", a, b) + 1.0 if a != b else 0.0)
print(kinwood.pairwise("inner", ["ab", "ac", "ab"]).tolist())
kinwood.register_distance("matrix", lambda a, b: float(kinwood.pairwise("edit", [a, b])[0, 1]))
print(kinwood.pairwise("matrix", ["ab", "ac", "b"]).tolist())
kinwood.register_distance("fits", lambda a, b: float(kinwood.OneR().fit([[1.0], [2.0]] * 6, ["p", "q"] * 6).score([[1.0]], ["p"])))
print(kinwood.KNeighborsClassifier(k=1, distance="fits").fit(["a", "b", "c"], ["p", "q", "q"]).predict(["a"]).tolist())
"""
    done = python(program, timeout=20)
    assert done.stdout.splitlines()[:2] == [
        "[[0.0, 2.0, 0.0], [2.0, 0.0, 2.0], [0.0, 2.0, 0.0]]",
        "[[0.0, 1.0, 1.0], [1.0, 0.0, 2.0], [1.0, 2.0, 0.0]]",
    ]
    assert done.returncode == 0, done.stderr


def test_functions_from_several_threads():
    """Each thread gets its own answers, and its own exceptions at least."""
    register_distance("test_threads", lambda a, b: abs(len(a) - len(b)))

    def fails(a, b):
        raise Strange("always")

    register_distance("test_always", fails)
    words = ["a" * (1 + size % 7) for size in range(40)]
    expected = pairwise("test_threads", words)
    found, errors = [], []

    def right():
        for _ in range(5):
            found.append(pairwise("test_threads", words))

    def wrong():
        for _ in range(5):
            try:
                pairwise("test_always", words)
            except Strange as error:
                errors.append(error)

    threads = [threading.Thread(target=right) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 15
    for matrix in found:
        np.testing.assert_array_equal(matrix, expected)
    threads = [threading.Thread(target=wrong) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 15
    np.testing.assert_array_equal(pairwise("test_threads", words), expected)


def test_work_without_functions_is_left_alone():
    """A function that fails in one thread is nothing to work of another."""

    def fails(a, b):
        raise Strange("not yours")

    register_distance("test_not_yours", fails)
    words = ["".join(RANDOM.choice(list("abc"), size=60)) for _ in range(150)]
    expected = pairwise("edit", words)
    done, wrong = threading.Event(), []

    def guilty():
        while not done.is_set():
            with pytest.raises(Strange):
                pairwise("test_not_yours", ["a", "b"])

    def innocent():
        try:
            for _ in range(10):
                np.testing.assert_array_equal(pairwise("edit", words), expected)
        except BaseException as error:
            wrong.append(error)
        finally:
            done.set()

    threads = [threading.Thread(target=work) for work in (guilty, innocent)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_model_keeps_the_name_of_a_function(tmp_path):
    register_distance("test_kept", lambda a, b: abs(len(a) - len(b)))
    model = kinwood.KNeighborsClassifier(k=1, distance="test_kept").fit(["a", "bbb"], ["p", "q"])
    model.save(tmp_path / "model.kin")
    assert list(kinwood.load(tmp_path / "model.kin").predict(["cc", "dddd"])) == list(model.predict(["cc", "dddd"]))


def test_whoever_loads_a_model_registers_the_function_first(tmp_path, python):
    register_distance("test_missing_function", lambda a, b: abs(len(a) - len(b)))
    kinwood.KNeighborsClassifier(k=1, distance="test_missing_function").fit(["a", "bbb"], ["p", "q"]).save(tmp_path / "model.kin")
    done = python(
        "import sys, kinwood\ntry: print(kinwood.load(sys.argv[1]).predict(['a']))\nexcept ValueError as error: print('refused', error)",
        tmp_path / "model.kin",
    )
    assert done.returncode == 0, done.stderr
    assert "refused" in done.stdout
    assert "test_missing_function" in done.stdout


def test_an_interrupt_in_a_function_is_an_interrupt():
    def stops(a, b):
        raise KeyboardInterrupt

    register_distance("test_stops", stops)
    with pytest.raises(KeyboardInterrupt):
        pairwise("test_stops", ["a", "b"])


def test_memory_of_a_matrix_is_bounded():
    with pytest.raises(MemoryError, match="1000"):
        pairwise("absolute", np.arange(1000.0), memory=10_000)
    assert pairwise("absolute", np.arange(10.0), memory=10_000).shape == (10, 10)
