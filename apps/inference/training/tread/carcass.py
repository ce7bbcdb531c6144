"""Intersects rays with the tire: the enclosing cylinder in closed form, the cross-section by ray marching, the relief by finer marching."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from .parameters import Scenes
from .relief import HALF_MM

COARSE, FINE, RELIEF, SHADOW = 12, 6, 13, 7
DEEPEST_MM = 9.5

Vector = tuple[Tensor, Tensor, Tensor]


def _c(p: Scenes, name: str, *index: int) -> Tensor:
    value = p[name]
    for i in index:
        value = value[:, i]
    return value.view(-1, 1, 1)


def half_width(p: Scenes) -> Tensor:
    """Returns the distance from the middle to the outermost point of the sidewall."""
    return _c(p, "width") / 2 + _c(p, "bulge") + 6


def fall(p: Scenes, x: Tensor) -> Tensor:
    """Returns the distance of the surface below the cylinder at lateral position x: crown, rounded shoulder and sidewall."""
    a = x.abs()
    half, soft = _c(p, "width") / 2, _c(p, "shoulder")
    crown = a * a / (2 * _c(p, "crown"))
    over = ((a - half + soft) / (half_width(p) - half + soft)).clamp(0, 1)
    side = 1 - torch.sqrt((1 - over * over).clamp(min=0))
    return crown + _c(p, "side_height") * side


def beside(p: Scenes, x: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the lateral position on the nearest of several tires on one axle, and the number of that tire (0: the main one)."""
    if not p.any("rack"):
        return x, torch.zeros_like(x)
    pitch = _c(p, "rack")
    k = torch.where(pitch > 0, torch.round(x / pitch.clamp(min=1)).clamp(-2, 2), torch.zeros_like(x))
    return x - pitch * k, k


def rays(p: Scenes, size: int, device: torch.device) -> tuple[Tensor, list[Tensor], Vector]:
    """Returns the camera position and unit ray directions [B,size,size] in the tire's frame: x along the axle, y up, z towards the camera."""
    at = p["at_angle"]
    r = p["radius"]
    target = torch.stack([p["at_side"] * p["width"], r * torch.sin(at), r * torch.cos(at)], 1)
    el, az, d = p["elevation"] + at * 0.6, p["azimuth"], p["distance"]
    forward = -torch.stack([torch.sin(az) * torch.cos(el), torch.sin(el), torch.cos(az) * torch.cos(el)], 1)
    origin = target - forward * d[:, None]
    lowest = -r * 0.9
    origin[:, 1] = torch.where(p["mounted"] > 0, torch.maximum(origin[:, 1], lowest), origin[:, 1])
    forward = F.normalize(target - origin, dim=1)
    up0 = torch.zeros_like(forward)
    up0[:, 1] = 1
    right = F.normalize(torch.linalg.cross(forward, up0), dim=1)
    up = torch.linalg.cross(right, forward)
    cr, sr = torch.cos(p["roll"])[:, None], torch.sin(p["roll"])[:, None]
    right, up = right * cr + up * sr, up * cr - right * sr
    grid = (torch.arange(size, device=device) + 0.5) / size - 0.5
    v, u = torch.meshgrid(grid, grid, indexing="ij")
    u, v = u[None] + _c(p, "shift", 0), v[None] + _c(p, "shift", 1)
    bend = 1 + _c(p, "lens") * (u * u + v * v) * 4
    # `frame` is the tread's width as a share of the image, seen from the front.
    half_tan = (p["width"] / (d * p["frame"])).clamp(0.12, 2.4).view(-1, 1, 1)
    u, v = u * bend * half_tan, v * bend * half_tan
    parts = [forward[:, i].view(-1, 1, 1) + u * right[:, i].view(-1, 1, 1) - v * up[:, i].view(-1, 1, 1) for i in range(3)]
    norm = torch.sqrt(sum(c * c for c in parts))
    return origin, [c / norm for c in parts], (right, up, forward)


