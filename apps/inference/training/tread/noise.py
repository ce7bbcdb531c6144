"""Random textures. Each number is a hash of seed, call and position, so every device and batch size gives the same numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor


def _signed(value: int) -> int:
    """Returns the low 32 bits as a signed number."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def _mixed(value: int) -> int:
    value &= 0xFFFFFFFF
    value = ((value ^ (value >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
    value = ((value ^ (value >> 15)) * 0x846CA68B) & 0xFFFFFFFF
    return value ^ (value >> 16)


def hashed(bits: Tensor) -> Tensor:
    """Mixes the bits of int32 tensors as `_mixed` does. Products wrap around; masks make the shifts logical."""
    bits = (bits ^ ((bits >> 16) & 0xFFFF)) * 0x7FEB352D
    bits = (bits ^ ((bits >> 15) & 0x1FFFF)) * _signed(0x846CA68B)
    return bits ^ ((bits >> 16) & 0xFFFF)


class Dice:
    """Gives random numbers for each scene of the batch. `keys` has two 32-bit numbers per scene, and each call has its own number."""

    def __init__(self, keys: Tensor, salt: int = 0) -> None:
        self.keys, self.salt, self.calls = keys, salt, 0

    @staticmethod
    def keys_of(seeds: Sequence[int]) -> list[list[int]]:
        return [[_signed(_mixed(int(s))), _signed(_mixed(_mixed(int(s) >> 32) ^ 0x9E3779B9 ^ _mixed(int(s) + 77)))] for s in seeds]

    def apart(self, salt: int) -> Dice:
        """Returns separate dice for features that only some scenes need. The numbers of other scenes do not depend on them."""
        return Dice(self.keys, self.salt * 64 + salt)

    def _bits(self, shape: Sequence[int]) -> Tensor:
        self.calls += 1
        stream = _signed(_mixed(self.salt * 4096 + self.calls))
        place = torch.arange(math.prod(shape), dtype=torch.int32, device=self.keys.device)
        start = hashed(self.keys[:, :1] + stream) ^ self.keys[:, 1:]
        return hashed(hashed(place[None] + start) ^ start).view(len(self.keys), *shape)

    def uniform(self, *shape: int) -> Tensor:
        return ((self._bits(shape) >> 8) & 0xFFFFFF).float() * (1 / (1 << 24))

    def normal(self, *shape: int) -> Tensor:
        bits = self._bits(shape)
        far = torch.sqrt(-2 * torch.log(((bits & 0xFFFF).float() + 0.5) * (1 / 65536)))
        return far * torch.cos(((bits >> 16) & 0xFFFF).float() * (2 * math.pi / 65536))

    def smooth(self, height: int, width: int, cells: int, stretch: float = 1.0) -> Tensor:
        """Returns value noise in -1..1 with `cells` across, periodic from top to bottom. `stretch` lengthens it vertically."""
        rows = max(2, round(cells * height / width / stretch))
        grid = self.uniform(1, rows, cells + 1) * 2 - 1
        grid = torch.cat([grid[:, :, -1:], grid, grid[:, :, :1]], 2)
        if cells <= width // 12:
            grid = F.interpolate(grid, scale_factor=4, mode="bicubic", align_corners=False)
        up = F.interpolate(grid, size=(height * (rows + 2) // rows, width), mode="bilinear", align_corners=False)
        margin = (up.shape[2] - height) // 2
        return up[:, 0, margin : margin + height]

    def fractal(self, height: int, width: int, cells: int, octaves: int = 3, stretch: float = 1.0) -> Tensor:
        total = self.smooth(height, width, min(width, cells), stretch)
        for k in range(1, octaves):
            total = total + self.smooth(height, width, min(width, cells * 2**k), stretch) * 0.6**k
        return total


def blurred(image: Tensor, radius: int) -> Tensor:
    """Applies a box blur to [B,H,W] that is not periodic."""
    return F.avg_pool2d(F.pad(image[:, None], [radius] * 4, mode="replicate"), 2 * radius + 1, 1)[:, 0]
