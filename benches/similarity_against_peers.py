"""Times Kinwood's measures against the libraries people use, in turns, on the same values and one thread.

    python benches/similarity_against_peers.py [--data FOLDER] [--rounds 9] [--only NAME]

needs numpy, scipy, scikit-learn, rapidfuzz, apted, grakel and dtaidistance (those that are missing are left out). FOLDER holds the
Musk and mutagenesis data; without it those two are left out. Prints a table of medians and ratios, in Markdown.
"""

import argparse
import csv
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Kinwood:
    """The bench server, built once and asked by lines."""

    def __init__(self):
        build = ["cargo", "bench", "-p", "kinwood-similarity", "--bench", "served", "--no-run", "--message-format=json"]
        lines = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        found = [json.loads(line) for line in lines]
        program = [line["executable"] for line in found if line.get("executable")][-1]
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def ask(self, **asked):
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            sys.exit(answer["error"])
        return answer["seconds"], answer["sum"]

    def values(self, name, values):
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(values))
        return str(path)


def timed(work):
    begun = time.perf_counter()
    total = work()
    return time.perf_counter() - begun, total


def in_turns(rounds, ours, theirs, tolerance=1e-6):
    """Medians of both, taken alternately; the sums must agree where the peer computes the same thing."""
    own, other = [], []
    for turn in range(rounds):
        for work, times in ((ours, own), (theirs, other)) if turn % 2 else ((theirs, other), (ours, own)):
            seconds, total = work()
            times.append(seconds)
            if work is ours:
                our_sum = total
            else:
                their_sum = total
    if tolerance and abs(our_sum - their_sum) > tolerance * max(1.0, abs(their_sum)):
        sys.exit(f"the results differ: {our_sum} and {their_sum}")
    return statistics.median(own), statistics.median(other)


def edit(kinwood, rounds, _):
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    rng = random.Random(1)
    strings = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=200)) for _ in range(1000)]
    file = kinwood.values("strings", strings)
    ours = lambda: kinwood.ask(expression="edit", type="string", file=file)
    theirs = lambda: timed(lambda: float(cdist(strings, strings, scorer=Levenshtein.distance, workers=1).sum()))
    yield "edit, 1000 x 1000 strings of 200", f"rapidfuzz {version('rapidfuzz')}", in_turns(rounds, ours, theirs)


def assignment(kinwood, rounds, _):
    import numpy
    from scipy.optimize import linear_sum_assignment

    rng = numpy.random.default_rng(1)
    for name, costs in (("uniform", rng.random((500, 500))), ("integer", rng.integers(1, 100, (500, 500)).astype(float))):
        path = kinwood.folder / f"{name}.raw"
        costs.tofile(path)
        ours = lambda: kinwood.ask(assignment=str(path), rows=500, columns=500)

        def solve():
            rows, columns = linear_sum_assignment(costs)
            return float(costs[rows, columns].sum())

        yield f"assignment 500 x 500, {name} costs", f"scipy {version('scipy')}", in_turns(rounds, ours, lambda: timed(solve))


def random_tree(rng, nodes):
    children = [[] for _ in range(nodes)]
    for node in range(1, nodes):
        children[rng.randrange(node)].append(node)
    labels = [rng.choice("abcdefgh") for _ in range(nodes)]

    def show(node, open_, close, comma):
        inner = comma.join(show(child, open_, close, comma) for child in children[node])
        if open_ == "{":
            return "{" + labels[node] + inner + "}"
        return labels[node] + (open_ + inner + close if inner else "")

    return show(0, "(", ")", ","), show(0, "{", "}", "")


def tree_edit(kinwood, rounds, _):
    from apted import APTED
    from apted.helpers import Tree

    sys.setrecursionlimit(10_000)
    for nodes in (50, 100, 200):
        rng = random.Random(nodes)
        trees = [random_tree(rng, nodes) for _ in range(3)]
        file = kinwood.values(f"trees{nodes}", [tree for tree, _ in trees])
        parsed = [Tree.from_text(text) for _, text in trees]
        ours = lambda: kinwood.ask(expression="tree_edit", type="tree", file=file)
        theirs = lambda: timed(lambda: float(sum(APTED(a, b).compute_edit_distance() for a in parsed for b in parsed)))
        yield f"tree edit, {nodes} nodes, 9 pairs", f"apted {version('apted')}", in_turns(rounds, ours, theirs)


