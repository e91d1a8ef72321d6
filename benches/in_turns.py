"""The same jobs by two builds of the command, in turns on one machine.

    python benches/in_turns.py BEFORE AFTER --data DIR [--rounds 7] [--only WORD]

BEFORE and AFTER are two `kinwood` programs, DIR is the folder of public data. Each job runs by
one program, then by the other, so that what else the machine does hits both alike; a job's figure
is the least processor time of its rounds. The last column is after over before: more than 1 is
slower.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def jobs(data: Path, folder: Path) -> list[tuple[str, list[str]]]:
    """The jobs of docs/benchmarks.md that the command can do, by name."""
    uci = data / "uci"
    molecules = str(folder / "molecules.sqlite")
    flat = str(folder / "numbers.csv")
    waveform = str(uci / "waveform5000.arff")
    housing = str(data / "regression" / "housing.arff")
    return [
        ("describe a SQLite database", ["describe", molecules]),
        ("describe a CSV file", ["describe", flat]),
        ("matrix, Euclidean", ["matrix", waveform, "--target", "class", "--distance", "euclidean", "-o", str(folder / "m.npy")]),
        ("knn, leave-one-out", ["evaluate", "knn", waveform, "--leave-one-out"]),
        ("kstar, ten folds", ["evaluate", "kstar", str(uci / "segment.arff")]),
        ("tree, ten folds", ["evaluate", "tree", waveform]),
        ("tree on many rows", ["fit", "tree", flat, "--target", "y", "-o", str(folder / "t.kin")]),
        ("forest", ["fit", "forest", flat, "--target", "y", "--set", "trees=20", "-o", str(folder / "f.kin")]),
        ("beam", ["evaluate", "tree", str(uci / "vehicle.arff"), "--set", "search=beam"]),
        ("dbdt, ten folds", ["evaluate", "dbdt", str(uci / "segment.arff")]),
        ("mirt on molecules", ["fit", "mirt", molecules, "--target", "molecule.activity", "-o", str(folder / "r.kin")]),
        ("m5, ten folds", ["evaluate", "m5", housing, "--target", "class", "--repeats", "5"]),
        ("svm, ten folds", ["evaluate", "svm", str(uci / "vehicle.arff")]),
        ("ridge, ten folds", ["evaluate", "ridge", housing, "--target", "class", "--repeats", "5"]),
        ("report", ["report", str(folder / "small.kin"), "--data", str(uci / "vehicle.arff"), "--force", "-o", str(folder / "r.html")]),
    ]


def seconds(program: str, words: list[str], folder: Path) -> float | None:
    """The processor time of a command; none where it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        print(f"{program} {' '.join(words)}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def numbers(path: Path, rows: int, columns: int) -> None:
    """Rows of pseudo-random numbers and a class that some of them decide."""
    state = 1
    with path.open("w") as out:
        print(*(f"x{column}" for column in range(columns)), "y", sep=",", file=out)
        for _ in range(rows):
            values = []
            for _ in range(columns):
                state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
                values.append((state >> 11) / 2**53)
            side = values[0] + values[1] * values[2] > 0.75
            print(*(f"{value:.6f}" for value in values), "yes" if side else "no", sep=",", file=out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        molecules = ["sample", "molecules", "--size", "5000", "-o", str(folder / "molecules.sqlite")]
        subprocess.run([given.after, *molecules], check=True, capture_output=True)
        numbers(folder / "numbers.csv", 30_000, 20)
        vehicle = str(given.data.resolve() / "uci" / "vehicle.arff")
        small = ["fit", "tree", vehicle, "-o", str(folder / "small.kin")]
        subprocess.run([given.before, *small], check=True, capture_output=True)
        print(f"{'job':30} {'before':>8} {'after':>8} {'ratio':>6}")
        for job, words in jobs(given.data.resolve(), folder):
            if given.only not in job:
                continue
            times: list[list[float]] = [[], []]
            for _ in range(given.rounds):
                for which, program in enumerate((given.before, given.after)):
                    found = seconds(program, words, folder)
                    if found is not None:
                        times[which].append(found)
            if all(times):
                least = [min(times[0]), min(times[1])]
                print(f"{job:30} {least[0]:8.2f} {least[1]:8.2f} {least[1] / least[0]:6.2f}", flush=True)


main()
