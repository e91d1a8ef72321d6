"""How work is done: interrupted, beside other threads, with progress, within limits, in other processes.

Nothing here depends on how fast a machine is: what must be quick is compared with what would take hours.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import PACKAGE, installed_here
from joblib import Parallel, delayed

import kinwood
from kinwood._progress import Bar, bar

LONG = """
import sys, numpy as np, kinwood
letters = np.random.default_rng(0).integers(97, 101, size=(6000, 800), dtype=np.uint8)
words = [row.tobytes().decode() for row in letters]
"""
"""The beginning of a program whose work takes a minute of two cores at least: everything here is over long before."""

FITS = {
    "pairwise": 'kinwood.pairwise("edit", words, n_jobs=2, progress={progress})',
    "fit": 'kinwood.KNeighborsClassifier(k="loo", distance="edit", n_jobs=2, progress={progress}).fit([w[:400] for w in words], words)',
    "predict": 'kinwood.KNeighborsClassifier(1, distance="edit", n_jobs=2, progress={progress}).fit(words, [*"ab"] * 3000).predict(words)',
    "python": 'kinwood.register_distance("slow", lambda a, b: float(len(set(a)))); kinwood.pairwise("slow", words, progress={progress})',
}


def environment():
    path = os.pathsep.join(filter(None, [str(PACKAGE) if installed_here() else "", os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path}


def started(program, **options):
    return subprocess.Popen([sys.executable, "-u", "-c", program], env=environment(), text=True, **options)


def wait_for(stream, word):
    for line in stream:
        if word in line:
            return
    raise AssertionError(f"the program ended before it said {word}")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize("work", FITS)
def test_ctrl_c_stops_work(work):
    program = f"""{LONG}
import threading, time, os, signal
# The signal comes while the extension works: the main thread says so before, a clock of ours sends it after.
def send():
    time.sleep(0.7)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send, daemon=True).start()
try:
    {FITS[work].format(progress="False")}
    print("ended")
except KeyboardInterrupt:
    print("interrupted")
# Work goes on afterwards as if nothing had been.
print(kinwood.pairwise("edit", ["a", "bc"]).tolist())
"""
    done = started(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate(timeout=60)
    assert out.splitlines() == ["interrupted", "[[0.0, 2.0], [2.0, 0.0]]"], err


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_ctrl_c_ends_a_program():
    """From outside, as a terminal does it: Python ends by the signal, with its usual trace."""
    program = f'{LONG}\nprint("begins")\n{FITS["pairwise"].format(progress="False")}'
    process = started(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(process.stdout, "begins")
    # It may not have reached the extension yet; then Python itself is interrupted, which is as good.
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in err
    assert "PanicException" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_handler_of_signals_may_raise_what_it_likes():
    program = f"""{LONG}
import signal
class Enough(Exception): pass
def handler(*_): raise Enough("rung")
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 1.0)
try:
    {FITS["pairwise"].format(progress="False")}
except Enough as error:
    print(error)
"""
    done = started(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate(timeout=60)
    assert out.strip() == "rung", err


def test_other_threads_go_on():
    """The interpreter's lock is free during work: another thread gets as far as it must for the work to end."""
    program = f"""{LONG}
import threading, os, signal
count = 0
def go():
    global count
    while count < 200_000:
        count += 1
    # Only a thread that ran beside the work gets here and stops it.
    os.kill(os.getpid(), signal.SIGINT)
thread = threading.Thread(target=go)
def begin():
    thread.start()
threading.Timer(0.5, begin).start()
try:
    {FITS["pairwise"].format(progress="False")}
except KeyboardInterrupt:
    print("went on", count)
"""
    done = started(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate(timeout=60)
    assert out.strip() == "went on 200000", err


def test_several_threads_work_at_once():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 3))
    y = np.where(X[:, 0] > 0, "a", "b")
    expected = kinwood.ForestClassifier().fit(X, y).predict_proba(X)
    found = []

    def work():
        model = kinwood.ForestClassifier().fit(X, y)
        found.append(model.predict_proba(X))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    for shares in found:
        np.testing.assert_array_equal(shares, expected)


