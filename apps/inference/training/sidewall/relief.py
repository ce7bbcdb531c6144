"""Rubber as a height field with lettering, patterns, ribs, vents and wear. Lengths are in pixels."""

from typing import TypedDict

import cv2
import numpy as np


class ReliefStyle(TypedDict):
    kind: str
    rise: float
    bevel: float
    rim: float
    tint: float
    clears: bool
    plate: float


KINDS = ("raised", "raised", "raised", "engraved", "outline", "outline", "double", "hatched", "flat", "soft")


def soft(field: np.ndarray, sigma: float) -> np.ndarray:
    return cv2.GaussianBlur(field, (0, 0), sigma) if sigma > 0.15 else field


def grown(mask: np.ndarray, pixels: float) -> np.ndarray:
    size = max(1, round(abs(pixels)))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * size + 1, 2 * size + 1))
    return cv2.dilate(mask, kernel) if pixels > 0 else cv2.erode(mask, kernel)


def noise(rng: np.random.Generator, shape: tuple[int, int], cell: float) -> np.ndarray:
    """Smooth noise of unit deviation with features of about `cell` pixels."""
    small = rng.standard_normal((max(2, int(shape[0] / cell) + 2), max(2, int(shape[1] / cell) + 2))).astype(np.float32)
    return cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


class Surface:
    def __init__(self, height: int, width: int) -> None:
        shape = (height, width)
        self.shape = shape
        self.height = np.zeros(shape, np.float32)
        self.pattern = np.zeros(shape, np.float32)  # fine hatching, which flat letters interrupt
        self.tint = np.zeros(shape, np.float32)  # how much lighter the rubber itself is, 0..1

    def area(self, mask: np.ndarray, x: int, y: int) -> tuple[tuple[slice, slice], np.ndarray] | tuple[None, None]:
        """The area of a mask placed at x, y, and the part of the mask on the surface."""
        top, left = max(0, y), max(0, x)
        bottom, right = min(self.shape[0], y + mask.shape[0]), min(self.shape[1], x + mask.shape[1])
        if bottom <= top or right <= left:
            return None, None
        return (slice(top, bottom), slice(left, right)), mask[top - y : bottom - y, left - x : right - x]


def draw_relief_style(rng: np.random.Generator) -> ReliefStyle:
    return {
        "kind": KINDS[int(rng.integers(len(KINDS)))],
        "rise": float(np.exp(rng.normal(0.9, 0.5))),
        "bevel": float(rng.uniform(0.4, 1.8)),
        "rim": float(rng.uniform(1.2, 3.2)),
        "tint": float(rng.choice([0, 0, 0, rng.normal(0, 0.12), rng.uniform(0.2, 0.9)], p=[0.3, 0.2, 0.2, 0.25, 0.05])),
        "clears": bool(rng.random() < 0.7),
        "plate": float(rng.choice([0, rng.normal(0, 1.0)], p=[0.85, 0.15])),
    }


def put_letters(surface: Surface, rng: np.random.Generator, mask: np.ndarray, x: int, y: int, relief_style: ReliefStyle) -> None:
    where, mask = surface.area(mask, x, y)
    if where is None:
        return
    kind, rise, rim = relief_style["kind"], relief_style["rise"], relief_style["rim"]
    inside = mask
    if kind == "outline":
        inside = np.clip(grown(mask, rim / 2) - grown(mask, -rim / 2), 0, 1)
    elif kind == "double":
        inside = np.clip(grown(mask, rim) - grown(mask, rim * 0.3), 0, 1) * 0.7 + mask * 0.8
    relief = soft(inside, relief_style["bevel"] * (2.0 if kind == "soft" else 1.0))
    if kind == "engraved":
        rise = -rise
    elif kind == "flat" and float(surface.pattern[where].std()) > 0.1:
        rise *= 0.15  # visible by the pattern that it interrupts
    elif kind == "hatched":
        lines = hatching(rng, mask.shape, float(rng.uniform(2.5, 5)), float(rng.uniform(-1, 1)))
        relief = relief * (0.6 + 0.4 * lines)
    surface.height[where] += rise * relief
    surface.tint[where] += relief_style["tint"] * mask
    if relief_style["clears"] or kind == "flat":
        surface.pattern[where] *= 1 - np.clip(grown(mask, 1.5 if kind == "outline" else 0.5), 0, 1)
    if relief_style["plate"]:
        plate = np.zeros_like(mask)
        plate[2:-2, 2:-2] = 1
        surface.height[where] += relief_style["plate"] * soft(plate, 1)


