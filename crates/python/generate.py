"""Writes python/kinwood/_estimators.py from the registry of learners: names, settings and explanations are written once, in Rust.

Run it after a learner changed or came: python crates/python/generate.py. A test fails when the file is not what this writes. A new
learner needs no line here: its classes are named by rule, after the learner and its kinds of targets. The tables below are for names
that scikit-learn or the literature has, and for what the registry does not know.
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

CLASSIFIER, REGRESSOR = "Classifier", "Regressor"

STEMS = {"knn": "KNeighbors", "kstar": "KStar", "tree": "PCT", "dbdt": "DBDT", "mirt": "MIRT", "citation_knn": "CitationKNN"}
"""How the classes of a learner begin, where it is not with its name."""

NAMES = {
    ("oner", CLASSIFIER): "OneR",
    ("citation_knn", CLASSIFIER): "CitationKNN",
    ("svm", CLASSIFIER): "KernelSVC",
    ("svr", REGRESSOR): "KernelSVR",
    ("ridge", REGRESSOR): "KernelRidge",
    ("mi_svm", CLASSIFIER): "MISVC",
}
"""Names of classes that do not end with what they predict."""

WEIGHTED = {"majority", "mean", "tree", "dbdt", "m5"}
"""Learners whose rows may count more or less."""

BASELINES = {"majority", "mean", "oner"}
"""Learners that are not expected to predict well."""

ORDERED = {"majority"}
"""Learners that take the first of equally frequent classes in the order of scikit-learn."""

EXAMPLES = {
    "MajorityClassifier": classifies("MajorityClassifier", "high high"),
    "OneR": classifies("OneR", given="bucket=2"),
    "KNeighborsClassifier": classifies("KNeighborsClassifier", given="k=3"),
    "CitationKNN": BAGS.format(name="CitationKNN", given="citers=2"),
    "KernelSVR": regresses("KernelSVR", "c=100.0"),
    "MISVC": BAGS.format(name="MISVC", given='positive="far"'),
}
"""Examples that are not the usual ones."""

BESIDE = {
    "tree": Kind(
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
    )
}
"""Classes of a learner beside those of its kinds of targets."""


def class_name(learner: str, base: str) -> str:
    """What the class of a learner for a kind of target is called."""
    stem = STEMS.get(learner) or "".join(part[:1].upper() + part[1:] for part in learner.split("_"))
    return NAMES.get((learner, base), stem + base)


def kinds(learners: list[dict[str, Any]]) -> list[Kind]:
    """The classes to write, in the order of the registry."""
    made: list[Kind] = []
    for learner in learners:
        name = learner["name"]
        for target, base in (("nominal", CLASSIFIER), ("numeric", REGRESSOR)):
            if target not in learner["targets"]:
                continue
            called = class_name(name, base)
            usual = classifies(called) if base == CLASSIFIER else regresses(called)
            made.append(
                Kind(
                    called,
                    base,
                    name,
                    weighted=name in WEIGHTED,
                    example=EXAMPLES.get(called, usual),
                    baseline=name in BASELINES,
                    ordered=name in ORDERED,
                )
            )
        if name in BESIDE:
            made.append(BESIDE[name])
    check(learners, made)
    return made


def check(learners: list[dict[str, Any]], made: list[Kind]) -> None:
    """Fails where a learner has no class, two have one name, or a table speaks of a learner that there is not."""
    lacking = {learner["name"] for learner in learners} - {kind.learner for kind in made}
    if lacking:
        raise SystemExit(
            f"learners without an estimator: {', '.join(sorted(lacking))}; classes are made for targets `nominal` and `numeric`: "
            "write a class for another kind in crates/python/generate.py (`BESIDE`)"
        )
    by_name: dict[str, str] = {}
    for kind in made:
        other = by_name.setdefault(kind.name, kind.learner)
        if other != kind.learner:
            raise SystemExit(
                f"learners `{other}` and `{kind.learner}` would both have the class `{kind.name}`: "
                "name one in crates/python/generate.py (`STEMS` or `NAMES`)"
            )
    tables = {*STEMS, *(name for name, _ in NAMES), *WEIGHTED, *BASELINES, *ORDERED, *BESIDE}
    unknown = tables - {learner["name"] for learner in learners}
    if unknown:
        raise SystemExit(f"crates/python/generate.py speaks of {', '.join(sorted(unknown))}, which the registry does not have")


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


def registered() -> list[dict[str, Any]]:
    """The learners that there are."""
    from kinwood import _kinwood

    return json.loads(_kinwood.learners())


def text(known: list[dict[str, Any]] | None = None) -> str:
    """The whole file, for the learners of the registry or for these."""
    known = registered() if known is None else known
    learners = {learner["name"]: learner for learner in known}
    made = kinds(known)
    by_learner: dict[str, list[str]] = {}
    for kind in made:
        by_learner.setdefault(kind.learner, []).append(kind.name)
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
    names = sorted(kind.name for kind in made)
    parts.append("__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]")
    classes: list[str] = []
    begun: set[str] = set()
    for kind in made:
        if shared_name(kind) not in begun:
            classes.append(shared(kind, learners[kind.learner]))
            begun.add(shared_name(kind))
        classes.append(written(kind, learners[kind.learner]))
    body = "\n\n".join(parts) + "\n\n\n" + "\n\n\n".join(classes)
    table = "".join(f'    "{name}": ({", ".join(own)}{"," * (len(own) == 1)}),\n' for name, own in by_learner.items())
    told = '"""The estimators of each learner, of classes first and of numbers last."""'
    return f"{body}\n\n\nLEARNERS: dict[str, tuple[Any, ...]] = {{\n{table}}}\n{told}\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
