"""Records tests of significance as SciPy computes them, as golden/significance-scipy.json.

    python benches/record_significance_scipy.py             # needs numpy and scipy

Scores are whole numbers over 64, so that differences are exact and ties are ties. Where SciPy has no such test
(the corrected t-test, Iman and Davenport's F, Holm's correction, the Bayesian signed rank test) the script computes
it plainly from the definition, with SciPy's distributions.
"""

import json
import pathlib

import numpy as np
import scipy
from scipy import stats

OUT = pathlib.Path(__file__).resolve().parent.parent / "golden" / "significance-scipy.json"
RNG = np.random.default_rng(20)


def numbers(array):
    return [float(number) for number in array]


def scores(shape, values=64):
    return RNG.integers(0, values, size=shape) / 64.0


def corrected_t():
    cases = []
    for n in [2, 3, 5, 10, 30, 100]:
        for values in [3, 64, 4096]:
            for ratio in [1 / 9, 0.5, 1.0]:
                a, b = scores(n, values), scores(n, values)
                d = a - b
                if d.std() == 0.0:
                    continue
                error = d.std(ddof=1) * np.sqrt(1 / n + ratio)
                t = d.mean() / error
                confidence = float(RNG.choice([0.5, 0.9, 0.95, 0.999]))
                beside = stats.t.isf((1 - confidence) / 2, n - 1) * error
                # A plain t-test is the same with a ratio of 0: SciPy's own statistic checks the rest.
                assert np.isclose(d.mean() / (d.std(ddof=1) / np.sqrt(n)), stats.ttest_rel(a, b).statistic, atol=1e-9)
                cases.append(
                    dict(a=numbers(a), b=numbers(b), ratio=ratio, confidence=confidence, t=float(t))
                    | dict(p=float(2 * stats.t.sf(abs(t), n - 1)), low=float(d.mean() - beside), high=float(d.mean() + beside))
                )
    return cases


def mcnemar():
    cases = []
    for b, c in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (5, 1), (3, 3), (12, 4), (10, 25), (60, 40), (250, 300), (500, 500)]:
        p = stats.binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
        cases.append(dict(b=b, c=c, p=float(p)))
    for b, c in [(501, 500), (600, 500), (900, 901), (0, 1001), (2000, 1800), (5000, 4000)]:
        statistic = max(0, abs(b - c) - 1) ** 2 / (b + c)
        cases.append(dict(b=b, c=c, p=float(stats.chi2.sf(statistic, 1))))
    return cases


def friedman():
    cases = []
    for n in [2, 3, 7, 14, 40, 200]:
        for k in [3, 4, 5, 10, 25]:
            for values in [3, 5, 64, 4096]:
                table = scores((n, k), values) + (np.arange(k) * (n % 3) // 2) / 64.0
                chi, p = stats.friedmanchisquare(*table.T)
                if not np.isfinite(chi):
                    continue
                ranks = np.apply_along_axis(stats.rankdata, 1, -table).mean(axis=0)
                below = n * (k - 1) - chi
                if below < 1e-9:
                    continue
                f = (n - 1) * chi / below
                case = dict(scores=[numbers(row) for row in table], ranks=numbers(ranks), chi=float(chi), p=float(p))
                cases.append(case | dict(f=float(f), f_p=float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))))
    return [case for case in cases if len(case["scores"]) * len(case["ranks"]) <= 300]


def studentized_range():
    cases = []
    for k in range(2, 21):
        for v in [np.inf, 1, 2, 5, 10, 60, 120]:
            points = [0.5, 2.0, 3.5, 6.0] if v == np.inf else [RNG.integers(2, 40) / 8]
            for q in points:
                cases.append(dict(k=k, v=None if v == np.inf else v, q=float(q), p=float(stats.studentized_range.sf(q, k, v))))
    quantiles = []
    for k in range(2, 21):
        for v in [np.inf, 12]:
            for level in [0.1, 0.05, 0.01] if v == np.inf else [0.05]:
                q = float(stats.studentized_range.isf(level, k, v))
                quantiles.append(dict(k=k, v=None if v == np.inf else v, level=level, q=q))
    return cases, quantiles


