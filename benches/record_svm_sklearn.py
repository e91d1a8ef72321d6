"""Records support vector machines of scikit-learn (LIBSVM) as golden/svm-sklearn/*.json.

    python benches/record_svm_sklearn.py             # needs numpy and scikit-learn

Each problem is a symmetric matrix of inner products between training objects, rows of unseen objects, labels or
targets, and the settings; what is recorded are the dual objective and the decision values. Entries are whole numbers
over a power of two that LIBSVM's cache of 32-bit numbers holds exactly, so that nothing is lost to its rounding; of
symmetric matrices the lower triangle is kept. Objects of the second class (positive for scikit-learn) come last and the
first class first, which is the order LIBSVM solves them in: where a matrix has negative eigenvalues its solution depends
on it. Coordinates are whole numbers over 32, so that linear kernels are exact and have no negative eigenvalues.
"""

import json
import pathlib
import warnings

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

OUT = pathlib.Path(__file__).resolve().parent.parent / "golden" / "svm-sklearn"
TOLERANCE = 1e-8
UNSEEN = 15


def gaussian(a, b, gamma=0.5):
    return np.exp(-gamma * ((a[:, None, :] - b[None, :, :]) ** 2).sum(-1))


def linear(a, b):
    return a @ b.T


def tanh(a, b, slope=0.8, offset=-0.6):
    """The sigmoid kernel, which is no inner product."""
    return np.tanh(slope * (a @ b.T) + offset)


def negative_distance(a, b):
    return -np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(-1))


def whole(matrix, scale):
    """The nearest whole numbers over the scale, and the matrix they stand for."""
    numbers = np.rint(matrix * scale).astype(np.int64)
    assert np.abs(numbers).max(initial=0) < 2**24, "a 32-bit number would round"
    return numbers, numbers / scale


def classes(rng, first, second, shift, dimensions=2):
    """Two clouds, the first class first."""
    points = rng.normal(size=(first + second, dimensions))
    points[first:] += shift
    return whole(points, 32.0)[1], np.array([0] * first + [1] * second)


def keep(name, kind, train, test, labels, settings, scale, shrinking=True):
    numbers, train = whole(train, scale)
    unseen, test = whole(test, scale)
    assert (train == train.T).all()
    n = len(train)
    shared = dict(kernel="precomputed", tol=TOLERANCE, shrinking=shrinking, max_iter=5_000_000)
    record = {"name": name, "kind": kind, "scale": scale, "objects": n}
    record["matrix"] = [int(numbers[i, j]) for i in range(n) for j in range(i + 1)]
    record["unseen"] = [[int(entry) for entry in row] for row in unseen]
    record |= settings | {"shrinking": shrinking}
    if kind == "classify":
        weights = np.array(settings.get("weights", [1.0] * n))
        machine = SVC(C=settings["cost"], **shared).fit(train, labels, sample_weight=weights)
    elif kind == "nu_classify":
        machine = NuSVC(nu=settings["nu"], **shared).fit(train, labels)
    elif kind == "one_class":
        machine = OneClassSVM(nu=settings["nu"], **shared).fit(train)
    elif kind == "regress":
        machine = SVR(C=settings["cost"], epsilon=settings["epsilon"], **shared).fit(train, labels)
    else:
        machine = NuSVR(C=settings["cost"], nu=settings["nu"], **shared).fit(train, labels)
    if labels is not None:
        record["labels"] = [float(label) for label in labels]
    signed = np.zeros(n)
    signed[machine.support_] = machine.dual_coef_[0]
    objective = 0.5 * signed @ train @ signed
    if kind == "classify":
        objective -= np.abs(signed).sum()
    elif kind in ("regress", "nu_regress"):
        objective -= labels @ signed
        objective += settings.get("epsilon", 0.0) * np.abs(signed).sum()
    decide = machine.predict if kind.endswith("regress") else machine.decision_function
    record["objective"] = float(objective)
    record["decisions"] = [float(value) for value in decide(train)]
    record["unseen_decisions"] = [float(value) for value in decide(test)]
    record["coefficients"] = [float(value) for value in signed]
    assert np.isfinite(record["decisions"]).all(), name
    path = OUT / f"{name}.json"
    path.write_text(json.dumps(record, separators=(",", ":")) + "\n")
    smallest = np.linalg.eigvalsh(train).min()
    print(f"{name:32} {kind:12} n {n:4} smallest eigenvalue {smallest:10.3g} objective {objective:14.8g} support {len(machine.support_)}")


