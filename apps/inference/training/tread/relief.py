"""The unrolled tread: a flat tile of depths in millimetres. It is a sixth of the circumference long and repeats around the tire."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from .noise import Dice, blurred
from .parameters import Scenes
from .scene_values import MAX_GROOVES, MAX_LATERAL, MAX_STRIPES, MAX_STROKES, MAX_THIN, MAX_ZONES

ROWS, COLUMNS, HALF_MM = 448, 416, 140.0
PLAIN_DEPTH_MM = 0.5  # a groove with less remaining depth than this no longer counts
BAR_MM = 1.6
HAD_SHARE = 0.58  # share of the new depth above which a point counts as a groove or slot
SMOOTH_MM = 0.35  # relief below this counts as smooth


def _column(p: Scenes, name: str, *index: int) -> Tensor:
    value = p[name]
    for i in index:
        value = value[:, i]
    return value.view(-1, 1, 1)


def _wave(phase: Tensor) -> Tensor:
    """Returns a triangle wave in -1..1 with period 1."""
    return 4 * (phase - torch.floor(phase + 0.5)).abs() - 1


def _cover(distance: Tensor, width: Tensor, edge: Tensor | float) -> Tensor:
    return ((width / 2 - distance) / edge + 0.5).clamp(0, 1)


def wear(p: Scenes, x: Tensor, y01: Tensor) -> Tensor:
    """Returns the millimetres worn away at each point. `left_depth` is the mean remaining depth."""
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
    gone = (base.view(-1, 1, 1) + amount * (shape - 0.4)).clamp(min=0)
    if not p.any("zones", "patches"):
        return gone
    new = _column(p, "new_depth")
    wander, first, second, third = (_column(p, "zone_wave", k) for k in range(4))
    wave = wander * (
        torch.sin(2 * math.pi * (y01 + first))
        + 0.6 * torch.sin(2 * math.pi * (3 * y01 + second))
        + 0.3 * torch.sin(2 * math.pi * (8 * y01 + third))
    )
    for k in range(MAX_ZONES):
        middle, half, soft, below, there = (_column(p, "zones", k, i) for i in range(5))
        weight = _smooth((half + wave - (u - middle).abs()) / soft.clamp(min=0.02)) * there
        gone = gone + (new + below - gone).clamp(min=0) * weight
    share, first, second, third, soft, below = (_column(p, "patches", k) for k in range(6))
    hills = (
        torch.sin(2 * math.pi * (2 * y01 + 0.6 * u + first))
        + torch.sin(2 * math.pi * (1 * y01 - 0.8 * u + second))
        + 0.6 * torch.sin(2 * math.pi * (3 * y01 + 1.3 * u + third))
    )
    # Cupping is strongest towards one shoulder.
    weight = _smooth((hills + 0.7 * side * u - 1.6 + 3.4 * share) / (2 * soft.clamp(min=0.02))) * (share > 0)
    return gone + (new + below - gone).clamp(min=0) * weight


def _smooth(t: Tensor) -> Tensor:
    t = t.clamp(0, 1)
    return t * t * (3 - 2 * t)


def _lateral_depth(p: Scenes, x: Tensor, y01: Tensor, length: Tensor, k: int, wobble: Tensor) -> Tensor:
    low, high, n, width, depth, slant, curve, mirror, zig, phase, soft, jitter = (_column(p, "lateral", k, i) for i in range(12))
    across = torch.where(mirror > 0, x.abs(), x)
    phase = phase + 0.5 * ((mirror > 1.5) & (x < 0))
    from_middle = across - (low + high) / 2
    half = _column(p, "width") / 2
    y = y01 * length + slant * from_middle + curve * from_middle**2 / half + zig * _wave(across / 5)
    turn = n * y / length + phase + jitter * torch.sin(2 * math.pi * y01) + wobble
    distance = (turn - torch.round(turn)).abs() * length / n.clamp(min=1)
    distance = distance / torch.sqrt(1 + (slant + 2 * curve * from_middle / half) ** 2)
    ends = ((across - low) / soft.clamp(min=0.5)).clamp(0, 1) * ((high - across) / soft.clamp(min=0.5)).clamp(0, 1)
    return torch.where(n > 0, _cover(distance, width, (width * 0.25).clamp(0.5, 1.6)) * ends * depth, torch.zeros_like(x))


def _openness(depth: Tensor, step_x: float, step_y: float) -> Tensor:
    """Returns the share of the sky that is visible from each point, computed from the steepest horizon in eight directions."""
    open_share = 0
    for ax, ay in ((1, 0), (0, 1), (0.71, 0.71), (0.71, -0.71)):
        for sign in (-1, 1):
            slope = torch.zeros_like(depth)
            for reach in (1.5, 3.6, 7.5, 13.0):
                shift = (round(sign * ay * reach / step_y), round(sign * ax * reach / step_x))
                slope = torch.maximum(slope, (depth - torch.roll(depth, shift, (1, 2))) / reach)
            open_share = open_share + 1 - slope / torch.sqrt(1 + slope * slope)
    return open_share / 8


class Tile(NamedTuple):
    """The unrolled tread."""

    maps: Tensor  # [B,10,ROWS,COLUMNS]: depth, gauge, openness, dust, grain, stone, overlay, chalk, slopes across and along
    plain: Tensor | None  # the same without grooves, if requested
    number: Tensor  # [B,1,ROWS,COLUMNS] groove 1..5
    bald: Tensor  # [B,1,ROWS/4,COLUMNS/4]


def build(p: Scenes, dice: Dice, plain: bool = True) -> Tile:
    """Builds the unrolled tread. The map `gauge` is the depth of the groove's floor as a gauge reads it."""
    device, count = p["width"].device, len(p["width"])
    x = (((torch.arange(COLUMNS, device=device) + 0.5) / COLUMNS * 2 - 1) * HALF_MM).view(1, 1, -1)
    y01 = ((torch.arange(ROWS, device=device) + 0.5) / ROWS).view(1, -1, 1)
    x, y01 = x.expand(count, ROWS, -1), y01.expand(count, -1, COLUMNS)
    length = (2 * math.pi * p["radius"] / 6).view(-1, 1, 1)
    new, gone = _column(p, "new_depth"), wear(p, x, y01)
    wobble = 0.05 * dice.smooth(ROWS, COLUMNS, 4)
    share = torch.zeros_like(x)  # as a share of the new depth
    for k in range(MAX_LATERAL):
        if p.any_of("lateral", (k, 2)):
            share = torch.maximum(share, _lateral_depth(p, x, y01, length, k, wobble))
    for k in range(MAX_THIN):
        if p.any_of("thin", (k, 1)):
            at, width, depth = (_column(p, "thin", k, i) for i in range(3))
            share = torch.maximum(share, torch.where(width > 0, _cover((x - at).abs(), width, 0.6) * depth, torch.zeros_like(x)))
    share = share * ((_column(p, "width") / 2 + 16 - x.abs()) / 14).clamp(0, 1)
    slots, number, gauge = share, torch.zeros_like(x), torch.zeros_like(x)
    bar_distance = ((y01 - _column(p, "bar_at") + 0.5) % 1 - 0.5).abs() * length
    bar = _cover(bar_distance, _column(p, "bar_length"), 1.5) * (_column(p, "bar_length") > 0)
    for k in range(MAX_GROOVES):
        if not p.any_of("grooves", (k, 1)):
            continue
        at, width, zig, waves, wall, depth = (_column(p, "grooves", k, i) for i in range(6))
        centre = at + zig * _wave(y01[..., :1] * waves)
        cover = _cover((x - centre).abs(), width, wall.clamp(min=0.4) * 2) * (width > 0) * _column(p, "groove_on", k)
        share = torch.maximum(share * (1 - cover), cover * (depth - bar * BAR_MM / new))
        left = (new * depth - wear(p, centre, y01[..., :1])).clamp(min=0)
        inside = ((x - centre).abs() < width / 2) & (left > PLAIN_DEPTH_MM)
        number = torch.where(inside, torch.full_like(x, k + 1.0), number)
        gauge = torch.where(inside, left.expand_as(gauge), gauge)
    bald = _bald(p, share, gone, x)
    mud, stone = _fillings(p, dice.apart(1), count)
    overlay, chalk = _overlays(p, dice.apart(2), x, y01, length, share, gone)
    grain = dice.normal(ROWS // 2, COLUMNS // 2)
    grain = F.interpolate(grain[:, None], size=(ROWS, COLUMNS), mode="bilinear")[:, 0]
    scuff = _column(p, "scuff") + _column(p, "scrub") * (x.abs() / (_column(p, "width") / 2) - 0.3).clamp(0, 1)
    grain = grain * 0.6 + dice.smooth(ROWS, COLUMNS, 120, 0.2) * 0.4 * scuff + 0.5 * dice.smooth(ROWS, COLUMNS, 30)
    if p.any("polish"):
        worn_off = F.interpolate(bald, size=(ROWS, COLUMNS), mode="bilinear")[:, 0]
        grain = grain * (1 - _column(p, "polish") * worn_off)
    patches = (dice.fractal(ROWS, COLUMNS, 5) * 0.7 + 0.4).clamp(0, 1.3)
    tilt = _feathered(p, x)

    def finished(share: Tensor, gauge: Tensor) -> Tensor:
        depth = (share * new - gone).clamp(min=0)
        depth = depth * (1 - 0.75 * mud)
        here = stone * (depth > 1.5) + _studs_on_top(p, stone, depth)
        depth = torch.maximum(depth * (1 - 0.6 * here), tilt)
        open_share = _openness(depth, 2 * HALF_MM / COLUMNS, 2 * math.pi * 315 / 6 / ROWS)
        tile = torch.stack([depth, gauge, open_share, _dust(p, patches, depth), grain, here.clamp(0, 1), overlay, chalk], 1)
        return with_gradients(tile, length)

    return Tile(finished(share, gauge), finished(slots, gauge) if plain else None, number[:, None], bald)


def _bald(p: Scenes, share: Tensor, gone: Tensor, x: Tensor) -> Tensor:
    """Returns where the pattern had grooves or slots (well deeper than a sipe) and none is left, on a quarter of the rows and columns. A zone is
    not bald if only shallow slots are worn away, before a groove would be worn to the wear indicators.

    Windows of 16 mm to each side are used, so that a rib beside a remaining groove is not bald. The result is then dilated up to the relief."""
    had = F.max_pool2d(((share > HAD_SHARE) * 1.0)[:, None], 4)
    left = F.max_pool2d((share * _column(p, "new_depth") - gone).clamp(min=0)[:, None], 4)
    beyond = F.avg_pool2d(gone[:, None], 4) > _column(p, "new_depth")[:, None] - BAR_MM
    across, along = 6, 10  # steps of 2.7 and about 2.9 mm

    def widest(image: Tensor, a: int, b: int) -> Tensor:
        image = torch.cat([image[:, :, -b:], image, image[:, :, :b]], 2)
        image = F.max_pool2d(image, (1, 2 * a + 1), 1, (0, a))
        return F.max_pool2d(image, (2 * b + 1, 1), 1)

    core = (widest(had, across, along) > 0.5) & (widest(left, across, along) < SMOOTH_MM)
    grown = widest(core * 1.0, across - 1, along - 1) > 0.5
    smooth = widest(left, 1, 1) < SMOOTH_MM
    inside = F.avg_pool2d(x[:, None].abs().contiguous(), 4) < _column(p, "width")[:, None] / 2
    return (grown & smooth & inside & beyond) * 1.0


def _feathered(p: Scenes, x: Tensor) -> Tensor:
    """Returns the height in millimetres of blocks that are worn at a slant."""
    if not p.any("feather"):
        return torch.zeros_like(x)
    high, size, side = (_column(p, "feather", k) for k in range(3))
    turn = x / size.clamp(min=5)
    place = ((turn - torch.floor(turn)) * torch.where(side < 0, -1.0, 1.0)) % 1
    where = torch.where(side == 0, 1.0, _smooth((side * x / (_column(p, "width") / 2) + 0.2) * 1.5))
    return high * place * where * (size > 0)


def _fillings(p: Scenes, dice: Dice, count: int) -> tuple[Tensor, Tensor]:
    """Returns mud and stones, which fill part of the grooves. A gauge reading does not include them."""
    if not p.any("mud", "stones", "studs"):
        nothing = torch.zeros(count, ROWS, COLUMNS, device=p["width"].device)
        return nothing, nothing
    mud = ((dice.fractal(ROWS, COLUMNS, 7) - 0.9 + 1.6 * _column(p, "mud")) * 2).clamp(0, 1) * (_column(p, "mud") > 0)
    seeds = (dice.uniform(ROWS // 8, COLUMNS // 8) < 0.02 * (_column(p, "stones") + _column(p, "studs"))).float()
    seeds = F.interpolate(seeds[:, None], size=(ROWS, COLUMNS), mode="bicubic")[:, 0]
    return mud, ((seeds - 0.35) * 4).clamp(0, 1)


def _studs_on_top(p: Scenes, stone: Tensor, depth: Tensor) -> Tensor:
    """Returns studs, which look like bright stones but are on top of the blocks."""
    return stone * (_column(p, "studs") > 0) * (depth < 0.5)


def _overlays(p: Scenes, dice: Dice, x: Tensor, y01: Tensor, length: Tensor, share: Tensor, gone: Tensor) -> tuple[Tensor, Tensor]:
    """Returns colours on the rubber. The overlay is paint above 0 and carcass cords below 0. Chalk is on one of the six repetitions only."""
    overlay = chalk = torch.zeros_like(x)
    rough = dice.smooth(ROWS, COLUMNS, 60) if p.any("stripes", "strokes") else 0.0
    if p.any("stripes"):
        for k in range(MAX_STRIPES):
            at, width, strength = (_column(p, "stripes", k, i) for i in range(3))
            overlay = torch.maximum(overlay, _cover((x - at).abs(), width, 0.7) * (strength + 0.7 * rough).clamp(0, 1) * (width > 0))
    if p.any("strokes"):
        y = y01 * length
        for k in range(MAX_STROKES):
            kind, mx, my, ax, ay, width = (_column(p, "strokes", k, i) for i in range(6))
            dx, dy = x - mx, y - my
            along = ((dx * ax + dy * ay) / (ax * ax + ay * ay).clamp(min=1)).clamp(-0.5, 0.5)
            line = torch.sqrt((dx - along * ax) ** 2 + (dy - along * ay) ** 2)
            ring = (torch.sqrt((dx / 0.7) ** 2 + dy**2) - torch.sqrt(ax * ax + ay * ay) * 0.6).abs()
            far = torch.where(kind == 2, ring, line)
            chalk = torch.maximum(chalk, _cover(far, width, 1.5) * (kind > 0))
        chalk = chalk * (0.75 + 0.9 * rough).clamp(0, 1) * _column(p, "chalk", 3)
    if p.any("cord"):
        dice = dice.apart(1)  # the result must not depend on other scenes of the batch
        much, angle, bright = (_column(p, "cord", k) for k in range(3))
        place = dice.smooth(ROWS, COLUMNS, 5) + 0.25 * dice.smooth(ROWS, COLUMNS, 40)
        laid_bare = ((place - 1 + 1.4 * much) * 5).clamp(0, 1) * ((gone - _column(p, "new_depth") - 0.2) * 3).clamp(0, 1)
        y = y01 * length
        threads = 0.5 + 0.5 * torch.cos(2 * math.pi * (x * torch.sin(angle) + y * torch.cos(angle)) / 1.9)
        overlay = torch.where(laid_bare > 0.02, -laid_bare * (0.35 + 0.65 * threads) * bright.clamp(min=0.05) * 2, overlay)
    return overlay, chalk


def _dust(p: Scenes, patches: Tensor, depth: Tensor) -> Tensor:
    low = 1 - torch.exp(-depth / 1.5)
    return _column(p, "dust") * patches * 0.5 + _column(p, "dust_in_grooves") * low * (0.5 + 0.5 * patches) + (_column(p, "mud") * 0.6)


def with_gradients(tile: Tensor, length: Tensor) -> Tensor:
    """Adds the slopes of a slightly smoothed depth, for shading."""
    depth = blurred(tile[:, 0], 1)
    dx = (torch.roll(depth, -1, 2) - torch.roll(depth, 1, 2)) / (2 * 2 * HALF_MM / COLUMNS)
    dy = (torch.roll(depth, -1, 1) - torch.roll(depth, 1, 1)) / (2 * length.view(-1, 1, 1) / ROWS)
    return torch.cat([tile, dx[:, None], dy[:, None]], 1)
