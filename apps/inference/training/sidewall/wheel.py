"""A photograph of a wheel, or of something else, and where its sidewall and rim are: for the network that finds the ring."""

import functools

import cv2
import numpy as np

from .photo import smeared
from .relief import noise, soft
from .strip import render_strip

SIZE_PX = 256
SIDEWALL, RIM = 0, 1
CORNERS = 180
STRIPS = 300  # different bands of lettering: of this size only their texture is seen


def draw_view(rng):
    """Where the wheel is: centre and radius in the picture, how far it is turned, how far away it is seen from."""
    close = rng.random() < 0.25
    radius = float(rng.uniform(0.7, 2.2) if close else rng.uniform(0.25, 0.62)) * SIZE_PX
    turn = float(rng.normal(0, 0.28) if rng.random() < 0.8 else rng.uniform(-0.95, 0.95))
    centre = rng.uniform(0.35, 0.65, 2) * SIZE_PX
    if close:  # a part of the ring lies in the middle of the picture
        along = rng.uniform(0, 2 * np.pi)
        centre = SIZE_PX / 2 - 0.8 * radius * np.array([np.cos(along), np.sin(along)]) + rng.normal(0, 0.1, 2) * SIZE_PX
    elif rng.random() < 0.2:
        centre = rng.uniform(0.0, 1.0, 2) * SIZE_PX
    return {
        "centre": centre,
        "radius": radius,
        "turn": turn,
        "nod": float(rng.normal(0, 0.12)),
        "roll": float(rng.uniform(0, 2 * np.pi)),
        "far": float(rng.uniform(2.5, 9)),
        "rim": float(1 / rng.uniform(1.25, 1.85)),
        "tread": float(rng.uniform(0.3, 0.8)),
    }


def circle(view, radius, depth):
    """Corners in the picture of a circle about the wheel's axis; `radius` in tire radii, `depth` towards the car."""
    angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    x, y, z = radius * np.cos(angle), radius * np.sin(angle), np.full(CORNERS, depth)
    c, s = np.cos(view["turn"]), np.sin(view["turn"])
    x, z = c * x + s * z, c * z - s * x
    c, s = np.cos(view["nod"]), np.sin(view["nod"])
    y, z = c * y + s * z, c * z - s * y
    scale = view["radius"] * view["far"] / (view["far"] + z)
    return np.stack([view["centre"][0] + x * scale, view["centre"][1] + y * scale], 1).astype(np.float32)


def filled(corners, value=1.0):
    mask = np.zeros((SIZE_PX, SIZE_PX), np.float32)
    cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], value, cv2.LINE_AA, 4)
    return mask


def over(image, mask, colour):
    return image * (1 - mask[..., None]) + colour * mask[..., None]


def colour_of(rng, level, spread=0.06):
    return np.clip(level * np.exp(rng.normal(0, spread, 3)), 0, 1.3).astype(np.float32)


def textured(rng, cell, rough):
    return np.clip(1 + rough * noise(rng, (SIZE_PX, SIZE_PX), cell), 0.1, 3)[..., None]


def background(rng):
    """Ground, body, arch, walls: flat or rough areas with straight and round borders."""
    image = colour_of(rng, rng.uniform(0.05, 0.9), 0.2) * textured(rng, rng.uniform(1, 60), rng.uniform(0, 0.4))
    y, x = np.mgrid[0:SIZE_PX, 0:SIZE_PX].astype(np.float32)
    for _ in range(int(rng.integers(1, 6))):
        kind = rng.random()
        if kind < 0.5:
            angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.9) * SIZE_PX
            mask = ((x - SIZE_PX / 2) * np.cos(angle) + (y - SIZE_PX / 2) * np.sin(angle) > at).astype(np.float32)
        else:
            centre, axes = rng.uniform(-0.2, 1.2, 2) * SIZE_PX, rng.uniform(0.05, 0.9, 2) * SIZE_PX
            mask = ((((x - centre[0]) / axes[0]) ** 2 + ((y - centre[1]) / axes[1]) ** 2) < 1).astype(np.float32)
        mask = soft(mask, rng.exponential(1.0))
        image = over(image, mask, colour_of(rng, rng.uniform(0.02, 1), 0.2) * textured(rng, rng.uniform(1, 60), rng.uniform(0, 0.5)))
    return image


