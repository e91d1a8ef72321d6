"""Trees with matplotlib, from what the extension tells of them."""

from __future__ import annotations

import textwrap
from typing import Any

WIDEST = 28
"""Characters of a line in a node."""


def draw(drawing: dict[str, Any], tree: int, *, ax: Any, depth: int | None, fontsize: float) -> Any:
    """Draws one of the trees and gives the axes."""
    import matplotlib.pyplot as plt

    trees = drawing["trees"]
    if not 0 <= tree < len(trees):
        raise IndexError(f"there is no tree {tree}: there are {len(trees)}, counted from 0")
    nodes = trees[tree]["nodes"]
    children = _children(nodes)
    levels = _levels(nodes)
    shown = {place for place, level in enumerate(levels) if depth is None or level <= depth}
    colours = plt.get_cmap("tab10")
    said = {place: _said(nodes[place], drawing["targets"], colours, bool(shown.intersection(children[place]))) for place in shown}
    # Widths and heights of words, in inches: what is drawn side by side must have room.
    inch = fontsize / 72
    widths = {place: 0.62 * inch * max(map(len, text.split("\n"))) + 0.35 for place, (text, _) in said.items()}
    lines = max(text.count("\n") + 1 for text, _ in said.values())
    step = 1.3 * inch * lines + 0.7
    columns = _columns(children, widths, shown)
    height = max(levels[place] for place in shown)
    right = max(columns[place] + widths[place] / 2 for place in shown)
    if ax is None:
        _, ax = plt.subplots(figsize=(max(4.0, right + 0.2), step * (height + 1) + 0.3))
    for place in sorted(shown):
        node, x, y = nodes[place], columns[place], -step * levels[place]
        if node["parent"] is not None:
            above = (columns[node["parent"]], -step * levels[node["parent"]])
            ax.plot([above[0], x], [above[1], y], color="0.6", linewidth=1, zorder=1)
            words = nodes[node["parent"]]["test"]["branches"][node["branch"]]["words"]
            middle = (0.55 * x + 0.45 * above[0], 0.55 * y + 0.45 * above[1])
            ax.text(*middle, _wrapped(words, 18), ha="center", va="center", fontsize=0.85 * fontsize, zorder=2, bbox=_box("white", 0.0))
        text, colour = said[place]
        ax.text(x, y, text, ha="center", va="center", fontsize=fontsize, color="black", zorder=3, bbox=_box(colour, 1.0))
    title = f"members_[{tree}]" if len(trees) > 1 else drawing["title"]
    ax.set_title(title, fontsize=1.2 * fontsize)
    ax.set_xlim(-0.1, right + 0.1)
    ax.set_ylim(-step * height - step / 2, step / 2)
    ax.axis("off")
    return ax


def _said(node: dict[str, Any], targets: list[dict[str, Any]], colours: Any, followed: bool) -> tuple[str, Any]:
    """The words in a node, and its colour; a test whose branches are not drawn says so."""
    text, colour = _words(node, targets, colours)
    if node["test"] is not None:
        text = f"{_wrapped(node['test']['words'])}{'' if followed else ' …'}\n{text}"
    return text, colour


def _children(nodes: list[dict[str, Any]]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in nodes]
    for place, node in enumerate(nodes):
        if node["parent"] is not None:
            children[node["parent"]].append(place)
    return children


def _levels(nodes: list[dict[str, Any]]) -> list[int]:
    levels: list[int] = []
    for node in nodes:
        levels.append(0 if node["parent"] is None else levels[node["parent"]] + 1)
    return levels


def _columns(children: list[list[int]], widths: dict[int, float], shown: set[int]) -> dict[int, float]:
    """Where nodes stand: each subtree has the room of its own or of its leaves, whichever is more."""
    room: dict[int, float] = {}
    for place in sorted(shown, reverse=True):
        room[place] = max(widths[place], sum(room[child] for child in children[place] if child in shown))
    columns: dict[int, float] = {}
    left = {0: 0.0}
    for place in sorted(shown):
        below = [child for child in children[place] if child in shown]
        columns[place] = left[place] + room[place] / 2
        free = left[place] + (room[place] - sum(room[child] for child in below)) / 2
        for child in below:
            left[child] = free
            free += room[child]
    return columns


def _words(node: dict[str, Any], targets: list[dict[str, Any]], colours: Any) -> tuple[str, Any]:
    """What a node says of each target, and the colour of the first."""
    lines: list[str] = []
    colour: Any = "white"
    for target, answer in zip(targets, node["answers"]):
        named = f"{target['name']}: " if len(targets) > 1 else ""
        if "mean" in answer:
            said = answer["formula"] or f"{answer['mean']:.4g} ± {answer['deviation']:.2g}"
            lines.append(_wrapped(f"{named}{said}"))
            continue
        if "line" in answer:
            lines.append(_wrapped(f"{named}{answer['said']} {answer['ground']}"))
            continue
        weights = answer.get("classes") or answer.get("labels")
        best = max(range(len(weights)), key=weights.__getitem__)
        if "classes" in answer:
            total = sum(weights)
            lines.append(_wrapped(f"{named}{target['labels'][best]} {_amount(weights[best])} of {_amount(total)}"))
            if len(lines) == 1 and total > 0:
                red, green, blue, _ = colours(best % 10)
                strength = 0.15 + 0.45 * weights[best] / total
                colour = tuple(1 - strength * (1 - part) for part in (red, green, blue))
        else:
            present = [label for label, share in zip(target["labels"], weights) if share >= 0.5]
            lines.append(_wrapped(f"{named}{', '.join(present) or 'none'}"))
    return "\n".join(lines), colour


def _amount(weight: float) -> str:
    return f"{weight:.0f}" if float(weight).is_integer() else f"{weight:.2f}"


def _wrapped(text: str, width: int = WIDEST) -> str:
    lines = textwrap.wrap(text, width) or [""]
    return "\n".join(lines[:4]) + ("…" if len(lines) > 4 else "")


def _box(colour: Any, edge: float) -> dict[str, Any]:
    return {"boxstyle": "round,pad=0.35", "facecolor": colour, "edgecolor": "0.4", "linewidth": edge}
