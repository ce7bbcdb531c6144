"""Fine-tunes a trained network on photographs whose grooves were measured with a depth gauge.

Each step also uses renders, to prevent catastrophic forgetting."""

import argparse
import copy
import csv
import json
import random
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

import torch
from PIL import Image, ImageOps
from torch import Tensor

from evaluate import fitted
from export import export
from train import Source, save
from tread.augment import augmented
from tread.losses import losses
from tread.measure import Groove, grooves_of, predict
from tread.network import TreadNetwork, depths_mm
from tread.shipped import averaged, start_from


class MeasuredImage(TypedDict):
    name: str
    image: Tensor
    masks: list[Tensor]
    depths: list[float]
    line: NotRequired[tuple[float, float]]  # scale and offset of the model's calibration


def readings(folder: str | Path) -> dict[str, list[float]]:
    """Reads gauge.csv (file,groove,depth_mm): the depths of each photograph in the order of its grooves.

    The order is from left to right in the photograph, or from top to bottom for a tread on its side."""
    files: dict[str, dict[int, float]] = {}
    with open(Path(folder, "gauge.csv"), newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file, skipinitialspace=True):
            files.setdefault(row["file"].strip(), {})[int(row["groove"])] = float(row["depth_mm"])
    for name, depths in files.items():
        if sorted(depths) != list(range(1, len(depths) + 1)):
            raise SystemExit(f"gauge.csv: the grooves of {name} are {sorted(depths)}, expected 1, 2, 3 …")
    return {name: [depths[k] for k in sorted(depths)] for name, depths in files.items()}


def across(grooves: Sequence[Groove]) -> list[Groove]:
    """Sorts grooves from left to right, or from top to bottom for a tread on its side."""
    seen = []
    for g in grooves:
        rows, columns = g["mask"].nonzero().float().unbind(1)
        seen.append((float(columns.mean()), float(rows.mean()), g))
    reach = [max(s[i] for s in seen) - min(s[i] for s in seen) for i in (0, 1)]
    return [g for *_, g in sorted(seen, key=lambda s: s[0] if reach[0] >= reach[1] else s[1])]


def matched(network: TreadNetwork, folder: str | Path, long_side: int) -> tuple[list[MeasuredImage], list[str]]:
    """Returns the photographs in which the network finds as many grooves as were measured, and the names of the others."""
    rows: list[MeasuredImage] = []
    left: list[str] = []
    for name, depths in readings(folder).items():
        image = fitted(ImageOps.exif_transpose(Image.open(Path(folder, name))).convert("RGB"), long_side)
        grooves = grooves_of(predict(network, image), 0)
        if len(grooves) != len(depths):
            left.append(name)
            continue
        rows.append({"name": name, "image": image, "masks": [g["mask"] for g in across(grooves)], "depths": depths})
    return rows, left


def manifest_of(model: str | None) -> dict | None:
    """Returns the manifest beside an exported network, or None if there is no manifest."""
    path = Path(model).parent / "manifest.json" if model else None
    return json.loads(path.read_text()) if path and path.exists() else None


def gauge_loss(network: TreadNetwork, row: MeasuredImage) -> tuple[Tensor, Tensor]:
    """Compares the mean depth of each groove's pixels, after the model's linear calibration, with the gauge.

    The smooth L1 loss limits the influence of outliers, such as a stone or a wrong reading."""
    maps, _ = network(row["image"])
    scale, offset = row["line"]
    depth = scale * depths_mm(maps)[0][0] + offset
    errors = torch.stack([depth[mask].mean() - mm for mask, mm in zip(row["masks"], row["depths"])])
    return torch.nn.functional.smooth_l1_loss(errors, torch.zeros_like(errors), beta=0.5), errors.detach()


def keep_norms(network: TreadNetwork) -> None:
    """Keeps the normalization statistics of the renders: a few photographs give worse estimates."""
    network.train()
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.eval()


def shipped(path: str) -> tuple[TreadNetwork, int]:
    network = TreadNetwork()
    begun = start_from(network, path)
    if begun:
        raise SystemExit(f"{path} has no {', '.join(begun)}")
    network.encoder.fix()
    return network, 0


def grooves_in(rows: Sequence[MeasuredImage]) -> int:
    return sum(len(row["depths"]) for row in rows)


def error_of(network: TreadNetwork, rows: Sequence[MeasuredImage]) -> float:
    network.eval()
    with torch.no_grad():
        errors = torch.cat([gauge_loss(network, row)[1] for row in rows])
    return float(errors.abs().mean())


def tuned(network: TreadNetwork, rows: Sequence[MeasuredImage], source: Source, args: argparse.Namespace, say: bool) -> TreadNetwork:
    network = copy.deepcopy(network)
    optimizer = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], args.rate, weight_decay=0.02)
    rng = random.Random(args.seed)
    for step in range(args.steps):
        keep_norms(network)
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 20, 3 * (args.steps - step) / args.steps)
        batch = augmented(source.batch(step), torch.Generator().manual_seed(args.seed * 1_000_003 + step), args.part)
        maps, numbers = network(batch["image"])
        total, _ = losses(maps, numbers, batch)
        gauge = sum(gauge_loss(network, row)[0] for row in rng.sample(rows, min(args.photographs, len(rows))))
        optimizer.zero_grad(set_to_none=True)
        (total + args.weight * gauge / args.photographs).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        if say and step % 20 == 0:
            print(
                json.dumps({"step": step, "renders": round(float(total), 4), "gauge": round(float(gauge) / args.photographs, 4)}),
                flush=True,
            )
    return network.eval()


