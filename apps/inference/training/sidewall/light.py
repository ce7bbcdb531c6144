"""Shading of black rubber, lit from the side and seen from straight above."""

import numpy as np

from .relief import Surface, noise, soft


def draw_light(rng: np.random.Generator) -> dict[str, float]:
    return {
        "azimuth": float(rng.uniform(0, 2 * np.pi)),
        "elevation": float(rng.uniform(0.15, 1.1)),
        "ambient": float(rng.uniform(0.1, 0.75)),
        "gloss": float(rng.exponential(0.35)),
        "sharpness": float(np.exp(rng.uniform(0.7, 3.5))),
        "albedo": float(rng.uniform(0.05, 0.3)),
        "shadow": float(rng.choice([0, rng.uniform(0.2, 0.9)])),
        "cavity": float(rng.normal(0.12, 0.25)),
        "dust": float(rng.choice([0, rng.exponential(0.15)])),
    }


def cast_shadow(height: np.ndarray, direction: tuple[float, float], slope: float, reach: int = 7) -> np.ndarray:
    """Share of light that reaches each point. Rays climb by `slope` per pixel."""
    dx, dy = direction
    blocked = np.zeros_like(height)
    for step in (1, 2, 3, 5, reach):
        moved = np.roll(height, (round(-dy * step), round(-dx * step)), (0, 1))
        blocked = np.maximum(blocked, moved - height - slope * step)
    return 1 - np.clip(blocked, 0, 1)


def shaded(surface: Surface, rng: np.random.Generator, light: dict[str, float]) -> np.ndarray:
    """Brightness, about 0..1."""
    height = surface.height + surface.pattern
    gy, gx = np.gradient(height)
    steep = 1 / np.sqrt(1 + gx * gx + gy * gy)
    flat, up = np.cos(light["elevation"]), np.sin(light["elevation"])
    lx, ly = flat * np.cos(light["azimuth"]), flat * np.sin(light["azimuth"])
    sun = np.clip((-gx * lx - gy * ly + up) * steep, 0, None)
    if light["shadow"]:
        slope = up / max(flat, 0.1)
        sun = sun * (1 - light["shadow"] * (1 - cast_shadow(height, (-lx / flat, -ly / flat), slope)))
    norm = np.sqrt(lx * lx + ly * ly + (up + 1) ** 2)
    half = np.clip((-gx * lx - gy * ly + up + 1) * steep / norm, 0, 1)
    sheen = light["gloss"] * half ** light["sharpness"] * (0.4 + 0.6 * np.clip(noise(rng, height.shape, 40), 0, 2))
    hollow = soft(height, 3.0) - height
    albedo = light["albedo"] * np.clip(1 + light["cavity"] * hollow, 0.3, 2.5) + surface.tint * 0.5
    if light["dust"]:
        lying = np.clip(noise(rng, height.shape, float(rng.uniform(8, 50))) * 0.6 + 0.4 + 0.5 * hollow, 0, 1.5)
        albedo = albedo + 0.35 * light["dust"] * lying
    sky = light["ambient"] * (0.5 + 0.5 * steep) * np.clip(1 - 0.15 * hollow, 0.3, 1.3)
    rows = np.linspace(-1, 1, height.shape[0], dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, height.shape[1], dtype=np.float32)[None]
    bulge = np.clip(1 + rng.normal(0, 0.25) * rows + rng.normal(0, 0.2) * rows**2 + rng.normal(0, 0.25) * columns, 0.15, 3)
    return np.clip(albedo, 0.01, 1.2) * (sky + (1 - 0.5 * light["ambient"]) * sun) * bulge + 0.3 * light["albedo"] * sheen * bulge
