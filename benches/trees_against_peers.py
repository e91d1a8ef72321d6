"""Times the learner `tree` against scikit-learn and XGBoost, in turns, on one thread.

    cargo build --release -p kinwood-learners --example tree_growth
    python benches/trees_against_peers.py DATA_FOLDER [ROUNDS]

Needs numpy, scikit-learn and xgboost. Every round fits each contestant once, so that whatever else the machine does falls on all of
them; medians and their ratios are printed. Data are in memory before the clock starts; ours includes sorting the columns.
`DecisionTreeClassifier` grows with the same stopping: until leaves are pure, or to the depth named.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from sklearn.tree import DecisionTreeClassifier

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "examples" / "tree_growth"
GREEDY = "heuristic=gini leaf=1 pruning=none"


def arff(path):
    """The numbers and the class, which is last, of a file without missing values."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    start = next(place for place, line in enumerate(lines) if line.lower().startswith("@data"))
    cells = [line.split(",") for line in lines[start + 1 :] if line and not line.startswith("%")]
    table = numpy.array([[cell.strip() for cell in row] for row in cells])
    return table[:, :-1].astype(float), numpy.unique(table[:, -1], return_inverse=True)[1]


def million():
    """A million rows of twenty numbers; the class depends on four of them, and on chance."""
    draw = numpy.random.default_rng(0)
    x = draw.normal(size=(1_000_000, 20))
    y = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] + draw.normal(size=len(x)) > 0
    return x, y.astype(int)


class Ours:
    """A process that holds the data and fits on request."""

    def __init__(self, x, y, threads, folder):
        name = folder / f"data{threads}"
        numpy.ascontiguousarray(x.T).tofile(f"{name}.x")
        y.astype(numpy.uint32).tofile(f"{name}.y")
        command = [PROGRAM, name, str(threads)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def fit(self, settings):
        self.process.stdin.write(settings + "\n")
        self.process.stdin.flush()
        seconds, trees, nodes, memory, *_ = self.process.stdout.readline().split()
        return float(seconds), f"{trees} trees, {nodes} nodes", int(memory)


def timed(work):
    begun = time.perf_counter()
    told = work()
    return time.perf_counter() - begun, told, 0


def sklearn(x, y, depth=None):
    def work():
        tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(x, y)
        return f"{tree.tree_.node_count} nodes"

    return lambda: timed(work)


def folds(x, y):
    """Ten trees, each without the rows of a fold: every tenth row."""
    fold = numpy.arange(len(x)) % 10
    parts = [(numpy.ascontiguousarray(x[fold != k]), y[fold != k]) for k in range(10)]

    def work():
        trees = [DecisionTreeClassifier(random_state=0).fit(*part) for part in parts]
        return f"{sum(tree.tree_.node_count for tree in trees)} nodes"

    return lambda: timed(work)


def dbdt(ours):
    fits = [ours.fit(f"learner=dbdt fold={fold}") for fold in range(10)]
    return sum(fit[0] for fit in fits), "", fits[-1][2]


def xgboost(x, y, depth):
    import xgboost

    def work():
        # The matrix is made anew: the columns are sorted within it, as ours are within a fit.
        matrix = xgboost.DMatrix(x, y, nthread=1)
        options = {"tree_method": "exact", "max_depth": depth, "objective": "binary:logistic", "nthread": 1, "min_child_weight": 0}
        xgboost.train(options, matrix, num_boost_round=1)
        return ""

    return lambda: timed(work)


def compare(title, contestants, rounds):
    seconds = {name: [] for name in contestants}
    told, memory = {}, {}
    for _ in range(rounds):
        for name, fit in contestants.items():
            spent, told[name], memory[name] = fit()
            seconds[name].append(spent)
    medians = {name: statistics.median(all) for name, all in seconds.items()}
    first = next(iter(medians.values()))
    print(f"{title} (median of {rounds})")
    for name, median in medians.items():
        peak = f", peak {memory[name] / 1e6:.0f} MB" if memory[name] else ""
        print(f"  {name:34} {median:9.4f} s  {median / first:6.2f} of the first  {told[name]}{peak}")
    sys.stdout.flush()


def main():
    data = pathlib.Path(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in ["waveform5000", "letter"]:
            x, y = arff(data / "uci" / f"{name}.arff")
            ours = Ours(x, y, 1, folder)
            compare(name, {"kinwood": lambda: ours.fit(GREEDY), "scikit-learn": sklearn(x, y)}, rounds)
        x, y = arff(data / "uci" / "letter.arff")
        ours = Ours(x, y, 1, folder)
        compare("letter, ten folds", {"scikit-learn": folds(x, y), "kinwood, dbdt": lambda: dbdt(ours)}, rounds)
        x, y = arff(data / "uci" / "segment.arff")
        ours = Ours(x, y, 1, folder)
        beam = "search=beam preset=paper size=51"
        contestants = {
            "scikit-learn, one tree": sklearn(x, y),
            "beam of 10 to 51 nodes": lambda: ours.fit(beam),
            "the same with similarity": lambda: ours.fit(f"{beam} beta=1"),
            "beam of 100": lambda: ours.fit(f"{beam} width=100"),
        }
        compare("segment", contestants, rounds)
        x, y = million()
        one, two = Ours(x, y, 1, folder), Ours(x, y, 2, folder)
        deep = f"{GREEDY} depth=10"
        contestants = {
            "kinwood, one thread": lambda: one.fit(deep),
            "kinwood, two threads": lambda: two.fit(deep),
            "XGBoost, exact, one tree": xgboost(x, y, 10),
            "scikit-learn": sklearn(x, y, 10),
        }
        compare(f"a million rows of 20 numbers to depth 10; the columns are {x.nbytes / 1e6:.0f} MB", contestants, rounds)


if __name__ == "__main__":
    main()
