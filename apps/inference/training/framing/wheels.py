"""Draws a wheel seen from its side: rim, rubber, the car around it and the ground. Small and fast, for the framing network only.

The renderer of treads also shows wheels from their side, but with one kind of rim and without brakes, covers, bolts or hub caps."""

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

Image = np.ndarray  # [S,S,3] float32, linear light 0..1
Field = np.ndarray  # [S,S] float32

LETTER_ROWS, LETTER_COLUMNS = 5, 3


@dataclass(frozen=True)
class Place:
    """Where the wheel is in a square image, as shares of its side."""

    x: float
    y: float
    radius: float
    squeeze: float
    roll: float


def noise(rng: np.random.Generator, size: int, cells: int, octaves: int = 3) -> Field:
    """Smooth noise with a deviation of about one."""
    out = np.zeros((size, size), np.float32)
    for k in range(octaves):
        count = min(size, max(2, cells * 2**k))
        coarse = rng.standard_normal((count + 1, count + 1)).astype(np.float32)
        out += cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC) / 2**k
    return out / 1.15


def _soft(value: Field, width: float) -> Field:
    """0 below zero, 1 above, with an edge of this width."""
    return np.clip(value / width + 0.5, 0, 1)


def _ring(r: Field, middle: float, half: float, edge: float) -> Field:
    return _soft(half - np.abs(r - middle), edge)


def _spokes(rng: random.Random, r: Field, a: Field, edge: float) -> Field:
    """Coverage of the rim's metal, for radii as shares of the rim."""
    kind = rng.choices(("spokes", "twin", "mesh", "holes", "slots", "disc"), (0.34, 0.18, 0.12, 0.12, 0.16, 0.08))[0]
    count = rng.choice((3, 4, 5, 5, 5, 6, 7, 8, 9, 10, 12))
    phase = rng.uniform(0, 2 * math.pi)
    if kind in ("spokes", "twin", "mesh"):
        twist = rng.uniform(-0.5, 0.5) if rng.random() < 0.4 else 0.0
        share, taper = rng.uniform(0.18, 0.55), rng.uniform(-0.6, 0.5)
        if kind == "mesh":
            count, share, twist = rng.randint(8, 14), rng.uniform(0.14, 0.25), rng.uniform(0.4, 1.0)
        out = np.zeros_like(r)
        for way in (twist, -twist) if kind == "mesh" else (twist,):
            turn = ((a + phase + way * r) * count / (2 * math.pi)) % 1 - 0.5
            off = np.abs(turn)
            if kind == "twin":
                off = np.abs(off - 0.22)
                share = min(share, 0.26)
            half = share / 2 * (1 + taper * (r - 0.5)) * np.minimum(1.6, 0.5 / np.maximum(r, 0.2))
            out = np.maximum(out, _soft((half - off) * 2 * math.pi * r / count, edge))
        hub = rng.uniform(0.18, 0.36)
        return np.maximum(out, np.maximum(_soft(hub - r, edge), _soft(r - rng.uniform(0.88, 0.95), edge)))
    if kind == "disc":
        return np.ones_like(r)
    turn = ((a + phase) * count / (2 * math.pi)) % 1 - 0.5
    middle = rng.uniform(0.62, 0.78)
    if kind == "holes":
        hole = np.hypot((turn * 2 * math.pi / count) * middle, r - middle)
        return 1 - _soft(rng.uniform(0.06, 0.12) - hole, edge)
    slot = np.minimum(rng.uniform(0.2, 0.42) - np.abs(turn), (rng.uniform(0.1, 0.2) - np.abs(r - middle)))
    return 1 - _soft(slot, edge)


def _lettering(rng: random.Random, dice: np.random.Generator, r: Field, a: Field, inner: float) -> Field:
    """Marks like letters along arcs."""
    out = np.zeros_like(r)
    for _ in range(rng.randint(0, 5)):
        height = rng.uniform(0.08, 0.3) * (1 - inner)
        middle = rng.uniform(inner + height, 1 - height * 0.8)
        start, length = rng.uniform(0, 2 * math.pi), rng.uniform(0.25, 1.3)
        along = ((a - start) % (2 * math.pi)) * middle / height / 0.7
        inside = (along < length * middle / height / 0.7) & (np.abs(r - middle) < height / 2)
        glyphs = dice.random((64, LETTER_ROWS, LETTER_COLUMNS)) < 0.6
        letter = np.minimum(along.astype(int), 63)
        column = np.minimum(((along % 1) * 1.25 * LETTER_COLUMNS).astype(int), LETTER_COLUMNS)
        row = np.clip(((r - middle) / height + 0.5) * LETTER_ROWS, 0, LETTER_ROWS - 1).astype(int)
        drawn = glyphs[letter, row, np.minimum(column, LETTER_COLUMNS - 1)] & (column < LETTER_COLUMNS)
        out = np.maximum(out, (inside & drawn) * rng.uniform(0.3, 1.0))
    return out.astype(np.float32)


