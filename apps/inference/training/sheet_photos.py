"""Contact sheet of photographs with what the ring network makes of them: python sheet_photos.py --state state/ring --photos FOLDER --out sheet.png"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from sidewall.ring_network import RingNetwork

SIDE_PX = 256


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True)
    parser.add_argument("--photos", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--columns", type=int, default=7)
    args = parser.parse_args()
    network = RingNetwork()
    network.load_state_dict(torch.load(f"{args.state}/latest.pt")["average"])
    network.eval()
    tiles = []
    for path in sorted(p for p in Path(args.photos).iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png")):
        photo = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
        scale = SIDE_PX / max(photo.shape[:2])
        size = [max(32, round(v * scale / 32) * 32) for v in photo.shape[1::-1]]
        small = cv2.resize(photo, size, interpolation=cv2.INTER_AREA)
        image = torch.from_numpy(small[..., ::-1].copy()).permute(2, 0, 1)[None].float() / 255
        with torch.no_grad():
            maps = torch.sigmoid(network(image))[0].numpy()
        shown = cv2.resize(np.stack([maps[1], maps[0], maps[0] * 0], -1), size)
        tile = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
        tile[: size[1], : size[0]] = np.clip(small * 0.6 + shown * 100, 0, 255)
        tiles.append(cv2.putText(tile, path.name, (3, 12), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 255), 1))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % args.columns)
    cv2.imwrite(args.out, np.vstack([np.hstack(tiles[i : i + args.columns]) for i in range(0, len(tiles), args.columns)]))


if __name__ == "__main__":
    main()
