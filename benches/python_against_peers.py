"""Times the Python package against its peers and against the same work in Rust, in turns, on the same data.

    pip install . scipy scikit-learn rapidfuzz python-weka-wrapper3
    python benches/python_against_peers.py [--rounds 9] [--threads 1] [--only NAME] [--twin PROGRAM]

Peers that are not installed are left out, and said to be. Both sides of a row work on as many threads; a peer that has one
thread only is left out where more are asked for. What must be the same is compared: distances to 1e-9, and the classes of
k-NN, K* (by `compat=weka`) and support vector machines by the share of equal answers; of trees and forests, which need not be
the same, the table has the accuracies. Weka is timed within its JVM, its data there already, after a round that does not
count.

The twin is `crates/kinwood/benches/python_twin.rs`, which cargo builds unless a program is named; `--twin none` leaves it out.
Python starts with an array, Rust with columns in memory: what Python needs to get there counts against Python.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib.metadata import version

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS, COLUMNS, CLASSES = 5000, 40, 3


def asked():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", help="one of twin, " + ", ".join(suite.__name__ for suite in SUITES))
    parser.add_argument("--twin", help="the program to run instead of the one cargo builds, or none")
    return parser.parse_args()


def timed(work):
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def in_turns(rounds, contestants):
    """The times of each contestant, one a round, and what each gave last. The first of a round is another each time."""
    names = list(contestants)
    seconds, given = {name: [] for name in names}, {}
    # A round that does not count: code is loaded and compiled, threads are started.
    for turn in range(-1, rounds):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            # A result is let go before the clock starts, as giving back its memory takes time.
            given.pop(name, None)
            spent, given[name] = contestants[name]()
            if turn >= 0:
                seconds[name].append(spent)
    return seconds, given


class Setting:
    """What all suites work with."""

    def __init__(self, options):
        import numpy

        self.rounds, self.threads = options.rounds, options.threads
        self.draw = numpy.random.default_rng(1)
        self.weka = self.start_weka()

    def start_weka(self):
        try:
            from weka.core import jvm
        except ImportError as missing:
            print(f"Weka is left out: {missing}", file=sys.stderr)
            return None
        import logging

        # One thread is one thread: the collector has none of its own.
        os.environ["JAVA_TOOL_OPTIONS"] = "-XX:+UseSerialGC"
        from jpype import JClass, JVMNotFoundException

        try:
            jvm.start(packages=False, max_heap_size="4g", logging_level=logging.ERROR)
        except JVMNotFoundException as missing:
            print(f"Weka is left out: {missing}", file=sys.stderr)
            return None

        return f"Weka {JClass('weka.core.Version').VERSION}"

    def classified(self, rows):
        """Numbers from 0 to 1, and classes that a sum, a product and chance decide."""
        import numpy

        x = self.draw.random((rows, COLUMNS))
        score = x[:, 0] + x[:, 1] + 2 * x[:, 2] * x[:, 3] + self.draw.normal(scale=0.2, size=rows)
        y = numpy.digitize(score, [1.25, 1.75])
        # The classes come first in their order: of two with as many votes we take the one seen first, the peers the lesser.
        first = [int(numpy.flatnonzero(y == label)[0]) for label in range(CLASSES)]
        order = [*first, *(row for row in range(rows) if row not in first)]
        return numpy.ascontiguousarray(x[order]), y[order]


def instances(x, y):
    """Data within Weka's JVM; every class is known even where no row has it."""
    from jpype import JArray, JClass, JDouble

    # Whole columns by one call: the wrapper's own function copies cell by cell.
    attributes = JClass("java.util.ArrayList")()
    attribute = JClass("weka.core.Attribute")
    for column in range(x.shape[1]):
        attributes.add(attribute(f"x{column}"))
    labels = JClass("java.util.ArrayList")()
    for label in range(CLASSES):
        labels.add(str(label))
    attributes.add(attribute("y", labels))
    data = JClass("weka.core.Instances")("rows", attributes, len(x))
    data.setClassIndex(x.shape[1])
    instance = JClass("weka.core.DenseInstance")
    for row, label in zip(x, y):
        data.add(instance(1.0, JArray(JDouble)([*row.tolist(), float(label)])))
    from weka.core.dataset import Instances

    return Instances(data)


def weka(name, options, train, test):
    """Fits a classifier of Weka and asks it about other rows, all within the JVM; the clock stops before answers are copied."""
    from weka.classifiers import Classifier

    def work():
        begun = time.perf_counter()
        classifier = Classifier(classname=f"weka.classifiers.{name}", options=options)
        classifier.build_classifier(train)
        answers = classifier.jobject.distributionsForInstances(test.jobject) if test is not None else None
        return time.perf_counter() - begun, (classifier, answers)

    return work


