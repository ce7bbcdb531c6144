"""Writes the averaged network of a training as ONNX and checks it against PyTorch."""

import argparse
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from tread.network import TreadGraph, TreadNetwork
from tread.render import render
from tread.shipped import averaged

TOLERANCE = 1e-3
MAPS = ("tread", "groove", "bald", "depth", "depth_low", "depth_high", "spread", "lateral")


def export(network: TreadNetwork, path: str | Path, opset: int = 18) -> None:
    """Writes the network as ONNX. Exits with an error if ONNX and PyTorch differ by more than TOLERANCE."""
    graph = TreadGraph(network).eval()
    names = list(graph(torch.zeros(1, 3, 64, 64)))
    axes = {"image": {0: "batch", 2: "height", 3: "width"}}
    axes |= {n: {0: "batch", 2: "height", 3: "width"} for n in names if n in MAPS}
    axes |= {n: {0: "batch"} for n in names if n not in MAPS}
    torch.onnx.export(
        graph,
        (torch.rand(2, 3, 256, 256),),
        str(path),
        input_names=["image"],
        output_names=names,
        dynamic_axes=axes,
        opset_version=opset,
        dynamo=False,
    )
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst = 0.0
    pictures = render([0, 1], 256, "held-out")["image"]
    for image in (pictures, pictures[:1, :, :192, :], torch.rand(1, 3, 320, 256)):
        with torch.no_grad():
            expected = graph(image)
        for name, got in zip(names, session.run(names, {"image": image.numpy()})):
            worst = max(worst, float(np.abs(got - expected[name].numpy()).max()))
    print(f"{path}: largest difference from PyTorch {worst:.2e}")
    if worst > TOLERANCE:
        raise SystemExit(f"the difference is larger than {TOLERANCE}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--opset", type=int, default=18)
    args = parser.parse_args()
    network, step = averaged(args.state)
    print(f"step {step}")
    export(network, args.out, args.opset)


if __name__ == "__main__":
    main()
