"""Renders photographs of treads and their ground truth from seeds.

`render(seeds, size=256, split="train", device="cpu", detail=1.5, change=None, kinds="all", compiled=None)` renders one batch.

- `seeds`: integers, one for each render. A seed gives the same render alone, in a batch, on a CPU and on a GPU (except for rounding).
- `size`: pixels a side, a multiple of 8. Rays are traced at `size * detail` and averaged down; 1.3 is enough at 384 px and above.
- `split`: "train", or "held-out" for seeds and parameter ranges that training never uses.
- `change`: a function that modifies the parameters of a scene, for pairs that differ in one parameter.
- `kinds`: "all", or "classic" for scenes without the features added after 2.2.0: bald zones and uneven wear, aligned slot ends, paint and chalk,
  several tires, studs, staggered directional treads, half treads, harder light and processing.
- `compiled`: True for the compiled renderer (CPUs only, and the default there), False for PyTorch's renderer (the reference, and the default
  on a GPU).

It returns tensors on `device` (B renders, S = size):

| name | shape, type | content |
|---|---|---|
| image | B,3,S,S float32 | 0..1 |
| tread | B,S,S bool | tread of the main tire |
| number | B,S,S uint8 | groove 1..5 from left to right in the upright render, 0 none; grooves that are not visible included |
| depth | B,S,S float32 | millimetres that a gauge reads in the groove of `number`, 0 elsewhere |
| ignore | B,S,S bool | pixels of grooves that do not count: losses and figures omit them. Visible grooves: `(number > 0) & ~ignore` |
| bald | B,S,S bool | tread where the pattern had grooves or slots, none is left, and a full groove would have less than 1.6 mm |
| lateral | B,S,S float32 | lateral position on the tread, from -1 at the left edge to 1 at the right edge of the upright render |
| rotation | B float32 | radians, of the running direction |
| side | B int64 | the vehicle's outside: 0 not visible, 1 left, 2 right |
| quality | B,2 float32 | blur in pixels, mean brightness |
| is_tread | B int64 | 1 a tread, 0 none, -1 uncertain |
| upright_sure | B float32 | 1 where left and right are certain |
| family | B float32 | index into draw.FAMILIES |
| bald_share | B float32 | share of the visible width of the tread that is bald |
| width_mm | B float32 | width of the tread |
| pixels | B,5 float32 | pixels of each groove of `number` in the render |
| grey | B,5 float32 | grey levels (0..255) by which the groove's pixels change when grooves are removed |

A groove counts when `grey >= 3` and it has at least 12 % of the pixels of the largest one. `number > 0` alone is the ground truth of 2.2.0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from . import photo, scene
from .draw import draw
from .noise import Dice
from .parameters import Scenes, sent
from .scene_values import MAX_GROOVES, Scene

# A measurable tread fills a share of the image and faces the camera. A wheel seen from its side shows a narrow part at a grazing angle.
MIN_SHARE, NO_SHARE = 0.07, 0.02
MIN_FACING, NO_FACING = 0.36, 0.26
VISIBLE_GREY, VISIBLE_PIXELS = 3.0, 0.12  # grey levels over a groove's pixels, share of the largest groove's pixels
BINS = 32  # bins across the tread, to compute the bald share


def _is_tread(share: Tensor, facing: Tensor) -> Tensor:
    """Returns 1 for a tread, 0 for none, -1 if uncertain."""
    sure = (share > MIN_SHARE) & (facing > MIN_FACING)
    none = (share < NO_SHARE) | (facing < NO_FACING)
    return torch.where(sure, 1, torch.where(none, 0, -1))


def _each_groove(number: Tensor, value: Tensor | None = None) -> Tensor:
    """Returns sums over the pixels of each groove [B,5], or the number of pixels if no value is given."""
    masks = ((number == k + 1).float() for k in range(MAX_GROOVES))
    return torch.stack([(m if value is None else m * value).sum((1, 2)) for m in masks], 1)


def counted(pixels: Tensor, grey: Tensor) -> Tensor:
    """Returns which grooves count [B,5]."""
    return (pixels > 0) & (grey >= VISIBLE_GREY) & (pixels >= VISIBLE_PIXELS * pixels.amax(1, keepdim=True))


def _bald_share(tread: Tensor, bald: Tensor, lateral: Tensor) -> Tensor:
    """Returns the share of the visible tread width at which most visible pixels are bald."""
    place = (((lateral + 1) / 2 * BINS).long().clamp(0, BINS - 1)).flatten(1)
    here = torch.zeros(len(tread), BINS, device=tread.device).scatter_add_(1, place, tread.float().flatten(1))
    worn = torch.zeros_like(here).scatter_add_(1, place, (tread & bald).float().flatten(1))
    seen = here > 8
    return ((worn > here / 2) & seen).sum(1) / seen.sum(1).clamp(min=1)


def _by_tensors(p: Scenes, keys: list[list[int]], size: int, fine: int) -> dict[str, Tensor]:
    device = p["width"].device
    dice = Dice(sent(torch.tensor(keys, dtype=torch.int32), device))
    light, truth = scene.assemble(p, dice, fine)
    image, quality, gain = photo.develop(p, dice, light, size)

    def nearest(m: Tensor) -> Tensor:
        return F.interpolate(m[:, None], size=(size, size), mode="nearest-exact")[:, 0]

    tread, number = (
        F.interpolate(truth["tread"][:, None], size=(size, size), mode="area")[:, 0] > 0.5,
        nearest(truth["number"]).round().to(torch.uint8),
    )
    half = truth["number"][:, ::2, ::2]
    change = photo.grey_change(p, truth["before"], truth["without"], gain, size)
    return {
        "image": image,
        "tread": tread,
        "number": number,
        "depth": nearest(truth["depth"]),
        "bald": (nearest(truth["bald"]) > 0.5) & tread & (number == 0),
        "lateral": nearest(truth["lateral"]),
        "rotation": truth["rotation"],
        "side": truth["side"],
        "quality": quality,
        "is_tread": _is_tread(truth["share"], truth["facing"]),
        "upright_sure": truth["upright_sure"],
        "grey": _each_groove(half, change) / _each_groove(half).clamp(min=1),
    }


def _by_native(p: Scenes, keys: list[list[int]], size: int, fine: int) -> dict[str, Tensor]:
    from . import native

    out = native.rendered(p.rows, keys, size, fine)
    rotation, side, share, facing, sure, bright = out["numbers"][:, :6].unbind(1)
    return {
        "image": out["image"],
        "tread": out["tread"].bool(),
        "number": out["number"],
        "depth": out["depth"],
        "bald": out["bald"].bool(),
        "lateral": out["lateral"],
        "rotation": rotation,
        "side": side.long(),
        "quality": torch.stack([photo.smear(p), bright], 1),
        "is_tread": _is_tread(share, facing),
        "upright_sure": sure,
        "grey": out["numbers"][:, 6:],
    }


@torch.no_grad()
def render(
    seeds: Sequence[int],
    size: int = 256,
    split: str = "train",
    device: str | torch.device = "cpu",
    detail: float = 1.5,
    change: Callable[[Scene], Scene] | None = None,
    kinds: str = "all",
    compiled: bool | None = None,
) -> dict[str, Tensor]:
    scenes = [draw(s, split, kinds) for s in seeds]
    if change:
        scenes = [change(s) for s in scenes]
    p, fine = Scenes(scenes, device), int(size * detail)
    keys = Dice.keys_of([s if split == "train" else s + (1 << 40) for s in seeds])
    if compiled is None:
        compiled = torch.device(device).type == "cpu"
    out = (_by_native if compiled else _by_tensors)(p, keys, size, fine)
    number = out["number"]
    pixels = _each_groove(number)
    hidden = F.pad(~counted(pixels, out["grey"]), (1, 0))
    ignore = hidden.gather(1, number.long().flatten(1)).view_as(number) & (number > 0)
    share = _bald_share(out["tread"], out["bald"], out["lateral"])
    return out | {"ignore": ignore, "family": p["family"], "bald_share": share, "width_mm": p["width"], "pixels": pixels}
