"""From linear light to the file that a telephone would have sent."""

import math

import torch
import torch.nn.functional as F

from .carcass import _c

LUMA = (0.2126, 0.7152, 0.0722)
# The luma table of the JPEG standard.
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


def luminance(rgb):
    return sum(w * rgb[:, i] for i, w in enumerate(LUMA))


def _gaussian(image, sigma):
    """Separable blur with a sigma for each picture."""
    radius = min(9, math.ceil(2.6 * float(sigma.max())))
    if radius == 0 or float(sigma.max()) < 0.25:
        return image
    batch, channels, height, width = image.shape
    at = torch.arange(-radius, radius + 1, device=image.device, dtype=torch.float32)
    kernel = torch.exp(-(at**2) / (2 * sigma.clamp(min=0.05).view(-1, 1) ** 2))
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(channels, 0)
    flat = image.reshape(1, batch * channels, height, width)
    flat = F.conv2d(F.pad(flat, (radius, radius, 0, 0), mode="reflect"), kernel[:, None, None, :], groups=batch * channels)
    flat = F.conv2d(F.pad(flat, (0, 0, radius, radius), mode="reflect"), kernel[:, None, :, None], groups=batch * channels)
    return flat.view(batch, channels, height, width)


def _shaken(image, length, angle, size):
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


def _compressed(image, strength):
    """JPEG's loss: 8x8 cosine blocks of luma and chroma, quantized. Strength 50 is about quality 50."""
    batch, _, height, width = image.shape
    k = torch.arange(8, dtype=torch.float32, device=image.device)
    basis = torch.cos((2 * k[None] + 1) * k[:, None] * math.pi / 16) * torch.where(k[:, None] == 0, math.sqrt(1 / 8), 0.5)
    y = (image * torch.tensor([0.299, 0.587, 0.114], device=image.device).view(1, 3, 1, 1)).sum(1)
    planes = torch.stack([y, (image[:, 2] - y) * 0.564, (image[:, 0] - y) * 0.713], 1) * 255
    blocks = planes.view(batch, 3, height // 8, 8, width // 8, 8).permute(0, 1, 2, 4, 3, 5)
    freq = basis @ blocks @ basis.T
    scale = torch.tensor([1.0, 1.8, 1.8], device=image.device).view(1, 3, 1, 1, 1, 1)
    step = (QUANT.to(image.device) * strength.view(-1, 1, 1, 1, 1, 1) / 50 * scale).clamp(min=1)
    blocks = basis.T @ (torch.round(freq / step) * step) @ basis
    y, b, r = (blocks.permute(0, 1, 2, 4, 3, 5).reshape(batch, 3, height, width) / 255).unbind(1)
    b, r = b / 0.564, r / 0.713
    return torch.stack([y + r, y - 0.344 * b - 0.714 * r, y + 1.772 * b], 1)


def _toned(p, image):
    """Exposure by the camera's mean, white balance, tone curve, as sRGB values."""
    size = image.shape[-1]
    grid = (torch.arange(size, device=image.device) + 0.5) / size * 2 - 1
    v, u = torch.meshgrid(grid, grid, indexing="ij")
    image = image * (1 - _c(p, "vignette") * (u * u + v * v) / 2)[:, None]
    bright = luminance(image.clamp(0, 4))
    gain = p["mean_level"] ** 2.2 / bright.mean((1, 2)).clamp(min=1e-4)
    gain = torch.minimum(gain, 1.6 / torch.quantile(bright.flatten(1)[:, ::7], 0.9, dim=1).clamp(min=1e-4))
    image = image * gain.view(-1, 1, 1, 1) * p["white"].view(-1, 3, 1, 1) + _c(p, "haze")[:, None] * 0.3
    image = (image.clamp(min=0) + 1e-5) ** (1 / 2.2)
    shoulder = torch.where(image > 0.75, 0.75 + 0.25 * torch.tanh((image - 0.75) / 0.25 * 0.9), image)
    curve = shoulder + _c(p, "contrast")[:, None] * shoulder * (1 - shoulder) * (shoulder - 0.45)
    grey = luminance(curve)[:, None]
    curve = grey + (curve - grey) * _c(p, "saturation")[:, None]
    return curve * (1 - _c(p, "lift")[:, None]) + _c(p, "lift")[:, None]


def develop(p, dice, light, size):
    """Linear light at render size to a picture [B,3,size,size] in 0..1, and how sharp and how bright it came out."""
    factor = light.shape[-1] / size
    light = light.clamp(max=6)
    sigma = p["blur"] * factor
    light = _gaussian(light, sigma)
    if bool((p["motion"] > 0).any()):
        light = torch.where((p["motion"] > 0).view(-1, 1, 1, 1), _shaken(light, p["motion"], p["motion_angle"], size), light)
    if bool((p["focus_tilt"] > 0).any()):
        ramp = torch.linspace(0, 1, light.shape[-1], device=light.device).view(1, 1, -1, 1)
        light = light * (1 - ramp) + _gaussian(light, p["focus_tilt"] * factor) * ramp
    image = _toned(p, F.interpolate(light, size=(size, size), mode="area"))
    for i, small in enumerate(p["small"].tolist()):
        if small < 0.99:
            less = F.interpolate(image[i : i + 1], size=(int(size * small),) * 2, mode="area")
            image[i] = F.interpolate(less, size=(size, size), mode="bilinear")[0]
    noise = dice.normal(3, size, size) * 0.5 + dice.normal(1, size, size) * 0.8
    image = image + noise * _c(p, "noise")[:, None] * (0.35 + image.clamp(0, 1).sqrt() * 0.8)
    if bool((p["sharpen"] > 0).any()):
        image = image + _c(p, "sharpen")[:, None] * (image - _gaussian(image, torch.full_like(p["blur"], 1.0)))
    if bool((p["jpeg"] > 0).any()):
        image = torch.where((p["jpeg"] > 0).view(-1, 1, 1, 1), _compressed(image.clamp(0, 1), p["jpeg"].clamp(min=1)), image)
    image = (image.clamp(0, 1) * 255).round() / 255
    smear = torch.sqrt(p["blur"] ** 2 + (p["motion"] / 3) ** 2 + (p["focus_tilt"] / 2) ** 2 + (0.7 / p["small"] - 0.7) ** 2)
    return image, torch.stack([smear, luminance(image).mean((1, 2))], 1)
