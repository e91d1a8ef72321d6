"""Times support vector machines against scikit-learn's SVC (LIBSVM) on the same matrix, one thread each.

    cargo build --release -p kinwood-machines --example time_svm
    KINWOOD_DATA=... python benches/svm_against_sklearn.py            # needs numpy and scikit-learn

The matrix is the Gaussian kernel of waveform-5000 with standardised columns, gamma 1/40. Both start with numbers in memory and
end with all machines, one class against one; they take turns, so that a slow moment of the machine hits both.
"""

import argparse
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time

import numpy as np
from sklearn.svm import SVC

REPETITIONS = 3
ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "examples" / "time_svm"


def waveform():
    rows = []
    data = False
    for line in (pathlib.Path(os.environ["KINWOOD_DATA"]) / "uci" / "waveform5000.arff").read_text().splitlines():
        line = line.strip()
        if data and line and not line.startswith("%"):
            rows.append(line.split(","))
        data = data or line.lower().startswith("@data")
    table = np.array(rows, dtype=float)
    points = table[:, :-1]
    points = (points - points.mean(0)) / points.std(0)
    squares = (points**2).sum(1)
    distances = np.maximum(squares[:, None] + squares[None, :] - 2 * points @ points.T, 0)
    matrix = np.exp(-distances / 40)
    np.fill_diagonal(matrix, 1.0)
    return np.ascontiguousarray((matrix + matrix.T) / 2), table[:, -1].astype(int)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--costs", type=float, nargs="+", default=[1.0, 10.0])
    options = parser.parse_args()
    matrix, labels = waveform()
    pair = np.flatnonzero(labels < 2)
    problems = [("three classes", matrix, labels), ("two classes", np.ascontiguousarray(matrix[np.ix_(pair, pair)]), labels[pair])]
    print(f"{platform.machine()}, {os.cpu_count()} processors, tolerance {options.tolerance}")
    with tempfile.TemporaryDirectory() as folder:
        for name, matrix, labels in problems:
            file, classes = pathlib.Path(folder) / "matrix", pathlib.Path(folder) / "labels"
            matrix.astype("<f8").tofile(file)
            classes.write_text("".join(f"{label}\n" for label in labels))
            for cost in options.costs:
                theirs, ours = [], []
                for _ in range(options.runs):
                    for _ in range(REPETITIONS):
                        machine = SVC(kernel="precomputed", C=cost, tol=options.tolerance)
                        start = time.perf_counter()
                        machine.fit(matrix, labels)
                        theirs.append(time.perf_counter() - start)
                    command = [PROGRAM, file, classes, str(options.tolerance), str(cost), str(REPETITIONS)]
                    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
                    ours += [float(line.split()[1]) for line in lines]
                    words = lines[-1].split()
                one, two = statistics.median(theirs), statistics.median(ours)
                print(
                    f"{name}, {len(labels)} objects, cost {cost:g}: scikit-learn {one:.3f} s ({min(theirs):.3f} to {max(theirs):.3f}),"
                    f" Kinwood {two:.3f} s ({min(ours):.3f} to {max(ours):.3f}), ratio {one / two:.2f};"
                    f" iterations {int(machine.n_iter_.sum())} and {words[3]}"
                )


if __name__ == "__main__":
    main()
