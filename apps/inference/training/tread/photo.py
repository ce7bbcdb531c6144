"""Simulates a phone camera, from linear light to a compressed image."""

import math
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor

from .carcass import _c
from .noise import Dice
from .parameters import Scenes

LUMA = (0.2126, 0.7152, 0.0722)
# The luma table of the JPEG standard.
CHROMA = (1.0, 1.8, 1.8)  # quantization relative to luma
QUANT = torch.tensor(
    [
        [16, 11, 10, 16, 24, 40, 51, 61],
        [12, 12, 14, 19, 26, 58, 60, 55],
        [14, 13, 16, 24, 40, 57, 69, 56],
        [14, 17, 22, 29, 51, 87, 80, 62],
        [18, 22, 37, 56, 68, 109, 103, 77],
        [24, 35, 55, 64, 81, 104, 113, 92],
        [49, 64, 78, 87, 103, 121, 120, 101],
        [72, 92, 95, 98, 112, 100, 103, 99],
    ],
    dtype=torch.float32,
)


@lru_cache
def _quant(device: torch.device) -> Tensor:
    """Returns the quantization steps of luma and both chroma planes, cached per device."""
    return (QUANT * torch.tensor(CHROMA).view(1, 3, 1, 1, 1, 1)).to(device)


def luminance(rgb: Tensor) -> Tensor:
    return sum(w * rgb[:, i] for i, w in enumerate(LUMA))


def _gaussian(image: Tensor, sigma: Tensor, largest: float) -> Tensor:
    """Applies a separable blur with one sigma per render. `largest` is the largest sigma; the caller knows it without a device synchronization."""
    radius = min(9, math.ceil(2.6 * largest))
    if radius == 0 or largest < 0.25:
        return image
    batch, channels, height, width = image.shape
    at = torch.arange(-radius, radius + 1, device=image.device, dtype=torch.float32)
    kernel = torch.exp(-(at**2) / (2 * sigma.clamp(min=0.05).view(-1, 1) ** 2))
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(channels, 0)
    flat = image.reshape(1, batch * channels, height, width)
    flat = F.conv2d(F.pad(flat, (radius, radius, 0, 0), mode="reflect"), kernel[:, None, None, :], groups=batch * channels)
    flat = F.conv2d(F.pad(flat, (0, 0, radius, radius), mode="reflect"), kernel[:, None, :, None], groups=batch * channels)
    return flat.view(batch, channels, height, width)


def _shaken(image: Tensor, length: Tensor, angle: Tensor, size: int) -> Tensor:
    total = 0
    for k in range(7):
        shift = (k / 6 - 0.5) * length / size * 2
        theta = torch.zeros(len(image), 2, 3, device=image.device)
        theta[:, 0, 0] = theta[:, 1, 1] = 1
        theta[:, 0, 2], theta[:, 1, 2] = shift * torch.cos(angle), shift * torch.sin(angle)
        total = total + F.grid_sample(
            image, F.affine_grid(theta, list(image.shape), align_corners=False), padding_mode="reflection", align_corners=False
        )
    return total / 7


