"""Writes a network with some convolutions in eight bits, and compares both on images that it was not calibrated with.

Weights have a scale for each channel, activations one for each tensor. The images are inputs of the network, as tools/record-inputs.ts writes
them. Example: python quantize.py ../models/tread tread OUT.onnx INPUTS --layers '^/network/(up|depths)' --float 'told.1'
"""

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import version_converter
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from PIL import Image

# DequantizeLinear with a scale for each channel.
LEAST_OPSET = 13
METHODS = {"minmax": CalibrationMethod.MinMax, "percentile": CalibrationMethod.Percentile, "entropy": CalibrationMethod.Entropy}


class Inputs(CalibrationDataReader):
    def __init__(self, name: str, images: Sequence[np.ndarray]) -> None:
        self.images: Iterator[dict[str, np.ndarray]] = iter([{name: image} for image in images])

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self.images, None)


def spread_over(files: Sequence[Path], count: int) -> list[Path]:
    return [files[int(i * len(files) / count)] for i in range(min(count, len(files)))]


def session_of(path: str | Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def compare(before: str | Path, after: str | Path, name: str, images: Sequence[np.ndarray]) -> None:
    """Prints the mean difference of each output as a share of its mean deviation, and the time of a run."""
    sessions = [session_of(before), session_of(after)]
    names = [output.name for output in sessions[0].get_outputs()]
    spent, differences = [[], []], {output: [] for output in names}
    for image in images:
        results = []
        for session, times in zip(sessions, spent):
            begun = time.process_time()
            results.append(session.run(names, {name: image}))
            times.append(time.process_time() - begun)
        for output, a, b in zip(names, *results):
            deviation = np.abs(a - a.mean()).mean() if a.size > 4 else np.abs(a).mean()
            differences[output].append(np.abs(a - b).mean() / (deviation + 1e-6))
    print(", ".join(f"{output} {100 * np.mean(values):.1f} %" for output, values in differences.items()))
    print(", ".join(f"{1e3 * np.median(times):.1f} ms" for times in spent))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="model folder")
    parser.add_argument("role", help="of the network in the manifest")
    parser.add_argument("target")
    parser.add_argument("inputs", help="folder of record-inputs.ts")
    parser.add_argument("--layers", default=".", help="pattern of the convolutions' names")
    parser.add_argument("--float", default="^$", help="pattern of those that stay as they are")
    parser.add_argument("--count", type=int, default=48)
    parser.add_argument("--check", type=int, default=24)
    parser.add_argument("--method", choices=METHODS, default="minmax")
    parser.add_argument("--average", action="store_true", help="mean of the images' smallest and largest values instead of the extremes")
    args = parser.parse_args()
    network = json.loads(Path(args.model, "manifest.json").read_text())["networks"][args.role]
    name = network["inputs"][0]["name"]
    mean, deviation = (np.array(network["normalization"][key], np.float32)[:, None, None] for key in ("mean", "std"))

    def tensor_of(file: Path) -> np.ndarray:
        return ((np.asarray(Image.open(file), np.float32).transpose(2, 0, 1) / 255 - mean) / deviation)[None]

    files = sorted(Path(args.inputs).glob(f"{args.role}-*.png"))
    checked = spread_over(files[1::2], args.check)
    images = [tensor_of(file) for file in spread_over(files[::2], args.count)]
    with tempfile.TemporaryDirectory() as folder:
        prepared = f"{folder}/prepared.onnx"
        model = onnx.load(str(Path(args.model, network["file"])))
        if model.opset_import[0].version < LEAST_OPSET:
            model = version_converter.convert_version(model, LEAST_OPSET)
        onnx.save(model, f"{folder}/converted.onnx")
        quant_pre_process(f"{folder}/converted.onnx", prepared, skip_symbolic_shape=True)
        convolutions = [node.name for node in onnx.load(prepared).graph.node if node.op_type == "Conv"]
        chosen = [one for one in convolutions if re.search(args.layers, one) and not re.search(args.float, one)]
        quantize_static(
            prepared,
            args.target,
            Inputs(name, images),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            # Seven bits of weights: without VNNI, x86 adds two products in sixteen bits.
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["Conv"],
            nodes_to_quantize=chosen,
            calibrate_method=METHODS[args.method],
            extra_options={"ActivationSymmetric": False, "CalibMovingAverage": args.average},
        )
    print(f"{len(chosen)} of {len(convolutions)} convolutions, {len(images)} images, {args.method}")
    compare(Path(args.model, network["file"]), args.target, name, [tensor_of(file) for file in checked])


if __name__ == "__main__":
    main()
