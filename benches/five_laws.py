"""A made database whose laws are known: how near learners come to the best that can be reached.

    cargo build --release -p kinwood-cli
    python benches/five_laws.py [--program PATH] [--threads 2] [--learners boost,auto,forest] [--seed 1]

5,000 customers with about 500,000 events. Five targets, each drawn with one of two probabilities, by whether something is large: how many events
there are (4 percent of the rows are of the class), the share of a kind of events, the amount of the latest event, the mean amount of events of
one kind; or by whether some event of one kind has a large amount. The best possible AUC is that of the probabilities by which the classes were drawn, on
the same test rows. Seconds and peak memory are of the whole command, which reads the database, fits and predicts. Needs numpy and pandas.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import pandas as pd

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "kinwood"
KINDS = np.array(["call", "mail", "order", "return", "view", "visit"])


def database(folder, seed):
    """Writes the tables and returns the probabilities of the targets."""
    draw = np.random.default_rng(seed)
    customers = 5_000
    counts = draw.integers(40, 161, customers)
    owner = np.repeat(np.arange(customers), counts)
    events = len(owner)
    # Each customer has likes of its own, and amounts about a mean of its own.
    likes = draw.dirichlet(np.ones(len(KINDS)) * 3, customers)
    kind = (draw.random(events)[:, None] > np.cumsum(likes, axis=1)[owner]).sum(axis=1).clip(0, len(KINDS) - 1)
    level = draw.uniform(20, 80, customers)
    by_kind = draw.normal(0, 15, (customers, len(KINDS)))
    amount = np.round(level[owner] + by_kind[owner, kind] + draw.normal(0, 20, events), 2)
    day = np.sort(draw.integers(0, 3 * 365 * 24 * 60, events))
    draw.shuffle(day)
    table = pd.DataFrame({"event_id": np.arange(events), "customer_id": owner, "kind": KINDS[kind], "amount": amount})
    table["at"] = (pd.Timestamp("2021-01-01") + pd.to_timedelta(day, unit="min")).strftime("%Y-%m-%d %H:%M")
    share = table["kind"].eq("return").groupby(owner).mean().to_numpy()
    latest = table.assign(day=day).sort_values(["customer_id", "day"]).groupby("customer_id")["amount"].last().to_numpy()
    orders = table[table["kind"] == "order"].groupby("customer_id")["amount"].mean().reindex(range(customers)).fillna(50).to_numpy()
    high = table["kind"].eq("call") & (table["amount"] > 105)
    joint = high.groupby(owner).any().to_numpy()
    law = lambda holds, often, seldom: np.where(holds, often, seldom)
    p = {
        "count": law(counts > 145, 0.3, 0.005),
        "share": law(share > 0.2, 0.9, 0.1),
        "latest": law(latest > 60, 0.9, 0.1),
        "conditional": law(orders > 50, 0.9, 0.1),
        "joint": law(joint, 0.9, 0.1),
    }
    own = pd.DataFrame({"customer_id": np.arange(customers), "age": draw.integers(18, 80, customers)})
    for name, probability in p.items():
        own[name] = np.where(draw.random(customers) < probability, "yes", "no")
    own.to_csv(folder / "customer.csv", index=False)
    table.to_csv(folder / "event.csv", index=False)
    (folder / "schema.toml").write_text(
        'keys = "declared"\n[tables.customer]\nkey = "customer_id"\n[tables.event]\nkey = "event_id"\ntime = "at"\n'
        '[[tables.event.foreign_keys]]\ncolumns = "customer_id"\nreferences = "customer"\n'
    )
    return p, own


def auc(truth, score):
    ranks = pd.Series(score).rank().to_numpy()
    yes = truth.sum()
    no = len(truth) - yes
    return (ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * no)


def ran(command):
    """Runs a command: its output, seconds, and peak memory in MB."""
    begun = time.time()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0)
        text = out.read()
    if status:
        raise RuntimeError(errors)
    return text, time.time() - begun, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("--threads", default="2")
    parser.add_argument("--learners", default="boost,auto,forest,forest:flatten=p2")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data = folder / "shop"
        data.mkdir()
        p, own = database(data, given.seed)
        print(f"{len(own)} customers, {sum(1 for _ in (data / 'event.csv').open()) - 1} events")
        for target, probability in p.items():
            others = [other for other in p if other != target]
            where = [str(data), "--target", f"customer.{target}", "--ignore", ",".join(others), "--threads", given.threads, "--quiet"]
            out = folder / f"{target}.csv"
            for learner in given.learners.split(","):
                name, *settings = learner.split(":")
                sets = [word for setting in settings for word in ("--set", setting)]
                command = [str(given.program), "evaluate", name, *where, *sets, "--split", "0.67", "--repeats", "1", "-o", str(out), "--force"]
                try:
                    _, seconds, memory = ran(command)
                except RuntimeError as error:
                    print(f"{target:12} {learner:20} failed: {error}")
                    continue
                predicted = pd.read_csv(out).set_index("customer_id")
                truth = (own.set_index("customer_id").loc[predicted.index, target] == "yes").to_numpy()
                best, found = auc(truth, probability[predicted.index]), auc(truth, predicted["p(yes)"])
                note = "" if found >= best - 0.01 else "  short"
                print(f"{target:12} {learner:20} AUC {found:.4f}, best {best:.4f}; {seconds:5.1f} s, {memory:5.0f} MB{note}", flush=True)
            model = folder / f"{target}.kin"
            ran([str(given.program), "fit", "tree", *where, "--set", "flatten=p2", "--set", "search=best_first", "--set", "size=3", "-o", str(model)])
            text, _, _ = ran([str(given.program), "show", str(model)])
            print(f"    {first_test(text)}", flush=True)


def first_test(text):
    """The first test of a shown tree: the line before its first branch."""
    lines = text.splitlines()
    place = next((place for place, line in enumerate(lines) if line.startswith("+--")), None)
    return "one leaf" if place is None else f"tree: {lines[place - 1]}"


main()
