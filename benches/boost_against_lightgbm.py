"""Boosts 1,000,000 made rows of 20 numbers, 100 trees of 31 leaves, here and with LightGBM, in turns.

    cargo build --release -p kinwood-boosting --example boost_speed
    python benches/boost_against_lightgbm.py target/release/examples/boost_speed [ROWS]

Needs numpy and lightgbm. The rows follow one law and are drawn apart.
"""

import resource
import subprocess
import sys
import time

PEER = """
import sys, time, resource, numpy, lightgbm
rows, threads = int(sys.argv[1]), int(sys.argv[2])
drawn = numpy.random.default_rng(1)
X = drawn.normal(size=(rows, 20))
law = X[:, 0] + X[:, 1] * X[:, 2] + numpy.sin(3 * X[:, 3]) + 0.5 * abs(X[:, 4])
y = (law + drawn.normal(size=rows) > 0).astype(int)
begun = time.time()
model = lightgbm.LGBMClassifier(n_estimators=100, num_leaves=31, n_jobs=threads, verbose=-1).fit(X, y)
fitted, begun = time.time() - begun, time.time()
right = (model.predict(X, num_threads=threads) == y).mean()
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"fit {fitted:.2f} s, predict {time.time() - begun:.2f} s, accuracy {right:.4f}, at most {memory} MB")
"""


def main() -> None:
    program, rows = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1000000"
    for threads in ("1", "2"):
        for _ in range(3):
            for name, command in (
                ("kinwood", [program, rows, "100", threads]),
                ("lightgbm", [sys.executable, "-c", PEER, rows, threads]),
            ):
                before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
                told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = after.ru_utime - before.ru_utime
                print(f"{name:9} {threads} threads: {told}; {time.time() - begun:.1f} s, {used:.1f} s of the processors in all", flush=True)


main()
