"""The relational data sets: `boost`, `auto`, `forest` and `mirt` beside LightGBM on what featuretools makes of them, on the same folds.

    cargo build --release -p kinwood-cli
    python benches/relational_against_peers.py DATA [--program PATH] [--folds 10] [--sets NAME,...] [--learners "boost,forest,..."] [--out FILE]

DATA is the folder of the public data sets. Needs numpy, pandas, scikit-learn, lightgbm and featuretools. All have their defaults. Folds are
stratified where classes are predicted. Measured are AUC of classes and RMSE of numbers, by fold; the differences to `boost` are tested by the
corrected resampled t-test. featuretools computes its features of all rows at once, without targets; its time is in the seconds.
"""

import argparse
import gzip
import json
import math
import pathlib
import subprocess
import tempfile
import time
import warnings

import numpy as np
import pandas as pd

warnings.filterwarnings("ignore")
PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "kinwood"


class Problem:
    """Tables with keys, the first of which is predicted."""

    def __init__(self, name, target, tables, keys, links):
        self.name, self.target, self.tables, self.keys, self.links = name, target, tables, keys, links
        self.main = next(iter(tables))
        self.y = tables[self.main][target]
        self.classes = not pd.api.types.is_float_dtype(self.y)

    def write(self, folder, folds):
        lines = [f'target = "{self.main}.{self.target}"', 'keys = "declared"']
        for name, table in self.tables.items():
            if name == self.main:
                table = table.assign(fold=[f"f{fold}" for fold in folds])
            table.to_csv(folder / f"{name}.csv", index=False)
            lines += [f"[tables.{name}]", f'key = "{self.keys[name]}"']
            if name == self.main:
                kind = "nominal" if self.classes else "numeric"
                lines += [f"[tables.{name}.columns]", 'fold = { type = "nominal", role = "fold" }', f'{self.target} = "{kind}"']
            for child, column, parent, _ in self.links:
                if child == name:
                    lines += [f"[[tables.{child}.foreign_keys]]", f'columns = "{column}"', f'references = "{parent}"']
        (folder / "schema.toml").write_text("\n".join(lines) + "\n")


def mutagenesis(data):
    folder = data / "mutagenesis" / "csv"
    read = lambda name: pd.read_csv(folder / f"{name}.csv")
    molecule = read("molecule").drop(columns=["subset", "fold", "logmut"])
    molecule["active"] = molecule["active"].map({1: "yes", 0: "no"})
    atom, bond = read("atom"), read("bond")
    return atom_tables("mutagenesis", "active", molecule, atom, bond)


def atom_tables(name, target, molecule, atom, bond):
    first, second = [column for column in bond.columns if "atom" in column][:2]
    bond = bond.assign(bond_id=range(len(bond)))
    links = [("atom", "molecule_id", "molecule", "molecule_id"), ("bond", first, "atom", "atom_id"), ("bond", second, "atom", "atom_id")]
    keys = {"molecule": "molecule_id", "atom": "atom_id", "bond": "bond_id"}
    return Problem(name, target, {"molecule": molecule, "atom": atom, "bond": bond}, keys, links)


def biodegradability(data):
    folder = data / "biodegradability"
    read = lambda name: pd.read_csv(folder / f"{name}.csv")
    problem = atom_tables("biodegradability", "activity", read("molecule"), read("atom"), read("bond"))
    problem.tables["group"] = read("group").rename(columns={"type": "kind"})
    member = read("gmember")
    problem.tables["gmember"] = member.assign(member_id=range(len(member)))
    problem.keys |= {"group": "group_id", "gmember": "member_id"}
    problem.links += [("gmember", "atom_id", "atom", "atom_id"), ("gmember", "group_id", "group", "group_id")]
    return problem


def financial(data):
    folder = data / "financial_pkdd99"
    read = lambda name: pd.read_csv(folder / f"{name}.asc", sep=";", na_values="?", dtype={"birth_number": str, "account_to": str})
    loan = read("loan")
    loan["status"] = loan["status"].map({"A": "good", "C": "good", "B": "bad", "D": "bad"})
    tables = {"loan": loan, "account": read("account"), "district": read("district").rename(columns={"A1": "district_id"})}
    tables |= {"client": read("client"), "disp": read("disp"), "card": read("card"), "orders": read("order")}
    keys = {"loan": "loan_id", "account": "account_id", "district": "district_id", "client": "client_id", "disp": "disp_id", "card": "card_id", "orders": "order_id"}
    links = [("loan", "account_id", "account", "account_id"), ("account", "district_id", "district", "district_id")]
    links += [("client", "district_id", "district", "district_id"), ("disp", "client_id", "client", "client_id")]
    links += [("disp", "account_id", "account", "account_id"), ("card", "disp_id", "disp", "disp_id"), ("orders", "account_id", "account", "account_id")]
    return Problem("financial", "status", tables, keys, links)


