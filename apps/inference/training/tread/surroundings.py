"""The surroundings of tires in real photographs: ground with joints, walls, wheel arch, body, springs, hoses and hands."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .carcass import _c, _cylinder
from .noise import Dice
from .parameters import Scenes
from .scene_values import MAX_CLUTTER

TEXTURE = 512


def colour(grey: Tensor, tint: Tensor, count: int = 3) -> Tensor:
    """Combines [B,...] grey with a [B,3] tint to [B,3,H,W]."""
    return grey[:, None] * (1 + tint.view(-1, count, 1, 1))


def _wrap_sample(texture: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Samples [B,N,N] periodically, with bilinear interpolation."""
    n = texture.shape[-1]
    grid = torch.stack([(u - torch.floor(u)) * 2 - 1, (v - torch.floor(v)) * 2 - 1], -1)
    return torch.nn.functional.grid_sample(
        texture[:, None], grid * (1 - 1 / n), mode="bilinear", padding_mode="reflection", align_corners=False
    )[:, 0]


def ground(p: Scenes, dice: Dice, origin: Tensor, d: Sequence[Tensor], size: int) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the colour of the ground, where it is visible, and its distance."""
    level = -_c(p, "radius") * _c(p, "ground_drop")
    down = d[1].clamp(max=-1e-3)
    t = (level - origin[:, 1].view(-1, 1, 1)) / down
    seen = (d[1] < -1e-3) & (t > 0) & (t < 9000)
    gx = origin[:, 0].view(-1, 1, 1) + t * d[0]
    gz = origin[:, 2].view(-1, 1, 1) + t * d[2]
    turn = _c(p, "joint_turn")
    a, b = gx * torch.cos(turn) - gz * torch.sin(turn), gx * torch.sin(turn) + gz * torch.cos(turn)
    kind, scale = _c(p, "ground"), _c(p, "ground_scale")
    coarse = dice.fractal(TEXTURE // 2, TEXTURE // 2, 6)
    fine = dice.fractal(TEXTURE, TEXTURE, 64, 2)
    stretch = torch.where(kind == 3, 6.0, 1.0)
    low = _wrap_sample(coarse, a / 900, b / 900)
    mid = _wrap_sample(fine, a / (900 * scale), b / (900 * scale * stretch))
    tiny = _wrap_sample(fine, a / (260 * scale) + 0.3, b / (260 * scale * stretch))
    fade = (1 / (1 + (t / 1800) ** 2)).clamp(0, 1)
    gravel = ((tiny.abs() * 2.4).clamp(0, 1.4) - 0.6) * (1 + mid)
    fibre = tiny * 1.3 + mid
    rough = torch.where(kind == 6, gravel * 1.3, torch.where(kind == 3, fibre, tiny))
    grain = p["ground_grain"]
    shade = 1 + fade * (grain[:, 0].view(-1, 1, 1) * low + grain[:, 1].view(-1, 1, 1) * mid + grain[:, 2].view(-1, 1, 1) * rough)
    row = torch.floor(b / _c(p, "joint_size", 1))
    ja = a / _c(p, "joint_size", 0) + _c(p, "joint_offset") * row
    wobble = 0.08 * mid * (kind != 5)
    da = ((ja + wobble) - torch.round(ja + wobble)).abs() * _c(p, "joint_size", 0)
    db = (b / _c(p, "joint_size", 1) + wobble - torch.round(b / _c(p, "joint_size", 1) + wobble)).abs() * _c(p, "joint_size", 1)
    joint = ((_c(p, "joint_width") - torch.minimum(da, db)) / 3).clamp(0, 1)
    brick = torch.sin(torch.floor(ja + 0.5) * 12.99 + row * 78.2) * 437.585
    shade = shade * (1 + 0.25 * (brick - torch.floor(brick) - 0.5) * (_c(p, "joint_shade").abs() > 0))
    shade = shade * (1 + _c(p, "joint_shade") * joint * fade)
    # The tire stands on the ground and hides part of the sky near its contact.
    near = torch.sqrt(((gx.abs() - _c(p, "width") / 2).clamp(min=0)) ** 2 + gz**2) / _c(p, "radius")
    contact = torch.where(
        (_c(p, "ground_drop") < 1.02) & (_c(p, "tire_there") > 0), 1 - 0.75 * torch.exp(-((near * 1.5) ** 2)), torch.ones_like(near)
    )
    return (
        colour((_c(p, "ground_grey") * shade).clamp(0.004, 0.95) * contact, p["ground_tint"]),
        seen,
        torch.where(seen, t, torch.full_like(t, 1e6)),
    )


def wall(p: Scenes, dice: Dice, d: Sequence[Tensor], size: int) -> Tensor:
    """Returns the distant background: sky, hedges, garage, other cars. It depends on the ray direction, so it moves with the camera's rotation."""
    noise = dice.fractal(256, 256, 5, 4)
    u, v = torch.atan2(d[0], -d[2]) / math.pi, d[1]
    n = _wrap_sample(noise, u * 1.3, v * 0.9)
    steps = torch.round(_wrap_sample(noise, u * 0.7 + 0.4, v * 0.5) * 2.5) / 2.5
    shade = 1 + _c(p, "wall_noise") * (0.6 * n + 0.7 * steps)
    freq, angle, depth = (_c(p, "wall_stripes", i) for i in range(3))
    stripe = torch.sin(freq * (u * 3 * torch.cos(angle) + v * torch.sin(angle)) * 2)
    shade = shade * (1 - depth * (freq > 0) * (stripe > 0.4))
    tint = torch.stack([p["wall"][:, 1], torch.zeros_like(p["wall"][:, 1]), p["wall"][:, 2]], 1)
    return colour((_c(p, "wall", 0) * shade).clamp(0.003, 1.2), tint)


