"""The tread rolled flat: a tile of depths in millimetres, a sixth of the circumference long, repeated around the tire."""

import math

import torch

from .draw import MAX_LATERAL, MAX_THIN
from .noise import Dice, blurred

ROWS, COLUMNS, HALF_MM = 448, 416, 140.0
PLAIN_DEPTH_MM = 0.5  # a groove with less left than this is not one any more
BAR_MM = 1.6


def _column(p, name, *index):
    value = p[name]
    for i in index:
        value = value[:, i]
    return value.view(-1, 1, 1)


def _wave(phase):
    """A triangle wave in -1..1 with period 1."""
    return 4 * (phase - torch.floor(phase + 0.5)).abs() - 1


def _cover(distance, width, edge):
    return ((width / 2 - distance) / edge + 0.5).clamp(0, 1)


def wear(p, x, y01):
    """Millimetres gone at each place. `left_depth` is what the mean keeps."""
    u = x / (p["width"].view(-1, 1, 1) / 2)
    kind, amount = p["profile"].view(-1, 1, 1), p["profile_amount"].view(-1, 1, 1)
    side = p["profile_side"].view(-1, 1, 1)
    centre = (1 - u.abs() ** 2.0).clamp(-0.3, 1)
    shoulders = u.abs().clamp(max=1.2) ** 2.6
    one = ((side * u + 1) / 2).clamp(0, 1.1) ** 1.8
    cups = (torch.sin(2 * math.pi * (y01 * p["cup_waves"].view(-1, 1, 1))) * (side * u).clamp(min=0) + 1) * 0.45
    even = 0.5 + 0.5 * side * u
    shape = torch.where(
        kind == 0, even, torch.where(kind == 1, centre, torch.where(kind == 2, shoulders, torch.where(kind == 3, one, cups)))
    )
    base = p["new_depth"] - p["left_depth"]
    return (base.view(-1, 1, 1) + amount * (shape - 0.4)).clamp(min=0)


def _lateral_depth(p, x, y01, length, k, wobble):
    low, high, n, width, depth, slant, curve, mirror, zig, phase, soft, jitter = (_column(p, "lateral", k, i) for i in range(12))
    across = torch.where(mirror > 0, x.abs(), x)
    from_middle = across - (low + high) / 2
    half = _column(p, "width") / 2
    y = y01 * length + slant * from_middle + curve * from_middle**2 / half + zig * _wave(across / 5)
    turn = n * y / length + phase + jitter * torch.sin(2 * math.pi * y01) + wobble
    distance = (turn - torch.round(turn)).abs() * length / n.clamp(min=1)
    distance = distance / torch.sqrt(1 + (slant + 2 * curve * from_middle / half) ** 2)
    ends = ((across - low) / soft.clamp(min=0.5)).clamp(0, 1) * ((high - across) / soft.clamp(min=0.5)).clamp(0, 1)
    return torch.where(n > 0, _cover(distance, width, (width * 0.25).clamp(0.5, 1.6)) * ends * depth, torch.zeros_like(x))


def _openness(depth, step_x, step_y):
    """Share of the sky that each place of the relief sees, from the steepest horizon in eight directions."""
    open_share = 0
    for ax, ay in ((1, 0), (0, 1), (0.71, 0.71), (0.71, -0.71)):
        for sign in (-1, 1):
            slope = torch.zeros_like(depth)
            for reach in (1.5, 3.6, 7.5, 13.0):
                shift = (round(sign * ay * reach / step_y), round(sign * ax * reach / step_x))
                slope = torch.maximum(slope, (depth - torch.roll(depth, shift, (1, 2))) / reach)
            open_share = open_share + 1 - slope / torch.sqrt(1 + slope * slope)
    return open_share / 8


