"""The losses of the network's outputs. The log shows each of them separately."""

from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor

from .network import USUAL_WIDTH_MM, depths_mm

WEIGHTS = {
    "tread": 0.6,
    "groove": 1.0,
    "overlap": 0.8,
    "bald": 0.5,
    "depth": 0.8,
    "differences": 2.0,
    "interval": 1.0,
    "scale": 0.2,
    "lateral": 1.5,
    "rotation": 0.25,
    "side": 0.3,
    "is_tread": 0.3,
    "quality": 0.1,
}
LOW, HIGH = 0.05, 0.95
# Share of the renders' grooves in each millimetre, from 0 to 9. The interval must also hold for rare depths, so its loss gives them more weight.
SHARES = (0.09, 0.18, 0.17, 0.14, 0.12, 0.13, 0.08, 0.06, 0.03)
MOST, RAREST = 3.0, 0.02
GROOVES, SMALLEST_PX = 5, 120
WALL_PX, WALL, INSIDE = 2, 1.5, 0.8  # weights of pixels within WALL_PX of a groove's wall, and of the others inside of a groove


def _mean(value: Tensor, mask: Tensor) -> Tensor:
    return (value * mask).sum() / mask.sum().clamp(min=1)


def _overlap(probability: Tensor, truth: Tensor, counted: Tensor | float, present: Tensor) -> Tensor:
    probability = probability * counted
    both = (probability * truth).sum((1, 2))
    return _mean(1 - (2 * both + 20) / (probability.sum((1, 2)) + truth.sum((1, 2)) + 20), present)


def _lateral(raw: Tensor, batch: dict[str, Tensor], tread: Tensor) -> Tensor:
    """Computes the loss of lateral positions.

    For a tread on its side, left and right are ambiguous, so the smaller loss of both directions counts."""
    straight = ((raw - batch["lateral"]).abs() * tread).sum((1, 2))
    turned = ((raw + batch["lateral"]).abs() * tread).sum((1, 2))
    loss = torch.where(batch["upright_sure"] > 0, straight, torch.minimum(straight, turned))
    return loss.sum() / tread.sum().clamp(min=1)


def _sums(number: Tensor, groove: Tensor, *values: Tensor) -> list[Tensor]:
    """Returns the pixels of each groove [B,GROOVES], and the sum of each of the values over them. A product: on a GPU, adding pixel by pixel to a
    few sums took a fifth of a step."""
    kept = torch.where(groove, number, 0).flatten(1)
    each = torch.stack([kept == k for k in range(1, GROOVES + 1)], 1).float()
    what = torch.stack([torch.ones_like(each[:, 0]), *(v.flatten(1) for v in values)], 2)
    return list((each @ what).unbind(2))


def _each_groove_once(number: Tensor, groove: Tensor) -> Tensor:
    """Returns pixel weights that give wide and narrow grooves the same total weight."""
    (pixels,) = _sums(number, groove)
    weight = F.pad(1 / pixels.clamp(min=SMALLEST_PX), (1, 0))
    return weight.gather(1, torch.where(groove, number, 0).long().flatten(1)).view(number.shape)


@lru_cache
def _weights_of_depths(device: torch.device) -> Tensor:
    """Kept on the device, because a copy to it would wait for it."""
    return (1 / len(SHARES) / torch.tensor(SHARES).clamp(min=RAREST)).clamp(max=MOST).to(device)


def _rarity(depth: Tensor) -> Tensor:
    return _weights_of_depths(depth.device)[depth.long().clamp(0, len(SHARES) - 1)]


