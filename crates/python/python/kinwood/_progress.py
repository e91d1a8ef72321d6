"""A progress bar for work that takes longer than a second: a line on a terminal, a bar in a notebook, nothing elsewhere."""

from __future__ import annotations

import html
import sys
import time
from typing import Any, TextIO

PATIENCE = 1.0
"""Seconds before anything is shown."""
PAUSE = 0.2
"""Seconds between what is shown: a notebook keeps every message."""
WIDTH = 30


class Bar:
    """Told by the extension, a few times a second, how far the work is."""

    def __init__(self, stream: TextIO | None = None, display: Any = None) -> None:
        self._begun = time.monotonic()
        self._stream = stream
        self._display = display
        self._shown: Any = None
        self._what = ""
        self._next = 0.0

    def update(self, what: str, done: int, steps: int) -> None:
        """So many steps of so many are done; `steps` is 0 where nobody knows how many there are."""
        seconds = time.monotonic() - self._begun
        if seconds < PATIENCE or (what == self._what and seconds < self._next):
            return
        self._what = what
        self._next = seconds + PAUSE
        text = f"{what}: {_share(done, steps)}, {seconds:.0f} s"
        if self._display is not None:
            page = _page(html.escape(text), done, steps)
            if self._shown is None:
                self._shown = self._display.display(page, display_id=True)
            else:
                self._shown.update(page)
        elif self._stream is not None:
            filled = WIDTH * min(done, steps) // steps if steps else 0
            self._stream.write(f"\r\x1b[K[{'#' * filled}{'.' * (WIDTH - filled)}] {text}")
            self._stream.flush()
            self._shown = True

    def close(self) -> None:
        """The work is done: the bar goes."""
        if self._shown is None:
            return
        if self._display is not None:
            self._shown.update(self._display.HTML(""))
        elif self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        self._shown = None


def _share(done: int, steps: int) -> str:
    return f"{done:,} of {steps:,}" if steps else f"{done:,}"


def _page(text: str, done: int, steps: int) -> Any:
    from IPython.display import HTML

    value = f'value="{min(done, steps)}" max="{steps}"' if steps else ""
    return HTML(f'<div><progress {value} style="width: 20em"></progress> {text}</div>')


def bar(progress: bool | str = "auto") -> Bar | None:
    """The bar for what a user asks: `True`, `False`, or `"auto"` for one where somebody looks."""
    if progress is False or progress is None:
        return None
    display = _notebook()
    if display is not None:
        return Bar(display=display)
    if progress is True or (sys.stderr is not None and sys.stderr.isatty()):
        return Bar(stream=sys.stderr)
    return None


def _notebook() -> Any:
    """IPython's display where a notebook shows it, else nothing."""
    shell = sys.modules.get("IPython")
    if shell is None:
        return None
    running = shell.get_ipython()
    if running is None or type(running).__name__ != "ZMQInteractiveShell":
        return None
    import IPython.display

    return IPython.display
