"""Which pixels are sidewall and which are rim: a small network on a picture of 256 pixels, answering at half of that."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from .wheel import render_wheel

WIDTHS = (16, 24, 40, 64, 96)


def block(inputs, outputs, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True))


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inside = nn.Sequential(block(width, width), nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        return F.relu(x + self.inside(x))


class RingNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        inputs = (3, *WIDTHS[:-1])
        self.down = nn.ModuleList(nn.Sequential(block(i, o, 2), *([] if o == WIDTHS[0] else [Residual(o)])) for i, o in zip(inputs, WIDTHS))
        self.context = nn.Sequential(Residual(WIDTHS[-1]), Residual(WIDTHS[-1]))
        self.side = nn.ModuleList(nn.Conv2d(w, 32, 1) for w in WIDTHS)
        self.up = nn.ModuleList(block(32, 32) for _ in WIDTHS[:-1])
        self.last = nn.Conv2d(32, 2, 1)

    def forward(self, image):
        """Logits of sidewall and rim, at half the size of the picture (0..1 RGB)."""
        levels, x = [], image * 4 - 2
        for stage in self.down:
            x = stage(x)
            levels.append(x)
        x = self.side[-1](self.context(x))
        for level in range(len(WIDTHS) - 2, -1, -1):
            x = F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
            x = self.up[level](x + self.side[level](levels[level]))
        return self.last(x)


def batch_of(seeds, fonts, held_out=False):
    pairs = [render_wheel(s, fonts, held_out) for s in seeds]
    pictures = torch.from_numpy(np.stack([p for p, _ in pairs])).permute(0, 3, 1, 2).float() / 255
    return pictures, torch.from_numpy(np.stack([m for _, m in pairs]))


class Wheels:
    def __init__(self, fonts, batch, first_seed):
        self.fonts, self.batch, self.seed = fonts, batch, first_seed

    def loss(self, network):
        pictures, maps = batch_of(range(self.seed, self.seed + self.batch), self.fonts)
        self.seed += self.batch
        return loss_of(network(pictures), maps)


def loss_of(logits, maps):
    truth = F.avg_pool2d(maps, 2)
    probability = torch.sigmoid(logits)
    shared, total = (probability * truth).sum((2, 3)), probability.sum((2, 3)) + truth.sum((2, 3))
    return F.binary_cross_entropy_with_logits(logits, truth) * 2 + (1 - (2 * shared + 20) / (total + 20)).mean()


def overlap(network, pictures, maps):
    """Intersection over union of sidewall and of rim, and the share of pictures without a wheel in which more than 1 % is sidewall."""
    network.eval()
    both, either, empty, invented = torch.zeros(2), torch.zeros(2), 0, 0
    with torch.no_grad():
        for i in range(len(pictures)):
            found = network(pictures[i : i + 1])[0] > 0
            truth = F.avg_pool2d(maps[i : i + 1], 2)[0] > 0.5
            both += (found & truth).sum((1, 2))
            either += (found | truth).sum((1, 2))
            if not truth.any():
                empty += 1
                invented += float(found[0].float().mean()) > 0.01
    network.train()
    share = both / either.clamp(min=1)
    return {"sidewall": round(float(share[0]), 4), "rim": round(float(share[1]), 4), "invented": f"{invented}/{empty}"}