def classification(rng):
    fine, coarse = 2.0**20, 2.0**10

    def problem(name, points, labels, cost, kernel, scale, shrinking=True, **settings):
        test = whole(rng.normal(size=(UNSEEN, points.shape[1])) * 1.5, 32.0)[1]
        keep(name, "classify", kernel(points, points), kernel(test, points), labels, {"cost": cost} | settings, scale, shrinking)

    points, labels = classes(rng, 30, 30, 4.0)
    problem("separable-linear", points, labels, 1.0, linear, coarse)
    problem("separable-gaussian", points, labels, 10.0, gaussian, fine)
    points, labels = classes(rng, 40, 40, 0.7)
    problem("overlapping-linear", points, labels, 1.0, linear, coarse)
    problem("overlapping-gaussian", points, labels, 1.0, gaussian, fine)
    problem("large-cost", points, labels, 1e4, lambda a, b: gaussian(a, b, 3.0), fine)
    problem("tiny-cost", points, labels, 1e-3, gaussian, fine)
    points, labels = classes(rng, 20, 20, 1.0)
    points[20:30] = points[:10]
    problem("opposite-duplicates", points, labels, 5.0, gaussian, fine)
    points, labels = classes(rng, 55, 5, 1.5)
    problem("unbalanced", points, labels, 1.0, gaussian, fine)
    balanced = [60 / (2 * 55)] * 55 + [60 / (2 * 5)] * 5
    problem("class-weights", points, labels, 1.0, gaussian, fine, weights=balanced)
    weights = np.round(rng.uniform(0.1, 3.0, size=60), 3).tolist()
    problem("object-weights", points, labels, 2.0, gaussian, fine, weights=weights)
    points, labels = classes(rng, 1, 1, 1.0)
    problem("two-objects", points, labels, 1.0, linear, coarse)
    points, labels = classes(rng, 2, 1, 1.0)
    problem("three-objects", points, labels, 100.0, gaussian, fine)
    points, labels = classes(rng, 15, 10, 0.5, dimensions=1)
    problem("rank-one", points, labels, 1.0, linear, coarse)
    problem("constant", points, labels, 1.0, lambda a, b: np.ones((len(a), len(b))), coarse)
    problem("zero", points, labels, 1.0, lambda a, b: np.zeros((len(a), len(b))), coarse)
    points, labels = classes(rng, 100, 90, 0.8, dimensions=4)
    problem("shrinks", points, labels, 50.0, lambda a, b: gaussian(a, b, 0.2), 2.0**17)
    points, labels = classes(rng, 25, 25, 1.2, dimensions=3)
    problem("indefinite-sigmoid", points, labels, 1.0, tanh, fine, False)
    problem("indefinite-sigmoid-large", points, labels, 100.0, tanh, fine, False)
    problem("indefinite-distance", points, labels, 1.0, negative_distance, fine, False)
    points, labels = classes(rng, 35, 20, 1.0, dimensions=3)
    problem("indefinite-distance-large", points, labels, 30.0, negative_distance, fine, False)
    # Any symmetric numbers: about half of the eigenvalues are negative.
    numbers = rng.normal(size=(40, 40))
    numbers = (numbers + numbers.T) / 2
    keep("indefinite-noise", "classify", numbers, rng.normal(size=(UNSEEN, 40)),
         np.array([0] * 20 + [1] * 20), {"cost": 1.0}, coarse, False)


