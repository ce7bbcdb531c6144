"""Writes the averaged networks of the sidewall trainings as ONNX and checks each against PyTorch."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from sidewall import finder_data, reader_data
from sidewall.line import render_line
from sidewall.loop import MODEL
from sidewall.onnx_network import OnnxNetwork

TOLERANCE = 1e-3


def averaged(network: OnnxNetwork, folder: Path, share: float) -> OnnxNetwork:
    """Returns the trained weights, or an interpolation between the start (share 0) and them (share 1), as in WiSE-FT."""
    state, begun = torch.load(folder / "latest.pt", map_location="cpu"), network.state_dict()
    network.load_state_dict({k: torch.lerp(begun[k], v, share) if v.dtype.is_floating_point else v for k, v in state["average"].items()})
    print(f"{folder.name}: step {state['step']}")
    return network.eval()


def check(path: Path, name: str, network: OnnxNetwork, images: Sequence[torch.Tensor], activation: Callable[[torch.Tensor], torch.Tensor]) -> None:
    session, worst = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]), 0.0
    for image in images:
        with torch.no_grad():
            expected = activation(network(image)).numpy()
        worst = max(worst, float(np.abs(session.run(None, {name: image.contiguous().numpy()})[0] - expected).max()))
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, largest difference from PyTorch {worst:.2e}")
    if worst > TOLERANCE:
        raise SystemExit(f"the difference is larger than {TOLERANCE}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True, help="folder with the subfolders reader, finder, or both")
    parser.add_argument("--fonts", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--start", default=str(MODEL / "recognizer.onnx"), help="the recognizer at the start of the training")
    parser.add_argument("--reader-share", type=float, default=1.0, help="interpolation from the start of the training (0) to its end (1)")
    parser.add_argument("--finder-share", type=float, default=1.0)
    args = parser.parse_args()
    state, out = Path(args.state), Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    if not any((state / name).exists() for name in ("reader", "finder")):
        raise SystemExit(f"neither reader nor finder in {state}")

    if (state / "reader").exists():
        reader = averaged(OnnxNetwork(args.start), state / "reader", args.reader_share)
        reader.save(out / "recognizer.onnx")
        lines = [reader_data.tensor_of([render_line(s, args.fonts, held_out=True)[0]]) for s in range(4)]
        check(out / "recognizer.onnx", reader.input, reader, lines, lambda x: torch.softmax(x, -1))
    if (state / "finder").exists():
        finder = averaged(OnnxNetwork(state / "finder" / "start.onnx"), state / "finder", args.finder_share)
        finder.save(out / "detector.onnx")
        strips = [finder_data.batch_of([s], args.fonts, 320 + 64 * s, held_out=True)[0] for s in range(3)]
        check(out / "detector.onnx", finder.input, finder, strips, torch.sigmoid)


if __name__ == "__main__":
    main()
