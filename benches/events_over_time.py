"""Times aggregates of events as of monthly cutoffs, read from SQLite, and how that grows with the customers.

    cargo build --release -p kinwood-cli
    python benches/events_over_time.py [--program PATH] [--folder DIR] [--threads 2] [CUSTOMERS ...]

Needs nothing but Python. For each number of customers (1000 and 10000) a SQLite database is made: customers, 500 events of each over four
years in the order in which they happened, and 24 examples of each, a month apart. What is timed is the whole command `kinwood convert
--flatten`: start, reading SQLite, choosing aggregates on all examples and computing them, and writing them as Parquet. `aggregates` is the
part that the command itself reports, without reading. Peak memory is of the process as the kernel counts it.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "kinwood"
EVENTS, MONTHS, DAYS = 500, 24, 1460
BEGIN = datetime.datetime(2020, 1, 1)
KINDS = ["view", "order", "return", "call", "mail"]
TABLES = """
create table customer (id integer primary key, town text);
create table event (id integer primary key, customer integer references customer(id), kind text, amount real, minutes real, at timestamp);
create table example (id integer primary key, customer integer references customer(id), date timestamp, churned text);
"""


def database(path, customers):
    """Customers with moods: who buys more of late stays. The numbers are those of a seed."""
    draw = random.Random(7)
    connection = sqlite3.connect(path)
    connection.executescript("pragma journal_mode = off; pragma synchronous = off;" + TABLES)
    towns = ["Ghent", "Leuven", "Namur"]
    connection.executemany("insert into customer values (?, ?)", ((id, draw.choice(towns)) for id in range(customers)))
    moods = [draw.random() for _ in range(customers)]

    def events():
        seconds = DAYS * 86_400
        number = customers * EVENTS
        for id in range(number):
            # In the order in which they happened, not by customer.
            at = BEGIN + datetime.timedelta(seconds=int(seconds * (id + draw.random()) / number))
            customer = draw.randrange(customers)
            amount = round(draw.expovariate(1 / (20 + 80 * moods[customer])), 2)
            yield id, customer, KINDS[int(5 * draw.random() ** (1 + moods[customer]))], amount, float(draw.randrange(60)), at.isoformat(" ", "seconds")

    connection.executemany("insert into event values (?, ?, ?, ?, ?, ?)", events())

    def examples():
        for id in range(customers * MONTHS):
            customer, month = divmod(id, MONTHS)
            date = BEGIN + datetime.timedelta(days=DAYS // 2 + 30 * month)
            yield id, customer, date.isoformat(" ", "seconds"), "yes" if draw.random() < 0.5 - 0.4 * moods[customer] else "no"

    connection.executemany("insert into example values (?, ?, ?, ?)", examples())
    connection.commit()
    connection.close()


def measured(program, words):
    """Seconds by the clock and of the processor, peak memory in MB, and what the command printed."""
    begun = time.perf_counter()
    running = subprocess.Popen([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    printed, told = running.stdout.read(), running.stderr.read()
    _, status, used = os.wait4(running.pid, 0)
    seconds = time.perf_counter() - begun
    if status:
        sys.exit(told)
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, printed


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--program", default=str(PROGRAM))
    words.add_argument("--folder", help="where databases are kept, so that another run need not make them again")
    words.add_argument("--threads", default="2")
    words.add_argument("customers", nargs="*", type=int, default=[1000, 10000])
    words = words.parse_args()
    folder = pathlib.Path(words.folder or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for customers in words.customers:
        path = folder / f"events{customers}.sqlite"
        if not path.exists():
            database(path, customers)
        out = folder / f"flat{customers}.parquet"
        command = ["convert", path, out, "--flatten", "--target", "example.churned", "--as-of", "example.date"]
        command += ["--threads", words.threads, "--memory", "4G", "--json", "--quiet", "--force"]
        seconds, processor, memory, printed = measured(words.program, [str(word) for word in command])
        report = json.loads(printed)
        found.append((customers, seconds))
        print(
            f"{customers} customers, {customers * EVENTS} events, {customers * MONTHS} examples: {report['columns']} aggregates in {seconds:.1f} s"
            f" ({processor:.1f} s of the processor), of which aggregates and writing {report['seconds']:.1f} s, peak {memory:.0f} MB"
        )
    for (small, less), (large, more) in zip(found, found[1:]):
        print(f"exponent from {small} to {large} customers: {math.log(more / less) / math.log(large / small):.2f}")


if __name__ == "__main__":
    main()
