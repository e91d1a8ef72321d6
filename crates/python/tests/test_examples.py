"""Programs as scikit-learn's users write them, run with scikit-learn's modules and with ours: of each only the imports differ.

Each is our own, after what the public examples and the user guide of scikit-learn show of trees, forests, neighbours and machines.
"""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

SETUP = """
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_blobs, make_circles, make_moons
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
flowers = train_test_split(*load_iris(return_X_y=True), random_state=0)
cells = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)
wines = train_test_split(*load_wine(return_X_y=True), random_state=0)
patients = train_test_split(*load_diabetes(return_X_y=True), random_state=0)
moons = train_test_split(*make_moons(150, noise=0.25, random_state=0), random_state=0)
circles = train_test_split(*make_circles(150, noise=0.1, factor=0.5, random_state=0), random_state=0)
def held_out(model, data):
    X, X_test, y, y_test = data
    return model.fit(X, y).score(X_test, y_test)
"""

PROGRAMS = {
    "neighbours": ("neighbors", "KNeighborsClassifier", "held_out(KNeighborsClassifier(n_neighbors=15, weights='distance'), flowers)"),
    "neighbours by manhattan": ("neighbors", "KNeighborsClassifier", "held_out(KNeighborsClassifier(3, metric='manhattan'), flowers)"),
    "neighbours by a power": ("neighbors", "KNeighborsClassifier", "held_out(KNeighborsClassifier(5, p=3, metric='minkowski'), wines)"),
    "neighbours by a function": (
        "neighbors",
        "KNeighborsClassifier",
        "held_out(KNeighborsClassifier(3, metric=lambda a, b: np.abs(a - b).max()), flowers)",
    ),
    "neighbours in a pipeline": (
        "neighbors",
        "KNeighborsClassifier",
        "held_out(make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=11)), wines)",
    ),
    "neighbours chosen": (
        "neighbors",
        "KNeighborsClassifier",
        "GridSearchCV(KNeighborsClassifier(), {'n_neighbors': [1, 15], 'weights': ['uniform', 'distance']}).fit(*moons[::2]).best_score_",
    ),
    "neighbours of each row": (
        "neighbors",
        "KNeighborsClassifier",
        "float(KNeighborsClassifier(4, metric='euclidean').fit(moons[0], moons[2]).kneighbors(moons[1])[0].mean())",
    ),
    "neighbours as a graph": (
        "neighbors",
        "KNeighborsClassifier",
        "float(KNeighborsClassifier(4, metric='cosine').fit(wines[0], wines[2]).kneighbors_graph(wines[1]).sum())",
    ),
    "neighbours of numbers": (
        "neighbors",
        "KNeighborsRegressor",
        "held_out(KNeighborsRegressor(n_neighbors=5, weights='uniform'), patients)",
    ),
    "a matrix of distances": (
        "neighbors",
        "KNeighborsClassifier",
        "KNeighborsClassifier(3, metric='precomputed').fit(abs(moons[0][:, :1] - moons[0][:, 0]), moons[2])"
        ".score(abs(moons[1][:, :1] - moons[0][:, 0]), moons[3])",
    ),
    "a machine": ("svm", "SVC", "held_out(SVC(kernel='rbf', gamma=2.0, C=1.0), moons)"),
    "a linear machine": ("svm", "SVC", "held_out(SVC(kernel='linear', C=0.025), flowers)"),
    "a machine of powers": ("svm", "SVC", "held_out(SVC(kernel='poly', degree=2, coef0=1.0), circles)"),
    "a machine with probabilities": (
        "svm",
        "SVC",
        "float(SVC(probability=True, random_state=0).fit(circles[0], circles[2]).predict_proba(circles[1]).sum())",
    ),
    "a machine's decisions": ("svm", "SVC", "float((SVC(C=10).fit(moons[0], moons[2]).decision_function(moons[1]) > 0).mean())"),
    "a machine of pairs": (
        "svm",
        "SVC",
        "float(SVC(decision_function_shape='ovo').fit(flowers[0], flowers[2]).decision_function(flowers[1]).shape[1])",
    ),
    "a machine with weights of classes": ("svm", "SVC", "held_out(SVC(kernel='linear', class_weight={1: 3}), moons)"),
    "a matrix of a kernel": (
        "svm",
        "SVC",
        "SVC(kernel='precomputed').fit(moons[0] @ moons[0].T, moons[2]).score(moons[1] @ moons[0].T, moons[3])",
    ),
    "a function as a kernel": ("svm", "SVC", "held_out(SVC(kernel=lambda a, b: a @ np.diag([2.0, 1.0]) @ b.T), moons)"),
    "a machine of shares": ("svm", "NuSVC", "held_out(NuSVC(gamma='auto', nu=0.3), circles)"),
    "a machine chosen": (
        "svm",
        "SVC",
        "GridSearchCV(make_pipeline(StandardScaler(), SVC()), {'svc__C': [1, 9], 'svc__gamma': [0.05, 0.1]}).fit(*wines[::2]).best_score_",
    ),
    "a machine of numbers": ("svm", "SVR", "held_out(SVR(kernel='rbf', C=100, gamma=0.1, epsilon=0.1), patients)"),
    "a machine of shares of numbers": ("svm", "NuSVR", "held_out(make_pipeline(StandardScaler(), NuSVR(C=50.0, nu=0.4)), patients)"),
    "a tree": ("tree", "DecisionTreeClassifier", "held_out(DecisionTreeClassifier(max_depth=3, random_state=0), flowers)"),
    "a tree of entropy": (
        "tree",
        "DecisionTreeClassifier",
        "held_out(DecisionTreeClassifier(criterion='entropy', min_samples_leaf=5), cells)",
    ),
    "a tree of few leaves": (
        "tree",
        "DecisionTreeClassifier",
        "float(DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(*cells[::2]).get_n_leaves())",
    ),
    "leaves of a tree": (
        "tree",
        "DecisionTreeClassifier",
        "float(len(set(DecisionTreeClassifier(max_depth=2, random_state=0).fit(*cells[::2]).apply(cells[1]))))",
    ),
    "the path of pruning": (
        "tree",
        "DecisionTreeClassifier",
        "float(DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(*cells[::2]).impurities[-1])",
    ),
    "a tree of numbers": ("tree", "DecisionTreeRegressor", "held_out(DecisionTreeRegressor(max_depth=3), patients)"),
    "a tree of several numbers": (
        "tree",
        "DecisionTreeRegressor",
        "float(DecisionTreeRegressor(max_depth=5).fit(moons[0], np.column_stack([moons[0].sum(1), moons[0]])).predict(moons[1]).shape[1])",
    ),
    "a forest": (
        "ensemble",
        "RandomForestClassifier",
        "held_out(RandomForestClassifier(n_estimators=40, max_features='sqrt', random_state=0), wines)",
    ),
    "rows out of the bag": (
        "ensemble",
        "RandomForestClassifier",
        "RandomForestClassifier(100, oob_score=True, bootstrap=True, random_state=0).fit(*cells[::2]).oob_score_",
    ),
    "importances of a forest": (
        "ensemble",
        "RandomForestClassifier",
        "float(RandomForestClassifier(60, random_state=0).fit(*flowers[::2]).feature_importances_[2:].sum())",
    ),
    "trees of a forest": ("ensemble", "RandomForestClassifier", "float(len(RandomForestClassifier(7).fit(*flowers[::2]).estimators_))"),
    "a forest with weights": (
        "ensemble",
        "RandomForestClassifier",
        "RandomForestClassifier(30, class_weight='balanced', random_state=0).fit(*cells[::2]).score(*cells[1::2])",
    ),
    "a forest of numbers": (
        "ensemble",
        "RandomForestRegressor",
        "held_out(RandomForestRegressor(n_estimators=50, random_state=0), patients)",
    ),
    "drawn thresholds": ("ensemble", "ExtraTreesClassifier", "held_out(ExtraTreesClassifier(n_estimators=50, random_state=0), cells)"),
    "drawn thresholds of numbers": (
        "ensemble",
        "ExtraTreesRegressor",
        "held_out(ExtraTreesRegressor(50, max_features=0.5, random_state=0), patients)",
    ),
    "a ridge": (
        "kernel_ridge",
        "KernelRidge",
        "held_out(make_pipeline(StandardScaler(), KernelRidge(alpha=1.0, kernel='rbf', gamma=0.01)), patients)",
    ),
    "held-out probabilities": (
        "ensemble",
        "RandomForestClassifier",
        "float(cross_val_predict(RandomForestClassifier(20, random_state=0), *wines[::2], cv=3, method='predict_proba').sum())",
    ),
}


@pytest.fixture(scope="module")
def world():
    names: dict[str, object] = {}
    exec(textwrap.dedent(SETUP), names)
    return names


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_only_the_import_changes(name, world):
    module, kind, program = PROGRAMS[name]
    found = []
    for package in ("sklearn", "kinwood.sklearn"):
        names = dict(world)
        exec(f"from {package}.{module} import {kind}", names)
        # What the test's own helpers need is in the same names.
        found.append(eval(program, names))
    theirs, ours = found
    assert np.isfinite(ours)
    assert ours >= theirs - 0.06 * max(1.0, abs(theirs)), f"scikit-learn {theirs}, here {ours}"


def test_there_are_thirty_of_them():
    assert len(PROGRAMS) >= 30