def musk(data, number):
    if number == 1:
        rows = pd.read_csv(data / "musk" / "clean1.data", header=None)
    else:
        with gzip.open(data / "musk" / "clean2.rebuilt.data.gz", "rt") as file:
            rows = pd.read_csv(file, header=None)
    rows = rows.rename(columns={0: "molecule", 1: "shape_id"} | {place: f"f{place - 1}" for place in range(2, 168)})
    truth = rows.groupby("molecule")[168].max()
    bag = pd.DataFrame({"molecule": truth.index, "musk": np.where(truth.to_numpy() > 0, "yes", "no")})
    shape = rows.drop(columns=[168]).assign(shape_id=range(len(rows)))
    return Problem(f"musk{number}", "musk", {"bag": bag, "shape": shape}, {"bag": "molecule", "shape": "shape_id"}, [("shape", "molecule", "bag", "molecule")])


def trains(data):
    train = pd.read_csv(data / "trains" / "trains.csv", skiprows=[1, 2])
    car = pd.read_csv(data / "trains" / "cars.csv", skiprows=[1, 2])
    return Problem("trains", "direction", {"train": train, "car": car}, {"train": "id", "car": "id"}, [("car", "tid", "train", "id")])


def rent(data):
    flat = pd.read_csv(data / "munich_rent" / "rent99.csv").drop(columns=["rent"])
    flat.insert(0, "flat_id", range(len(flat)))
    vertex = pd.read_csv(data / "munich_rent" / "district_polygon.csv")
    vertex = vertex.assign(vertex_id=range(len(vertex))).drop(columns=["vertex"])
    district = pd.DataFrame({"district": sorted(set(vertex["district"]) | set(flat["district"]))})
    keys = {"flat": "flat_id", "district": "district", "vertex": "vertex_id"}
    links = [("flat", "district", "district", "district"), ("vertex", "district", "district", "district")]
    return Problem("munich_rent", "rentsqm", {"flat": flat, "district": district, "vertex": vertex}, keys, links)


SETS = {
    "mutagenesis": mutagenesis,
    "biodegradability": biodegradability,
    "financial": financial,
    "musk1": lambda data: musk(data, 1),
    "musk2": lambda data: musk(data, 2),
    "trains": trains,
    "munich_rent": rent,
}


def folds_of(problem, count):
    """The fold of each row: classes are spread evenly."""
    draw = np.random.default_rng(1)
    order = draw.permutation(len(problem.y))
    if problem.classes:
        order = sorted(order, key=lambda row: str(problem.y.iloc[row]))
    folds = np.empty(len(order), int)
    folds[np.array(order)] = np.arange(len(order)) % count
    return folds


def auc(truth, score):
    ranks = pd.Series(score).rank().to_numpy()
    yes = truth.sum()
    no = len(truth) - yes
    return (ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * no) if yes and no else math.nan


def measured(problem, folds, predicted):
    """By fold: AUC of the rarer class, or RMSE."""
    each = []
    rare = problem.y.value_counts().index[-1] if problem.classes else None
    for fold in np.unique(folds):
        rows = folds == fold
        if problem.classes:
            each.append(auc((problem.y[rows] == rare).to_numpy(), predicted[rows]))
        else:
            each.append(math.sqrt(((problem.y[rows] - predicted[rows]) ** 2).mean()))
    if problem.classes and np.isnan(each).any():
        # Folds without one of the classes: one figure of all rows together.
        return [auc((problem.y == rare).to_numpy(), predicted)]
    return each


