"""Seeds in, photographs and their truth out."""

import torch
import torch.nn.functional as F

from . import photo, scene
from .draw import draw
from .noise import Dice

# A tread to measure fills a share of the picture and faces the camera; a wheel seen from its side shows a sliver at a grazing angle.
MIN_SHARE, NO_SHARE = 0.07, 0.02
MIN_FACING, NO_FACING = 0.36, 0.26


def _is_tread(share, facing):
    """1 a tread, 0 none, -1 neither the one nor the other for sure."""
    sure = (share > MIN_SHARE) & (facing > MIN_FACING)
    none = (share < NO_SHARE) | (facing < NO_FACING)
    return torch.where(sure, 1, torch.where(none, 0, -1))


def stacked(scenes, device):
    return {k: torch.tensor([s[k] for s in scenes], dtype=torch.float32, device=device) for k in scenes[0] if k != "id"}


@torch.no_grad()
def render(seeds, size=256, split="train", device="cpu", detail=1.5, change=None):
    """A batch of pictures. `change(scene)` may alter the drawn numbers before rendering, for pairs that differ in one thing."""
    scenes = [draw(s, split) for s in seeds]
    if change:
        scenes = [change(s) for s in scenes]
    p = stacked(scenes, device)
    dice = Dice([s if split == "train" else s + (1 << 40) for s in seeds], device)
    fine = int(size * detail)
    light, truth = scene.assemble(p, dice, fine)
    image, quality = photo.develop(p, dice, light, size)

    def nearest(m):
        return F.interpolate(m[:, None], size=(size, size), mode="nearest-exact")[:, 0]

    def area(m):
        return F.interpolate(m[:, None], size=(size, size), mode="area")[:, 0]

    return {
        "image": image,
        "tread": area(truth["tread"]) > 0.5,
        "number": nearest(truth["number"]).round().to(torch.uint8),
        "depth": nearest(truth["depth"]),
        "lateral": nearest(truth["lateral"]),
        "rotation": truth["rotation"],
        "side": truth["side"],
        "quality": quality,
        "is_tread": _is_tread(truth["share"], truth["facing"]),
        "upright_sure": truth["upright_sure"],
        "family": p["family"],
    }
