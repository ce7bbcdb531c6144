"""Draws the features that came after 2.2.0. CLASSIC has the values of a scene without them."""

import math
import random

from .draw_tire import is_free, lateral_row
from .scene_values import FAMILIES, MAX_GROOVES, MAX_STRIPES, MAX_STROKES, MAX_ZONES, Scene, padded, pick

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
    kind = pick(rng, {"whole": 0.2, "centre": 0.2, "one": 0.3, "both": 0.14, "patchy": 0.16})
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
        if not is_free(x, 2 * half, grooves, 1):
            continue
        count = float(rng.randint(9, 22))
        pitch = 2 * math.pi * scene["radius"] / 6 / count
        row = lateral_row(
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
        scene["stripes"] = padded(
            [[rng.uniform(-0.4, 0.4) * scene["width"], rng.uniform(1, 6), rng.uniform(0.3, 1), 0] for _ in range(rng.choice([1, 1, 2]))],
            MAX_STRIPES,
            4,
        )
    if rng.random() < 0.05:
        scene["chalk"] = [*rng.choice([[0.75, 0.75, 0.73], [0.7, 0.62, 0.1], [0.6, 0.1, 0.08]]), rng.uniform(0.4, 1)]
        x, y, reach = rng.uniform(-0.35, 0.35) * scene["width"], rng.uniform(60, 200), rng.uniform(20, 60)
        scene["strokes"] = padded(
            [
                [
                    float(pick(rng, {1: 0.7, 2: 0.3})),
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


def with_newer_features(rng: random.Random, scene: Scene) -> Scene:
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
