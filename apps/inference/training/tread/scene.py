"""Renders a batch of scenes: linear light at render resolution, and the ground truth of every pixel."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from . import carcass, relief, surroundings
from .carcass import Vector, _c
from .noise import Dice
from .parameters import Scenes
from .photo import luminance


def _unit(p: Scenes, azimuth: str, height: str) -> Tensor:
    a, h = p[azimuth], p[height]
    return torch.stack([torch.sin(a) * torch.cos(h), torch.sin(h), torch.cos(a) * torch.cos(h)], 1)


def _axis(vector: Tensor, i: int) -> Tensor:
    return vector[:, i].view(-1, 1, 1)


def _basis(p: Scenes, x: Tensor, y: Tensor, z: Tensor) -> tuple[Vector, Vector, Vector]:
    normal, (ry, rz), _ = carcass.frame_at(p, x, y, z)
    tangent = (torch.zeros_like(x), rz, -ry)
    across = (tangent[1] * normal[2] - tangent[2] * normal[1], tangent[2] * normal[0], -tangent[1] * normal[0])
    return across, tangent, normal


def _dot(a: Sequence[Tensor], b: Sequence[Tensor]) -> Tensor:
    return sum(u * v for u, v in zip(a, b))


def _rubber_colour(p: Scenes, depth: Tensor, dust: Tensor, grain: Tensor, stone: Tensor, x: Tensor, low_noise: Tensor) -> Tensor:
    """Returns the reflectance of the rubber: worn tops are lighter, dust has its own colour, stones are grey."""
    worn = 1 + _c(p, "worn_light") * torch.exp(-depth / 0.7)
    base = _c(p, "rubber") * worn * (1 + _c(p, "grain") * grain) * (1 + 0.2 * low_noise)
    rgb = surroundings.colour(base.clamp(0.006, 0.6), p["rubber_tint"])
    cover = dust.clamp(0, 0.95)[:, None]
    rgb = rgb * (1 - cover) + p["dust_colour"].view(-1, 3, 1, 1) * (0.75 + 0.2 * grain.clamp(-2, 2))[:, None] * cover
    white = (_c(p, "snow") * (0.4 + low_noise + 0.5 * grain)).clamp(0, 1) * (depth > 1).float()
    rgb = rgb * (1 - white[:, None]) + 0.75 * white[:, None]
    return rgb * (1 - stone[:, None]) + (0.22 + 0.1 * grain.clamp(-1, 2))[:, None] * stone[:, None]


def _sidewall_colour(p: Scenes, x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    r = torch.sqrt(y * y + z * z)
    share = ((r - (_c(p, "radius") - _c(p, "side_height"))) / _c(p, "side_height")).clamp(0, 1)
    turn = torch.atan2(y, z)
    letters = (torch.sin(turn * 46) * torch.sin(turn * 17 + 1) > 0.1) & ((share - 0.5).abs() < 0.13) & (torch.sin(turn * 5) > 0)
    rings = torch.sin(share * 60) > 0.8
    value = 1 + _c(p, "lettering") * letters.float() + 0.25 * rings.float() * _c(p, "lettering")
    return value


def _rim_colour(p: Scenes, y: Tensor, z: Tensor) -> Tensor:
    r = torch.sqrt(y * y + z * z) / (_c(p, "radius") - _c(p, "side_height"))
    turn = torch.atan2(y, z)
    spoke = torch.cos(turn * _c(p, "rim_spokes")) > (1 - 2 * _c(p, "rim_share"))
    solid = spoke | (r > 0.9) | (r < 0.22)
    value = torch.where(solid, _c(p, "rim_grey") * (0.6 + 0.5 * r + 0.3 * torch.sin(turn * 2 + r * 5)), 0.015 * torch.ones_like(r))
    return value[:, None].expand(-1, 3, -1, -1).clamp(0.004, 1)


def _shaded(p: Scenes, rgb: Tensor, open_share: Tensor, direct: Tensor, sky_normal: Tensor, flash: Tensor) -> Tensor:
    """Computes the diffuse light of sky, sun and flash."""
    sky = _c(p, "sky") * (0.6 + 0.4 * sky_normal).clamp(min=0.1) * open_share
    total = sky[:, None] * p["sky_colour"].view(-1, 3, 1, 1) + direct[:, None] * p["sun_colour"].view(-1, 3, 1, 1)
    return rgb * (total + flash[:, None])


class _Points:
    """Selects the pixels whose rays hit the tire. A single render on a CPU computes only these, which halves the work; a batch keeps its shape."""

    def __init__(self, hit: Tensor, step: int = 1) -> None:
        self.step, self.shape = step, hit[:, ::step, ::step].shape
        self.single = len(hit) == 1 and not hit.is_cuda
        self.index = hit[:, ::step, ::step].flatten().nonzero()[:, 0] if self.single else None

    def take(self, image: Tensor) -> Tensor:
        image = image[:, :: self.step, :: self.step]
        return image.flatten()[self.index].view(1, 1, -1) if self.single else image

    def put(self, image: Tensor) -> Tensor:
        if not self.single:
            return image
        out = image.new_zeros(*image.shape[:-2], self.shape[1] * self.shape[2])
        out[..., self.index] = image[..., 0, :]
        return out.view(*image.shape[:-2], *self.shape[1:])


def _near(
    p: Scenes, points: _Points, origin: Tensor, d: Sequence[Tensor], t: Tensor, rim: Tensor, shade: Tensor, low: Tensor
) -> tuple[list[Tensor], dict[str, Tensor]]:
    """Returns rays, positions and shading of the pixels whose rays hit the tire, without its pattern."""
    near = {"t": points.take(t), "rim": points.take(rim), "shade": points.take(shade), "low": points.take(low)}
    ray = [points.take(c) for c in d]
    near |= dict(zip("xyz", (origin[:, i].view(-1, 1, 1) + near["t"] * ray[i] for i in range(3))))
    near["across"], near["tire"] = carcass.beside(p, near["x"])
    return ray, near


def assemble(p: Scenes, dice: Dice, size: int, plain: bool = True) -> tuple[Tensor, dict[str, Tensor]]:
    """Returns linear light [B,3,size,size] and truth maps. With `plain`, also returns the luminance of every second row and
    column with and without grooves: `before`, `without` [B,size/2,size/2]."""
    device = p["width"].device
    tile = relief.build(p, dice, plain)
    origin, d, axes = carcass.rays(p, size, device)
    t, hit, rim = carcass.surface(p, origin, d)
    shade, low = _shade(p, size, device, dice), dice.smooth(size, size, 6)
    points = _Points(hit)
    ray, near = _near(p, points, origin, d, t, rim, shade, low)
    light = _tire_light(p, tile.maps, ray, near)
    turn = torch.atan2(near["y"], near["z"]) * 6 / (2 * math.pi) + 0.37 * near["tire"]
    number = carcass.sample(carcass.wrapped(tile.number), near["across"], turn, "nearest")[:, 0]
    gauge = carcass.sample(carcass.wrapped(tile.maps[:, 1:2].contiguous()), near["across"], turn, "nearest")[:, 0]
    bald = carcass.sample(carcass.wrapped(tile.bald), near["across"], turn)[:, 0]
    angle = carcass.tangent_angle(p, near["x"], near["y"], near["z"], origin, axes)
    span = torch.sqrt(near["y"] ** 2 + near["z"] ** 2).clamp(min=1)
    facing = -(ray[1] * near["y"] + ray[2] * near["z"]) / span
    met = {"t": t, "hit": hit, "rim": rim}
    for name, value in (("x", near["x"]), ("number", number), ("gauge", gauge), ("angle", angle), ("facing", facing), ("bald", bald)):
        met[name] = points.put(value)
    picture, truth = _composed(p, dice, size, origin, d, points.put(light), shade, met)
    if tile.plain is not None:
        points = _Points(hit, 2)
        light = _tire_light(p, tile.plain, *_near(p, points, origin, d, t, rim, shade, low))
        truth["before"] = luminance(picture[:, :, ::2, ::2])
        truth["without"] = torch.where(truth["tread"][:, ::2, ::2] > 0, luminance(points.put(light)), truth["before"])
    return picture, truth


def _tire_light(p: Scenes, tile: Tensor, d: Sequence[Tensor], near: dict[str, Tensor]) -> Tensor:
    """Computes the light from the tire's points."""
    length = (2 * math.pi * p["radius"] / 6).view(-1, 1, 1)
    tile = carcass.wrapped(tile)
    depth_tile = tile[:, :1].contiguous()
    x, y, z, rim, at = near["x"], near["y"], near["z"], near["rim"], near["across"]
    across, tangent, normal = _basis(p, at, y, z)
    y01 = torch.atan2(y, z) * 6 / (2 * math.pi) + 0.37 * near["tire"]
    xs, ys, down = carcass.descend(depth_tile, at, y01, length, _dot(d, across), _dot(d, tangent), -_dot(d, normal))
    depth, _, open_share, dust, grain, stone, overlay, chalk, gx, gy = carcass.sample(tile, xs, ys).unbind(1)
    open_share = open_share ** _c(p, "sky_contrast")
    bend = torch.sqrt(1 + gx * gx + gy * gy)
    local = tuple((across[i] * gx + tangent[i] * gy + normal[i]) / bend for i in range(3))
    sun = _unit(p, "sun_azimuth", "sun_height")
    sun_parts = tuple(_axis(sun, i) for i in range(3))
    facing, above = _dot(local, sun_parts).clamp(min=0), _dot(normal, sun_parts)
    light = carcass.lit(depth_tile, xs, ys, length, down, _dot(sun_parts, across), _dot(sun_parts, tangent), above)
    light = torch.where(above > 0, light, torch.zeros_like(light)) * near["shade"]
    rgb = _rubber_colour(p, depth, dust, grain, stone, xs, near["low"])
    rgb = _marked(p, rgb, depth, overlay, chalk * (torch.floor(ys) == 0))
    aside = (at.abs() > _c(p, "width") / 2 + 15) & ~rim
    rgb = torch.where(aside[:, None], rgb * _sidewall_colour(p, x, y, z)[:, None], rgb)
    rgb = torch.where(rim[:, None], _rim_colour(p, y, z), rgb)
    sky_dir = torch.nn.functional.normalize(p["sky_side"], dim=1)
    sky_normal = _dot(local, tuple(_axis(sky_dir, i) for i in range(3)))
    arch = 1 - _c(p, "arch_shade") * torch.sigmoid((y - 0.25 * _c(p, "radius")) / 60)
    flash = _c(p, "flash") * (-_dot(local, d)).clamp(min=0) * (_c(p, "distance") / near["t"].clamp(min=80)).clamp(max=2) ** 2
    lit_rgb = _shaded(p, rgb, open_share * arch, facing * _c(p, "sun") * light, sky_normal, flash * open_share.sqrt())
    return lit_rgb + _sheen(p, local, d, sun_parts, light, open_share * arch)


