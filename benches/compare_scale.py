"""Times `kinwood compare` on one thread and on two, then kills it again and again and compares the tables.

    cargo build --release -p kinwood-cli
    python benches/compare_scale.py DATA_FOLDER [ROUNDS] [KILLS]

Ten data sets of the folder `uci` and six learners, ten folds each. Threads are timed in turns, each run into a new results folder; medians
and their ratio are printed. Then a run is killed (SIGKILL) at moments drawn at random, gone on with until it ends, and its tables are held
against those of a run that nobody stopped: every file but the seconds must be the same, byte by byte.
"""

import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "kinwood"
DATA = ["glass", "ionosphere", "sonar", "vehicle", "vowel", "diabetes", "segment", "breast.w", "heart.statlog", "ecoli"]
LEARNERS = ["oner", "knn", "kstar", "tree", "dbdt", "forest"]


def command(folder, results, threads):
    data = [word for name in DATA for word in ("--data", str(folder / "uci" / f"{name}.arff"))]
    return [str(PROGRAM), "compare", *LEARNERS, *data, "-o", str(results), "--threads", str(threads), "--quiet"]


def tables(results):
    found = sorted((results / "tables").iterdir())
    return {path.name: path.read_bytes() for path in found if not path.name.startswith("seconds")}


def main():
    folder = pathlib.Path(sys.argv[1])
    rounds, kills = (int(word) for word in (sys.argv[2:] + ["3", "20"][len(sys.argv) - 2 :])[:2])
    place = pathlib.Path(tempfile.mkdtemp())
    seconds = {1: [], 2: []}
    for number in range(rounds):
        for threads in seconds:
            results = place / f"{threads}-{number}"
            begun = time.perf_counter()
            subprocess.run(command(folder, results, threads), check=True, stdout=subprocess.DEVNULL)
            seconds[threads].append(time.perf_counter() - begun)
    one, two = (statistics.median(seconds[threads]) for threads in (1, 2))
    print(f"one thread {one:.1f} s, two {two:.1f} s: {one / two:.2f} times as fast")
    whole = tables(place / f"1-{rounds - 1}")
    assert whole == tables(place / f"2-{rounds - 1}"), "threads change the tables"
    draw = random.Random(1)
    for trial in range(3):
        results, killed = place / f"killed-{trial}", 0
        while True:
            running = subprocess.Popen(command(folder, results, 2), stdout=subprocess.DEVNULL)
            try:
                running.wait(draw.uniform(0.0, 2.5 * two / kills) if killed < kills else None)
                break
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
                killed += 1
        assert running.returncode == 0 and tables(results) == whole, "a stop changes the tables"
        print(f"killed {killed} times: {len(whole)} files of tables are the same")
    shutil.rmtree(place)


if __name__ == "__main__":
    main()
