"""Evaluates a training on held-out renders, on pairs of one tire at two depths, and on photographs with known groove counts."""

import argparse
import csv
import json
from collections.abc import Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from PIL import Image, ImageOps
from torch import Tensor

from tread.cache import joined, packed, unpacked
from tread.measure import Compared, Figures, Groove, compared, figures, grooves_of, predict, rounded
from tread.network import TreadNetwork
from tread.render import render
from tread.scene_values import Scene
from tread.shipped import averaged

PAIR_MM = 0.5
HELD_OUT_FIRST = 100_000  # seeds above those that train.py evaluates


def overlap(row: Compared) -> float:
    return row["both"] / row["either"]


def tile(out: dict[str, Tensor], truth: dict[str, Tensor], i: int) -> Tensor:
    return _drawn(truth["image"][i : i + 1], {"tread": out["tread"][i : i + 1]}, grooves_of(out, i))


def extremes(shown: Sequence[tuple[float, Tensor]]) -> list[tuple[float, Tensor]]:
    """Returns the twelve renders with the best overlap, then the twelve with the worst."""
    shown = sorted(shown, key=lambda one: -one[0])
    return shown if len(shown) <= 24 else [*shown[:12], *shown[-12:]]


def on_renders(network: TreadNetwork, args: argparse.Namespace) -> dict[str, Figures]:
    rows, shown = [], []
    for first in range(HELD_OUT_FIRST, HELD_OUT_FIRST + args.renders, 16):
        kept = Path(args.cache, f"held-out-{first}-{args.size}.pt") if args.cache else None
        if kept and kept.exists():
            batch = unpacked(torch.load(kept))
        else:
            batch = joined([render([s], args.size, "held-out", args.device, args.detail) for s in range(first, first + 16)])
            if kept:
                kept.parent.mkdir(parents=True, exist_ok=True)
                torch.save(packed({k: v.cpu() for k, v in batch.items()}), kept)
        out, truth = predict(network, batch["image"], args.device), {k: v.cpu() for k, v in batch.items()}
        fresh = compared(out, truth)
        rows += fresh
        if args.render_sheet:
            judged = [i for i, row in enumerate(fresh) if row["is_tread"] == 1 and row["either"]]
            shown = extremes(shown + [(overlap(fresh[i]), tile(out, truth, i)) for i in judged])
    if args.render_sheet:
        _sheet([picture for _, picture in shown], args.render_sheet, args.size)
    by_family = {}
    for family in sorted({r["family"] for r in rows}):
        shown = figures([r for r in rows if r["family"] == family])
        by_family[family] = {k: shown[k] for k in ("pictures", "groove_iou", "count_exact", "depth_mae")}
    return {**figures(rows), "by_family": by_family}


def _mean_depth(network: TreadNetwork, seed: int, extra: float, args: argparse.Namespace) -> tuple[float | None, int]:
    def change(scene: Scene) -> Scene:
        return {**scene, "left_depth": scene["left_depth"] + extra}

    batch = render([seed], args.size, "held-out", args.device, args.detail, change)
    grooves = grooves_of(predict(network, batch["image"], args.device), 0)
    return sum(g["depth"] for g in grooves) / len(grooves) if grooves else None, int(batch["is_tread"][0])


def on_pairs(network: TreadNetwork, args: argparse.Namespace) -> dict[str, float | None]:
    right = seen = 0
    for seed in range(HELD_OUT_FIRST * 2, HELD_OUT_FIRST * 2 + args.pairs):
        (low, is_tread), (high, _) = (_mean_depth(network, seed, extra, args) for extra in (0.0, PAIR_MM))
        if is_tread == 1 and low is not None and high is not None:
            seen += 1
            right += high > low
    return {"pairs": seen, "ordered_right": right / seen if seen else None}


def fitted(image: Image.Image, long_side: int) -> Tensor:
    """Scales the longer side to `long_side` and pads both sides to multiples of 32."""
    scale = long_side / max(image.size)
    size = [max(32, round(s * scale)) for s in image.size]
    image = image.resize(size, Image.Resampling.BOX if scale < 0.5 else Image.Resampling.BICUBIC)
    pixels = torch.frombuffer(bytearray(image.tobytes()), dtype=torch.uint8).view(size[1], size[0], 3)
    pixels = pixels.permute(2, 0, 1)[None].float() / 255
    return F.pad(pixels, (0, -size[0] % 32, 0, -size[1] % 32), mode="replicate")


def around_tread(image: Image.Image, out: dict[str, Tensor], long_side: int) -> Image.Image | None:
    """Crops the photograph to the tread and a margin. Returns None if the tread fills most of the photograph."""
    scale = max(image.size) / long_side
    rows, columns = (out["tread"][0] > 0.5).nonzero().unbind(1)
    if len(rows) < 200:
        return None
    low_x, high_x = (float(columns.float().quantile(q)) * scale for q in (0.01, 0.99))
    low_y, high_y = (float(rows.float().quantile(q)) * scale for q in (0.01, 0.99))
    margin = 0.12 * max(high_x - low_x, high_y - low_y)
    box = [max(0, low_x - margin), max(0, low_y - margin), min(image.size[0], high_x + margin), min(image.size[1], high_y + margin)]
    if max(box[2] - box[0], box[3] - box[1]) > 0.8 * max(image.size):
        return None
    return image.crop([round(v) for v in box])