def _in_car(p: Scenes, origin: Tensor, d: Sequence[Tensor]) -> tuple[Tensor, list[Tensor]]:
    """Transforms rays into the car's frame, with x outwards. A steered wheel is at an angle to the body."""
    outer, cos, sin = _c(p, "outer"), torch.cos(_c(p, "steer")), torch.sin(_c(p, "steer"))
    ox, oy, oz = (origin[:, i].view(-1, 1, 1) for i in range(3))
    moved = torch.cat([outer * ox * cos + oz * sin, oy, oz * cos - outer * ox * sin], 2)[:, 0]
    return moved, [outer * d[0] * cos + d[2] * sin, d[1], d[2] * cos - outer * d[0] * sin]


def arch(p: Scenes, dice: Dice, origin: Tensor, d: Sequence[Tensor], background: Tensor, distance: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Draws the dark wheel house behind the tire and the painted body beside it. Returns the image, the paint and its distance."""
    origin, d = _in_car(p, origin, d)
    radius = _c(p, "radius")
    rarch = radius + _c(p, "arch_gap")
    plane_x = _c(p, "width") / 2 + _c(p, "body_gap")
    _, t_out, hit = _cylinder(origin, d, rarch)
    x, y, z = (origin[:, i].view(-1, 1, 1) + t_out * d[i] for i in range(3))
    within = (x < plane_x) & (x > -_c(p, "width") * 2.6)
    liner = (_c(p, "mounted") > 0) & hit & within & (y > -0.35 * radius) & (t_out < distance)
    folds = 1 + 0.5 * torch.sin(x / 17 + 2 * torch.sin(torch.atan2(y, z) * 9)) + 0.4 * dice.smooth(x.shape[1], x.shape[2], 24)
    dark = (_c(p, "liner") * folds).clamp(min=0.002)[:, None].expand(-1, 3, -1, -1)
    picture = torch.where(liner[:, None], dark, background)
    dx = torch.where(d[0].abs() < 1e-4, torch.full_like(d[0], 1e-4), d[0])
    t = (plane_x - origin[:, 0].view(-1, 1, 1)) / dx
    by, bz = origin[:, 1].view(-1, 1, 1) + t * d[1], origin[:, 2].view(-1, 1, 1) + t * d[2]
    away = torch.sqrt(by**2 + bz**2) - rarch
    panel = (_c(p, "panel") > 0) & (t > 1) & (away > 0) & (by > -0.5 * radius) & (by < 900)
    lip = 1 - 0.6 * (away < 14).float() + 0.3 * ((away > 14) & (away < 24)).float()
    shine = 0.6 + 0.5 * ((by / 500) % 1.0) + 0.25 * dice.smooth(x.shape[1], x.shape[2], 3)
    paint = p["body"].view(-1, 3, 1, 1) * (lip * shine)[:, None]
    return picture, paint, torch.where(panel, t, torch.full_like(t, 1e7))


def _outline(kind: Tensor, a: Tensor, b: Tensor, length: Tensor, thick: Tensor) -> Tensor:
    """Returns a value below 1 inside a capsule, a slab, an ellipse or a ring."""
    along, aside = a.abs(), b.abs()
    capsule = torch.sqrt((along - length).clamp(min=0) ** 2 + b * b) / thick
    slab = torch.maximum(along / length, aside / thick)
    ellipse = torch.sqrt((a / length) ** 2 + (b / thick) ** 2)
    round_one = torch.where(kind == 2, ellipse, (ellipse - 0.8).abs() * 4)
    return torch.where(kind == 0, capsule, torch.where(kind == 1, slab, round_one))


def clutter(p: Scenes, dice: Dice, size: int, device: torch.device) -> list[tuple[Tensor, Tensor]]:
    """Draws shapes in the image plane. Returns colour and coverage of the shapes behind the tire, and of those in front of it."""
    grid = (torch.arange(size, device=device) + 0.5) / size * 2 - 1
    v, u = torch.meshgrid(grid, grid, indexing="ij")
    batch = len(p["width"])
    rough = 1 + 0.35 * dice.smooth(size, size, 40)
    layers = [(torch.zeros(batch, 3, size, size, device=device), torch.zeros(batch, size, size, device=device)) for _ in range(2)]
    fronts = p.host["clutter"][:, :, 10] * (p.host["clutter"][:, :, 4] > 0)
    for k in range(MAX_CLUTTER):
        if not p.any_of("clutter", (k, 4)):
            continue
        kind, x, y, angle, length, thick, grey, tint, stripes, shine, is_front = (_c(p, "clutter", k, i) for i in range(11))
        there = length > 0
        length, thick = length.clamp(min=0.05), thick.clamp(min=0.02)
        a = (u - x) * torch.cos(angle) + (v - y) * torch.sin(angle)
        b = (v - y) * torch.cos(angle) - (u - x) * torch.sin(angle)
        q = _outline(kind, a, b, length, thick)
        inside = ((1 - q) * thick * size * 0.25).clamp(0, 1) * there
        round_shade = torch.sqrt((1 - (q * 0.95).clamp(0, 1) ** 2).clamp(min=0.02))
        shade = torch.where(kind == 1, 0.7 + 0.3 * a / length.clamp(min=0.1), 0.25 + 0.75 * round_shade)
        if p.any_of("clutter", (k, 8)):
            shade = shade * (1 - 0.75 * (stripes > 0) * (torch.sin(stripes * a + 3 * b) > 0).float())
        value = grey * shade * rough * (1 + shine * ((b / thick) < -0.3) * 0.4)
        rgb = value[:, None] * torch.cat([1 + tint, torch.ones_like(tint), 1 - tint], 1)[..., None]
        for front in range(1 + int(bool((fronts[:, k] > 0).any()))):
            picture, cover = layers[front]
            here = inside * (is_front == front)
            picture = picture * (1 - here[:, None]) + rgb * here[:, None]
            layers[front] = (picture, cover + here * (1 - cover))
    return layers


def cover_edge(p: Scenes, size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Returns coverage and shade of a body edge or bumper in front of the upper part of the tire."""
    grid = (torch.arange(size, device=device) + 0.5) / size * 2 - 1
    v, u = torch.meshgrid(grid, grid, indexing="ij")
    height, tilt, bend, there = (_c(p, "cover", i) for i in range(4))
    edge = -height + tilt * u + u * u / (bend * 4)
    depth = edge - v
    return (depth * size / 3).clamp(0, 1) * there, (0.35 + 0.65 * (depth * 9).clamp(0, 1)) * (1 + 0.3 * torch.sin(depth * 9))
