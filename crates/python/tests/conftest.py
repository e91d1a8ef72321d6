"""What tests share: small data with a law in it, the command, and public data where it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("MPLBACKEND", "Agg")

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(__file__).resolve().parents[1] / "python"


def command_path() -> str | None:
    """The command: the one named, the one on the path, the one built in this checkout."""
    named = os.environ.get("KINWOOD_COMMAND")
    if named:
        return named
    found = shutil.which("kinwood")
    if found:
        return found
    built = [ROOT / "target" / profile / "kinwood" for profile in ("release", "debug")]
    return next((str(path) for path in built if path.is_file()), None)


@pytest.fixture(scope="session")
def command():
    """Runs the command and gives what it prints; fails loudly."""
    path = command_path()
    if path is None:
        message = "no command `kinwood`: build it, or name it by KINWOOD_COMMAND"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)

    def run(*arguments, fails=False):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert (done.returncode != 0) == fails, f"{' '.join(map(str, arguments))}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stderr if fails else done.stdout

    return run


@pytest.fixture(scope="session")
def public_data():
    """The folder of public data sets."""
    folder = os.environ.get("KINWOOD_DATA")
    if not folder:
        pytest.skip("public data sets are looked for in KINWOOD_DATA, which is not set")
    return Path(folder)


@pytest.fixture
def python():
    """Runs a program in a Python of its own, where this package is found, and gives the finished process."""

    def run(program, *arguments, **options):
        path = os.pathsep.join(filter(None, [str(PACKAGE) if installed_here() else "", os.environ.get("PYTHONPATH", "")]))
        environment = {**os.environ, "PYTHONPATH": path}
        given = {"capture_output": True, "text": True, "timeout": 120, **options}
        return subprocess.run([sys.executable, "-c", program, *map(str, arguments)], env=environment, check=False, **given)

    return run


def installed_here() -> bool:
    """Whether the package that is tested is the one in this folder, not an installed one."""
    import kinwood

    return Path(kinwood.__file__).resolve().is_relative_to(PACKAGE)


@pytest.fixture
def numbers():
    """Forty rows of three numbers, and a class that the first tells."""
    random = np.random.default_rng(7)
    X = random.normal(size=(40, 3))
    return X, np.where(X[:, 0] + 0.2 * X[:, 1] > 0, "high", "low").astype(object)


SHOP = {
    "customer": {
        "id": [f"c{number}" for number in range(12)],
        "region": ["north", "south", "south", "north"] * 3,
        "age": [20.0 + number * 3 for number in range(12)],
        "stays": ["yes" if number % 4 in (0, 3) or number == 1 else "no" for number in range(12)],
    },
    "order": {
        "customer_id": [f"c{number}" for number in range(12) for _ in range(1 + number % 3)],
        "amount": [
            (5.0 if number % 4 in (0, 3) or number == 1 else 50.0) + piece for number in range(12) for piece in range(1 + number % 3)
        ],
        "how": ["card" if (number + piece) % 2 else "cash" for number in range(12) for piece in range(1 + number % 3)],
    },
}
"""Customers who stay if their orders are small."""


@pytest.fixture
def shop():
    import kinwood

    return kinwood.Database(SHOP, table="customer", target="stays", keys={"order.customer_id": "customer.id"}, primary={"customer": "id"})
