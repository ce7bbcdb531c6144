"""Shows how well differences of depths are measured: between the grooves of one photograph, and between the lowest grooves of two photographs.

Content 2.0 says "even" or "no difference" only where the intervals leave no room for 1.0 mm, and takes the root of the sum of the squares of two
half-widths (apps/content/src/domain/verdicts/difference.ts). The first table shows how often that rule holds the true difference, the second one
what the rule would say if it were narrower. The rows are those of interval_coverage.py; --manifest applies the numbers of a manifest to rows that
were measured with the network's own intervals."""

import argparse
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from interval_coverage import NAMES, ROUNDING_MM, grooves_of, scaled

LIMIT_MM = 1.0
FEWEST_GROOVES = 3  # the minimum in content: fewer grooves show no pattern of wear
SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
PAIRS = 20_000


@dataclass(frozen=True)
class MeasuredImage:
    """The grooves of a tread that lie on true ones."""

    truth: np.ndarray
    depth: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def lowest(self) -> "MeasuredImage":
        """Returns its lowest groove as content has it: the lowest depth, low and high of all."""
        return MeasuredImage(*(np.array([ends.min()]) for ends in (self.truth, self.depth, self.low, self.high)))


def images_of(rows: list[dict], numbers: tuple[float, ...] | None) -> list[MeasuredImage]:
    found = []
    for row in rows:
        g = grooves_of([row])
        if g:
            low, high = scaled(g, *numbers) if numbers else (g["low"], g["high"])
            found.append(MeasuredImage(g["truth"], g["depth"], low, high))
    return found


@dataclass(frozen=True)
class Differences:
    """Of pairs of grooves: the true and the measured difference, the room that the rule leaves on both sides, and the mean true depth."""

    true: np.ndarray
    measured: np.ndarray
    above: np.ndarray
    below: np.ndarray
    mean: np.ndarray


def differences(one: MeasuredImage, other: MeasuredImage) -> Differences:
    return Differences(
        one.truth - other.truth,
        one.depth - other.depth,
        np.hypot(one.high - one.depth, other.depth - other.low),
        np.hypot(one.depth - one.low, other.high - other.depth),
        (one.truth + other.truth) / 2,
    )


def picked(p: MeasuredImage, places: list[int]) -> MeasuredImage:
    return MeasuredImage(p.truth[places], p.depth[places], p.low[places], p.high[places])


def joined(parts: list[MeasuredImage]) -> MeasuredImage:
    return MeasuredImage(*(np.concatenate(ends) for ends in zip(*((p.truth, p.depth, p.low, p.high) for p in parts))))


def within(images: list[MeasuredImage]) -> Differences:
    """Every two grooves of a photograph."""
    pairs = [(p, list(zip(*itertools.combinations(range(len(p.depth)), 2)))) for p in images if len(p.depth) > 1]
    sides = [joined([picked(p, list(places[side])) for p, places in pairs]) for side in (0, 1)]
    return differences(*sides)


def between(images: list[MeasuredImage]) -> Differences:
    """The lowest grooves of two photographs chosen by chance, where they were measured alike."""
    lowest = joined([p.lowest() for p in images])
    one, other = np.random.default_rng(1).integers(len(images), size=(2, 50 * PAIRS))
    alike = (one != other) & (abs(lowest.depth[one] - lowest.depth[other]) < LIMIT_MM)
    chosen = [list(places[alike][:PAIRS]) for places in (one, other)]
    return differences(*(picked(lowest, places) for places in chosen))


def table(name: str, d: Differences) -> list[str]:
    held = (d.true <= d.measured + d.above + ROUNDING_MM) & (d.true >= d.measured - d.below - ROUNDING_MM)
    half, error = (d.above + d.below) / 2, abs(d.true - d.measured)

    def row(part: str, of: np.ndarray) -> str:
        return f"| {name}, {part} | {of.sum()} | {100 * held[of].mean():.1f} % | {half[of].mean():.2f} | {np.quantile(error[of], 0.9):.2f} |"

    parts = [(f"{mm} to {mm + 1} mm", d.mean.astype(int) == mm) for mm in range(9)]
    return [row("all", held | True), *(row(part, of) for part, of in parts if of.any())]


def is_even(p: MeasuredImage, share: float) -> bool:
    """Whether no two grooves leave room for the limit."""
    if len(p.depth) < FEWEST_GROOVES:
        return False
    d = within([p])
    return bool((np.maximum(d.measured + share * d.above, share * d.below - d.measured) < LIMIT_MM).all())


def evenness(images: list[MeasuredImage]) -> list[str]:
    treads = [p for p in images if len(p.depth) >= FEWEST_GROOVES]
    uneven = np.array([np.ptp(p.truth) >= LIMIT_MM for p in treads])
    seen = sum(np.ptp(p.depth) >= LIMIT_MM for p in treads)
    lines = [
        f"{len(treads)} treads of {FEWEST_GROOVES} grooves or more; {uneven.sum()} are {LIMIT_MM} mm apart or more, {seen} were measured so.",
        "",
        "| half-widths times | called even | of them truly 1.0 mm apart |",
        "|--:|--:|--:|",
    ]
    for share in SHARES:
        even = np.array([is_even(p, share) for p in treads])
        lines.append(f"| {share} | {even.sum()} | {(even & uneven).sum()} ({100 * (even & uneven).sum() / max(1, even.sum()):.1f} %) |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="+", help="files written by tools/evaluate-renders.ts --rows")
    parser.add_argument("--manifest", help="a model's manifest.json; for rows that were measured with the network's own intervals")
    args = parser.parse_args()
    numbers = None
    if args.manifest:
        thresholds = json.loads(Path(args.manifest).read_text())["thresholds"]
        numbers = tuple(thresholds[name] for name in (*NAMES, "interval_high_from_mm", "interval_high_slope"))
    images = images_of([json.loads(line) for path in args.rows for line in Path(path).read_text().splitlines()], numbers)
    inside = within(images)
    print("| difference of two grooves | pairs | rule holds | its half-width in mm | 90 % of the errors are below, in mm |\n|---|--:|--:|--:|--:|")
    print("\n".join([*table("one photograph", inside), *table("two photographs", between(images))]))
    spread = f"standard deviation of the true ones {inside.true.std():.2f} mm, of the measured ones {inside.measured.std():.2f} mm"
    print(f"\nIn one photograph: {spread}, correlation {np.corrcoef(inside.true, inside.measured)[0, 1]:.2f}.")
    print("\n".join(evenness(images)))


if __name__ == "__main__":
    main()