def build(p, dice: Dice):
    """Tile channels [B,C,ROWS,COLUMNS]: depth, depth to the groove's floor as a gauge reads it, openness, dust, grain, groove number."""
    device = p["width"].device
    x = (((torch.arange(COLUMNS, device=device) + 0.5) / COLUMNS * 2 - 1) * HALF_MM).view(1, 1, -1)
    y01 = ((torch.arange(ROWS, device=device) + 0.5) / ROWS).view(1, -1, 1)
    x, y01 = x.expand(len(p["width"]), ROWS, -1), y01.expand(len(p["width"]), -1, COLUMNS)
    length = (2 * math.pi * p["radius"] / 6).view(-1, 1, 1)
    new, gone = _column(p, "new_depth"), wear(p, x, y01)
    wobble = 0.05 * dice.smooth(ROWS, COLUMNS, 4)
    share = torch.zeros_like(x)  # of the new depth
    for k in range(MAX_LATERAL):
        if bool((p["lateral"][:, k, 2] > 0).any()):
            share = torch.maximum(share, _lateral_depth(p, x, y01, length, k, wobble))
    for k in range(MAX_THIN):
        if not bool((p["thin"][:, k, 1] > 0).any()):
            continue
        at, width, depth = (_column(p, "thin", k, i) for i in range(3))
        share = torch.maximum(share, torch.where(width > 0, _cover((x - at).abs(), width, 0.6) * depth, torch.zeros_like(x)))
    fade = ((_column(p, "width") / 2 + 16 - x.abs()) / 14).clamp(0, 1)
    share = share * fade
    number, gauge = torch.zeros_like(x), torch.zeros_like(x)
    bar_distance = ((y01 - _column(p, "bar_at") + 0.5) % 1 - 0.5).abs() * length
    bar = _cover(bar_distance, _column(p, "bar_length"), 1.5) * (_column(p, "bar_length") > 0)
    for k in range(int(p["groove_count"].max())):
        at, width, zig, waves, wall, depth = (_column(p, "grooves", k, i) for i in range(6))
        centre = at + zig * _wave(y01[..., :1] * waves)
        cover = _cover((x - centre).abs(), width, wall.clamp(min=0.4) * 2) * (width > 0)
        floor = depth - bar * BAR_MM / new
        share = torch.maximum(share * (1 - cover), cover * floor)
        left = (new * depth - wear(p, centre[..., :1], y01[..., :1])).clamp(min=0)
        inside = ((x - centre).abs() < width / 2) & (left > PLAIN_DEPTH_MM)
        number = torch.where(inside, torch.full_like(x, k + 1.0), number)
        gauge = torch.where(inside, left.expand_as(gauge), gauge)
    depth = (share * new - gone).clamp(min=0)
    depth, stone = _fillings(p, dice.apart(1), depth)
    open_share = _openness(depth, 2 * HALF_MM / COLUMNS, float(length.mean()) / ROWS)
    dust = _dust(p, dice, depth)
    grain = dice.normal(ROWS // 2, COLUMNS // 2)
    grain = torch.nn.functional.interpolate(grain[:, None], size=(ROWS, COLUMNS), mode="bilinear")[:, 0]
    grain = grain * 0.6 + dice.smooth(ROWS, COLUMNS, 120, 0.2) * 0.4 * _column(p, "scuff") + 0.5 * dice.smooth(ROWS, COLUMNS, 30)
    return torch.stack([depth, gauge, open_share, dust, grain, stone], 1), number[:, None]


def _fillings(p, dice, depth):
    """Mud, snow and stones take up part of the room; the gauge would be pushed through them."""
    if not bool((p["mud"] + p["stones"] > 0).any()):
        return depth, torch.zeros_like(depth)
    mud = ((dice.fractal(ROWS, COLUMNS, 7) - 0.9 + 1.6 * _column(p, "mud")) * 2).clamp(0, 1) * (_column(p, "mud") > 0)
    depth = depth * (1 - 0.75 * mud)
    seeds = (dice.uniform(ROWS // 8, COLUMNS // 8) < 0.02 * _column(p, "stones")).float()
    seeds = torch.nn.functional.interpolate(seeds[:, None], size=(ROWS, COLUMNS), mode="bicubic")[:, 0]
    stone = ((seeds - 0.35) * 4).clamp(0, 1) * (depth > 1.5)
    return depth * (1 - 0.6 * stone), stone


def _dust(p, dice, depth):
    patches = (dice.fractal(ROWS, COLUMNS, 5) * 0.7 + 0.4).clamp(0, 1.3)
    low = 1 - torch.exp(-depth / 1.5)
    return _column(p, "dust") * patches * 0.5 + _column(p, "dust_in_grooves") * low * (0.5 + 0.5 * patches) + (_column(p, "mud") * 0.6)


def with_gradients(tile, length):
    """Adds the slopes of a slightly smoothed depth, for shading."""
    depth = blurred(tile[:, 0], 1)
    dx = (torch.roll(depth, -1, 2) - torch.roll(depth, 1, 2)) / (2 * 2 * HALF_MM / COLUMNS)
    dy = (torch.roll(depth, -1, 1) - torch.roll(depth, 1, 1)) / (2 * length.view(-1, 1, 1) / ROWS)
    return torch.cat([tile, dx[:, None], dy[:, None]], 1)
