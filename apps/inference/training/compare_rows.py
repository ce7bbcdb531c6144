"""The figures of two models on the same renders, and the 95 % interval of each difference.

Usage: python compare_rows.py BEFORE AFTER, files of evaluate-renders.ts --rows or of evaluate-wheels.ts --rows. Differences are paired: the interval comes from
drawing renders again with replacement.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

DRAWS = 2000
LEAST_BALD = 0.125
# Each figure is the sum of its first numbers over the sum of its second ones.
Part = tuple[float, float]
NOTHING: Part = (0.0, 0.0)


def depth_pairs(row: dict) -> list[tuple[dict, float]]:
    depths = {groove["number"]: groove["depthMm"] for groove in row["drawn"]["grooves"]}
    grooves = row["measured"]["grooves"] if row["measured"] else []
    return [(groove, depths[groove["number"]]) for groove in grooves if groove["number"] in depths]


def of_treads(part: Callable[[dict], Part]) -> Callable[[dict], Part]:
    return lambda row: part(row) if row["drawn"]["tread"] == "yes" else NOTHING


def over_grooves(value: Callable[[dict, float], float]) -> Callable[[dict], Part]:
    def part(row: dict) -> Part:
        values = [value(groove, depth) for groove, depth in depth_pairs(row)]
        return sum(values), len(values)

    return of_treads(part)


def has_zone(row: dict) -> bool:
    return bool(row["measured"]["baldShare"]) or bool(row["measured"].get("wornSmooth"))


def zones(is_asked: Callable[[float], bool]) -> Callable[[dict], Part]:
    return of_treads(lambda row: (has_zone(row), 1) if row["measured"] and is_asked(row["drawn"]["baldShare"]) else NOTHING)


RENDERS: dict[str, Callable[[dict], Part]] = {
    "treads refused": of_treads(lambda row: (row["measured"] is None and len(row["drawn"]["grooves"]) > 0, 1)),
    "groove mask IoU": of_treads(lambda row: (row["pixels"]["both"], row["pixels"]["either"]) if "pixels" in row else NOTHING),
    "groove count exact": of_treads(lambda row: (len(row["drawn"]["grooves"]) == len((row["measured"] or {"grooves": []})["grooves"]), 1)),
    "depth, mean absolute error in mm": over_grooves(lambda groove, depth: abs(groove["depthMm"] - depth)),
    "depth within 1.0 mm": over_grooves(lambda groove, depth: abs(groove["depthMm"] - depth) <= 1),
    "true depth in the interval": over_grooves(lambda groove, depth: groove["intervalMm"][0] <= depth <= groove["intervalMm"][1]),
    "bald zone found": zones(lambda share: share >= LEAST_BALD),
    "bald zone found where there is none": zones(lambda share: share == 0),
    "renders without a tread refused": lambda row: (row["measured"] is None, 1) if row["drawn"]["tread"] == "no" else NOTHING,
    "good at 1.6 mm or less": lambda row: (row.get("verdict") == "good", 1) if row.get("truth") == "legal" else NOTHING,
}
LEGIBLE = 0.82
WHEELS: dict[str, Callable[[dict], Part]] = {
    "exact": lambda row: (row["actual"] == row["expected"], 1) if row["expected"] != "none" else NOTHING,
    "wrong": lambda row: (row["actual"] not in (None, row["expected"]), 1) if row["expected"] != "none" else NOTHING,
    "legible: exact": lambda row: (row["actual"] == row["expected"], 1)
    if row["expected"] != "none" and row["legibility"] >= LEGIBLE
    else NOTHING,
    "without a size, a size given": lambda row: (row["actual"] is not None, 1) if row["expected"] == "none" else NOTHING,
    "ms of CPU": lambda row: (row["cpuMs"], 1),
}


def rows_of(path: str, key: str) -> dict[str, dict]:
    return {row[key]: row for row in (json.loads(line) for line in Path(path).read_text().splitlines())}


def share(parts: np.ndarray) -> np.ndarray:
    """parts: [..., 2]. Returns the first sum over the second one."""
    sums = parts.sum(-2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[..., 0] / sums[..., 1]


def compared(before: Sequence[Part], after: Sequence[Part], rng: np.random.Generator) -> tuple[float, float, float, float]:
    both = np.array([before, after], np.float64)
    drawn = rng.integers(0, both.shape[1], (DRAWS, both.shape[1]))
    differences = np.array([share(both[1, chosen]) - share(both[0, chosen]) for chosen in drawn])
    low, high = np.nanquantile(differences, [0.025, 0.975]) if not np.isnan(differences).all() else (np.nan, np.nan)
    first, second = (float(share(parts)) for parts in both)
    return first, second, float(low), float(high)


def main() -> None:
    first = json.loads(Path(sys.argv[1]).read_text().split("\n", 1)[0])
    key, figures = ("seed", WHEELS) if "seed" in first else ("file", RENDERS)
    before, after = (rows_of(path, key) for path in sys.argv[1:3])
    common = sorted(before.keys() & after.keys())
    print(f"| {len(common)} images | before | after | difference, 95 % |\n|---|--:|--:|--:|")
    for name, part in figures.items():
        parts = [[part(rows[one]) for one in common] for rows in (before, after)]
        if not all(any(weight for _, weight in side) for side in parts):
            continue
        old, new, low, high = compared(*parts, np.random.default_rng(0))
        print(f"| {name} | {old:.4g} | {new:.4g} | {new - old:+.4f} ({low:+.4f} to {high:+.4f}) |")


if __name__ == "__main__":
    main()
