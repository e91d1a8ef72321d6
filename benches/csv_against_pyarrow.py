"""Reads one large CSV file with Kinwood and with pyarrow, one thread each, and prints the ratio.

    cargo build --release -p kinwood-formats --example read_csv
    python benches/csv_against_pyarrow.py            # needs numpy and pyarrow

The file is made once, always the same: 1,000,000 rows of 8 measured numbers (6 digits), 2 numbers with all their
digits, 6 whole numbers and 4 labels. The readers take turns, so that a slow moment of the machine hits both.
"""

import argparse
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

ROWS = 1_000_000
RUNS = 9
ROOT = pathlib.Path(__file__).resolve().parent.parent

PYARROW = """
import sys, time, pyarrow.csv as csv
def peak():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1])
before = peak()
start = time.perf_counter()
table = csv.read_csv(sys.argv[1], read_options=csv.ReadOptions(use_threads=False))
seconds = time.perf_counter() - start
print(f"rows {table.num_rows} columns {table.num_columns} bytes {table.nbytes} seconds {seconds:.4f}")
print(f"peak_kilobytes {peak()} above {before}")
"""


def make(path: pathlib.Path) -> None:
    import numpy as np

    random = np.random.default_rng(1)
    colours = np.array(["red", "green", "blue", "yellow"])
    cities = np.array(["Ghent", "Leuven", "New York City", "Zagreb", "Oslo", "Ljubljana", "Wien"])
    codes = np.array([f"k{i}" for i in range(500)])
    with path.open("w") as file:
        names = [f"x{i}" for i in range(8)] + ["full0", "full1"] + [f"n{i}" for i in range(6)]
        file.write(",".join(names + ["colour", "city", "code", "answer"]) + "\n")
        for _ in range(100):
            rows = ROWS // 100
            columns = [[f"{x:.6g}" for x in random.normal(0, 10.0 ** (i % 4), rows)] for i in range(8)]
            columns += [[repr(float(x)) for x in random.random(rows)] for _ in range(2)]
            columns += [random.integers(0, 10 ** (1 + i), rows).astype(str) for i in range(6)]
            columns += [random.choice(labels, rows) for labels in (colours, cities, codes)]
            columns += [np.where(random.random(rows) < 0.02, "", random.choice(["yes", "no"], rows))]
            file.writelines(",".join(row) + "\n" for row in zip(*columns))


def run(command: list[str]) -> dict[str, float]:
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    words = output.split()
    return {
        name: float(words[words.index(name) + 1])
        for name in ("rows", "columns", "bytes", "seconds", "peak_kilobytes", "above")
    }


def main() -> None:
    import numpy
    import pyarrow

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--file", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "kinwood-csv.csv")
    parser.add_argument("--reader", default=str(ROOT / "target/release/examples/read_csv"))
    parser.add_argument("--runs", type=int, default=RUNS)
    arguments = parser.parse_args()
    if not arguments.file.exists():
        make(arguments.file)
    commands = {
        "kinwood": [arguments.reader, str(arguments.file)],
        "pyarrow": [sys.executable, "-c", PYARROW, str(arguments.file)],
    }
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
    for _ in range(arguments.runs):
        for name, command in commands.items():
            runs[name].append(run(command))
    size = os.path.getsize(arguments.file) / 1e6
    print(f"{arguments.file.name}: {size:.0f} MB, {runs['kinwood'][0]['rows']:.0f} rows")
    print(f"python {platform.python_version()}, numpy {numpy.__version__}, pyarrow {pyarrow.__version__}")
    print(f"{'reader':<10}{'median s':>10}{'best s':>10}{'MB/s':>8}{'columns MB':>12}{'peak MB':>10}{'peak/columns':>14}")
    medians = {}
    for name, results in runs.items():
        seconds = [result["seconds"] for result in results]
        medians[name] = statistics.median(seconds)
        held = results[0]["bytes"] / 1e6
        peak = statistics.median(r["peak_kilobytes"] - r["above"] for r in results) * 1024 / 1e6
        print(
            f"{name:<10}{medians[name]:>10.3f}{min(seconds):>10.3f}{size / medians[name]:>8.0f}"
            f"{held:>12.0f}{peak:>10.0f}{peak / held:>14.2f}"
        )
    print(f"kinwood is {medians['pyarrow'] / medians['kinwood']:.2f} times as fast as pyarrow")


if __name__ == "__main__":
    main()