def _marked(p: Scenes, rgb: Tensor, depth: Tensor, overlay: Tensor, chalk: Tensor) -> Tensor:
    """Adds paint and chalk on the tops, and exposed cords of the carcass."""
    if not p.any("stripes", "strokes", "cord"):
        return rgb
    on_top = torch.exp(-((depth / 0.8) ** 2))
    paint, bare = (overlay.clamp(min=0) * on_top)[:, None], (-overlay).clamp(min=0)[:, None]
    rgb = rgb * (1 - 0.9 * paint) + 0.9 * paint * p["stripe_colour"].view(-1, 3, 1, 1)
    thread = 0.05 + bare * 0.5
    cover = (bare * 12).clamp(max=1)
    rgb = rgb * (1 - cover) + cover * torch.cat([thread * 1.08, thread, thread * 0.9], 1)
    chalk = (chalk * on_top)[:, None] * 0.85
    return rgb * (1 - chalk) + chalk * p["chalk"][:, :3].reshape(-1, 3, 1, 1)


def _sheen(p: Scenes, normal: Sequence[Tensor], d: Sequence[Tensor], sun: Sequence[Tensor], light: Tensor, sky: Tensor) -> Tensor:
    """Computes specular light of the sun and, at grazing angles, of the sky. Water increases both."""
    facing = -_dot(normal, d)
    mirrored = tuple(d[i] + 2 * facing * normal[i] for i in range(3))
    gloss = _c(p, "wet") + _c(p, "sheen")
    glint = _dot(mirrored, sun).clamp(min=0) ** 24 * light * _c(p, "sun") * gloss * 0.6
    fresnel = (1 - facing.clamp(0, 1)) ** 4
    sky_glow = (0.02 + 0.35 * fresnel) * gloss * _c(p, "sky") * sky * (0.5 + 0.5 * mirrored[1])
    return (glint + sky_glow)[:, None] * p["sky_colour"].view(-1, 3, 1, 1)


