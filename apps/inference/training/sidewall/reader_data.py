"""Batches of lines for the recognizer, all of one width, and what it makes of them."""

import re
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from .line import HEIGHT_PX, LONGEST_PX, STEP_PX, render_line

WRITTEN_SHARE = 0.5  # of the pictures, where there are written ones
SIZE = re.compile(r"(\d{3})/(\d{2})Z?R(\d{2})")


class Alphabet:
    """Column 0 is the CTC blank, the rest are the lines of keys.txt."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.letters = file.read().removesuffix("\n").split("\n")
        self.column = {letter: i + 1 for i, letter in enumerate(self.letters)}

    def encode(self, text):
        return [self.column[letter] for letter in text]

    def greedy(self, logits):
        """frames x characters: the likeliest text."""
        best = logits.argmax(-1).tolist()
        return "".join(self.letters[c - 1] for i, c in enumerate(best) if c and (i == 0 or best[i - 1] != c))


def tensor_of(pictures):
    grey = torch.from_numpy(np.stack(pictures)).float().div_(127.5).sub_(1)
    return grey[:, None].expand(-1, 3, -1, -1)


class Lines:
    """Pictures of neighbouring seeds, put by until there are enough of one width. Dearer widths come in smaller batches."""

    def __init__(self, fonts, alphabet, batch, first_seed, written=None):
        self.fonts, self.alphabet, self.batch, self.seed = fonts, alphabet, batch, first_seed
        self.written = written
        self.waiting = {}

    def loss(self, network):
        pictures, texts = self._next()
        return loss_of(network, self.alphabet, pictures, texts)

    def _next(self):
        while True:
            rng = np.random.default_rng([11, self.seed])
            if self.written and rng.random() < WRITTEN_SHARE:
                picture, text = self.written.draw(rng)
            else:
                picture, text, _ = render_line(self.seed, self.fonts)
            self.seed += 1
            width = picture.shape[1]
            group = self.waiting.setdefault(width, [])
            group.append((picture, text))
            if len(group) >= max(2, self.batch * 320 // max(width, 160)):
                del self.waiting[width]
                return [p for p, _ in group], [t for _, t in group]


class WrittenLines:
    """Lines of rendered wheels: PNGs and lines.tsv of write-wheel-lines.ts, each time a little wider or lighter."""

    def __init__(self, folder):
        with open(Path(folder) / "lines.tsv", encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        self.rows = [(Path(folder) / name, text) for name, text in rows]

    def draw(self, rng):
        path, text = self.rows[int(rng.integers(len(self.rows)))]
        picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        width = max(picture.shape[1] * float(np.exp(rng.normal(0, 0.08))), 9.0 * len(text))
        columns = int(np.clip(round(width / STEP_PX), 2, LONGEST_PX // STEP_PX)) * STEP_PX
        wider = cv2.resize(picture, (columns, HEIGHT_PX), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        lighter = wider * float(np.exp(rng.normal(0, 0.15))) + float(rng.normal(0, 8))
        return np.clip(lighter, 0, 255).astype(np.uint8), text


def loss_of(network, alphabet, pictures, texts):
    frames = F.log_softmax(network(tensor_of(pictures)), -1).transpose(0, 1)
    targets = [alphabet.encode(t) for t in texts]
    lengths = torch.tensor([len(t) for t in targets])
    joined = torch.tensor([c for t in targets for c in t], dtype=torch.long)
    seen = torch.full((len(texts),), frames.shape[0], dtype=torch.long)
    losses = F.ctc_loss(frames, joined, seen, lengths, reduction="none", zero_infinity=True)
    return (losses / lengths.clamp(min=4)).mean()


def held_out_lines(fonts, count):
    groups = {}
    for seed in range(count):
        picture, text, is_size = render_line(seed, fonts, held_out=True)
        groups.setdefault(picture.shape[1], []).append((picture, text, is_size))
    return groups


def summary(network, alphabet, groups):
    """Shares: text read exactly, size read exactly among lines with one, a wrong or invented size among all lines."""
    exact = sizes = right = wrong = lines = 0
    network.eval()
    with torch.no_grad():
        for group in groups.values():
            for first in range(0, len(group), 32):
                part = group[first : first + 32]
                logits = network(tensor_of([p for p, _, _ in part]))
                for row, (_, text, is_size) in zip(logits, part):
                    read = alphabet.greedy(row).replace(" ", "")
                    found, meant = SIZE.search(read), SIZE.search(text.replace(" ", "")) if is_size else None
                    lines += 1
                    exact += read == text.replace(" ", "")
                    sizes += meant is not None
                    same = found is not None and meant is not None and found.groups() == meant.groups()
                    right += same
                    wrong += found is not None and not same
    network.train()
    return {"text": round(exact / lines, 4), "size": round(right / max(1, sizes), 4), "wrong_size": round(wrong / lines, 4), "lines": lines}
