"""Cheap changes that make one render several: mirrored, turned, zoomed, and with other tones."""

import math

import torch
import torch.nn.functional as F


def _warp(batch, generator):
    count, device = len(batch["image"]), batch["image"].device

    def dice(low, high):
        return (torch.rand(count, generator=generator) * (high - low) + low).to(device)

    angle, zoom = dice(-0.3, 0.3), torch.exp(dice(-0.22, 0.22))
    mirror = torch.where(dice(0, 1) < 0.5, -1.0, 1.0)
    # The sampling grid turns by +angle, so the picture turns by -angle: a tread at r then lies at r - angle.
    theta = torch.zeros(count, 2, 3, device=device)
    theta[:, 0, 0], theta[:, 0, 1] = zoom * torch.cos(angle) * mirror, -zoom * torch.sin(angle)
    theta[:, 1, 0], theta[:, 1, 1] = zoom * torch.sin(angle) * mirror, zoom * torch.cos(angle)
    theta[:, 0, 2], theta[:, 1, 2] = dice(-0.12, 0.12), dice(-0.12, 0.12)
    grid = F.affine_grid(theta, list(batch["image"].shape), align_corners=False)
    out = dict(batch)
    out["image"] = F.grid_sample(batch["image"], grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    maps = torch.stack([batch["tread"].float(), batch["number"].float(), batch["depth"], batch["lateral"]], 1)
    maps = F.grid_sample(maps, grid, mode="nearest", padding_mode="reflection", align_corners=False)
    out["tread"], out["number"] = maps[:, 0] > 0.5, maps[:, 1].round().to(torch.uint8)
    out["depth"] = maps[:, 2]
    turned = (batch["rotation"] - angle) * mirror
    flips = torch.where((turned.abs() > math.pi / 2), -1.0, 1.0)
    out["lateral"] = maps[:, 3] * (mirror * flips).view(-1, 1, 1)
    out["rotation"] = torch.remainder(turned + math.pi / 2, math.pi) - math.pi / 2
    swap = (mirror * flips < 0) & (batch["side"] > 0)
    out["side"] = torch.where(swap, 3 - batch["side"], batch["side"])
    out["upright_sure"] = (out["rotation"].abs() < 1.3).float()
    return out


def augmented(batch, generator):
    out = _warp(batch, generator)
    count, device = len(out["image"]), out["image"].device

    def dice(low, high):
        return (torch.rand(count, 1, 1, 1, generator=generator) * (high - low) + low).to(device)

    image = out["image"].clamp(1e-4, 1) ** torch.exp(dice(-0.25, 0.25))
    grey = image.mean(1, keepdim=True)
    image = grey + (image - grey) * dice(0.5, 1.4)
    tint = (torch.rand(count, 3, 1, 1, generator=generator) * 0.16 + 0.92).to(device)
    out["image"] = (image * tint * torch.exp(dice(-0.12, 0.12))).clamp(0, 1)
    return out
