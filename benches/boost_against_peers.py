"""Ten stratified folds of flat sets: `boost` and `forest` here, LightGBM, and scikit-learn's histogram boosting and forest, all by default.

    python benches/boost_against_peers.py target/release/kinwood FOLDER [SET ...] [--only NAME,...]

FOLDER holds ARFF files whose last attribute is the class. Needs numpy, pandas, lightgbm and scikit-learn. Every learner sees the same rows.
Prints accuracy and log loss (of probabilities not below 1e-15), their mean ranks, and seconds.
"""

import csv
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

warnings.filterwarnings("ignore")
SETS = "autos breast.cancer breast.w credit.a diabetes glass heart.c hypothyroid ionosphere kr.vs.kp segment sonar vehicle vowel waveform5000".split()


def read(path: Path) -> tuple[pd.DataFrame, np.ndarray, list[str], list[str], list[str]]:
    """Columns, classes, the heading and the rows as text, and the labels of the classes."""
    lines = path.read_text().splitlines()
    begin = next(place for place, line in enumerate(lines) if line.strip().lower() == "@data")
    rows = [line for line in lines[begin + 1 :] if line.strip() and not line.startswith("%")]
    stated = [line for line in lines[:begin] if line.lower().startswith("@attribute")]
    cells = list(csv.reader(rows, quotechar="'", skipinitialspace=True))
    table = pd.DataFrame([[cell.strip() for cell in row] for row in cells]).replace("?", None)
    for place, line in enumerate(stated):
        labels = line[line.index("{") + 1 : line.rindex("}")] if "{" in line else ""
        labels = [label.strip().strip("'\"") for label in labels.split(",")]
        table[place] = table[place].astype(pd.CategoricalDtype(labels)) if "{" in line else table[place].astype(float)
    y = table.iloc[:, -1].cat
    return table.iloc[:, :-1].rename(columns=str), y.codes.to_numpy(), lines[: begin + 1], rows, list(y.categories)


def ours(learner: str, program: str, heading: list[str], rows: list[str], train, test, labels: list[str]) -> np.ndarray:
    target = [line.split()[1].strip("'\"") for line in heading if line.lower().startswith("@attribute")][-1]
    with tempfile.TemporaryDirectory() as folder:
        for name, chosen in (("train", train), ("test", test)):
            Path(folder, f"{name}.arff").write_text("\n".join(heading + [rows[place] for place in chosen]) + "\n")
        model, out = Path(folder, "m.kin"), Path(folder, "out.csv")
        name, *settings = learner.split()
        given = [word for setting in settings for word in ("--set", setting)]
        subprocess.run([program, "fit", name, f"{folder}/train.arff", "--target", target, "-o", model, *given], check=True, capture_output=True)
        subprocess.run([program, "predict", model, f"{folder}/test.arff", "-o", out], check=True, capture_output=True)
        table = list(csv.DictReader(out.open()))
    return np.array([[float(row.get(f"p({label})", 0.0)) for label in labels] for row in table])


def peer(model, X: pd.DataFrame, y: np.ndarray, train, test, classes: int) -> np.ndarray:
    fitted = model.fit(X.iloc[train], y[train])
    p = np.zeros((len(test), classes))
    p[:, fitted.classes_] = fitted.predict_proba(X.iloc[test])
    return p


def main() -> None:
    program, folder = sys.argv[1], Path(sys.argv[2])
    only = sys.argv[sys.argv.index("--only") + 1].split(",") if "--only" in sys.argv else None
    names = [name for name in sys.argv[3:] if not name.startswith("--") and name not in (",".join(only or []),)] or SETS
    scores: dict[str, dict[str, list[float]]] = {}
    for name in names:
        X, y, heading, rows, labels = read(folder / f"{name}.arff")
        X = X.dropna(axis=1, how="all")
        codes = X.apply(lambda column: column.cat.codes.replace(-1, np.nan) if column.dtype.name == "category" else column)
        learners = {
            "lightgbm": lambda train, test: peer(lightgbm.LGBMClassifier(verbose=-1, n_jobs=1), X, y, train, test, len(labels)),
            "sklearn boosting": lambda train, test: peer(HistGradientBoostingClassifier(categorical_features="from_dtype"), X, y, train, test, len(labels)),
            "sklearn forest": lambda train, test: peer(RandomForestClassifier(n_jobs=1), codes.fillna(-1), y, train, test, len(labels)),
        }
        for own in only or ["boost", "forest"]:
            learners[own] = lambda train, test, own=own: ours(own, program, heading, rows, train, test, labels)
        if only:
            for left in [left for left in ("lightgbm", "sklearn boosting", "sklearn forest") if "peers" not in only]:
                learners.pop(left)
            learners.pop("peers", None)
        told = []
        for learner, predict in learners.items():
            right, loss, begun = 0, 0.0, time.time()
            for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(X, y):
                p = np.clip(predict(train, test), 1e-15, 1)
                right += int((p.argmax(1) == y[test]).sum())
                loss -= np.log(p[np.arange(len(test)), y[test]]).sum()
            own = [right / len(y), loss / len(y), time.time() - begun]
            scores.setdefault(learner, {})[name] = own
            told.append(f"{learner} {own[0]:.4f} {own[1]:.4f} ({own[2]:.1f} s)")
        print(f"{name}: " + ", ".join(told), flush=True)
    tables = [pd.DataFrame({learner: {name: own[place] for name, own in sets.items()} for learner, sets in scores.items()}) for place in (0, 1)]
    ranks = [tables[0].rank(axis=1, ascending=False).mean(), tables[1].rank(axis=1).mean()]
    for learner in scores:
        print(
            f"{learner:40} accuracy {tables[0][learner].mean():.4f}, mean rank {ranks[0][learner]:.2f}; log loss {tables[1][learner].mean():.4f}, mean rank {ranks[1][learner]:.2f}; "
            f"{sum(own[2] for own in scores[learner].values()):.0f} s"
        )


main()
