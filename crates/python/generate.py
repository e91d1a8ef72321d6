"""Writes python/kinwood/_estimators.py from the registry of learners: names, settings and explanations are written once, in Rust.

Run it after a learner changed: python crates/python/generate.py. A test fails when the file is not what this writes.
"""

from __future__ import annotations

import json
import keyword
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WIDTH = 140
TARGET = Path(__file__).parent / "python" / "kinwood" / "_estimators.py"

NUMBERS = "[[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]]"
CLASSES = '["low", "low", "low", "high", "high", "high"]'
ASKED = "[[1.2, 4.8], [9.1, 1.1]]"


@dataclass(frozen=True)
class Kind:
    """A class to write."""

    name: str
    base: str
    learner: str
    weighted: bool = False
    fixed: tuple[tuple[str, str], ...] = ()
    more: str = ""
    example: str = ""
    baseline: bool = False
    ordered: bool = False
    extra: tuple[tuple[str, str, str], ...] = ()
    """Parameters that are no settings: name, default, explanation."""


def classifies(name: str, told: str = "low high", given: str = "") -> str:
    return f"""
        >>> import kinwood
        >>> X, y = {NUMBERS}, {CLASSES}
        >>> print(*kinwood.{name}({given}).fit(X, y).predict({ASKED}))
        {told}
    """


def regresses(name: str, given: str = "") -> str:
    return f"""
        >>> import kinwood
        >>> X = [[float(x)] for x in range(40)]
        >>> y = [2 * row[0] + 1 for row in X]
        >>> model = kinwood.{name}({given}).fit(X, y)
        >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
        True
    """


BAGS = """
        >>> import kinwood, numpy as np
        >>> near = [np.array([[0.0, 0.1], [5.0, 5.0]]), np.array([[0.1, 0.0]])]
        >>> far = [np.array([[9.0, 9.1], [5.0, 5.1]]), np.array([[9.1, 9.0]])]
        >>> bags = (near + far) * 3
        >>> model = kinwood.{name}({given}).fit(bags, ["near", "near", "far", "far"] * 3)
        >>> print(*model.predict([np.array([[0.0, 0.0], [5.1, 5.0]])]))
        near
    """

TASK = (
    "task",
    '"classification"',
    "`classification` or `regression`: whether targets are classes or numbers.",
)

KINDS = [
    Kind(
        "MajorityClassifier",
        "Classifier",
        "majority",
        True,
        example=classifies("MajorityClassifier", "high high"),
        baseline=True,
        ordered=True,
    ),
    Kind("MeanRegressor", "Regressor", "mean", True, example=regresses("MeanRegressor"), baseline=True),
    Kind("OneR", "Classifier", "oner", example=classifies("OneR", given="bucket=2"), baseline=True),
    Kind("KNeighborsClassifier", "Classifier", "knn", example=classifies("KNeighborsClassifier", given="k=3")),
    Kind("KNeighborsRegressor", "Regressor", "knn", example=regresses("KNeighborsRegressor")),
    Kind("KStarClassifier", "Classifier", "kstar", example=classifies("KStarClassifier")),
    Kind("KStarRegressor", "Regressor", "kstar", example=regresses("KStarRegressor")),
    Kind("CitationKNN", "Classifier", "citation_knn", example=BAGS.format(name="CitationKNN", given="citers=2")),
    Kind("CitationKNNRegressor", "Regressor", "citation_knn", example=regresses("CitationKNNRegressor")),
    Kind("PCTClassifier", "Classifier", "tree", True, example=classifies("PCTClassifier")),
    Kind("PCTRegressor", "Regressor", "tree", True, example=regresses("PCTRegressor")),
    Kind(
        "BeamSearch",
        "ByTarget",
        "tree",
        True,
        fixed=(("search", "beam"),),
        more="A beam of the best trees is kept while they grow; `members_` are the trees, each an estimator of its own, best first.",
        example="""
        >>> import kinwood
        >>> X, y = [[float(x % 7), float(x % 5)] for x in range(70)], ["in" if x % 7 > 3 else "out" for x in range(70)]
        >>> beam = kinwood.BeamSearch(width=3, constraints="size <= 7").fit(X, y)
        >>> len(beam.members_), beam.score(X, y)
        (3, 1.0)
    """,
        extra=(TASK,),
    ),
    Kind("DBDTClassifier", "Classifier", "dbdt", True, example=classifies("DBDTClassifier")),
    Kind("DBDTRegressor", "Regressor", "dbdt", True, example=regresses("DBDTRegressor")),
    Kind("ForestClassifier", "Classifier", "forest", example=classifies("ForestClassifier")),
    Kind("ForestRegressor", "Regressor", "forest", example=regresses("ForestRegressor")),
    Kind("M5Regressor", "Regressor", "m5", True, example=regresses("M5Regressor")),
    Kind("CentresClassifier", "Classifier", "centres", example=classifies("CentresClassifier")),
    Kind("CentresRegressor", "Regressor", "centres", example=regresses("CentresRegressor")),
    Kind("MIRTClassifier", "Classifier", "mirt", example=classifies("MIRTClassifier")),
    Kind("MIRTRegressor", "Regressor", "mirt", example=regresses("MIRTRegressor")),
    Kind("KernelSVC", "Classifier", "svm", example=classifies("KernelSVC")),
    Kind("KernelSVR", "Regressor", "svr", example=regresses("KernelSVR", "c=100.0")),
    Kind("KernelRidge", "Regressor", "ridge", example=regresses("KernelRidge")),
    Kind("MISVC", "Classifier", "mi_svm", example=BAGS.format(name="MISVC", given='positive="far"')),
]

