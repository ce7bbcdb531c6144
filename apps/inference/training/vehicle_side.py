"""Measures what tells the vehicle's side in renders, and how much of it the network uses.

For each render whose side counts as known: is the painted body in the image, and the rim; on which side of the tread are they; and what does
the exported network answer. Then a small classifier is trained on the network's features, upright and centred, to see whether more is in them.

    .venv/bin/python vehicle_side.py --renders 1500 --head 4000
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
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
GRID = 10
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


def upright(image: Tensor, out: dict[str, Tensor]) -> Tensor:
    """Turns and centres renders by their ground truth, so that a classifier needs to learn neither."""
    count, _, size, _ = image.shape
    tread = out["tread"].float()
    grid = torch.linspace(-1, 1, size)
    total = tread.sum((1, 2)).clamp(min=1)
    middle = torch.stack([(tread.sum(1) * grid).sum(1) / total, (tread.sum(2) * grid).sum(1) / total], 1)
    cos, sin = torch.cos(out["rotation"]), torch.sin(out["rotation"])
    turn = torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)
    theta = torch.cat([1.15 * turn, middle[:, :, None]], 2)
    return F.grid_sample(image, F.affine_grid(theta, [count, 3, size, size], align_corners=False), align_corners=False)


class Probe(nn.Module):
    """Compares an upright grid of features with its mirror image: what is seen from the other side gives the opposite answer."""

    def __init__(self, inside: int, width: int = 48) -> None:
        super().__init__()
        self.told = nn.Sequential(
            nn.Dropout2d(0.2),
            nn.Conv2d(inside, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.3),
            nn.Linear(width * GRID * GRID, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        return (self.told(x) - self.told(x.flip(3)))[:, 0]


@torch.no_grad()
def features(network: TreadNetwork, image: Tensor) -> Tensor:
    """The features that the network's own classifier of the side sees, those of the encoder, and the colours."""
    _, _, s3, s4, deep = network.encoder(image)
    x = deep + network.context(deep.mean((2, 3)))[:, :, None, None]
    seen = network.up3(network.up4(x, s4), s3)
    return torch.cat([F.adaptive_avg_pool2d(part, GRID) for part in (seen, deep, image)], 1).half()


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


def train(x: Tensor, y: Tensor, steps: int) -> Probe:
    torch.manual_seed(1)
    mean, scale = x.float().mean((0, 2, 3), keepdim=True), x.float().std((0, 2, 3), keepdim=True) + 1e-3
    probe = Probe(x.shape[1])
    probe.mean, probe.scale = mean, scale  # type: ignore[assignment]
    optimizer = torch.optim.AdamW(probe.parameters(), 1e-3, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    rng = random.Random(1)
    for _ in range(steps):
        some = torch.tensor([rng.randrange(len(y)) for _ in range(64)])
        loss = F.binary_cross_entropy_with_logits(probe((x[some].float() - mean) / scale), y[some].float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return probe.eval()


def share(part: list[bool]) -> str:
    return f"{100 * sum(part) / len(part):.0f} % of {len(part)}" if part else "-"


def kind_of(row: dict[str, float]) -> str:
    body, rim = row["body"] > BODY, row["rim"] > RIM
    return "body and rim" if body and rim else "body" if body else "rim"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renders", type=int, default=1500, help="held-out renders that are judged")
    parser.add_argument("--head", type=int, default=0, help="training renders for the classifier")
    parser.add_argument("--steps", type=int, default=1500)
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

    found, x, y, side = [], [], [], []
    for seeds, out in looks(judged, "held-out"):
        found += seeds
        y.append(out["side"] - 1)
        x.append(features(network, upright(out["image"], out)))
        with torch.no_grad():
            side.append(torch.softmax(network(out["image"])[1]["side"].float(), 1))
    x, y, side = torch.cat(x), torch.cat(y), torch.cat(side)
    kinds = [kind_of(rows[s]) for s in found]
    right = ((side[:, 2] > side[:, 1]) == (y == 1)).tolist()
    answered("network, better of left and right", right, [True] * len(y), kinds)
    for least in (0.5, 0.7, 0.95):
        answered(f"network, probability of {least} and more", right, (side[:, 1:].amax(1) >= least).tolist(), kinds)
    if not args.head:
        return
    taught = [
        (features(network, upright(out["image"], out)), out["side"] - 1)
        for _, out in looks(list(range(args.first, args.first + args.head)), "train")
    ]
    tx, ty = (torch.cat([t[k] for t in taught]) for k in (0, 1))
    for count in (len(ty) // 4, len(ty)):
        probe = train(tx[:count], ty[:count], args.steps)
        with torch.no_grad():
            logit, own = (torch.cat([probe((part.float() - probe.mean) / probe.scale) for part in of.split(64)]) for of in (x, tx[:count]))
        print(
            f"classifier of {count} training renders: right for {share(((own > 0) == (ty[:count] == 1)).tolist())} of its own", flush=True
        )
        right = ((logit > 0) == (y == 1)).tolist()
        answered("  better of left and right", right, [True] * len(y), kinds)
        answered("  probability of 0.95 and more", right, (torch.sigmoid(logit.abs()) >= 0.95).tolist(), kinds)


def answered(name: str, right: list[bool], told: list[bool], kinds: list[str]) -> None:
    """Prints how many sides are told, and how many of those rightly, in all and by what is visible."""
    of = {kind: share([r for r, t, k in zip(right, told, kinds, strict=True) if t and k == kind]) for kind in KINDS}
    every = share([r for r, t in zip(right, told, strict=True) if t])
    print(f"{name}: told {share(told)}, right {every}; " + ", ".join(f"{kind} {value}" for kind, value in of.items()), flush=True)


if __name__ == "__main__":
    main()
