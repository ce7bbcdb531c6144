"""What every peer does with a photograph: decode, resize, normalize, run.

The plan (PEER_PLAN, JSON) names, for each operation, the runs of the networks that the worker needs for the same photograph, with their
shapes. Nothing between the runs and nothing after them is done here: no search for a wheel or for text, no post-processing.
"""

import asyncio
import io
import json
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnxruntime
from PIL import Image

THREADS = int(os.environ["PEER_THREADS"])
PORT = int(os.environ["PEER_PORT"])
OPERATIONS = ("tire.tread", "tire.sidewall")


class Photographs:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS)
        with open(os.environ["PEER_PLAN"], encoding="utf8") as file:
            self._plan = json.load(file)
        # One thread for each run, and as many runs at once as there are cores: with the defaults, runs at the same time slow each other down.
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        files = {run["file"] for plan in self._plan.values() for run in plan["runs"]}
        self._sessions = {file: onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"]) for file in files}
        self._scales = {}
        for plan in self._plan.values():
            for run in plan["runs"]:
                std = np.asarray(run["std"], dtype=np.float32)
                self._scales[run["file"]] = (1 / (255 * std), np.asarray(run["mean"], dtype=np.float32) / std)
        for operation, plan in self._plan.items():
            with open(plan["photograph"], "rb") as file:
                self.measure(operation, file.read())

    def measure(self, operation: str, photograph: bytes) -> dict[str, float]:
        """The largest value of each output of the first run, which proves that the network saw the photograph."""
        plan = self._plan[operation]
        image = Image.open(io.BytesIO(photograph))
        image.thumbnail((plan["longSidePx"], plan["longSidePx"]))
        image = image.convert("RGB")
        first: dict[str, float] = {}
        for run in plan["runs"]:
            outputs = self._run(image, run, plan["resizes"])
            first = first or {name: float(values.max()) for name, values in outputs.items()}
        return {"runs": len(plan["runs"]), **first}

    async def measured(self, operation: str, photograph: bytes) -> dict[str, float]:
        """The same in a thread, for a server with an event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self.measure, operation, photograph)

    def _run(self, image: Image.Image, run: dict, resizes: bool) -> dict[str, np.ndarray]:
        width, height = run["width"], run["height"]
        part = image.resize((width, height)) if resizes else image.crop((0, 0, width, height))
        scale, shift = self._scales[run["file"]]
        pixels = np.asarray(part, dtype=np.float32) * scale - shift
        tensor = np.ascontiguousarray(pixels.transpose(2, 0, 1))[None]
        tensor = np.repeat(tensor, run["batch"], axis=0) if run["batch"] > 1 else tensor
        session = self._sessions[run["file"]]
        names = [output.name for output in session.get_outputs()]
        return dict(zip(names, session.run(names, {session.get_inputs()[0].name: tensor})))
