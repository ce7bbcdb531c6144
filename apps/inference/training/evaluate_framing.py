"""Precision and recall of the framing network's hints, on held-out renders and on photographs of treads and wheels.

The thresholds are those of apps/capture/web/framing/sight.ts."""

import argparse
import math
import re
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import torch
from PIL import Image, ImageOps

from fill_others import ENDINGS
from framing.scenes import SIDE, of_photographs

SIGHT = Path(__file__).parents[2] / "capture/web/framing/sight.ts"
# Photographs are put farther away by this factor, on another photograph.
FARTHER = 0.35
# Half of the page's outlines: a smaller tire is too far away.
HALF = np.array([math.nan, 0.42, 0.44])


def thresholds() -> tuple[float, float, dict[str, float]]:
    text = SIGHT.read_text()

    def number(pattern: str) -> float:
        found = re.search(pattern + r"\s*[=:]\s*([0-9.]+)", text)
        assert found, pattern
        return float(found[1])

    return number("SURE_OF_NONE"), number("SURE_OF_KIND"), {"tread": number("tread"), "sidewall": number("sidewall")}


class Network:
    def __init__(self, path: str) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def see(self, images: np.ndarray) -> np.ndarray:
        """Returns the shares of none, tread and sidewall, and the fill, of each image."""
        rows = []
        for image in images:
            rgba = np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])
            kind, fill = self.session.run(None, {"rgba": rgba})
            rows.append([*kind, fill[0]])
        return np.array(rows)


def middle(path: Path) -> np.ndarray:
    image = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    side = min(image.size)
    left, top = ((s - side) // 2 for s in image.size)
    return np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BOX, (left, top, left + side, top + side)))


def farther(image: np.ndarray, ground: np.ndarray) -> np.ndarray:
    """The photograph, small and with a soft edge, in the middle of another one."""
    size = round(SIDE * FARTHER)
    at = (SIDE - size) // 2
    out = cv2.resize(ground, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    grid = np.abs(np.linspace(-1, 1, size))
    soft = np.clip((1 - np.maximum.outer(grid, grid)) * 8, 0, 1)[..., None]
    part = out[at : at + size, at : at + size]
    out[at : at + size, at : at + size] = part * (1 - soft) + cv2.resize(image, (size, size), interpolation=cv2.INTER_AREA) * soft
    return out.astype(np.uint8)


def row(name: str, said: np.ndarray, there: np.ndarray) -> None:
    both = int((said & there).sum())
    precision = f"{100 * both / said.sum():.1f} %" if said.any() else "none said"
    print(
        f"| {name} | {len(said)} | {int(there.sum())} | {precision} | {100 * both / max(1, there.sum()):.1f} % | {int((said & ~there).sum())} |"
    )


def hints(name: str, seen: np.ndarray, kind: np.ndarray, fill: np.ndarray) -> None:
    """`kind` 0 none, 1 tread, 2 sidewall; `fill` NaN where it is not known."""
    none, sure, least = thresholds()
    wanted = np.array([math.nan, least["tread"], least["sidewall"]])[kind]
    tire = kind > 0
    row(f"{name}, no tire", seen[:, 0] >= none, ~tire)
    kinds, found = kind[tire], seen[tire]
    other = found[np.arange(len(found)), 3 - kinds] >= sure
    own = found[np.arange(len(found)), kinds] >= sure
    not_none = found[:, 0] < none
    # Each tire is asked for twice: as what it is, and as the other.
    row(f"{name}, wrong kind", np.concatenate([other & not_none, own & not_none]), np.repeat([False, True], len(kinds)))
    known = tire & np.isfinite(fill)
    said = (seen[known, kind[known]] >= sure) & (seen[known, 0] < none) & (seen[known, 3] < wanted[known])
    is_far = fill[known] < HALF[kind[known]]
    row(f"{name}, too far", said, is_far)
    wrong = (found[:, 0] >= none) | other
    wrong[known[tire]] |= said & ~is_far
    print(f"{name}: {int(wrong.sum())} of {len(found)} tires get a wrong hint")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=str(SIGHT.parent / "framing.onnx"))
    parser.add_argument("--state", help="folder with held-out.pt")
    parser.add_argument("--photos", help="folder with the folders tread and sidewall")
    parser.add_argument("--others", nargs="+", help="with --photos: folders of images without a tire")
    parser.add_argument("--each", action="store_true", help="prints each photograph")
    args = parser.parse_args()
    network = Network(args.model)
    print("| images, hint | images | with the fault | precision | recall | wrong |\n|---|--:|--:|--:|--:|--:|")
    if args.state:
        held = torch.load(Path(args.state, "held-out.pt"))
        sure = held["kind"].amax(1) == 1
        seen = network.see(held["image"][sure].numpy())
        hints("held-out renders", seen, held["kind"][sure].argmax(1).numpy(), held["fill"][sure].numpy())
    if args.photos:
        files = [
            (p, k)
            for k, name in ((1, "tread"), (2, "sidewall"))
            for p in sorted(Path(args.photos, name).iterdir())
            if p.suffix.lower() in ENDINGS
        ]
        images = np.stack([middle(p) for p, _ in files])
        kind = np.array([k for _, k in files])
        others = np.stack([cv2.resize(o, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for o in of_photographs(args.others, 1, 60, 5)])
        seen = network.see(images)
        if args.each:
            for (path, _), values in zip(files, seen):
                print(path.name, np.round(values, 2))
        # How much the photographs fill was not measured: they are framed as wanted.
        fill, no_fill, nothing = np.ones(len(kind)), np.full(len(others), math.nan), np.zeros(len(others), int)
        there = (np.concatenate([seen, network.see(others)]), np.concatenate([kind, nothing]), np.concatenate([fill, no_fill]))
        hints("photographs", *there)
        far = network.see(np.stack([farther(image, others[i % len(others)]) for i, image in enumerate(images)]))
        hints("photographs put farther away", np.concatenate([seen, far]), np.concatenate([kind, kind]), np.concatenate([fill, fill * 0]))
        for turn in (1, 2, 3):
            hints(f"photographs turned by {90 * turn}", network.see(np.rot90(images, turn, (1, 2))), kind, np.ones(len(kind)))


if __name__ == "__main__":
    main()