def others(rng):
    fine, coarse = 2.0**20, 2.0**10
    points, labels = classes(rng, 35, 25, 1.0)
    test = whole(rng.normal(size=(UNSEEN, 2)) * 1.5, 32.0)[1]
    # A smaller share has a margin near zero here, by which the coefficients are divided.
    for nu in (0.5, 0.65, 0.8):
        keep(f"nu-classes-{nu}", "nu_classify", gaussian(points, points), gaussian(test, points), labels, {"nu": nu}, fine)
    apart, sides = classes(rng, 30, 20, 2.5)
    keep("nu-classes-linear", "nu_classify", linear(apart, apart), linear(test, apart), sides, {"nu": 0.45}, coarse)
    for nu in (0.05, 0.3, 0.9):
        keep(f"region-{nu}", "one_class", gaussian(points, points), gaussian(test, points), None, {"nu": nu}, fine)
    targets = np.round(np.sin(2 * points[:, 0]) + 0.3 * rng.normal(size=60), 6)
    for name, cost, epsilon in (("wide", 1.0, 0.5), ("narrow", 10.0, 0.05), ("no-tube", 2.0, 0.0), ("all-within", 1.0, 9.0)):
        keep(f"numbers-{name}", "regress", gaussian(points, points), gaussian(test, points), targets,
             {"cost": cost, "epsilon": epsilon}, fine)
    keep("numbers-linear", "regress", linear(points, points), linear(test, points), targets, {"cost": 1.0, "epsilon": 0.1}, coarse)
    for nu in (0.2, 0.6, 1.0):
        keep(f"nu-numbers-{nu}", "nu_regress", gaussian(points, points), gaussian(test, points), targets,
             {"cost": 1.0, "nu": nu}, fine)


def probabilities(rng):
    """Problems whose probabilities are compared by their Brier score on unseen objects."""
    for name, kinds, shift, cost in (("two", 2, 1.0, 1.0), ("two-clear", 2, 3.0, 10.0), ("three", 3, 1.6, 1.0)):
        def draw(each):
            points = rng.normal(size=(each * kinds, 2))
            labels = np.repeat(np.arange(kinds), each)
            for kind in range(kinds):
                angle = 2 * np.pi * kind / kinds
                points[labels == kind] += shift * np.array([np.cos(angle), np.sin(angle)]) / 2 * (2 if kinds > 2 else 1)
            return points, labels
        points, labels = draw(40)
        test, truth = draw(60)
        scale = 2.0**16
        numbers, train = whole(gaussian(points, points), scale)
        unseen, test = whole(gaussian(test, points), scale)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = []
            for seed in range(10):
                machine = SVC(C=cost, kernel="precomputed", probability=True, random_state=seed).fit(train, labels)
                found = machine.predict_proba(test)
                scores.append(float(((found - np.eye(kinds)[truth]) ** 2).sum(1).mean()))
        # One division into folds is a matter of luck: the middle of several is compared with the middle of several.
        divisions = []
        for seed in range(5):
            folds = np.zeros(len(labels), dtype=int)
            for fold, (_, held) in enumerate(StratifiedKFold(5, shuffle=True, random_state=seed).split(train, labels)):
                folds[held] = fold
            divisions.append(folds.tolist())
        n = len(train)
        record = {"name": f"probabilities-{name}", "kind": "probabilities", "scale": scale, "objects": n, "cost": cost, "classes": kinds}
        record["matrix"] = [int(numbers[i, j]) for i in range(n) for j in range(i + 1)]
        record["unseen"] = [[int(entry) for entry in row] for row in unseen]
        record |= {"labels": labels.tolist(), "truth": truth.tolist(), "folds": divisions, "brier": float(np.median(scores))}
        (OUT / f"probabilities-{name}.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")
        print(f"probabilities-{name}: Brier {min(scores):.4f} to {max(scores):.4f}")


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("*.json"):
        old.unlink()
    classification(np.random.default_rng(5))
    others(np.random.default_rng(6))
    probabilities(np.random.default_rng(7))
