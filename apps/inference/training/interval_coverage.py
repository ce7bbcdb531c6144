"""Shows how often the 90 % interval of a groove contains its true depth, and fits the numbers of the manifest that scale it.

The rows are written by tools/evaluate-renders.ts with --rows, so the intervals are those of production. Rows for --fit must be measured with a
manifest whose interval_low_scale and interval_high_scale are 1 and whose other numbers of the interval are 0, on renders that nothing else uses
(write_renders.py --first 400000). The fit takes the narrowest interval that holds well enough everywhere, and then raises the upper end of deep
grooves, whose depths are too low, in the same way.

--fit-upper MANIFEST fits the upper end only, from rows that production measured with this manifest, whose numbers are undone. The lower end decides
what is good and stays as it is. --with shows the table with other numbers."""

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tread.scene_values import FAMILIES

LEAST, MOST = 0.895, 0.92  # share of all grooves for which the interval must hold
LEAST_EACH = 0.88  # in every millimetre and pattern family: three points above the goal, because other renders differ
FEWEST = 30  # grooves of a millimetre or a family that are enough to fit
WIDEST = 2.0  # as in src/domain/tread/depth-interval.ts
ROUNDING_MM = 0.005
LOW_SCALES = HIGH_SCALES = np.arange(0.5, 1.51, 0.05)
OFFSETS_MM = np.arange(-0.1, 0.41, 0.05)
HIGH_FROM_MM = np.arange(4, 6.3, 0.25)
HIGH_SLOPES = np.arange(0.2, 3.1, 0.2)
# For the second fit, which also reaches the few grooves of the last millimetre.
RAISED_MOST, RAISED_LEAST_EACH, RAISED_LEAST_DEEP = 0.93, 0.87, 0.85
SURE_CONFIDENCES = (0.0, 0.3, 0.35, 0.4, 0.45, 0.5)
# For the fit of the upper end alone: a smaller margin over all, and floors for the parts.
UPPER_LEAST, UPPER_MOST, UPPER_LEAST_EACH, UPPER_LEAST_DEEP = 0.885, 0.915, 0.86, 0.85
UPPER_FROM_MM = np.arange(4, 6.1, 0.25)
UPPER_SLOPES = np.arange(0.4, 3.1, 0.2)

LAST_MM = 8.0  # the deepest millimetre of the renders
NAMES = ("interval_low_scale", "interval_high_scale", "interval_offset_mm", "interval_sure_confidence")
ALL_NAMES = (*NAMES, "interval_high_from_mm", "interval_high_slope")

Grooves = dict[str, np.ndarray]


def grooves_of(rows: list[dict]) -> Grooves:
    """Returns one entry for each measured groove of a tread that lies on a true one."""
    found = []
    for row in rows:
        drawn, measured = row["drawn"], row["measured"]
        if drawn["tread"] != "yes" or measured is None or "pair" in drawn:
            continue
        truth = {g["number"]: g["depthMm"] for g in drawn["grooves"]}
        for groove in measured["grooves"]:
            if groove["number"] in truth and "intervalMm" in groove:
                found.append((truth[groove["number"]], groove["depthMm"], *groove["intervalMm"], measured["confidence"], drawn["family"]))
    names = ("truth", "depth", "low", "high", "confidence", "family")
    return dict(zip(names, np.array(found, dtype=float).T))


