"""Times K* against Weka's KStar: ten-fold cross-validation on the same folds, both on one thread.

    cargo build --release
    python benches/kstar_against_weka.py DATA_FOLDER [WEKA_JAR]

Weka's time excludes the start of the JVM and reading the file; ours is the whole command, reading and start included.
"""

import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

from record_kstar_weka import HERE, jar

PROGRAM = HERE.parent / "target" / "release" / "kinwood"


def folded(source, into):
    """The data with a fold for each row as last column; files keep their class last."""
    header, rows, data = [], [], False
    for line in source.read_text().splitlines():
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if data:
            rows.append(line)
        elif line.lower().startswith("@data"):
            data = True
        else:
            header.append(line)
    folds = [row % 10 for row in range(len(rows))]
    random.Random(1).shuffle(folds)
    lines = header + ["@attribute fold_of_row numeric", "@data"] + [f"{row},{fold}" for row, fold in zip(rows, folds)]
    into.write_text("\n".join(lines) + "\n")
    return [line.split()[1].strip("'\"") for line in header if line.lower().startswith("@attribute")][-1]


def ours(file, target, *settings):
    command = [PROGRAM, "evaluate", "kstar", file, "--target", target, "--fold-column", "fold_of_row", "--threads", "1", "--json"]
    command += [word for setting in settings for word in ("--set", setting)]
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        times.append(time.perf_counter() - begun)
    return min(times), json.loads(told)


def main():
    data = pathlib.Path(sys.argv[1])
    library = sys.argv[2] if len(sys.argv) > 2 else str(jar())
    sets = os.environ.get("SETS", "segment waveform5000").split()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["javac", "-cp", library, "-d", folder, str(HERE / "TimeKStar.java")], check=True)
        for name in sets:
            file = pathlib.Path(folder) / f"{name}.arff"
            target = folded(data / "uci" / f"{name}.arff", file)
            java = ["java", "-XX:+UseSerialGC", "-cp", f"{library}:{folder}", "TimeKStar", str(file)]
            told = subprocess.run(java, check=True, capture_output=True, text=True).stdout.split()
            weka, accuracy = float(told[0]), float(told[1])
            print(f"{name}: Weka {weka:.2f} s, accuracy {accuracy:.4f}")
            for settings in ((), ("compat=weka",)):
                seconds, report = ours(file, target, *settings)
                pooled = json.dumps(report.get("pooled", report.get("measures")))[:160]
                print(f"  kinwood {' '.join(settings) or 'default'}: {seconds:.3f} s, {weka / seconds:.0f} times faster; {pooled}")
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            print(f"  (largest of all commands so far, Weka included: {peak / 1024:.0f} MB)")


if __name__ == "__main__":
    main()