def _cylinder(origin: Tensor, d: Sequence[Tensor], radius: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns entry and exit of rays at an infinite cylinder around the axle."""
    oy, oz = origin[:, 1].view(-1, 1, 1), origin[:, 2].view(-1, 1, 1)
    a = (d[1] ** 2 + d[2] ** 2).clamp(min=1e-6)
    b = oy * d[1] + oz * d[2]
    c = oy**2 + oz**2 - radius**2
    root = b * b - a * c
    hit = root > 0
    root = torch.sqrt(root.clamp(min=0))
    return (-b - root) / a, (-b + root) / a, hit


def surface(p: Scenes, origin: Tensor, d: Sequence[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """Intersects rays with the tire without its pattern. Returns the distance, whether there is a hit, and whether it is on the flat side (rim)."""
    radius = _c(p, "radius")
    t_in, t_out, hit = _cylinder(origin, d, radius)
    half = half_width(p) + 2 * _c(p, "rack")
    ox = origin[:, 0].view(-1, 1, 1)
    dx = torch.where(d[0].abs() < 1e-5, torch.full_like(d[0], 1e-5), d[0])
    side_a, side_b = (-half - ox) / dx, (half - ox) / dx
    near, far = torch.minimum(side_a, side_b), torch.maximum(side_a, side_b)
    start, end = torch.maximum(t_in, near).clamp(min=1), torch.minimum(t_out, far)
    hit = hit & (end > start) & (_c(p, "tire_there") > 0)

    def inside(t: Tensor) -> Tensor:
        x, y, z = (origin[:, i].view(-1, 1, 1) + t * d[i] for i in range(3))
        return radius - fall(p, beside(p, x)[0]) - torch.sqrt(y * y + z * z)

    flat = (near > t_in) & (inside(start) > 0) & hit
    step = (end - start).clamp(max=420) / COARSE
    low, high = start.clone(), start.clone()
    found = inside(start) > 0
    for k in range(1, COARSE + 1):
        t = start + step * k
        now = inside(t) > 0
        fresh = now & ~found
        low, high = torch.where(fresh, t - step, low), torch.where(fresh, t, high)
        found = found | now
    for _ in range(FINE):
        middle = (low + high) / 2
        now = inside(middle) > 0
        low, high = torch.where(now, low, middle), torch.where(now, middle, high)
    t = torch.where(flat, start, high)
    # At the crown's top the surface touches the cylinder: rounding alone may put the entry a hair inside.
    rim = flat | (found & (inside(start) > 0.05))
    return t, hit & found, rim


def sample(tile: Tensor, x: Tensor, y01: Tensor, mode: str = "bilinear") -> Tensor:
    """Samples the flat tile at a lateral position in millimetres and a periodic share of its length."""
    rows = tile.shape[2] - 2
    gy = (2 * ((y01 - torch.floor(y01)) * rows + 1)) / (rows + 2) - 1
    return F.grid_sample(tile, torch.stack([x / HALF_MM, gy], -1), mode=mode, padding_mode="border", align_corners=False)


def wrapped(tile: Tensor) -> Tensor:
    return torch.cat([tile[:, :, -1:], tile, tile[:, :, :1]], 2)


def frame_at(p: Scenes, x: Tensor, y: Tensor, z: Tensor) -> tuple[Vector, tuple[Tensor, Tensor], Tensor]:
    """Returns the normal of the plain surface, the radial direction in the y-z plane, and the radius. At the shoulders the normal points outwards."""
    r = torch.sqrt(y * y + z * z).clamp(min=1)
    ny, nz = y / r, z / r
    slope = (fall(p, x + 0.5) - fall(p, x - 0.5)).clamp(-6, 6)
    norm = torch.sqrt(1 + slope * slope)
    return (slope / norm, ny / norm, nz / norm), (ny, nz), r


def descend(depth_tile: Tensor, x: Tensor, y01: Tensor, length: Tensor, dx: Tensor, dy: Tensor, dn: Tensor) -> Vector:
    """Marches from the plain surface into the relief and returns the end point. dx, dy, dn: the ray's components across, along and inwards."""
    reach = DEEPEST_MM / dn.clamp(min=0.18)
    before_gap = torch.zeros_like(x)
    done = torch.zeros_like(x, dtype=torch.bool)
    stop = torch.zeros_like(x)
    for k in range(RELIEF + 1):
        share = (k / RELIEF) ** 1.3
        s = reach * share
        gap = sample(depth_tile, x + dx * s, y01 + dy * s / length)[:, 0] - dn * s
        fresh = (gap <= 0) & ~done
        if k:
            earlier = reach * ((k - 1) / RELIEF) ** 1.3
            part = before_gap / (before_gap - gap).clamp(min=1e-4)
            stop = torch.where(fresh, earlier + (s - earlier) * part.clamp(0, 1), stop)
        done = done | fresh
        before_gap = gap
    stop = torch.where(done, stop, reach)
    return x + dx * stop, y01 + dy * stop / length, dn * stop


def lit(depth_tile: Tensor, x: Tensor, y01: Tensor, length: Tensor, down: Tensor, dx: Tensor, dy: Tensor, dn: Tensor) -> Tensor:
    """Returns the share of a distant light that reaches a point `down` millimetres below the surface; dn is the light's outward component."""
    light = torch.ones_like(x)
    reach = (down / dn.clamp(min=0.08)).clamp(max=30)
    for k in range(1, SHADOW + 1):
        s = reach * k / SHADOW
        above = down - dn.clamp(min=0.08) * s
        block = above - sample(depth_tile, x + dx * s, y01 + dy * s / length)[:, 0]
        light = torch.minimum(light, 1 - (block * 1.6 - 0.25).clamp(0, 1))
    return light


def tangent_angle(p: Scenes, x: Tensor, y: Tensor, z: Tensor, origin: Tensor, axes: Vector) -> Tensor:
    """Returns the angle of the running direction in the image at each point, clockwise from upright."""
    right, up, forward = axes
    r = torch.sqrt(y * y + z * z).clamp(min=1)
    tangent = (torch.zeros_like(x), z / r, -y / r)
    rel = [c - origin[:, i].view(-1, 1, 1) for i, c in enumerate((x, y, z))]

    def dot(v: Sequence[Tensor], axis: Tensor) -> Tensor:
        return sum(v[i] * axis[:, i].view(-1, 1, 1) for i in range(3))

    w = dot(rel, forward).clamp(min=1)
    du = (dot(tangent, right) * w - dot(rel, right) * dot(tangent, forward)) / w**2
    dv = (dot(tangent, up) * w - dot(rel, up) * dot(tangent, forward)) / w**2
    return torch.atan2(du, dv)
