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
LISTED = TARGET.with_name("_estimator_names.py")

NUMBERS = "[[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]]"
CLASSES = '["low", "low", "low", "high", "high", "high"]'
ASKED = "[[1.2, 4.8], [9.1, 1.1]]"


@dataclass(frozen=True)
class Kind:
    """A class to write."""

    name: str
    base: str
    learner: str
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

BASELINES = {"majority", "mean", "oner"}
"""Learners that are not expected to predict well."""

ORDERED = {"majority", "knn"}
"""Learners that take the first of equally frequent classes in the order of scikit-learn, where ties are usual."""

EXAMPLES = {
    "MajorityClassifier": classifies("MajorityClassifier", "high high"),
    "OneR": classifies("OneR", given="bucket=2"),
    "KNeighborsClassifier": classifies("KNeighborsClassifier", given="n_neighbors=3"),
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
    tables = {*STEMS, *FAMILIAR, *FIRST, *BETTER, *(name for name, _ in NAMES), *BASELINES, *ORDERED, *BESIDE}
    unknown = tables - {learner["name"] for learner in learners}
    if unknown:
        raise SystemExit(f"crates/python/generate.py speaks of {', '.join(sorted(unknown))}, which the registry does not have")


DEPTH = ("max_depth", "int | None", "The most tests from the root to a leaf; `depth`.")
LEAF = ("min_samples_leaf", "float | None", "The least number of rows in a leaf, or a share of all rows below 1; `leaf`.")
CLASS_WEIGHT = (
    "class_weight",
    'Literal["balanced"] | Mapping[Any, float] | None',
    "How much the rows of a class count: a dictionary, or `balanced` for the inverse of how many there are.",
)
VERBOSE = ("verbose", "int | bool | None", "Whether a progress bar is shown wherever this runs; `progress=True`.")
CRITERION = (
    "criterion",
    'Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None',
    "What makes a test good; `heuristic`.",
)
OF_TREES = [
    CRITERION,
    DEPTH,
    ("min_samples_split", "float | None", "The least number of rows that are divided, or a share of all rows."),
    LEAF,
    ("min_weight_fraction_leaf", "float | None", "The least share of the rows in a leaf."),
    ("max_leaf_nodes", "int | None", "The most leaves, the most gaining being divided first; `search='best_first'` with a `size`."),
    ("min_impurity_decrease", "float | None", "0 alone: every test that gains something may be taken."),
    CLASS_WEIGHT,
    ("ccp_alpha", "float | None", "0 alone: `pruning='cost_complexity'` chooses it."),
    ("monotonic_cst", "Mapping[str, int] | Sequence[int] | None", "1 for columns with which predictions rise, -1 fall; `constraints`."),
]
OF_KERNELS = [
    ("degree", "int | None", "The power of `kernel='poly'`; 3 by default."),
    ("coef0", "float | None", "What is added in `kernel='poly'` and `'sigmoid'`; 0 by default."),
    ("tol", "float | None", "By how much the optimality conditions may be violated; `tolerance`."),
    ("cache_size", "float | None", "Taken and not used: `memory` limits what is kept."),
    ("max_iter", "int | None", "Taken and not used: `time` limits the work."),
    VERBOSE,
]

FAMILIAR: dict[str, list[tuple[str, str, str]]] = {
    "knn": [
        (
            "n_neighbors",
            'int | Literal["loo", "auto"] | None',
            "How many neighbours vote, or `loo` to choose the number by leave-one-out; `k`.",
        ),
        (
            "metric",
            "str | Callable[..., float] | None",
            "How far rows are apart: `euclidean`, `manhattan`, `minkowski`, `cosine` and the like of vectors as they are, `precomputed`, "
            "a function of two vectors or values, or any expression, such as `levenshtein`, `jaccard` and `dtw` of values; `distance`.",
        ),
        ("p", "float | None", "The power of `metric='minkowski'`; 2 by default."),
        ("metric_params", "Mapping[str, Any] | None", "More arguments of the metric, by name."),
        ("algorithm", 'Literal["auto", "ball_tree", "kd_tree", "brute"] | None', "Taken and not used: the search is always exact."),
        ("leaf_size", "int | None", "Taken and not used."),
        VERBOSE,
    ],
    "tree": [
        *OF_TREES,
        ("splitter", 'Literal["best"] | None', "`best` alone."),
        ("max_features", 'float | Literal["sqrt", "log2"] | None', "All alone: a forest looks at some columns in each node."),
        VERBOSE,
    ],
    "forest": [
        ("n_estimators", "int | None", "How many trees there are; `trees`."),
        *OF_TREES,
        (
            "max_features",
            'float | Literal["sqrt", "log2"] | None',
            "How many columns a node looks at: a number, a share, or the root or logarithm of their number; `inputs`.",
        ),
        ("bootstrap", "bool | None", "Whether trees grow on rows drawn with repetition; `sample`."),
        ("oob_score", "bool | None", "Taken and not used: `oob_score_` is there wherever rows are drawn."),
        ("max_samples", "float | None", "All alone; `sample='subsample'` takes 63.2 percent of the rows."),
        ("warm_start", "bool | None", "False alone."),
        VERBOSE,
    ],
    "boost": [
        ("n_estimators", "int | None", "How many trees there are at most; `trees`."),
        ("max_iter", "int | None", "The same, as scikit-learn's histogram boosting calls it; `trees`."),
        ("learning_rate", "float | None", "How much each tree counts; `rate`."),
        ("max_leaf_nodes", "int | None", "The most leaves of a tree; `leaves`."),
        DEPTH,
        (
            "min_samples_leaf",
            "float | None",
            "The least weight of the rows in a leaf, which is 1 in the mean, or a share of all rows below 1; `leaf`.",
        ),
        ("l2_regularization", "float | None", "What large leaves cost; `l2`."),
        ("max_bins", "int | None", "Into how many intervals numbers are put at most; `bins`."),
        ("subsample", "float | None", "The share of the rows that each tree is grown on; `rows`."),
        ("max_features", "float | None", "The share of the columns that each tree may use; `columns`."),
        ("n_iter_no_change", "int | None", "After how many trees without gain on held-out rows growing stops; `patience`."),
        CLASS_WEIGHT,
        VERBOSE,
    ],
    "dbdt": [DEPTH, LEAF, CLASS_WEIGHT, VERBOSE],
    "m5": [DEPTH, LEAF, VERBOSE],
    "mirt": [DEPTH, LEAF, VERBOSE],
    "svm": [
        ("C", "float | None", "The price of an error; `c`."),
        ("probability", "bool | None", "Whether probabilities are predicted; `probabilities`."),
        CLASS_WEIGHT,
        (
            "decision_function_shape",
            'Literal["ovr", "ovo"] | None',
            "Whether `decision_function` has a column a class or a pair of classes.",
        ),
        ("break_ties", "bool | None", "Taken and not used."),
        *OF_KERNELS,
    ],
    "svr": [("C", "float | None", "The price of an error; `c`."), *OF_KERNELS],
    "ridge": [
        ("alpha", "float | None", "The ridge; `lambda_`."),
        ("kernel_params", "Mapping[str, Any] | None", "Taken and not used: a kernel is a function of both matrices."),
        *(of for of in OF_KERNELS if of[0] in ("degree", "coef0")),
        VERBOSE,
    ],
    "mi_svm": [("C", "float | None", "The price of an error; `c`."), ("tol", "float | None", "`tolerance`."), VERBOSE],
}
"""Parameters by the names that scikit-learn has for them, by learner: what they mean is in python/kinwood/_names.py."""

FIRST = {"knn": "n_neighbors", "forest": "n_estimators"}
"""Parameters that may be given without their names."""

BETTER: dict[str, dict[str, str]] = {"knn": {"n_neighbors": "5"}}
"""Defaults of the classes that are not those of the learner."""

WIDER = {
    ("knn", "weights"): 'Literal["uniform", "inverse", "kernel", "distance"] | None',
    ("svm", "kernel"): "str | Callable[..., Any]",
    ("svr", "kernel"): "str | Callable[..., Any]",
    ("ridge", "kernel"): "str | Callable[..., Any]",
    ("svm", "gamma"): "float | str | Sequence[float]",
    ("svr", "gamma"): "float | str | Sequence[float]",
    ("ridge", "gamma"): "float | str | None",
    ("mi_svm", "gamma"): "float | str | Sequence[float]",
    ("knn", "distance"): "str | Callable[..., float] | None",
}
"""Types of settings that take more than the registry says."""

TREE_NAMES = [
    ("criterion", '"gini"'),
    ("splitter", '"best"'),
    ("max_depth", "None"),
    ("min_samples_split", "2"),
    ("min_samples_leaf", "1"),
    ("min_weight_fraction_leaf", "0.0"),
    ("max_features", "None"),
    ("random_state", "None"),
    ("max_leaf_nodes", "None"),
    ("min_impurity_decrease", "0.0"),
    ("class_weight", "None"),
    ("ccp_alpha", "0.0"),
    ("monotonic_cst", "None"),
]
FOREST_NAMES = [
    ("n_estimators", "100"),
    ("criterion", '"gini"'),
    ("max_depth", "None"),
    ("min_samples_split", "2"),
    ("min_samples_leaf", "1"),
    ("min_weight_fraction_leaf", "0.0"),
    ("max_features", '"sqrt"'),
    ("max_leaf_nodes", "None"),
    ("min_impurity_decrease", "0.0"),
    ("bootstrap", "True"),
    ("oob_score", "False"),
    ("n_jobs", "None"),
    ("random_state", "None"),
    ("verbose", "0"),
    ("warm_start", "False"),
    ("class_weight", "None"),
    ("ccp_alpha", "0.0"),
    ("max_samples", "None"),
    ("monotonic_cst", "None"),
]
SVC_NAMES = [
    ("C", "1.0"),
    ("kernel", '"rbf"'),
    ("degree", "3"),
    ("gamma", '"scale"'),
    ("coef0", "0.0"),
    ("shrinking", "True"),
    ("probability", "False"),
    ("tol", "0.001"),
    ("cache_size", "200"),
    ("class_weight", "None"),
    ("verbose", "False"),
    ("max_iter", "-1"),
    ("decision_function_shape", '"ovr"'),
    ("break_ties", "False"),
    ("random_state", "None"),
]
SVR_NAMES = [
    ("kernel", '"rbf"'),
    ("degree", "3"),
    ("gamma", '"scale"'),
    ("coef0", "0.0"),
    ("tol", "0.001"),
    ("C", "1.0"),
    ("epsilon", "0.1"),
    ("shrinking", "True"),
    ("cache_size", "200"),
    ("verbose", "False"),
    ("max_iter", "-1"),
]


def but(names: list[tuple[str, str]], **others: str | None) -> list[tuple[str, str]]:
    """The same with other defaults, those of None left out; new ones come last."""
    known = [(name, others.get(name, value)) for name, value in names if others.get(name, value) is not None]
    return [*known, *((name, value) for name, value in others.items() if value is not None and name not in dict(names))]  # type: ignore[misc]


@dataclass(frozen=True)
class Namesake:
    """A class with scikit-learn's name, parameters and defaults."""

    name: str
    of: str
    names: list[tuple[str, str]]
    first: str | None = None
    fixed: tuple[tuple[str, str], ...] = ()
    """Settings of the learner that scikit-learn's class stands for."""
    summary: str = ""


NAMESAKES = [
    Namesake(
        "DecisionTreeClassifier",
        "PCTClassifier",
        TREE_NAMES,
        fixed=(("pruning", "none"),),
        summary="A decision tree, grown in full by default.",
    ),
    Namesake(
        "DecisionTreeRegressor",
        "PCTRegressor",
        but(TREE_NAMES, criterion='"squared_error"', class_weight=None),
        fixed=(("pruning", "none"),),
        summary="A regression tree, grown in full by default.",
    ),
    Namesake(
        "RandomForestClassifier",
        "ForestClassifier",
        FOREST_NAMES,
        first="n_estimators",
        summary="Many trees, each on rows drawn with repetition.",
    ),
    Namesake(
        "RandomForestRegressor",
        "ForestRegressor",
        but(FOREST_NAMES, criterion='"squared_error"', max_features="1.0", class_weight=None),
        first="n_estimators",
        summary="Many trees, each on rows drawn with repetition.",
    ),
    Namesake(
        "ExtraTreesClassifier",
        "ForestClassifier",
        but(FOREST_NAMES, bootstrap="False"),
        first="n_estimators",
        fixed=(("preset", "extra"),),
        summary="Many trees whose thresholds are drawn.",
    ),
    Namesake(
        "ExtraTreesRegressor",
        "ForestRegressor",
        but(FOREST_NAMES, criterion='"squared_error"', max_features="1.0", bootstrap="False", class_weight=None),
        first="n_estimators",
        fixed=(("preset", "extra"),),
        summary="Many trees whose thresholds are drawn.",
    ),
    Namesake(
        "SVC",
        "KernelSVC",
        SVC_NAMES,
        summary="A support vector machine of vectors as they are: scale them, or use `KernelSVC`, which does.",
    ),
    Namesake(
        "NuSVC",
        "KernelSVC",
        but(SVC_NAMES, C=None, nu="0.5"),
        fixed=(("form", "nu"),),
        summary="`SVC` with a share of errors in place of their price.",
    ),
    Namesake(
        "SVR", "KernelSVR", SVR_NAMES, fixed=(("scaled", "false"),), summary="Support vector regression of vectors and numbers as they are."
    ),
    Namesake(
        "NuSVR",
        "KernelSVR",
        but(SVR_NAMES, epsilon=None, nu="0.5"),
        fixed=(("form", "nu"), ("scaled", "false")),
        summary="`SVR` with a share of errors in place of their size.",
    ),
]

ENVIRONMENT = [
    (
        "random_state",
        "None",
        "The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.",
    ),
    ("n_jobs", "None", "How many threads work: None for one, -1 for all of the machine. Results do not depend on it."),
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


def type_of(text: str, allowed: str, default: str) -> str:
    """The type of a parameter with this default, of a setting that allows this."""
    numbers, words = allowed_of(allowed)
    parts = list(numbers)
    if allowed == "`true` or `false`":
        parts = ["bool"]
    elif words == ["none"]:
        pass
    elif words:
        parts.append(f"Literal[{', '.join(json.dumps(word) for word in words)}]")
    elif not parts:
        number = text not in ("", "none") and not text.startswith('"') and default not in ("", "none") and is_number(default)
        parts = ["float", "str", "Sequence[float]"] if number else ["str", "Mapping[str, Any]", "Sequence[Any]"]
    if text == "None" or "none" in words or "none" in allowed.split():
        parts.append("None")
    return " | ".join(dict.fromkeys(parts))


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def allowed_of(allowed: str) -> tuple[list[str], list[str]]:
    """Numbers and words that a setting allows, from the sentence of the registry that says it."""
    if allowed.startswith("one of "):
        return [], [word.strip() for word in allowed.removeprefix("one of ").split(",")]
    numbers = ["int"] if allowed.startswith("a whole number") else ["float"] if allowed.startswith("a number") else []
    if not numbers or ", or " not in allowed:
        return numbers, []
    words = allowed.split(", or ", 1)[1].replace(" or ", ", ").split(",")
    return numbers, [word.strip() for word in words]


def wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


@dataclass(frozen=True)
class Argument:
    """A parameter of a class."""

    name: str
    default: str
    doc: str
    of: str


def arguments_of(kind: Kind, settings: list[dict[str, Any]]) -> list[Argument]:
    """The parameters of a class."""
    preset = any(setting["name"] == "preset" for setting in settings)
    arguments: list[Argument] = []
    better = BETTER.get(kind.learner, {})
    for setting in settings:
        # What a preset may decide is open until somebody says.
        of_preset = preset and setting["name"] != "preset"
        value = "None" if of_preset else default(setting["default"])
        shown = f" By default {default(setting['default'])}, or what the preset says." if of_preset else ""
        allowed = setting["allowed"]
        expected = "" if allowed == "text" else f" Expected: {allowed}."
        doc = f"{setting['doc']}{expected}{shown}".replace("\\", "\\\\")
        name = parameter(setting["name"])
        of = WIDER.get((kind.learner, name)) or type_of(value, allowed, setting["default"])
        arguments.append(Argument(name, value, doc, of))
    known = {argument.name for argument in arguments} | {name for name, _ in kind.fixed}
    for name, of, doc in FAMILIAR.get(kind.learner, [VERBOSE]):
        if name not in known:
            arguments.append(Argument(name, better.get(name, "None"), f"{doc}", of))
    for name, value, doc in (*kind.extra, *ENVIRONMENT):
        arguments.append(Argument(name, value, doc, OF_ENVIRONMENT[name]))
    first = FIRST.get(kind.learner)
    return sorted(arguments, key=lambda argument: argument.name != first)


OF_ENVIRONMENT = {
    "task": 'Literal["classification", "regression"]',
    "random_state": "int | np.random.RandomState | None",
    "n_jobs": "int | None",
    "memory": "float | None",
    "time": "float | None",
    "progress": 'bool | Literal["auto"]',
}


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
    for argument in arguments:
        shown = argument.of.replace("\\", "\\\\")
        lines += [f"    {argument.name} : {shown}, default {argument.default}", wrapped(argument.doc, "        ")]
    lines += ['    """', "", f'    _learner = "{learner["name"]}"']
    lines.append("    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {")
    lines += [f'        "{parameter(setting["name"])}": ("{setting["name"]}", {json.dumps(setting["default"])}),' for setting in settings]
    lines.append("    }")
    if kind.fixed:
        lines.append(f"    _fixed: ClassVar[tuple[tuple[str, str], ...]] = {kind.fixed!r}".replace("'", '"'))
    if learner["several_targets"]:
        lines.append("    _several = True")
    return "\n".join([*lines, "", *initialiser(arguments, FIRST.get(kind.learner))])


def initialiser(arguments: list[Argument], first: str | None) -> list[str]:
    """The method that takes the parameters."""
    lines = ["    def __init__(", "        self,"]
    for place, argument in enumerate(arguments):
        if place == (first is not None):
            lines.append("        *,")
        lines.append(f"        {argument.name}: {argument.of} = {argument.default},")
    lines.append("    ) -> None:")
    return [*lines, *(f"        self.{argument.name} = {argument.name}" for argument in arguments)]


def namesake(own: Namesake, kinds: dict[str, Kind], learners: dict[str, dict[str, Any]]) -> str:
    """A class with scikit-learn's name, parameters and defaults, ours beside them."""
    kind = kinds[own.of]
    fixed = {name for name, _ in own.fixed}
    known = {argument.name: argument for argument in arguments_of(kind, learners[kind.learner]["settings"])}
    arguments = [Argument(name, value, known[name].doc, wide(known[name].of, value)) for name, value in own.names]
    taken = fixed | {argument.name for argument in arguments}
    rest = [argument for argument in known.values() if argument.name not in taken]
    arguments += [Argument(of.name, BETTER.get(kind.learner, {}).get(of.name, of.default), of.doc, of.of) for of in rest]
    arguments.sort(key=lambda argument: argument.name != own.first)
    lines = ["@documented", f"class {own.name}({own.of}):"]
    lines += [wrapped(f'"""{own.summary}', "    "), ""]
    lines += [
        wrapped(
            f"`{own.of}` with the parameters and defaults of scikit-learn's `{own.name}`, which come first; its own are beside them.",
            "    ",
        ),
        "",
        "    Attributes",
        "    ----------",
    ]
    if kind.base != "Regressor":
        lines += ["    classes_ : array, or list of arrays for several targets", "        The classes."]
    lines += ["    n_features_in_ : int", "        The number of columns that it was fitted on."]
    usual = classifies(own.name) if kind.base == CLASSIFIER else regresses(own.name, "C=100.0" if kind.learner == "svr" else "")
    body = textwrap.dedent(usual).strip("\n")
    lines += ["", "    Examples", "    --------", *("    " + line for line in body.rstrip().split("\n")), '    """', ""]
    stated = own.fixed
    if stated:
        lines += [f"    _fixed: ClassVar[tuple[tuple[str, str], ...]] = {stated!r}".replace("'", '"'), ""]
    return "\n".join([*lines, *initialiser(arguments, own.first)])


def wide(of: str, value: str) -> str:
    """A type that the default of a namesake is of too."""
    if value == "None" and "None" not in of:
        return f"{of} | None"
    return of


def written(kind: Kind, learner: dict[str, Any]) -> str:
    """The class of an estimator."""
    lines = ["@documented", f"class {kind.name}({shared_name(kind)}, {kind.base}):"]
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
                "from collections.abc import Callable, Mapping, Sequence",
                "from typing import Any, ClassVar, Literal",
                "",
                "import numpy as np",
                "",
                "from ._base import ByTarget, Classifier, Regressor, documented",
            ]
        ),
    ]
    names = sorted([kind.name for kind in made] + [own.name for own in NAMESAKES])
    parts.append("__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]")
    classes: list[str] = []
    begun: set[str] = set()
    for kind in made:
        if shared_name(kind) not in begun:
            classes.append(shared(kind, learners[kind.learner]))
            begun.add(shared_name(kind))
        classes.append(written(kind, learners[kind.learner]))
    classes += [namesake(own, {kind.name: kind for kind in made}, learners) for own in NAMESAKES if own.of in {kind.name for kind in made}]
    body = "\n\n".join(parts) + "\n\n\n" + "\n\n\n".join(classes)
    table = "".join(f'    "{name}": ({", ".join(own)}{"," * (len(own) == 1)}),\n' for name, own in by_learner.items())
    same = "".join(f'    "{own.name}",\n' for own in NAMESAKES)
    parts = [
        f"{body}\n\n\nLEARNERS: dict[str, tuple[Any, ...]] = {{\n{table}}}",
        '"""The estimators of each learner, of classes first and of numbers last."""\n',
        f"NAMESAKES = (\n{same})",
        '"""Classes with the names, parameters and defaults of scikit-learn."""\n',
    ]
    return "\n".join(parts)


def listed(known: list[dict[str, Any]] | None = None) -> str:
    """The names of the estimators, which the package knows before it imports them."""
    known = registered() if known is None else known
    names = sorted([kind.name for kind in kinds(known)] + [own.name for own in NAMESAKES])
    told = '"""The names of the estimators. Written by generate.py."""'
    return told + "\n\nNAMES = (\n" + "".join(f'    "{name}",\n' for name in names) + ")\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
    LISTED.write_text(listed(), encoding="utf-8")