def scaled(
    g: Grooves, low_scale: float, high_scale: float, offset_mm: float, sure: float, high_from_mm: float = 0, high_slope: float = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Returns both ends of the intervals, as intervalOf in depth-interval.ts computes them."""
    wider = np.clip(sure / np.maximum(1e-6, g["confidence"]), 1, WIDEST)
    below, above = (np.maximum(0, d) for d in (g["depth"] - g["low"], g["high"] - g["depth"]))
    low = np.maximum(0, g["depth"] - wider * np.maximum(0, low_scale * below + offset_mm))
    raised = high_slope * np.maximum(0, g["depth"] - high_from_mm)
    return low, g["depth"] + wider * np.maximum(0, high_scale * above + offset_mm) + raised


def holds(g: Grooves, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    return (low - ROUNDING_MM <= g["truth"]) & (g["truth"] <= high + ROUNDING_MM)


def parts(g: Grooves) -> Iterator[tuple[str, np.ndarray]]:
    """Yields the name and the members of each millimetre and each pattern family."""
    for mm in range(10):
        yield f"{mm} to {mm + 1} mm", g["truth"].astype(int) == mm
    for k, family in enumerate(FAMILIES):
        yield family, g["family"] == k
    edges = np.quantile(g["confidence"], (0, 0.1, 0.25, 0.5, 1)) if len(g["truth"]) else ()
    for low, high in itertools.pairwise(edges):
        yield f"confidence {low:.2f} to {high:.2f}", (g["confidence"] >= low) & (g["confidence"] <= high)


def table(g: Grooves, low: np.ndarray, high: np.ndarray) -> str:
    held, bias = holds(g, low, high), g["depth"] - g["truth"]

    def row(name: str, of: np.ndarray) -> str:
        shown = f"{100 * held[of].mean():.1f} % | {(high - low)[of].mean():.1f} | {bias[of].mean():.1f}" if of.any() else "- | - | -"
        return f"| {name} | {of.sum()} | {shown} |"

    head = "| grooves | number | interval holds | its width in mm | bias in mm |\n|---|--:|--:|--:|--:|"
    return "\n".join([head, row("all", held | True), *(row(name, of) for name, of in parts(g))])


def fitted(g: Grooves) -> tuple[float, float, float, float]:
    """Returns the scales, the offset and the sure confidence with the narrowest mean interval that keeps all goals."""
    members = [of for _, of in parts(g) if of.sum() >= FEWEST]
    best, answer = np.inf, None
    for numbers in itertools.product(LOW_SCALES, HIGH_SCALES, OFFSETS_MM, SURE_CONFIDENCES):
        low, high = scaled(g, *numbers)
        width = (high - low).mean()
        if width >= best:
            continue
        held = holds(g, low, high)
        if LEAST <= held.mean() <= MOST and all(held[of].mean() >= LEAST_EACH for of in members):
            best, answer = width, numbers
    if answer is None:
        raise SystemExit("no scales keep the goals")
    return answer


def raised(g: Grooves, low_scale: float, high_scale: float, offset_mm: float, sure: float) -> tuple[float, ...]:
    """Returns the numbers with an upper end that also holds for the deepest grooves, the narrowest of those that keep the goals."""
    deepest = g["truth"] >= LAST_MM
    members = [of for _, of in parts(g) if of.sum() >= FEWEST]
    scales = [scale for scale in HIGH_SCALES if high_scale - 0.16 < scale <= high_scale + 0.01]
    best, answer = np.inf, (low_scale, high_scale, offset_mm, sure, 0.0, 0.0)
    for scale, from_mm, slope in itertools.product(scales, HIGH_FROM_MM, HIGH_SLOPES):
        numbers = (low_scale, scale, offset_mm, sure, from_mm, slope)
        low, high = scaled(g, *numbers)
        width = (high - low).mean()
        held = holds(g, low, high)
        is_enough = held.mean() <= RAISED_MOST and all(held[of].mean() >= RAISED_LEAST_EACH for of in members)
        if width < best and is_enough and held[deepest].mean() >= RAISED_LEAST_DEEP:
            best, answer = width, numbers
    return answer


def unscaled(g: Grooves, numbers: tuple[float, ...]) -> Grooves:
    """Returns the grooves with the ends that production scaled. A lower end at zero could have been lower."""
    low_scale, high_scale, offset_mm, sure, high_from_mm, high_slope = numbers
    wider = np.clip(sure / np.maximum(1e-6, g["confidence"]), 1, WIDEST)
    raised_mm = high_slope * np.maximum(0, g["depth"] - high_from_mm)
    below = ((g["depth"] - g["low"]) / wider - offset_mm) / low_scale
    above = ((g["high"] - g["depth"] - raised_mm) / wider - offset_mm) / high_scale
    return {**g, "low": g["depth"] - below, "high": g["depth"] + above}


def upper(g: Grooves, numbers: tuple[float, ...]) -> tuple[float, ...]:
    """Returns the numbers with the narrowest upper end that keeps the floors. The grooves are unscaled; their lower end stays."""
    low_scale, _, offset_mm, sure, _, _ = numbers
    deepest = g["truth"] >= LAST_MM
    members = [of for name, of in parts(g) if of.sum() >= FEWEST and not name.startswith(("confidence", f"{LAST_MM:.0f} "))]
    best, answer = np.inf, None
    for scale, from_mm, slope in itertools.product(HIGH_SCALES, UPPER_FROM_MM, UPPER_SLOPES):
        tried = (low_scale, scale, offset_mm, sure, from_mm, slope)
        low, high = scaled(g, *tried)
        width = (high - low).mean()
        held = holds(g, low, high)
        if width >= best or not UPPER_LEAST <= held.mean() <= UPPER_MOST or held[deepest].mean() < UPPER_LEAST_DEEP:
            continue
        if all(held[of].mean() >= UPPER_LEAST_EACH for of in members):
            best, answer = width, tried
    if answer is None:
        raise SystemExit("no upper end keeps the floors")
    return answer


def of_manifest(path: str) -> tuple[float, ...]:
    thresholds = json.loads(Path(path).read_text())["thresholds"]
    return tuple(thresholds[name] for name in ALL_NAMES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="+", help="files written by tools/evaluate-renders.ts --rows")
    parser.add_argument("--fit", action="store_true", help="also prints fitted numbers for the manifest, and the table with them")
    parser.add_argument("--with", nargs=6, type=float, metavar="NUMBER", dest="other", help="in place of the fitted numbers")
    parser.add_argument("--fit-upper", dest="manifest", metavar="MANIFEST", help="also prints an upper end fitted to rows that this manifest measured")
    args = parser.parse_args()
    rows = [json.loads(line) for path in args.rows for line in Path(path).read_text().splitlines()]
    g = grooves_of(rows)
    print(table(g, g["low"], g["high"]))
    if args.fit:
        numbers = raised(g, *fitted(g))
    elif args.manifest:
        g = unscaled(g, of_manifest(args.manifest))
        numbers = args.other or upper(g, of_manifest(args.manifest))
    if args.fit or args.manifest:
        print(json.dumps({name: round(float(value), 2) for name, value in zip(ALL_NAMES, numbers)}, indent=1))
        print(table(g, *scaled(g, *numbers)))


if __name__ == "__main__":
    main()
