"""Counts the candidates of beam searches by exact comparison, apart from the product: what `beams_are_the_papers` is held against.

    python benches/beam_exact.py DATA_FOLDER [SET ...] [--similarity] [--rounds] [--doubles]

Written from the description of the search, in whole numbers of Python: `x log2 x` and square roots to 160 bits behind the point, sums of
squares as fractions of whole numbers. Scores are equal if they differ by less than 2^-100 of the score's unit; the line says how near two
scores came that were taken for different, so that it can be seen that nothing lies between. Of equally bad trees the one that entered last leaves a
full beam, and trees of equal score are refined in the order in which they entered.

Without names, all sets of the paper. A line has the set, the models evaluated, the rounds, the least difference that decided anything, and the
seconds; `--rounds` adds the models of each round. `--similarity` searches with similarity (beta 1). Only sets with missing values take fractions of
examples, and they are slow.

`--doubles` shows what rounding does: the same search, without similarity, by sums in double precision that are compared as they are, so that of
equal trees the one leaves whose last digit is larger.
"""

import functools
import math
import pathlib
import re
import sys
import time
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 75
BITS = 160
WIDTH, LEAST = 10, 2
SETS = """uci/iris uci/ionosphere uci/segment uci/kr.vs.kp uci/mushroom uci/car uci/vowel uci/vehicle regression/pollution regression/pyrim
regression/machine.cpu regression/cpu regression/servo regression/autoprice regression/bodyfat regression/housing""".split()


class Rows:
    """A data set: codes or numbers by column, and the classes or whole numbers of the target behind them."""

    def __init__(self, file, doubles=False):
        self.doubles = doubles
        kinds, lines, data = [], [], False
        for line in map(str.strip, file.open(encoding="latin-1")):
            if not line or line.startswith("%"):
                continue
            if data:
                lines.append([cell.strip().strip("'\"") for cell in line.split(",")])
            elif line.lower().startswith("@data"):
                data = True
            elif found := re.match(r"@attribute\s+('(?:[^'\\]|\\.)*'|\"[^\"]*\"|\S+)\s*(.*)$", line, re.I):
                kind = found[2].strip()
                labels = [label.strip().strip("'\"") for label in kind[1:-1].split(",")]
                kinds.append(labels if kind.startswith("{") else None)
        self.count = len(lines)
        self.numeric = [kind is None for kind in kinds[:-1]]
        read = [float if kind is None else kind.index for kind in kinds]
        self.columns = [[None if line[c] == "?" else read[c](line[c]) for line in lines] for c in range(len(kinds) - 1)]
        self.gaps = any(cell is None for column in self.columns for cell in column)
        self.classes = kinds[-1] and len(kinds[-1])
        if self.classes:
            self.target = [kinds[-1].index(line[-1]) for line in lines]
        else:
            numbers = [Fraction(line[-1]) for line in lines]
            scale = math.lcm(*(number.denominator for number in numbers))
            self.target = [int(number * scale) for number in numbers]
            if doubles:
                mean = math.fsum(map(float, numbers)) / self.count
                self.target = [float(number) - mean for number in numbers]
        self.logs = {}
        self.ones = [self.summary([(row, 1)]) for row in range(self.count)]
        whole = self.summary([(row, 1) for row in range(self.count)])
        # A score is the spread and, for each node, a hundred-thousandth of the unit; all of it a million times.
        self.unit = self.count << (0 if doubles else BITS) if self.classes else self.spread(whole)
        self.equal = 0 if doubles else 10**6 * self.unit >> 100

    def score(self, spread, nodes):
        return spread / self.unit + 1e-5 * nodes if self.doubles else 10**6 * spread + 10 * self.unit * nodes

    @property
    def margin(self):
        return 1e-6 if self.doubles else self.unit

    def bits(self, x):
        """x log2 x."""
        if x not in self.logs:
            number = Decimal(x.numerator) / Decimal(x.denominator)
            exact = number * number.ln() / Decimal(2).ln() if x else Decimal(0)
            self.logs[x] = int((exact * (1 << BITS)).to_integral_value())
        return self.logs[x]

    def summary(self, rows):
        """The weight, and the counts of the classes or the sums of the numbers and of their squares."""
        if not self.classes:
            return (len(rows), sum(self.target[row] for row, _ in rows), sum(self.target[row] ** 2 for row, _ in rows))
        counts = [0] * self.classes
        for row, weight in rows:
            counts[self.target[row]] += weight
        return (sum(counts), *counts)

    def spread(self, summary):
        """Entropy or variance, times the weight."""
        if self.doubles:
            count, *sums = summary
            if self.classes:
                return count * -sum(x / count * (math.log(x / count) / math.log(2)) for x in sums if x)
            return sums[1] - sums[0] * sums[0] / count
        if self.classes:
            return self.bits(summary[0]) - sum(map(self.bits, summary[1:]))
        count, total, squares = summary
        return ((squares * count - total * total) << BITS) // count if count else 0