def around_wheel(image, view, rng):
    """The dark arch behind a wheel and the ground with its shadow below."""
    y, x = np.mgrid[0:SIZE_PX, 0:SIZE_PX].astype(np.float32)
    if rng.random() < 0.7:
        arch = filled(circle(view, rng.uniform(1.05, 1.4), 0.3) + rng.normal(0, 0.05, 2).astype(np.float32) * view["radius"])
        image = over(image, arch, colour_of(rng, rng.uniform(0.01, 0.25)) * textured(rng, rng.uniform(2, 40), 0.3))
    if rng.random() < 0.7:
        line = view["centre"][1] + view["radius"] * rng.uniform(0.4, 1.02)
        ground = soft((y > line + rng.normal(0, 0.1) * (x - SIZE_PX / 2)).astype(np.float32), 1)
        image = over(image, ground, colour_of(rng, rng.uniform(0.1, 0.7)) * textured(rng, rng.uniform(1, 3), rng.uniform(0.1, 0.5)))
    return image


def wheel_plane(view, rim_corners, tire_corners):
    """For each pixel: place between rim (0) and outer edge (1) of the tire, and angle about the centre."""
    inner, outer = rim_corners.mean(0), tire_corners.mean(0)
    y, x = np.mgrid[0:SIZE_PX, 0:SIZE_PX].astype(np.float32)
    centre = (inner + outer) / 2
    angle = np.arctan2(y - centre[1], x - centre[0])

    def reach(corners):
        at = np.arctan2(corners[:, 1] - centre[1], corners[:, 0] - centre[0])
        order = np.argsort(at)
        length = np.hypot(corners[:, 0] - centre[0], corners[:, 1] - centre[1])[order]
        return np.interp(angle.ravel(), at[order], length, period=2 * np.pi).reshape(angle.shape)

    near, far = reach(rim_corners), reach(tire_corners)
    return (np.hypot(x - centre[0], y - centre[1]) - near) / np.maximum(far - near, 1), angle


@functools.lru_cache(maxsize=STRIPS)
def lettered(number, fonts):
    return render_strip(number, fonts, 640)[0].astype(np.float32) / 255


def rubber(view, rng, fonts, place, angle):
    """Brightness of the sidewall: a lettered strip bent round it, brighter and darker as the light has it."""
    strip = lettered(int(rng.integers(STRIPS)), fonts)
    strip = (strip / max(float(strip.mean()), 0.05) - 1) * rng.uniform(0.1, 1.0) + 1
    columns = ((angle + view["roll"]) / (2 * np.pi) * 640 * rng.integers(1, 4)) % 640
    band = cv2.remap(strip, columns.astype(np.float32), ((1 - np.clip(place, 0, 1)) * 191).astype(np.float32), cv2.INTER_LINEAR)
    light = (
        1
        + rng.normal(0, 0.35) * np.cos(angle - rng.uniform(0, 6.28))
        + rng.normal(0, 0.25) * (place - 0.5)
        + rng.normal(0, 0.5) * (place - 0.5) ** 2
    )
    level = float(np.exp(rng.uniform(np.log(0.03), np.log(0.5))))
    return colour_of(rng, level) * (band * np.clip(light, 0.2, 3))[..., None]


def rim(image, view, rng, corners):
    """Flange, dish, spokes and hub, or a cover; bright, dark or painted."""
    metal = colour_of(rng, rng.choice([rng.uniform(0.4, 1.1), rng.uniform(0.02, 0.4)]), 0.1)
    dark = colour_of(rng, rng.uniform(0.01, 0.3))
    share = view["rim"]
    image = over(image, filled(corners), metal * textured(rng, 30, 0.2))
    if rng.random() < 0.3:
        image = over(image, filled(circle(view, share, 0.0)) - filled(circle(view, share * 0.975, 0.0)), dark)
    depth = float(rng.uniform(-0.02, 0.15))
    dish = filled(circle(view, share * rng.uniform(0.75, 0.96), depth))
    image = over(image, dish, dark * textured(rng, 8, 0.4))
    if rng.random() < 0.5:
        image = over(
            image, filled(circle(view, share * rng.uniform(0.4, 0.75), 0.3)), colour_of(rng, rng.uniform(0.1, 0.6)) * textured(rng, 3, 0.2)
        )
    spokes, width, start = int(rng.integers(4, 16)), rng.uniform(0.1, 0.75), rng.uniform(0, 6.28)
    end, hub = share * rng.uniform(0.85, 0.99), circle(view, share * rng.uniform(0.12, 0.3), depth)
    for k in range(spokes):
        middle = start + 2 * np.pi * k / spokes
        half = width * np.pi / spokes
        ring = circle(view, end, depth * 0.5)
        reach = [int((middle + d * half * rng.uniform(0.9, 1.1)) / (2 * np.pi) * CORNERS) % CORNERS for d in (-1, 1)]
        inner = [int((middle + d * half * rng.uniform(0.8, 2.0)) / (2 * np.pi) * CORNERS) % CORNERS for d in (1, -1)]
        quad = np.stack([ring[reach[0]], ring[reach[1]], hub[inner[0]], hub[inner[1]]])
        image = over(image, filled(quad), metal * float(np.clip(1 + 0.3 * np.cos(middle - start * 3), 0.4, 1.6)))
    return over(image, filled(hub), metal * rng.uniform(0.5, 1.2))


