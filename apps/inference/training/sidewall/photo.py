"""Effects of a telephone camera and of compression on a band of rubber."""

import cv2
import numpy as np

from .relief import noise, soft


def captured(bright: np.ndarray, rng: np.random.Generator, scale: float, hard: float) -> np.ndarray:
    """Captures the brightness as 0..255 at `scale` pixels per rendered pixel, with a telephone's faults. `hard` is their severity, 0 to 1."""
    size = (max(8, round(bright.shape[1] * scale)), max(8, round(bright.shape[0] * scale)))
    image = cv2.resize(bright, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    image = soft(image, float(rng.uniform(0.0, 0.3 + 0.9 * hard) * min(1.0, 0.35 + scale)))
    if rng.random() < 0.12 * hard:
        image = smeared(image, rng)
    middle = float(np.median(image))
    image = image * (rng.uniform(0.12, 0.62) / max(middle, 1e-3))
    if rng.random() < 0.3:  # haze and flare lift the blacks
        image = image * (1 - hard * rng.uniform(0.1, 0.7)) + rng.uniform(0, 0.35)
    if rng.random() < 0.08:
        image = image + rng.uniform(0.1, 0.5) * np.clip(noise(rng, image.shape, 60), 0, 1)
    image = np.clip(image, 0, 1.6) ** float(rng.uniform(0.6, 1.3))
    image = image + rng.standard_normal(image.shape).astype(np.float32) * float(rng.uniform(0, 0.004 + 0.02 * hard))
    if rng.random() < 0.35:
        image = image + float(rng.uniform(0.3, 1.5)) * (image - soft(image, 1.0))
    pixels = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.integers(round(80 - 40 * hard), 97))
        pixels = cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE)
    if rng.random() < 0.05:  # scanned or "enhanced" to black and white
        window = 2 * max(3, round(scale * rng.uniform(10, 60))) + 1
        pixels = cv2.adaptiveThreshold(pixels, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, float(rng.uniform(-2, 8)))
    elif rng.random() < 0.03:
        pixels = ((pixels > np.percentile(pixels, rng.uniform(25, 85))) * 255).astype(np.uint8)
    return pixels


def smeared(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    length = int(rng.integers(2, 6))
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = float(rng.uniform(0, np.pi))
    reach = (length * np.cos(angle), length * np.sin(angle))
    ends = [(round(length - reach[0]), round(length - reach[1])), (round(length + reach[0]), round(length + reach[1]))]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def local_contrast(pixels: np.ndarray, radius: int) -> np.ndarray:
    """Local contrast normalization, equal to `normalized` in src/domain/sidewall/enhance.ts."""
    field = pixels.astype(np.float32)
    size = (2 * radius + 1, 2 * radius + 1)
    count = cv2.boxFilter(np.ones_like(field), -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT)
    mean = cv2.boxFilter(field, -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT) / count
    square = cv2.boxFilter(field * field, -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT) / count
    spread = np.sqrt(np.clip(square - mean * mean, 0, None))
    return np.clip(128 + 56 * (field - mean) / (spread + 6), 0, 255).astype(np.uint8)
