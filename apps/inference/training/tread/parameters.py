"""The parameters of the scenes of a batch, as tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from .scene_values import SMALL, Scene


def sent(values: Tensor, device: str | torch.device) -> Tensor:
    """Copies values to the device without waiting for it."""
    return values.pin_memory().to(device, non_blocking=True) if torch.device(device).type == "cuda" else values.to(device)


class Scenes(dict[str, Tensor]):
    """Holds the parameters of a batch on the device and on the CPU. The CPU copy shows which steps can be skipped, without a synchronization."""

    def __init__(self, scenes: Sequence[Scene], device: str | torch.device) -> None:
        self.host = {k: np.array([s[k] for s in scenes], dtype=np.float32) for k in scenes[0]}
        self.rows = np.concatenate([v.reshape(len(scenes), -1) for v in self.host.values()], 1)
        flat = sent(torch.from_numpy(self.rows), device)
        widths = [v[0].size for v in self.host.values()]
        parts = flat.split(widths, 1)
        super().__init__((k, part.reshape(v.shape)) for (k, v), part in zip(self.host.items(), parts))
        blur, motion, tilt, small = (self.host[k] for k in ("blur", "motion", "focus_tilt", "small"))
        reduced = {s: [i for i, v in enumerate(small) if abs(v - s) < 1e-4] for s in SMALL}
        self.reduced = {s: sent(torch.tensor(rows), device) for s, rows in reduced.items() if rows}
        self.host["smear"] = np.sqrt(blur**2 + (motion / 4) ** 2 + (tilt / 2) ** 2 + (0.45 / small - 0.45) ** 2)

    def any(self, *names: str) -> bool:
        return any(bool(self.host[name].any()) for name in names)

    def any_of(self, name: str, index: tuple[int, ...]) -> bool:
        return bool(self.host[name][(slice(None), *index)].any())
