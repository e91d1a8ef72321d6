"""Times relational model trees on sample molecules in SQLite, and featuretools with a scikit-learn tree on the same.

    cargo build --release -p kinwood-cli
    python benches/mirt_scale.py [LARGEST [PEER]]

Needs numpy, pandas, featuretools and scikit-learn. LARGEST (100000) and 30 and 10 percent of it are the sizes of ours, PEER (3000) that of both.
A run of ours is the whole command: start, reading, fitting, writing the model. featuretools' time is the calculation of its features (depth
2, its default primitives) and the fit of a `DecisionTreeRegressor` with at least five objects a leaf; reading the tables is not in it. Errors
are of 2000 other molecules. Peak memory is of the process as the kernel counts it.
"""

import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "kinwood"
DEPTH = "depth=6"


def run(*words):
    """Seconds, peak memory in MB, and what the command printed."""
    begun = time.perf_counter()
    done = subprocess.run(["/usr/bin/time", "-f", "%M", PROGRAM, *words], capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    if done.returncode:
        sys.exit(done.stderr)
    return seconds, int(done.stderr.split()[-1]) / 1024, done.stdout


def sample(folder, name, size, seed):
    file = folder / f"{name}.sqlite"
    run("sample", "molecules", "--size", str(size), "--noise", "0.02", "--seed", str(seed), "-o", file)
    return file


def fitted(folder, data, *settings):
    model = folder / f"model{time.time_ns()}.kin"
    words = [word for setting in (DEPTH, *settings) for word in ("--set", setting)]
    seconds, memory, _ = run("fit", "mirt", data, "--target", "molecule.activity", *words, "-o", model)
    return model, seconds, memory


def ours_error(folder, model, data):
    import sqlite3

    out = folder / f"said{time.time_ns()}.csv"
    run("predict", model, data, "-o", out)
    header, *lines = out.read_text().splitlines()
    place = header.split(",").index("prediction")
    said = [float(line.split(",")[place]) for line in lines]
    truth = [row[0] for row in sqlite3.connect(data).execute("select activity from molecule order by rowid")]
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(said, truth)) / len(truth))


PEER = """
import sys, time, resource, sqlite3, warnings, math
warnings.simplefilter("ignore")
import pandas, numpy, featuretools
from sklearn.tree import DecisionTreeRegressor
def tables(path):
    base = sqlite3.connect(path)
    return {name: pandas.read_sql(f"select * from {name}", base) for name in ("molecule", "atom", "bond")}
def features(frames, known=None):
    molecule = frames["molecule"].drop(columns=["activity", "active"])
    made = featuretools.EntitySet("molecules")
    made.add_dataframe(molecule, "molecule", index="molecule_id")
    made.add_dataframe(frames["atom"], "atom", index="atom_id")
    made.add_dataframe(frames["bond"], "bond", index="bond_id")
    made.add_relationship("molecule", "molecule_id", "atom", "molecule_id")
    made.add_relationship("atom", "atom_id", "bond", "atom1_id")
    made.add_relationship("atom", "atom_id", "bond", "atom2_id")
    if known is None:
        matrix, known = featuretools.dfs(entityset=made, target_dataframe_name="molecule", max_depth=2, n_jobs=1)
    else:
        matrix = featuretools.calculate_feature_matrix(known, made, n_jobs=1)
    return matrix, known
def flat(matrix, columns=None):
    coded = pandas.get_dummies(matrix).astype(float).fillna(0.0)
    return coded if columns is None else coded.reindex(columns=columns, fill_value=0.0)
train, test = sys.argv[1:3]
frames = tables(train)
begun = time.perf_counter()
matrix, known = features(frames)
x = flat(matrix)
tree = DecisionTreeRegressor(min_samples_leaf=5, random_state=1).fit(x, frames["molecule"]["activity"])
seconds = time.perf_counter() - begun
other = tables(test)
said = tree.predict(flat(features(other, known)[0], x.columns))
error = math.sqrt(((said - other["molecule"]["activity"]) ** 2).mean())
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, error, x.shape[1])
"""


def main():
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        times = []
        for objects in (largest // 10, largest * 3 // 10, largest):
            data = sample(folder, f"m{objects}", objects, 1)
            _, seconds, memory = fitted(folder, data)
            times.append((objects, seconds))
            print(f"{objects:>7} molecules: {seconds:6.1f} s, {memory:6.0f} MB", flush=True)
            data.unlink()
        logs = [(math.log(objects), math.log(seconds)) for objects, seconds in times]
        mean = [sum(column) / len(logs) for column in zip(*logs)]
        slope = sum((x - mean[0]) * (y - mean[1]) for x, y in logs) / sum((x - mean[0]) ** 2 for x, _ in logs)
        print(f"exponent of time over size: {slope:.2f}", flush=True)
        data, other = sample(folder, "train", size, 1), sample(folder, "test", 2000, 2)
        for settings in ((), ("preset=best",)):
            model, seconds, memory = fitted(folder, data, *settings)
            shown = run("show", model)[2]
            leaves = int(re.search(r"(\d+) leaves", shown).group(1)) if " leaves" in shown else 1
            wrong = ours_error(folder, model, other)
            print(f"mirt {' '.join(settings):<12} {size} molecules: {seconds:6.2f} s, {memory:5.0f} MB, error {wrong:.3f}, {leaves} leaves", flush=True)
        done = subprocess.run([sys.executable, "-c", PEER, data, other], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        seconds, memory, wrong, columns = done.stdout.split()[-4:]
        print(f"featuretools and a tree {size} molecules: {float(seconds):6.1f} s, {float(memory):5.0f} MB, error {float(wrong):.3f}, {columns} features")


if __name__ == "__main__":
    main()
