"""Writes tools/baseline/tread/tread.onnx: a graph whose weights are computed, not trained.

image [1,3,H,W], sRGB 0..1  ->  tread      [1,1,H,W]  similarity to rubber (dark, without colour), 0..1
                                groove     [1,1,H,W]  strength of the strongest dark line through the pixel
                                direction  [1,2,H,W]  strength times (cos 2a, sin 2a), a: angle across the line, from +x towards +y
                                reflectance[1,1,H,W]  linear luminance
Dark lines come from the eigenvalues of the scale-normalized Hessian of log luminance at four widths. In the logarithm, the
illumination is a constant that the derivatives remove.
"""
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import ArrayLike
from onnx import TensorProto, helper, numpy_helper

OUT = Path(__file__).parent.parent / "tools" / "baseline" / "tread" / "tread.onnx"
SIGMAS = (1.4, 2.2)  # at full and at half resolution: lines of about 4, 7, 9 and 15 pixels
nodes, weights = [], []


def const(name: str, value: ArrayLike) -> str:
    weights.append(numpy_helper.from_array(np.asarray(value, np.float32), name))
    return name


def op(kind: str, inputs: Sequence[str], output: str, **attributes: object) -> str:
    nodes.append(helper.make_node(kind, inputs, [output], **attributes))
    return output


def gaussian_derivatives(sigma: float) -> tuple[np.ndarray, int]:
    radius = int(np.ceil(3 * sigma))
    x = np.arange(-radius, radius + 1, dtype=np.float64)
    g = np.exp(-x * x / (2 * sigma * sigma))
    g /= g.sum()
    first = -x / sigma**2 * g
    second = (x * x / sigma**4 - 1 / sigma**2) * g
    second -= second.mean()
    norm = sigma * sigma
    xx, yy, xy = np.outer(g, second), np.outer(second, g), np.outer(first, first)
    return np.stack([xx, yy, xy])[:, None] * norm, radius


def padded(name: str, source: str, radius: int) -> str:
    weights.append(numpy_helper.from_array(np.array([0, 0, radius, radius, 0, 0, radius, radius], np.int64), f"{name}_pads"))
    return op("Pad", [source, f"{name}_pads"], name, mode="reflect")


def box_mean(name: str, source: str, radius: int) -> str:
    return op("AveragePool", [padded(f"{name}_pad", source, radius)], name, kernel_shape=[2 * radius + 1] * 2)


def line_strength(name: str, source: str, sigma: float) -> tuple[str, str]:
    """Strength of dark lines of one width, and strength times the doubled direction."""
    kernel, radius = gaussian_derivatives(sigma)
    hessian = op("Conv", [padded(f"{name}_pad", source, radius), const(f"{name}_kernel", kernel)], f"{name}_hessian")
    weights.append(numpy_helper.from_array(np.array([1, 1, 1], np.int64), f"{name}_split"))
    nodes.append(helper.make_node("Split", [hessian, f"{name}_split"], [f"{name}_xx", f"{name}_yy", f"{name}_xy"], axis=1))
    half_sum = op("Mul", [op("Add", [f"{name}_xx", f"{name}_yy"], f"{name}_sum"), "half"], f"{name}_half_sum")
    half_difference = op("Mul", [op("Sub", [f"{name}_xx", f"{name}_yy"], f"{name}_difference"), "half"], f"{name}_half_difference")
    squares = op("Add", [op("Mul", [half_difference] * 2, f"{name}_d2"), op("Mul", [f"{name}_xy"] * 2, f"{name}_xy2")], f"{name}_squares")
    root = op("Sqrt", [op("Add", [squares, "tiny"], f"{name}_safe")], f"{name}_root")
    across = op("Add", [half_sum, root], f"{name}_across")
    along = op("Abs", [op("Sub", [half_sum, root], f"{name}_along_signed")], f"{name}_along")
    strength = op("Relu", [op("Sub", [across, along], f"{name}_line")], f"{name}_strength")
    unit = op("Div", [op("Concat", [half_difference, f"{name}_xy"], f"{name}_vector", axis=1), root], f"{name}_unit")
    return strength, op("Mul", [unit, strength], f"{name}_direction")


