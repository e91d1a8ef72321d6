"""The notebooks run from top to bottom, and the examples of the manual and of the package's page give what they say."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import kinwood

PACKAGE = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((PACKAGE / "notebooks").glob("*.ipynb"))
DOCS = PACKAGE.parents[1] / "docs"
PAGES = [
    PACKAGE / "README.md",
    PACKAGE.parents[1] / "README.md",
    DOCS / "python.md",
    DOCS / "queries.md",
    DOCS / "tutorials" / "own-distance.md",
]

TREES = {"relational": ["Tree for spend"], "distances": ["Tree for y"], "beam": ["Tree for diagnosis"]}
"""What the interactive trees of a notebook are headed by."""
PLOTS = {"relational": 2, "distances": 3, "beam": 3}
"""How many drawings a notebook has at least."""


def test_every_notebook_is_known():
    assert {path.stem for path in NOTEBOOKS} == set(TREES) == set(PLOTS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, tmp_path, monkeypatch):
    # The kernel is a process of its own and must find the package that is tested; a backend without pictures would leave them out.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(Path(kinwood.__file__).parents[1]), os.environ.get("PYTHONPATH")])))
    monkeypatch.delenv("MPLBACKEND", raising=False)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output["data"] for output in outputs if "data" in output]
    pages = [data["text/html"] for data in shown if "<iframe srcdoc=" in data.get("text/html", "")]
    for heading in TREES[path.stem]:
        assert any(heading in page and "&lt;script&gt;" in page for page in pages), f"no interactive tree: {heading}"
    assert sum("image/png" in data for data in shown) >= PLOTS[path.stem]
    warned = [output["text"] for output in outputs if output.get("name") == "stderr"]
    assert not warned, "\n".join(warned)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples_of_pages_give_what_they_say(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        assert block.startswith(">>> "), f"no example that can be run: {block}"
    # A fence would be taken for what the example before it prints. A blank line in its place keeps the numbers of lines.
    plain = re.sub(r"^```.*$", "", text, flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(plain, {}, path.name, str(path), 0)
    assert len(examples.examples) >= 4
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    result = runner.run(examples, out=told.append)
    assert result.failed == 0, "".join(told)
