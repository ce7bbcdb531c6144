"""A rendered part of an unwrapped sidewall with several lines of text and their maps; the tire's outer edge is on top."""

import cv2
import numpy as np

from .letters import draw_style, mask_of
from .light import draw_light, shaded
from .photo import captured, local_contrast
from .relief import Surface, draw_relief_style, noise, put_clutter, put_letters, put_pattern, put_ribs, worn
from .texts import any_size, foreign_size, other_text, size_text

HEIGHT_PX = 192
TEXT, SIZE, TURNED = 0, 1, 2


def put_line(surface: Surface, maps: np.ndarray, rng: np.random.Generator, fonts: str, track: tuple[float, int], x: int) -> int:
    """One text on a track (row of its middle, height of its digits); returns the start of the next one."""
    middle, cap = track
    draw = rng.random()
    is_size = draw < 0.45
    text = size_text(rng, any_size(rng)) if draw < 0.4 else foreign_size(rng) if is_size else other_text(rng)
    mask = mask_of(text[:28], draw_style(rng, fonts), cap)
    turned = rng.random() < 0.12
    if turned:
        mask = mask[::-1, ::-1].copy()
    pad = round(cap * 0.3)
    y = round(middle - mask.shape[0] / 2)
    put_letters(surface, rng, mask, x, y, draw_relief_style(rng))
    top, bottom = middle - 0.25 * cap, middle + 0.25 * cap
    left, right = x + pad + 0.25 * cap, x + mask.shape[1] - pad - 0.25 * cap
    shape = (slice(max(0, round(top)), max(0, round(bottom))), slice(max(0, round(left)), max(0, round(right))))
    maps[TEXT][shape] = 1
    maps[SIZE][shape] = float(is_size)
    maps[TURNED][shape] = float(turned)
    return x + mask.shape[1] + round(float(rng.exponential(3.0)) * cap)


def put_ornament(surface: Surface, rng: np.random.Generator) -> None:
    """Checks, zigzags, chevrons and bars, raised or as lines: they look like lettering from afar."""
    rows, columns = surface.shape
    high, at = float(rng.uniform(0.06, 0.4)) * rows, float(rng.uniform(0.1, 0.85)) * rows
    mask = np.zeros(surface.shape, np.float32)
    step, lean = high * float(rng.uniform(0.2, 1.5)), float(rng.uniform(-1.5, 1.5)) * high
    kind, filled = int(rng.integers(4)), rng.random() < 0.4
    x = float(rng.uniform(-100, columns))
    for i in range(int(rng.integers(2, 25))):
        left, right = x + i * step, x + (i + rng.uniform(0.3, 0.9)) * step
        if kind == 0:
            corners = [(left, at), (right, at), (right + lean, at + high), (left + lean, at + high)]
        elif kind == 1:
            corners = [(left, at), (left + step / 2, at + high), (left + step, at)]
        elif kind == 2:
            half = at + (i % 2) * high / 2
            corners = [(left, half), (left + step, half), (left + step + lean / 4, half + high / 2), (left + lean / 4, half + high / 2)]
        else:
            corners = [(left, at), (right, at), (left + step / 2 + lean, at + high / 2), (right, at + high), (left, at + high)]
        points = [np.round(np.array(corners)).astype(np.int32)]
        if filled:
            cv2.fillPoly(mask, points, 1.0, cv2.LINE_AA)
        else:
            cv2.polylines(mask, points, kind != 1, 1.0, int(rng.integers(1, 3)), cv2.LINE_AA)
    relief_style = {**draw_relief_style(rng), "kind": str(rng.choice(["raised", "engraved", "soft", "flat", "hatched"]))}
    put_letters(surface, rng, mask, 0, 0, relief_style)


def put_small_print(surface: Surface, maps: np.ndarray, rng: np.random.Generator, fonts: str, y: float, x: int) -> None:
    """Two to four lines of a warning, hardly legible; text without a size."""
    cap = int(rng.integers(6, 10))
    relief_style, style = draw_relief_style(rng), draw_style(rng, fonts)
    for line in range(int(rng.integers(2, 5))):
        mask = mask_of(f"{other_text(rng)} {other_text(rng)}"[:50], style, cap)
        top = round(y + line * cap * 1.7)
        put_letters(surface, rng, mask, x, top, relief_style)
        pad = round(cap * 0.3)
        first, last = top + pad + round(0.25 * cap), top + pad + round(0.75 * cap)
        maps[TEXT][max(0, first) : max(0, last), max(0, x + pad) : max(0, x + mask.shape[1] - pad)] = 1


