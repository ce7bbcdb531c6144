"""Images of regular patterns that are not treads: boards, bricks, ribbed walls, blinds.

Treads are also regular, so the network must learn the difference."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from .noise import Dice
from .photo import luminance

KINDS = ("board", "ribs", "slats", "bricks", "grid", "dots")


def _height(kind: str, u: Tensor, v: Tensor, rng: Callable[[float, float], float]) -> Tensor:
    """Returns the reflectance in 0..1 over a plane whose unit is one repetition."""
    low, high = rng(0.02, 0.35), rng(0.55, 0.98)
    if kind == "board":
        return torch.where((u.floor() + v.floor()) % 2 == 0, low, high)
    if kind == "ribs":
        return low + (high - low) * (0.5 + 0.5 * torch.cos(2 * math.pi * u)) ** rng(0.5, 3)
    if kind == "slats":
        return low + (high - low) * (u % 1) ** rng(0.3, 2)
    if kind == "bricks":
        joint = rng(0.04, 0.15)
        row = (v / 0.4).floor()
        gap = ((v / 0.4) % 1 < joint * 2) | ((u + row * 0.5) % 1 < joint)
        return torch.where(
            gap, low if rng(0, 1) < 0.7 else high, 0.5 * (low + high) + 0.12 * torch.sin(row * 12.9 + (u + row * 0.5).floor() * 7.3)
        )
    if kind == "grid":
        line = rng(0.05, 0.2)
        return torch.where((u % 1 < line) | (v % 1 < line), low, high)
    far = ((u % 1 - 0.5) ** 2 + (v % 1 - 0.5) ** 2).sqrt()
    return torch.where(far < rng(0.15, 0.42), low, high)


def pattern(seed: int, size: int) -> Tensor:
    """Returns one image [3,S,S]. The same seed gives the same image."""
    dice = Dice(torch.tensor(Dice.keys_of([seed]), dtype=torch.int32)).apart(7)

    def rng(low: float, high: float) -> float:
        return float(dice.uniform()[0]) * (high - low) + low

    kind = KINDS[int(rng(0, len(KINDS)))]
    grid = (torch.arange(size) + 0.5) / size * 2 - 1
    y, x = torch.meshgrid(grid, grid, indexing="ij")
    # The pattern lies on a tilted plane in front of the camera, or sometimes on a cylinder.
    tilt, pan, roll = rng(-0.7, 0.7), rng(-0.7, 0.7), rng(-math.pi, math.pi)
    bend = rng(0, 0.8) if rng(0, 1) < 0.35 else 0.0
    away = (1 + tilt * y + pan * x).clamp(min=0.25)
    px, py = x / away, y / away * (1 + bend * y * y)
    count = math.exp(rng(math.log(2.5), math.log(22)))
    u = (px * math.cos(roll) + py * math.sin(roll)) * count / 2 + rng(0, 1)
    v = (py * math.cos(roll) - px * math.sin(roll)) * count / 2 * rng(0.5, 1.5) + rng(0, 1)
    light = _height(kind, u, v, rng) * (
        1 + rng(0, 0.5) * dice.fractal(size, size, 4)[0] + rng(0, 0.25) * dice.fractal(size, size, size // 6)[0]
    )
    light = light * (1 + rng(-0.4, 0.4) * x + rng(-0.4, 0.4) * y)
    tone = torch.tensor([1 + rng(-0.12, 0.12) if rng(0, 1) < 0.65 else rng(0.3, 1.3) for _ in range(3)]).view(3, 1, 1)
    picture = light[None] * tone
    if rng(0, 1) < 0.5:  # the pattern has an edge within the image
        along, across, end = rng(-1, 1), rng(-1, 1), rng(0.3, 0.9)
        beyond = x * along + y * across > end
        ground = (rng(0.05, 0.95) + 0.2 * dice.fractal(size, size, 5)[0])[None] * torch.tensor([rng(0.7, 1.2) for _ in range(3)]).view(
            3, 1, 1
        )
        picture = torch.where(beyond, ground, picture)
    picture = (picture * rng(0.4, 1.2) + 0.03 * rng(0, 1) * dice.normal(size, size)[0]).clamp(0, 1)
    if rng(0, 1) < 0.3:
        picture = F.avg_pool2d(F.pad(picture[None], [2] * 4, mode="replicate"), 5, 1)[0]
    if rng(0, 1) < 0.5:  # as colourless as treads
        picture = luminance(picture[None])[0].expand(3, -1, -1)
    return (picture * 255).round().to(torch.uint8)
