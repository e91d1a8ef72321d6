"""The sources: estimators are those of the registry, types fit, and nothing is left lying about."""

from __future__ import annotations

import importlib.util
import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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
    named = {estimator._learner for estimator in vars(kinwood).values() if hasattr(estimator, "_learner")}
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
    done = subprocess.run([sys.executable, "-m", "pyright", "--level", "error", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_names_of_the_estimators_are_what_the_generator_writes():
    generate = generator()
    assert generate.LISTED.read_text(encoding="utf-8") == generate.listed()
