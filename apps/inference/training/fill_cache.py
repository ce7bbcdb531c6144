"""Renders training images into a folder until it is stopped or --count is reached. When started again, it continues after the last render."""

import argparse
import time
from pathlib import Path

import torch

from tread.cache import joined, packed, write
from tread.render import render


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--keep", type=int, default=20000, help="number of images kept on disk (0.9 MB each)")
    parser.add_argument("--shard", type=int, default=16)
    parser.add_argument("--chunk", type=int, default=1, help="number of images rendered at once: 1 is fastest on a CPU, hundreds on a GPU")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--detail", type=float, default=1.3)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    folder = Path(args.cache)
    folder.mkdir(parents=True, exist_ok=True)
    done = [int(p.stem.split("-")[1]) + args.shard for p in folder.glob("shard-*.pt")]
    first = max([args.seed, *done])
    while first < args.seed + args.count:
        started = time.time()
        parts = [
            render(list(range(s, s + args.chunk)), args.size, "train", args.device, args.detail)
            for s in range(first, first + args.shard, args.chunk)
        ]
        write(folder / f"shard-{first:09d}.pt", packed({k: v.cpu() for k, v in joined(parts).items()}))
        first += args.shard
        print(f"{first} {(time.time() - started) / args.shard:.3f} s per image", flush=True)
        shards = sorted(folder.glob("shard-*.pt"))
        for old in shards[: max(0, len(shards) - args.keep // args.shard)]:
            old.unlink()


if __name__ == "__main__":
    main()
