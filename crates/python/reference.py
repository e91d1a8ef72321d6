"""Writes the reference of the package for the site: every public class, method and function with what its words say.

    python crates/python/reference.py FILE

`cargo xtask book` runs it. It reads sources alone, so that nothing need be built.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from pathlib import Path

SOURCES = Path(__file__).parent / "python" / "kinwood"

BEGIN = """# Python: reference

[Python](python.md) is for reading, this page for looking things up. In a session, `help(kinwood.KNeighborsClassifier)` has the same.
"""

PARTS: list[tuple[str, str, list[tuple[str, list[str]]]]] = [
    ("Data", "", [("_data.py", ["Table", "Database", "columns"]), ("_kinwood.pyi", ["Bag", "Tree", "Term", "Graph"])]),
    ("Distances, kernels, maps", "", [("measures.py", [])]),
    ("Transformers", "All have `fit`, `transform`, `fit_transform`, `get_feature_names_out` and `set_output`.", [("_transformers.py", [])]),
    ("How good predictions are", "", [("quality.py", [])]),
    ("Displays: `kinwood.plotting`", "", [("plotting.py", [])]),
    (
        "Files, queries, tools",
        "",
        [("_loading.py", ["load"]), ("_queries.py", ["connect"]), ("checking.py", ["check_structured_estimator"])],
    ),
    ("MLflow: `kinwood.mlflow`", "", [("mlflow.py", ["save_model", "log_model", "load_model"])]),
]
"""The parts of the page: a heading, a sentence, and files with the names to take of them, all public ones where none is given."""

SHARED = (
    ("Fitting, predicting, scoring", "_base.py", ["Estimator", "Classifier", "Regressor"]),
    ("What scikit-learn's estimators have", "_everyday.py", ["Everyday"]),
    ("Looking at models", "_looking.py", ["Looking"]),
)


def tree(file: str) -> ast.Module:
    return ast.parse((SOURCES / file).read_text(encoding="utf-8"))


def words(node: ast.AST) -> str:
    """The documentation of a class or function as Markdown."""
    assert isinstance(node, (ast.ClassDef, ast.FunctionDef))
    return markdown(ast.get_docstring(node) or "")


def markdown(doc: str) -> str:
    """A docstring in the manner of NumPy as Markdown."""
    lines = plain(doc).splitlines()
    out: list[str] = []
    place, example = 0, False
    while place < len(lines):
        line = lines[place]
        under = lines[place + 1] if place + 1 < len(lines) else ""
        if line and under and set(under) == {"-"}:
            example = line == "Examples"
            out += [f"**{line}**", ""] if not example else []
            place += 2
            continue
        if line.startswith(">>> "):
            end = place
            while end < len(lines) and lines[end].strip():
                end += 1
            out += ["```python", *lines[place:end], "```", ""]
            place = end
            continue
        if line and not line.startswith(" ") and under.startswith("    ") and not example:
            name, _, of = line.partition(" : ")
            said: list[str] = []
            place += 1
            while place < len(lines) and (lines[place].startswith("    ") or not lines[place].strip()):
                said.append(lines[place].strip())
                place += 1
            text = " ".join(part for part in said if part)
            named = ", ".join(f"`{part.strip()}`" for part in name.split(","))
            out.append(f"- {named}" + (f" ({typed(of)})" if of else "") + f": {text}")
            if place < len(lines) and lines[place] and not entry(lines, place):
                out.append("")
            continue
        out.append(line)
        place += 1
    return re.sub(r"\n{3,}", "\n\n", escaped("\n".join(out))).strip()


def escaped(text: str) -> str:
    """Text whose angle brackets are no tags: those outside of code."""
    parts = re.split(r"(```.*?```|`[^`]*`)", text, flags=re.DOTALL)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts)


def entry(lines: list[str], place: int) -> bool:
    return place + 1 < len(lines) and lines[place + 1].startswith("    ")


def plain(doc: str) -> str:
    """Roles and doubled backticks of reStructuredText as Markdown."""
    doc = re.sub(r":[a-z]+:`~?([^`]+)`", lambda found: f"`{found[1].split('.')[-1]}`", doc)
    return doc.replace("``", "`")


def typed(of: str) -> str:
    return of.replace("|", "\\|") if "|" in of and "`" in of else of


def signature(node: ast.FunctionDef, *, method: bool) -> str:
    """What a function is called with, without types: those stand with the parameters."""
    taken = node.args
    defaults = [None] * (len(taken.posonlyargs + taken.args) - len(taken.defaults)) + list(taken.defaults)
    parts = []
    for argument, value in zip(taken.posonlyargs + taken.args, defaults):
        if method and argument.arg in ("self", "cls"):
            continue
        parts.append(argument.arg + ("" if value is None else f"={ast.unparse(value)}"))
    if taken.vararg:
        parts.append(f"*{taken.vararg.arg}")
    elif taken.kwonlyargs:
        parts.append("*")
    for argument, value in zip(taken.kwonlyargs, taken.kw_defaults):
        parts.append(argument.arg + ("" if value is None else f"={ast.unparse(value)}"))
    if taken.kwarg:
        parts.append(f"**{taken.kwarg.arg}")
    return ", ".join(parts)


def has(node: ast.FunctionDef, decorator: str) -> bool:
    return any(ast.unparse(of) == decorator for of in node.decorator_list)


def public(node: ast.stmt) -> bool:
    return isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")


def members(node: ast.ClassDef, level: str) -> list[str]:
    """The public methods and properties of a class."""
    out = []
    for own in node.body:
        if not isinstance(own, ast.FunctionDef) or own.name.startswith("_") or not ast.get_docstring(own):
            continue
        shown = own.name if has(own, "property") else f"{own.name}({signature(own, method=True)})"
        out += [f"{level} `{shown}`", "", words(own), ""]
    return out


def one(node: ast.stmt, level: str) -> list[str]:
    """A class with its members, or a function."""
    if isinstance(node, ast.FunctionDef):
        return [f"{level} `{node.name}({signature(node, method=False)})`", "", words(node), ""]
    assert isinstance(node, ast.ClassDef)
    made = [own for own in node.body if isinstance(own, ast.FunctionDef) and own.name == "__init__"]
    out = [f"{level} `{node.name}`", ""]
    out += [called(node.name, signature(made[0], method=True)), ""] if made else []
    out += [words(node), ""]
    if node.name == "Table":
        rows = next(of for of in tree("_data.py").body if isinstance(of, ast.ClassDef) and of.name == "Rows")
        out += ["A `Table` and a `Database` both have:", "", *members(rows, level + "#")]
    return out + members(node, level + "#")


def called(name: str, arguments: str) -> str:
    """How a class is called, as code."""
    return "\n".join(["```python", *textwrap.wrap(f"{name}({arguments})", 100, subsequent_indent="    "), "```"])


def estimators() -> list[str]:
    """The estimators: the parameters of a learner once, then its classes."""
    parsed = {node.name: node for node in tree("_estimators.py").body if isinstance(node, ast.ClassDef)}
    out = ["## Estimators", ""]
    for heading, file, names in SHARED:
        nodes = {node.name: node for node in tree(file).body if isinstance(node, ast.ClassDef)}
        out += [f"### {heading}", ""]
        for name in names:
            own = members(nodes[name], "####")
            if own and len(names) > 1:
                of = {"Estimator": "All estimators", "Classifier": "Those of classes", "Regressor": "Those of numbers"}[name]
                out += [f"{of} have:", ""]
            out += own
    for name, node in parsed.items():
        bases = [ast.unparse(base) for base in node.bases]
        doc = ast.get_docstring(node) or ""
        if name.endswith("Parameters"):
            users = [of for of, other in parsed.items() if name in [ast.unparse(base) for base in other.bases]]
            out += [f"### {', '.join(f'`{user}`' for user in users)}", "", markdown(doc), ""]
            for user in users:
                out += [f"#### `{user}`", "", markdown(inspect.cleandoc(ast.get_docstring(parsed[user]) or "")), ""]
        elif bases and bases[0] in parsed and not bases[0].endswith("Parameters"):
            made = next(own for own in node.body if isinstance(own, ast.FunctionDef) and own.name == "__init__")
            out += [f"### `{name}`", "", called(name, signature(made, method=True)), "", markdown(doc), ""]
    return out


def text() -> str:
    """The whole page."""
    out = [BEGIN, *estimators()]
    for heading, sentence, files in PARTS:
        out += [f"## {heading}", ""]
        out += [sentence, ""] if sentence else []
        for file, names in files:
            nodes = {node.name: node for node in tree(file).body if public(node)}  # type: ignore[attr-defined]
            for name in names or nodes:
                if ast.get_docstring(nodes[name]):  # type: ignore[arg-type]
                    out += one(nodes[name], "###")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip() + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python crates/python/reference.py FILE")
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
