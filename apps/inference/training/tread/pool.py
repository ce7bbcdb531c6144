"""Keeps renders in a GPU's memory. They are made there, each is used a few times, and new ones replace the oldest."""

import torch

from .cache import packed, unpacked
from .render import render


class Pool:
    def __init__(self, capacity, size, device, seed, chunk=32, detail=1.3):
        self.capacity, self.size, self.device, self.chunk, self.detail = capacity - capacity % chunk, size, device, chunk, detail
        self.next, self.made, self.kept = seed, 0, None
        self.generator = torch.Generator(device).manual_seed(seed)

    def render(self):
        """Replaces the oldest renders by the next ones."""
        fresh = packed(render(list(range(self.next, self.next + self.chunk)), self.size, "train", self.device, self.detail))
        if self.kept is None:
            self.kept = {k: torch.empty(self.capacity, *v.shape[1:], dtype=v.dtype, device=self.device) for k, v in fresh.items()}
        first = self.made % self.capacity
        for k, v in fresh.items():
            self.kept[k][first : first + self.chunk] = v
        self.next, self.made = self.next + self.chunk, self.made + self.chunk

    def __len__(self):
        return min(self.made, self.capacity)

    def batch(self, count):
        rows = torch.randint(len(self), (count,), generator=self.generator, device=self.device)
        return unpacked({k: v[rows] for k, v in self.kept.items()})
