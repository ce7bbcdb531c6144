"""Draws the tire of a scene: its pattern, its wear and its rubber."""

import itertools
import math
import random

from .scene_values import FAMILIES, MAX_GROOVES, MAX_LATERAL, MAX_THIN, Scene, padded, pick, ranged


def _grooves(rng: random.Random, family: str, width: float) -> list[list[float]]:
    """Draws the parameters of each longitudinal groove (position, width, zigzag, walls, depth), from left to right."""
    counts = {
        "directional": {0: 0.2, 2: 0.4, 3: 0.3, 4: 0.1},
        "winter": {0: 0.05, 2: 0.2, 3: 0.4, 4: 0.35},
        "slots": {0: 0.15, 1: 0.35, 2: 0.5},
    }
    n = pick(rng, counts.get(family, {2: 0.08, 3: 0.36, 4: 0.45, 5: 0.11}))
    span = rng.uniform(0.9, 1.14)
    wide = min(rng.uniform(6, 14), 0.42 * width / (n + 1))
    grooves = []
    for i in range(n):
        x = ((i + 1) / (n + 1) - 0.5) * width * span + rng.uniform(-0.02, 0.02) * width
        zig = rng.uniform(0.8, 3) if rng.random() < (0.3 if family in ("winter", "blocks") else 0.1) else 0
        w = max(4.0, wide * rng.uniform(0.75, 1.15)) if rng.random() < 0.85 else max(3.2, wide * 0.5)
        grooves.append([x, w, zig, rng.choice([6, 8, 9, 10, 12, 14]), rng.uniform(0.3, 2.6), rng.uniform(0.88, 1)])
    return grooves


def is_free(x: float, w: float, grooves: list[list[float]], gap: float = 3) -> bool:
    return all(abs(x - g[0]) > (w + g[1]) / 2 + g[2] + gap for g in grooves)


def _zones(grooves: list[list[float]], width: float) -> list[tuple[float, float]]:
    edges = [-width / 2 - 14] + [g[0] for g in grooves] + [width / 2 + 14]
    return list(itertools.pairwise(edges))


def lateral_row(
    rng: random.Random,
    zone: tuple[float, float],
    pitches: float,
    width_mm: float,
    depth: float,
    slant: float,
    curve: float = 0.0,
    mirror: float = 0,
    zig: float = 0.0,
    phase: float | None = None,
    soft: float = 1.5,
) -> list[float]:
    return [
        *zone,
        pitches,
        width_mm,
        depth,
        slant,
        curve,
        mirror,
        zig,
        rng.random() if phase is None else phase,
        soft,
        rng.uniform(0, 0.12),
    ]


def _laterals(rng: random.Random, family: str, grooves: list[list[float]], width: float) -> list[list[float]]:
    """Draws sets of slots, lateral grooves and sipes. `lateral` names their parameters."""
    zones = _zones(grooves, width)
    pitches = rng.randint(8, 15)
    sets = []
    if family == "directional":
        slant, curve = rng.choice([-1, 1]) * rng.uniform(0.4, 1.5), rng.uniform(-0.5, 0.5)
        inner = rng.uniform(0, 0.12) * width
        sets.append(lateral_row(rng, (inner, width / 2 + 14), pitches, rng.uniform(3, 7), rng.uniform(0.8, 1), slant, curve, 1, 0, 0.1, 3))
        if rng.random() < 0.6:
            sets.append(
                lateral_row(rng, (inner, width / 2), pitches, rng.uniform(1.2, 4), rng.uniform(0.5, 0.9), slant, curve, 1, 0, 0.6, 3)
            )
        if rng.random() < 0.5:
            sets.append(
                lateral_row(
                    rng,
                    (width * 0.05, width / 2),
                    pitches * rng.randint(2, 4),
                    0.7,
                    0.7,
                    slant * rng.uniform(0.3, 1),
                    0,
                    1,
                    rng.choice([0, 1.2]),
                )
            )
        return sets
    shoulder_slant = rng.uniform(-0.35, 0.35)
    sign = 1 if family == "asymmetric" else -1
    for k, zone in enumerate(zones):
        last = k in (0, len(zones) - 1)
        slant = shoulder_slant * (sign if k > len(zones) / 2 else 1)
        count = pitches if not (family == "asymmetric" and k == len(zones) - 1) else max(6, pitches + rng.randint(-3, 5))
        if last and rng.random() < 0.93:
            inner = rng.uniform(0, 0.35) * (zone[1] - zone[0]) if rng.random() < 0.5 else 0
            part = (zone[0], zone[1] - inner) if k == 0 else (zone[0] + inner, zone[1])
            sets.append(lateral_row(rng, part, count, rng.uniform(1.8, 6.5), rng.uniform(0.55, 1), slant, rng.uniform(-0.25, 0.25)))
        elif family in ("blocks", "winter") and rng.random() < 0.9:
            sets.append(
                lateral_row(rng, zone, pitches, rng.uniform(2, 6.5), rng.uniform(0.6, 1), rng.uniform(-0.9, 0.9), rng.uniform(-0.3, 0.3))
            )
        elif rng.random() < (0.85 if family in ("slots", "asymmetric") else 0.6):
            reach = rng.uniform(0.35, 0.9) * (zone[1] - zone[0])
            part = (zone[0], zone[0] + reach) if rng.random() < 0.5 else (zone[1] - reach, zone[1])
            sets.append(
                lateral_row(rng, part, pitches, rng.uniform(1, 4.5), rng.uniform(0.4, 0.9), rng.uniform(-1.4, 1.4), rng.uniform(-0.4, 0.4))
            )
        if len(sets) < MAX_LATERAL - 2 and rng.random() < (0.95 if family == "winter" else 0.35):
            zig = rng.uniform(0.6, 2) if family == "winter" else 0
            sets.append(
                lateral_row(
                    rng,
                    zone,
                    pitches * rng.randint(2, 5),
                    rng.uniform(0.5, 1.1),
                    rng.uniform(0.45, 0.9),
                    slant + rng.uniform(-0.4, 0.4),
                    0,
                    0,
                    zig,
                    soft=3,
                )
            )
    rng.shuffle(sets)
    return sets[: MAX_LATERAL - 1]