def test_one_model_serves_several_threads():
    X = np.random.default_rng(1).normal(size=(60, 2))
    model = kinwood.KNeighborsClassifier(k=1).fit(X, np.where(X[:, 0] > 0, "a", "b"))
    expected = model.predict_proba(X)
    found = []
    threads = [threading.Thread(target=lambda: found.append(model.predict_proba(X))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for shares in found:
        np.testing.assert_array_equal(shares, expected)


# ----- progress -----


class Stream:
    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return True


def test_a_bar_is_drawn_and_goes(monkeypatch):
    monkeypatch.setattr("kinwood._progress.PATIENCE", 0.0)
    monkeypatch.setattr("kinwood._progress.PAUSE", 0.0)
    stream = Stream()
    drawn = Bar(stream=stream)
    drawn.update("comparing", 5, 10)
    assert "comparing" in stream.text
    assert "5 of 10" in stream.text
    drawn.update("comparing", 20, 10)
    drawn.update("searching", 3, 0)
    drawn.close()
    assert stream.text.endswith("\r\x1b[K")
    drawn.close()


def test_nothing_is_drawn_of_short_work():
    stream = Stream()
    drawn = Bar(stream=stream)
    drawn.update("comparing", 1, 10)
    drawn.close()
    assert stream.text == ""


def test_who_gets_a_bar(monkeypatch):
    assert bar(False) is None
    assert bar(None) is None
    assert isinstance(bar(True), Bar)
    monkeypatch.setattr(sys, "stderr", Stream())
    assert isinstance(bar("auto"), Bar)
    monkeypatch.setattr(sys, "stderr", None)
    assert bar("auto") is None


SHOWN = """
import os, signal, sys, threading
import kinwood._progress
kinwood._progress.PATIENCE = kinwood._progress.PAUSE = 0.0
drawn = kinwood._progress.Bar.update
def update(self, what, done, steps):
    drawn(self, what, done, steps)
    if done: os.kill(os.getpid(), signal.SIGINT)
kinwood._progress.Bar.update = update
"""
"""Draws at once, and interrupts as soon as a step was shown."""


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of that kind")
def test_a_bar_on_a_terminal():
    import pty

    ours, theirs = pty.openpty()
    program = f"""{LONG}{SHOWN}
try:
    kinwood.pairwise("edit", [word[:200] for word in words], n_jobs=1)
except KeyboardInterrupt: print("interrupted")
"""
    process = started(program, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    out, _ = process.communicate(timeout=60)
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(ours)
    assert out.strip() == "interrupted"
    assert b"comparing" in text
    assert b"[" in text
    assert text.endswith(b"\r\x1b[K")


def test_no_bar_in_a_pipe():
    program = f"""{LONG}
import os, signal, threading
import kinwood._progress
kinwood._progress.PATIENCE = kinwood._progress.PAUSE = 0.0
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {FITS["pairwise"].format(progress=repr("auto"))}
except KeyboardInterrupt: print("interrupted")
"""
    done = started(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate(timeout=60)
    assert (out.strip(), err) == ("interrupted", "")


@pytest.fixture
def patient():
    """The name of a distance that waits until somebody was told of the work."""
    told = threading.Event()

    def waits(a, b):
        # Nobody waits long for what does not come: the test fails then.
        told.wait(10)
        told.set()
        return float(a != b)

    kinwood.register_distance("test_patient", waits)
    return "test_patient", told


def test_what_a_bar_raises_is_raised(monkeypatch, patient):
    name, told = patient

    class Broken(Exception):
        pass

    def update(self, *_):
        told.set()
        raise Broken("no room to draw")

    monkeypatch.setattr(Bar, "update", update)
    with pytest.raises(Broken):
        kinwood.pairwise(name, ["a", "b", "c"], progress=True)
    assert kinwood.pairwise("edit", ["a", "b"], progress=False).shape == (2, 2)


def test_progress_is_told_in_steps(monkeypatch, patient):
    name, told = patient
    heard = []

    def update(self, what, done, steps):
        heard.append((what, done, steps))
        told.set()

    monkeypatch.setattr(Bar, "update", update)
    kinwood.pairwise(name, [str(number) for number in range(30)], progress=True)
    assert heard
    assert all(isinstance(what, str) and what for what, _, _ in heard)
    assert all(0 <= done <= steps for _, done, steps in heard if steps)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


# ----- limits -----


def test_memory_is_limited():
    X = np.random.default_rng(0).normal(size=(400, 2))
    y = np.where(X[:, 0] > 0, "a", "b")
    with pytest.raises(MemoryError, match=r"(?i)memory|bytes|[0-9] ?[kKMG]?B"):
        kinwood.pairwise("euclidean", X, memory=1000)
    model = kinwood.KernelSVC(memory=1000)
    try:
        model.fit(X, y)
    except MemoryError as error:
        assert len(str(error)) > 10
    kinwood.KernelSVC(memory=10_000_000).fit(X, y)


def test_a_matrix_that_no_machine_has_is_refused():
    with pytest.raises(MemoryError):
        kinwood.pairwise("absolute", np.zeros(3_000_000))


def test_time_is_limited():
    random = np.random.default_rng(0)
    words = ["".join(random.choice(list("abcd"), size=400)) for _ in range(3000)]
    model = kinwood.KNeighborsClassifier(k="loo", distance="edit", time=0.2, n_jobs=1)
    with pytest.raises(TimeoutError, match=r"(?i)time"):
        model.fit(words, ["a", "b"] * 1500)
    assert not hasattr(model, "model_"), "half a fit is no fit"


def test_a_search_that_is_out_of_time_gives_what_it_found():
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 8))
    y = np.where(X[:, 0] * X[:, 1] + X[:, 2] > 0, "a", "b")
    try:
        model = kinwood.BeamSearch(width=200, time=0.3).fit(X, y)
    except TimeoutError:
        return
    assert model.predict(X).shape == (2000,)


@pytest.mark.parametrize(
    "limits", [{"n_jobs": 0}, {"memory": -1}, {"time": -1.0}, {"time": float("nan")}, {"n_jobs": 1.5}, {"memory": "much"}]
)
def test_limits_that_are_none_are_refused(limits):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        kinwood.OneR(**limits).fit([[1.0], [2.0]] * 6, ["a", "b"] * 6)


def test_threads_are_counted_as_in_joblib():
    X, y = [[1.0], [2.0], [8.0], [9.0]] * 6, ["a", "a", "b", "b"] * 6
    for jobs in (1, 2, 5, -1, -2, -100, np.int64(2), None):
        assert kinwood.OneR(n_jobs=jobs).fit(X, y).score(X, y) == 1.0


def test_nobody_gets_a_million_threads(monkeypatch):
    import kinwood._input

    asked = []
    monkeypatch.setattr(kinwood._input, "Work", lambda **given: asked.append(given["threads"]))
    kinwood._input.work(n_jobs=10**6)
    assert asked[0] <= 64 * (os.cpu_count() or 1)


# ----- other processes -----


def _fit_in_child(seed):
    X = np.random.default_rng(3).normal(size=(60, 3))
    y = np.where(X[:, 0] > 0, "a", "b")
    return kinwood.ForestClassifier(random_state=seed).fit(X, y).predict_proba(X)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_forked_processes_work_after_a_fit():
    """In a process of its own, because a lock that is held when it forks would never be freed."""
    program = f"""
import sys, multiprocessing, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, {str(Path(__file__).parent)!r})
import numpy as np
from test_work import _fit_in_child
before = _fit_in_child(1)
with multiprocessing.get_context("fork").Pool(2) as pool:
    found = pool.map(_fit_in_child, [1, 1, 1, 1])
assert all((part == before).all() for part in found)
assert (_fit_in_child(1) == before).all()
print("worked")
"""
    done = started(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate(timeout=60)
    assert out.strip() == "worked", err


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_a_fork_while_others_work():
    """Another thread is at work when the process forks: the child must still be able to work itself."""
    program = f"""{LONG}
import multiprocessing, os, signal, threading, time, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_work import _fit_in_child
threading.Thread(target=lambda: {FITS["pairwise"].format(progress="False")}, daemon=True).start()
time.sleep(0.5)
for _ in range(5):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        pool.apply_async(_fit_in_child, [1]).get(timeout=30)
print("worked", flush=True)
os._exit(0)
"""
    done = started(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate(timeout=90)
    assert out.strip() == "worked", err


def test_joblib_on_processes_and_threads():
    expected = _fit_in_child(1)
    for backend in ("loky", "threading"):
        found = Parallel(n_jobs=2, backend=backend)(delayed(_fit_in_child)(1) for _ in range(4))
        for shares in found:
            np.testing.assert_array_equal(shares, expected)


def test_a_program_ends_while_a_thread_works():
    """Daemon threads at work do not keep a program from ending, nor make it crash."""
    program = f"""{LONG}
import threading, time
kinwood.pairwise
threading.Thread(target=lambda: {FITS["pairwise"].format(progress="False")}, daemon=True).start()
time.sleep(0.5)
print("ends")
"""
    done = started(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate(timeout=60)
    assert out.strip() == "ends"
    assert done.returncode == 0, err


def test_importing_is_quiet_and_takes_no_heavy_library(python):
    done = python(
        "import sys, kinwood; print(sorted(set(sys.modules) & {'pandas', 'polars', 'matplotlib', 'rdkit', 'networkx', 'IPython'}))"
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
