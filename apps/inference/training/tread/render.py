"""Seeds in, photographs and their truth out.

`render(seeds, size=256, split="train", device="cpu", detail=1.5, change=None, kinds="all")` renders one batch.

- `seeds`: whole numbers, one for each render. A seed gives the same render alone, in a batch, on a CPU and on a GPU (but for rounding).
- `size`: pixels a side, a multiple of 8. Rays are traced at `size * detail` and averaged down; 1.3 is enough at 384 px and above.
- `split`: "train", or "held-out" for seeds and parameter ranges that training never draws.
- `change`: a function from the drawn numbers of a scene to others, for pairs that differ in one thing.
- `kinds`: "all", or "classic" for scenes without what came after 2.2.0: bald zones and uneven wear, ends of slots in a line, paint and chalk,
  several tires, studs, staggered directional treads, half treads, harder light and processing.

It returns tensors on `device` (B renders, S = size):

| name | shape, type | what |
|---|---|---|
| image | B,3,S,S float32 | 0..1 |
| tread | B,S,S bool | tread of the main tire |
| number | B,S,S uint8 | groove 1..5 from left to right in the upright render, 0 none; grooves that are not visible included |
| depth | B,S,S float32 | millimetres that a gauge reads in the groove of `number`, 0 elsewhere |
| ignore | B,S,S bool | pixels of grooves that do not count: no losses and no figures there. Visible grooves: `(number > 0) & ~ignore` |
| bald | B,S,S bool | tread where the pattern had grooves or slots and none is left |
| lateral | B,S,S float32 | place across the tread, -1 left edge to 1 right edge of the upright render |
| rotation | B float32 | radians, of the running direction |
| side | B int64 | the vehicle's outside: 0 not to be seen, 1 left, 2 right |
| quality | B,2 float32 | blur in pixels, mean brightness |
| is_tread | B int64 | 1 a tread, 0 none, -1 neither for sure |
| upright_sure | B float32 | 1 where left and right are certain |
| family | B float32 | index into draw.FAMILIES |
| bald_share | B float32 | share of the seen width of the tread that is bald |
| width_mm | B float32 | width of the tread |
| pixels | B,5 float32 | pixels of each groove of `number` in the render |
| grey | B,5 float32 | grey levels (0..255) by which the render changes over the groove's pixels when grooves are taken away |

A groove counts when `grey >= 3` and it has at least 12 % of the pixels of the largest one. `number > 0` alone is the truth of 2.2.0.
"""

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
