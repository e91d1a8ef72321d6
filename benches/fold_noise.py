"""Measures how far the mean over ten folds moves when the same rows are divided anew.

    cargo build --release -p kinwood-cli
    python benches/fold_noise.py DATA_FOLDER [REPEATS] [PROGRAM]

Every learner is evaluated on every data set over REPEATS random divisions into ten folds (50). A line gives the measure, its mean, the deviation
of single folds (the root of the mean of the divisions' variances), that of the divisions' means, and their ratio as a share of what ten
independent scores would have, 1/sqrt(10): the factor that `crates/evaluation/src/study/noise.rs` calls `DIVIDED_ANEW`. The last lines
give the factor over all lines: quartiles, the largest, and the root of the mean square.
"""

import json
import math
import pathlib
import statistics
import subprocess
import sys

FOLDS = 10
CLASSES = ["uci/iris", "uci/glass", "uci/ionosphere", "uci/sonar", "uci/vehicle", "uci/diabetes", "uci/heart.c", "uci/hepatitis"]
NUMBERS = ["regression/pyrim", "regression/pollution", "regression/servo", "regression/autoprice", "regression/machine.cpu", "regression/housing"]
LEARNERS = {"oner": CLASSES, "kstar": CLASSES, "dbdt": CLASSES, "knn": CLASSES + NUMBERS, "tree": CLASSES + NUMBERS, "svm": CLASSES}
MEASURES = {"accuracy": CLASSES, "rmse": NUMBERS, "correlation": NUMBERS}


def evaluated(program, folder, learner, name, repeats):
    file = folder / f"{name}.arff"
    columns = [line.split()[1] for line in file.read_text("latin-1").splitlines() if line.lower().startswith("@attribute")]
    words = [program, "evaluate", learner, str(file), "--target", columns[-1].strip("'"), "--folds", str(FOLDS), "--repeats", str(repeats)]
    run = subprocess.run([*words, "--json", "--quiet"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(f"{name} {learner}: {run.stderr.strip()}")
        return []
    return json.loads(run.stdout)["folds"]


def factor(folds, measure):
    """The mean, the deviation of folds, that of the divisions' means, and the factor."""
    divisions = {}
    for fold in folds:
        divisions.setdefault(fold["repeat"], []).append(fold[measure])
    scores = [scores for scores in divisions.values() if None not in scores]
    if len(scores) < 2:
        return None
    single = math.sqrt(statistics.fmean(statistics.variance(one) for one in scores))
    means = [statistics.fmean(one) for one in scores]
    if single == 0.0:
        return None
    return statistics.fmean(means), single, statistics.stdev(means), statistics.stdev(means) / (single / math.sqrt(FOLDS))


def main():
    folder = pathlib.Path(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    here = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "kinwood"
    program = sys.argv[3] if len(sys.argv) > 3 else str(here)
    factors = {measure: [] for measure in MEASURES}
    print(f"{'data':<24}{'learner':<10}{'measure':<14}{'mean':>10}{'folds':>10}{'divisions':>11}{'factor':>8}")
    for learner, names in LEARNERS.items():
        for name in names:
            folds = evaluated(program, folder, learner, name, repeats)
            for measure, of in MEASURES.items():
                found = factor(folds, measure) if name in of and folds else None
                if found is None:
                    continue
                mean, single, divided, share = found
                factors[measure].append(share)
                print(f"{name:<24}{learner:<10}{measure:<14}{mean:>10.4f}{single:>10.4f}{divided:>11.4f}{share:>8.2f}", flush=True)
    factors["all"] = [share for shares in list(factors.values()) for share in shares]
    for measure, shares in factors.items():
        if len(shares) > 1:
            low, middle, high = statistics.quantiles(shares, n=4)
            root = math.sqrt(statistics.fmean(share**2 for share in shares))
            print(f"{measure}: {len(shares)} factors, quartiles {low:.2f} {middle:.2f} {high:.2f}, largest {max(shares):.2f}, root of the mean square {root:.2f}")


if __name__ == "__main__":
    main()
