"""Large tables cross into the extension with at most one copy a column."""

from __future__ import annotations

import json
import sys

import pytest

ROWS, COLUMNS = 1_000_000, 8
MEGABYTES = ROWS * COLUMNS * 8 / 1e6
SLACK = 24.0
"""What the interpreter and the allocator need beside: a few tens of megabytes, less than a second copy of everything."""

PROGRAM = """
import json, resource, sys
import numpy as np, kinwood
from kinwood import _input
{imports}
rows, columns = {rows}, {columns}
arrays = {{f"c{{place}}": np.arange(rows, dtype=float) + place for place in range(columns)}}
{make}
del arrays
# What is loaded when it is first used is no copy of data.
small = {small}
_input.frame(small)
def now():
    with open("/proc/self/status") as status:
        told = dict(line.split(":", 1) for line in status)
    return [int(told[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]
with open("/proc/self/clear_refs", "w") as reset:
    reset.write("5")
before = now()[0]
data = _input.frame(table)
held, peak = now()
print(json.dumps([held - before, peak - before, len(data), float(data.column("c3").to_list()[12345])]))
"""

MAKERS = {
    "pyarrow": ("import pyarrow", "table = pyarrow.table(arrays)", 'pyarrow.table({"c3": [1.0]})'),
    "pyarrow in chunks": (
        "import pyarrow",
        "whole = pyarrow.table(arrays)\ntable = pyarrow.concat_tables([whole.slice(start, 100_000) for start in range(0, rows, 100_000)])",
        'pyarrow.table({"c3": [1.0]})',
    ),
    "polars": ("import polars", "table = polars.DataFrame(arrays)", 'polars.DataFrame({"c3": [1.0]})'),
    "pandas": ("import pandas", "table = pandas.DataFrame(arrays)", 'pandas.DataFrame({"c3": [1.0]})'),
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is measured as Linux tells it")
@pytest.mark.parametrize("library", MAKERS)
def test_one_copy_a_column(python, library):
    pytest.importorskip(library.split()[0])
    imports, make, small = MAKERS[library]
    program = PROGRAM.format(imports=imports, make=make, small=small, rows=ROWS, columns=COLUMNS)
    done = python(program)
    assert done.returncode == 0, done.stderr
    held, peak, rows, value = json.loads(done.stdout)
    assert (rows, value) == (ROWS, 12348.0)
    assert peak <= MEGABYTES + SLACK, f"{peak:.0f} MB at most for {MEGABYTES:.0f} MB of numbers"
    # One copy is there at all, else nothing was measured.
    assert held >= 0.0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is measured as Linux tells it")
def test_a_matrix_is_copied_once(python):
    program = (
        PROGRAM.format(
            imports="",
            make="table = np.column_stack(list(arrays.values()))",
            small="np.ones((1, 4))",
            rows=ROWS,
            columns=COLUMNS,
        )
        .replace("_input.frame(small)", "_input.matrix(small, _input.names(4))")
        .replace("_input.frame(table)", "_input.matrix(table, _input.names(columns))")
        .replace('"c3"', '"x3"')
    )
    done = python(program)
    assert done.returncode == 0, done.stderr
    _, peak, rows, value = json.loads(done.stdout)
    assert (rows, value) == (ROWS, 12348.0)
    assert peak <= MEGABYTES + SLACK


def test_values_arrive_exactly():
    """Numbers of every kind of Arrow, to the last bit."""
    pyarrow = pytest.importorskip("pyarrow")
    import numpy as np

    import kinwood

    random = np.random.default_rng(0)
    for kind in (np.float64, np.float32, np.int64, np.int32, np.uint8):
        numbers = (random.normal(size=5000) * 1000).astype(kind)
        table = pyarrow.table({"a": pyarrow.chunked_array([numbers[:1700], numbers[1700:1700], numbers[1700:]])})
        np.testing.assert_array_equal(kinwood.Table(table)["a"], numbers.astype(np.float64))
        np.testing.assert_array_equal(kinwood.Table(table.slice(1111, 2000))["a"], numbers[1111:3111].astype(np.float64))


def test_the_source_may_go_away():
    """What was taken is ours: changing or freeing the source afterwards changes nothing."""
    pyarrow = pytest.importorskip("pyarrow")
    import gc

    import numpy as np

    import kinwood

    numbers = np.arange(100_000.0)
    table = kinwood.Table(pyarrow.table({"a": pyarrow.array(numbers)}))
    numbers[:] = -1
    del numbers
    gc.collect()
    np.testing.assert_array_equal(table["a"], np.arange(100_000.0))
