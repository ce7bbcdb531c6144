"""Training data and loss of the recognizer; all lines of a batch have one width."""

import re
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from .line import HEIGHT_PX, LONGEST_PX, STEP_PX, render_line

WRITTEN_SHARE = 0.5  # of the images, where there are lines of wheels
LinesByWidth = dict[int, list[tuple[np.ndarray, str, bool]]]
SIZE = re.compile(r"(\d{3})/(\d{2})Z?R(\d{2})")


class Alphabet:
    """Column 0 is the CTC blank; the others are the lines of keys.txt."""

    def __init__(self, path: str | Path) -> None:
        with open(path, encoding="utf-8") as file:
            self.letters = file.read().removesuffix("\n").split("\n")
        self.column = {letter: i + 1 for i, letter in enumerate(self.letters)}

    def encode(self, text: str) -> list[int]:
        return [self.column[letter] for letter in text]

    def greedy(self, logits: torch.Tensor) -> str:
        """The likeliest text of frames x characters."""
        best = logits.argmax(-1).tolist()
        return "".join(self.letters[c - 1] for i, c in enumerate(best) if c and (i == 0 or best[i - 1] != c))


def tensor_of(images: Sequence[np.ndarray]) -> torch.Tensor:
    grey = torch.from_numpy(np.stack(images)).float().div_(127.5).sub_(1)
    return grey[:, None].expand(-1, 3, -1, -1)


class Lines:
    """Batches of lines of one width, collected over consecutive seeds. Wider lines come in smaller batches."""

    def __init__(self, fonts: str, alphabet: Alphabet, batch: int, first_seed: int, written: "WrittenLines | None" = None) -> None:
        self.fonts, self.alphabet, self.batch, self.seed = fonts, alphabet, batch, first_seed
        self.written = written
        self.waiting = {}

    def loss(self, network: torch.nn.Module) -> torch.Tensor:
        images, texts = self._next()
        return loss_of(network, self.alphabet, images, texts)

    def _next(self) -> tuple[list[np.ndarray], list[str]]:
        while True:
            rng = np.random.default_rng([11, self.seed])
            if self.written and rng.random() < WRITTEN_SHARE:
                image, text = self.written.draw(rng)
            else:
                image, text, _ = render_line(self.seed, self.fonts)
            self.seed += 1
            width = image.shape[1]
            group = self.waiting.setdefault(width, [])
            group.append((image, text))
            if len(group) >= max(2, self.batch * 320 // max(width, 160)):
                del self.waiting[width]
                return [p for p, _ in group], [t for _, t in group]


class WrittenLines:
    """Lines of rendered wheels (PNGs and lines.tsv of tools/write-wheel-lines.ts), with a random width and brightness."""

    def __init__(self, folder: str) -> None:
        with open(Path(folder) / "lines.tsv", encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        self.rows = [(Path(folder) / name, text) for name, text in rows]

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, str]:
        path, text = self.rows[int(rng.integers(len(self.rows)))]
        image = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        width = max(image.shape[1] * float(np.exp(rng.normal(0, 0.08))), 9.0 * len(text))
        columns = int(np.clip(round(width / STEP_PX), 2, LONGEST_PX // STEP_PX)) * STEP_PX
        wider = cv2.resize(image, (columns, HEIGHT_PX), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        lighter = wider * float(np.exp(rng.normal(0, 0.15))) + float(rng.normal(0, 8))
        return np.clip(lighter, 0, 255).astype(np.uint8), text


def loss_of(network: torch.nn.Module, alphabet: Alphabet, images: Sequence[np.ndarray], texts: Sequence[str]) -> torch.Tensor:
    frames = F.log_softmax(network(tensor_of(images)), -1).transpose(0, 1)
    targets = [alphabet.encode(t) for t in texts]
    lengths = torch.tensor([len(t) for t in targets])
    joined = torch.tensor([c for t in targets for c in t], dtype=torch.long)
    seen = torch.full((len(texts),), frames.shape[0], dtype=torch.long)
    losses = F.ctc_loss(frames, joined, seen, lengths, reduction="none", zero_infinity=True)
    return (losses / lengths.clamp(min=4)).mean()


def held_out_lines(fonts: str, count: int) -> LinesByWidth:
    groups = {}
    for seed in range(count):
        image, text, is_size = render_line(seed, fonts, held_out=True)
        groups.setdefault(image.shape[1], []).append((image, text, is_size))
    return groups


def summary(network: torch.nn.Module, alphabet: Alphabet, groups: LinesByWidth) -> dict[str, float]:
    """Shares of exact texts, of exact sizes among lines with a size, and of wrong sizes among all lines."""
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
