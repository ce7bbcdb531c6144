"""Writes negative examples for train.py --others: crops of images without a tread (wallpapers, game textures, drawings) and drawn patterns.

The files have the same format as the cached renders. --pickle writes one file of JPEG images instead, for train_gpu.py --others."""

import argparse
import io
import pickle
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import torch
from PIL import Image
from torch import Tensor

from tread.cache import write
from tread.patterns import pattern

ENDINGS = {".jpg", ".jpeg", ".png", ".webp"}
SMALLEST_PX = 96
SHARD = 64


def opened(path: Path) -> Image.Image | None:
    image: Image.Image = Image.open(path)
    if min(image.size) < SMALLEST_PX:
        return None
    image.thumbnail((1600, 1600))
    if "A" in image.getbands() or "transparency" in image.info:
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, (128, 128, 128, 255))
        image = Image.alpha_composite(ground, image)
    return image.convert("RGB")


def parts(image: Image.Image, size: int, count: int, rng: random.Random) -> Iterator[Tensor]:
    for _ in range(count):
        side = min(image.size) * rng.uniform(0.5, 1)
        left, top = (rng.uniform(0, s - side) for s in image.size)
        part = image.resize((size, size), Image.Resampling.LANCZOS, (left, top, left + side, top + side))
        yield torch.frombuffer(bytearray(part.tobytes()), dtype=torch.uint8).view(size, size, 3).permute(2, 0, 1)


def packed_others(images: list[Tensor]) -> dict[str, Tensor]:
    count, size = len(images), images[0].shape[-1]
    nothing = torch.zeros(count, size, size, dtype=torch.uint8)
    zero = torch.zeros(count)
    return {
        "image": torch.stack(images),
        "number": nothing,
        "depth": nothing,
        "lateral": nothing.to(torch.int8),
        "rotation": zero,
        "side": zero.long(),
        "quality": torch.full((count, 2), -1.0),  # their blur is unknown
        "is_tread": zero.long(),
        "upright_sure": zero,
        "family": zero - 1,
        "width_mm": zero,
    }


def jpeg(part: Tensor, quality: int) -> bytes:
    data = io.BytesIO()
    Image.fromarray(part.permute(1, 2, 0).numpy()).save(data, "JPEG", quality=quality)
    return data.getvalue()


def shard(folder: Path, number: int, images: list[Tensor]) -> int:
    write(folder / f"shard-{number:09d}.pt", packed_others(images))
    return len(images)


def pictures(paths: Sequence[Path], most: int, size: int, count: int, rng: random.Random) -> Iterator[Tensor]:
    used = 0
    for path in paths:
        if used == most:
            return
        try:
            image = opened(path)
        except (OSError, ValueError, Image.DecompressionBombError):
            continue
        if image is not None:
            used += 1
            yield from parts(image, size, count, rng)


def mixed(photographed: Iterable[Tensor], patterns: int, size: int, rng: random.Random) -> Iterator[Tensor]:
    """Inserts a pattern after about one crop in three. The remaining patterns follow at the end."""
    made = 0
    for part in photographed:
        yield part
        if made < patterns and rng.random() < 1 / 3:
            yield pattern(made, size)
            made += 1
    for seed in range(made, patterns):
        yield pattern(seed, size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", required=True, nargs="+", help="folders, searched recursively")
    to = parser.add_mutually_exclusive_group(required=True)
    to.add_argument("--cache", help="folder of shards")
    to.add_argument("--pickle", help="one file")
    parser.add_argument("--quality", type=int, default=85, help="of the JPEG images of --pickle")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--parts", type=int, default=2, help="number of crops from each image")
    parser.add_argument("--most", type=int, default=4000, help="maximum number of images")
    parser.add_argument("--patterns", type=int, default=1000, help="number of drawn patterns (boards, ribs, bricks and others) to add")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    paths = sorted(p for folder in args.photos for p in Path(folder).rglob("*") if p.suffix.lower() in ENDINGS and p.is_file())
    rng.shuffle(paths)
    crops = mixed(pictures(paths, args.most, args.size, args.parts, rng), args.patterns, args.size, rng)
    if args.pickle:
        packed = [jpeg(part, args.quality) for part in crops]
        Path(args.pickle).write_bytes(pickle.dumps(packed))
        print(f"{len(packed)} crops and patterns")
        return
    folder = Path(args.cache)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("shard-*.pt")):
        raise SystemExit(f"{folder} already contains shards; remove it first")
    images, written = [], 0
    for part in crops:
        images.append(part)
        if len(images) == SHARD:
            written += shard(folder, written, images)
            images = []
    if images:
        written += shard(folder, written, images)
    print(f"{written} crops and patterns")


if __name__ == "__main__":
    main()
