"""Records what Weka 3.9.7 answers as M5P, for the tests of `m5`.

    pip install python-weka-wrapper3
    python benches/record_m5_weka.py DATA_FOLDER

needs a Java development kit. It writes one small file a data set to golden/m5-weka/. Data sets are public ones; the test
reads them from KINWOOD_DATA. `mixed.arff` beside the records is ours, so that the test compares something without them.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden" / "m5-weka"
ROWS = 20
SETS = [
    ("regression/cpu.arff", "class"),
    ("regression/machine.cpu.arff", "class"),
    ("regression/housing.arff", "class"),
    ("regression/autoprice.arff", "class"),
    ("regression/servo.arff", "class"),
    ("regression/bodyfat.arff", "class"),
    ("regression/pollution.arff", "MORT"),
    ("regression/pyrim.arff", "activity"),
]


def jars():
    """Weka and the algebra it calls, as the package brings them; its own Java bridge is not needed."""
    import importlib.util

    package = importlib.util.find_spec("weka")
    return pathlib.Path(package.submodule_search_locations[0]) / "lib"


def main():
    data = pathlib.Path(sys.argv[1])
    library = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else jars()
    path = os.pathsep.join(str(jar) for jar in sorted(library.glob("*.jar")))
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run(["javac", "-cp", path, "-d", classes, str(HERE / "RecordM5.java")], check=True)
        for file, target in [(data / name, target) for name, target in SETS] + [(GOLDEN / "mixed.arff", "amount")]:
            into = GOLDEN / (file.stem + ".csv")
            command = ["java", "-cp", path + os.pathsep + classes, "RecordM5", str(file), target, str(ROWS), str(into)]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            print(into.name, into.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