def _compressed(image: Tensor, strength: Tensor) -> Tensor:
    """Simulates JPEG compression: quantized 8x8 cosine blocks of luma and chroma. Strength 50 is about quality 50."""
    batch, _, height, width = image.shape
    k = torch.arange(8, dtype=torch.float32, device=image.device)
    basis = torch.cos((2 * k[None] + 1) * k[:, None] * math.pi / 16) * torch.where(k[:, None] == 0, math.sqrt(1 / 8), 0.5)
    y = 0.299 * image[:, 0] + 0.587 * image[:, 1] + 0.114 * image[:, 2]
    planes = torch.stack([y, (image[:, 2] - y) * 0.564, (image[:, 0] - y) * 0.713], 1) * 255
    blocks = planes.reshape(batch, 3, height // 8, 8, width // 8, 8).permute(0, 1, 2, 4, 3, 5)
    freq = basis @ blocks @ basis.T
    step = (_quant(image.device) * strength.view(-1, 1, 1, 1, 1, 1) / 50).clamp(min=1)
    blocks = basis.T @ (torch.round(freq / step) * step) @ basis
    y, b, r = (blocks.permute(0, 1, 2, 4, 3, 5).reshape(batch, 3, height, width) / 255).unbind(1)
    b, r = b / 0.564, r / 0.713
    return torch.stack([y + r, y - 0.344 * b - 0.714 * r, y + 1.772 * b], 1)


def _exposure(p: Scenes, image: Tensor) -> Tensor:
    """Returns the camera's exposure factor: one number per render, or with local exposure correction a smooth map [B,1,H,W]."""
    bright = luminance(image.clamp(0, 4))
    gain = p["mean_level"] ** 2.2 / bright.mean((1, 2)).clamp(min=1e-4)
    gain = torch.minimum(gain, 1.6 / torch.quantile(bright.flatten(1)[:, ::7], 0.9, dim=1).clamp(min=1e-4))
    gain = (gain * (1 + p["clip"])).view(-1, 1, 1, 1)
    if not p.any("local"):
        return gain
    coarse = F.avg_pool2d(F.interpolate(bright[:, None], size=(24, 24), mode="area"), 5, 1, 2, count_include_pad=False)
    evened = (bright.mean((1, 2)).view(-1, 1, 1, 1) / coarse.clamp(min=1e-4)).clamp(0.15, 6) ** _c(p, "local")[:, None]
    return gain * F.interpolate(evened, size=image.shape[-2:], mode="bicubic", align_corners=False).clamp(min=0.05)


def _curve(p: Scenes, image: Tensor) -> Tensor:
    """Applies gamma, shoulder and contrast."""
    image = (image.clamp(min=0) + 1e-5) ** (1 / 2.2)
    shoulder = torch.where(image > 0.75, 0.75 + 0.25 * torch.tanh((image - 0.75) / 0.25 * 0.9), image)
    return shoulder + _c(p, "contrast")[:, None] * shoulder * (1 - shoulder) * (shoulder - 0.45)


def _vignette(p: Scenes, size: int, device: torch.device) -> Tensor:
    grid = (torch.arange(size, device=device) + 0.5) / size * 2 - 1
    v, u = torch.meshgrid(grid, grid, indexing="ij")
    return (1 - _c(p, "vignette") * (u * u + v * v) / 2)[:, None]


def _toned(p: Scenes, image: Tensor) -> tuple[Tensor, Tensor]:
    """Applies automatic exposure, white balance and tone curve. Returns sRGB values and the exposure factor."""
    image = image * _vignette(p, image.shape[-1], image.device)
    gain = _exposure(p, image)
    curve = _curve(p, image * gain * p["white"].view(-1, 3, 1, 1) + _c(p, "haze")[:, None] * 0.3)
    grey = luminance(curve)[:, None]
    curve = grey + (curve - grey) * _c(p, "saturation")[:, None]
    return curve * (1 - _c(p, "lift")[:, None]) + _c(p, "lift")[:, None], gain


def smear(p: Scenes) -> Tensor:
    """Returns the blur of a render in pixels."""
    return torch.sqrt(p["blur"] ** 2 + (p["motion"] / 3) ** 2 + (p["focus_tilt"] / 2) ** 2 + (0.7 / p["small"] - 0.7) ** 2)


def grey_change(p: Scenes, before: Tensor, without: Tensor, gain: Tensor, size: int) -> Tensor:
    """Estimates by how many grey levels (0..255) the final render would change at each pixel.

    Both inputs are linear light, of every second row and column."""
    both = torch.stack([before, without], 1).clamp(max=6)
    factor = both.shape[-1] / size
    # The blur includes that of reducing and enlarging a render.
    sigma = torch.sqrt(p["blur"] ** 2 + (p["motion"] / 4) ** 2 + (p["focus_tilt"] / 2) ** 2 + (0.45 / p["small"] - 0.45) ** 2)
    both = _gaussian(both, sigma * factor, float(p.host["smear"].max()) * factor)
    both = both * _vignette(p, both.shape[-1], both.device)
    gain = gain if gain.shape[-1] == 1 else F.interpolate(gain, size=both.shape[-2:], mode="bilinear", align_corners=False)
    grey = _curve(p, both * gain + _c(p, "haze")[:, None] * 0.3).clamp(0, 1)
    return (grey[:, 0] - grey[:, 1]).abs() * (1 - _c(p, "lift")) * 255


def _reduced(p: Scenes, image: Tensor) -> Tensor:
    """Reduces renders and enlarges them again. It groups them by scale, so that each group needs one operation."""
    size = image.shape[-1]
    for small, index in p.reduced.items():
        less = F.interpolate(image.index_select(0, index), size=(int(size * small),) * 2, mode="area")
        image = image.index_copy(0, index, F.interpolate(less, size=(size, size), mode="bilinear"))
    return image


def develop(p: Scenes, dice: Dice, light: Tensor, size: int) -> tuple[Tensor, Tensor, Tensor]:
    """Converts linear light to an image [B,3,size,size] in 0..1. Also returns its blur and brightness, and the exposure factor."""
    factor = light.shape[-1] / size
    light = light.clamp(max=6)
    light = _gaussian(light, p["blur"] * factor, float(p.host["blur"].max()) * factor)
    if p.any("motion"):
        light = torch.where((p["motion"] > 0).view(-1, 1, 1, 1), _shaken(light, p["motion"], p["motion_angle"], size), light)
    if p.any("focus_tilt"):
        ramp = torch.linspace(0, 1, light.shape[-1], device=light.device).view(1, 1, -1, 1)
        light = light * (1 - ramp) + _gaussian(light, p["focus_tilt"] * factor, float(p.host["focus_tilt"].max()) * factor) * ramp
    image, gain = _toned(p, F.interpolate(light, size=(size, size), mode="area"))
    image = _reduced(p, image)
    noise = (dice.normal(3, size, size) * 0.5 + dice.normal(1, size, size) * 0.8) * _c(p, "noise")[:, None]
    if p.any("coarse_noise"):
        blotches = F.interpolate(dice.apart(3).normal(3, size // 2, size // 2), size=(size, size), mode="bilinear", align_corners=False)
        noise = noise + blotches * _c(p, "coarse_noise")[:, None]
    image = image + noise * (0.35 + image.clamp(0, 1).sqrt() * 0.8)
    if p.any("sharpen"):
        image = image + _c(p, "sharpen")[:, None] * (image - _gaussian(image, torch.full_like(p["blur"], 1.0), 1.0))
    if p.any("jpeg"):
        image = torch.where((p["jpeg"] > 0).view(-1, 1, 1, 1), _compressed(image.clamp(0, 1), p["jpeg"].clamp(min=1)), image)
    image = (image.clamp(0, 1) * 255).round() / 255
    return image, torch.stack([smear(p), luminance(image).mean((1, 2))], 1), gain