def both_resolutions(log_luminance: str) -> list[tuple[str, str]]:
    fine = [line_strength(f"fine{i}", log_luminance, sigma) for i, sigma in enumerate(SIGMAS)]
    half = op("AveragePool", [log_luminance], "half_resolution", kernel_shape=[2, 2], strides=[2, 2])
    coarse = []
    size = op("Shape", [log_luminance], "size", start=2)
    weights.append(numpy_helper.from_array(np.array([1, 3], np.int64), "packed_channels"))
    shape = op("Concat", ["packed_channels", size], "upsampled_shape", axis=0)
    for i, sigma in enumerate(SIGMAS):
        strength, direction = line_strength(f"coarse{i}", half, sigma)
        packed = op("Concat", [strength, direction], f"coarse{i}_packed", axis=1)
        up = op("Resize", [packed, "", "", shape], f"coarse{i}_up", mode="linear")
        weights.append(numpy_helper.from_array(np.array([1, 2], np.int64), f"coarse{i}_parts"))
        nodes.append(helper.make_node("Split", [up, f"coarse{i}_parts"], [f"coarse{i}_s", f"coarse{i}_d"], axis=1))
        coarse.append((f"coarse{i}_s", f"coarse{i}_d"))
    return fine + coarse


def strongest(scales: Sequence[tuple[str, str]]) -> None:
    strength, direction = scales[0]
    for i, (other_strength, other_direction) in enumerate(scales[1:]):
        wins = op("Greater", [other_strength, strength], f"wins{i}")
        last = i == len(scales) - 2
        direction = op("Where", [wins, other_direction, direction], "direction" if last else f"direction{i}")
        strength = op("Max", [strength, other_strength], "groove" if last else f"strength{i}")


def rubber(luminance_srgb: str) -> None:
    nodes.append(helper.make_node("ReduceMax", ["image"], ["brightest"], axes=[1], keepdims=1))
    nodes.append(helper.make_node("ReduceMin", ["image"], ["darkest"], axes=[1], keepdims=1))
    spread = op("Sub", ["brightest", "darkest"], "spread")
    saturation = op("Div", [spread, op("Add", ["brightest", const("saturation_floor", 0.15)], "brightest_safe")], "saturation")
    grey = op("Sigmoid", [op("Mul", [op("Sub", [const("grey_at", 0.30), saturation], "greyness"), const("grey_slope", 16)], "grey_in")], "grey")
    local = box_mean("local", luminance_srgb, 4)
    dark = op("Sigmoid", [op("Mul", [op("Sub", [const("dark_at", 0.68), local], "darkness"), const("dark_slope", 14)], "dark_in")], "dark")
    box_raw = op("Mul", [grey, dark], "rubber_raw")
    box_mean("tread", box_raw, 4)


const("half", 0.5)
const("tiny", 1e-12)
luma = const("luma", np.array([0.2126, 0.7152, 0.0722]).reshape(1, 3, 1, 1))
linear = op("Pow", ["image", const("gamma", 2.2)], "linear")
op("Conv", [linear, luma], "reflectance")
srgb = op("Conv", ["image", luma], "luminance_srgb")
logarithm = op("Log", [op("Add", ["reflectance", const("log_floor", 0.02)], "reflectance_safe")], "log_luminance")
strongest(both_resolutions(logarithm))
rubber(srgb)

shape = [1, 3, "height", "width"]
maps = [("tread", 1), ("groove", 1), ("direction", 2), ("reflectance", 1)]
graph = helper.make_graph(
    nodes,
    "tread",
    [helper.make_tensor_value_info("image", TensorProto.FLOAT, shape)],
    [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, "height", "width"]) for name, channels in maps],
    weights,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9, producer_name="tire-inspection")
onnx.checker.check_model(model)
OUT.parent.mkdir(parents=True, exist_ok=True)
OUT.write_bytes(model.SerializeToString(deterministic=True))
print(f"{OUT.name}: {OUT.stat().st_size} bytes")
