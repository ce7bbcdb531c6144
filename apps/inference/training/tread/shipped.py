"""Restores a trainable network from an exported one, so that a model folder is enough for further training."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn as nn
from onnx import numpy_helper
from torch import Tensor

from .network import TreadNetwork


def averaged(folder: str | Path) -> tuple[TreadNetwork, int]:
    """Returns the averaged network of a training of train.py or train_gpu.py, and its step."""
    path = Path(folder, "average.pt")
    state = torch.load(path if path.exists() else Path(folder, "latest.pt"), map_location="cpu")
    network = TreadNetwork()
    network.load_state_dict(state["average"])
    return network.eval(), state["step"]


def _path(node_name: str) -> str:
    """Returns the module path of a node: /network/up4/first/first.0/Conv belongs to up4.first.0."""
    parts: list[str] = []
    for name in node_name.split("/")[2:-1]:
        if parts and name.startswith(f"{parts[-1]}."):
            parts[-1] = name
        else:
            parts.append(name)
    return ".".join(parts)


def _norm_behind(network: TreadNetwork, path: str) -> nn.BatchNorm2d:
    """Returns the normalization after a convolution. The export folds it into the convolution, which then has an additional bias."""
    parent, _, place = path.rpartition(".")
    return network.get_submodule(parent)[int(place) + 1]


def _identity(norm: nn.BatchNorm2d, bias: Tensor) -> None:
    with torch.no_grad():
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        norm.weight.fill_(1)
        norm.bias.copy_(bias)


def start_from(network: TreadNetwork, path: str | Path) -> list[str]:
    """Loads the weights of an ONNX file into a network of the same shape. Returns the names of weights that the file lacks; these do not change."""
    graph = onnx.load(path).graph
    given = {i.name: torch.from_numpy(np.array(numpy_helper.to_array(i))) for i in graph.initializer}
    for node in graph.node:  # shared weights are stored once; an Identity node gives them a second name
        if node.op_type == "Identity" and node.input[0] in given:
            given[node.output[0]] = given[node.input[0]]
    own = network.state_dict()
    same = {n.removeprefix("network."): v for n, v in given.items()}
    missing = [n for n, v in own.items() if n not in same or same[n].shape != v.shape]
    network.load_state_dict({n: same[n] if n not in missing else v for n, v in own.items()})
    for node in graph.node:
        if node.op_type != "Conv":
            continue
        path, weight = _path(node.name), given[node.input[1]]
        name = f"{path}.weight"
        if name not in own or own[name].shape != weight.shape:
            continue
        convolution = network.get_submodule(path)
        with torch.no_grad():
            convolution.weight.copy_(weight)
        missing = [n for n in missing if n != name]
        if len(node.input) == 3 and convolution.bias is None:
            norm = _norm_behind(network, path)
            _identity(norm, given[node.input[2]])
            missing = [n for n in missing if network.get_submodule(n.rpartition(".")[0]) is not norm]
    return [n for n in missing if not n.endswith("num_batches_tracked")]


@torch.no_grad()
def spread_norms(network: TreadNetwork, batches: Iterable[Tensor]) -> None:
    """Restores the statistics of folded normalizations from batches, without a change of the output. The training can then continue."""
    folded = {n: m for n, m in network.named_modules() if isinstance(m, nn.BatchNorm2d) and not m.running_mean.any()}
    sums = {n: [0, 0.0, 0.0] for n in folded}

    def noted(name: str) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
        def hook(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            x = inputs[0].double()
            total = sums[name]
            total[0] += x.numel() // x.shape[1]
            total[1] = total[1] + x.sum((0, 2, 3))
            total[2] = total[2] + (x * x).sum((0, 2, 3))

        return hook

    hooks = [m.register_forward_pre_hook(noted(n)) for n, m in folded.items()]
    network.eval()
    for images in batches:
        network(images)
    for hook in hooks:
        hook.remove()
    for name, norm in folded.items():
        count, first, second = sums[name]
        mean = first / count
        variance = (second / count - mean**2).clamp(min=0)
        scale = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
        shift = norm.bias.double() - norm.running_mean.double() * scale
        norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
        norm.bias.copy_(shift + mean * scale)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