def _shade(p: Scenes, size: int, device: torch.device, dice: Dice) -> Tensor:
    """Computes the edge of a shadow of an object outside the image."""
    angle, at, soft, dark = (_c(p, "shade_line", i) for i in range(4))
    grid = (torch.arange(size, device=device) + 0.5) / size * 2 - 1
    v, u = torch.meshgrid(grid, grid, indexing="ij")
    edge = (u * torch.cos(angle) + v * torch.sin(angle) - at + 0.08 * dice.smooth(size, size, 5)) / soft
    return 1 - dark * torch.sigmoid(edge)


def _composed(
    p: Scenes, dice: Dice, size: int, origin: Tensor, d: Sequence[Tensor], tire_rgb: Tensor, shade: Tensor, hit: dict[str, Tensor]
) -> tuple[Tensor, dict[str, Tensor]]:
    device = tire_rgb.device
    sun_on_ground = (_c(p, "sky") + _c(p, "sun") * torch.sin(_c(p, "sun_height")) * shade + 0.3 * _c(p, "flash"))[:, None]
    ground, seen, ground_t = surroundings.ground(p, dice, origin, d, size)
    picture = surroundings.wall(p, dice, d, size) * (0.4 + 0.6 * _c(p, "sky"))[:, None]
    picture = torch.where(seen[:, None], ground * sun_on_ground, picture)
    picture, paint, paint_t = surroundings.arch(p, dice, origin, d, picture, torch.where(seen, ground_t, torch.full_like(ground_t, 1e6)))
    behind, front = surroundings.clutter(p, dice, size, device)
    ambient = (0.5 * _c(p, "sky") + 0.35 * _c(p, "sun") * shade + 0.4 * _c(p, "flash"))[:, None]
    picture = picture * (1 - behind[1][:, None]) + behind[0] * ambient * 1.3 * behind[1][:, None]
    tire = hit["hit"] & (hit["t"] < torch.where(seen, ground_t, torch.full_like(ground_t, 1e6)))
    picture = torch.where(tire[:, None], tire_rgb, picture)
    body = paint_t < torch.where(tire, hit["t"], torch.where(seen, ground_t, torch.full_like(ground_t, 1e6)))
    picture = torch.where(body[:, None], paint * ambient * 1.5, picture)
    edge, edge_shade = surroundings.cover_edge(p, size, device)
    picture = picture * (1 - edge[:, None]) + p["body"].view(-1, 3, 1, 1) * edge_shade[:, None] * ambient * 1.4 * edge[:, None]
    picture = picture * (1 - front[1][:, None]) + front[0] * ambient * 1.3 * front[1][:, None]
    free = tire & ~body & (edge < 0.5) & (front[1] < 0.5)
    return picture.clamp(min=0), _truth(p, hit, free, body)


