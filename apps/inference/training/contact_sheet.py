"""Writes a sheet of renders and prints the time per render. With --truth it draws the ground truth beside each render."""

import argparse
import time

import torch
from PIL import Image
from torch import Tensor

from tread.render import render


def tinted(sample: dict[str, Tensor], i: int) -> Tensor:
    """Colours grooves by depth (red shallow, green deep). Grooves that do not count are yellow, bald zones violet, the tread blue."""
    image = sample["image"][i].clone()
    number, depth = sample["number"][i], sample["depth"][i] / 8
    grey = image.mean(0, keepdim=True).expand(3, -1, -1) * 0.7

    def colour(*rgb: float) -> Tensor:
        return torch.tensor(rgb).view(3, 1, 1)

    out = grey + sample["tread"][i].float() * colour(0.0, 0.12, 0.2)
    out = torch.where(sample["bald"][i], grey + colour(0.45, 0.0, 0.3), out)
    heat = torch.stack([1 - depth, depth, torch.full_like(depth, 0.1)]).clamp(0, 1)
    out = torch.where(number > 0, heat, out)
    return torch.where(sample["ignore"][i], colour(1.0, 0.95, 0.1), out).clamp(0, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--columns", type=int, default=6)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--detail", type=float, default=1.5)
    parser.add_argument("--split", default="train", choices=("train", "held-out"))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--kinds", default="all", choices=("all", "classic"))
    parser.add_argument("--tensors", action="store_true", help="uses PyTorch's renderer, also on a CPU")
    parser.add_argument("--truth", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    tiles, started = [], time.time()
    for seed in range(args.first, args.first + args.count):
        compiled = False if args.tensors else None
        batch = render([seed], args.size, args.split, args.device, args.detail, kinds=args.kinds, compiled=compiled)
        sample = {k: v.cpu() for k, v in batch.items()}
        tiles.append(torch.cat([sample["image"][0], tinted(sample, 0)], 2) if args.truth else sample["image"][0])
    print(f"{(time.time() - started) / args.count:.3f} s per image")
    height, width = tiles[0].shape[1:]
    rows = -(-len(tiles) // args.columns)
    sheet = Image.new("RGB", (width * args.columns, height * rows))
    for i, tile in enumerate(tiles):
        pixels = (tile.permute(1, 2, 0) * 255).round().to(torch.uint8).contiguous()
        picture = Image.frombytes("RGB", (width, height), bytes(pixels.flatten().tolist()))
        sheet.paste(picture, (i % args.columns * width, i // args.columns * height))
    sheet.save(args.out)


if __name__ == "__main__":
    main()