def _metal(rng: random.Random, dice: np.random.Generator, r: Field, a: Field, v: Field) -> Image:
    grey = math.exp(rng.uniform(math.log(0.015), math.log(0.75)))
    tint = np.array([1 + rng.gauss(0, 0.04), 1, 1 + rng.gauss(0, 0.05)], np.float32)
    if rng.random() < 0.06:
        tint = np.array([rng.uniform(0.4, 1.2), rng.uniform(0.4, 1), rng.uniform(0.3, 1.2)], np.float32)
    shade = 1 + rng.uniform(0, 0.45) * np.cos(a * rng.choice((1, 2, 3)) + rng.uniform(0, 6)) + rng.uniform(-0.3, 0.3) * v
    shade += rng.uniform(0, 0.25) * noise(dice, len(r), 6)
    return (grey * np.clip(shade, 0.1, 2))[..., None] * tint


def _wheel(rng: random.Random, dice: np.random.Generator, u: Field, v: Field, edge: float) -> tuple[Image, Field]:
    """Colour and coverage of a wheel of radius 1."""
    r, a = np.hypot(u, v), np.arctan2(v, u)
    inner = rng.uniform(0.52, 0.8)
    lugs = 1 + rng.uniform(0, 0.02) * (np.sin(a * rng.randint(30, 70)) > 0) if rng.random() < 0.5 else 1.0
    cover = _soft(lugs - r, edge)
    # Rubber: a bulge with rings, lettering, dust, and light from one side.
    grey = math.exp(rng.uniform(math.log(0.012), math.log(0.16)))
    place = (r - inner) / (1 - inner)
    bulge = 1 + rng.uniform(0, 0.9) * np.cos(a - rng.uniform(0, 6.3)) * (place - 0.5) - rng.uniform(0, 0.5) * np.clip(place - 0.8, 0, 1) * 5
    rings = sum(
        rng.uniform(-0.4, 0.5) * _ring(r, inner + rng.uniform(0.03, 0.97) * (1 - inner), 0.008, edge) for _ in range(rng.randint(0, 6))
    )
    dust = np.clip(noise(dice, len(r), 3) * rng.uniform(0, 0.4), -0.5, 2)
    letters = rng.choice((0.3, 0.6, 1.0, 3.0)) * _lettering(rng, dice, r, a, inner)
    rubber = grey * np.clip(bulge + rings + dust + letters, 0.15, 8)
    tint = np.array([1 + rng.uniform(-0.05, 0.25), 1, 1 - rng.uniform(-0.08, 0.25)], np.float32)
    colour = rubber[..., None] * tint
    # The rim with what is behind it.
    s = r / inner
    hole = np.full_like(colour, math.exp(rng.uniform(math.log(0.004), math.log(0.09))))
    if rng.random() < 0.5:
        disc = _soft(rng.uniform(0.5, 0.75) - s, edge)[..., None]
        hole = hole * (1 - disc) + disc * rng.uniform(0.05, 0.4) * (1 + 0.2 * np.cos(a)[..., None])
    metal = _metal(rng, dice, r, a, v)
    there = _spokes(rng, s, a, edge / inner)[..., None]
    rim = hole * (1 - there) + metal * there
    lip = _ring(s, 0.965, rng.uniform(0.01, 0.04), edge / inner)[..., None]
    rim = rim * (1 - lip) + metal * rng.uniform(0.7, 1.6) * lip
    cap = _soft(rng.uniform(0.08, 0.17) - s, edge / inner)[..., None]
    rim = rim * (1 - cap) + cap * math.exp(rng.uniform(math.log(0.01), math.log(0.7)))
    if rng.random() < 0.7:
        bolts, at = rng.choice((4, 5, 5, 6)), rng.uniform(0.2, 0.32)
        turn = ((a + rng.uniform(0, 6)) * bolts / (2 * math.pi)) % 1 - 0.5
        bolt = _soft(0.045 - np.hypot(turn * 2 * math.pi / bolts * at, s - at), edge / inner)[..., None]
        rim = rim * (1 - bolt) + bolt * rng.choice((0.01, 0.05, 0.4))
    on_rim = _soft(1 - s, edge / inner)[..., None]
    if rng.random() < 0.06:  # a tire without a rim
        return colour, cover * (1 - on_rim[..., 0] * rng.uniform(0.6, 1))
    return colour * (1 - on_rim) + rim * on_rim, cover


