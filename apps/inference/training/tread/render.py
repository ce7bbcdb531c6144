"""Seeds in, photographs and their truth out."""
import torch
import torch.nn.functional as F

from . import photo, scene
from .draw import draw
from .noise import Dice

MIN_SHARE, NO_SHARE = 0.07, 0.02


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

    share = truth["share"]
    return {
        "image": image,
        "tread": area(truth["tread"]) > 0.5,
        "number": nearest(truth["number"]).round().to(torch.uint8),
        "depth": nearest(truth["depth"]),
        "lateral": nearest(truth["lateral"]),
        "rotation": truth["rotation"],
        "side": truth["side"],
        "quality": quality,
        # 1 a tread, 0 none, -1 too little of it to call it either.
        "is_tread": torch.where(share > MIN_SHARE, 1, torch.where(share < NO_SHARE, 0, -1)),
        "upright_sure": truth["upright_sure"],
        "family": p["family"],
    }
