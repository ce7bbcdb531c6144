"""Draws the parameters of one scene from a seed. They are plain numbers, so a seed gives the same image on every device and in every batch."""

import itertools
import math
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


def _held_out(value: float, low: float, high: float) -> bool:
    """Returns whether a value lies in the ranges that training never uses."""
    return (value - low) / (high - low) * 7 % 1 < HELD_OUT_SHARE


def _ranged(rng: random.Random, low: float, high: float, split: str) -> float:
    while True:
        value = rng.uniform(low, high)
        if _held_out(value, low, high) == (split == "held-out"):
            return value


def _pick(rng: random.Random, table: Mapping[Kind, float]) -> Kind:
    return rng.choices(list(table), weights=list(table.values()))[0]


def _grooves(rng: random.Random, family: str, width: float) -> list[list[float]]:
    """Draws the parameters of each longitudinal groove (position, width, zigzag, walls, depth), from left to right."""
    counts = {
        "directional": {0: 0.2, 2: 0.4, 3: 0.3, 4: 0.1},
        "winter": {0: 0.05, 2: 0.2, 3: 0.4, 4: 0.35},
        "slots": {0: 0.15, 1: 0.35, 2: 0.5},
    }
    n = _pick(rng, counts.get(family, {2: 0.08, 3: 0.36, 4: 0.45, 5: 0.11}))
    span = rng.uniform(0.9, 1.14)
    wide = min(rng.uniform(6, 14), 0.42 * width / (n + 1))
    grooves = []
    for i in range(n):
        x = ((i + 1) / (n + 1) - 0.5) * width * span + rng.uniform(-0.02, 0.02) * width
        zig = rng.uniform(0.8, 3) if rng.random() < (0.3 if family in ("winter", "blocks") else 0.1) else 0
        w = max(4.0, wide * rng.uniform(0.75, 1.15)) if rng.random() < 0.85 else max(3.2, wide * 0.5)
        grooves.append([x, w, zig, rng.choice([6, 8, 9, 10, 12, 14]), rng.uniform(0.3, 2.6), rng.uniform(0.88, 1)])
    return grooves


def _free(x: float, w: float, grooves: list[list[float]], gap: float = 3) -> bool:
    return all(abs(x - g[0]) > (w + g[1]) / 2 + g[2] + gap for g in grooves)


def _zones(grooves: list[list[float]], width: float) -> list[tuple[float, float]]:
    edges = [-width / 2 - 14] + [g[0] for g in grooves] + [width / 2 + 14]
    return list(itertools.pairwise(edges))


