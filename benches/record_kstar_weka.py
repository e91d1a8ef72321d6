"""Records what Weka 3.9.7 answers as K*, for the tests of `compat=weka`.

    pip install python-weka-wrapper3
    python benches/record_kstar_weka.py DATA_FOLDER

needs a Java development kit. It writes one small file a data set to golden/kstar-weka/. Data sets are public ones; the test
reads them from KINWOOD_DATA. `mixed.arff` beside the records is ours, so that the test compares something without them.
"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden" / "kstar-weka"
ROWS = 30
SETS = [
    ("uci/iris.arff", "class"),
    ("uci/hepatitis.arff", "Class"),
    ("uci/labor.arff", "class"),
    ("uci/glass.arff", "Type"),
    ("uci/vote.arff", "Class"),
    ("uci/autos.arff", "symboling"),
    ("uci/heart.c.arff", "num"),
    ("uci/colic.arff", "surgical_lesion"),
    ("regression/housing.arff", "class"),
    ("regression/servo.arff", "class"),
    ("regression/autoprice.arff", "class"),
]


def jar():
    """Weka as the package brings it; its own Java bridge is not needed."""
    import importlib.util

    package = importlib.util.find_spec("weka")
    return next(pathlib.Path(package.submodule_search_locations[0]).rglob("weka.jar"))


def main():
    data = pathlib.Path(sys.argv[1])
    library = sys.argv[2] if len(sys.argv) > 2 else str(jar())
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run(["javac", "-cp", library, "-d", classes, str(HERE / "RecordKStar.java")], check=True)
        for file, target in [(data / name, target) for name, target in SETS] + [(GOLDEN / "mixed.arff", "class")]:
            into = GOLDEN / (file.stem + ".csv")
            command = ["java", "-cp", f"{library}:{classes}", "RecordKStar", str(file), target, str(ROWS), str(into)]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            print(into.name, into.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