def put_edges(bright: np.ndarray, rng: np.random.Generator) -> None:
    """Tread blocks and background on top, the rim's flange at the bottom."""
    rows, columns = bright.shape
    level = float(np.median(bright))
    if rng.random() < 0.6:
        end = int(rng.uniform(0.02, 0.22) * rows)
        blocks = np.sin(np.arange(columns, dtype=np.float32) * (2 * np.pi / rng.uniform(25, 90)) + rng.uniform(0, 6))
        bright[:end] *= np.where(blocks > rng.uniform(-0.5, 0.9), 0.3, 1.0 + 0.4 * rng.uniform(-1, 1))[None]
        if rng.random() < 0.5:
            beyond = int(rng.uniform(0, 0.5) * end)
            bright[:beyond] = (
                level * rng.uniform(0.1, 4) * np.clip(1 + 0.4 * noise(rng, (beyond, columns), 3), 0, 3) if beyond > 1 else level
            )
    if rng.random() < 0.5:
        start = rows - int(rng.uniform(0.01, 0.15) * rows)
        bright[start:] = level * rng.uniform(0.2, 6) * np.clip(1 + 0.2 * noise(rng, (rows - start, columns), 20), 0.1, 3)
        bright[start : start + 2] *= 0.2


def wave(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Sampling positions of a strip whose ring was found with an error: columns shift, rows are squeezed."""
    rows, columns = shape
    u = np.arange(columns, dtype=np.float32)[None] / rows
    off = rng.normal(0, 0.03) * rows * np.sin(u * rng.uniform(0.1, 0.6) + rng.uniform(0, 6)) + rng.normal(0, 0.01) * rows * u
    v = np.arange(rows, dtype=np.float32)[:, None]
    squeeze = float(np.exp(rng.normal(0, 0.08)))
    return np.broadcast_to(u * rows, shape).astype(np.float32), ((v - rows / 2) * squeeze + rows / 2 + off).astype(np.float32)


def degraded(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A dark, noisy and strongly compressed image, as messengers send it: contrast normalization amplifies the blocks of plain rubber."""
    dark = pixels * float(rng.uniform(0.2, 1.0)) + rng.standard_normal(pixels.shape) * float(rng.uniform(0, 5))
    small = cv2.resize(np.clip(dark, 0, 255).astype(np.uint8), None, fx=(scale := float(rng.uniform(0.5, 1.2))), fy=scale, interpolation=cv2.INTER_AREA)
    coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(18, 70))])[1]
    return cv2.resize(cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE), pixels.shape[::-1], interpolation=cv2.INTER_LINEAR)


def render_strip(seed: int, fonts: str, columns: int = 640, held_out: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Image (uint8, HEIGHT_PX x columns) and three maps: text, size, upside down. The same seed gives the same image."""
    rng = np.random.default_rng([20261122 if held_out else 8, seed])
    surface, maps = Surface(HEIGHT_PX, columns), np.zeros((3, HEIGHT_PX, columns), np.float32)
    put_pattern(surface, rng)
    tracks, at = [], rng.uniform(0.12, 0.35) * HEIGHT_PX
    while at < 0.95 * HEIGHT_PX and len(tracks) < 4:
        cap = float(np.exp(rng.uniform(np.log(0.06), np.log(0.42)))) * HEIGHT_PX
        if at + cap < 0.98 * HEIGHT_PX:
            tracks.append((at + cap / 2, max(9, round(cap))))
        at += cap * rng.uniform(1.3, 1.8) + rng.uniform(0, 0.2) * HEIGHT_PX
    put_ribs(surface, rng, (-1, -1))
    put_clutter(surface, rng)
    for _ in range(int(rng.poisson(0.8))):
        put_ornament(surface, rng)
    if rng.random() < 0.3:
        put_small_print(surface, maps, rng, fonts, rng.uniform(0.5, 0.9) * HEIGHT_PX, int(rng.integers(-100, columns)))
    for track in tracks:
        x = int(rng.integers(-300, 250))
        while x < columns:
            x = put_line(surface, maps, rng, fonts, track, x)
    hard = float(rng.beta(1.1, 1.7))
    worn(surface, rng, hard)
    bright = shaded(surface, rng, draw_light(rng)).astype(np.float32)
    put_edges(bright, rng)
    pixels = captured(bright, rng, float(np.exp(rng.uniform(np.log(0.4), np.log(1.3)))), hard)
    pixels = cv2.resize(pixels, (columns, HEIGHT_PX), interpolation=cv2.INTER_LINEAR)
    map_x, map_y = wave(rng, pixels.shape)
    pixels = cv2.remap(pixels, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    maps = np.stack([cv2.remap(m, map_x, map_y, cv2.INTER_LINEAR) for m in maps])
    is_poor = rng.random() < 0.35
    if is_poor:
        pixels = degraded(pixels, rng)
    if is_poor or rng.random() < 0.6:
        pixels = local_contrast(pixels, int(rng.integers(24, 56)))
    return pixels, maps