ENVIRONMENT = [
    (
        "random_state",
        "None",
        "The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.",
    ),
    ("n_jobs", "None", "How many threads work; all of the machine unless said. Results do not depend on it."),
    ("memory", "None", "Bytes that large intermediate results may have."),
    ("time", "None", "Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError."),
    ("progress", '"auto"', "Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks."),
]


def parameter(name: str) -> str:
    """A setting's name as a parameter of Python."""
    return f"{name}_" if keyword.iskeyword(name) else name


def default(text: str) -> str:
    """A setting's default as Python writes it."""
    if text in ("true", "false"):
        return text.capitalize()
    if text == "none":
        return "None"
    try:
        return repr(int(text))
    except ValueError:
        pass
    try:
        return repr(float(text))
    except ValueError:
        return json.dumps(text)


def kind_of(text: str) -> str:
    """The type that a parameter with this default is said to have."""
    if text in ("True", "False"):
        return "bool"
    if text == "None":
        return "Any"
    return "str | Any" if text.startswith('"') else "float | str" if "." in text or "e" in text else "int | str"


def wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def arguments_of(kind: Kind, settings: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """The parameters of a class: name, default, explanation, type."""
    preset = any(setting["name"] == "preset" for setting in settings)
    arguments: list[tuple[str, str, str, str]] = []
    for setting in settings:
        # What a preset may decide is open until somebody says.
        of_preset = preset and setting["name"] != "preset"
        value = "None" if of_preset else default(setting["default"])
        shown = f" Unless said, {default(setting['default'])} or what the preset says." if of_preset else ""
        allowed = setting["allowed"]
        expected = "" if allowed == "text" else f" Expected: {allowed}."
        doc = f"{setting['doc']}{expected}{shown}".replace("\\", "\\\\")
        arguments.append((parameter(setting["name"]), value, doc, kind_of(value)))
    for name, value, doc in (*kind.extra, *ENVIRONMENT):
        arguments.append((name, value, doc, kind_of(value) if name != "progress" else "bool | str"))
    return arguments


def shared_name(kind: Kind) -> str:
    """What the class is called that has the parameters of a learner's estimators."""
    base = kind.name if kind.fixed else "".join(part.capitalize() for part in kind.learner.split("_"))
    return f"{base}Parameters"


def shared(kind: Kind, learner: dict[str, Any]) -> str:
    """The parameters that the estimators of a learner have."""
    fixed = {name for name, _ in kind.fixed}
    settings = [setting for setting in learner["settings"] if setting["name"] not in fixed]
    arguments = arguments_of(kind, settings)
    lines = [f"class {shared_name(kind)}:", '    """Parameters', "    ----------"]
    for name, value, doc, of in arguments:
        lines += [f"    {name} : {of}, default {value}".replace("str | Any", "str").replace("Any,", "any,"), wrapped(doc, "        ")]
    lines += ['    """', "", f'    _learner = "{learner["name"]}"']
    lines.append("    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {")
    lines += [f'        "{parameter(setting["name"])}": ("{setting["name"]}", {json.dumps(setting["default"])}),' for setting in settings]
    lines.append("    }")
    if kind.fixed:
        lines.append(f"    _fixed: ClassVar[tuple[tuple[str, str], ...]] = {kind.fixed!r}".replace("'", '"'))
    if learner["several_targets"]:
        lines.append("    _several = True")
    lines += ["", "    def __init__(", "        self,", "        *,"]
    lines += [f"        {name}: {of} = {value}," for name, value, _, of in arguments]
    lines.append("    ) -> None:")
    lines += [f"        self.{name} = {name}" for name, *_ in arguments]
    return "\n".join(lines)


def written(kind: Kind, learner: dict[str, Any]) -> str:
    """The class of an estimator."""
    weighted = "Weighted" if kind.weighted else "Unweighted"
    lines = ["@documented", f"class {kind.name}({weighted}, {shared_name(kind)}, {kind.base}):"]
    lines.append(wrapped(f'"""{learner["summary"]}', "    "))
    if kind.more:
        lines += ["", wrapped(kind.more, "    ")]
    lines += ["", f"    The learner `{learner['name']}` of the command.", "", wrapped(f"Reference: {learner['reference']}", "    ")]
    lines += ["", "    Attributes", "    ----------"]
    if kind.base != "Regressor":
        lines += ["    classes_ : array, or list of arrays for several targets", "        The classes."]
    lines += ["    n_features_in_ : int", "        The number of columns that it was fitted on."]
    lines += ["    notices_ : list of str", "        What was decided without being asked."]
    if kind.example:
        body = textwrap.dedent(kind.example).strip("\n")
        lines += ["", "    Examples", "    --------", *("    " + line for line in body.rstrip().split("\n"))]
    lines.append('    """')
    marks = []
    if kind.baseline:
        marks.append("    _baseline = True")
    if kind.ordered:
        marks.append("    _ordered = True")
    if "set<nominal>" in learner["targets"] and kind.base != "Regressor":
        marks.append("    _sets = True")
    return "\n".join([*lines, *([""] if marks else []), *marks])


def text() -> str:
    """The whole file."""
    from kinwood import _kinwood

    learners = {learner["name"]: learner for learner in json.loads(_kinwood.learners())}
    by_learner: dict[str, list[str]] = {}
    for kind in KINDS:
        by_learner.setdefault(kind.learner, []).append(kind.name)
    lacking = set(learners) - set(by_learner)
    if lacking:
        raise SystemExit(f"learners without an estimator: {', '.join(sorted(lacking))}")
    parts = [
        '"""The estimators, one for each learner and kind of target. Written by generate.py from the registry of learners."""',
        "\n".join(
            [
                "from __future__ import annotations",
                "",
                "from collections.abc import Mapping",
                "from typing import Any, ClassVar",
                "",
                "from ._base import ByTarget, Classifier, Regressor, Unweighted, Weighted, documented",
            ]
        ),
    ]
    names = sorted(kind.name for kind in KINDS)
    parts.append("__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]")
    classes: list[str] = []
    begun: set[str] = set()
    for kind in KINDS:
        if shared_name(kind) not in begun:
            classes.append(shared(kind, learners[kind.learner]))
            begun.add(shared_name(kind))
        classes.append(written(kind, learners[kind.learner]))
    body = "\n\n".join(parts) + "\n\n\n" + "\n\n\n".join(classes)
    table = "".join(f'    "{name}": ({", ".join(kinds)}{"," * (len(kinds) == 1)}),\n' for name, kinds in by_learner.items())
    told = '"""The estimators of each learner, of classes first and of numbers last."""'
    return f"{body}\n\n\nLEARNERS: dict[str, tuple[Any, ...]] = {{\n{table}}}\n{told}\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
