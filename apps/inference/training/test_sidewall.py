"""SIDEWALL_FONTS=FOLDER python -m unittest test_sidewall: tests of the sidewall trainings."""

import os
import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper

from sidewall.finder_data import MAPS, batch_of, widened
from sidewall.letters import draw_style, mask_of
from sidewall.line import HEIGHT_PX, STEP_PX, render_line
from sidewall.loop import MODEL
from sidewall.onnx_network import OnnxNetwork
from sidewall.photo import local_contrast
from sidewall.reader_data import SIZE, Alphabet, loss_of
from sidewall.strip import SIZE as SIZE_MAP
from sidewall.strip import TEXT, render_strip
from sidewall.texts import SIZES, line_text

FONTS = os.environ.get("SIDEWALL_FONTS", "tmp/fonts")


class Renderer(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        torch.set_num_threads(1)
        cv2.setNumThreads(1)

    def test_a_seed_is_one_picture(self) -> None:
        for make in (render_line, render_strip):
            first, second, other = make(5, FONTS)[0], make(5, FONTS)[0], make(6, FONTS)[0]
            self.assertTrue(np.array_equal(first, second))
            self.assertFalse(first.shape == other.shape and np.array_equal(first, other))
            self.assertFalse(np.array_equal(first, make(5, FONTS, held_out=True)[0]))

    def test_lines_fit_the_recognizer_and_its_alphabet(self) -> None:
        alphabet = Alphabet(MODEL / "keys.txt")
        for seed in range(40):
            image, text, _ = render_line(seed, FONTS)
            self.assertEqual(image.shape[0], HEIGHT_PX)
            self.assertEqual(image.shape[1] % STEP_PX, 0)
            self.assertLessEqual(2 * len(alphabet.encode(text)), image.shape[1] // 4)

    def test_a_line_said_to_have_a_size_has_one_of_the_table(self) -> None:
        table = {size[:3] for size in SIZES}
        rng, seen = np.random.default_rng(1), 0
        for _ in range(500):
            text, is_size = line_text(rng)
            found = SIZE.search(text.replace(" ", ""))
            if is_size and found:
                self.assertIn(tuple(int(v) for v in found.groups()), table)
                seen += 1
        self.assertGreater(seen, 200)

    def test_letters_keep_their_height_however_they_are_stretched(self) -> None:
        rng = np.random.default_rng(3)
        for _ in range(10):
            style = {**draw_style(rng, FONTS), "small_rest": False}
            rows = np.flatnonzero(mask_of("000", style, 40).max(1) > 0.5)
            self.assertLessEqual(abs(rows[-1] - rows[0] + 1 - 40), 3)

    def test_sizes_are_texts(self) -> None:
        _, maps = batch_of(range(6), FONTS, 320)
        self.assertGreater(float(maps[:, SIZE_MAP].sum()), 0)
        self.assertGreaterEqual(float((maps[:, TEXT] - maps[:, SIZE_MAP]).min()), -1e-6)

    def test_local_contrast_is_centred(self) -> None:
        flat = local_contrast(np.full((48, 96), 90, np.uint8), 9)
        self.assertTrue(bool((np.abs(flat.astype(int) - 128) <= 1).all()))


class Networks(unittest.TestCase):
    def test_a_written_graph_gives_what_the_module_gives(self) -> None:
        network = OnnxNetwork(MODEL / "recognizer.onnx")
        with torch.no_grad():
            for parameter in network.parameters():
                parameter.mul_(1.01)
        image = torch.rand(1, 3, 48, 96)
        with tempfile.TemporaryDirectory() as folder:
            network.save(f"{folder}/again.onnx")
            again = OnnxNetwork(f"{folder}/again.onnx")
            with torch.no_grad():
                self.assertLess(float((network(image) - again(image)).abs().max()), 1e-4)

    def test_a_detector_of_one_map_gets_two_more_that_begin_as_the_first(self) -> None:
        model = onnx.load(MODEL / "detector.onnx")
        for node in model.graph.node:
            if node.op_type == "Constant" and node.attribute[0].t.dims[1:2] == [MAPS] and node.attribute[0].t.dims[0] in (1, 24):
                constant = node.attribute[0].t
                constant.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(constant)[:, :1]))
        with tempfile.TemporaryDirectory() as folder:
            onnx.save(model, f"{folder}/narrow.onnx")
            widened(f"{folder}/narrow.onnx", Path(folder) / "wide.onnx")
            with torch.no_grad():
                maps = OnnxNetwork(f"{folder}/wide.onnx")(torch.rand(1, 3, 64, 96))
        self.assertEqual(maps.shape, (1, MAPS, 64, 96))
        self.assertLess(float((maps[:, 0] - maps[:, 2]).abs().max()), 1e-4)

    def test_a_detector_of_all_maps_is_gone_on_with_as_it_is(self) -> None:
        image = torch.rand(1, 3, 64, 96)
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            widened(MODEL / "detector.onnx", Path(folder) / "wide.onnx")
            same = OnnxNetwork(f"{folder}/wide.onnx")(image)
            self.assertTrue(torch.equal(same, OnnxNetwork(MODEL / "detector.onnx")(image)))

    def test_one_step_teaches_the_recognizer_a_line(self) -> None:
        network, alphabet = OnnxNetwork(MODEL / "recognizer.onnx"), Alphabet(MODEL / "keys.txt")
        images, texts = zip(*[render_line(2, FONTS)[:2]])
        before = loss_of(network, alphabet, images, texts)
        before.backward()
        taught = [p for p in network.parameters() if p.grad is not None]
        length = torch.sqrt(sum((p.grad**2).sum() for p in taught))
        with torch.no_grad():
            for parameter in taught:
                parameter -= 1e-3 * parameter.grad / length
            after = loss_of(network, alphabet, images, texts)
        self.assertLess(float(after), float(before.detach()))


if __name__ == "__main__":
    unittest.main()