def _differences(depth: Tensor, truth: Tensor, number: Tensor, groove: Tensor) -> Tensor:
    """How far each groove's depth, less the mean of the grooves of its tire, is from the true one.

    The error of a tire's scale is the same in all its grooves, and hides in the loss of depths what tells them apart. The square, for differences
    up to a millimetre, has its minimum at the mean, where an absolute error would prefer "all the same", which most tires are."""
    pixels, guess, true = _sums(number, groove, depth, truth)
    there = (pixels >= SMALLEST_PX).float()
    several = there * (there.sum(1, keepdim=True) > 1)
    apart = [v / pixels.clamp(min=1) * there for v in (guess, true)]
    apart = [v - v.sum(1, keepdim=True) / there.sum(1, keepdim=True).clamp(min=1) for v in apart]
    return _mean(F.smooth_l1_loss(apart[0], apart[1], reduction="none"), several)


def _pinball(error: Tensor, share: float) -> Tensor:
    return torch.maximum(share * error, (share - 1) * error)


def _depths(maps: dict[str, Tensor], batch: dict[str, Tensor], groove: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    depth, low, high = depths_mm(maps)
    truth = batch["depth"]
    weight = _each_groove_once(batch["number"], groove)
    grooves = weight.sum().clamp(min=1)
    ends = _pinball(truth - low, LOW) + _pinball(truth - high, HIGH)
    interval = (ends * weight * _rarity(truth)).sum() / grooves
    return ((depth - truth).abs() * weight).sum() / grooves, _differences(depth, truth, batch["number"], groove), interval


def losses(maps: dict[str, Tensor], numbers: dict[str, Tensor], batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    maps, numbers = ({k: v.float() for k, v in given.items()} for given in (maps, numbers))
    counted = (~batch["ignore"]).float()
    visible = (batch["number"] > 0) & ~batch["ignore"]
    tread, groove, bald = batch["tread"].float(), visible.float(), batch["bald"].float()
    judged = (batch["is_tread"] >= 0).float()
    is_tread = (batch["is_tread"] > 0).float()
    has_side = (batch["side"] >= 0).float()
    measured = (batch["quality"][:, 0] >= 0).float()
    whole = is_tread * (batch["width_mm"] > 0).float()
    grown, shrunk = (F.max_pool2d(sign * groove[:, None], 2 * WALL_PX + 1, 1, WALL_PX)[:, 0] * sign for sign in (1, -1))
    weight = (1 + WALL * (grown - shrunk) + INSIDE * shrunk) * counted
    turn = F.normalize(numbers["rotation"], dim=1)
    angle = 2 * batch["rotation"]
    depth, differences, interval = _depths(maps, batch, visible)
    width = torch.log(batch["width_mm"].clamp(min=1) / USUAL_WIDTH_MM)
    crossed = F.binary_cross_entropy_with_logits(maps["bald"], bald, reduction="none")
    parts = {
        "tread": F.binary_cross_entropy_with_logits(maps["tread"], tread),
        "groove": (F.binary_cross_entropy_with_logits(maps["groove"], groove, reduction="none") * weight).mean() * 2,
        "overlap": _overlap(torch.sigmoid(maps["groove"]), groove, counted, (groove.sum((1, 2)) > 0).float()),
        "bald": (crossed * (0.5 + tread + bald)).mean()
        + 0.3 * _overlap(torch.sigmoid(maps["bald"]), bald, 1.0, (bald.sum((1, 2)) > 500).float()),
        "depth": depth,
        "differences": differences,
        "interval": interval,
        "scale": _mean((numbers["scale"][:, 0] - width).abs(), whole),
        "lateral": _lateral(maps["lateral"], batch, tread),
        "rotation": _mean(1 - turn[:, 0] * torch.cos(angle) - turn[:, 1] * torch.sin(angle), is_tread),
        "side": _mean(F.cross_entropy(numbers["side"], batch["side"].long().clamp(min=0), reduction="none"), is_tread * has_side),
        "is_tread": _mean(F.binary_cross_entropy_with_logits(numbers["is_tread"][:, 0], is_tread, reduction="none"), judged),
        "quality": _mean(F.smooth_l1_loss(numbers["quality"], batch["quality"], reduction="none").mean(1), measured),
    }
    return sum(WEIGHTS[k] * v for k, v in parts.items()), parts
