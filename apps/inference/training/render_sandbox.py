"""Renders the treads of the sandbox (libs/kernel/src/sandbox.ts). The files are in git: partners know them by their SHA-256."""

import argparse
from pathlib import Path

import torch
from PIL import Image

from tread.render import render

# The seed and the kinds of scenes. None of these tires is in the training data.
TREADS = {
    "tread-front-left": (910022, "classic"),
    "tread-front-right": (910052, "classic"),
    "tread-rear-left": (910070, "classic"),
    "tread-rear-right": (910049, "classic"),
    "tread-near-limit": (910036, "classic"),
    "tread-below-limit": (920025, "all"),
    "tread-bald": (920045, "all"),
    "tread-slow": (920004, "all"),
    "tread-second-try": (910048, "classic"),
    "tread-callback-fails-twice": (920014, "all"),
    "tread-content-fails": (920024, "all"),
    "error-analysis-failed": (920017, "all"),
    "error-image-unreachable": (910060, "classic"),
    "error-image-fetch-timeout": (920042, "all"),
    "error-image-too-large": (920029, "all"),
    "error-image-url-forbidden": (910020, "classic"),
    "error-image-format-unsupported": (920026, "all"),
    "error-image-undecodable": (920022, "all"),
    "error-image-too-small": (910076, "classic"),
    "error-tread-not-found": (910003, "classic"),
    "error-sidewall-not-found": (910037, "classic"),
}
SIZE, DETAIL, QUALITY = 640, 1.3, 85


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, (seed, kinds) in TREADS.items():
        image = render([seed], SIZE, "held-out", "cpu", DETAIL, kinds=kinds)["image"][0]
        pixels = (image * 255).round().to(torch.uint8).permute(1, 2, 0).contiguous()
        Image.fromarray(pixels.numpy()).save(folder / f"{name}.jpg", quality=QUALITY)


if __name__ == "__main__":
    main()
