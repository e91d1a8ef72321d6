"""A PostgreSQL database by its URL: read as a SQLite file of the same tables is. The server is the test's own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kinwood import Database, MIRTClassifier

PASSWORD = "kin"
TABLES = """
CREATE TABLE molecule (id integer PRIMARY KEY, weight double precision NOT NULL, active text NOT NULL);
CREATE TABLE atom (
  id integer PRIMARY KEY, molecule_id integer NOT NULL REFERENCES molecule, element text NOT NULL, charge double precision
);
INSERT INTO molecule SELECT n, 10 + n % 7, CASE WHEN n % 3 = 0 THEN 'yes' ELSE 'no' END FROM generate_series(1, 60) AS n;
INSERT INTO atom SELECT 3 * n + k, n, CASE WHEN n % 3 = 0 AND k = 1 THEN 'cl' ELSE 'c' END, 0.1 * k
  FROM generate_series(1, 60) AS n, generate_series(0, 2) AS k;
"""


def programs() -> Path | None:
    """Where the server's programs are: Debian keeps them out of the search path, one folder a version."""
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return folders[-1].parent if folders else Path(found).parent if found else None


def ordinary(*words: str | Path) -> list[str]:
    """A command as a user that is not root: the server refuses to be."""
    words = tuple(str(word) for word in words)
    return ["runuser", "-u", "postgres", "--", *words] if os.geteuid() == 0 else list(words)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    bin = programs()
    if bin is None or shutil.which("psql") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is not installed, and CI=true")
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    made = subprocess.run(ordinary("mktemp", "-d", "-t", "kinwood-pg.XXXXXX"), check=True, capture_output=True, text=True)
    folder = made.stdout.strip()
    data = f"{folder}/data"
    with tempfile.NamedTemporaryFile("w", suffix=".password", delete=False) as secret:
        secret.write(PASSWORD)
    os.chmod(secret.name, 0o644)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    try:
        initdb = [bin / "initdb", "--no-sync", "--auth=scram-sha-256", "--username=owner", "--encoding=UTF8", "--locale=C.UTF-8"]
        subprocess.run(ordinary(*initdb, f"--pwfile={secret.name}", "-D", data), check=True, capture_output=True)
        start = ordinary(bin / "pg_ctl", "-D", data, "-w", "-o", options, "-l", f"{folder}/log", "start")
        subprocess.run(start, check=True, capture_output=True)
        address = f"postgresql://owner:{PASSWORD}@127.0.0.1:{port}/postgres"
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", address], input=TABLES, text=True, check=True, capture_output=True)
        yield address
    finally:
        subprocess.run(ordinary(bin / "pg_ctl", "-D", data, "-m", "immediate", "stop"), capture_output=True)
        subprocess.run(ordinary("rm", "-rf", folder))
        os.unlink(secret.name)


def test_tables_keys_and_types_are_the_server_s(url: str) -> None:
    database = Database(url, target="molecule.active")
    assert database.tables == {"molecule": 60, "atom": 180}
    assert database.keys == {"atom.molecule_id": "molecule.id"}
    assert database.columns_of("atom")["charge"] == "numeric"
    assert sorted(set(database.y)) == ["no", "yes"]


def test_a_model_follows_the_keys_and_slices_keep_apart(url: str) -> None:
    database = Database(url, target="molecule.active")
    model = MIRTClassifier().fit(database[:40])
    assert np.mean(model.predict(database[40:]) == database[40:].y) == 1.0


def test_a_password_is_shown_nowhere(url: str) -> None:
    wrong = url.replace(f":{PASSWORD}@", ":secret-word@")
    with pytest.raises((ValueError, OSError)) as raised:
        Database(wrong, target="molecule.active")
    assert "secret-word" not in str(raised.value)
    assert f":{PASSWORD}@" not in repr(Database(url, target="molecule.active"))
    assert f":{PASSWORD}@" not in Database(url, table="atom").describe()
