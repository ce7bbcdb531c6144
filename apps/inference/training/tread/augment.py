"""Cheap changes that make one render several: a part of it, mirrored, turned, zoomed, and with other tones."""

import math

import torch
import torch.nn.functional as F

from .photo import luminance

NEAREST, WIDEST = 0.4, 1.12  # share of the picture's side that is looked at
FINE = 1.4  # pixels of the picture in one of the part, from which on the picture is halved first
MIN_SHARE, NO_SHARE = 0.07, 0.03  # of the part: a tread to measure, none
SIDE_SEEN = 0.8  # in a smaller part what tells the vehicle's side may be missing


def _turn(lateral, tread, told):
    """Rotation of what is seen of the tread, from the places across it: a part of a bent tire runs otherwise than the whole."""
    inside = tread[:, 1:-1, 1:-1] & tread[:, 2:, 1:-1] & tread[:, :-2, 1:-1] & tread[:, 1:-1, 2:] & tread[:, 1:-1, :-2]
    right = ((lateral[:, 1:-1, 2:] - lateral[:, 1:-1, :-2]) * inside).sum((1, 2))
    down = ((lateral[:, 2:, 1:-1] - lateral[:, :-2, 1:-1]) * inside).sum((1, 2))
    seen = torch.remainder(torch.atan2(down, right) + math.pi / 2, math.pi) - math.pi / 2
    return torch.where(inside.float().mean((1, 2)) > MIN_SHARE / 2, seen, told)


def _across_what_is_seen(lateral, tread):
    """Places from -1 to 1 across what a part shows of the tread: how much of it lies outside, nobody can tell."""
    out = lateral.clone()
    for i in range(len(lateral)):
        places = lateral[i][tread[i]]
        if len(places) > 200:
            low, high = places.quantile(0.01), places.quantile(0.99)
            out[i] = ((lateral[i] - (low + high) / 2) / ((high - low) / 2).clamp(min=0.05)).clamp(-1.2, 1.2)
    return out


def _seen(image, grid, halved):
    """Bilinear look-up, of the halved picture where the part is coarser, so that fine lines do not flicker."""
    fine = F.grid_sample(image, grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    coarse = F.grid_sample(F.avg_pool2d(image, 2), grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    return torch.where(halved.view(-1, 1, 1, 1), coarse, fine)


def _warp(batch, generator, size):
    count, device = len(batch["image"]), batch["image"].device

    def dice(low, high):
        return (torch.rand(count, generator=generator) * (high - low) + low).to(device)

    angle, zoom = dice(-0.3, 0.3), torch.exp(dice(math.log(NEAREST), math.log(WIDEST)))
    mirror = torch.where(dice(0, 1) < 0.5, -1.0, 1.0)
    # The sampling grid turns by +angle, so the picture turns by -angle: a tread at r then lies at r - angle.
    theta = torch.zeros(count, 2, 3, device=device)
    theta[:, 0, 0], theta[:, 0, 1] = zoom * torch.cos(angle) * mirror, -zoom * torch.sin(angle)
    theta[:, 1, 0], theta[:, 1, 1] = zoom * torch.sin(angle) * mirror, zoom * torch.cos(angle)
    room = (1 - zoom).clamp(min=0) + 0.1
    theta[:, 0, 2], theta[:, 1, 2] = dice(-1, 1) * room, dice(-1, 1) * room
    grid = F.affine_grid(theta, [count, 3, size, size], align_corners=False)
    out = dict(batch)
    out["image"] = _seen(batch["image"], grid, zoom * batch["image"].shape[-1] / size > FINE)
    maps = torch.stack([batch["tread"].float(), batch["number"].float(), batch["depth"], batch["lateral"]], 1)
    maps = F.grid_sample(maps, grid, mode="nearest", padding_mode="reflection", align_corners=False)
    out["tread"], out["number"] = maps[:, 0] > 0.5, maps[:, 1].round().to(torch.uint8)
    out["depth"] = maps[:, 2]
    turned = (batch["rotation"] - angle) * mirror
    flips = torch.where((turned.abs() > math.pi / 2), -1.0, 1.0)
    out["lateral"] = maps[:, 3] * (mirror * flips).view(-1, 1, 1)
    told = torch.remainder(turned + math.pi / 2, math.pi) - math.pi / 2
    out["rotation"] = _turn(out["lateral"], out["tread"], told)
    swap = (mirror * flips < 0) & (batch["side"] > 0)
    out["lateral"] = _across_what_is_seen(out["lateral"], out["tread"])
    side = torch.where(swap, 3 - batch["side"], batch["side"])
    out["side"] = torch.where(zoom < SIDE_SEEN, -1, side.long())
    out["upright_sure"] = (out["rotation"].abs() < 1.3).float()
    share, is_tread = out["tread"].float().mean((1, 2)), batch["is_tread"]
    unsure = ((is_tread == 1) & (share < MIN_SHARE)) | ((is_tread == 0) & (share > NO_SHARE))
    out["is_tread"] = torch.where(unsure, -1, is_tread)
    smear = batch["quality"][:, 0] * size / (batch["image"].shape[-1] * zoom)
    out["quality"] = torch.stack([smear, batch["quality"][:, 1]], 1)
    return out


def augmented(batch, generator, size):
    """The batch as parts of `size` pixels a side. is_tread and side are -1 where the part does not tell."""
    out = _warp(batch, generator, size)
    count, device = len(out["image"]), out["image"].device

    def dice(low, high):
        return (torch.rand(count, 1, 1, 1, generator=generator) * (high - low) + low).to(device)

    image = out["image"].clamp(1e-4, 1) ** torch.exp(dice(-0.25, 0.25))
    grey = image.mean(1, keepdim=True)
    image = grey + (image - grey) * dice(0.5, 1.4)
    tint = (torch.rand(count, 3, 1, 1, generator=generator) * 0.16 + 0.92).to(device)
    out["image"] = (image * tint * torch.exp(dice(-0.12, 0.12))).clamp(0, 1)
    out["quality"] = torch.stack([out["quality"][:, 0], luminance(out["image"]).mean((1, 2))], 1)
    return out
