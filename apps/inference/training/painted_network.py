"""Writes src/testing/painted.onnx: a tread network whose output maps are the image's channels. Tests therefore know its exact output.

Red is groove, green is tread, and blue times 10 is the depth in mm. `lateral` runs from -1 to 1 over the columns. The outputs have the
same names and shapes as those of tread/network.py.
"""
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import ArrayLike, DTypeLike
from onnx import TensorProto, helper, numpy_helper

OUT = Path(__file__).parent.parent / "src" / "testing" / "painted.onnx"
nodes, weights = [], []


def const(name: str, value: ArrayLike, kind: DTypeLike = np.float32) -> str:
    weights.append(numpy_helper.from_array(np.asarray(value, kind), name))
    return name


def op(kind: str, inputs: Sequence[str], output: str, **attributes: object) -> str:
    nodes.append(helper.make_node(kind, inputs, [output], **attributes))
    return output


op("Split", ["image", const("thirds", [1, 1, 1], np.int64)], "groove", axis=1)
nodes[-1].output[:] = ["groove", "tread", "blue"]
op("Mul", ["blue", const("ten", 10)], "depth")
op("Mul", ["blue", const("nothing", 0)], "zero")
op("Add", ["zero", const("fifth", 0.2)], "spread")
op("Add", ["zero", const("one", 1)], "ones")
op("CumSum", ["ones", const("across", 3, np.int64)], "column")
op("ReduceMax", ["column", const("last", [3], np.int64)], "width")
op("Div", ["column", "width"], "share")
op("Sub", [op("Mul", ["share", const("two", 2)], "twice"), "one"], "lateral")
op("ReduceMean", ["image", const("all", [1, 2, 3], np.int64)], "mean4")
op("Reshape", ["mean4", const("flat", [-1, 1], np.int64)], "mean")
op("Mul", ["mean", "nothing"], "none")
op("Add", ["none", const("upright", [[1, 0]])], "rotation")
op("Add", ["none", const("outside_right", [[0.05, 0.05, 0.9]])], "side")
op("ReduceMean", ["tread", const("plane", [1, 2, 3], np.int64)], "green4")
op("Reshape", ["green4", "flat"], "is_tread")
op("Concat", [op("Add", ["none", "one"], "blur"), "mean"], "quality", axis=1)

maps = [helper.make_tensor_value_info(n, TensorProto.FLOAT, ["batch", 1, "height", "width"]) for n in ("tread", "groove", "depth", "spread", "lateral")]
numbers = [helper.make_tensor_value_info(n, TensorProto.FLOAT, ["batch", k]) for n, k in (("rotation", 2), ("side", 3), ("is_tread", 1), ("quality", 2))]
image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 3, "height", "width"])
graph = helper.make_graph(nodes, "painted", [image], maps + numbers, weights)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
onnx.checker.check_model(model)
onnx.save(model, OUT)
print(OUT, len(model.SerializeToString()))
