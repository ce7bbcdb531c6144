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


class Beside(nn.Module):
    """Which side of the vehicle is seen beside the tread: what lies left of it and what lies right, judged by the same eye."""

    def __init__(self, inside, width=32):
        super().__init__()
        self.look = _conv(inside, width)
        self.told = nn.Sequential(nn.Linear(4 * width, 48), nn.ReLU(inplace=True), nn.Linear(48, 1))
        self.untold = nn.Sequential(nn.Linear(2 * width, 24), nn.ReLU(inplace=True), nn.Linear(24, 1))

    def forward(self, x, tread, turn):
        """tread: its probability at x's places. turn: cosine and sine of twice the rotation. The answer: unknown, left, right."""
        ones = torch.ones_like(tread)
        across, down = torch.cumsum(ones, 3), torch.cumsum(ones, 2)
        reach = torch.sqrt((ones.sum((2, 3)) / 10).clamp(min=1))[:, :, None, None]
        area = tread.sum((2, 3), keepdim=True) + 1e-3
        # Half of an angle from -180 to 180 degrees: its cosine is never below nothing.
        cos = torch.sqrt(((1 + turn[:, 0]) / 2).clamp(min=1e-6))
        sin = torch.sign(turn[:, 1]) * torch.sqrt(((1 - turn[:, 0]) / 2).clamp(min=1e-6))
        middle_x, middle_y = ((tread * place).sum((2, 3), keepdim=True) / area for place in (across, down))
        place = (across - middle_x) * cos[:, None, None, None] + (down - middle_y) * sin[:, None, None, None]
        right = torch.sigmoid(2 * place / reach)
        seen = self.look(x)
        left_seen, right_seen = (
            torch.cat([(seen * w).mean((2, 3)), (seen * w * (1 - tread)).mean((2, 3))], 1) for w in (1 - right, right)
        )
        left, right = (self.told(torch.cat(pair, 1)) for pair in ((left_seen, right_seen), (right_seen, left_seen)))
        return torch.cat([self.untold(left_seen + right_seen), left, right], 1)


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
        # Three of the eight told the side before there was a head for it.
        self.numbers = nn.Sequential(nn.Linear(2 * deepest + c, 96), nn.ReLU(inplace=True), nn.Linear(96, 8))
        self.beside = Beside(c)

    def forward(self, image):
        s1, s2, s3, s4, x = self.encoder(image)
        x = x + self.context(x.mean((2, 3)))[:, :, None, None]
        u3 = self.up3(self.up4(x, s4), s3)
        fine = torch.cat([s1, self.fine(image - 0.45)], 1)
        lateral = F.interpolate(self.lateral(u3), scale_factor=8.0, mode="bilinear", align_corners=False)
        maps = torch.cat([self.maps(self.up1(self.up2(u3, s2), fine)), lateral], 1)
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3)), u3.mean((2, 3))], 1)
        numbers = self.numbers(pooled)
        with torch.no_grad():
            tread = F.avg_pool2d(torch.sigmoid(maps[:, :1].float()), 8)
            turn = F.normalize(numbers[:, 0:2].float(), dim=1)
        return maps, torch.cat([numbers[:, 0:2], self.beside(u3, tread, turn), numbers[:, 5:]], 1)


class TreadGraph(nn.Module):
    """What is exported: probabilities, millimetres and angles instead of raw values, most of them the mean of what the picture and its
    mirror image say."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, image):
        maps, numbers = self.network(image)
        mirrored_maps, mirrored = self.network(image.flip(3))
        mirrored_maps = mirrored_maps.flip(3)
        # Left and right of a tread on its side are a matter of taste, and may be called otherwise in the mirror: only the picture itself
        # says where places are and what the angle is, by which its sides go. Where both call them otherwise, the mean is undecided.
        tread, groove, depth, spread = ((a + b).float() / 2 for a, b in zip(maps[:, :4].split(1, 1), mirrored_maps[:, :4].split(1, 1)))
        side = torch.softmax(numbers[:, 2:5].float(), 1) + torch.softmax(mirrored[:, [2, 4, 3]].float(), 1)
        return {
            "tread": torch.sigmoid(tread),
            "groove": torch.sigmoid(groove),
            "depth": depth_mm(depth),
            "spread": spread_mm(spread),
            "lateral": maps[:, 4:].float(),
            "rotation": F.normalize(numbers[:, 0:2].float(), dim=1),
            "side": side / 2,
            "is_tread": torch.sigmoid((numbers[:, 5:6] + mirrored[:, 5:6]).float() / 2),
            "quality": (numbers[:, 6:8] + mirrored[:, 6:8]).float() / 2,
        }


def depth_mm(raw):
    return DEEPEST_MM * torch.sigmoid(raw)


def spread_mm(raw):
    return SMALLEST_SPREAD_MM + F.softplus(raw)
