# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
"""Computes the numbers of a table that table.cpp printed again, with SciPy and NumPy.

usage: compare.py TABLE

Prints the number of comparisons and the largest difference of each kind, and exits 1 if one is
beyond its limit. The limits are those of SciPy 1.10: its inverse beta and Student functions have
errors of 1e-9 relative to the closed forms, and worse for large parameters.
"""

import sys

import numpy
from scipy import stats
from scipy.stats import qmc

LIMITS = {"uniform": 1e-15, "normal": 1e-14, "truncated_normal": 1e-12, "log_normal": 1e-14,
          "triangular": 1e-13, "exact_interval": 1e-8, "binomial_at_most": 1e-12, "student": 1e-8,
          "rank_correlation": 1e-8, "rank_interval": 1e-12, "histogram_edges": 1e-14,
          "histogram_counts": 0.0, "percentile": 1e-13, "sobol": 0.0}


def truth(kind, numbers, data):
    """What is to follow from the arguments, and how many results there are."""
    if kind == "uniform":
        low, high, u = numbers[:3]
        return [stats.uniform.ppf(u, low, high - low)]
    if kind == "normal":
        mean, deviation, u = numbers[:3]
        return [stats.norm.ppf(u, mean, deviation)]
    if kind == "truncated_normal":
        mean, deviation, low, high, u = numbers[:5]
        return [stats.truncnorm.ppf(u, (low - mean) / deviation, (high - mean) / deviation,
                                    mean, deviation)]
    if kind == "log_normal":
        median, deviation, u = numbers[:3]
        return [stats.lognorm.ppf(u, deviation, scale=median)]
    if kind == "triangular":
        low, mode, high, u = numbers[:4]
        return [stats.triang.ppf(u, (mode - low) / (high - low), low, high - low)]
    if kind == "exact_interval":
        failed, count, confidence = numbers[:3]
        interval = stats.binomtest(int(failed), int(count)).proportion_ci(confidence, "exact")
        return [interval.low, interval.high]
    if kind == "binomial_at_most":
        most, count, probability = numbers[:3]
        return [stats.binom.cdf(most, count, probability)]
    if kind == "student":
        freedom, confidence = numbers[:2]
        return [stats.t.ppf(0.5 + 0.5 * confidence, freedom)]
    if kind == "rank_correlation":
        result = stats.spearmanr(data["x"], data["y"])
        return [result.correlation, result.pvalue]
    if kind == "rank_interval":
        r = stats.spearmanr(data["x"], data["y"]).correlation
        error = numpy.sqrt((1.0 + 0.5 * r * r) / (len(data["x"]) - 3))
        half = stats.norm.ppf(0.5 + 0.5 * numbers[0]) * error
        return [numpy.tanh(numpy.arctanh(r) - half), numpy.tanh(numpy.arctanh(r) + half)]
    if kind in ("histogram_edges", "histogram_counts"):
        counts, edges = numpy.histogram(data["x"], 9)
        return edges if kind == "histogram_edges" else counts
    if kind == "percentile":
        share, confidence = numbers[:2]
        values = numpy.sort(data["x"])
        low = int(stats.binom.ppf(0.5 * (1.0 - confidence), len(values), share))
        high = int(stats.binom.ppf(0.5 + 0.5 * confidence, len(values), share)) + 1
        return [numpy.percentile(values, 100.0 * share),
                values[low - 1] if low > 0 else -1e300,
                values[high - 1] if high <= len(values) else 1e300]
    raise SystemExit(f"compare.py: unknown kind {kind}")


def main():
    largest, counts, failures = {}, {}, 0
    data = {}
    sobol = iter(qmc.Sobol(128, scramble=False).random(1024))
    with open(sys.argv[1], encoding="ascii") as table:
        for line in table:
            kind, *words = line.split()
            numbers = [float(word) for word in words]
            if kind.startswith("data_"):
                data[kind[-1]] = numbers
                continue
            expected = next(sobol) if kind == "sobol" else truth(kind, numbers, data)
            found = numbers[-len(expected):]
            for a, b in zip(found, expected):
                difference = 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))
                # Interval ends and interpolated values near zero have no digits to compare.
                if max(abs(a), abs(b)) < 1e-12:
                    difference = 0.0
                counts[kind] = counts.get(kind, 0) + 1
                largest[kind] = max(largest.get(kind, 0.0), difference)
                if not difference <= LIMITS[kind]:
                    failures += 1
                    print(f"{line.strip()}: {a} is not {b}" if len(line) < 300 else
                          f"{kind}: {a} is not {b}")
    for kind, limit in LIMITS.items():
        print(f"{kind:18} {counts.get(kind, 0):7} numbers, largest difference "
              f"{largest.get(kind, 0.0):.1e}, limit {limit:.0e}")
        failures += kind not in counts
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
