"""How often intervals of probability 0.9 hold the truth, over repeated splits of ten regression targets and ten sets of classes.

    cargo build --release -p kinwood-cli
    python benches/coverage.py DATA [--program PATH] [--learners forest,boost,knn,m5] [--repeats 20]

DATA is the folder of the public data sets. Each split fits two thirds of the rows and looks at the others; the intervals come from inner folds of the
training rows. Prints the share of test rows whose truth is held, and the mean width (of classes: how many are named), by set and learner.
"""

import argparse
import json
import pathlib
import subprocess

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "kinwood"
NUMBERS = {name: (f"regression/{name}.arff", []) for name in "autoprice bodyfat cpu housing machine.cpu pollution pyrim servo".split()}
NUMBERS |= {"enb Y1": ("multi_target/enb.arff", ["--target", "Y1", "--ignore", "Y2"]), "jura Cd": ("multi_target/jura.arff", ["--target", "Cd", "--ignore", "Co,Cu"])}
CLASSES = {name: (f"uci/{name}.arff", []) for name in "balance.scale breast.cancer cmc credit.a diabetes glass heart.c ionosphere vehicle vowel".split()}


def last_attribute(path):
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.lower().startswith("@attribute")]
    return lines[-1].split()[1].strip("'\"")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("--learners", default="forest,boost,knn,m5")
    parser.add_argument("--repeats", default="20")
    given = parser.parse_args()
    for title, sets in (("numbers", NUMBERS), ("classes", CLASSES)):
        learners = [own for own in given.learners.split(",") if not (title == "classes" and own == "m5")]
        sums = {learner: [] for learner in learners}
        print(f"| {title} | " + " | ".join(learners) + " |")
        print("|---" * (len(learners) + 1) + "|")
        for name, (file, words) in sets.items():
            cells = []
            for learner in learners:
                path = given.data / file
                words = words or ["--target", last_attribute(path)]
                command = [str(given.program), "evaluate", learner, str(path), *words, "--interval", "0.9"]
                ran = subprocess.run([*command, "--split", "0.67", "--repeats", given.repeats, "--json", "--quiet"], capture_output=True, text=True)
                if ran.returncode:
                    cells.append(ran.stderr.strip().splitlines()[-1][:60])
                    continue
                found = json.loads(ran.stdout)["mean"]
                sums[learner].append(found["coverage"])
                cells.append(f"{found['coverage']:.3f} ({found['width']:.3g})")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
        means = [f"{sum(own) / max(len(own), 1):.3f}" for own in sums.values()]
        print("| mean | " + " | ".join(means) + " |\n", flush=True)


main()
