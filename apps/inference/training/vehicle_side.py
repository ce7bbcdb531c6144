"""Measures what tells the vehicle's side in renders, and how much of it the network uses.

For each render whose side counts as known: is the painted body in the image, and the rim; on which side of the tread are they; and what does
the exported network answer.

    .venv/bin/python vehicle_side.py --renders 240
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageOps
from torch import Tensor

from tread import scene
from tread.draw import draw
from tread.network import TreadNetwork
from tread.parameters import Scenes
from tread.render import render
from tread.shipped import start_from

MODEL = Path(__file__).parent / "../models/tread/tread.onnx"
SMALL, LOOK = 128, 320  # pixels a side of the geometry, and of what the network sees
MAPS_DETAIL, LOOK_DETAIL = 1.0, 1.3
BODY, RIM = 0.015, 0.02  # shares of the image from which the renderer calls the side known
PHOTO_LOOK = 448
BATCH = 8
KINDS = ("body", "body and rim", "rim")


def geometry(seeds: list[int], split: str) -> list[dict[str, float]]:
    """Returns for each render the label, the shares of body and rim, and where they are across the tread, positive to the right."""
    kept: dict[str, Tensor] = {}
    usual = scene._truth

    def noted(p: Scenes, hit: dict[str, Tensor], free: Tensor, body: Tensor) -> dict[str, Tensor]:
        tread = (free & ~hit["rim"]).float()
        kept.update(body=body.float(), rim=(free & hit["rim"]).float(), tread=tread, mounted=p["mounted"])
        return usual(p, hit, free, body)

    scene._truth = noted
    try:
        out = render(seeds, SMALL, split, detail=MAPS_DETAIL, compiled=False)
    finally:
        scene._truth = usual
    return [_placed({k: v[i] for k, v in kept.items()}, {k: v[i] for k, v in out.items()}) for i in range(len(seeds))]


def _placed(maps: dict[str, Tensor], out: dict[str, Tensor]) -> dict[str, float]:
    size = maps["tread"].shape[-1]
    y, x = torch.meshgrid(torch.arange(size).float(), torch.arange(size).float(), indexing="ij")
    turn = float(out["rotation"])

    def across(mask: Tensor) -> Tensor:
        total = mask.sum().clamp(min=1)
        return ((x * mask).sum() * torch.cos(torch.tensor(turn)) + (y * mask).sum() * torch.sin(torch.tensor(turn))) / total

    middle = across(maps["tread"])
    return {
        "side": int(out["side"]),
        "is_tread": int(out["is_tread"]),
        "sure": float(out["upright_sure"]),
        "mounted": float(maps["mounted"]),
        "body": float(maps["body"].mean()),
        "rim": float(maps["rim"].mean()),
        "body_at": float(across(maps["body"]) - middle) / size,
        "rim_at": float(across(maps["rim"]) - middle) / size,
    }


def looks(seeds: list[int], split: str) -> Iterator[tuple[list[int], dict[str, Tensor]]]:
    """Yields renders of mounted tires whose side is known, with their seeds."""
    mounted = [s for s in seeds if draw(s, split)["mounted"] and draw(s, split)["tire_there"]]
    for at in range(0, len(mounted), BATCH):
        part = mounted[at : at + BATCH]
        out = render(part, LOOK, split, detail=LOOK_DETAIL)
        use = (out["side"] > 0) & (out["is_tread"] == 1) & (out["upright_sure"] > 0)
        if use.any():
            yield [s for s, u in zip(part, use.tolist(), strict=True) if u], {k: v[use] for k, v in out.items()}


@torch.no_grad()
def side_of(path: Path, network: TreadNetwork) -> list[float]:
    """Returns the probabilities that the vehicle's outside is not visible, left and right, from one look at a photograph."""
    with Image.open(path) as opened:
        photograph = ImageOps.exif_transpose(opened).convert("RGB")
    scale = PHOTO_LOOK / max(photograph.size)
    width, height = (max(32, round(side * scale / 32) * 32) for side in photograph.size)
    pixels = torch.from_numpy(np.asarray(photograph.resize((width, height))).copy()).permute(2, 0, 1)[None] / 255
    return torch.softmax(network(pixels)[1]["side"].float(), 1)[0].tolist()


def share(part: list[bool]) -> str:
    return f"{100 * sum(part) / len(part):.0f} % of {len(part)}" if part else "-"


def kind_of(row: dict[str, float]) -> str:
    body, rim = row["body"] > BODY, row["rim"] > RIM
    return "body and rim" if body and rim else "body" if body else "rim"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renders", type=int, default=1500, help="held-out renders that are judged")
    parser.add_argument("--first", type=int, default=1_200_000)
    parser.add_argument("--photos", type=Path, help="prints what the network answers for these photographs")
    args = parser.parse_args()
    torch.set_num_threads(1)
    network = TreadNetwork()
    start_from(network, MODEL)
    network.eval()

    for path in sorted(args.photos.iterdir()) if args.photos else []:
        unknown, left, right = side_of(path, network)
        print(f"{path.name}: not visible {unknown:.2f}, left {left:.2f}, right {right:.2f}")

    judged = list(range(args.first, args.first + args.renders))
    rows = {}
    for at in range(0, len(judged), BATCH):
        part = judged[at : at + BATCH]
        rows |= dict(zip(part, geometry(part, "held-out"), strict=True))
    treads = [row for row in rows.values() if row["is_tread"] == 1 and row["sure"]]
    known = [row for row in treads if row["side"] > 0]
    print(f"{len(treads)} upright treads, {len(known)} with a known side ({100 * len(known) / max(1, len(treads)):.0f} %)")
    for kind in KINDS:
        some = [row for row in known if kind_of(row) == kind]
        for what in ("body", "rim"):
            if what in kind:
                right = [(row[f"{what}_at"] > 0) == (row["side"] == 2) for row in some]
                print(f"  {kind}: the {what} is on the side of the outside in {share(right)}", flush=True)

    found, y, side = [], [], []
    for seeds, out in looks(judged, "held-out"):
        found += seeds
        y.append(out["side"] - 1)
        with torch.no_grad():
            side.append(torch.softmax(network(out["image"])[1]["side"].float(), 1))
    y, side = torch.cat(y), torch.cat(side)
    kinds = [kind_of(rows[s]) for s in found]
    right = ((side[:, 2] > side[:, 1]) == (y == 1)).tolist()
    answered("network, better of left and right", right, [True] * len(y), kinds)
    for least in (0.5, 0.7, 0.95):
        answered(f"network, probability of {least} and more", right, (side[:, 1:].amax(1) >= least).tolist(), kinds)


def answered(name: str, right: list[bool], told: list[bool], kinds: list[str]) -> None:
    """Prints how often the network names a side, and how often it is right: in all, and by what is visible."""
    of = {kind: share([r for r, t, k in zip(right, told, kinds, strict=True) if t and k == kind]) for kind in KINDS}
    every = share([r for r, t in zip(right, told, strict=True) if t])
    print(f"{name}: told {share(told)}, right {every}; " + ", ".join(f"{kind} {value}" for kind, value in of.items()), flush=True)


if __name__ == "__main__":
    main()
