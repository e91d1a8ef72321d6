"""Looking at models: text, trees on a page, drawings, reports, explanations, SQL."""

from __future__ import annotations

import html
import json
import os
from typing import Any

from sklearn.utils.validation import check_is_fitted

LARGEST_DRAWING = 40_000
"""A tree whose drawing is longer, in characters, is shown in a notebook as text."""
LONGEST = 40
"""The lines of such a text."""


class Page:
    """A page that stands alone: shown in a notebook, or saved."""

    def __init__(self, text: str, height: int = 640) -> None:
        self.text = text
        self._height = height

    def _repr_html_(self) -> str:
        return framed(self.text, self._height)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, wholly or not at all."""
        whole(path, self.text)

    def __repr__(self) -> str:
        return f"<page of {len(self.text):,} characters; `save` writes it, a notebook shows it>"


def whole(path: str | os.PathLike[str], given: str | bytes) -> None:
    """Writes a file, wholly or not at all."""
    import tempfile

    target = os.path.abspath(os.fspath(path))
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".kinwood-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(given.encode("utf-8") if isinstance(given, str) else given)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def framed(page: str, height: int) -> str:
    """A page inside another, kept apart from it."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts allow-popups" '
        f'style="width: 100%; height: {height}px; border: 1px solid #8884; border-radius: 6px"></iframe>'
    )