def _truth(p: Scenes, hit: dict[str, Tensor], free: Tensor, body: Tensor) -> dict[str, Tensor]:
    tread = free & ~hit["rim"] & (hit["x"].abs() < _c(p, "width") / 2 + 3)
    angle = hit["angle"]
    weight = tread.float()
    total = weight.sum((1, 2)).clamp(min=1)
    cos = (torch.cos(angle) * weight).sum((1, 2)) / total
    upright = torch.where(cos >= 0, 1.0, -1.0)
    cos2, sin2 = ((f(2 * angle) * weight).sum((1, 2)) / total for f in (torch.cos, torch.sin))
    rotation = torch.atan2(sin2, cos2) / 2
    outside = p["outer"] * upright
    evidence = (body.float().mean((1, 2)) > 0.015) | ((free & hit["rim"]).float().mean((1, 2)) > 0.02)
    known = (p["mounted"] > 0) & evidence
    # The sides can be distinguished only if the outer side is in the image.
    side = torch.where(known, torch.where(outside < 0, 1, 2), 0)
    share = weight.mean((1, 2))
    number = hit["number"] * weight
    # Grooves are numbered from left to right in the upright image.
    count = p["groove_count"].view(-1, 1, 1)
    number = torch.where((upright.view(-1, 1, 1) < 0) & (number > 0), count + 1 - number, number)
    lateral = (hit["x"] / (_c(p, "width") / 2) * upright.view(-1, 1, 1)).clamp(-1.2, 1.2)
    return {
        "tread": weight,
        "number": number,
        "depth": hit["gauge"] * weight,
        "lateral": lateral * weight,
        "bald": hit["bald"] * weight,
        "rotation": rotation,
        "side": side,
        "share": share,
        "facing": (hit["facing"] * weight).sum((1, 2)) / total,
        "upright_sure": (rotation.abs() < 1.3).float(),
    }