def hatching(rng: np.random.Generator, shape: tuple[int, int], period: float, tilt: float) -> np.ndarray:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    wave = np.sin((x + tilt * y) * (2 * np.pi / period) + rng.uniform(0, 6.28))
    return np.clip(wave * rng.uniform(1, 3), -1, 1).astype(np.float32)


def put_pattern(surface: Surface, rng: np.random.Generator) -> None:
    """Radial hatching, checks or crossed lines, everywhere or in patches with sharp ends."""
    if rng.random() < 0.45:
        return
    period = float(rng.uniform(2.5, 9))
    tilt = float(rng.choice([0, rng.normal(0, 0.2), rng.uniform(-1.2, 1.2)]))
    lines = hatching(rng, surface.shape, period, tilt)
    if rng.random() < 0.25:
        lines = lines * hatching(rng, surface.shape, float(rng.uniform(2.5, 9)), -tilt or 1.0)
    elif rng.random() < 0.1:
        lines = hatching(rng, surface.shape[::-1], period, 0).T.copy()
    if rng.random() < 0.5:
        edges = noise(rng, surface.shape, float(rng.uniform(30, 90)))
        lines = lines * (edges > rng.normal(0, 0.5))
    surface.pattern += lines * float(np.exp(rng.normal(-1.5, 0.6)))


def put_ribs(surface: Surface, rng: np.random.Generator, free: tuple[float, float]) -> None:
    """Lines that run along the tire; `free` is the band of rows with lettering, which few of them cross."""
    rows = np.arange(surface.shape[0], dtype=np.float32)[:, None]
    for _ in range(int(rng.poisson(1.6))):
        at = float(rng.uniform(0, surface.shape[0]))
        if free[0] < at < free[1] and rng.random() < 0.93:
            continue
        width, rise = float(rng.uniform(0.6, 3)), float(rng.normal(0, 2))
        if rng.random() < 0.4:
            surface.height += rise * 1.5 / (1 + np.exp(-np.clip((rows - at) / width, -30, 30)))
        else:
            surface.height += rise * np.exp(-(((rows - at) / width) ** 2))


def put_clutter(surface: Surface, rng: np.random.Generator) -> None:
    """Vents and their stubs, spokes across the band, scuffs and scratches."""
    rows, columns = surface.shape
    for _ in range(int(rng.poisson(0.7))):
        x, y, r = int(rng.integers(columns)), int(rng.integers(rows)), int(rng.integers(1, 4))
        cv2.circle(surface.height, (x, y), r, float(rng.normal(0, 3)), -1, cv2.LINE_AA)
    for _ in range(int(rng.poisson(0.35))):
        x = int(rng.integers(columns))
        cv2.line(surface.height, (x, 0), (x + int(rng.normal(0, 4)), rows), float(rng.normal(0, 1.5)), int(rng.integers(1, 3)), cv2.LINE_AA)
    for _ in range(int(rng.poisson(0.5))):
        a = (int(rng.integers(columns)), int(rng.integers(rows)))
        b = (int(a[0] + rng.normal(0, 40)), int(a[1] + rng.normal(0, 10)))
        cv2.line(surface.tint, a, b, float(rng.uniform(-0.1, 0.3)), 1, cv2.LINE_AA)


def worn(surface: Surface, rng: np.random.Generator, hard: float) -> None:
    """Wear: raised parts are lower in places, and grain covers the surface."""
    if rng.random() < 0.35:
        where = np.clip(noise(rng, surface.shape, float(rng.uniform(15, 60))) * 0.6 + rng.normal(-0.3, 0.5), 0, 1)
        surface.height *= 1 - (0.3 + 0.55 * hard) * where
    surface.height += noise(rng, surface.shape, 1.5) * float(rng.uniform(0, 0.02 + 0.12 * hard))
    surface.height += noise(rng, surface.shape, float(rng.uniform(4, 12))) * float(rng.uniform(0, 0.1 + 0.5 * hard))