def vectors(kinwood, rounds, _):
    import numpy
    from scipy.spatial.distance import cdist
    from sklearn.metrics import pairwise_distances

    points = numpy.random.default_rng(1).random((5000, 40))
    file = kinwood.values("points", points.tolist())
    of = "tuple<" + ", ".join(["numeric"] * 40) + ">"
    for name, expression, scipy_name in (
        ("Euclidean", "euclidean(absolute)", "euclidean"),
        ("Manhattan", "sum(absolute)", "cityblock"),
    ):
        ours = lambda: kinwood.ask(expression=expression, type=of, file=file)
        for peer, work in (
            (f"scipy {version('scipy')}", lambda: timed(lambda: float(cdist(points, points, scipy_name).sum()))),
            (
                f"scikit-learn {version('scikit-learn')}",
                lambda: timed(lambda: float(pairwise_distances(points, metric=scipy_name, n_jobs=1).sum())),
            ),
        ):
            yield f"{name}, 5000 x 5000 x 40", peer, in_turns(rounds, ours, work)


def hausdorff(kinwood, rounds, data):
    import numpy
    from scipy.spatial.distance import directed_hausdorff

    bags = musk_bags(data)
    file = kinwood.values("musk", bags)
    of = "bag<tuple<" + ", ".join(["numeric"] * len(bags[0][0])) + ">>"
    arrays = [numpy.array(bag) for bag in bags]
    ours = lambda: kinwood.ask(expression="hausdorff(euclidean(absolute))", type=of, file=file)

    def all_pairs():
        return float(sum(max(directed_hausdorff(a, b)[0], directed_hausdorff(b, a)[0]) for a in arrays for b in arrays))

    yield "Hausdorff, all pairs of Musk1 bags", f"scipy {version('scipy')}", in_turns(rounds, ours, lambda: timed(all_pairs))


def musk_bags(data):
    path = next(path for path in sorted(pathlib.Path(data).rglob("clean1.data")))
    bags = {}
    with open(path, newline="") as lines:
        for row in csv.reader(lines):
            if len(row) > 100:
                bags.setdefault(row[0], []).append([float(number) for number in row[2:168]])
    return list(bags.values())


def walk(kinwood, rounds, data):
    from grakel import Graph, RandomWalkLabeled

    molecules = mutagenesis(data)
    values = [
        {"directed": False, "nodes": {str(i): label for i, label in nodes.items()}, "edges": [[str(a), str(b)] for a, b in edges]}
        for nodes, edges in molecules
    ]
    file = kinwood.values("molecules", values)
    graphs = [
        Graph({**{(a, b): 1 for a, b in edges}, **{(b, a): 1 for a, b in edges}}, node_labels=nodes) for nodes, edges in molecules
    ]
    ours = lambda: kinwood.ask(expression="walk(weight=0.05)", type="graph", file=file)

    def grakel():
        return float(RandomWalkLabeled(lamda=0.05, method_type="fast").fit_transform(graphs).sum())

    peer = f"grakel {version('grakel')}"
    yield f"walk kernel, {len(molecules)} mutagenesis molecules", peer, in_turns(rounds, ours, lambda: timed(grakel), tolerance=None)


def mutagenesis(data, count=30):
    folder = next(path.parent for path in sorted(pathlib.Path(data).rglob("atom.csv")) if "mutagenesis" in str(path))
    read = lambda name: list(csv.DictReader(open(folder / name, newline="")))
    atoms, bonds = read("atom.csv"), read("bond.csv")
    key = lambda row, *names: next(row[name] for name in names if name in row)
    of_atom = {key(atom, "atom_id", "id"): key(atom, "molecule_id", "molecule") for atom in atoms}
    label = {key(atom, "atom_id", "id"): key(atom, "element", "elem") for atom in atoms}
    nodes, edges = {}, {}
    for atom, molecule in of_atom.items():
        nodes.setdefault(molecule, {})[atom] = label[atom]
    for bond in bonds:
        a, b = key(bond, "atom1_id", "atom1", "atom_id1"), key(bond, "atom2_id", "atom2", "atom_id2")
        edges.setdefault(of_atom[a], []).append((a, b))
    chosen = sorted(nodes)[:count]
    return [(nodes[molecule], edges.get(molecule, [])) for molecule in chosen]