class Looking:
    """What can be seen of a fitted estimator."""

    model_: Any

    def show(self) -> str:
        """The model as a person reads it."""
        check_is_fitted(self, "model_")
        return self.model_.show()

    def _height(self, drawing: str | None = None) -> int:
        """Room for the trees on a page, by their levels."""
        deepest = 0
        for tree in json.loads(drawing or self.model_.drawing())["trees"]:
            levels: list[int] = []
            for node in tree["nodes"]:
                levels.append(0 if node["parent"] is None else levels[node["parent"]] + 1)
            deepest = max(deepest, *levels)
        return min(900, 400 + 130 * deepest)

    def _repr_html_(self) -> str:
        """The estimator with its parameters, a summary, and the first tree on demand: a notebook keeps what a cell shows."""
        from sklearn.utils import estimator_html_repr

        page = estimator_html_repr(self)
        model = getattr(self, "model_", None)
        if model is None:
            return page
        return f"{page}<p>{html.escape(self._summary())}</p>{self._first_tree()}"

    def _summary(self) -> str:
        """A fitted model in a sentence."""
        model = self.model_
        rows = f"predicts {', '.join(model.targets)}"
        if model.members > 1:
            return f"{rows}; {model.members} models, the first below. `html()` shows all, `members_` are they"
        first = next((line for line in model.show().splitlines() if line.strip()), "")
        return f"{rows}; {first[:200]}"

    def _first_tree(self) -> str:
        """The first tree, folded away; nothing where there is none."""
        model = self.model_
        alone = model.member(1) if model.members > 1 else model
        try:
            told = alone.drawing()
        except NotImplementedError:
            return ""
        if len(told) <= LARGEST_DRAWING:
            inside = framed(alone.html(), self._height(told))
        else:
            lines = alone.show().splitlines()
            more = "" if len(lines) <= LONGEST else f"\n… {len(lines) - LONGEST:,} lines more: `show()` has all"
            inside = "<pre>" + html.escape("\n".join(line[:200] for line in lines[:LONGEST]) + more) + "</pre>"
        return f"<details><summary>tree</summary>{inside}</details>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def html(self, X: Any = None) -> Page:
        """The trees as one page to look around in; the ways of the rows of `X` can be followed on it."""
        check_is_fitted(self, "model_")
        data = None if X is None else self._rows(X, reset=False)  # type: ignore[attr-defined]
        return Page(self.model_.html(data), self._height())

    def to_svg(self) -> str:
        """The trees as a drawing for documents."""
        check_is_fitted(self, "model_")
        return self.model_.svg()

    def to_dot(self) -> str:
        """The trees for Graphviz."""
        check_is_fitted(self, "model_")
        return self.model_.dot()

    def plot(self, tree: int = 0, *, ax: Any = None, depth: int | None = None, fontsize: float = 9.0) -> Any:
        """Draws a tree with matplotlib, the first unless said otherwise, and gives the axes.

        Parameters
        ----------
        tree : int
            Which tree of a set, from 0.
        ax : matplotlib axes, optional
            Where to draw; a new figure otherwise.
        depth : int, optional
            Draws so many levels of tests only.
        fontsize : float
            The size of the words.
        """
        from ._plotting import draw

        check_is_fitted(self, "model_")
        return draw(json.loads(self.model_.drawing()), tree, ax=ax, depth=depth, fontsize=fontsize)

    def report(self, X: Any = None, y: Any = None, *, folds: int = 10, rows: Any = ()) -> Page:
        """A report as one page: the model, and what it says of `X`; with `y` also how good it is by cross-validation.

        Parameters
        ----------
        X, y : data, optional
            Rows to show, with what is to be predicted of them.
        folds : int
            The folds of the cross-validation; 0 for none.
        rows : list of int
            Rows of `X` whose predictions are explained, from 0; typical ones and the worst mistakes if none.
        """
        check_is_fitted(self, "model_")
        data, targets = self._shown_rows(X, y)
        page = self.model_.report(
            data,
            targets,
            folds=folds,
            rows=[str(int(row) + 1) for row in rows],
            command=f"{self!r}.fit(X, y).report(X, y)",
            work=self._work(),  # type: ignore[attr-defined]
        )
        return Page(page, height=900)

    def members_table(self, X: Any = None, y: Any = None, *, folds: int = 0, measure: str | list[str] | None = None) -> Any:
        """The models of a set beside each other, so that one can be chosen: :meth:`pick` keeps one.

        Parameters
        ----------
        X, y : data, optional
            Rows on which the models are compared: how alike the first each predicts, and with `y` how good each is.
        folds : int
            Fits the estimator on so many folds of `X`, and tells how good the model of each rank is on test rows; 0 for none. The models of
            a fold are others than those of this set, so that no estimate is of a certain model.
        measure : str or list of str, optional
            What is measured; accuracy of classes, rmse of numbers, hamming_loss of sets of labels by default.

        Returns
        -------
        pandas.DataFrame
            A line for each model: its number from 1, size, leaves, depth, score, how good it is by the rows that its leaves were made
            from, and the columns it looks at. Without pandas it is a list of dictionaries.
        """
        check_is_fitted(self, "model_")
        data, targets = self._shown_rows(X, y)
        if folds and not targets:
            raise ValueError("folds are made of rows whose targets are known: give `X` and `y`")
        measures = [measure] if isinstance(measure, str) else list(measure or [])
        told, notices = self.model_.members_table(data, targets, folds=folds, measures=measures, work=self._work())  # type: ignore[attr-defined]
        self._tell(notices)  # type: ignore[attr-defined]
        lines = [_member_line(member) for member in json.loads(told)["members"]]
        try:
            import pandas as pd
        except ImportError:
            return lines
        return pd.DataFrame(lines)

    def _shown_rows(self, X: Any, y: Any) -> tuple[Any, list[Any]]:
        """Rows to look at, and what is to be predicted of them where that is known."""
        if X is None:
            return None, []
        data = self._rows(X, reset=False)  # type: ignore[attr-defined]
        named = getattr(X, "_targets", [])
        known = y is not None or named
        return data, self._known_targets(y, named, data) if known else []

    def _known_targets(self, y: Any, named: list[str], data: Any) -> list[Any]:
        """Targets of other rows in the terms of the fitted model."""
        from sklearn.base import clone

        other = clone(self)  # type: ignore[type-var]
        targets = other._targets_of(y, named, data)
        return [(name, column) for name, (_, column) in zip(self.model_.targets, targets)]

    def explain(self, X: Any, row: int = 0, most: int = 5) -> Any:
        """Why a row of `X` is predicted as it is, as a frame: the tests on its way, the rows that count most, or the terms of a formula.

        Parameters
        ----------
        X : data
            Rows, of which one is explained.
        row : int
            Which, from 0.
        most : int
            At most so many training rows are named.

        Returns
        -------
        pandas.DataFrame
            A line for each test, training row or term; `attrs["text"]` is the explanation for people. Without pandas it is a list of
            dictionaries.
        """
        check_is_fitted(self, "model_")
        data = self._rows(X, reset=False)  # type: ignore[attr-defined]
        if not 0 <= row < len(data):
            raise IndexError(f"there is no row {row}: there are {len(data)}, counted from 0")
        told, text = self.model_.explain(data, row, most, self._work())  # type: ignore[attr-defined]
        lines = _lines(json.loads(told))
        try:
            import pandas as pd
        except ImportError:
            return lines
        frame = pd.DataFrame(lines)
        for counted in {"row", "rows", "tree", "depth", "node"}.intersection(frame.columns):
            frame[counted] = frame[counted].astype("Int64")
        frame.attrs["text"] = text
        return frame

    def to_sql(self, table: str | None = None, *, asked: str = "answers") -> str:
        """The model as a statement of SQL that SQLite and PostgreSQL understand.

        Parameters
        ----------
        table : str, optional
            The table to select from, or for a model of several tables the name of the view that is created.
        asked : {"answers", "shares", "known"}
            What is predicted; that with the share of each class; or what is predicted with nothing where a needed value is missing.
        """
        check_is_fitted(self, "model_")
        view = self.model_.to_view(table or "predictions", asked)
        if view is not None:
            return view
        columns = ",\n".join(f"  {sql} AS {_quoted(name)}" for name, sql in self.model_.to_sql(asked))
        return f"SELECT\n{columns}\nFROM {_quoted(table or self.model_.table)}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _member_line(member: dict[str, Any]) -> dict[str, Any]:
    """A model of a set as one line: what is nested by measure has the measure in its name."""
    line = {name: value for name, value in member.items() if not isinstance(value, dict) and name not in ("similarity", "columns")}
    line.update({f"training {name}": value for name, value in member.get("training", {}).items()})
    line.update(member.get("scores", {}))
    if "similarity" in member:
        line["similarity"] = member["similarity"]
    by_rank = member.get("by_rank", {"mean": {}})
    for name, value in by_rank["mean"].items():
        line[f"{name} by rank"] = value
        line[f"{name} by rank sd"] = by_rank["sd"][name]
    if "columns" in member:
        line["columns"] = member["columns"]
    return line


