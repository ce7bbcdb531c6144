"""Writes a network of the sidewall with the same function and fewer passes over memory.

PaddleOCR exports a hard swish as four operators, and a scale and a shift of its own around each: eight passes after a convolution. The scale
and the shift before the activation become part of that convolution. The ones after it become part of the next convolution, but the shift
only where that one has no border of zeros. The activation becomes a hard sigmoid and a product.

Usage: python fold_network.py FROM TO SHAPE, for example detector.onnx folded.onnx 1,3,224,1120
"""

import argparse

import numpy as np
import onnx
import onnxruntime
from onnx import NodeProto, helper, numpy_helper

TOLERANCE = 1e-4


class Graph:
    """The nodes of a network by what they make and use."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.graph = model.graph
        self.nodes: list[NodeProto] = list(model.graph.node)
        self.outputs = {output.name for output in model.graph.output}

    def maker(self, name: str) -> NodeProto | None:
        return next((node for node in self.nodes if name in node.output), None)

    def users(self, name: str) -> list[NodeProto]:
        return [node for node in self.nodes if name in node.input]

    def constant(self, name: str) -> np.ndarray | None:
        node = self.maker(name)
        return numpy_helper.to_array(node.attribute[0].t) if node is not None and node.op_type == "Constant" else None

    def scalar(self, name: str) -> float | None:
        value = self.constant(name)
        return float(value.ravel()[0]) if value is not None and value.size == 1 else None

    def split(self, node: NodeProto) -> tuple[str, float] | None:
        """The input and the number of a sum or product with a number."""
        numbers = [self.scalar(name) for name in node.input]
        if len(numbers) != 2 or (numbers[0] is None) == (numbers[1] is None):
            return None
        return (node.input[1], numbers[0]) if numbers[0] is not None else (node.input[0], numbers[1])

    def only_user(self, name: str, kind: str) -> NodeProto | None:
        users = self.users(name)
        return users[0] if len(users) == 1 and users[0].op_type == kind and name not in self.outputs else None

    def set_constant(self, name: str, value: np.ndarray) -> str:
        """Other nodes may use the constant of this name, so the new one has a name of its own."""
        fresh = f"{name}.folded"
        while self.maker(fresh) is not None:
            fresh += "_"
        tensor = numpy_helper.from_array(value.astype(np.float32))
        self.nodes.insert(0, helper.make_node("Constant", [], [fresh], value=tensor))
        return fresh

    def replace(self, old: str, new: str) -> None:
        for node in self.nodes:
            for i, name in enumerate(node.input):
                if name == old:
                    node.input[i] = new

    def remove(self, *gone: NodeProto) -> None:
        self.nodes = [node for node in self.nodes if not any(node is one for one in gone)]

    def affine_after(self, name: str) -> tuple[NodeProto, NodeProto, float, float] | None:
        """The scale and then the shift by numbers that alone use a value."""
        product = self.only_user(name, "Mul")
        scale = self.split(product) if product is not None else None
        total = self.only_user(product.output[0], "Add") if product is not None and scale is not None else None
        shift = self.split(total) if total is not None else None
        return (product, total, scale[1], shift[1]) if scale is not None and shift is not None else None


def groups_of(conv: NodeProto) -> int:
    return next((a.i for a in conv.attribute if a.name == "group"), 1)


def has_border(conv: NodeProto) -> bool:
    return any(any(a.ints) for a in conv.attribute if a.name == "pads")


def scale_weights(graph: Graph, conv: NodeProto, scale_in: float, shift_in: float, scale_out: float = 1.0, shift_out: float = 0.0) -> None:
    """Makes a convolution that scales and shifts what it takes and what it gives."""
    weight = graph.constant(conv.input[1]).astype(np.float64)
    bias = graph.constant(conv.input[2]).astype(np.float64) if len(conv.input) > 2 else np.zeros(len(weight))
    bias = (bias + shift_in * weight.sum((1, 2, 3))) * scale_out + shift_out
    names = [
        graph.set_constant(conv.input[1], weight * scale_in * scale_out),
        graph.set_constant(conv.input[2] if len(conv.input) > 2 else f"{conv.input[1]}.bias", bias),
    ]
    del conv.input[1:]
    conv.input.extend(names)


def fold_before(graph: Graph) -> int:
    """Scales and shifts after a convolution become part of it."""
    count = 0
    for conv in [node for node in graph.nodes if node.op_type == "Conv" and len(node.input) == 3]:
        found = graph.affine_after(conv.output[0])
        if found is None:
            continue
        product, total, scale, shift = found
        scale_weights(graph, conv, 1.0, 0.0, scale, shift)
        graph.replace(total.output[0], conv.output[0])
        graph.remove(product, total)
        count += 1
    return count


def fold_hard_swish(graph: Graph) -> int:
    """x * clip(x + 3, 0, 6) / 6 becomes x * hard_sigmoid(x)."""
    count = 0
    for divided in [node for node in graph.nodes if node.op_type == "Div"]:
        product = graph.maker(divided.input[0])
        if graph.scalar(divided.input[1]) != 6.0 or product is None or product.op_type != "Mul":
            continue
        clipped = next((made for name in product.input if (made := graph.maker(name)) is not None and made.op_type == "Clip"), None)
        added = graph.maker(clipped.input[0]) if clipped is not None else None
        if added is None or added.op_type != "Add" or graph.split(added) is None or graph.split(added)[1] != 3.0:
            continue
        source = graph.split(added)[0]
        if source not in product.input:
            continue
        gate = f"{divided.output[0]}.gate"
        at = next(i for i, node in enumerate(graph.nodes) if node is divided)
        graph.nodes[at:at] = [
            helper.make_node("HardSigmoid", [source], [gate], f"{divided.name}.gate", alpha=1 / 6, beta=0.5),
            helper.make_node("Mul", [source, gate], [divided.output[0]], divided.name),
        ]
        graph.remove(divided, product, clipped, added)
        count += 1
    return count


def fold_after(graph: Graph) -> tuple[int, int]:
    """Scales and shifts before convolutions become part of them, shifts only where no zeros are around."""
    whole, half = 0, 0
    for node in [node for node in graph.nodes if node.op_type == "Mul" and graph.split(node) is None]:
        found = graph.affine_after(node.output[0])
        if found is None:
            continue
        product, total, scale, shift = found
        convs = graph.users(total.output[0])
        if total.output[0] in graph.outputs or any(user.op_type != "Conv" or user.input[0] != total.output[0] for user in convs):
            continue
        if any(has_border(conv) for conv in convs):
            channels = {graph.constant(conv.input[1]).shape[1] * groups_of(conv) for conv in convs}.pop()
            weights = [
                graph.set_constant(f"{total.output[0]}.{name}", value)
                for name, value in (("scale", np.full((channels, 1, 1, 1), scale)), ("shift", np.full(channels, shift)))
            ]
            at = next(i for i, one in enumerate(graph.nodes) if one is total)
            graph.nodes[at] = helper.make_node(
                "Conv", [node.output[0], *weights], [total.output[0]], f"{total.name}.affine", group=channels, kernel_shape=[1, 1]
            )
            graph.remove(product)
            half += 1
            continue
        for conv in convs:
            scale_weights(graph, conv, scale, shift)
        graph.replace(total.output[0], node.output[0])
        graph.remove(product, total)
        whole += 1
    return whole, half


def folded(model: onnx.ModelProto) -> onnx.ModelProto:
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = Graph(result)
    before, swishes, after = fold_before(graph), fold_hard_swish(graph), fold_after(graph)
    used = {name for node in graph.nodes for name in node.input}
    nodes = [node for node in graph.nodes if node.op_type != "Constant" or node.output[0] in used]
    nodes.sort(key=lambda node: node.op_type != "Constant")
    del result.graph.node[:]
    result.graph.node.extend(nodes)
    onnx.checker.check_model(result)
    print(
        f"{len(model.graph.node)} nodes, now {len(nodes)}: {before} affine after and {after[0]} before convolutions, {after[1]} in part, {swishes} hard swishes"
    )
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("shape", help="of an input for the comparison, with commas")
    args = parser.parse_args()
    model = folded(onnx.load(args.source))
    with open(args.target, "wb") as file:
        file.write(model.SerializeToString(deterministic=True))
    image = np.random.default_rng(0).normal(size=[int(side) for side in args.shape.split(",")]).astype(np.float32)
    results = [
        onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, {model.graph.input[0].name: image})[0]
        for path in (args.source, args.target)
    ]
    worst = float(np.abs(results[0] - results[1]).max())
    print(f"{args.target}: largest difference {worst:.1e}")
    if worst > TOLERANCE:
        raise SystemExit(f"the difference is larger than {TOLERANCE}")


if __name__ == "__main__":
    main()
