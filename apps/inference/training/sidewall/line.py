"""One rendered line of text, as the recognizer gets it."""

import cv2
import numpy as np

from .letters import draw_style, mask_of
from .light import draw_light, shaded
from .photo import captured, local_contrast
from .relief import Surface, draw_relief_style, put_clutter, put_letters, put_pattern, put_ribs, worn
from .texts import line_text, other_text

Box = tuple[float, float, float, float]  # x, y, width, height

CAP_PX = 34  # digits on the rendered rubber
HEIGHT_PX = 48  # of the recognizer's input
STEP_PX = 32  # image widths are multiples of this, so that batches need no padding
LONGEST_PX = 512


def rubber(rng: np.random.Generator, fonts: str, text: str, hard: float) -> tuple[Surface, Box]:
    """A band of rubber with the text in the middle and clutter around it. Returns the surface and the text's box."""
    cap = CAP_PX
    mask = mask_of(text, draw_style(rng, fonts), cap)
    rows, columns = round(cap * 3.2), mask.shape[1] + 4 * cap
    surface = Surface(rows, columns)
    x, y = 2 * cap, (rows - mask.shape[0]) // 2
    pad = round(cap * 0.3)
    put_pattern(surface, rng)
    put_ribs(surface, rng, (y + pad - 3, y + pad + cap + 3))
    put_clutter(surface, rng)
    relief_style = draw_relief_style(rng)
    put_letters(surface, rng, mask, x, y, relief_style)
    for above in (True, False):
        if rng.random() < 0.3:
            neighbour(surface, rng, fonts, above)
    worn(surface, rng, hard)
    return surface, (x + pad, y + pad, mask.shape[1] - 2 * pad, cap)


def neighbour(surface: Surface, rng: np.random.Generator, fonts: str, above: bool) -> None:
    """Another line of text, which the crop may cut."""
    cap = int(rng.integers(10, 30))
    mask = mask_of(other_text(rng)[:20], draw_style(rng, fonts), cap)
    rows = surface.shape[0]
    gap = round(CAP_PX * 0.5 + rng.uniform(0.25, 0.6) * CAP_PX)
    y = rows // 2 - gap - mask.shape[0] + round(cap * 0.3) if above else rows // 2 + gap - round(cap * 0.3)
    put_letters(surface, rng, mask, int(rng.integers(-40, max(1, surface.shape[1] - 40))), y, draw_relief_style(rng))


def cut(pixels: np.ndarray, rng: np.random.Generator, box: Box, scale: float, letters: int) -> np.ndarray:
    """A crop like a detector's: with margins, a bent or tilted base line, a wrong aspect ratio."""
    x, y, width, cap = (v * scale for v in box)
    share = float(rng.uniform(0.5, 0.92))  # of the crop's height, for the digits
    height = cap / share
    left, right = rng.uniform(0.05, 0.6, 2) * cap
    aspect = float(np.exp(rng.normal(0, 0.1)))
    length = (width + left + right) / height * HEIGHT_PX * aspect
    length = max(length, 9.0 * letters)  # frames for every letter
    columns = int(np.clip(np.ceil(length / STEP_PX), 2, LONGEST_PX // STEP_PX)) * STEP_PX
    u = (np.arange(columns, dtype=np.float32)[None] + 0.5) / columns
    v = (np.arange(HEIGHT_PX, dtype=np.float32)[:, None] + 0.5) / HEIGHT_PX - 0.5
    slack = (1 - share) * height
    tilt, bend = rng.normal(0, 0.3), rng.normal(0, 0.35)
    rise = slack * (rng.uniform(-0.4, 0.4) + 0.5 * tilt * (u - 0.5) + bend * ((u - 0.5) ** 2 - 0.08) * 2)
    lean = float(rng.normal(0, 0.05)) * height
    pinch = 1 + float(rng.normal(0, 0.06)) * (u - 0.5)
    stretch = (width + left + right) * (u + float(rng.normal(0, 0.03)) * np.sin(np.pi * u * 2) / 6)
    map_x = (x - left + stretch + lean * v).astype(np.float32)
    map_y = (y + cap / 2 + rise + v * height * pinch).astype(np.float32)
    return cv2.remap(pixels, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def render_line(seed: int, fonts: str, held_out: bool = False) -> tuple[np.ndarray, str, bool]:
    """Image 48 x n (uint8) and text; upside-down lines have no text. The same seed gives the same image."""
    rng = np.random.default_rng([20261121 if held_out else 7, seed])
    text, is_size = line_text(rng)
    hard = float(rng.beta(1.1, 1.7))
    surface, box = rubber(rng, fonts, text, hard)
    bright = shaded(surface, rng, draw_light(rng))
    scale = float(np.exp(rng.uniform(np.log(18 - 9 * hard), np.log(44)))) / CAP_PX
    pixels = captured(bright.astype(np.float32), rng, scale, hard)
    crop = cut(pixels, rng, box, scale, len(text))
    if rng.random() < 0.55:
        crop = local_contrast(crop, int(rng.integers(14, 48)))
    if rng.random() < 0.04:
        crop = crop[::-1, ::-1]
        text, is_size = "", False
    return np.ascontiguousarray(crop), text, is_size
