"""Renders the four treads of the demo and of the tests. These tires are not in the training data."""

import argparse
import json
from pathlib import Path

import torch
from PIL import Image

from tread.measure import smallest_px
from tread.render import render

TIRES = {"front_left": 317501, "front_right": 306660, "rear_left": 390439, "rear_right": 313245}
SIZE, DETAIL, QUALITY = 1080, 1.2, 88


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=str(Path(__file__).parent.parent / "assets/samples"))
    folder = Path(parser.parse_args().out)
    folder.mkdir(parents=True, exist_ok=True)
    truth = {}
    for position, seed in TIRES.items():
        batch = render([seed], SIZE, "held-out", "cpu", DETAIL)
        number, depth = batch["number"][0], batch["depth"][0]
        pixels = (batch["image"][0] * 255).round().to(torch.uint8).permute(1, 2, 0).contiguous()
        Image.fromarray(pixels.numpy()).save(folder / f"{position}.jpg", quality=QUALITY)
        grooves = [k for k in range(1, 6) if int((number == k).sum()) >= smallest_px(SIZE)]
        truth[position] = {"depthsMm": [round(float(depth[number == k].median()), 2) for k in grooves]}
    (folder / "truth.json").write_text(json.dumps(truth, indent=2) + "\n")


if __name__ == "__main__":
    main()
