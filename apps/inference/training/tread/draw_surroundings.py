"""Draws what is around the tire of a scene: light, camera, car, ground, clutter, and the errors of the photograph."""

import math
import random

from .scene_values import MAX_CLUTTER, SMALL, Scene, padded, pick, ranged


def draw_light(rng: random.Random, split: str) -> Scene:
    kind = pick(rng, {"overcast": 0.36, "sun": 0.3, "workshop": 0.2, "flash": 0.14})
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
        "sun_azimuth": ranged(rng, -math.pi, math.pi, split),
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


def draw_camera(rng: random.Random, split: str) -> Scene:
    distance = math.exp(ranged(rng, math.log(230), math.log(1300), split))
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
        kind = float(pick(rng, {0: 0.34, 1: 0.26, 2: 0.2, 3: 0.2}))
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
    return padded(rows, MAX_CLUTTER, 11)


def draw_place(rng: random.Random) -> Scene:
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


def draw_photo(rng: random.Random) -> Scene:
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
