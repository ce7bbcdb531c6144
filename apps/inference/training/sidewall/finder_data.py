"""Training data and loss of the text detector: PP-OCRv4's detector with two more maps."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from .strip import SIZE, TEXT, TURNED, render_strip

MAPS = 3


def widened(source: str | Path, target: Path) -> None:
    """Writes the detector with MAPS outputs. New outputs start as copies of the first one; a detector with all outputs stays unchanged."""
    model = onnx.load(str(source))
    weight = [n for n in model.graph.node if n.op_type == "ConvTranspose"][-1]
    bias = next(n for n in model.graph.node if n.op_type == "Add" and weight.output[0] in n.input)
    last = {weight.input[1], *(n for n in bias.input if n != weight.output[0])}
    for node in model.graph.node:
        if node.output[0] in last:
            constant = node.attribute[0].t
            value = numpy_helper.to_array(constant)
            if value.shape[1] == 1:
                constant.CopyFrom(numpy_helper.from_array(np.repeat(value, MAPS, axis=1)))
    for info in model.graph.output:
        info.type.tensor_type.shape.dim[1].dim_value = MAPS
    onnx.checker.check_model(model)
    target.write_bytes(model.SerializeToString(deterministic=True))


MEAN, SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def tensor_of(images: Sequence[np.ndarray]) -> torch.Tensor:
    grey = torch.from_numpy(np.stack(images)).float().div_(255)[:, None]
    return (grey - torch.tensor(MEAN).view(1, 3, 1, 1)) / torch.tensor(SPREAD).view(1, 3, 1, 1)


def batch_of(seeds: Iterable[int], fonts: str, columns: int, held_out: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    pairs = [render_strip(s, fonts, columns, held_out) for s in seeds]
    return tensor_of([p for p, _ in pairs]), torch.from_numpy(np.stack([m for _, m in pairs]))


class Strips:
    def __init__(self, fonts: str, columns: int, batch: int, first_seed: int) -> None:
        self.fonts, self.columns, self.batch, self.seed = fonts, columns, batch, first_seed

    def loss(self, network: torch.nn.Module) -> torch.Tensor:
        images, maps = batch_of(range(self.seed, self.seed + self.batch), self.fonts, self.columns)
        self.seed += self.batch
        return loss_of(network(images), maps)


def dice(probability: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    shared = (probability * truth).sum((1, 2))
    return (1 - (2 * shared + 1) / (probability.sum((1, 2)) + truth.sum((1, 2)) + 1)).mean()


def loss_of(logits: torch.Tensor, maps: torch.Tensor) -> torch.Tensor:
    text, size = maps[:, TEXT], maps[:, SIZE] * (maps[:, TEXT] > 0.5)
    ramp = torch.nn.functional.binary_cross_entropy_with_logits
    total = 0.0
    for channel, truth in ((TEXT, text), (SIZE, size)):
        weight = 1 + 2 * truth
        total = total + ramp(logits[:, channel], truth, weight=weight) + dice(torch.sigmoid(logits[:, channel]), truth)
    inside = (text > 0.5).float()
    turned = ramp(logits[:, TURNED], maps[:, TURNED].clamp(0, 1), reduction="none") * inside
    return total + 0.3 * turned.sum() / (inside.sum() + 1)


def summary(network: torch.nn.Module, images: torch.Tensor, maps: torch.Tensor) -> dict[str, float]:
    """IoU of text and of sizes, and the share of text pixels with the right orientation."""
    network.eval()
    both, either, right, inside = [0.0, 0.0], [0.0, 0.0], 0.0, 0.0
    with torch.no_grad():
        for i in range(len(images)):
            found = torch.sigmoid(network(images[i : i + 1]))[0] > 0.4
            for channel in (TEXT, SIZE):
                truth = (maps[i, channel] > 0.5) & (maps[i, TEXT] > 0.5)
                both[channel] += float((found[channel] & truth).sum())
                either[channel] += float((found[channel] | truth).sum())
            text = maps[i, TEXT] > 0.5
            right += float(((found[TURNED] == (maps[i, TURNED] > 0.5)) & text).sum())
            inside += float(text.sum())
    network.train()
    return {
        "text": round(both[0] / max(1, either[0]), 4),
        "size": round(both[1] / max(1, either[1]), 4),
        "turned": round(right / max(1, inside), 4),
    }