def weka_classes(answers):
    import numpy

    return numpy.array([list(shares) for shares in answers]).argmax(axis=1)


def same_distances(ours, theirs):
    import numpy

    apart = float(numpy.abs(ours - theirs).max())
    if apart > 1e-9 * max(1.0, float(numpy.abs(theirs).max())):
        sys.exit(f"distances differ by {apart}")
    return f"within {apart:.0e}" if apart else "equal"


def agreement(ours, theirs, least):
    import numpy

    share = float(numpy.mean(numpy.asarray(ours) == numpy.asarray(theirs)))
    if share < least:
        sys.exit(f"only {share:.2%} of the answers are the same")
    return f"{share:.2%} the same"


def accuracies(y, ours, theirs):
    return f"accuracy {(ours == y).mean():.3f} and {(theirs == y).mean():.3f}"


def against(setting, workload, ours, peers):
    """Rows of the table: our work beside that of each peer, in the same rounds. A peer is its work and a comparison of results."""
    contestants = {"Kinwood": lambda: timed(ours), **{peer: work for peer, (work, _) in peers.items()}}
    seconds, given = in_turns(setting.rounds, contestants)
    own = statistics.median(seconds["Kinwood"])
    for peer, (_, compare) in peers.items():
        yield workload, peer, own, statistics.median(seconds[peer]), compare(given["Kinwood"], given[peer])


def has(*packages):
    """The peers that are there."""
    import importlib.util

    there = [package for package in packages if importlib.util.find_spec(package)]
    for package in packages:
        if package not in there:
            print(f"{package} is left out: it is not installed", file=sys.stderr)
    return there


def vectors(setting):
    import kinwood

    x, _ = setting.classified(ROWS)
    packages = has("scipy", "sklearn")
    for name, expression, metric in (
        ("Euclidean", "euclidean(absolute)", "euclidean"),
        ("Manhattan", "sum(absolute)", "cityblock"),
    ):
        peers = {}
        if "scipy" in packages and setting.threads == 1:
            from scipy.spatial.distance import cdist

            peers[f"scipy {version('scipy')}, `cdist`"] = (partial(timed, partial(cdist, x, x, metric)), same_distances)
        if "sklearn" in packages:
            from sklearn.metrics import pairwise_distances

            work = partial(timed, partial(pairwise_distances, x, metric=metric, n_jobs=setting.threads))
            peers[f"scikit-learn {version('scikit-learn')}"] = (work, same_distances)
        ours = partial(kinwood.pairwise, expression, x, n_jobs=setting.threads)
        yield from against(setting, f"{name} matrix, {ROWS} x {COLUMNS}", ours, peers)


def edit(setting):
    import kinwood

    if not has("rapidfuzz"):
        return
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    letters = list("abcdefghijklmnopqrstuvwxyz")
    lengths = setting.draw.integers(10, 100, 2000)
    strings = ["".join(setting.draw.choice(letters, length)) for length in lengths]

    def work():
        return timed(lambda: cdist(strings, strings, scorer=Levenshtein.distance, workers=setting.threads))

    peers = {f"rapidfuzz {version('rapidfuzz')}": (work, same_distances)}

    def ours():
        return kinwood.pairwise("edit", strings, n_jobs=setting.threads)

    yield from against(setting, "edit matrix, 2000 strings of 10 to 99", ours, peers)


def hausdorff(setting):
    import numpy

    import kinwood

    if setting.threads != 1 or not has("scipy"):
        return
    from scipy.spatial.distance import directed_hausdorff

    bags = [setting.draw.random((count, 20)) for count in setting.draw.integers(5, 60, 100)]

    def each_pair_once():
        out = numpy.zeros((len(bags), len(bags)))
        for i, a in enumerate(bags):
            for j, b in enumerate(bags[:i]):
                out[i, j] = out[j, i] = max(directed_hausdorff(a, b)[0], directed_hausdorff(b, a)[0])
        return out

    peers = {f"scipy {version('scipy')}, `directed_hausdorff`": (lambda: timed(each_pair_once), same_distances)}

    def ours():
        return kinwood.pairwise("hausdorff(euclidean(absolute))", bags, n_jobs=setting.threads)

    yield from against(setting, "Hausdorff matrix, 100 bags of 5 to 59 rows of 20", ours, peers)


