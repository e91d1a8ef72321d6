"""Times fitting and predicting of one tree and of forests against scikit-learn, in turns, on one thread.

    cargo build --release -p kinwood-learners --example tree_growth
    OMP_NUM_THREADS=1 python benches/forests_against_sklearn.py [ROUNDS] [PROGRAM]

Needs numpy and scikit-learn. 5,000 rows of 40 numbers, two classes, 100 trees. Every round fits each contestant once and predicts the
probabilities of all rows twice; medians are printed. Our first prediction also puts the trees into flat arrays. Our forests estimate their
error out of bag while they are fitted, scikit-learn's do not.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = [
    ("one tree", "learner=tree heuristic=gini leaf=1 pruning=none", DecisionTreeClassifier),
    ("random forest", "learner=forest heuristic=gini leaf=1", RandomForestClassifier),
    ("extra trees", "learner=forest heuristic=gini leaf=1 tests=drawn sample=all", ExtraTreesClassifier),
]


def timed(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    program = sys.argv[2] if len(sys.argv) > 2 else ROOT / "target" / "release" / "examples" / "tree_growth"
    draw = numpy.random.default_rng(0)
    x = draw.normal(size=(5000, 40))
    y = ((x[:, :8] ** 2).sum(axis=1) + draw.normal(size=len(x)) > 8).astype(numpy.uint32)
    with tempfile.TemporaryDirectory() as folder:
        name = f"{folder}/data"
        numpy.ascontiguousarray(x.T).tofile(f"{name}.x")
        y.tofile(f"{name}.y")
        ours = subprocess.Popen([program, name, "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        print(f"{'':16}{'fit':>10}{'first':>10}{'again':>10}")
        for case, settings, peer in CASES:
            times = {"kinwood": [], "scikit-learn": []}
            for _ in range(rounds):
                ours.stdin.write(settings + "\n")
                ours.stdin.flush()
                seconds, _, _, _, first, again = ours.stdout.readline().split()
                times["kinwood"].append([float(seconds), float(first), float(again)])
                model = peer(random_state=0) if peer is DecisionTreeClassifier else peer(100, random_state=0, n_jobs=1)
                work = [lambda: model.fit(x, y), lambda: model.predict_proba(x), lambda: model.predict_proba(x)]
                times["scikit-learn"].append([timed(job) for job in work])
            print(case)
            for who, all_rounds in times.items():
                medians = [statistics.median(column) for column in zip(*all_rounds)]
                print(f"  {who:14}" + "".join(f"{median:10.4f}" for median in medians))
        ours.stdin.close()
        ours.wait()


main()
