"""Images for the framing network: what a phone's live picture shows in its middle square, with what it is and how much of the square it fills."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from PIL import Image

from fill_others import ENDINGS, opened
from tread import carcass
from tread.draw import draw
from tread.parameters import Scenes
from tread.patterns import pattern
from tread.render import render
from tread.scene_values import Scene

from .wheels import Place, drawn_wheel, noise

SIDE = 128
RENDER_PX = 160
KINDS = ("none", "tread", "sidewall")
# A tire that fills less of the square is nothing that a person frames.
LEAST_FILL, MOST_FILL = 0.14, 1.3
# As in apps/capture/web/hints/light.ts, with a margin.
DARKEST_LIGHT = 50
# The field of view of a phone, as width over distance.
WIDEST = 1.2


@dataclass(frozen=True)
class Sample:
    """`image` is [S,S,3] uint8. `kind` are the shares of the three kinds: half and half where a tire shows both. `fill` is the width of the tread,
    or the diameter of the wheel, as a share of the square; NaN where there is none."""

    image: np.ndarray
    kind: tuple[float, float, float]
    fill: float


NONE, TREAD, SIDEWALL, BOTH = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.5, 0.5)


def _log(rng: random.Random, low: float, high: float) -> float:
    return math.exp(rng.uniform(math.log(low), math.log(high)))


# Treads and wheels of the renderer


def _framed(scene: Scene) -> Scene:
    """Another distance, so that small tires are as frequent as large ones."""
    rng = random.Random(f"framing:{scene['distance']}")
    if not scene["tire_there"]:
        return scene
    side = abs(scene["azimuth"]) > 1.3
    if side or rng.random() < 0.75:
        wanted = _log(rng, 0.2, 1.0)
        width = scene["width"] + 2 * scene["bulge"]
        frame = wanted * (scene["width"] / (2 * scene["radius"]) if side else scene["width"] / width)
        # Centred as a person would, and as far as the field of view allows.
        distance = max(scene["distance"], scene["width"] / frame / WIDEST)
        scene = {**scene, "frame": frame, "at_side": scene["at_side"] * (0.3 if side else 1.0), "distance": distance}
        if side:
            scene |= {"at_angle": 0.0, "shift": [rng.gauss(0, 0.06), rng.gauss(0, 0.06)]}
    if side:
        scene["roll"] = scene["roll"] * 0.5
    return scene


def _seen(scene: Scene, points: np.ndarray) -> np.ndarray:
    """Where points of the tire's frame are in the image, as shares of its side. A lens' distortion is left out."""
    p = Scenes([scene], "cpu")
    origin, _, axes = carcass.rays(p, 8, torch.device("cpu"))
    right, up, forward = (axis[0].numpy() for axis in axes)
    rel = points - origin[0].numpy()
    half_tan = min(2.4, max(0.12, scene["width"] / (scene["distance"] * scene["frame"])))
    away = np.maximum(rel @ forward, 1.0) * half_tan
    return np.stack([rel @ right / away - scene["shift"][0] + 0.5, -(rel @ up) / away - scene["shift"][1] + 0.5], 1)


def _fill_of(scene: Scene, is_side: bool) -> float:
    if is_side:
        turn = np.linspace(0, 2 * math.pi, 48)
        side = math.copysign(scene["width"] / 2, scene["azimuth"])
        ring = np.stack([np.full_like(turn, side), scene["radius"] * np.sin(turn), scene["radius"] * np.cos(turn)], 1)
        at = _seen(scene, ring)
        return float(max(np.ptp(at[:, 0]), np.ptp(at[:, 1])))
    angle, r = scene["at_angle"], scene["radius"]
    half = scene["width"] / 2
    ends = np.array([[sign * half, r * math.sin(angle), r * math.cos(angle)] for sign in (-1, 1)])
    left, right = _seen(scene, ends)
    return float(np.hypot(*(right - left)))


def of_renderer(seed: int, split: str, side_only: bool = False) -> Sample | None:
    """A tread, a wheel from its side, or the ground and things without a tire. None where the tire hardly shows."""

    def change(scene: Scene) -> Scene:
        rng = random.Random(f"side:{seed}")
        if side_only:
            scene = {**scene, "tire_there": 1.0, "rack": 0.0, "cover": [0.0] * 4}
            scene["azimuth"] = (scene["outer"] if scene["mounted"] else rng.choice((-1, 1))) * (math.pi / 2 + rng.gauss(0, 0.2))
            scene["elevation"] = rng.gauss(0.1, 0.15)
        return _framed(scene)

    scene = change(draw(seed, split))
    batch = render([seed], RENDER_PX, split, "cpu", 1.2, change=change)
    image = (batch["image"][0] * 255).round().to(torch.uint8).permute(1, 2, 0).numpy()
    if not scene["tire_there"]:
        return Sample(image, NONE, math.nan)
    is_side = abs(scene["azimuth"]) > 1.25
    fill = _fill_of(scene, is_side)
    if not math.isfinite(fill) or not LEAST_FILL <= fill <= 3:
        return None
    if is_side:
        return Sample(image, SIDEWALL, fill)
    shown = float(batch["tread"][0].float().mean())
    if abs(scene["azimuth"]) > 0.7:
        return Sample(image, BOTH, math.nan) if fill > 0.25 and shown > 0.015 else None
    if batch["is_tread"][0] == 1 or (shown > 0.02 and abs(scene["azimuth"]) < 0.5):
        return Sample(image, TREAD, fill)
    return None


# Wheels that are drawn on a background


def of_wheel(seed: int, background: np.ndarray) -> Sample:
    rng = random.Random(f"place:{seed}")
    fill = _log(rng, LEAST_FILL, MOST_FILL)
    squeeze = 1.0 if rng.random() < 0.3 else rng.uniform(0.62, 1)
    room = max(0.04, 0.5 - fill / 2) * 0.6
    x, y = 0.5 + rng.uniform(-room, room), 0.5 + rng.uniform(-room, room)
    if rng.random() < 0.12:  # a part of the rubber with its lettering
        fill, turn = _log(rng, 1.5, 4), rng.uniform(0, 2 * math.pi)
        x, y = 0.5 + 0.41 * fill * math.cos(turn), 0.5 + 0.41 * fill * math.sin(turn)
    place = Place(x, y, fill / 2, squeeze, rng.gauss(0, 0.08))
    ground = (cv2.resize(background, (RENDER_PX, RENDER_PX), interpolation=cv2.INTER_AREA).astype(np.float32) / 255) ** 2.2
    if rng.random() < 0.3:
        ground = cv2.GaussianBlur(ground, (0, 0), rng.uniform(1, 5))
    light = drawn_wheel(seed, ground, place)
    level = _log(rng, 0.12, 0.5) / max(0.02, float(np.median(light)) + 0.3 * float(light.mean()))
    light = light * min(4.0, max(0.5, level))
    image = (np.clip(light, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    return Sample(image, SIDEWALL, fill)


# What is no tire


def of_photographs(folders: Sequence[str], each: int, most: int, seed: int) -> list[np.ndarray]:
    """Square crops of images without a tire."""
    rng = random.Random(seed)
    out = []
    for folder in folders:
        paths = sorted(p for p in Path(folder).rglob("*") if p.suffix.lower() in ENDINGS and p.is_file() and not p.is_symlink())
        rng.shuffle(paths)
        used = 0
        for path in paths:
            if used >= most:
                break
            try:
                image = opened(path)
            except (OSError, ValueError, Image.DecompressionBombError):
                continue
            if image is None:
                continue
            used += 1
            for _ in range(each):
                side = min(image.size) * rng.uniform(0.4, 1)
                left, top = (rng.uniform(0, s - side) for s in image.size)
                box = (left, top, left + side, top + side)
                out.append(np.asarray(image.resize((RENDER_PX, RENDER_PX), Image.Resampling.BILINEAR, box, reducing_gap=2)))
    return out


def of_pattern(seed: int) -> np.ndarray:
    return pattern(seed, RENDER_PX).permute(1, 2, 0).numpy()


def of_shapes(seed: int, background: np.ndarray) -> np.ndarray:
    """Round and dark things that are no tires: plates, lids, clocks, cups, bags, and plain surfaces."""
    rng, dice = random.Random(f"shapes:{seed}"), np.random.default_rng(seed)
    image = cv2.resize(background, (RENDER_PX, RENDER_PX)).copy()
    if rng.random() < 0.5:
        flat = np.array([rng.uniform(10, 240)] * 3) * np.array([1 + rng.gauss(0, 0.1), 1, 1 + rng.gauss(0, 0.12)])
        grain = rng.uniform(0, 0.25) * noise(dice, RENDER_PX, rng.choice((3, 10, 40)))
        image = np.clip(flat * (1 + grain[..., None]), 0, 255).astype(np.uint8)
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        colour = [rng.uniform(5, 250) * (1 + rng.gauss(0, 0.15)) for _ in range(3)] if rng.random() < 0.6 else [rng.uniform(5, 60)] * 3
        at = (int(rng.uniform(0.1, 0.9) * RENDER_PX), int(rng.uniform(0.1, 0.9) * RENDER_PX))
        size = (int(rng.uniform(0.05, 0.5) * RENDER_PX), int(rng.uniform(0.05, 0.5) * RENDER_PX))
        shape = rng.choice(("disc", "rings", "box", "ellipse"))
        if shape == "box":
            corners = cv2.boxPoints((at, size, rng.uniform(0, 90))).astype(np.int32)
            cv2.fillPoly(image, [corners], colour, cv2.LINE_AA)
        elif shape == "ellipse":
            cv2.ellipse(image, at, size, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
        else:
            cv2.circle(image, at, size[0], colour, -1, cv2.LINE_AA)
            for k in range(rng.randint(1, 4) if shape == "rings" else 0):
                other = [rng.uniform(40, 250)] * 3
                cv2.circle(image, at, max(1, int(size[0] * rng.uniform(0.2, 0.98))), other, rng.choice((1, 1, 2, 5, -1)), cv2.LINE_AA)
                if k == 0 and rng.random() < 0.3:
                    turn = rng.uniform(0, 6.3)
                    end = (int(at[0] + size[0] * 0.8 * math.cos(turn)), int(at[1] + size[0] * 0.8 * math.sin(turn)))
                    cv2.line(image, at, end, colour, 2, cv2.LINE_AA)
    return image


# The camera


def photographed(sample: Sample, seed: int) -> Sample:
    """The same as a phone's live picture: held across, shifted, in another light, out of focus, shaken, with grain and compressed."""
    rng, dice = random.Random(f"camera:{seed}"), np.random.default_rng(seed + 1)
    image, fill = sample.image, sample.fill
    size = len(image)
    if rng.random() < 0.5:
        image = image[:, ::-1]
    turn = rng.random() < (0.5 if sample.kind == TREAD else 0.2)
    if turn:
        image = np.rot90(image, rng.choice((1, 2, 3)))
    zoom = _log(rng, 0.95, 1.3)
    if sample.kind == NONE or math.isnan(fill) or fill * zoom <= MOST_FILL:
        angle = rng.gauss(0, 5)
        matrix = cv2.getRotationMatrix2D((size / 2, size / 2), angle, zoom * SIDE / size)
        matrix[:, 2] += SIDE / 2 - size / 2 + np.array([rng.gauss(0, 0.03), rng.gauss(0, 0.03)]) * SIDE
        image = cv2.warpAffine(np.ascontiguousarray(image), matrix, (SIDE, SIDE), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
        fill *= zoom
    else:
        image = cv2.resize(np.ascontiguousarray(image), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    value = image.astype(np.float32) / 255
    value = value ** _log(rng, 0.75, 1.35) * (_log(rng, 0.3, 1.0) if rng.random() < 0.3 else _log(rng, 0.8, 1.25))
    value = value * (1 + np.array([rng.gauss(0, 0.06), 0, rng.gauss(0, 0.07)], np.float32))
    if rng.random() < 0.12:
        value = np.repeat(value.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.4:
        value = cv2.GaussianBlur(value, (0, 0), rng.uniform(0.3, 1.6))
    if rng.random() < 0.12:
        kernel = np.zeros((9, 9), np.float32)
        cv2.line(kernel, (4, 4), (4 + rng.randint(-4, 4), 4 + rng.randint(-4, 4)), 1.0)
        value = cv2.filter2D(value, -1, kernel / kernel.sum())
    if rng.random() < 0.2:  # light from one side, or the shadow of the person
        slope = np.linspace(-1, 1, SIDE, dtype=np.float32) * rng.uniform(-0.5, 0.5)
        value = value * (1 + (slope[None, :, None] if rng.random() < 0.5 else slope[:, None, None]))
    value = value + dice.standard_normal(value.shape).astype(np.float32) * rng.uniform(0, 0.03)
    image = (np.clip(value, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.3:
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(30, 85)])[1], cv2.IMREAD_COLOR)
    return Sample(image, sample.kind, fill)


def many(seed: int, split: str, others: Sequence[np.ndarray], counts: dict[str, int], times: int = 2) -> Iterator[Sample]:
    """Each source in turn, each image photographed a few times."""
    first = seed
    makers = {
        "renders": lambda s: of_renderer(s, split),
        "sides": lambda s: of_renderer(s, split, side_only=True),
        "wheels": lambda s: of_wheel(s, others[s % len(others)]),
        "others": lambda s: Sample(others[s % len(others)], NONE, math.nan),
        "patterns": lambda s: Sample(of_pattern(s), NONE, math.nan),
        "shapes": lambda s: Sample(of_shapes(s, others[(s * 7) % len(others)]), NONE, math.nan),
    }
    for name, count in counts.items():
        for k in range(count):
            sample = makers[name](first + k)
            if sample is None:
                continue
            for again in range(times):
                taken = photographed(sample, (first + k) * 8 + again)
                # In the dark nobody asks the network.
                if np.quantile(taken.image, 0.95) > DARKEST_LIGHT:
                    yield taken
        first += 1_000_000
