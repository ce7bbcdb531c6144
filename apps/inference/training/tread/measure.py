"""Simple post-processing and the reported figures. The post-processing in production is written in TypeScript."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

import torch
import torch.nn.functional as F
from torch import Tensor

from .network import TreadGraph, TreadNetwork

BIAS, STEP = 0.5, 0.25
MIN_SCORE, MIN_LENGTH = 0.3, 0.3  # as a share of the highest score, and of the longest line

Band = list[tuple[int, int, int]]  # a row, and the first and the last column that a line fills in it
Figure = float | None | dict[str, float]
Figures = Mapping[str, "Figures"] | Mapping[int, "Figures"] | Figure


class Groove(TypedDict):
    mask: Tensor
    depth: float


class Compared(TypedDict):
    """One image: what is true, and what the network finds."""

    count: int
    found: int
    pairs: list[tuple[float, float]]
    both: int
    either: int
    tread_both: int
    tread_either: int
    turn_error: float
    side: int
    side_guess: int
    is_tread: int
    tread_score: float
    family: int


def smallest_px(size: int) -> int:
    """Returns the minimum number of pixels of a groove that counts in an image of this size."""
    return round(60 * (size / 256) ** 2)


@torch.no_grad()
def predict(network: TreadNetwork, images: Tensor, device: str = "cpu", batch: int = 16) -> dict[str, Tensor]:
    """Returns the outputs of the exported graph, with maps as [B,H,W] and the rotation in radians."""
    graph, parts = TreadGraph(network.eval()), []
    for first in range(0, len(images), batch):
        out = {k: v.float().cpu() for k, v in graph(images[first : first + batch].to(device)).items()}
        out["rotation"] = torch.atan2(out["rotation"][:, 1], out["rotation"][:, 0]) / 2
        out["is_tread"] = out["is_tread"][:, 0]
        parts.append({k: v[:, 0] if v.ndim == 4 else v for k, v in out.items()})
    return {k: torch.cat([p[k] for p in parts]) for k in parts[0]}


def _upright(maps: Tensor, turn: float) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Rotates maps so that grooves run from top to bottom. Also returns the position of every pixel of the image in them."""
    height, width = maps.shape[1:]
    cos, sin = math.cos(turn), math.sin(turn)
    wide, high = (math.ceil(abs(a * cos) + abs(b * sin)) for a, b in ((width, height), (height, width)))
    y, x = torch.meshgrid(torch.arange(high) - (high - 1) / 2, torch.arange(wide) - (wide - 1) / 2, indexing="ij")
    grid = torch.stack([(x * cos - y * sin) * 2 / (width - 1), (x * sin + y * cos) * 2 / (height - 1)], -1)
    turned = F.grid_sample(maps[None], grid[None], align_corners=True)[0]
    v, u = torch.meshgrid(torch.arange(height) - (height - 1) / 2, torch.arange(width) - (width - 1) / 2, indexing="ij")
    column = (u * cos + v * sin + (wide - 1) / 2).round().long().clamp(0, wide - 1)
    row = (v * cos - u * sin + (high - 1) / 2).round().long().clamp(0, high - 1)
    return turned, (row, column)


def _best_path(response: Tensor) -> tuple[float, list[tuple[int, int]]]:
    """Finds the line from top to bottom with the highest sum above BIAS. It may move one column per row, at the cost STEP."""
    rows, columns = response.shape
    score, move = torch.zeros(rows, columns), torch.zeros(rows, columns, dtype=torch.int64)
    before = torch.zeros(columns)
    for y in range(rows):
        left, right = F.pad(before, (1, 0))[:-1] - STEP, F.pad(before, (0, 1))[1:] - STEP
        value, came = torch.stack([torch.zeros(columns), before, left, right]).max(0)
        before = (value + response[y] - BIAS).clamp(min=0)
        before[0] = before[-1] = 0
        score[y], move[y] = before, came
    best = int(score.argmax())
    y, x = divmod(best, columns)
    line = []
    while True:
        line.append((y, x))
        came = int(move[y, x])
        if came == 0 or y == 0:
            return float(score.flatten()[best]), line[::-1]
        y, x = y - 1, x + (0, 0, -1, 1)[came]


