"""One row for each held-out render: what the network finds at the true grooves, as both looks of production see them.

The first look is the whole image. When the tread fills less than FILLED of it, a square around the tread is looked at again, as in
src/domain/tread/close-up-view.ts (there it is a rectangle). Grooves are the true ones; lines are not traced."""

from collections.abc import Iterator, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from .augment import _ends
from .network import TreadNetwork, depths_mm
from .render import BINS

LOOK_PX, FILLED, MARGIN = 448, 0.8, 0.12
GROOVES, CANDIDATES = 5, 400  # grooves of a render, and pixels of each from which its medians are taken
SMALLEST_PX, FOUND = 180, 0.4  # a groove counts from this size at LOOK_PX, and is found when this share of its pixels is
BALD_AT = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


def _sampled(batch: dict[str, Tensor], zoom: Tensor, x: Tensor, y: Tensor) -> dict[str, Tensor]:
    """The batch as seen through squares of `zoom` times the render's side around (x, y), each LOOK_PX a side."""
    count = len(zoom)
    theta = torch.zeros(count, 2, 3, device=zoom.device)
    theta[:, 0, 0] = theta[:, 1, 1] = zoom
    theta[:, 0, 2], theta[:, 1, 2] = x, y
    grid = F.affine_grid(theta, [count, 3, LOOK_PX, LOOK_PX], align_corners=False)
    image = F.grid_sample(batch["image"], grid, mode="bilinear", padding_mode="border", align_corners=False)
    names = ("tread", "number", "depth", "ignore", "bald", "lateral")
    maps = torch.stack([batch[name].float() for name in names], 1)
    maps = dict(zip(names, F.grid_sample(maps, grid, mode="nearest", padding_mode="zeros", align_corners=False).unbind(1)))
    return {"image": image.contiguous(memory_format=torch.channels_last), **maps}


