"""Augments renders at low cost: random crop, mirroring, rotation, zoom and tone changes."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from .photo import luminance

NEAREST, WIDEST = 0.4, 1.12  # smallest and largest share of the render's side that a crop shows
FINE = 1.4  # above this many render pixels per crop pixel, the render is first reduced to half
MIN_SHARE, NO_SHARE = 0.07, 0.03  # share of the crop: at least this much is a tread, at most this much is none
SIDE_SEEN = 0.8  # a smaller crop may not show the vehicle's side
WHOLE_SEEN = 0.97  # share of the tread's pixels: a crop with less of it does not show the tire's width
CLOSEST = 0.45  # smallest crop of a whole tread: a smaller one would only enlarge pixels
STRIDE = 7  # the ends of a tread are computed from every seventh pixel


def _turn(lateral: Tensor, tread: Tensor, labelled: Tensor) -> Tensor:
    """Computes the rotation of the visible tread from the lateral map. In a crop of a curved tire it differs from that of the whole tire."""
    inside = tread[:, 1:-1, 1:-1] & tread[:, 2:, 1:-1] & tread[:, :-2, 1:-1] & tread[:, 1:-1, 2:] & tread[:, 1:-1, :-2]
    right = ((lateral[:, 1:-1, 2:] - lateral[:, 1:-1, :-2]) * inside).sum((1, 2))
    down = ((lateral[:, 2:, 1:-1] - lateral[:, :-2, 1:-1]) * inside).sum((1, 2))
    seen = torch.remainder(torch.atan2(down, right) + math.pi / 2, math.pi) - math.pi / 2
    return torch.where(inside.float().mean((1, 2)) > MIN_SHARE / 2, seen, labelled)


def _ends(values: Tensor, inside: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns, for each row, the 1st and the 99th percentile of the values inside the mask, and the number of these values."""
    values, inside = values.flatten(1)[:, ::STRIDE], inside.flatten(1)[:, ::STRIDE]
    ordered = torch.where(inside, values, torch.full_like(values, 1e4)).sort(1).values
    count = inside.sum(1)
    low, high = (((count - 1).clamp(min=0) * q).long()[:, None] for q in (0.01, 0.99))
    return ordered.gather(1, low)[:, 0], ordered.gather(1, high)[:, 0], count


def _across_what_is_seen(lateral: Tensor, tread: Tensor) -> Tensor:
    """Rescales lateral positions to -1..1 across the visible part of the tread, because a crop does not show how much lies outside it."""
    low, high, count = (v.view(-1, 1, 1) for v in _ends(lateral, tread))
    fitted = ((lateral - (low + high) / 2) / ((high - low) / 2).clamp(min=0.05)).clamp(-1.2, 1.2)
    return torch.where(count > 40, fitted, lateral)