def knn(setting):
    import kinwood

    x, y = setting.classified(ROWS)
    queries, asked_y = setting.classified(ROWS)

    def alike(ours, theirs):
        return agreement(ours, theirs, 0.999)

    peers = {}
    if has("sklearn"):
        from sklearn.neighbors import KNeighborsClassifier

        for algorithm in ("brute", "auto"):

            def make(algorithm=algorithm):
                return KNeighborsClassifier(5, algorithm=algorithm, n_jobs=setting.threads)

            def work(make=make):
                return timed(lambda: make().fit(x, y).predict(queries))

            peers[f"scikit-learn {version('scikit-learn')}, `{algorithm}`"] = (work, alike)
    if setting.weka and setting.threads == 1:
        train, test = instances(x, y), instances(queries, asked_y)
        # Numbers as they are: Weka would divide them by their ranges.
        plain = 'weka.core.neighboursearch.LinearNNSearch -A "weka.core.EuclideanDistance -D -R first-last"'
        work = weka("lazy.IBk", ["-K", "5", "-A", plain], train, test)
        peers[f"{setting.weka}, `IBk`"] = (work, lambda ours, theirs: alike(ours, weka_classes(theirs[1])))

    def ours():
        learner = kinwood.KNeighborsClassifier(k=5, distance="euclidean(absolute)", n_jobs=setting.threads)
        return learner.fit(x, y).predict(queries)

    yield from against(setting, f"k-NN, k=5, {ROWS} rows asked about {ROWS} others", ours, peers)


def kstar(setting):
    import kinwood

    if not setting.weka or setting.threads != 1:
        return
    x, y = setting.classified(1000)
    queries, asked_y = setting.classified(200)
    train, test = instances(x, y), instances(queries, asked_y)
    for compat, least in (("none", 0.9), ("weka", 1.0)):

        def ours(compat=compat):
            return kinwood.KStarClassifier(compat=compat, n_jobs=setting.threads).fit(x, y).predict(queries)

        def compare(ours, theirs, least=least):
            return agreement(ours, weka_classes(theirs[1]), least)

        peers = {f"{setting.weka}, `KStar`": (weka("lazy.KStar", [], train, test), compare)}
        name = "K*" if compat == "none" else f"K*, compat={compat}"
        yield from against(setting, f"{name}, 1000 rows asked about 200 others", ours, peers)


def tree(setting):
    """Two rows, as the peers stop and prune differently: ours is set to do as each does."""
    import kinwood

    x, y = setting.classified(ROWS)
    queries, asked_y = setting.classified(ROWS)
    if has("sklearn"):
        from sklearn.tree import DecisionTreeClassifier

        def work():
            return timed(lambda: DecisionTreeClassifier(random_state=0).fit(x, y))

        def compare(ours, theirs):
            return accuracies(asked_y, ours.predict(queries), theirs.predict(queries))

        pure = {"heuristic": "gini", "leaf": 1, "pruning": "none"}

        def ours():
            return kinwood.PCTClassifier(**pure, n_jobs=setting.threads).fit(x, y)

        peers = {f"scikit-learn {version('scikit-learn')}": (work, compare)}
        yield from against(setting, f"tree to pure leaves, {ROWS} x {COLUMNS}", ours, peers)
    if setting.weka and setting.threads == 1:
        train, test = instances(x, y), instances(queries, asked_y)

        def compare(ours, theirs):
            answers = theirs[0].jobject.distributionsForInstances(test.jobject)
            return accuracies(asked_y, ours.predict(queries), weka_classes(answers))

        def ours():
            return kinwood.PCTClassifier(n_jobs=setting.threads).fit(x, y)

        peers = {f"{setting.weka}, `J48`": (weka("trees.J48", [], train, None), compare)}
        yield from against(setting, f"tree with C4.5 pruning, {ROWS} x {COLUMNS}", ours, peers)


def forest(setting):
    import kinwood

    x, y = setting.classified(ROWS)
    queries, asked_y = setting.classified(ROWS)
    peers = {}
    if has("sklearn"):
        from sklearn.ensemble import RandomForestClassifier

        def make():
            return RandomForestClassifier(100, n_jobs=setting.threads, random_state=0)

        def compare(ours, theirs):
            return accuracies(asked_y, ours.predict(queries), theirs.predict(queries))

        peers[f"scikit-learn {version('scikit-learn')}"] = (lambda: timed(lambda: make().fit(x, y)), compare)
    if setting.weka:
        train, test = instances(x, y), instances(queries, asked_y)
        options = ["-I", "100", "-num-slots", str(setting.threads)]

        def judge(ours, theirs):
            answers = theirs[0].jobject.distributionsForInstances(test.jobject)
            return accuracies(asked_y, ours.predict(queries), weka_classes(answers))

        peers[f"{setting.weka}, `RandomForest`"] = (weka("trees.RandomForest", options, train, None), judge)

    def ours():
        return kinwood.ForestClassifier(trees=100, n_jobs=setting.threads).fit(x, y)

    yield from against(setting, f"forest of 100 trees, {ROWS} x {COLUMNS}", ours, peers)