def plus(a, b, times=1):
    return tuple(x + times * y for x, y in zip(a, b))


class Place:
    """A node that trees share: its rows with their weights, and the best test of every column."""

    def __init__(self, data, rows):
        self.data, self.rows = data, rows
        self.summary = data.summary(rows)
        self.spread = data.spread(self.summary)
        self.found, self.children = None, {}
        self.mask = sum(1 << row for row, _ in rows) if not data.gaps else 0

    def divided(self, inside, known, unknown):
        """The spread after a division, and the share of the inside; None if a branch is too light."""
        outside = plus(known, inside, -1)
        if inside[0] < LEAST or outside[0] < LEAST:
            return None
        if not unknown[0]:
            return self.data.spread(inside) + self.data.spread(outside), None
        share = Fraction(inside[0]) / known[0]
        branches = plus(inside, unknown, share), plus(outside, unknown, 1 - share)
        return sum(map(self.data.spread, branches)), share

    def candidates(self):
        if self.found is None:
            each = range(len(self.data.columns))
            found = ((column, self.threshold(column) if self.data.numeric[column] else self.subset(column)) for column in each)
            self.found = [(column, *best) for column, best in found if best]
        return self.found

    def threshold(self, column):
        """Of equally good thresholds the largest."""
        cells, data = self.data.columns[column], self.data
        rows = sorted(self.rows, key=lambda row: -cells[row[0]])
        inside, best = (0,) * len(self.summary), None
        nothing, known = inside, self.summary
        if data.doubles:
            known = functools.reduce(plus, (data.ones[row] for row, _ in rows))
        for (row, weight), (below, _) in zip(rows, rows[1:]):
            inside = plus(inside, data.ones[row], weight)
            if cells[row] == cells[below]:
                continue
            found = self.divided(inside, known, nothing)
            if found and (best is None or found[0] < best[1] - data.equal // 10**6):
                best = (cells[below], *found)
        return best

    def subset(self, column):
        """Grown from the empty subset while that gains; of equally good labels the first."""
        cells, data = self.data.columns[column], self.data
        groups = {}
        for row in self.rows:
            groups.setdefault(cells[row[0]], []).append(row)
        nothing = (0,) * len(self.summary)
        unknown = data.summary(groups.pop(None)) if None in groups else nothing
        sums = {label: data.summary(groups[label]) for label in sorted(groups)}
        known = functools.reduce(plus, sums.values(), nothing)
        chosen, inside, best = [], nothing, None
        while len(chosen) < len(sums) - 1:
            step = None
            for label in (label for label in sums if label not in chosen):
                larger = plus(inside, sums[label])
                found = self.divided(larger, known, unknown)
                if found and (best is None or found[0] < best[0] - data.equal // 10**6):
                    best, step = found, (label, larger)
            if step is None:
                break
            chosen.append(step[0])
            inside = step[1]
        return best and (frozenset(chosen), *best)

    def branches(self, number):
        if number not in self.children:
            column, test, _, share = self.found[number]
            cells, parts = self.data.columns[column], ([], [])
            for row, weight in self.rows:
                if cells[row] is None:
                    parts[0].append((row, weight * share))
                    parts[1].append((row, weight * (1 - share)))
                else:
                    holds = cells[row] > test if self.data.numeric[column] else cells[row] in test
                    parts[0 if holds else 1].append((row, weight))
            self.children[number] = tuple(Place(self.data, part) for part in parts)
        return self.children[number]

    @functools.cached_property
    def said(self):
        """What a leaf predicts: the first of the heaviest classes, or the mean."""
        if self.data.classes:
            return max(range(self.data.classes), key=lambda c: (self.summary[1 + c], -c))
        return (self.summary[1] << BITS) // self.summary[0]


class Tree:
    """Nodes in preorder, each a place and the number of its candidate, None for a leaf."""

    def __init__(self, nodes, spread, score):
        self.nodes, self.spread, self.score, self.refined, self.known = nodes, spread, score, False, {}
        self.key = tuple((id(place), number) for place, number in nodes)

    def leaves(self):
        return [place for place, number in self.nodes if number is None]


class Similarity:
    """Distances of trees by what they predict for the training rows."""

    def __init__(self, data):
        self.data = data
        self.far = {}

    def masks(self, tree):
        """The rows of each class, a bit each."""
        if "masks" not in tree.known:
            masks = [0] * self.data.classes
            if self.data.gaps:
                shares = [[0] * self.data.classes for _ in range(self.data.count)]
                for leaf in tree.leaves():
                    for row, weight in leaf.rows:
                        shares[row] = [one + weight * Fraction(more) / leaf.summary[0] for one, more in zip(shares[row], leaf.summary[1:])]
                for row, own in enumerate(shares):
                    masks[own.index(max(own))] |= 1 << row
            else:
                for leaf in tree.leaves():
                    masks[leaf.said] |= leaf.mask
            tree.known["masks"] = masks
        return tree.known["masks"]

    def part(self, tree, place):
        """Over the rows of a place: how many, the sum of what a tree predicts there, and of its squares."""
        if place not in tree.known:
            if "rows" not in tree.known:
                rows = {row: leaf.said for leaf in tree.leaves() for row, _ in leaf.rows}
                tree.known["rows"] = rows
            said = [tree.known["rows"][row] for row, _ in place.rows]
            tree.known[place] = (len(said), sum(said), sum(value * value for value in said))
        return tree.known[place]

    def distance(self, one, other):
        if self.data.classes:
            agree = sum((a & b).bit_count() for a, b in zip(self.masks(one), self.masks(other)))
            return math.isqrt(((self.data.count - agree) << 2 * BITS) // self.data.count)
        said = [leaf.said for tree in (one, other) for leaf in tree.leaves()]
        span = max(said) - min(said)
        if not span:
            return 0
        squares = 0
        for leaf in one.leaves():
            count, total, own = self.part(other, leaf)
            squares += count * leaf.said**2 - 2 * leaf.said * total + own
        return math.isqrt((squares << 2 * BITS) // self.data.count) // span


def search(data, similar):
    """The models evaluated in each round, and the least difference that decided anything."""
    root = Place(data, [(row, 1) for row in range(data.count)])
    beam = [Tree(((root, None),), root.spread, data.score(root.spread, 1))]
    measure = Similarity(data)
    apart = {}
    near = [data.score(data.unit, 0)]

    def above(a, b):
        """Whether a score is truly larger."""
        differ = a - b
        if abs(differ) <= data.equal:
            return False
        near[0] = min(near[0], abs(differ))
        return differ > 0

    def worst():
        return functools.reduce(lambda bad, at: at if not above(beam[bad].score, beam[at].score) else bad, range(len(beam)))

    def far(a, b):
        if (a, b) not in apart:
            apart[a, b] = apart[b, a] = measure.distance(a, b)
        return apart[a, b]

    def least_wanted(candidate):
        """Of the trees and the candidate the worst with similarity; on a tie the candidate, then the first."""
        def total(tree):
            others = sum(far(tree, other) for other in [*beam, candidate] if other is not tree)
            unit = Fraction(data.unit, 1 << BITS)
            return tree.score + int(10**6 * unit * ((1 << BITS) - Fraction(others, len(beam))))
        bad, most = len(beam), total(candidate)
        for at, tree in enumerate(beam):
            if above(own := total(tree), most):
                bad, most = at, own
        return bad

    rounds, changed = [], True
    while changed:
        changed = False
        order = functools.cmp_to_key(lambda a, b: above(b.score, a.score) - above(a.score, b.score))
        todo = sorted((tree for tree in beam if not tree.refined), key=order)
        rounds.append(0)
        for tree in todo:
            tree.refined = True
            bound = beam[worst()].score - data.margin
            for at, (place, number) in enumerate(tree.nodes):
                if number is not None:
                    continue
                for number, (_, _, after, _) in enumerate(place.candidates()):
                    spread = tree.spread - place.spread + after
                    score = data.score(spread, len(tree.nodes) + 2)
                    full = len(beam) >= WIDTH
                    if full and not above(bound, score):
                        continue
                    rounds[-1] += 1
                    branches = tuple((branch, None) for branch in place.branches(number))
                    grown = Tree((*tree.nodes[:at], (place, number), *branches, *tree.nodes[at + 1 :]), spread, score)
                    if any(other.key == grown.key for other in beam):
                        continue
                    if full:
                        leaving = least_wanted(grown) if similar else worst()
                        if leaving == len(beam):
                            for other in beam:
                                apart.pop((grown, other), None), apart.pop((other, grown), None)
                            continue
                        left = beam.pop(leaving)
                        for other in [*beam, grown]:
                            apart.pop((left, other), None), apart.pop((other, left), None)
                    beam.append(grown)
                    changed = True
                    bound = beam[worst()].score - data.margin
    return rounds, near[0] / data.score(data.unit, 0)


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    folder, names = pathlib.Path(words[0]), words[1:] or SETS
    for name in names:
        begun = time.perf_counter()
        rounds, near = search(Rows(folder / f"{name}.arff", "--doubles" in sys.argv), "--similarity" in sys.argv)
        print(f"{name:<24}{sum(rounds):>8} models{len(rounds):>6} rounds  nearest {near:.1e}  {time.perf_counter() - begun:.0f} s", flush=True)
        if "--rounds" in sys.argv:
            print(*rounds)


if __name__ == "__main__":
    main()
