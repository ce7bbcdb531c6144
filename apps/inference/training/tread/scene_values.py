"""Names, limits and random helpers that all parts of a scene share."""

import random
from collections.abc import Mapping
from typing import Any, TypeVar

MAX_GROOVES, MAX_THIN, MAX_LATERAL, MAX_CLUTTER = 5, 4, 10, 10
MAX_ZONES, MAX_STRIPES, MAX_STROKES = 2, 2, 4
PROFILES = ("even", "centre", "both_shoulders", "one_shoulder", "cupping")
FAMILIES = ("ribs", "blocks", "directional", "asymmetric", "winter", "slots")
# Held-out tires have separate parameter ranges, not only other seeds.
HELD_OUT_SHARE = 0.18
# Scales to which a render is reduced before it is enlarged again. There are few values, so that a batch needs few operations.
SMALL = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

Parameter = float | list[float] | list[list[float]]
Scene = dict[str, Any]  # a Parameter for each name; Any, because the kind depends on the name
Kind = TypeVar("Kind", int, str)


def held_out(value: float, low: float, high: float) -> bool:
    """Returns whether a value lies in the ranges that training never uses."""
    return (value - low) / (high - low) * 7 % 1 < HELD_OUT_SHARE


def ranged(rng: random.Random, low: float, high: float, split: str) -> float:
    while True:
        value = rng.uniform(low, high)
        if held_out(value, low, high) == (split == "held-out"):
            return value


def pick(rng: random.Random, table: Mapping[Kind, float]) -> Kind:
    return rng.choices(list(table), weights=list(table.values()))[0]


def padded(rows: list[list[float]], count: int, width: int) -> list[list[float]]:
    rows = [list(map(float, r)) for r in rows[:count]]
    return rows + [[0.0] * width] * (count - len(rows))