def svm(setting):
    import kinwood

    if setting.threads != 1 or not has("sklearn"):
        return
    from sklearn.svm import SVC

    x, y = setting.classified(ROWS)
    queries, _ = setting.classified(ROWS)
    gamma = 0.1

    def ours():
        kernel = f"gaussian(euclidean(absolute), gamma={gamma})"
        learner = kinwood.KernelSVC(kernel=kernel, probabilities=False, n_jobs=setting.threads)
        return learner.fit(x, y).predict(queries)

    # The cache holds the whole matrix, as ours does.
    def work():
        return timed(lambda: SVC(gamma=gamma, cache_size=400).fit(x, y).predict(queries))

    def alike(ours, theirs):
        return agreement(ours, theirs, 0.99)

    peers = {f"scikit-learn {version('scikit-learn')}, `SVC`": (work, alike)}
    yield from against(setting, f"support vector machine, {ROWS} rows, {ROWS} others predicted", ours, peers)


class Twin:
    """The same work in Rust, asked by lines."""

    def __init__(self, program):
        if not program:
            # By the profile that the package is built by.
            build = ["cargo", "bench", "--profile", "release", "-p", "kinwood", "--bench", "python_twin", "--no-run"]
            build.append("--message-format=json")
            lines = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
            found = [json.loads(line) for line in lines]
            program = [line["executable"] for line in found if line.get("executable")][-1]
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **asked):
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            sys.exit(answer["error"])
        return answer["seconds"], answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def twin(options, folder):
    """The same jobs by Python and by Rust: medians, and the quotient of each round's two times."""
    import numpy

    import kinwood

    draw = numpy.random.default_rng(2)
    x, queries = draw.random((ROWS, COLUMNS)), draw.random((ROWS, COLUMNS))
    y = numpy.digitize(x[:, 0] + x[:, 1], [0.8, 1.2]).astype(numpy.int64)
    files = {name: str(folder / name) for name in ("rows", "labels", "queries")}
    for name, values in zip(files, (x, y, queries)):
        values.tofile(files[name])
    rust = Twin(options.twin)

    def learner(of, **settings):
        def work():
            return of(**settings, n_jobs=options.threads).fit(x, y).predict(queries)

        told = {name: str(value) for name, value in settings.items()}
        return work, {**files, "settings": told}

    jobs = {
        "matrix": (lambda: kinwood.pairwise("euclidean(absolute)", x, n_jobs=options.threads), {"rows": files["rows"]}),
        "knn": learner(kinwood.KNeighborsClassifier, k=5, distance="euclidean(absolute)"),
        "kstar": learner(kinwood.KStarClassifier),
    }
    print("| job | Python, ms | Rust, ms | Python / Rust, medians | of best times | of each round: quartiles |")
    print("| --- | --- | --- | --- | --- | --- |")
    for job, (work, told) in jobs.items():
        request = {"job": job, "columns": COLUMNS, "threads": options.threads, **told}
        contestants = {"Python": partial(timed, work), "Rust": partial(rust.ask, **request)}
        seconds, given = in_turns(options.rounds, contestants)
        if job == "matrix":
            sums = float(given["Python"].sum()), given["Rust"]["sum"]
            if abs(sums[0] - sums[1]) > 1e-9 * sums[1]:
                sys.exit(f"the sums differ: {sums}")
        elif [str(label) for label in given["Python"]] != given["Rust"]["classes"]:
            sys.exit(f"{job} answers differently")
        python, native = seconds["Python"], seconds["Rust"]
        middle = statistics.median(python), statistics.median(native)
        best = min(python) / min(native)
        low, _, high = statistics.quantiles([a / b for a, b in zip(python, native)], n=4)
        quotient = f"{middle[0] / middle[1]:.3f} | {best:.3f} | {low:.3f} to {high:.3f}"
        print(f"| {job} | {middle[0] * 1e3:.4g} | {middle[1] * 1e3:.4g} | {quotient} |", flush=True)
    rust.close()


SUITES = (vectors, edit, hausdorff, knn, kstar, tree, forest, svm)


def main():
    options = asked()
    # Libraries read these when they are loaded.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(options.threads)
    threads = "one thread" if options.threads == 1 else f"{options.threads} threads"
    print(f"Python {sys.version.split()[0]}, {threads}, medians of {options.rounds} rounds\n", flush=True)
    if options.twin != "none" and options.only in (None, "twin"):
        with tempfile.TemporaryDirectory() as folder:
            twin(options, pathlib.Path(folder))
        print()
    if options.only == "twin":
        return
    setting = Setting(options)
    print("| workload | peer | Kinwood, ms | peer, ms | times as fast | results |\n| --- | --- | --- | --- | --- | --- |")
    for suite in SUITES:
        if options.only in (None, suite.__name__):
            for workload, peer, own, other, results in suite(setting):
                print(f"| {workload} | {peer} | {own * 1e3:.3g} | {other * 1e3:.3g} | {other / own:.3g} | {results} |", flush=True)


if __name__ == "__main__":
    main()
