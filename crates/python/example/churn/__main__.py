"""``python -m churn model.kin``: chooses a model, tells how good it is, and writes it."""

from __future__ import annotations

import sys
from pathlib import Path

import kinwood

from .data import shop
from .model import chosen


def main(arguments: list[str]) -> int:
    """Runs the example; the only argument is the file to write."""
    if len(arguments) != 1:
        print("usage: python -m churn MODEL.kin", file=sys.stderr)
        return 2
    choice = chosen(shop(240, seed=1), depths=(1, 3, 6))
    for depth, accuracy in choice.accuracies.items():
        print(f"depth {depth}: {accuracy:.3f} of the rows held back")
    path = Path(arguments[0])
    choice.model.save(path)
    again = kinwood.load(path, kinwood.ForestClassifier)
    asked = shop(60, seed=2)
    print(f"depth {choice.depth} on other customers: {again.score(asked):.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