def _seen(network: TreadNetwork, look: dict[str, Tensor]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    maps, numbers = network(look["image"])
    depth, low, high = depths_mm(maps)
    sure = {k: torch.sigmoid(maps[k].float()) for k in ("tread", "groove", "bald")}
    return {**sure, "depth": depth, "low": low, "high": high, "lateral": maps["lateral"].float()}, {
        k: v.float() for k, v in numbers.items()
    }


def _medians(values: Sequence[Tensor], mask: Tensor) -> list[Tensor]:
    """The median of each map's values inside the mask, from CANDIDATES random pixels of it."""
    dice = torch.rand_like(values[0]).masked_fill(~mask, 2.0).flatten(1)
    order, rows = dice.topk(CANDIDATES, 1, largest=False)
    there = order < 2
    out = []
    for value in values:
        chosen = value.flatten(1).gather(1, rows).masked_fill(~there, float("inf")).sort(1).values
        middle = ((there.sum(1) - 1).clamp(min=0) // 2)[:, None]
        out.append(chosen.gather(1, middle)[:, 0])
    return out


def _shares_of_width(lateral: Tensor, tread: Tensor, bald: Tensor) -> Tensor:
    """The share of the tread's width at which most of its pixels are bald."""
    place = ((lateral + 1) / 2 * BINS).long().clamp(0, BINS - 1).flatten(1)
    here = torch.zeros(len(tread), BINS, device=tread.device).scatter_add_(1, place, tread.float().flatten(1))
    worn = torch.zeros_like(here).scatter_add_(1, place, (tread & bald).float().flatten(1))
    seen = here > 0.2 * here.mean(1, keepdim=True).clamp(min=1)
    return ((worn > here / 2) & seen).sum(1) / seen.sum(1).clamp(min=1)


def _close(tread: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The square around the tread, and whether production looks at it again."""
    size = tread.shape[-1]
    places = ((torch.arange(size, device=tread.device) + 0.5) / size * 2 - 1).expand(len(tread), size, size)
    left, right, count = _ends(places, tread)
    top, bottom, _ = _ends(places.transpose(1, 2), tread)
    reach = torch.maximum(right - left, bottom - top)
    wide = ((right + reach * MARGIN).clamp(max=1) - (left - reach * MARGIN).clamp(min=-1)) / 2
    high = ((bottom + reach * MARGIN).clamp(max=1) - (top - reach * MARGIN).clamp(min=-1)) / 2
    again = (count > 40) & (torch.maximum(wide, high) <= FILLED)
    zoom = reach * (0.5 + MARGIN)
    return torch.where(again, zoom, torch.ones_like(zoom)), *(
        torch.where(again, (a + b) / 2, 0 * a) for a, b in ((left, right), (top, bottom))
    )


@torch.no_grad()
def judged(network: TreadNetwork, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """batch: unpacked renders. Returns a dictionary of tensors, one row for each render."""
    one = torch.ones(len(batch["image"]), device=batch["image"].device)
    first, numbers = _seen(network, _sampled(batch, one, 0 * one, 0 * one))
    score = torch.sigmoid(numbers["is_tread"][:, 0])
    zoom, x, y = _close(first["tread"] > 0.5)
    look = _sampled(batch, zoom, x, y)
    out, _ = _seen(network, look)
    tread = out["tread"] > 0.5
    groove = (out["groove"] > 0.5) & (out["tread"] > 0.4)
    counted = look["ignore"] < 0.5
    rows = {
        "is_tread": batch["is_tread"],
        "score": score,
        "family": batch["family"],
        "bald_true_width": _shares_of_width(look["lateral"], look["tread"] > 0.5, look["bald"] > 0.5),
    }
    for at in BALD_AT:
        bald = (out["bald"] > at) & tread
        rows[f"bald_{at}_width"] = _shares_of_width(out["lateral"], tread, bald)
    each = {name: [] for name in ("px", "hit", "counts", "truth", "depth", "low", "high")}
    for k in range(1, GROOVES + 1):
        here = look["number"].round() == k
        hit = here & groove
        px = here.sum((1, 2))
        depth, low, high = _medians((out["depth"], out["low"], out["high"]), hit)
        (true_depth,) = _medians((look["depth"],), here)
        values = (px, hit.sum((1, 2)), (here & counted).sum((1, 2)) > px / 2, true_depth, depth, low, high)
        for name, value in zip(each, values):
            each[name].append(value)
    return {k: v.cpu() for k, v in (rows | {k: torch.stack(v, 1) for k, v in each.items()}).items()}


def lines(rows: dict[str, Tensor]) -> Iterator[dict[str, object]]:
    """Yields a line for each render, as tools/evaluate-renders.ts --rows writes them. Its confidence needs traced lines, so there is none."""
    for i in range(len(rows["is_tread"])):
        hit, px = rows["hit"][i], rows["px"][i]
        there = [k for k in range(GROOVES) if px[k] >= SMALLEST_PX and rows["counts"][i, k]]
        found = [k for k in there if hit[k] >= FOUND * px[k]]
        drawn = {
            "tread": {1: "yes", 0: "no"}.get(int(rows["is_tread"][i]), "unsure"),
            "family": int(rows["family"][i]),
            "baldShare": round(float(rows["bald_true_width"][i]), 3),
            "grooves": [{"number": k + 1, "depthMm": round(float(rows["truth"][i, k]), 2)} for k in there],
        }
        measured = {
            "confidence": 1,
            "score": round(float(rows["score"][i]), 4),
            "baldShare": {at: round(float(rows[f"bald_{at}_width"][i]), 3) for at in BALD_AT},
            "grooves": [
                {
                    "number": k + 1,
                    "depthMm": round(float(rows["depth"][i, k]), 2),
                    "intervalMm": [round(float(rows[name][i, k]), 2) for name in ("low", "high")],
                }
                for k in found
            ],
        }
        yield {"seed": int(rows["seed"][i]), "drawn": drawn, "measured": measured}


def joined_rows(parts: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {k: torch.cat([p[k] for p in parts]) for k in parts[0]}