def draw_tire(rng: random.Random, split: str) -> Scene:
    width = ranged(rng, 125, 240, split)
    family = pick(rng, dict(zip(FAMILIES, (0.3, 0.18, 0.12, 0.18, 0.14, 0.08))))
    grooves = _grooves(rng, family, width)
    thin = []
    for _ in range(pick(rng, {0: 0.45, 1: 0.25, 2: 0.2, 4: 0.1})):
        x, w = rng.uniform(-0.49, 0.49) * width, rng.uniform(0.7, 2.0)
        if is_free(x, w, grooves):
            thin.append([x, w, rng.uniform(0.3, 0.8)])
    new = rng.uniform(6, 9)
    left = rng.uniform(0, 2.2) if rng.random() < 0.25 else rng.uniform(0.6, new)
    profile = rng.choices(range(5), weights=(0.5, 0.12, 0.13, 0.17, 0.08))[0]
    return {
        "width": width,
        "radius": rng.uniform(270, 360),
        "crown": rng.uniform(280, 1100),
        "shoulder": rng.uniform(8, 26),
        "side_height": rng.uniform(65, 125),
        "bulge": rng.uniform(4, 16),
        "family": float(FAMILIES.index(family)),
        "groove_count": float(len(grooves)),
        "grooves": padded(grooves, MAX_GROOVES, 6),
        "thin": padded(thin, MAX_THIN, 3),
        "lateral": padded(_laterals(rng, family, grooves, width), MAX_LATERAL, 12),
        "new_depth": new,
        "left_depth": left,
        "profile": float(profile),
        "profile_amount": rng.uniform(0.2, 0.7) if profile == 0 else rng.uniform(0.6, 4),
        "profile_side": rng.choice([-1.0, 1.0]),
        "cup_waves": float(rng.choice([2, 3, 4, 5])),
        "bar_at": rng.random(),
        "bar_length": rng.uniform(6, 13) if rng.random() < 0.85 else 0.0,
        "rounding": rng.uniform(0, 1.0),
    }


def draw_rubber(rng: random.Random) -> Scene:
    dusty = rng.random() < 0.3
    return {
        "rubber": math.exp(rng.uniform(math.log(0.025), math.log(0.13))),
        "rubber_tint": [rng.uniform(-0.05, 0.07), 0.0, rng.uniform(-0.07, 0.07)],
        "worn_light": rng.uniform(0, 1.1),
        "grain": rng.uniform(0.02, 0.28),
        "scuff": rng.uniform(0, 0.5),
        "dust": rng.uniform(0.15, 0.9) if dusty else rng.uniform(0, 0.15),
        "dust_in_grooves": rng.random() if rng.random() < 0.24 else 0.0,
        "dust_colour": rng.choice([[0.42, 0.36, 0.28], [0.5, 0.48, 0.45], [0.3, 0.2, 0.12], [0.62, 0.6, 0.58]]),
        "mud": rng.uniform(0.1, 0.55) if rng.random() < 0.15 else 0.0,
        "snow": rng.uniform(0.2, 0.8) if rng.random() < 0.04 else 0.0,
        "stones": rng.uniform(0.1, 1.0) if rng.random() < 0.3 else 0.0,
        "wet": rng.uniform(0.2, 1.0) if rng.random() < 0.15 else 0.0,
        "sheen": rng.uniform(0, 0.25),
    }
