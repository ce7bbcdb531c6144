"""Writes held-out renders and their ground truth as files, for the figures of a model card. Any engine can be evaluated on them."""

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from tread.measure import smallest_px
from tread.render import render
from tread.scene_values import Scene

FIRST = 100_000  # seeds above those that train.py evaluates; thresholds are chosen on other seeds (--first 50000 --pairs 0)
SIDES = ("unknown", "right", "left")  # side of the vehicle's inside when its outside is not visible, left, right
PAIR_MM = 0.5


def seen_of_width(lateral: torch.Tensor) -> list[float] | None:
    """The part of the tread's width that the image shows, from 0 at the left edge of the upright render to 1. One pixel in a hundred is stray."""
    if lateral.numel() == 0:
        return None
    low, high = torch.quantile(lateral.float(), torch.tensor([0.01, 0.99])).tolist()
    return [round((low + 1) / 2, 3), round((high + 1) / 2, 3)]


def written(folder: Path, name: str, seed: int, args: argparse.Namespace, extra_mm: float = 0.0, pair: int | None = None) -> dict:
    def deeper(scene: Scene) -> Scene:
        return {**scene, "left_depth": scene["left_depth"] + extra_mm}

    batch = render([seed], args.size, "held-out", args.device, args.detail, deeper, args.kinds)
    number, depth = batch["number"][0].cpu(), batch["depth"][0].cpu()
    pixels = (batch["image"][0] * 255).round().to(torch.uint8).permute(1, 2, 0).contiguous().cpu()
    Image.fromarray(pixels.numpy()).save(folder / f"{name}.png", compress_level=1)
    Image.fromarray(number.numpy()).save(folder / f"{name}.truth.png")
    if bool(batch["bald"].any()):
        Image.fromarray((batch["bald"][0].cpu() * 255).to(torch.uint8).numpy()).save(folder / f"{name}.bald.png")
    grooves = [k for k in range(1, 6) if int((number == k).sum()) >= smallest_px(args.size)]
    hidden = batch["ignore"][0].cpu()
    tread = batch["tread"][0].cpu()
    return {
        "file": f"{name}.png",
        "truth": f"{name}.truth.png",
        "tread": {1: "yes", 0: "no"}.get(int(batch["is_tread"][0]), "unsure"),
        "rotation_deg": round(-math.degrees(float(batch["rotation"][0])), 2),
        "vehicle_side": SIDES[int(batch["side"][0])],
        "family": int(batch["family"][0]),
        "bald_share": round(float(batch["bald_share"][0]), 3),
        "width_seen": seen_of_width(batch["lateral"][0].cpu()[tread]),
        "grooves": [
            {"number": k, "depth_mm": round(float(depth[number == k].median()), 2), "visible": not bool(hidden[number == k].any())}
            for k in grooves
        ],
        **({"pair": pair, "extra_mm": extra_mm} if pair is not None else {}),
    }


def across(grooves: dict, folder: Path) -> list[dict]:
    """Sorts grooves from left to right in the image, or from top to bottom for a tread on its side."""
    number = np.array(Image.open(folder / grooves["truth"]))
    middles = {g["number"]: np.argwhere(number == g["number"]).mean(0) for g in grooves["grooves"]}
    rows, columns = (np.ptp([m[i] for m in middles.values()]) if middles else 0 for i in (0, 1))
    return sorted(grooves["grooves"], key=lambda g: middles[g["number"]][1 if columns >= rows else 0])


def write_gauge(folder: Path, renders: Sequence[dict]) -> None:
    """Writes a gauge.csv in the operators' format, for the commands that use gauge readings."""
    with open(folder / "gauge.csv", "w") as file:
        print("file,groove,depth_mm", file=file)
        for render in renders:
            if render["tread"] == "yes" and "pair" not in render:
                for k, groove in enumerate(across(render, folder), 1):
                    print(f"{render['file']},{k},{groove['depth_mm']:.1f}", file=file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--first", type=int, default=FIRST, help="first seed")
    parser.add_argument("--renders", type=int, default=2000)
    parser.add_argument("--pairs", type=int, default=300, help="number of tires that are rendered at two depths, half a millimetre apart")
    parser.add_argument("--gauge", action="store_true", help="also writes the depths as a gauge.csv")
    parser.add_argument("--kinds", default="all", choices=("all", "classic"), help="classic: without the features added after 2.2.0")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--detail", type=float, default=1.3)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    folder = Path(args.out)
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / "truth.jsonl"
    done = {json.loads(line)["file"] for line in index.read_text().splitlines()} if index.exists() else set()
    jobs: list[tuple[str, int, float, int | None]] = [(f"{k:05d}", args.first + k, 0.0, None) for k in range(args.renders)]
    for k in range(args.pairs):
        jobs += [(f"pair-{k:04d}-{side}", 2 * args.first + k, extra, k) for side, extra in (("a", 0.0), ("b", PAIR_MM))]
    with open(index, "a") as lines:
        for name, seed, extra_mm, pair in jobs:
            if f"{name}.png" not in done:
                print(json.dumps(written(folder, name, seed, args, extra_mm, pair)), file=lines, flush=True)
    if args.gauge:
        write_gauge(folder, [json.loads(line) for line in index.read_text().splitlines()])


if __name__ == "__main__":
    main()