def render_wheel(seed, fonts, held_out=False):
    """Picture (SIZE_PX square, RGB uint8) and two maps: sidewall, rim. One in six has no wheel. The same seed is the same picture."""
    rng = np.random.default_rng([20261123 if held_out else 9, seed])
    image, maps = background(rng), np.zeros((2, SIZE_PX, SIZE_PX), np.float32)
    if rng.random() > 0.16:
        view = draw_view(rng)
        image = around_wheel(image, view, rng)
        outer, inner = circle(view, 1.0, 0.0), circle(view, view["rim"], float(rng.uniform(-0.03, 0.06)))
        back = circle(view, 1.0, view["tread"])
        tread = filled(cv2.convexHull(np.concatenate([outer, back]))[:, 0])
        place, angle = wheel_plane(view, inner, outer)
        skin = rubber(view, rng, fonts, place, angle)
        blocks = (np.sin(angle * rng.integers(30, 90)) > rng.uniform(-0.8, 0.8)).astype(np.float32)
        shade = rng.uniform(0.3, 1.2)
        image = over(image, tread, skin.mean((0, 1)) * shade * (0.5 + 0.5 * soft(blocks, 0.6))[..., None])
        image = over(image, filled(outer), skin)
        if rng.random() < 0.7:  # shoulder blocks on the outer edge of what is seen of the side
            shoulder = (place > rng.uniform(0.8, 0.97)) & (place < 1)
            image = over(image, soft(shoulder * blocks, 0.5) * rng.uniform(0.2, 0.9), skin.mean((0, 1)) * rng.uniform(0.1, 1.0))
        image = rim(image, view, rng, inner)
        maps[SIDEWALL] = np.clip(filled(outer) - filled(inner), 0, 1)
        maps[RIM] = filled(inner)
        image, maps = covered(image, maps, view, rng)
    return finished(image, rng), maps


def covered(image, maps, view, rng):
    """A mudguard over the top, a hand, a kerb or grass before the bottom."""
    if rng.random() < 0.3:
        y, x = np.mgrid[0:SIZE_PX, 0:SIZE_PX].astype(np.float32)
        away = view["radius"] * rng.uniform(0.6, 1.0)
        edge = view["centre"][1] + away * rng.choice([-1, 1]) + rng.normal(0, 0.15) * (x - SIZE_PX / 2)
        mask = soft(((y < edge) if edge.mean() < view["centre"][1] else (y > edge)).astype(np.float32), 0.7)
        image = over(image, mask, colour_of(rng, rng.uniform(0.03, 1), 0.2) * textured(rng, rng.uniform(1, 40), rng.uniform(0, 0.5)))
        maps = maps * (1 - mask)
    return image, maps


def finished(image, rng):
    if rng.random() < 0.4:  # a shadow's border across everything
        y, x = np.mgrid[0:SIZE_PX, 0:SIZE_PX].astype(np.float32)
        angle = rng.uniform(0, 6.28)
        side = (x - SIZE_PX / 2) * np.cos(angle) + (y - SIZE_PX / 2) * np.sin(angle) > rng.normal(0, 60)
        image = image * (1 - rng.uniform(0.2, 0.8) * soft(side.astype(np.float32), rng.exponential(3)))[..., None]
    if rng.random() < 0.25:
        image = image * rng.uniform(0.4, 0.9) + rng.uniform(0, 0.35) * np.clip(0.5 + 0.5 * textured(rng, 80, 0.6), 0, 2)
    image = cv2.GaussianBlur(image.astype(np.float32), (0, 0), float(rng.uniform(0.4, 1.2)))
    if rng.random() < 0.08:
        image = smeared(image, rng)
    image = np.clip(image * np.exp(rng.normal(0, 0.25)), 0, 1.5) ** float(rng.uniform(0.5, 1.1))
    image = image + rng.standard_normal(image.shape) * rng.exponential(0.015)
    pixels = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.1:
        grey = pixels.mean(-1)
        window = (grey > np.percentile(grey, rng.uniform(25, 65))) if rng.random() < 0.5 else (grey > soft(grey.astype(np.float32), 12))
        pixels = np.repeat((window * 255).astype(np.uint8)[..., None], 3, -1)
    elif rng.random() < 0.15:
        pixels = np.repeat(pixels.mean(-1, keepdims=True).astype(np.uint8), 3, -1)
    return pixels