def _lateral(
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
    """Draws sets of slots, lateral grooves and sipes. `_lateral` names their parameters."""
    zones = _zones(grooves, width)
    pitches = rng.randint(8, 15)
    sets = []
    if family == "directional":
        slant, curve = rng.choice([-1, 1]) * rng.uniform(0.4, 1.5), rng.uniform(-0.5, 0.5)
        inner = rng.uniform(0, 0.12) * width
        sets.append(_lateral(rng, (inner, width / 2 + 14), pitches, rng.uniform(3, 7), rng.uniform(0.8, 1), slant, curve, 1, 0, 0.1, 3))
        if rng.random() < 0.6:
            sets.append(_lateral(rng, (inner, width / 2), pitches, rng.uniform(1.2, 4), rng.uniform(0.5, 0.9), slant, curve, 1, 0, 0.6, 3))
        if rng.random() < 0.5:
            sets.append(
                _lateral(
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
            sets.append(_lateral(rng, part, count, rng.uniform(1.8, 6.5), rng.uniform(0.55, 1), slant, rng.uniform(-0.25, 0.25)))
        elif family in ("blocks", "winter") and rng.random() < 0.9:
            sets.append(
                _lateral(rng, zone, pitches, rng.uniform(2, 6.5), rng.uniform(0.6, 1), rng.uniform(-0.9, 0.9), rng.uniform(-0.3, 0.3))
            )
        elif rng.random() < (0.85 if family in ("slots", "asymmetric") else 0.6):
            reach = rng.uniform(0.35, 0.9) * (zone[1] - zone[0])
            part = (zone[0], zone[0] + reach) if rng.random() < 0.5 else (zone[1] - reach, zone[1])
            sets.append(
                _lateral(rng, part, pitches, rng.uniform(1, 4.5), rng.uniform(0.4, 0.9), rng.uniform(-1.4, 1.4), rng.uniform(-0.4, 0.4))
            )
        if len(sets) < MAX_LATERAL - 2 and rng.random() < (0.95 if family == "winter" else 0.35):
            zig = rng.uniform(0.6, 2) if family == "winter" else 0
            sets.append(
                _lateral(
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


def _padded(rows: list[list[float]], count: int, width: int) -> list[list[float]]:
    rows = [list(map(float, r)) for r in rows[:count]]
    return rows + [[0.0] * width] * (count - len(rows))


def _tire(rng: random.Random, split: str) -> Scene:
    width = _ranged(rng, 125, 240, split)
    family = _pick(rng, dict(zip(FAMILIES, (0.3, 0.18, 0.12, 0.18, 0.14, 0.08))))
    grooves = _grooves(rng, family, width)
    thin = []
    for _ in range(_pick(rng, {0: 0.45, 1: 0.25, 2: 0.2, 4: 0.1})):
        x, w = rng.uniform(-0.49, 0.49) * width, rng.uniform(0.7, 2.0)
        if _free(x, w, grooves):
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
        "grooves": _padded(grooves, MAX_GROOVES, 6),
        "thin": _padded(thin, MAX_THIN, 3),
        "lateral": _padded(_laterals(rng, family, grooves, width), MAX_LATERAL, 12),
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


def _rubber(rng: random.Random) -> Scene:
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


def _light(rng: random.Random, split: str) -> Scene:
    kind = _pick(rng, {"overcast": 0.36, "sun": 0.3, "workshop": 0.2, "flash": 0.14})
    sky = {"overcast": 1.0, "sun": rng.uniform(0.25, 0.7), "workshop": rng.uniform(0.3, 0.8), "flash": rng.uniform(0.1, 0.5)}[kind]
    sun = {
        "overcast": rng.uniform(0, 0.35),
        "sun": rng.uniform(0.8, 2.2),
        "workshop": rng.uniform(0.2, 1.0),
        "flash": rng.uniform(0, 0.15),
    }[kind]
    warm = rng.uniform(-0.16, 0.22)
    return {
        "sky": sky,
        "sun": sun,
        "sun_azimuth": _ranged(rng, -math.pi, math.pi, split),
        "sun_height": rng.uniform(0.15, 1.35),
        "sun_colour": [1 + warm, 1.0, 1 - warm],
        "sky_colour": [1 - rng.uniform(0, 0.08), 1.0, 1 + rng.uniform(0, 0.12)],
        "sky_side": [rng.uniform(-0.5, 0.5), rng.uniform(0.1, 0.6), rng.uniform(-0.2, 0.6)],
        "sky_contrast": rng.uniform(0.9, 2.2),
        "flash": rng.uniform(0.6, 1.8) if kind == "flash" else (rng.uniform(0, 0.3) if rng.random() < 0.15 else 0.0),
        "shade_line": [
            rng.uniform(-math.pi, math.pi),
            rng.uniform(-0.7, 0.9),
            rng.uniform(0.01, 0.15),
            rng.uniform(0.2, 1.0) if rng.random() < 0.3 else 0.0,
        ],
        "arch_shade": rng.uniform(0.2, 0.9) if rng.random() < 0.5 else 0.0,
    }


def _camera(rng: random.Random, split: str) -> Scene:
    distance = math.exp(_ranged(rng, math.log(230), math.log(1300), split))
    wild = rng.random() < 0.18
    return {
        "distance": distance,
        "azimuth": rng.gauss(0, 0.32) if not wild else rng.uniform(-1.15, 1.15),
        "elevation": rng.gauss(0.05, 0.3) if not wild else rng.uniform(-0.5, 1.0),
        "at_angle": rng.gauss(0.05, 0.25),
        "at_side": rng.gauss(0, 0.12) if rng.random() < 0.85 else rng.uniform(-0.45, 0.45),
        "roll": rng.gauss(0, 0.12) if rng.random() < 0.6 else rng.uniform(-math.pi / 2, math.pi / 2) * 1.06,
        "frame": math.exp(rng.gauss(math.log(0.62), 0.38)),
        "shift": [rng.gauss(0, 0.1), rng.gauss(0, 0.1)],
        "lens": rng.uniform(-0.09, 0.05),
    }


def _clutter(rng: random.Random, count: int) -> list[list[float]]:
    """Draws shapes in the image plane: [kind, x, y, angle, length, thickness, grey, tint, stripes, shine, front];
    kind 0 a capsule, 1 a slab, 2 an ellipse, 3 a ring."""
    rows = []
    for _ in range(count):
        kind = float(_pick(rng, {0: 0.34, 1: 0.26, 2: 0.2, 3: 0.2}))
        grey = math.exp(rng.uniform(math.log(0.012), math.log(0.75)))
        far = rng.choice([-1, 1]) * rng.uniform(0.35, 1.3)
        across = rng.uniform(-1.2, 1.2)
        x, y = (far, across) if rng.random() < 0.6 else (across, far)
        stripes = rng.uniform(10, 45) if rng.random() < 0.2 else 0.0
        rows.append(
            [
                kind,
                x,
                y,
                rng.uniform(-1.6, 1.6),
                rng.uniform(0.15, 1.4),
                rng.uniform(0.03, 0.38),
                grey,
                rng.gauss(0, 0.12),
                stripes,
                rng.uniform(0, 1),
                float(rng.random() < 0.05),
            ]
        )
    return _padded(rows, MAX_CLUTTER, 11)


def _place(rng: random.Random) -> Scene:
    mounted = rng.random() < 0.6
    ground = rng.randrange(9)
    greys = [(0.05, 0.25), (0.2, 0.5), (0.15, 0.45), (0.04, 0.2), (0.15, 0.6), (0.25, 0.6), (0.08, 0.3), (0.5, 0.9), (0.04, 0.5)][ground]
    tints = [0.02, 0.2, 0.12, 0.1, 0.08, 0.05, 0.2, -0.05, 0.3][ground]
    body = rng.choice(
        [
            [0.8, 0.8, 0.8],
            [0.02, 0.02, 0.022],
            [0.3, 0.31, 0.33],
            [0.5, 0.02, 0.02],
            [0.03, 0.06, 0.25],
            [0.6, 0.58, 0.5],
            [0.05, 0.15, 0.08],
        ]
    )
    return {
        "mounted": float(mounted),
        "outer": rng.choice([-1.0, 1.0]),
        "steer": rng.uniform(0.15, 0.75) if rng.random() < 0.7 else rng.uniform(-0.15, 0.15),
        "ground": float(ground),
        "ground_grey": rng.uniform(*greys),
        "ground_tint": [tints * rng.uniform(-0.3, 1), 0.3 * rng.uniform(0, 1) if ground == 3 else 0.0, -abs(tints) * rng.uniform(0, 1)],
        "ground_grain": [rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.6), rng.uniform(0.1, 1.0)],
        "ground_scale": rng.uniform(0.5, 2),
        "joint_size": [rng.uniform(60, 320), rng.uniform(60, 320)],
        "joint_width": rng.uniform(2, 14),
        "joint_shade": rng.choice([-1, -1, -1, 1]) * rng.uniform(0.2, 0.95) if ground in (1, 2, 4, 5, 8) or rng.random() < 0.25 else 0.0,
        "joint_offset": rng.choice([0.0, 0.5]),
        "joint_turn": rng.uniform(-0.8, 0.8),
        "ground_drop": rng.uniform(0.96, 1.0) if mounted or rng.random() < 0.6 else rng.uniform(1.0, 2.5),
        "wall": [rng.uniform(0.02, 0.9), rng.gauss(0, 0.1), rng.gauss(0, 0.1)],
        "wall_noise": rng.uniform(0.1, 1.0),
        "wall_stripes": [rng.uniform(4, 60) if rng.random() < 0.3 else 0.0, rng.uniform(-1.6, 1.6), rng.uniform(0.1, 0.9)],
        "body": body,
        "body_gap": rng.uniform(-12, 45),
        "arch_gap": rng.uniform(30, 110),
        "liner": math.exp(rng.uniform(math.log(0.008), math.log(0.08))),
        "panel": float(mounted and rng.random() < 0.75),
        "cover": [
            rng.uniform(0.35, 1.0),
            rng.gauss(0, 0.35),
            rng.uniform(0.6, 4),
            1.0 if rng.random() < (0.3 if mounted else 0.08) else 0.0,
        ],
        "rim_grey": math.exp(rng.uniform(math.log(0.03), math.log(0.8))),
        "rim_spokes": float(rng.choice([4, 5, 6, 7, 9, 10])),
        "rim_share": rng.uniform(0.25, 0.7),
        "side_grain": rng.uniform(0, 0.3),
        "lettering": rng.uniform(0, 0.6) if rng.random() < 0.6 else 0.0,
        "clutter": _clutter(rng, rng.randint(0, MAX_CLUTTER)),
        "shoulder_gap": rng.uniform(0.1, 1.0),
    }


def _photo(rng: random.Random) -> Scene:
    return {
        "blur": abs(rng.gauss(0, 0.55)) if rng.random() < 0.85 else rng.uniform(1, 3.5),
        "motion": rng.uniform(1, 7) if rng.random() < 0.08 else 0.0,
        "motion_angle": rng.uniform(0, math.pi),
        "focus_tilt": rng.uniform(0, 1.5) if rng.random() < 0.2 else 0.0,
        "mean_level": math.exp(rng.gauss(math.log(0.4), 0.3))
        if rng.random() < 0.9
        else math.exp(rng.uniform(math.log(0.04), math.log(1.3))),
        "white": [math.exp(rng.gauss(0, 0.07)), 1.0, math.exp(rng.gauss(0, 0.09))],
        "contrast": rng.uniform(-0.15, 1.3),
        "lift": rng.uniform(0, 0.06) if rng.random() < 0.5 else 0.0,
        "saturation": rng.uniform(0.3, 1.5) if rng.random() < 0.92 else 0.0,
        "vignette": rng.uniform(0, 0.5),
        "haze": rng.uniform(0, 0.12) if rng.random() < 0.3 else 0.0,
        "noise": math.exp(rng.uniform(math.log(0.0015), math.log(0.02))),
        "sharpen": rng.uniform(0.2, 1.6) if rng.random() < 0.55 else 0.0,
        "jpeg": rng.uniform(12, 60) if rng.random() < 0.4 else 0.0,
        "small": rng.choice(SMALL) if rng.random() < 0.15 else 1.0,
    }


CLASSIC: Scene = {
    "zones": [[0.0] * 5]
    * MAX_ZONES,  # middle and half width (1: half the tread), softness, millimetres worn below the pattern, whether the zone exists
    "patches": [0.0] * 6,  # share of the tread, three phases, softness, millimetres worn below the pattern
    "zone_wave": [0.0] * 4,  # how much the zone's edge varies along the tire, three phases
    "polish": 0.0,  # how much smoother the bald rubber is
    "cord": [0.0] * 3,  # share of the bald zone, angle of the threads, their brightness
    "feather": [0.0] * 3,  # height difference across a block in mm, size of a block in mm, side
    "scrub": 0.0,
    "stripes": [[0.0] * 4] * MAX_STRIPES,  # position, width, strength, colour index
    "stripe_colour": [0.0] * 3,
    "strokes": [[0.0] * 6] * MAX_STROKES,  # kind (1 a line, 2 a ring), middle across and along, two lengths, width
    "chalk": [0.0, 0.0, 0.0, 0.0],  # colour, strength
    "studs": 0.0,
    "rack": 0.0,  # distance between tires on one axle in mm
    "groove_on": [1.0] * MAX_GROOVES,
    "local": 0.0,  # strength of the camera's local exposure correction
    "coarse_noise": 0.0,
    "clip": 0.0,  # overexposure relative to the camera's automatic exposure
}


def _bald(rng: random.Random, scene: Scene) -> None:
    """Adds zones without any pattern left. The wear profile increases towards them, as on real cars."""
    kind = _pick(rng, {"whole": 0.2, "centre": 0.2, "one": 0.3, "both": 0.14, "patchy": 0.16})
    side, below = rng.choice([-1.0, 1.0]), rng.uniform(-0.25, 1.2)
    soft = rng.uniform(0.03, 0.35)
    edge = rng.uniform(1.0, 1.12)  # the outermost ends of slots often survive
    there = [[0.0] * 5, [0.0] * 5]
    if kind == "whole":
        there[0] = [rng.uniform(-0.1, 0.1), edge, soft * 0.4, below, 1.0]
        scene["left_depth"] = rng.uniform(0, 0.8)
    elif kind == "centre":
        there[0] = [rng.gauss(0, 0.08), rng.uniform(0.18, 0.62), soft, below, 1.0]
        scene |= {"profile": 1.0, "profile_amount": rng.uniform(1, 4)}
    elif kind == "one":
        inner = rng.uniform(0.05, 0.75)
        there[0] = [side * (inner + edge) / 2, (edge - inner) / 2, soft, below, 1.0]
        scene |= {"profile": 3.0, "profile_amount": rng.uniform(1, 4), "profile_side": side}
    elif kind == "both":
        for k, sign in enumerate((-1, 1)):
            inner = rng.uniform(0.3, 0.8)
            there[k] = [sign * (inner + edge) / 2, (edge - inner) / 2, soft * 0.7, below, 1.0]
        scene |= {"profile": 2.0, "profile_amount": rng.uniform(1, 4)}
    else:
        scene["patches"] = [rng.uniform(0.15, 0.6), rng.random(), rng.random(), rng.random(), rng.uniform(0.1, 0.7), below]
        scene |= {"profile": 4.0, "profile_amount": rng.uniform(1, 4)}
    if kind != "whole" and rng.random() < 0.6:
        scene["left_depth"] = rng.uniform(0.8, 4.5)
    scene["zones"] = there
    scene["zone_wave"] = [abs(rng.gauss(0, 0.05)), rng.random(), rng.random(), rng.random()]
    scene["polish"] = rng.uniform(0, 0.8)
    if below > 0.5 and rng.random() < 0.4:
        scene["cord"] = [rng.uniform(0.15, 0.8), rng.choice([-1, 1]) * rng.uniform(0.3, 0.6), rng.uniform(0.1, 0.45)]


def _line_of_ends(rng: random.Random, scene: Scene) -> None:
    """Adds short slots or slot ends in a line around the tire, which look like a groove."""
    grooves = [g for g in scene["grooves"] if g[1] > 0]
    rows = scene["lateral"]
    for _ in range(rng.choice([1, 1, 2])):
        x, half = rng.uniform(-0.85, 0.85) * scene["width"] / 2, rng.uniform(2.5, 7)
        if not _free(x, 2 * half, grooves, 1):
            continue
        count = float(rng.randint(9, 22))
        pitch = 2 * math.pi * scene["radius"] / 6 / count
        row = _lateral(
            rng,
            (x - half, x + half),
            count,
            pitch * rng.uniform(0.2, 0.55),
            rng.uniform(0.5, 1),
            rng.uniform(-0.8, 0.8),
            soft=rng.uniform(0.5, 3),
        )
        free = [i for i, r in enumerate(rows) if r[2] == 0]
        rows[free[0] if free else rng.randrange(len(rows))] = list(map(float, row))


def _marks(rng: random.Random, scene: Scene) -> None:
    if rng.random() < 0.06:
        scene["stripe_colour"] = rng.choice([[0.75, 0.6, 0.05], [0.7, 0.08, 0.06], [0.75, 0.75, 0.72], [0.06, 0.25, 0.6], [0.1, 0.5, 0.15]])
        scene["stripes"] = _padded(
            [[rng.uniform(-0.4, 0.4) * scene["width"], rng.uniform(1, 6), rng.uniform(0.3, 1), 0] for _ in range(rng.choice([1, 1, 2]))],
            MAX_STRIPES,
            4,
        )
    if rng.random() < 0.05:
        scene["chalk"] = [*rng.choice([[0.75, 0.75, 0.73], [0.7, 0.62, 0.1], [0.6, 0.1, 0.08]]), rng.uniform(0.4, 1)]
        x, y, reach = rng.uniform(-0.35, 0.35) * scene["width"], rng.uniform(60, 200), rng.uniform(20, 60)
        scene["strokes"] = _padded(
            [
                [
                    float(_pick(rng, {1: 0.7, 2: 0.3})),
                    x + rng.gauss(0, 15),
                    y + rng.gauss(0, 15),
                    rng.uniform(-1, 1) * reach,
                    rng.uniform(-1, 1) * reach,
                    rng.uniform(2, 6),
                ]
                for _ in range(rng.randint(1, MAX_STROKES))
            ],
            MAX_STROKES,
            6,
        )


def _newer(rng: random.Random, scene: Scene) -> Scene:
    """Adds the features introduced after 2.2.0. They use a separate random generator, so the classic scene does not change."""
    scene |= {k: v for k, v in CLASSIC.items()}
    if rng.random() < 0.14:
        _bald(rng, scene)
    if rng.random() < 0.08:
        scene["feather"] = [rng.uniform(0.3, 1.6), rng.uniform(12, 40), rng.choice([-1.0, 0.0, 1.0])]
    scene["scrub"] = rng.uniform(0.2, 1.2) if rng.random() < 0.12 else 0.0
    if rng.random() < 0.12:
        _line_of_ends(rng, scene)
    _marks(rng, scene)
    family = FAMILIES[int(scene["family"])]
    if family == "winter" and rng.random() < 0.25:
        scene["studs"] = rng.uniform(0.3, 1)
    if family == "directional" and rng.random() < 0.5:
        # The two halves are offset by half a repetition, and some slots reach the middle.
        scene["lateral"] = [[*(r[:7]), 2.0 if r[7] else 0.0, *r[8:]] for r in scene["lateral"]]
        if rng.random() < 0.5:
            scene["lateral"] = [[0.0, *r[1:]] if r[7] else r for r in scene["lateral"]]
    framing = rng.random() if scene["tire_there"] and abs(scene["azimuth"]) < 1.3 else 1.0
    if framing < 0.05:
        scene |= {"frame": rng.uniform(1.0, 2.2), "at_side": rng.choice([-1, 1]) * rng.uniform(0.3, 0.55)}
    elif framing < 0.1:
        scene |= {"azimuth": rng.choice([-1, 1]) * rng.uniform(0.75, 1.2), "frame": scene["frame"] * 1.25}
    elif framing < 0.15:
        pitch = scene["width"] + 2 * scene["bulge"] + rng.uniform(12, 40)
        scene |= {"rack": pitch, "mounted": 0.0, "panel": 0.0, "at_side": rng.gauss(0, 0.06), "frame": max(0.3, scene["frame"])}
    if rng.random() < 0.25:
        scene["local"] = rng.uniform(0.2, 0.8)
    if rng.random() < 0.2:
        scene["coarse_noise"] = math.exp(rng.uniform(math.log(0.004), math.log(0.035)))
    if rng.random() < 0.12:
        scene["clip"] = rng.uniform(0.2, 1.1)
    if rng.random() < 0.08:
        scene["white"] = [math.exp(rng.gauss(0, 0.25)), 1.0, math.exp(rng.gauss(0, 0.3))]
    if rng.random() < 0.08:
        scene |= {"sun": rng.uniform(2, 4), "sky": scene["sky"] * rng.uniform(0.3, 0.8)}
    return scene


def _classic(seed: int, split: str) -> Scene:
    """Draws a scene of the kind that 2.2.0 was trained with."""
    rng = random.Random(f"{split}:{seed}")
    scene = {**_tire(rng, split), **_rubber(rng), **_light(rng, split), **_camera(rng, split), **_place(rng), **_photo(rng)}
    # Images without a tread: no tire (ground, wall, clutter), a wheel from its side, or a tire outside the frame.
    absence = _pick(rng, {"tread": 0.82, "nothing": 0.09, "side": 0.09})
    scene["tire_there"] = float(absence != "nothing")
    if absence == "side":
        scene["azimuth"] = (scene["outer"] if scene["mounted"] else rng.choice([-1, 1])) * rng.uniform(1.4, 1.75)
        scene["at_side"] = scene["outer"] * 0.4 if scene["mounted"] else scene["at_side"]
        scene["at_angle"] = rng.uniform(-1.3, 1.3)
        scene["steer"] *= 0.3
        scene["frame"] *= rng.uniform(0.35, 1.0)
    if absence == "nothing":
        scene["mounted"] = scene["mounted"] * float(rng.random() < 0.5)
        scene["elevation"] = rng.uniform(-0.2, 1.3)
        scene["distance"] *= rng.uniform(1, 3)
    if scene["mounted"]:
        scene["elevation"] = max(-0.25, scene["elevation"])
    return scene


def draw(seed: int, split: str = "train", kinds: str = "all") -> Scene:
    """Draws all parameters of one render. `split` is train or held-out; held-out tires, light and distance come from separate ranges."""
    scene = _classic(seed, split)
    if kinds == "classic":
        return {**scene, **CLASSIC}
    return _newer(random.Random(f"{split}:{seed}:newer"), scene)