def ours(problem, folder, learner, program):
    name, *settings = learner.split(":")
    out = folder.parent / "predictions.csv"
    command = [str(program), "evaluate", name, str(folder), "--target", f"{problem.main}.{problem.target}", "--fold-column", "fold"]
    for setting in settings:
        command += ["--set", setting]
    begun = time.time()
    ran = subprocess.run(command + ["-o", str(out), "--force", "--quiet"], capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr.strip().splitlines()[-1])
    seconds = time.time() - begun
    table = pd.read_csv(out)
    key = problem.keys[problem.main]
    table = table.set_index(table[key].astype(str)).loc[problem.tables[problem.main][key].astype(str)]
    rare = problem.y.value_counts().index[-1] if problem.classes else None
    column = f"p({rare})" if problem.classes else "prediction"
    return table[column].to_numpy(float), seconds


def featuretools(problem, folds):
    import featuretools
    import lightgbm

    begun = time.time()
    entities = featuretools.EntitySet(problem.name)
    for name, table in problem.tables.items():
        if name == problem.main:
            table = table.drop(columns=[problem.target])
        entities.add_dataframe(dataframe=table.copy(), dataframe_name=name, index=problem.keys[name])
    for child, column, parent, key in problem.links:
        entities.add_relationship(parent, key, child, column)
    matrix, _ = featuretools.dfs(entityset=entities, target_dataframe_name=problem.main, max_depth=2, features_only=False)
    matrix = matrix.loc[problem.tables[problem.main][problem.keys[problem.main]]]
    matrix = pd.DataFrame({f"x{place}": matrix.iloc[:, place].to_numpy() for place in range(matrix.shape[1])})
    for column in matrix:
        if not pd.api.types.is_numeric_dtype(matrix[column]):
            matrix[column] = matrix[column].astype(str).astype("category")
    predicted = np.zeros(len(folds))
    rare = problem.y.value_counts().index[-1] if problem.classes else None
    for fold in np.unique(folds):
        train, test = folds != fold, folds == fold
        if problem.classes:
            model = lightgbm.LGBMClassifier(verbose=-1, n_jobs=2).fit(matrix[train], problem.y[train] == rare)
            predicted[test] = model.predict_proba(matrix[test])[:, 1]
        else:
            model = lightgbm.LGBMRegressor(verbose=-1, n_jobs=2).fit(matrix[train], problem.y[train])
            predicted[test] = model.predict(matrix[test])
    return predicted, time.time() - begun


def significance(own, other, count):
    """The corrected resampled t-test of ten folds: the statistic."""
    difference = np.array(own) - np.array(other)
    if len(difference) < 2 or difference.std(ddof=1) == 0:
        return 0.0
    variance = difference.var(ddof=1) * (1 / len(difference) + 1 / (count - 1))
    return difference.mean() / math.sqrt(variance)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--learners", default="boost,auto,mirt,mirt:preset=best,forest,forest:flatten=p2,peer")
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    learners = given.learners.split(",")
    results, ranks = {}, {learner: [] for learner in learners}
    for name in given.sets.split(","):
        problem = SETS[name](given.data)
        count = min(given.folds, len(problem.y))
        folds = folds_of(problem, count)
        results[name] = {}
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder) / name
            folder.mkdir()
            problem.write(folder, folds)
            for learner in learners:
                try:
                    predicted, seconds = featuretools(problem, folds) if learner == "peer" else ours(problem, folder, learner, given.program)
                except Exception as error:
                    print(f"{name:18} {learner:22} failed: {error}", flush=True)
                    continue
                each = measured(problem, folds, predicted)
                results[name][learner] = {"mean": float(np.mean(each)), "folds": [float(own) for own in each], "seconds": seconds}
                print(f"{name:18} {learner:22} {'AUC' if problem.classes else 'RMSE':5} {np.mean(each):8.4f} {seconds:8.1f} s", flush=True)
        found = results[name]
        sign = -1 if problem.classes else 1
        order = pd.Series({learner: sign * round(own["mean"], 4) for learner, own in found.items()}).rank()
        for learner in found:
            ranks[learner].append(order[learner])
        for learner in [own for own in ("boost", "auto") if own in found]:
            for other in found:
                t = significance(found[learner]["folds"], found[other]["folds"], count) * sign
                # Two-sided, five percent, nine degrees of freedom.
                if t > 2.262:
                    print(f"{name:18} {learner} is significantly worse than {other} (t = {t:.2f})", flush=True)
    print("\nmean ranks")
    for learner in learners:
        if ranks[learner]:
            print(f"{learner:22} {np.mean(ranks[learner]):.2f} of {len(ranks[learner])} sets")
    if given.out:
        given.out.write_text(json.dumps(results, indent=1))


main()
