"""An ONNX graph as a PyTorch module. Its constants can be trained and written back to the graph.

Supports the operators of PP-OCRv4's two graphs. Batch normalization stays in inference mode, because batches are small.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

SMALLEST_TRAINED = 2  # smaller constants are parts of activations


def attributes_of(node: onnx.NodeProto) -> dict[str, Any]:
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


class OnnxNetwork(nn.Module):
    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self.model = onnx.load(str(path))
        graph = self.model.graph
        self.constants: dict[str, torch.Tensor] = {}
        self.nodes: list[tuple[str, list[str], list[str], dict[str, Any]]] = []
        fixed = {name for n in graph.node if n.op_type == "BatchNormalization" for name in n.input[3:5]}
        fixed |= {name for n in graph.node if n.op_type == "Resize" for name in n.input[1:]}
        for node in graph.node:
            if node.op_type != "Constant":
                self.nodes.append((node.op_type, list(node.input), list(node.output), attributes_of(node)))
                continue
            name, value = node.output[0], torch.from_numpy(numpy_helper.to_array(node.attribute[0].t).copy())
            if value.dtype == torch.float32 and value.numel() >= SMALLEST_TRAINED and name not in fixed:
                self.register_parameter(key(name), nn.Parameter(value))
            elif value.dtype == torch.float32:
                self.register_buffer(key(name), value)
            self.constants[name] = value
        self._fuse_hardswish()
        self._fuse_affine()
        self.input, self.output = graph.input[0].name, graph.output[0].name
        self.last = self.nodes[-1]
        self.done_with = self._last_uses()
        if self.last[0] not in ("Softmax", "Sigmoid"):
            raise ValueError(f"expected an activation at the end, found {self.last[0]}")

    def _fuse_hardswish(self) -> None:
        """Fuses x * clip(x + 3, 0, 6) / 6: one pass over memory instead of four."""
        makers = {outputs[0]: i for i, (_, _, outputs, _) in enumerate(self.nodes)}
        gone = set()
        for i, (kind, inputs, outputs, _) in enumerate(self.nodes):
            if kind != "Div" or inputs[0] not in makers:
                continue
            product = self.nodes[makers[inputs[0]]]
            clips = [n for n in product[1] if n in makers and self.nodes[makers[n]][0] == "Clip"]
            if product[0] != "Mul" or not clips:
                continue
            added = self.nodes[makers[clips[0]]][1][0]
            source = next(n for n in product[1] if n != clips[0])
            gone |= {makers[inputs[0]], makers[clips[0]], makers[added]}
            self.nodes[i] = ("HardSwish", [source], outputs, {})
        self.nodes = [n for i, n in enumerate(self.nodes) if i not in gone]

    def _fuse_affine(self) -> None:
        """Fuses a scalar scale and shift into the convolution before it, or into one operator."""
        single = {name: float(value) for name, value in self.constants.items() if value.dtype == torch.float32 and value.numel() == 1}
        makers = {outputs[0]: i for i, (_, _, outputs, _) in enumerate(self.nodes)}
        gone = set()
        for i, (kind, inputs, outputs, _) in enumerate(self.nodes):
            shift = [n for n in inputs if n in single]
            before = [n for n in inputs if n in makers]
            if kind != "Add" or len(shift) != 1 or not before or self.nodes[makers[before[0]]][0] != "Mul":
                continue
            product = self.nodes[makers[before[0]]]
            scale = [n for n in product[1] if n in single]
            source = [n for n in product[1] if n not in single]
            if len(scale) != 1:
                continue
            gone.add(makers[before[0]])
            affine = {"scale": single[scale[0]], "shift": single[shift[0]]}
            conv_before = self.nodes[makers[source[0]]]
            if conv_before[0] == "Conv" and len(conv_before[1]) == 3:
                gone.add(makers[source[0]])
                self.nodes[i] = ("Conv", conv_before[1], outputs, {**conv_before[3], **affine})
            else:
                self.nodes[i] = ("Affine", source, outputs, affine)
        self.nodes = [n for i, n in enumerate(self.nodes) if i not in gone]

    def _last_uses(self) -> list[list[str]]:
        """For each node, the values that no later node needs, to free memory early."""
        users = {name: i for i, (_, inputs, _, _) in enumerate(self.nodes) for name in inputs}
        return [[n for n in set(inputs) if users[n] == i] for i, (_, inputs, _, _) in enumerate(self.nodes)]

    def value(self, name: str) -> torch.Tensor:
        return getattr(self, key(name)) if hasattr(self, key(name)) else self.constants[name]

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """The input of the last activation."""
        seen = {self.input: image}
        for (kind, inputs, outputs, attributes), done in zip(self.nodes[:-1], self.done_with):
            values = [seen[n] if n in seen else self.value(n) for n in inputs if n]
            seen[outputs[0]] = OPERATORS[kind](*values, **attributes)
            for name in done:
                seen.pop(name, None)
        return seen[self.last[1][0]]

    def save(self, path: str | Path) -> None:
        """Writes the graph with the current weights."""
        for node in self.model.graph.node:
            if node.op_type == "Constant" and hasattr(self, key(node.output[0])):
                value = getattr(self, key(node.output[0])).detach().cpu().numpy().astype(np.float32)
                node.attribute[0].t.CopyFrom(numpy_helper.from_array(value))
        onnx.checker.check_model(self.model)
        with open(path, "wb") as file:
            file.write(self.model.SerializeToString(deterministic=True))


def key(name: str) -> str:
    return "v_" + name.replace(".", "_").replace("/", "_").replace(":", "_")


def conv(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, strides: Sequence[int] = (1, 1), pads: Sequence[int] = (0, 0, 0, 0), group: int = 1, dilations: Sequence[int] = (1, 1), scale: float = 1.0, shift: float = 0.0, **_: object) -> torch.Tensor:
    if scale != 1.0 or shift != 0.0:
        weight, bias = weight * scale, bias * scale + shift
    return F.conv2d(x, weight, bias, tuple(strides), tuple(pads[:2]), tuple(dilations), group)


def conv_transpose(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, strides: Sequence[int] = (1, 1), pads: Sequence[int] = (0, 0, 0, 0), group: int = 1, dilations: Sequence[int] = (1, 1), **_: object) -> torch.Tensor:
    return F.conv_transpose2d(x, weight, bias, tuple(strides), tuple(pads[:2]), 0, group, tuple(dilations))


def batch_norm(x: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor, mean: torch.Tensor, variance: torch.Tensor, epsilon: float = 1e-5, **_: object) -> torch.Tensor:
    return F.batch_norm(x, mean, variance, scale, shift, False, 0.0, epsilon)


def cut(x: torch.Tensor, axes: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> torch.Tensor:
    for axis, start, end in zip(axes, starts, ends):
        x = x.narrow(axis, start, min(end, x.shape[axis]) - start)
    return x


def clip(x: torch.Tensor, low: torch.Tensor | None = None, high: torch.Tensor | None = None, min: float | None = None, max: float | None = None) -> torch.Tensor:
    return x.clamp(low if min is None else min, high if max is None else max)


def resize(x: torch.Tensor, _region: torch.Tensor, scales: torch.Tensor, mode: bytes = b"nearest", **_: object) -> torch.Tensor:
    return F.interpolate(x, scale_factor=(float(scales[2]), float(scales[3])), mode=mode.decode())


OPERATORS: dict[str, Callable[..., torch.Tensor]] = {
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "BatchNormalization": batch_norm,
    "Affine": lambda x, scale, shift: torch.add(x.new_tensor(shift), x, alpha=scale),
    "Add": torch.add,
    "Sub": torch.sub,
    "Mul": torch.mul,
    "Div": torch.div,
    "Pow": torch.pow,
    "Sqrt": torch.sqrt,
    "MatMul": torch.matmul,
    "Relu": F.relu,
    "Sigmoid": torch.sigmoid,
    "HardSwish": F.hardswish,
    "HardSigmoid": lambda x, alpha=0.2, beta=0.5: (x * alpha + beta).clamp(0, 1),
    "Clip": clip,
    "Softmax": lambda x, axis=-1: F.softmax(x, axis),
    "GlobalAveragePool": lambda x: x.mean((2, 3), keepdim=True),
    "AveragePool": lambda x, kernel_shape, strides, **_: F.avg_pool2d(x, tuple(kernel_shape), tuple(strides)),
    "ReduceMean": lambda x, axes, keepdims=1: x.mean(tuple(axes), keepdim=bool(keepdims)),
    "Transpose": lambda x, perm: x.permute(*perm),
    "Squeeze": lambda x, axes: x.squeeze(tuple(axes)),
    "Reshape": lambda x, shape: x.reshape([int(v) or x.shape[i] for i, v in enumerate(shape)]),
    "Shape": lambda x: torch.tensor(x.shape),
    "Cast": lambda x, to: x,
    "Slice": cut,
    "Concat": lambda *x, axis: torch.cat(x, axis),
    "Resize": resize,
}