def _seen(image: Tensor, grid: Tensor, halved: Tensor) -> Tensor:
    """Samples the image bilinearly. Coarse crops sample the half-size render, to prevent aliasing of fine lines."""
    fine = F.grid_sample(image, grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    coarse = F.grid_sample(F.avg_pool2d(image, 2), grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    return torch.where(halved.view(-1, 1, 1, 1), coarse, fine)


def _around_tread(tread: Tensor, zoom: Tensor, closer: Tensor, room: Tensor) -> tuple[Tensor, list[Tensor], Tensor]:
    """Returns zoom and centre of each crop. Crops chosen by `closer` are placed around the tread, `room` times as large."""
    size = tread.shape[-1]
    places = ((torch.arange(size, device=tread.device) + 0.5) / size * 2 - 1).expand(len(tread), size, size)
    left, right, count = _ends(places, tread)
    top, bottom, _ = _ends(places.transpose(1, 2), tread)
    reach = torch.maximum(right - left, bottom - top) / 2
    closer = closer & (count > 40)
    near = (reach * room).clamp(min=CLOSEST).minimum(zoom)
    middle = [torch.where(closer, (a + b) / 2, torch.zeros_like(a)) for a, b in ((left, right), (top, bottom))]
    return torch.where(closer, near, zoom), middle, closer


def _warp(batch: dict[str, Tensor], generator: torch.Generator, size: int, zooms: tuple[float, float], closer: float) -> dict[str, Tensor]:
    count, device = len(batch["image"]), batch["image"].device

    def dice(low: float, high: float) -> Tensor:
        return (torch.rand(count, generator=generator, device=generator.device) * (high - low) + low).to(device)

    angle, zoom = dice(-0.3, 0.3), torch.exp(dice(math.log(zooms[0]), math.log(zooms[1])))
    zoom, middle, near = _around_tread(batch["tread"], zoom, dice(0, 1) < closer, dice(1.1, 1.5))
    mirror = torch.where(dice(0, 1) < 0.5, -1.0, 1.0)
    # The sampling grid rotates by +angle, so the image rotates by -angle: a tread at rotation r is then at r - angle.
    theta = torch.zeros(count, 2, 3, device=device)
    theta[:, 0, 0], theta[:, 0, 1] = zoom * torch.cos(angle) * mirror, -zoom * torch.sin(angle)
    theta[:, 1, 0], theta[:, 1, 1] = zoom * torch.sin(angle) * mirror, zoom * torch.cos(angle)
    room = torch.where(near, torch.full_like(zoom, 0.05), (1 - zoom).clamp(min=0) + 0.1)
    theta[:, 0, 2], theta[:, 1, 2] = (m + dice(-1, 1) * room for m in middle)
    grid = F.affine_grid(theta, [count, 3, size, size], align_corners=False)
    out = dict(batch)
    out["image"] = _seen(batch["image"], grid, zoom * batch["image"].shape[-1] / size > FINE)
    names = ("tread", "number", "depth", "lateral", "ignore", "bald")
    maps = torch.stack([batch[name].float() for name in names], 1)
    maps = dict(zip(names, F.grid_sample(maps, grid, mode="nearest", padding_mode="reflection", align_corners=False).unbind(1)))
    for name in ("tread", "ignore", "bald"):
        out[name] = maps[name] > 0.5
    out["number"], out["depth"] = maps["number"].round().to(torch.uint8), maps["depth"]
    turned = (batch["rotation"] - angle) * mirror
    flips = torch.where((turned.abs() > math.pi / 2), -1.0, 1.0)
    out["lateral"] = maps["lateral"] * (mirror * flips).view(-1, 1, 1)
    labelled = torch.remainder(turned + math.pi / 2, math.pi) - math.pi / 2
    out["rotation"] = _turn(out["lateral"], out["tread"], labelled)
    swap = (mirror * flips < 0) & (batch["side"] > 0)
    out["lateral"] = _across_what_is_seen(out["lateral"], out["tread"])
    side = torch.where(swap, 3 - batch["side"], batch["side"])
    out["side"] = torch.where(zoom < SIDE_SEEN, -1, side.long())
    out["upright_sure"] = (out["rotation"].abs() < 1.3).float()
    share, before, is_tread = out["tread"].float().mean((1, 2)), batch["tread"].float().mean((1, 2)), batch["is_tread"]
    there = share * zoom**2 / before.clamp(min=1e-4)
    # A wheel seen from its side shows more than a sliver of tread, at a grazing angle: it is no tread as long as all of it is seen.
    grazing = (before > NO_SHARE) & (there > WHOLE_SEEN)
    unsure = ((is_tread == 1) & (share < MIN_SHARE)) | ((is_tread == 0) & (share > NO_SHARE) & ~grazing)
    out["is_tread"] = torch.where(unsure, -1, is_tread)
    out["width_mm"] = torch.where(there > WHOLE_SEEN, batch["width_mm"], torch.zeros_like(share))
    smear = batch["quality"][:, 0] * size / (batch["image"].shape[-1] * zoom)
    out["quality"] = torch.stack([torch.where(batch["quality"][:, 0] < 0, batch["quality"][:, 0], smear), batch["quality"][:, 1]], 1)
    return out


def augmented(
    batch: dict[str, Tensor], generator: torch.Generator, size: int, zooms: tuple[float, float] = (NEAREST, WIDEST), closer: float = 0.0
) -> dict[str, Tensor]:
    """Returns the batch as crops of `size` pixels a side. Each shows a share of the render's side that is drawn from `zooms`; a share `closer`
    of the crops is placed around the tread instead. If a crop does not show the label, is_tread and side are -1 and width_mm is 0."""
    out = _warp(batch, generator, size, zooms, closer)
    count, device = len(out["image"]), out["image"].device

    def dice(low: float, high: float, channels: int = 1) -> Tensor:
        return (torch.rand(count, channels, 1, 1, generator=generator, device=generator.device) * (high - low) + low).to(device)

    image = out["image"].clamp(1e-4, 1) ** torch.exp(dice(-0.25, 0.25))
    grey = image.mean(1, keepdim=True)
    image = grey + (image - grey) * dice(0.5, 1.4)
    out["image"] = (image * dice(0.92, 1.08, 3) * torch.exp(dice(-0.12, 0.12))).clamp(0, 1)
    measured = batch["quality"][:, 0] >= 0
    brightness = torch.where(measured, luminance(out["image"]).mean((1, 2)), batch["quality"][:, 1])
    out["quality"] = torch.stack([out["quality"][:, 0], brightness], 1)
    return out
