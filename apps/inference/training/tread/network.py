"""The tread network: a known encoder, a path of fine detail beside it, and a decoder that ends at the picture's own resolution."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from .encoder import WIDTHS, Encoder

FINE, UPWARDS = 24, (32, 40, 64, 96)
FINE_MAPS = ("tread", "groove", "depth", "spread")
DEEPEST_MM, SMALLEST_SPREAD_MM = 10.0, 0.08


def _conv(inside, outside, kernel=3):
    return nn.Sequential(nn.Conv2d(inside, outside, kernel, 1, kernel // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class Up(nn.Module):
    def __init__(self, deep, skip, outside):
        super().__init__()
        self.narrow = nn.Conv2d(deep, outside, 1, bias=False)
        self.skip = nn.Conv2d(skip, outside, 1, bias=False)
        self.norm = nn.BatchNorm2d(outside)
        self.first, self.second = _conv(outside, outside), _conv(outside, outside)

    def forward(self, x, skip):
        x = F.interpolate(self.narrow(x), scale_factor=2.0, mode="nearest")
        x = F.relu(self.norm(x + self.skip(skip)))
        return x + self.second(self.first(x))


class TreadNetwork(nn.Module):
    """image [B,3,H,W] in 0..1, H and W multiples of 32 -> raw maps [B,5,H,W] and raw numbers [B,8]."""

    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        half, quarter, eighth, sixteenth, deepest = WIDTHS
        a, b, c, d = UPWARDS
        self.fine = nn.Sequential(nn.PixelUnshuffle(2), _conv(12, FINE), _conv(FINE, FINE))
        self.context = nn.Linear(deepest, deepest)
        self.up4, self.up3 = Up(deepest, sixteenth, d), Up(d, eighth, c)
        self.up2, self.up1 = Up(c, quarter, b), Up(b, half + FINE, a)
        self.maps = nn.Sequential(nn.Conv2d(a, 4 * len(FINE_MAPS), 3, 1, 1), nn.PixelShuffle(2))
        # Places across a tread change slowly, and are told by what lies far to the left and to the right.
        self.lateral = nn.Sequential(_conv(c, c), nn.Conv2d(c, 1, 3, 1, 1))
        self.numbers = nn.Sequential(nn.Linear(2 * deepest + c, 96), nn.ReLU(inplace=True), nn.Linear(96, 8))

    def forward(self, image):
        s1, s2, s3, s4, x = self.encoder(image)
        x = x + self.context(x.mean((2, 3)))[:, :, None, None]
        u3 = self.up3(self.up4(x, s4), s3)
        fine = torch.cat([s1, self.fine(image - 0.45)], 1)
        lateral = F.interpolate(self.lateral(u3), scale_factor=8.0, mode="bilinear", align_corners=False)
        maps = torch.cat([self.maps(self.up1(self.up2(u3, s2), fine)), lateral], 1)
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3)), u3.mean((2, 3))], 1)
        return maps, self.numbers(pooled)


class TreadGraph(nn.Module):
    """What is exported: probabilities, millimetres and angles instead of raw values."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, image):
        maps, numbers = self.network(image)
        tread, groove, depth, spread, lateral = maps.float().split(1, 1)
        turn = F.normalize(numbers[:, 0:2].float(), dim=1)
        return {
            "tread": torch.sigmoid(tread),
            "groove": torch.sigmoid(groove),
            "depth": depth_mm(depth),
            "spread": spread_mm(spread),
            "lateral": lateral,
            "rotation": turn,
            "side": torch.softmax(numbers[:, 2:5].float(), 1),
            "is_tread": torch.sigmoid(numbers[:, 5:6].float()),
            "quality": numbers[:, 6:8].float(),
        }


def depth_mm(raw):
    return DEEPEST_MM * torch.sigmoid(raw)


def spread_mm(raw):
    return SMALLEST_SPREAD_MM + F.softplus(raw)