def looked_at(network: TreadNetwork, path: Path, args: argparse.Namespace) -> tuple[Tensor, dict[str, Tensor], dict[str, Tensor]]:
    """Returns the network's output for a photograph. If the tread is small, the output is for a crop around the tread."""
    image = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    pixels = fitted(image, args.long_side)
    out = predict(network, pixels)
    part = around_tread(image, out, args.long_side) if args.second_look else None
    if part is None:
        return pixels, out, out
    pixels = fitted(part, args.long_side)
    return pixels, predict(network, pixels), out


def _drawn(image: Tensor, out: dict[str, Tensor], grooves: Sequence[Groove]) -> Tensor:
    picture = image[0].clone()
    colours = torch.tensor([[1, 0.2, 0.2], [0.2, 1, 0.2], [0.3, 0.5, 1], [1, 1, 0.2], [1, 0.3, 1], [0.2, 1, 1]])
    picture = picture * (0.55 + 0.45 * (out["tread"][0] > 0.5))
    for k, groove in enumerate(grooves):
        picture = torch.where(groove["mask"], 0.35 * picture + 0.65 * colours[k % 6].view(3, 1, 1), picture)
    return picture


def on_images(network: TreadNetwork, args: argparse.Namespace) -> dict[str, int]:
    folder = Path(args.photos)
    rows, tiles = [], []
    with open(folder / "labels.tsv", newline="") as file:
        labels = [r for r in csv.DictReader(file, delimiter="\t")]
    for label in labels:
        image, out, whole = looked_at(network, folder / label["file"], args)
        grooves = grooves_of(out, 0)
        score = float(whole["is_tread"][0])
        if not label["grooves"]:
            rows.append({"file": label["file"], "tread": False, "score": round(score, 3)})
            continue
        tiles.append(_drawn(image, out, grooves))
        rows.append(
            {
                "file": label["file"],
                "tread": True,
                "score": round(score, 3),
                "sure": label["groove_confidence"],
                "label": int(label["grooves"]),
                "found": len(grooves),
                "depths": [round(g["depth"], 1) for g in grooves],
                "rotation": round(float(out["rotation"][0]) * 57.2958),
                "rotation_label": label["rotation_deg_cw"],
            }
        )
    for row in rows:
        print(json.dumps(row))
    if args.sheet and tiles:
        _sheet(tiles, args.sheet, args.long_side)
    treads = [r for r in rows if r["tread"]]
    sure = [r for r in treads if r["sure"] in ("high", "mid")]
    others = [r for r in rows if not r["tread"]]
    return {
        "treads": len(treads),
        "count_exact": sum(r["label"] == r["found"] for r in treads),
        "sure": len(sure),
        "sure_count_exact": sum(r["label"] == r["found"] for r in sure),
        "treads_refused": sum(r["score"] < 0.5 for r in treads),
        "others": len(others),
        "others_refused": sum(r["score"] < 0.5 for r in others),
    }


def _sheet(tiles: Sequence[Tensor], path: str, side: int, columns: int = 6) -> None:
    side = side + -side % 32
    sheet = Image.new("RGB", (side * columns, side * -(-len(tiles) // columns)))
    for i, tile in enumerate(tiles):
        pixels = (tile.permute(1, 2, 0).clamp(0, 1) * 255).to(torch.uint8).contiguous()
        picture = Image.frombytes("RGB", (pixels.shape[1], pixels.shape[0]), bytes(pixels.flatten().tolist()))
        sheet.paste(picture, (i % columns * side, i // columns * side))
    sheet.save(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True, help="folder of a training")
    parser.add_argument("--renders", type=int, default=2000, help="number of held-out renders (a multiple of 16); 0 skips them")
    parser.add_argument("--pairs", type=int, default=0, help="number of tires that are rendered at two depths, half a millimetre apart")
    parser.add_argument("--photos", help="folder with labels.tsv (file, grooves, groove_confidence, rotation_deg_cw)")
    parser.add_argument("--sheet", help="output file (PNG) with the grooves drawn over the photographs")
    parser.add_argument("--render-sheet", help="output file (PNG) with the grooves of the twelve best and the twelve worst renders")
    parser.add_argument("--second-look", action="store_true", help="runs the network again on a crop around the tread")
    parser.add_argument("--cache", help="folder that stores the held-out renders for later runs")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--long-side", type=int, default=384)
    parser.add_argument("--detail", type=float, default=1.3)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    network, step = averaged(args.state)
    network = network.to(args.device)
    result: dict[str, Figures] = {"step": step}
    if args.photos:
        result["photographs"] = on_images(network.cpu(), args)
        network = network.to(args.device)
    if args.renders:
        result["held_out"] = on_renders(network, args)
    if args.pairs:
        result["pairs"] = on_pairs(network, args)
    print(json.dumps(rounded(result), indent=1))


if __name__ == "__main__":
    main()
