"""Lettering as masks, in typefaces like those of tire makers, stretched, slanted and spaced."""

import functools
from pathlib import Path
from typing import TypedDict

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont


class LetterStyle(TypedDict):
    face: str
    stretch: float
    slant: float
    tracking: float
    gap: float
    small_rest: bool


THIN = ("Thin", "ExtraLight")


@functools.cache
def typefaces(folder: str) -> list[list[str]]:
    """Paths of the fonts in fonts.txt, grouped by family, so that a family of nine weights is not drawn nine times as often."""
    families = {}
    for path in sorted(Path(folder).rglob("*.ttf")):
        if not any(t in path.stem for t in THIN):
            families.setdefault(path.stem.split("_")[0], []).append(str(path))
    if not families:
        raise FileNotFoundError(f"no fonts in {folder}: see the README")
    return list(families.values())


@functools.lru_cache(maxsize=512)
def font_of(path: str, size_px: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size_px)


@functools.cache
def size_for_cap(path: str, cap_px: int) -> int:
    """The font size at which digits are `cap_px` high."""
    box = font_of(path, 100).getbbox("0")
    return max(6, round(100 * cap_px / max(1, box[3] - box[1])))


def draw_face(rng: np.random.Generator, folder: str) -> str:
    families = typefaces(folder)
    family = families[int(rng.integers(len(families)))]
    return family[int(rng.integers(len(family)))]


def draw_style(rng: np.random.Generator, folder: str) -> LetterStyle:
    """The random parameters of one lettering."""
    return {
        "face": draw_face(rng, folder),
        "stretch": float(np.exp(rng.normal(0.08, 0.22))),
        "slant": float(rng.choice([0, 0, rng.normal(0, 0.06), rng.uniform(0.1, 0.35)])),
        "tracking": float(max(-0.02, rng.choice([0.02, rng.exponential(0.08), rng.exponential(0.2)]))),
        "gap": float(rng.uniform(0.25, 0.8)),
        "small_rest": bool(rng.random() < 0.12),
    }


def mask_of(text: str, style: LetterStyle, cap_px: int) -> np.ndarray:
    """The text as coverage 0..1; `cap_px` is the height of a digit, and the mask has a margin around it."""
    path = style["face"]
    pad = round(cap_px * 0.3)
    font = font_of(path, size_for_cap(path, cap_px))
    top = font.getbbox("0")[1]
    small = font_of(path, size_for_cap(path, max(6, round(cap_px * 0.7))))
    words, x, places = text.split(" "), float(pad), []
    for i, word in enumerate(words):
        face = small if style["small_rest"] and i == len(words) - 1 and i > 0 else font
        drop = 0 if face is font else round(cap_px * 0.3)
        shift = top - face.getbbox("0")[1] + drop
        for letter in word:
            places.append((x, shift, letter, face))
            x += face.getlength(letter) + style["tracking"] * cap_px / style["stretch"]
        x += style["gap"] * cap_px / style["stretch"]
    width = max(8, int(x - style["gap"] * cap_px / style["stretch"] + pad))
    image = Image.new("L", (width, cap_px + 2 * pad))
    draw = ImageDraw.Draw(image)
    for at, shift, letter, face in places:
        draw.text((at, pad - top + shift), letter, fill=255, font=face)
    mask = np.asarray(image, np.float32) / 255
    slant, stretch = style["slant"], style["stretch"]
    height = mask.shape[0]
    out_width = max(8, round(width * stretch + abs(slant) * height))
    move = np.float32([[stretch, -slant, max(0.0, slant) * height], [0, 1, 0]])
    return cv2.warpAffine(mask, move, (out_width, height), flags=cv2.INTER_AREA if stretch < 1 else cv2.INTER_LINEAR)
