"""Stores renders on disk, so that a slow machine can use each one several times. A file holds a few dozen; the oldest files are removed."""

import os
import random
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

NUMBERS = ("rotation", "side", "quality", "is_tread", "upright_sure", "family", "width_mm")
# One byte holds the groove number of a pixel and its flags.
FLAGS = {"bald": 32, "ignore": 64, "tread": 128}


def packed(sample: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        "image": (sample["image"] * 255).round().to(torch.uint8),
        "number": sample["number"].to(torch.uint8) + sum(flag * sample[name].to(torch.uint8) for name, flag in FLAGS.items()),
        "depth": (sample["depth"] * 25).round().clamp(0, 255).to(torch.uint8),
        "lateral": (sample["lateral"] * 100).round().to(torch.int8),
        **{k: sample[k] for k in NUMBERS},
    }


def unpacked(sample: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        "image": sample["image"].float() / 255,
        "number": sample["number"] % min(FLAGS.values()),
        **{name: (sample["number"] & flag) > 0 for name, flag in FLAGS.items()},
        "depth": sample["depth"].float() / 25,
        "lateral": sample["lateral"].float() / 100,
        **{k: sample[k] for k in NUMBERS},
    }


def joined(samples: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {k: torch.cat([s[k] for s in samples]) for k in samples[0]}


def write(path: Path, sample: dict[str, Tensor]) -> None:
    part = Path(f"{path}.part")
    torch.save(sample, part)
    os.replace(part, path)


class Cache:
    """Returns batches of random renders from the existing files. A few files stay in memory and are replaced one by one."""

    def __init__(self, folder: str | Path, seed: int, resident: int = 24) -> None:
        self.folder, self.rng, self.resident = Path(folder), random.Random(seed), resident
        self.open: dict[str, dict[str, Tensor]] = {}

    def _refresh(self) -> None:
        names = sorted(p.name for p in self.folder.glob("shard-*.pt"))
        fresh = [n for n in names if n not in self.open]
        if len(self.open) >= self.resident and fresh:
            self.open.pop(self.rng.choice(list(self.open)))
        if fresh and len(self.open) < self.resident:
            newest = fresh[-1] if self.rng.random() < 0.5 else self.rng.choice(fresh)
            try:
                self.open[newest] = torch.load(self.folder / newest)
            except (OSError, RuntimeError, EOFError):
                return  # the file was removed or replaced while it was read

    def ready(self) -> bool:
        self._refresh()
        return bool(self.open)

    def batch(self, count: int) -> dict[str, Tensor]:
        self._refresh()
        rows = []
        for _ in range(count):
            shard = self.open[self.rng.choice(list(self.open))]
            i = self.rng.randrange(len(shard["image"]))
            rows.append({k: v[i : i + 1] for k, v in shard.items()})
        return unpacked(joined(rows))