def _around(rng: random.Random, dice: np.random.Generator, ground: Image, u: Field, v: Field, edge: float) -> tuple[Image, Field]:
    """The ground, the body of the car and the dark arch. Also returns the coverage of the body in front of the wheel."""
    picture = ground.copy()
    size = len(u)
    if rng.random() < 0.75:
        level = rng.uniform(0.9, 1.02)
        grey = math.exp(rng.uniform(math.log(0.04), math.log(0.6)))
        floor = grey * (1 + rng.uniform(0.05, 0.3) * noise(dice, size, rng.choice((3, 8, 20))))
        floor *= 1 - 0.8 * np.exp(-((np.maximum(0, np.abs(u) - 0.3) * 1.6) ** 2) - ((v - level) * 3) ** 2)
        below = _soft(v - level - rng.gauss(0, 0.05) * u, edge)[..., None]
        tint = np.array([1 + rng.uniform(-0.05, 0.2), 1, 1 - rng.uniform(-0.05, 0.2)], np.float32)
        picture = picture * (1 - below) + np.clip(floor, 0.005, 1)[..., None] * tint * below
    if rng.random() < 0.25:
        return picture, np.zeros_like(u)
    arch, drop = rng.uniform(1.03, 1.3), rng.uniform(-0.08, 0.06)
    far = np.hypot(u, v - drop)
    bottom = rng.uniform(0.2, 0.75)
    body = _soft(far - arch, edge) * _soft(bottom + rng.gauss(0, 0.1) * u - v, edge)
    top = rng.uniform(1.4, 3.2)
    body *= _soft(v + top, 0.2)
    well = _soft(arch - far, edge) * _soft(rng.uniform(0.3, 0.8) - v, 0.3)
    picture = picture * (1 - well[..., None]) + well[..., None] * math.exp(rng.uniform(math.log(0.003), math.log(0.05)))
    paint = np.array(
        rng.choice(([0.8] * 3, [0.02] * 3, [0.3] * 3, [0.5, 0.5, 0.52], [0.45, 0.02, 0.02], [0.03, 0.06, 0.25], [0.6, 0.55, 0.45]))
    )
    paint = paint * rng.uniform(0.6, 1.2)
    shine = 1 + rng.uniform(0, 0.5) * np.sin(v * rng.uniform(1, 6) + rng.uniform(0, 6)) + rng.uniform(0, 0.3) * noise(dice, size, 3)
    shine *= 1 - 0.6 * _ring(far, arch + 0.03, 0.025, edge)
    if rng.random() < 0.3:  # black plastic around the arch
        lip = _soft(arch + rng.uniform(0.08, 0.2) - far, edge)
        shine = shine * (1 - lip) + lip * 0.03 / max(0.02, float(paint.mean()))
    picture = picture * (1 - body[..., None]) + np.clip(shine, 0.1, 2)[..., None] * paint * body[..., None]
    return picture.astype(np.float32), body * (v < 0)


def drawn_wheel(seed: int, ground: Image, place: Place) -> Image:
    """Draws one wheel at a place of a square background. The same seed gives the same image."""
    rng, dice = random.Random(f"wheel:{seed}"), np.random.default_rng(seed)
    size = len(ground)
    grid = (np.arange(size, dtype=np.float32) + 0.5) / size
    x, y = np.meshgrid(grid - place.x, grid - place.y)
    cos, sin = math.cos(place.roll), math.sin(place.roll)
    u, v = (x * cos + y * sin) / place.radius, (y * cos - x * sin) / place.radius
    edge = 1.5 / size / place.radius
    picture, body = _around(rng, dice, ground, u, v, edge)
    away = rng.choice((-1, 1)) * math.sqrt(max(0.0, 1 - place.squeeze**2)) * rng.uniform(0.2, 0.45)
    # Behind the side stands the tread, seen at a grazing angle.
    behind = np.clip(1.0 - np.hypot((u - away) / place.squeeze, v), -1, 1)
    shoulder = _soft(behind, edge) * _soft(away * (u - away / 2), 0.3) if abs(away) > 0.02 else np.zeros_like(u)
    blocks = 0.5 + 0.5 * (np.sin(np.arctan2(v, u) * rng.randint(25, 60)) > rng.uniform(-0.5, 0.5))
    tread = (math.exp(rng.uniform(math.log(0.01), math.log(0.12))) * blocks)[..., None]
    picture = picture * (1 - shoulder[..., None]) + tread * shoulder[..., None]
    wheel, cover = _wheel(rng, dice, u / place.squeeze, v, edge)
    hidden = body if rng.random() < 0.6 else np.zeros_like(body)
    cover = (cover * (1 - hidden))[..., None]
    picture = picture * (1 - cover) + wheel * cover
    dark = rng.uniform(0, 0.6) * _soft(-v - rng.uniform(0.2, 0.8), 0.4)[..., None]
    return np.clip(picture * (1 - dark), 0, 2).astype(np.float32)