def series(kinwood, rounds, _):
    import numpy
    from dtaidistance import dtw

    walks = numpy.random.default_rng(1).normal(size=(500, 500)).cumsum(axis=1)
    file = kinwood.values("walks", walks.tolist())
    peer = f"dtaidistance {version('dtaidistance')}, its C library"
    # A window of theirs allows one place less.
    for name, expression, settings in (
        ("any window", "dtw", {}),
        ("window 50", "dtw(window=50)", {"window": 51}),
    ):
        ours = lambda: kinwood.ask(expression=expression, type="list<numeric>", file=file, half=True)

        def theirs():
            matrix = dtw.distance_matrix_fast(walks, compact=True, parallel=False, **settings)
            return float(numpy.sum(matrix))

        yield f"dtw, 500 series of 500, all pairs, {name}", peer, in_turns(rounds, ours, lambda: timed(theirs), tolerance=1e-12)
    for expression in ("dtw", "dtw(window=50)", "erp", "msm", "twe"):
        ours = lambda: kinwood.ask(expression=expression, type="list<numeric>", file=file, nearest=2)
        brute = lambda: kinwood.ask(expression=expression, type="list<numeric>", file=file)
        own, other = in_turns(min(rounds, 3), ours, brute, tolerance=None)
        yield f"{expression}, the nearest of each of 500 series of 500", "all distances of Kinwood", (own, other)


def sets(kinwood, rounds, _):
    import numpy
    from sklearn.metrics import pairwise_distances

    rng = random.Random(3)
    for labels in (100, 400):
        chosen = [sorted(rng.sample(range(labels), 20)) for _ in range(10_000)]
        file = kinwood.values(f"sets{labels}", [[f"l{label}" for label in row] for row in chosen])
        table = numpy.zeros((len(chosen), labels), dtype=bool)
        for row, members in enumerate(chosen):
            table[row, members] = True
        ours = lambda: kinwood.ask(expression="jaccard", type="set<nominal>", file=file)
        theirs = lambda: timed(lambda: float(pairwise_distances(table, metric="jaccard", n_jobs=1).sum()))
        peer = f"scikit-learn {version('scikit-learn')}"
        yield f"jaccard, 10,000 sets of 20 of {labels} labels, all pairs", peer, in_turns(rounds, ours, theirs)


def threads(kinwood, rounds, _):
    rng = random.Random(2)
    strings = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=200)) for _ in range(1000)]
    file = kinwood.values("threaded", strings)
    two = lambda: kinwood.ask(expression="edit", type="string", file=file, threads=2)
    one = lambda: kinwood.ask(expression="edit", type="string", file=file, threads=1)
    yield "two threads: edit, 1000 x 1000 strings of 200", "Kinwood on one thread", in_turns(rounds, two, one, tolerance=1e-15)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("KINWOOD_DATA"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only")
    asked = parser.parse_args()
    kinwood = Kinwood()
    print("| workload | peer | Kinwood, ms | peer, ms | times as fast |\n| --- | --- | --- | --- | --- |")
    for suite in (edit, assignment, tree_edit, vectors, hausdorff, walk, series, sets, threads):
        if asked.only and asked.only != suite.__name__:
            continue
        if suite in (hausdorff, walk) and not asked.data:
            print(f"{suite.__name__} needs --data", file=sys.stderr)
            continue
        try:
            for workload, peer, (own, other) in suite(kinwood, asked.rounds, asked.data):
                print(f"| {workload} | {peer} | {own * 1e3:.3g} | {other * 1e3:.3g} | {other / own:.3g} |", flush=True)
        except ImportError as missing:
            print(f"{suite.__name__} is left out: {missing}", file=sys.stderr)


if __name__ == "__main__":
    main()
