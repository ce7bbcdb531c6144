"""What the network is asked for, each part for itself so that the log shows which one lags."""

import torch
import torch.nn.functional as F

from .network import depth_mm, spread_mm

WEIGHTS = {
    "tread": 0.6,
    "groove": 1.0,
    "overlap": 0.8,
    "depth": 0.35,
    "lateral": 1.5,
    "rotation": 0.25,
    "side": 0.3,
    "is_tread": 0.3,
    "quality": 0.1,
}


def _mean(value, mask):
    return (value * mask).sum() / mask.sum().clamp(min=1)


def _overlap(probability, truth, present):
    both = (probability * truth).sum((1, 2))
    return _mean(1 - (2 * both + 20) / (probability.sum((1, 2)) + truth.sum((1, 2)) + 20), present)


def _lateral(raw, batch, tread):
    """Left to right is a matter of taste for a tread that lies on its side: the better of both directions counts there."""
    straight = ((raw - batch["lateral"]).abs() * tread).sum((1, 2))
    turned = ((raw + batch["lateral"]).abs() * tread).sum((1, 2))
    loss = torch.where(batch["upright_sure"] > 0, straight, torch.minimum(straight, turned))
    return loss.sum() / tread.sum().clamp(min=1)


def losses(maps, numbers, batch):
    maps, numbers = maps.float(), numbers.float()
    tread, groove = batch["tread"].float(), (batch["number"] > 0).float()
    judged = (batch["is_tread"] >= 0).float()
    is_tread = (batch["is_tread"] > 0).float()
    told = (batch["side"] >= 0).float()
    measured = (batch["quality"][:, 0] >= 0).float()
    edge = F.max_pool2d(groove[:, None], 5, 1, 2)[:, 0] - groove
    weight = 1 + 1.5 * groove + edge
    error = (depth_mm(maps[:, 2]) - batch["depth"]).abs()
    spread = spread_mm(maps[:, 3])
    turn = F.normalize(numbers[:, 0:2], dim=1)
    angle = 2 * batch["rotation"]
    parts = {
        "tread": F.binary_cross_entropy_with_logits(maps[:, 0], tread),
        "groove": (F.binary_cross_entropy_with_logits(maps[:, 1], groove, reduction="none") * weight).mean() * 2,
        "overlap": _overlap(torch.sigmoid(maps[:, 1]), groove, (groove.sum((1, 2)) > 0).float()),
        "depth": _mean(error / spread + torch.log(spread), groove),
        "lateral": _lateral(maps[:, 4], batch, tread),
        "rotation": _mean(1 - turn[:, 0] * torch.cos(angle) - turn[:, 1] * torch.sin(angle), is_tread),
        "side": _mean(F.cross_entropy(numbers[:, 2:5], batch["side"].long().clamp(min=0), reduction="none"), is_tread * told),
        "is_tread": _mean(F.binary_cross_entropy_with_logits(numbers[:, 5], is_tread, reduction="none"), judged),
        "quality": _mean(F.smooth_l1_loss(numbers[:, 6:8], batch["quality"], reduction="none").mean(1), measured),
    }
    return sum(WEIGHTS[k] * v for k, v in parts.items()), parts
