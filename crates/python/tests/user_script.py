# pyright: strict
"""A user's script, as strict type checkers see it."""

import numpy as np

import kinwood
from kinwood.sklearn.ensemble import RandomForestClassifier

X = np.array([[0.0, 1.0], [1.0, 0.0], [0.1, 0.9], [0.9, 0.2]] * 5)
y = np.array(["a", "b", "a", "b"] * 5)

near = kinwood.KNeighborsClassifier(n_neighbors=3, metric="manhattan", weights="distance").fit(X, y)
score: float = near.score(X, y)
labels = near.predict(X)
print(score, labels.shape)

machine = kinwood.KernelSVC(c=0.5, probabilities=False).fit(X, y)
print(machine.decision_function(X).shape)

tree = kinwood.PCTClassifier(max_depth=3, min_samples_leaf=0.1, search="best_first", random_state=1, n_jobs=-1)
print(tree.fit(X, y).show())

forest = RandomForestClassifier(20, max_features="sqrt", class_weight="balanced").fit(X, y, sample_weight=np.ones(20))
print(forest.feature_importances_, forest.oob_score_)

table = kinwood.Table({"smiles": ["CCO", "CC"]}, types={"smiles": "string"})
print(len(table), table.columns, kinwood.pairwise("edit", ["a", "b"]).shape)
