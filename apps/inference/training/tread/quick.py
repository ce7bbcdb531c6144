"""Fast figures of held-out renders on a GPU. They use the ground-truth pixels of grooves, without tracing lines."""

import torch
from torch import Tensor

from .cache import joined, packed, unpacked
from .network import TreadNetwork, depths_mm
from .render import render

FIRST, CHUNK, GROOVES = 0, 16, 6


def _per_groove(number: Tensor, value: Tensor) -> Tensor:
    rows = number.long().flatten(1)
    sums = torch.zeros(len(rows), GROOVES, device=rows.device)
    return sums.scatter_add_(1, rows, value.float().flatten(1))[:, 1:]


class Checks:
    def __init__(self, count: int, device: str, size: int = 448) -> None:
        self.device = device
        parts = [packed(render(list(range(s, s + CHUNK)), size, "held-out", device, 1.3)) for s in range(FIRST, FIRST + count, CHUNK)]
        self.kept = joined(parts)

    @torch.no_grad()
    def figures(self, network: TreadNetwork) -> dict[str, float | dict[int, list[float]]]:
        rows = [self._rows(network, first) for first in range(0, len(self.kept["image"]), CHUNK)]
        rows = {k: torch.cat([r[k] for r in rows]) for k in rows[0]}
        tread = rows["is_tread"] == 1
        judged = (rows["pixels"] > 0.6 * rows["all"]) & (rows["all"] > 180) & tread[:, None]
        truth, guess, low, high = (rows[k][judged] for k in ("truth", "depth", "low", "high"))
        error = guess - truth
        held = ((truth >= low) & (truth <= high)).float()
        shares = {}
        for mm in range(9):
            inside = (truth >= mm) & (truth < mm + 1)
            if int(inside.sum()) > 10:
                shares[mm] = [round(float(v), 2) for v in (error[inside].mean(), held[inside].mean())]
        both, either = (rows[k][tread].sum() for k in ("both", "either"))
        bald_both, bald_either = (rows[k][tread].sum() for k in ("bald_both", "bald_either"))
        accepted, there = rows["score"] > 0, rows["is_tread"]
        found = judged.sum() / ((rows["all"] > 180) & tread[:, None]).sum()
        return {
            "iou": round(float(both / either), 4),
            "bald_iou": round(float(bald_both / bald_either.clamp(min=1)), 3),
            "seen": round(float(found), 3),
            "depth_mae": round(float(error.abs().mean()), 3),
            "within_1": round(float((error.abs() <= 1).float().mean()), 3),
            "holds": round(float(held.mean()), 3),
            "interval_mm": round(float((high - low).mean()), 2),
            "by_mm": shares,
            "treads_refused": round(float((~accepted[there == 1]).float().mean()), 3),
            "others_refused": round(float((~accepted[there == 0]).float().mean()), 3),
        }

    def _rows(self, network: TreadNetwork, first: int) -> dict[str, Tensor]:
        batch = unpacked({k: v[first : first + CHUNK] for k, v in self.kept.items()})
        with torch.autocast("cuda", torch.bfloat16, enabled=batch["image"].is_cuda):
            maps, numbers = network(batch["image"].contiguous(memory_format=torch.channels_last))
        depth, low, high = depths_mm(maps)
        counted = ~batch["ignore"]
        truth = (batch["number"] > 0) & counted
        guess = (maps["groove"].float() > 0) & (maps["tread"].float() > 0) & counted
        number = batch["number"] * truth
        hit = number * guess
        pixels = _per_groove(hit, hit > 0)
        bald = (maps["bald"].float() > 0) & (maps["tread"].float() > 0)

        def mean(value: Tensor) -> Tensor:
            return _per_groove(hit, value * (hit > 0)) / pixels.clamp(min=1)

        return {
            "both": (truth & guess).sum((1, 2)).float(),
            "either": (truth | guess).sum((1, 2)).float(),
            "bald_both": (bald & batch["bald"]).sum((1, 2)).float(),
            "bald_either": (bald | batch["bald"]).sum((1, 2)).float(),
            "all": _per_groove(number, number > 0),
            "pixels": pixels,
            "truth": mean(batch["depth"]),
            "depth": mean(depth),
            "low": mean(low),
            "high": mean(high),
            "is_tread": batch["is_tread"],
            "score": numbers["is_tread"][:, 0].float(),
        }
