"""Writes the framing network as ONNX with weights of 8 bits, and checks it against PyTorch."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import helper, numpy_helper

from .network import FramingGraph, Judge, Trunk
from .scenes import SIDE

# Weights of 8 bits change the shares of the kinds by less.
TOLERANCE = 0.1
SMALLEST = 256


def _in_eight_bits(model: onnx.ModelProto) -> onnx.ModelProto:
    """Stores the weights of layers as bytes with a scale for each output. The session turns them into numbers once, when it is opened."""
    graph = model.graph
    weights = {name for node in graph.node if node.op_type in ("Conv", "Gemm", "MatMul") for name in node.input[1:2]}
    added = []
    for initializer in list(graph.initializer):
        value = numpy_helper.to_array(initializer)
        if initializer.name not in weights or value.size < SMALLEST or value.ndim < 2:
            continue
        axes = tuple(range(1, value.ndim))
        scale = np.maximum(np.abs(value).max(axes), 1e-8) / 127
        rounded = np.clip(np.round(value / scale.reshape(-1, *[1] * len(axes))), -127, 127).astype(np.int8)
        name = initializer.name
        graph.initializer.remove(initializer)
        graph.initializer.extend(
            [
                numpy_helper.from_array(rounded, f"{name}_bytes"),
                numpy_helper.from_array(scale.astype(np.float32), f"{name}_scale"),
                numpy_helper.from_array(np.zeros(len(scale), np.int8), f"{name}_zero"),
            ]
        )
        added.append(helper.make_node("DequantizeLinear", [f"{name}_bytes", f"{name}_scale", f"{name}_zero"], [name], axis=0))
    nodes = [*added, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    for node in graph.node:
        node.doc_string = ""
    onnx.checker.check_model(model)
    return model


def export(trunk: Trunk, judge: Judge, path: str | Path) -> None:
    graph = FramingGraph(trunk.eval(), judge.eval()).eval()
    generator = torch.Generator().manual_seed(1)
    example = torch.randint(0, 256, (SIDE, SIDE, 4), dtype=torch.uint8, generator=generator)
    torch.onnx.export(graph, (example,), str(path), input_names=["rgba"], output_names=["kind", "fill"], opset_version=18, dynamo=False)
    onnx.save(_in_eight_bits(onnx.load(path)), path)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst = 0.0
    for level in (1, 2, 4, 8):
        rgba = example // level
        with torch.no_grad():
            expected = graph(rgba)
        worst = max(
            worst, *(float(np.abs(got - want.numpy()).max()) for got, want in zip(session.run(None, {"rgba": rgba.numpy()}), expected))
        )
    print(f"{path}: {Path(path).stat().st_size} bytes, largest difference from PyTorch {worst:.3f}")
    if worst > TOLERANCE:
        raise SystemExit(f"the difference is larger than {TOLERANCE}")
