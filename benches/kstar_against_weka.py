"""Times K* against Weka's KStar: ten-fold cross-validation on the same folds, both on one thread.

    cargo build --release
    python benches/kstar_against_weka.py DATA_FOLDER [WEKA_JAR]

Weka's time excludes the start of the JVM and reading the file; ours is the whole command, reading and start included, and the
median of five. Processor time is printed too, for machines that have other things to do.
"""

import json
import os
import pathlib
import random
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
    runs = []
    for _ in range(5):
        before, begun = os.times(), time.perf_counter()
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds, after = time.perf_counter() - begun, os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        runs.append((seconds, used))
    return sorted(runs)[len(runs) // 2], json.loads(told)


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
            weka, weka_used, accuracy = map(float, told)
            print(f"{name}: Weka {weka:.2f} s ({weka_used:.2f} s of its thread), accuracy {accuracy:.4f}", flush=True)
            for settings in ((), ("compat=weka",)):
                (seconds, used), report = ours(file, target, *settings)
                ratio = f"{weka / seconds:.0f} times faster ({weka_used / used:.0f} by processor time)"
                label = " ".join(settings) or "default"
                print(f"  kinwood {label}: {seconds:.3f} s ({used:.3f} s), {ratio}, accuracy {report['pooled']['accuracy']:.4f}")
            peak = subprocess.run(
                ["/usr/bin/env", "python3", "-c", PEAK, str(PROGRAM), str(file), target],
                check=True, capture_output=True, text=True,
            ).stdout
            print(f"  peak memory of the default: {peak.strip()} MB")


PEAK = """
import resource, subprocess, sys
program, file, target = sys.argv[1:]
subprocess.run([program, "evaluate", "kstar", file, "--target", target, "--fold-column", "fold_of_row", "--threads", "1"],
               check=True, capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


if __name__ == "__main__":
    main()
