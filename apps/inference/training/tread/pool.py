"""Keeps renders in a GPU's memory. Each is used a few times, and new ones replace the oldest."""

import torch
from torch import Tensor

from .cache import packed, unpacked
from .render import render


class Pool:
    kept: dict[str, Tensor] | None

    def __init__(self, capacity: int, size: int, device: str, seed: int, chunk: int = 32, detail: float = 1.3) -> None:
        self.capacity, self.size, self.device, self.chunk, self.detail = capacity - capacity % chunk, size, device, chunk, detail
        self.next, self.made, self.kept = seed, 0, None
        self.generator = torch.Generator(device).manual_seed(seed)

    def seeds(self, count: int) -> int:
        """Returns the first of the next `count` seeds, which nothing else uses."""
        self.next += count
        return self.next - count

    def render(self) -> None:
        """Replaces the oldest renders by the next ones, rendered on this device."""
        first = self.seeds(self.chunk)
        self.put(packed(render(list(range(first, first + self.chunk)), self.size, "train", self.device, self.detail)))

    def put(self, fresh: dict[str, Tensor]) -> None:
        """Replaces the oldest renders by these."""
        if self.kept is None:
            self.kept = {k: torch.empty(self.capacity, *v.shape[1:], dtype=v.dtype, device=self.device) for k, v in fresh.items()}
        count = len(fresh["image"])
        rows = (torch.arange(self.made, self.made + count) % self.capacity).to(self.device)
        for k, v in fresh.items():
            self.kept[k][rows] = v
        self.made += count

    def __len__(self) -> int:
        return min(self.made, self.capacity)

    def batch(self, count: int) -> dict[str, Tensor]:
        rows = torch.randint(len(self), (count,), generator=self.generator, device=self.device)
        return unpacked({k: v[rows] for k, v in self.kept.items()})
