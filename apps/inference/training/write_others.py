"""Writes a folder of images without a tire, with labels.tsv. The service must refuse all of them (tools/evaluate.ts).

The same folders and seed give the same images."""

import argparse
import random
from pathlib import Path

from PIL import Image

from fill_others import ENDINGS, opened


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", required=True, nargs="+", help="folders, searched recursively")
    parser.add_argument("--each", type=int, default=200, help="maximum number of images per folder, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    lines = ["file\tlabel_size\ttire_id\tgrooves\tgroove_confidence"]
    for folder in args.photos:
        paths = sorted(p for p in Path(folder).rglob("*") if p.suffix.lower() in ENDINGS and p.is_file() and not p.is_symlink())
        random.Random(args.seed).shuffle(paths)
        taken = 0
        for path in paths:
            if taken == args.each:
                break
            try:
                image = opened(path)
            except (OSError, ValueError, Image.DecompressionBombError):
                continue
            if image is None:
                continue
            name = f"{len(lines):04d}-{Path(folder).name}.jpg"
            image.save(out / name, quality=95)
            lines.append(f"{name}\tnone\t\t0\t")
            taken += 1
        print(f"{folder}: {taken}")
    (out / "labels.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
