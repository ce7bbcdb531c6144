"""The tread network: a U-Net whose first and last layers trade pixels for channels, so that full resolution costs little."""

import torch
import torch.nn as nn
import torch.nn.functional as F

WIDTHS = (32, 48, 80, 112, 144)
MAPS = ("tread", "groove", "depth", "spread", "lateral")
DEEPEST_MM, SMALLEST_SPREAD_MM = 10.0, 0.08


class Block(nn.Module):
    def __init__(self, inside, outside, stride=1):
        super().__init__()
        self.first = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outside)
        self.second = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outside)
        self.short = nn.Conv2d(inside, outside, 1, stride, bias=False) if stride > 1 or inside != outside else nn.Identity()

    def forward(self, x):
        y = F.silu(self.norm1(self.first(x)))
        return F.silu(self.norm2(self.second(y)) + self.short(x))


class Up(nn.Module):
    def __init__(self, deep, skip, outside):
        super().__init__()
        self.narrow = nn.Conv2d(deep, outside, 1, bias=False)
        self.skip = nn.Conv2d(skip, outside, 1, bias=False)
        self.norm = nn.BatchNorm2d(outside)
        self.block = Block(outside, outside)

    def forward(self, x, skip):
        x = F.interpolate(self.narrow(x), scale_factor=2.0, mode="nearest")
        return self.block(F.silu(self.norm(x + self.skip(skip))))


class TreadNetwork(nn.Module):
    """image [B,3,H,W] in 0..1, H and W multiples of 32 -> raw maps [B,5,H,W] and raw numbers [B,8]."""

    def __init__(self, widths=WIDTHS):
        super().__init__()
        a, b, c, d, e = widths
        self.stem = nn.Sequential(nn.PixelUnshuffle(2), nn.Conv2d(12, a, 3, 1, 1, bias=False), nn.BatchNorm2d(a), nn.SiLU())
        self.down1 = Block(a, a)
        self.down2, self.down3, self.down4, self.down5 = Block(a, b, 2), Block(b, c, 2), Block(c, d, 2), Block(d, e, 2)
        self.middle = Block(e, e)
        self.context = nn.Linear(e, e)
        self.up4, self.up3, self.up2, self.up1 = Up(e, d, d), Up(d, c, c), Up(c, b, b), Up(b, a, a)
        self.maps = nn.Sequential(nn.Conv2d(a, 4 * len(MAPS), 3, 1, 1), nn.PixelShuffle(2))
        self.numbers = nn.Sequential(nn.Linear(2 * e + c, 96), nn.SiLU(), nn.Linear(96, 8))

    def forward(self, image):
        s1 = self.down1(self.stem((image - 0.45) / 0.25))
        s2 = self.down2(s1)
        s3 = self.down3(s2)
        s4 = self.down4(s3)
        x = self.middle(self.down5(s4))
        x = x + self.context(x.mean((2, 3)))[:, :, None, None]
        u3 = self.up3(self.up4(x, s4), s3)
        maps = self.maps(self.up1(self.up2(u3, s2), s1))
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
