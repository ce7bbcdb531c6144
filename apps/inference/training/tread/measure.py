"""Simple post-processing and the figures that are reported; the product's own post-processing is TypeScript."""

import math

import torch
import torch.nn.functional as F

from .network import depth_mm, spread_mm

BINS, REACH = 138, 1.15
PEAK, FLOOR = 0.5, 0.35
SMALLEST_PX = 60


@torch.no_grad()
def predict(network, images, device="cpu", batch=16):
    network.eval()
    parts = []
    for first in range(0, len(images), batch):
        maps, numbers = network(images[first : first + batch].to(device))
        maps, numbers = maps.float().cpu(), numbers.float().cpu()
        parts.append(
            {
                "tread": torch.sigmoid(maps[:, 0]),
                "groove": torch.sigmoid(maps[:, 1]),
                "depth": depth_mm(maps[:, 2]),
                "spread": spread_mm(maps[:, 3]),
                "lateral": maps[:, 4],
                "rotation": torch.atan2(numbers[:, 1], numbers[:, 0]) / 2,
                "side": torch.softmax(numbers[:, 2:5], 1),
                "is_tread": torch.sigmoid(numbers[:, 5]),
                "quality": numbers[:, 6:8],
            }
        )
    return {k: torch.cat([p[k] for p in parts]) for k in parts[0]}


def _runs(profile):
    """Stretches above FLOOR that reach PEAK."""
    runs, start = [], None
    for i, value in enumerate([*profile, 0.0]):
        if value >= FLOOR and start is None:
            start = i
        elif value < FLOOR and start is not None:
            if max(profile[start:i]) >= PEAK:
                runs.append((start, i))
            start = None
    return runs


def grooves_of(out, i):
    """Grooves of one picture, left to right. Pixels vote at their predicted place across the tread, which bends with the tire."""
    tread = out["tread"][i] > 0.5
    if int(tread.sum()) < 200:
        return []
    place = ((out["lateral"][i] / REACH + 1) / 2 * BINS).clamp(0, BINS - 1).long()
    groove = out["groove"][i]
    votes = torch.zeros(BINS).index_add_(0, place[tread], groove[tread])
    room = torch.zeros(BINS).index_add_(0, place[tread], torch.ones(int(tread.sum())))
    kernel = torch.tensor([0.2, 0.6, 1.0, 0.6, 0.2]).view(1, 1, -1)
    smooth = F.conv1d(torch.stack([votes, room])[:, None], kernel, padding=2)[:, 0]
    share = torch.where(room.sum() / BINS * 0.15 < smooth[1] / 2.6, smooth[0] / smooth[1].clamp(min=1e-3), torch.zeros(BINS))
    found = []
    for low, high in _runs(share.tolist()):
        mask = tread & (groove > 0.5) & (place >= low - 1) & (place <= high)
        if int(mask.sum()) < SMALLEST_PX / 2:
            continue
        weight = 1 / out["spread"][i][mask] ** 2
        depth, order = out["depth"][i][mask].sort()
        total = weight[order].cumsum(0)
        found.append({"mask": mask, "depth": float(depth[int((total < total[-1] / 2).sum())]), "place": (low + high) / 2})
    return found


def _truth(batch, i):
    rows = {}
    for k in range(1, 6):
        mask = batch["number"][i] == k
        if int(mask.sum()) >= SMALLEST_PX:
            rows[k] = {"mask": mask, "depth": float(batch["depth"][i][mask].median())}
    return rows


def compared(out, batch):
    """One row a picture: counts, matched depths, overlaps."""
    rows = []
    for i in range(len(batch["rotation"])):
        truth, found = _truth(batch, i), grooves_of(out, i)
        pairs = []
        for g in found:
            inside = batch["number"][i][g["mask"]]
            inside = inside[inside > 0]
            if len(inside):
                k = int(inside.mode().values)
                if k in truth:
                    pairs.append((truth[k]["depth"], g["depth"]))
        actual = batch["number"][i] > 0
        guess = out["groove"][i] > 0.5
        turn = float(out["rotation"][i] - batch["rotation"][i])
        rows.append(
            {
                "count": len(truth),
                "found": len(found),
                "pairs": pairs,
                "both": int((actual & guess).sum()),
                "either": int((actual | guess).sum()),
                "tread_both": int((batch["tread"][i] & (out["tread"][i] > 0.5)).sum()),
                "tread_either": int((batch["tread"][i] | (out["tread"][i] > 0.5)).sum()),
                "turn_error": abs(math.degrees(math.remainder(turn, math.pi))),
                "side": int(batch["side"][i]),
                "side_guess": int(out["side"][i].argmax()),
                "is_tread": int(batch["is_tread"][i]),
                "tread_score": float(out["is_tread"][i]),
                "family": int(batch["family"][i]),
            }
        )
    return rows


def _median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else None


def _share(flags):
    flags = list(flags)
    return sum(flags) / len(flags) if flags else None


def figures(rows):
    treads = [r for r in rows if r["is_tread"] == 1]
    pairs = [pair for r in treads for pair in r["pairs"]]
    errors = [b - a for a, b in pairs]
    bias = {}
    for low in range(1, 8):
        inside = [b - a for a, b in pairs if low <= a < low + 1]
        if inside:
            bias[f"{low}-{low + 1}"] = sum(inside) / len(inside)
    known = [r for r in treads if r["side"] > 0]
    return {
        "pictures": len(rows),
        "groove_iou": sum(r["both"] for r in treads) / max(1, sum(r["either"] for r in treads)),
        "tread_iou": sum(r["tread_both"] for r in treads) / max(1, sum(r["tread_either"] for r in treads)),
        "count_exact": _share(r["count"] == r["found"] for r in treads),
        "depth_mae": sum(map(abs, errors)) / len(errors) if errors else None,
        "depth_within_1": _share(abs(e) <= 1 for e in errors),
        "depth_bias": bias,
        "rotation_median": _median([r["turn_error"] for r in treads]),
        "side_right": _share(r["side"] == r["side_guess"] for r in known),
        "side_unknown_right": _share(r["side_guess"] == 0 for r in treads if r["side"] == 0),
        "refused_without_tread": _share(r["tread_score"] < 0.5 for r in rows if r["is_tread"] == 0),
        "refused_with_tread": _share(r["tread_score"] < 0.5 for r in treads),
    }


def rounded(value):
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return round(value, 3) if isinstance(value, float) else value


def summary(network, batch, device="cpu"):
    return rounded(figures(compared(predict(network, batch["image"], device), batch)))