def _lines(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """An explanation line by line: tests from the root down, training rows that count most, terms of a formula, nodes of a forest."""
    lines = []
    for target in told:
        about: dict[str, Any] = {"target": target["target"]} if len(told) > 1 else {}
        for step in target.get("path", ()):
            near = step.pop("near", None) or {}
            prototypes = near.get("prototypes", ())
            if prototypes:
                taken = prototypes[near["branch"]]
                step["nearest"] = taken["prototype"]
                step["distance"] = taken["distance"]
                step["other distances"] = {of["prototype"]: of["distance"] for of in prototypes if of is not taken}
            lines.append({**about, "kind": "test", **step})
        for influence in target["influences"]:
            values = {of["attribute"]: of["value"] for of in influence.pop("by_attribute", ())}
            row = influence.pop("stored_row") - 1
            answer = influence.pop("target")
            plain = {key: value for key, value in influence.items() if not isinstance(value, (dict, list))}
            lines.append({**about, "kind": "row", "row": row, "answer": answer, **plain, **values})
        if target["influences"] and target["others"]["rows"]:
            others = target["others"]
            lines.append({**about, "kind": "other rows", "rows": others["rows"], "share": others["share"]})
        lines.extend({**about, "kind": "term", **term} for term in target.get("terms", ()))
        lines.extend({**about, "kind": "node", **node} for node in target.get("nodes", ()))
    return lines
