"""The tread network: a pretrained encoder, a parallel path for fine detail, and a decoder up to the resolution of the image."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

from .encoder import WIDTHS, Encoder

FINE, UPWARDS, DEPTH = 24, (32, 48, 72, 112), 64
FINE_MAPS = ("tread", "groove", "bald")
DEPTH_MAPS = ("depth", "low", "high")  # the median of the gauge reading, and the ends of its 90 % interval
USUAL_MM, USUAL_WIDTH_MM, DEEPEST_MM = 4.0, 185.0, 12.0
SMALLEST_SPREAD_MM = 0.05
# A Laplace-distributed error exceeds 2.3 times its mean in one case of ten.
INTERVAL_TO_MEAN_ERROR = 1 / (2 * math.log(10))


def _conv(inside: int, outside: int, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inside, outside, kernel, 1, kernel // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class Up(nn.Module):
    def __init__(self, deep: int, skip: int, outside: int) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(deep, outside, 1, bias=False)
        self.skip = nn.Conv2d(skip, outside, 1, bias=False)
        self.norm = nn.BatchNorm2d(outside)
        self.first, self.second = _conv(outside, outside), _conv(outside, outside)

    def forward(self, x: Tensor, skip: Tensor) -> Tensor:
        x = F.interpolate(self.narrow(x), scale_factor=2.0, mode="nearest")
        x = F.relu(self.norm(x + self.skip(skip)))
        return x + self.second(self.first(x))


class Wide(nn.Module):
    """A large receptive field at low cost: a depthwise convolution with a large kernel between two 1x1 convolutions."""

    def __init__(self, width: int, kernel: int = 7) -> None:
        super().__init__()
        inner = 2 * width
        self.expand = _conv(width, inner, 1)
        self.far = nn.Sequential(
            nn.Conv2d(inner, inner, kernel, 1, kernel // 2, groups=inner, bias=False), nn.BatchNorm2d(inner), nn.ReLU(inplace=True)
        )
        self.project = nn.Sequential(nn.Conv2d(inner, width, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.project(self.far(self.expand(x)))


class Depth(nn.Module):
    """Estimates the depths of grooves. It first pools the features of all grooves, because the grooves of a tire wear together.

    A single photograph shows ratios only. The logarithm of a depth is therefore the sum of a local part and the tire's scale, one number."""

    def __init__(self, inside: int, context: int, width: int = DEPTH) -> None:
        super().__init__()
        self.enter = _conv(inside, width, 1)
        self.first, self.second = Wide(width), Wide(width)
        self.whole = nn.Sequential(nn.Linear(2 * width + context, 128), nn.ReLU(inplace=True), nn.Linear(128, width))
        self.scale = nn.Sequential(nn.Linear(2 * width + context, 64), nn.ReLU(inplace=True), nn.Linear(64, 1))
        self.told = nn.Sequential(_conv(width, width), nn.Conv2d(width, len(DEPTH_MAPS), 1))

    def forward(self, x: Tensor, groove: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
        """groove: its probability at the resolution of x. Returns raw maps, and the logarithm of the tread's width relative to the usual width."""
        x = self.first(self.enter(x))
        share = groove / (groove.sum((2, 3), keepdim=True) + 1e-2)
        mean = (x.float() * share).sum((2, 3))
        deviation = (((x.float() - mean[:, :, None, None]) ** 2 * share).sum((2, 3)) + 1e-4).sqrt()
        gathered = torch.cat([mean, deviation, context.float()], 1)
        raw = self.told(self.second(x + self.whole(gathered)[:, :, None, None].to(x.dtype)))
        scale = self.scale(gathered)
        return torch.cat([raw[:, :1] + scale[:, :, None, None].to(raw.dtype), raw[:, 1:]], 1), scale


class Beside(nn.Module):
    """Classifies which side of the vehicle is visible beside the tread. The same weights process the regions left and right of it."""

    def __init__(self, inside: int, width: int = 32) -> None:
        super().__init__()
        self.look = _conv(inside, width)
        self.told = nn.Sequential(nn.Linear(4 * width, 48), nn.ReLU(inplace=True), nn.Linear(48, 1))
        self.untold = nn.Sequential(nn.Linear(2 * width, 24), nn.ReLU(inplace=True), nn.Linear(24, 1))

    def forward(self, x: Tensor, tread: Tensor, turn: Tensor) -> Tensor:
        """tread: its probability at the resolution of x. turn: cosine and sine of twice the rotation. Returns the logits of unknown, left, right."""
        ones = torch.ones_like(tread)
        across, down = torch.cumsum(ones, 3), torch.cumsum(ones, 2)
        reach = torch.sqrt((ones.sum((2, 3)) / 10).clamp(min=1))[:, :, None, None]
        area = tread.sum((2, 3), keepdim=True) + 1e-3
        # Half of an angle from -180 to 180 degrees: its cosine is never negative.
        cos = torch.sqrt(((1 + turn[:, 0]) / 2).clamp(min=1e-6))
        sin = torch.sign(turn[:, 1]) * torch.sqrt(((1 - turn[:, 0]) / 2).clamp(min=1e-6))
        middle_x, middle_y = ((tread * place).sum((2, 3), keepdim=True) / area for place in (across, down))
        place = (across - middle_x) * cos[:, None, None, None] + (down - middle_y) * sin[:, None, None, None]
        right = torch.sigmoid(2 * place / reach)
        seen = self.look(x)
        left_seen, right_seen = (torch.cat([(seen * w).mean((2, 3)), (seen * w * (1 - tread)).mean((2, 3))], 1) for w in (1 - right, right))
        left, right = (self.told(torch.cat(pair, 1)) for pair in ((left_seen, right_seen), (right_seen, left_seen)))
        return torch.cat([self.untold(left_seen + right_seen), left, right], 1)


class TreadNetwork(nn.Module):
    """image [B,3,H,W] in 0..1, H and W multiples of 32 -> raw maps {name: [B,H,W]} and raw numbers {name: [B,n]}."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()
        half, quarter, eighth, sixteenth, deepest = WIDTHS
        a, b, c, d = UPWARDS
        self.fine = nn.Sequential(nn.PixelUnshuffle(2), _conv(12, FINE), _conv(FINE, FINE))
        self.context = nn.Linear(deepest, deepest)
        self.up4, self.up3 = Up(deepest, sixteenth, d), Up(d, eighth, c)
        self.up2, self.up1 = Up(c, quarter, b), Up(b, half + FINE, a)
        self.maps = nn.Sequential(nn.Conv2d(a, 4 * len(FINE_MAPS), 3, 1, 1), nn.PixelShuffle(2))
        self.depths = Depth(b, 2 * deepest + c)
        # Lateral positions change slowly, and depend on image content far to the left and to the right.
        self.lateral = nn.Sequential(_conv(c, c), nn.Conv2d(c, 1, 3, 1, 1))
        self.numbers = nn.Sequential(nn.Linear(2 * deepest + c, 96), nn.ReLU(inplace=True), nn.Linear(96, 5))
        self.beside = Beside(c)

    def forward(self, image: Tensor) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        s1, s2, s3, s4, x = self.encoder(image)
        x = x + self.context(x.mean((2, 3)))[:, :, None, None]
        u3 = self.up3(self.up4(x, s4), s3)
        u2 = self.up2(u3, s2)
        fine = self.maps(self.up1(u2, torch.cat([s1, self.fine(image - 0.45)], 1)))
        maps = {name: fine[:, i] for i, name in enumerate(FINE_MAPS)}
        maps["lateral"] = F.interpolate(self.lateral(u3), scale_factor=8.0, mode="bilinear", align_corners=False)[:, 0]
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3)), u3.mean((2, 3))], 1)
        numbers = self.numbers(pooled)
        tread, groove = (torch.sigmoid(fine[:, i : i + 1].detach().float()) for i in (0, 1))
        depths, scale = self.depths(u2, F.avg_pool2d(groove, 4), pooled)
        depths = F.interpolate(depths, scale_factor=4.0, mode="bilinear", align_corners=False)
        maps |= {name: depths[:, i] for i, name in enumerate(DEPTH_MAPS)}
        turn = F.normalize(numbers[:, 0:2].detach().float(), dim=1)
        side = self.beside(u3, F.avg_pool2d(tread, 8).to(u3.dtype), turn)
        return maps, {"rotation": numbers[:, 0:2], "side": side, "is_tread": numbers[:, 2:3], "quality": numbers[:, 3:5], "scale": scale}


class TreadGraph(nn.Module):
    """The exported graph. It returns probabilities, millimetres and angles instead of raw values."""

    def __init__(self, network: TreadNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, image: Tensor) -> dict[str, Tensor]:
        maps, numbers = self.network(image)
        depth, low, high = depths_mm(maps)
        return {
            "tread": torch.sigmoid(maps["tread"].float())[:, None],
            "groove": torch.sigmoid(maps["groove"].float())[:, None],
            "bald": torch.sigmoid(maps["bald"].float())[:, None],
            "depth": depth[:, None],
            "depth_low": low[:, None],
            "depth_high": high[:, None],
            "spread": spread_mm(low, high)[:, None],
            "lateral": maps["lateral"].float()[:, None],
            "rotation": F.normalize(numbers["rotation"].float(), dim=1),
            "side": torch.softmax(numbers["side"].float(), 1),
            "is_tread": torch.sigmoid(numbers["is_tread"].float()),
            "quality": numbers["quality"].float(),
        }


def depths_mm(maps: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the median of the gauge reading and both ends of its 90 % interval. Gradients of the ends do not reach the median."""
    depth = USUAL_MM * torch.exp(maps["depth"].float().clamp(-4, math.log(DEEPEST_MM / USUAL_MM)))
    middle = depth.detach()
    low = middle * torch.sigmoid(maps["low"].float() + 0.5)
    high = middle + (0.5 + middle) * F.softplus(maps["high"].float() - 0.5)
    return depth, low, high


def spread_mm(low: Tensor, high: Tensor) -> Tensor:
    return SMALLEST_SPREAD_MM + (high - low) * INTERVAL_TO_MEAN_ERROR