def number_of(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def check_version(version: str, manifest: dict | None) -> None:
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise SystemExit(f"{version} is not a version such as 2.3.0")
    if not manifest:
        raise SystemExit("--version requires a --model that lies in a model's folder")
    if number_of(version) <= number_of(manifest["version"]):
        raise SystemExit(f"{version} is not higher than {manifest['version']}")


def written_version(network: TreadNetwork, model: str, folder: Path, version: str, result: dict[str, float]) -> None:
    """Copies the model's folder with the new network, and adds its figures to the manifest and the card.

    The service loads the folder after seal-model.ts has sealed it."""
    manifest = manifest_of(model)
    shutil.copytree(Path(model).parent, folder, dirs_exist_ok=True)
    export(network.cpu(), folder / Path(model).name)
    on = f"{result['photographs']} photographs with a depth gauge"
    left_out = result.get("mean_error_on_photographs_left_out_mm")
    error_text = (
        f"{left_out} mm on photographs left out in turn, {result['mean_error_before_mm']} mm before" if left_out else "not measured"
    )
    manifest["training_data"] += f" Then {on}, mixed with renders."
    manifest["measured_accuracy"].append({"on": on, "metric": "depth per groove, mean absolute error", "value": error_text})
    (folder / "manifest.json").write_text(json.dumps({**manifest, "version": version}, indent=2) + "\n")
    with open(folder / "README.md", "a") as card:
        card.write(
            f"\n## Tuned: {version}\n\nFine-tuned on {on}, mixed with renders. Mean error of a groove: {error_text}. The figures above are those of the previous version.\n"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    begun = parser.add_mutually_exclusive_group(required=True)
    begun.add_argument("--model", help="exported network to start from, such as ../models/tread/tread.onnx")
    begun.add_argument("--state", help="folder of the training to start from")
    parser.add_argument("--photos", required=True, help="folder with gauge.csv (file,groove,depth_mm)")
    parser.add_argument("--out", required=True, help="folder of the new training, for evaluate.py and export.py")
    parser.add_argument("--version", help="with --model: writes a model folder with this version into --out, to be sealed")
    parser.add_argument("--cache", help="folder of rendered images (fill_cache.py); without it, images are rendered during the training")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--weight", type=float, default=0.5, help="weight of the gauge loss")
    parser.add_argument("--batch", type=int, default=8, help="renders in each step")
    parser.add_argument("--photographs", type=int, default=4, help="photographs in each step")
    parser.add_argument("--folds", type=int, default=4, help="number of folds of the cross-validation; 0 skips it")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--others", help="as in train.py")
    parser.add_argument("--part", type=int, default=192, help="as in train.py")
    parser.add_argument(
        "--long-side", type=int, help="long side of the photographs in pixels; the default is that of the model's manifest, or 384"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    manifest = manifest_of(args.model)
    if args.version:
        check_version(args.version, manifest)
    thresholds = manifest["thresholds"] if manifest else {}
    line = (thresholds.get("depth_scale", 1), thresholds.get("depth_offset_mm", 0))
    args.long_side = args.long_side or thresholds.get("look_px", 384)
    network, step = shipped(args.model) if args.model else averaged(args.state)
    rows, left = matched(network, args.photos, args.long_side)
    network = network.to(args.device)
    for row in rows:
        row["line"] = line
        row["image"], row["masks"] = row["image"].to(args.device), [mask.to(args.device) for mask in row["masks"]]
    print(json.dumps({"photographs": len(rows), "another_number_of_grooves": left}))
    if len(rows) < 8:
        raise SystemExit(f"{len(rows)} photographs have as many detected grooves as measured ones; at least 8 are required")
    source = Source(args)
    result = {"photographs": len(rows), "mean_error_before_mm": round(error_of(network, rows), 3)}
    if args.folds:
        folds = min(args.folds, len(rows))
        parts = [rows[k::folds] for k in range(folds)]
        held_out = []
        for k, part in enumerate(parts):
            seen = [row for i, other in enumerate(parts) if i != k for row in other]
            held_out.append(error_of(tuned(network, seen, source, args, say=False), part) * grooves_in(part))
        result["mean_error_on_photographs_left_out_mm"] = round(sum(held_out) / grooves_in(rows), 3)
    final = tuned(network, rows, source, args, say=True)
    Path(args.out).mkdir(parents=True, exist_ok=True)
    state = final.state_dict()
    save(Path(args.out, "latest.pt"), network=state, average=state, step=step + args.steps, seconds=0.0)
    Path(args.out, "gauge.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result))
    left_out = result.get("mean_error_on_photographs_left_out_mm", 0)
    if args.version and left_out >= result["mean_error_before_mm"]:
        raise SystemExit("the error on left-out photographs did not decrease; no version was written")
    if args.version:
        written_version(final, args.model, Path(args.out, f"tread-{args.version}"), args.version, result)


if __name__ == "__main__":
    main()
