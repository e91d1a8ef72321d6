"""The sources: estimators are those of the registry, types fit, and nothing is left lying about."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import PACKAGE, installed_here

import kinwood
from kinwood import _kinwood

ROOT = Path(__file__).parents[3]


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "crates" / "python" / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    sys.modules["generate"] = generate
    spec.loader.exec_module(generate)
    return generate


def test_the_estimators_are_what_the_registry_says() -> None:
    generate = generator()
    assert generate.TARGET.read_text(encoding="utf-8") == generate.text(), "run python crates/python/generate.py"


def test_a_new_learner_has_classes_by_rule() -> None:
    generate = generator()
    known = generate.registered()
    new = {**known[0], "name": "soft_margin", "targets": ["nominal", "numeric"]}
    text = generate.text([*known, new])
    assert "class SoftMarginClassifier(SoftMarginParameters, Classifier):" in text
    assert '"soft_margin": (SoftMarginClassifier, SoftMarginRegressor),' in text
    assert text != generate.TARGET.read_text(encoding="utf-8")


def test_a_learner_that_gets_no_class_is_told_with_what_to_do() -> None:
    generate = generator()
    known = generate.registered()
    with pytest.raises(SystemExit, match="learners without an estimator: ranks; .*generate.py"):
        generate.text([*known, {**known[0], "name": "ranks", "targets": ["list<nominal>"]}])
    with pytest.raises(SystemExit, match="`tree` and `p_c_t` would both have the class `PCTClassifier`: name one in .*generate.py"):
        generate.text([*known, {**known[0], "name": "p_c_t", "targets": ["nominal"]}])
    with pytest.raises(SystemExit, match="generate.py speaks of .*forest|generate.py speaks of .*tree"):
        generate.text([learner for learner in known if learner["name"] != "tree"])


@pytest.mark.parametrize("command", [["ruff", "check", "crates/python"], ["mypy"]], ids=["ruff", "mypy"])
def test_tools_find_nothing(command: list[str]) -> None:
    found = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_stub_tells_all_that_the_extension_has() -> None:
    stub = (ROOT / "crates" / "python" / "python" / "kinwood" / "_kinwood.pyi").read_text(encoding="utf-8")
    for name, held in inspect.getmembers(_kinwood):
        if name.startswith("__") or inspect.ismodule(held):
            continue
        assert f"class {name}" in stub or f"def {name}(" in stub, name
        if inspect.isclass(held):
            part = stub.split(f"class {name}", 1)[1].split("\nclass ", 1)[0]
            for member in vars(held):
                assert member.startswith("__") or f"def {member}(" in part, f"{name}.{member}"


def test_every_learner_and_every_public_name_has_words() -> None:
    # Estimators are made when they are first wanted.
    public = [getattr(kinwood, name) for name in kinwood.__all__]
    named = {estimator._learner for estimator in public if hasattr(estimator, "_learner")}
    assert named == {learner["name"] for learner in json.loads(_kinwood.learners())}
    for name in kinwood.__all__:
        held = getattr(kinwood, name)
        assert isinstance(held, str) or (held.__doc__ or "").strip(), name


def test_a_program_of_a_user_is_typed_to_the_last():
    """Parameters, results and methods have types that strict checkers know."""
    script = ROOT / "crates" / "python" / "tests" / "user_script.py"
    checker = importlib.util.find_spec("pyright")
    # What a package is like inside, checkers do not tell its users: that it is right is the test above.
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(script)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if checker is None:
        return
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--level", "error", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def example(tmp_path):
    """A copy of the example project, and what runs a module of Python in it."""
    folder = tmp_path / "example"
    shutil.copytree(ROOT / "crates" / "python" / "example", folder, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    own = {"PYTHONPATH": str(PACKAGE), "MYPYPATH": str(PACKAGE)} if installed_here() else {}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        given = {"capture_output": True, "text": True, "timeout": 300}
        return subprocess.run([sys.executable, "-m", *command], cwd=folder, env={**os.environ, **own}, check=False, **given)

    return run


def test_the_example_runs(example, tmp_path):
    done = example("churn", str(tmp_path / "model.kin"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert float(done.stdout.split()[-1]) > 0.9, done.stdout
    assert isinstance(kinwood.load(tmp_path / "model.kin"), kinwood.ForestClassifier)
    done = example("churn")
    assert done.returncode == 2 and done.stderr.startswith("usage: ")


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_example_is_typed_to_the_last(example, checker):
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    done = example(checker, *(["--pythonpath", sys.executable] if checker == "pyright" else []))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_reference_has_all_that_is_public(tmp_path):
    page = tmp_path / "reference.md"
    # As the program that makes the site calls it: it reads sources alone.
    command = [sys.executable, "-I", str(ROOT / "crates" / "python" / "reference.py"), str(page)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    text = page.read_text(encoding="utf-8")
    headings = {line for line in text.splitlines() if line.startswith("#")}
    for name in kinwood.__all__:
        held = getattr(kinwood, name)
        if inspect.isclass(held) or inspect.isfunction(held):
            assert any(f"`{name}`" in heading or f"`{name}(" in heading for heading in headings), name
    for method in ("partial_fit", "decision_function", "to_onnx", "tree_", "show"):
        assert any(f"`{method}" in heading for heading in headings), method
    # Roles of reStructuredText and underlines of NumPy's docstrings are written as Markdown.
    outside = "".join(part for place, part in enumerate(text.split("```")) if place % 2 == 0)
    assert ":class:" not in outside and ":func:" not in outside and ":meth:" not in outside and "\n-----" not in outside


def test_the_names_of_the_estimators_are_what_the_generator_writes():
    generate = generator()
    assert generate.LISTED.read_text(encoding="utf-8") == generate.listed()
