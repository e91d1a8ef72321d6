"""Times the four-layer distance on molecules: all pairs, binding included, on one thread and on two.

    python benches/fourlayer_molecules.py [--data FOLDER] [--kinwood PROGRAM] [--size 2000]

FOLDER holds the mutagenesis data, of which the 188 molecules are encoded as facts as the paper's authors did; PROGRAM is
`kinwood`, which makes the sample of molecules, read as facts as Kinwood reads them. Either may be left out. Prints a table
in Markdown.
"""

import argparse
import csv
import pathlib
import statistics
import subprocess
import tempfile

from similarity_against_peers import Kinwood


def mutagenesis(folder):
    tables = {name: list(csv.DictReader(open(folder / f"mutagenesis/csv/{name}.csv"))) for name in ("molecule", "atom", "bond")}
    facts = {row["molecule_id"]: [] for row in tables["molecule"] if row["subset"] == "188"}
    for row in tables["atom"]:
        if row["molecule_id"] in facts:
            atom = row["atom_id"]
            described = f"a({atom},{row['element']},'{row['quanta_type']}',{row['charge']})"
            facts[row["molecule_id"]] += [f"has(self,{atom})", described]
    for row in tables["bond"]:
        if row["molecule_id"] in facts:
            facts[row["molecule_id"]].append(f"bond(self,{row['atom1_id']},{row['atom2_id']},'{row['bond_type']}')")
    return list(facts.values())


def sample(program, size):
    folder = pathlib.Path(tempfile.mkdtemp()) / "molecules"
    subprocess.run([program, "sample", "molecules", "-o", folder, "--size", str(size), "--quiet"], check=True, stdout=subprocess.DEVNULL)
    tables = {name: list(csv.DictReader(open(folder / f"{name}.csv"))) for name in ("molecule", "atom", "bond")}
    facts = {row["molecule_id"]: [f"molecule(self,{row['logp']})"] for row in tables["molecule"]}
    molecule = {}
    for row in tables["atom"]:
        atom = f"atom({row['atom_id']})"
        molecule[row["atom_id"]] = row["molecule_id"]
        facts[row["molecule_id"]] += [f"atom(self,{atom})", f"atom({atom},{row['element']},{row['charge']})"]
    for row in tables["bond"]:
        bond = f"bond(atom({row['atom1_id']}),atom({row['atom2_id']}),{row['kind']})"
        facts[molecule[row["atom1_id"]]].append(bond)
    return list(facts.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--kinwood")
    parser.add_argument("--size", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    sets = []
    if asked.data:
        sets.append(("mutagenesis", mutagenesis(asked.data)))
    if asked.kinwood:
        sets.append(("sample", sample(asked.kinwood, asked.size)))
    kinwood = Kinwood()
    print("| molecules | facts | layer 3 | one thread | two threads |\n| --- | --- | --- | --- | --- |")
    for name, objects in sets:
        file = kinwood.values(name, objects)
        for layer in ("hausdorff", "matching", "sum_of_minima") if name == "mutagenesis" else ("hausdorff",):
            times = []
            for threads in (1, 2):
                ask = lambda: kinwood.ask(expression=f"fourlayer(layer3={layer})", type="set<term>", file=file, threads=threads)[0]
                times.append(statistics.median(ask() for _ in range(asked.rounds)))
            count = sum(len(facts) for facts in objects)
            print(f"| {name} {len(objects)} | {count} | {layer} | {times[0]:.2f} s | {times[1]:.2f} s |", flush=True)


if __name__ == "__main__":
    main()
