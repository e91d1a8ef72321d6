"""The estimators beside their scikit-learn namesakes, in one run: accuracy by default on sets of UCI, and seconds.

    python benches/python_against_scikit_learn.py FOLDER [--sets 20] [--rows 1200] [--speed]

FOLDER has ARFF files. Each set is cut to so many rows, labels become indicator columns for both sides, ten stratified folds are shared,
and nothing is tuned: mean rank (1 is better, ties 1.5), mean accuracy, and the set on which ours loses most. With --speed also the times
of predicting, fitting and of short strings beside rapidfuzz, the least of three, on one thread each.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn import ensemble, neighbors, svm, tree
from sklearn.model_selection import StratifiedKFold, cross_val_score

import kinwood

SETS = (
    "balance.scale breast.w diabetes ecoli glass haberman heart.statlog ionosphere iris segment sonar vehicle wine waveform5000 vowel "
    "heart.c heart.h hepatitis letter credit.a"
).split()
PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "KNeighborsClassifier": (kinwood.KNeighborsClassifier, neighbors.KNeighborsClassifier),
    "KernelSVC": (lambda: kinwood.KernelSVC(probabilities=False), svm.SVC),
    "SVC": (kinwood.SVC, svm.SVC),
    "PCTClassifier": (kinwood.PCTClassifier, lambda: tree.DecisionTreeClassifier(random_state=0)),
    "DecisionTreeClassifier": (kinwood.DecisionTreeClassifier, lambda: tree.DecisionTreeClassifier(random_state=0)),
    "ForestClassifier": (kinwood.ForestClassifier, lambda: ensemble.RandomForestClassifier(random_state=0)),
    "RandomForestClassifier": (kinwood.RandomForestClassifier, lambda: ensemble.RandomForestClassifier(random_state=0)),
    "ExtraTreesClassifier": (kinwood.ExtraTreesClassifier, lambda: ensemble.ExtraTreesClassifier(random_state=0)),
}


def sets(folder: Path, names: list[str], rows: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    for name in names:
        path = folder / f"{name}.arff"
        if not path.is_file():
            print(f"{name}: no such file")
            continue
        read = kinwood.Database(path)
        frame = read.to_pandas()
        target = next((column for column in frame.columns if column.lower() == "class"), frame.columns[-1])
        y = frame.pop(target).to_numpy()
        kept = np.array([label is not None and label == label for label in y])
        numbers = frame.select_dtypes("number")
        columns = [numbers.fillna(numbers.mean()).to_numpy(float)]
        if numbers.shape[1] < frame.shape[1]:
            columns.append(pd.get_dummies(frame.drop(columns=numbers.columns)).to_numpy(float))
        X, y = np.hstack(columns)[kept], y[kept].astype(str)
        if len(y) > rows:
            drawn = np.random.default_rng(0).permutation(len(y))[:rows]
            X, y = X[drawn], y[drawn]
        usual = np.isin(y, [label for label, count in zip(*np.unique(y, return_counts=True)) if count >= 2])
        yield name, X[usual], y[usual]


def accuracies(folder: Path, names: list[str], rows: int) -> None:
    lines = []
    for name, X, y in sets(folder, names, rows):
        folds = StratifiedKFold(10, shuffle=True, random_state=1)
        for kind, pair in PAIRS.items():
            ours, theirs = (cross_val_score(make(), X, y, cv=folds, error_score="raise").mean() for make in pair)
            lines.append((kind, name, ours, theirs))
    table = pd.DataFrame(lines, columns=["estimator", "set", "ours", "theirs"])
    print(f"{'estimator':24} rank ours  theirs  accuracy ours  theirs  largest loss")
    for kind, own in table.groupby("estimator", sort=False):
        ranks = np.array([rankdata(-pair) for pair in own[["ours", "theirs"]].round(4).to_numpy()]).mean(axis=0)
        lost = (own.theirs - own.ours).idxmax()
        worst = f"{own.theirs[lost] - own.ours[lost]:.3f} {own.set[lost]}"
        print(f"{kind:24} {ranks[0]:9.3f} {ranks[1]:7.3f} {own.ours.mean():14.4f} {own.theirs.mean():7.4f}  {worst}")


def least(work: Callable[[], Any]) -> float:
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def speeds() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(5000, 20))
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
    print(f"{'seconds':44} ours    theirs")
    for kind in ("DecisionTreeClassifier", "RandomForestClassifier", "ExtraTreesClassifier", "KNeighborsClassifier", "KernelSVC"):
        ours, theirs = (make().fit(X, y) for make in PAIRS[kind])
        for what, call in (("predict 5,000 rows", lambda model: model.predict(X)), ("fit 5,000 rows", lambda model: model.fit(X, y))):
            print(f"{kind + ', ' + what:44} {least(lambda: call(ours)):7.3f} {least(lambda: call(theirs)):8.3f}")  # noqa: B023
    try:
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist
    except ImportError:
        return
    words = ["".join(random.choice(list("abcdefgh"), 10)) for _ in range(2000)]
    ours = least(lambda: kinwood.pairwise("levenshtein", words, words))
    theirs = least(lambda: cdist(words, words, scorer=Levenshtein.distance))
    print(f"{'2,000 by 2,000 strings of 10, rapidfuzz':44} {ours:7.3f} {theirs:8.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", type=int, default=len(SETS))
    parser.add_argument("--rows", type=int, default=1200)
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    accuracies(given.folder, SETS[: given.sets], given.rows)
    if given.speed:
        speeds()


if __name__ == "__main__":
    main()
