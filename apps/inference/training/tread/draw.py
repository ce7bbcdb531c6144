"""Draws the parameters of one scene from a seed. They are plain numbers, so a seed gives the same image on every device and in every batch."""

import random

from .draw_newer import CLASSIC, with_newer_features
from .draw_surroundings import draw_camera, draw_light, draw_photo, draw_place
from .draw_tire import draw_rubber, draw_tire
from .scene_values import Scene, pick


def _classic(seed: int, split: str) -> Scene:
    """Draws a scene of the kind that 2.2.0 was trained with."""
    rng = random.Random(f"{split}:{seed}")
    scene = {
        **draw_tire(rng, split),
        **draw_rubber(rng),
        **draw_light(rng, split),
        **draw_camera(rng, split),
        **draw_place(rng),
        **draw_photo(rng),
    }
    # Images without a tread: no tire (ground, wall, clutter), a wheel from its side, or a tire outside the frame.
    absence = pick(rng, {"tread": 0.82, "nothing": 0.09, "side": 0.09})
    scene["tire_there"] = float(absence != "nothing")
    if absence == "side":
        scene["azimuth"] = (scene["outer"] if scene["mounted"] else rng.choice([-1, 1])) * rng.uniform(1.4, 1.75)
        scene["at_side"] = scene["outer"] * 0.4 if scene["mounted"] else scene["at_side"]
        scene["at_angle"] = rng.uniform(-1.3, 1.3)
        scene["steer"] *= 0.3
        scene["frame"] *= rng.uniform(0.35, 1.0)
    if absence == "nothing":
        scene["mounted"] = scene["mounted"] * float(rng.random() < 0.5)
        scene["elevation"] = rng.uniform(-0.2, 1.3)
        scene["distance"] *= rng.uniform(1, 3)
    if scene["mounted"]:
        scene["elevation"] = max(-0.25, scene["elevation"])
    return scene


def draw(seed: int, split: str = "train", kinds: str = "all") -> Scene:
    """Draws all parameters of one render. `split` is train or held-out; held-out tires, light and distance come from separate ranges."""
    scene = _classic(seed, split)
    if kinds == "classic":
        return {**scene, **CLASSIC}
    return with_newer_features(random.Random(f"{split}:{seed}:newer"), scene)