def _traced(response: Tensor) -> list[Band]:
    """Returns lines in the order of their scores, each with the range of columns that it fills in its rows."""
    work, inside, lines = response.clone(), (response >= 0.5).tolist(), []
    reach = max(2, round(0.16 * response.shape[1]))
    while len(lines) < 16:
        score, line = _best_path(work)
        if score <= (MIN_SCORE * lines[0][0] if lines else 0):
            break
        band = []
        for y, x in line:
            low = high = x
            while inside[y][x] and low > 0 and inside[y][low - 1] and x - low < reach:
                low -= 1
            while inside[y][x] and high < len(inside[y]) - 1 and inside[y][high + 1] and high - x < reach:
                high += 1
            band.append((y, low, high))
        first, last = band[0], band[-1]
        ends = [(y, *first[1:]) for y in range(first[0] - 4, first[0])] + [(y, *last[1:]) for y in range(last[0] + 1, last[0] + 5)]
        for y, low, high in band + ends:
            if 0 <= y < len(work):
                work[y, max(0, low - 3) : high + 4] = -1
        lines.append((score, band))
    longest = max((len(band) for _, band in lines), default=0)
    return [band for _, band in lines if len(band) >= MIN_LENGTH * longest][:7]


def grooves_of(out: dict[str, Tensor], i: int) -> list[Groove]:
    """Finds the grooves of one image, from left to right. The method is that of src/domain/tread/traced-grooves.ts, but it uses the network's
    rotation and has no threshold for uncertain grooves."""
    response = out["groove"][i] * (out["tread"][i] > 0.4)
    turned, (row, column) = _upright(response[None], float(out["rotation"][i]))
    bands = sorted(_traced(turned[0]), key=lambda band: sum(band[len(band) // 2][1:]))
    found: list[Groove] = []
    for band in bands:
        filled = torch.zeros(turned.shape[1:], dtype=torch.bool)
        for y, low, high in band:
            filled[y, low : high + 1] = True
        mask = filled[row, column] & (response >= 0.5)
        if int(mask.sum()) < smallest_px(mask.shape[-1]) / 2:
            continue
        weight = 1 / out["spread"][i][mask] ** 2
        depth, order = out["depth"][i][mask].sort()
        total = weight[order].cumsum(0)
        found.append({"mask": mask, "depth": float(depth[int((total < total[-1] / 2).sum())])})
    return found


def _truth(batch: dict[str, Tensor], i: int) -> dict[int, Groove]:
    """Returns the true grooves that count."""
    rows: dict[int, Groove] = {}
    for k in range(1, 6):
        mask = (batch["number"][i] == k) & ~batch["ignore"][i]
        if int(mask.sum()) >= smallest_px(mask.shape[-1]):
            rows[k] = {"mask": mask, "depth": float(batch["depth"][i][mask].median())}
    return rows


def compared(out: dict[str, Tensor], batch: dict[str, Tensor]) -> list[Compared]:
    """Returns one row per image: counts, matched depths and overlaps."""
    rows: list[Compared] = []
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
        counted = ~batch["ignore"][i]
        actual = (batch["number"][i] > 0) & counted
        guess = (out["groove"][i] > 0.5) & counted
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


def _median(values: Iterable[float]) -> float | None:
    values = sorted(values)
    return values[len(values) // 2] if values else None


def _share(flags: Iterable[bool]) -> float | None:
    flags = list(flags)
    return sum(flags) / len(flags) if flags else None


def figures(rows: Sequence[Compared]) -> dict[str, Figure]:
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


def rounded(value: Figures) -> Figures:
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return round(value, 3) if isinstance(value, float) else value


def summary(network: TreadNetwork, batch: dict[str, Tensor], device: str = "cpu") -> Figures:
    return rounded(figures(compared(predict(network, batch["image"], device), batch)))
