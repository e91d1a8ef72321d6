"""Values of other libraries in terms that the extension understands.

The extension calls :func:`adapt` for every object that is none of Python's own plain values or the package's. Libraries are
recognised by the module a type comes from, so that none is imported which is not there.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
from collections import Counter, deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _kinwood

_EPOCH = datetime.datetime(1970, 1, 1)
_MILLISECOND = datetime.timedelta(milliseconds=1)


def adapt(value: Any) -> Any:
    """The value as one that the extension understands."""
    if isinstance(value, np.generic):
        return _scalar(value)
    if isinstance(value, np.ndarray):
        return _array(value)
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, datetime.datetime):
        return _moment(value)
    if isinstance(value, (datetime.timedelta, datetime.time)):
        from ._input import seconds

        return seconds(value)
    if isinstance(value, datetime.date):
        return _moment(datetime.datetime(value.year, value.month, value.day))
    if isinstance(value, Counter):
        return _kinwood.Bag(value.elements())
    if isinstance(value, (decimal.Decimal, fractions.Fraction)):
        return float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (deque, range)):
        return list(value)
    library = type(value).__module__.partition(".")[0]
    adapter = _LIBRARIES.get(library)
    adapted = adapter(value) if adapter else None
    if adapted is None and _is_graph(value):
        adapted = graph_of_networkx(value)
    if adapted is None:
        raise TypeError(
            f"a value of type `{type(value).__module__}.{type(value).__qualname__}` is not understood: numbers, texts, truth values, "
            "dates, lists, tuples, sets, dictionaries, arrays, NetworkX graphs, RDKit molecules and kinwood's Bag, Tree, Term and Graph are"
        )
    return adapted[0]


def _scalar(value: np.generic) -> Any:
    if isinstance(value, np.datetime64):
        return None if np.isnat(value) else _kinwood.Moment(int(value.astype("datetime64[ms]").astype(np.int64)))
    if isinstance(value, np.timedelta64):
        return None if np.isnat(value) else float(value / np.timedelta64(1, "s"))
    return value.item()


def _array(value: np.ndarray) -> Any:
    """One dimension is a list; two are a bag of tuples, as the instances of a bag come."""
    if value.ndim == 0:
        return value.item()
    if value.ndim == 1:
        return value.tolist()
    if value.ndim == 2:
        return _kinwood.Bag([tuple(row) for row in value.tolist()])
    raise TypeError(f"an array of {value.ndim} dimensions is no value: one is a list, two are a bag of rows")


def _moment(value: datetime.datetime) -> Any:
    if value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return _kinwood.Moment((value - _EPOCH) // _MILLISECOND)


def moment(milliseconds: int) -> datetime.datetime:
    """The date that so many milliseconds since 1970 are, in UTC."""
    return _EPOCH + milliseconds * _MILLISECOND


def graph_again(edges: list[Any], nodes: dict[str, Any], directed: bool) -> _kinwood.Graph:
    """A graph from its parts, for pickling."""
    return _kinwood.Graph(edges, nodes, directed=directed)


def _of_pandas(value: Any) -> tuple[Any] | None:
    name = type(value).__name__
    if name == "Series":
        return (value.tolist(),)
    if name == "DataFrame":
        records = (tuple(row) for row in value.itertuples(index=False, name=None))
        names = [str(column) for column in value.columns]
        return (_kinwood.Bag([dict(zip(names, record)) for record in records]),)
    return None


def _of_polars(value: Any) -> tuple[Any] | None:
    name = type(value).__name__
    if name == "Series":
        return (value.to_list(),)
    if name == "DataFrame":
        return (_kinwood.Bag(value.to_dicts()),)
    return None


def _of_pyarrow(value: Any) -> tuple[Any] | None:
    return (value.as_py(),) if hasattr(value, "as_py") else None


def _of_rdkit(value: Any) -> tuple[Any] | None:
    return (graph_of_rdkit(value),) if hasattr(value, "GetAtoms") else None


def _is_graph(value: Any) -> bool:
    return hasattr(value, "is_directed") and hasattr(value, "nodes") and hasattr(value, "edges")


def graph_of_networkx(graph: Any) -> tuple[_kinwood.Graph]:
    """A NetworkX graph: the label of a node or an edge is its attribute `label`, else its only attribute."""
    nodes = {node: _label(attributes) for node, attributes in graph.nodes(data=True)}
    edges = [(a, b, _label(attributes)) for a, b, attributes in graph.edges(data=True)]
    return (_kinwood.Graph(edges, nodes, directed=graph.is_directed()),)


def _label(attributes: dict[str, Any]) -> Any:
    if "label" in attributes:
        return attributes["label"]
    return next(iter(attributes.values())) if len(attributes) == 1 else None


def graph_of_rdkit(molecule: Any) -> _kinwood.Graph:
    """An RDKit molecule: atoms are labelled by their element, bonds by their type."""
    nodes = {atom.GetIdx(): atom.GetSymbol() for atom in molecule.GetAtoms()}
    bonds = molecule.GetBonds()
    edges = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), str(bond.GetBondType()).lower()) for bond in bonds]
    return _kinwood.Graph(edges, nodes)


_LIBRARIES = {"pandas": _of_pandas, "polars": _of_polars, "pyarrow": _of_pyarrow, "rdkit": _of_rdkit}