def nemenyi_and_holm():
    cases = []
    for n in [1, 5, 20]:
        for k in [2, 3, 6, 12]:
            table = scores((n, k), 8)
            ranks = np.apply_along_axis(stats.rankdata, 1, -table).mean(axis=0)
            error = np.sqrt(k * (k + 1) / (6 * n))
            pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
            z = np.array([(ranks[i] - ranks[j]) / error for i, j in pairs])
            nemenyi = stats.studentized_range.sf(np.abs(z) * np.sqrt(2), k, np.inf)
            difference = stats.studentized_range.isf(0.05, k, np.inf) / np.sqrt(2) * error
            p = 2 * stats.norm.sf(np.abs(z))
            control = np.array([at for at, pair in enumerate(pairs) if 0 in pair])
            case = dict(data_sets=n, ranks=numbers(ranks), nemenyi=numbers(nemenyi), critical_difference=float(difference))
            case |= dict(z=numbers(z), p=numbers(p), holm=numbers(holm(p)), control=numbers(holm(p[control])))
            cases.append(case)
    return cases


def holm(p):
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1, np.maximum.accumulate((len(p) - np.arange(len(p))) * np.asarray(p)[order]))
    return adjusted


def bayesian(samples=400_000):
    cases = []
    for n, shift, rope in [(1, 0.2, 0.1), (3, 0.0, 0.0), (5, 0.1, 0.05), (10, 0.05, 0.1), (20, 0.1, 0.02), (40, 0.02, 0.1)]:
        d = np.rint(RNG.normal(shift, 0.2, n) * 64) / 64
        z = np.append(d, 0.0)
        sums = z[:, None] + z[None, :]
        left, right = sums < -2 * rope, sums > 2 * rope
        counts = np.zeros(3)
        for _ in range(100):
            w = RNG.dirichlet(np.ones(n + 1), samples // 100)
            shares = [np.einsum("si,ij,sj->s", w, part.astype(float), w) for part in (left, ~left & ~right, right)]
            counts += np.bincount(np.argmax(shares, axis=0), minlength=3)
        cases.append(dict(differences=numbers(d), rope=rope, probabilities=numbers(counts / counts.sum())))
    return cases


def tails():
    """Statistics far out and near 0, through tests whose statistic is known: two scores with the mean difference as t."""
    student = [[v, t, float(2 * stats.t.sf(t, v))] for v in [1, 2, 3, 9, 29, 99, 999, 99999, 10**6] for t in [1e-9, 1e-3, 0.3, 1, 2.2, 8, 30]]
    quantile = [[v, p, float(stats.t.isf(p / 2, v))] for v in [1, 2, 3, 9, 29, 99, 999, 99999] for p in [0.9, 0.5, 0.1, 0.05, 0.01, 1e-6]]
    chi = [[v, v * x, float(stats.chi2.sf(v * x, v))] for v in [1, 2, 3, 9, 39, 999] for x in [1e-9, 1e-3, 0.5, 1, 1.1, 4, 30]]
    fisher = [
        [a, b, x, float(stats.f.sf(x, a, b))] for a in [1, 2, 4, 39] for b in [1, 2, 9, 99, 9999, 100000] for x in [1e-9, 1e-3, 0.5, 1, 1.1, 4, 30]
    ]
    return dict(student=student, quantile=quantile, chi=chi, fisher=fisher)


ranges, quantiles = studentized_range()
record = dict(scipy=scipy.__version__, corrected_t=corrected_t(), mcnemar=mcnemar(), friedman=friedman())
record |= dict(ranges=ranges, quantiles=quantiles, ranks=nemenyi_and_holm(), bayesian=bayesian(), tails=tails())
with OUT.open("w") as file:
    file.write("{\n")
    parts = []
    for name, value in record.items():
        if isinstance(value, list):
            value = "[\n" + ",\n".join(json.dumps(case) for case in value) + "\n]"
        else:
            value = json.dumps(value)
        parts.append(f"{json.dumps(name)}: {value}")
    file.write(",\n".join(parts) + "\n}\n")
