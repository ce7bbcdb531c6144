import unittest

import numpy as np

from interval_coverage import fitted, grooves_of, holds, raised, scaled, table, unscaled, upper


def row(true_mm: float, interval: tuple[float, float], **drawn: object) -> dict:
    groove = {"number": 1, "depthMm": sum(interval) / 2, "intervalMm": interval}
    return {
        "drawn": {"tread": "yes", "family": 0, "grooves": [{"number": 1, "depthMm": true_mm}], **drawn},
        "measured": {"confidence": 0.5, "grooves": [groove]},
    }


class CoverageTest(unittest.TestCase):
    def test_counts_measured_grooves_of_treads(self) -> None:
        on_none = row(3, (2, 4))
        on_none["measured"]["grooves"][0]["number"] = 0
        refused = {**row(3, (2, 4)), "measured": None}
        g = grooves_of([row(3, (2, 4)), on_none, refused, row(3, (2, 4), tread="no"), row(3, (2, 4), pair={"id": 1, "extraMm": 0})])
        self.assertEqual(g["truth"].tolist(), [3])

    def test_scales_like_production(self) -> None:
        g = grooves_of([row(3, (2, 4)), row(0.2, (0.1, 0.5))])
        low, high = scaled(g, 0.5, 2, 0.1, 0)
        np.testing.assert_allclose(low, [2.4, 0.1])
        np.testing.assert_allclose(high, [5.1, 0.8])
        low, high = scaled(g, 1, 1, 0, 0.75)
        np.testing.assert_allclose((low[0], high[0]), (1.5, 4.5))
        low, high = scaled(g, 1, 1, 0, 0, 2.5, 0.8)
        np.testing.assert_allclose((low[0], high[0], high[1]), (2, 4.4, 0.5))

    def test_fits_an_interval_that_is_too_wide_or_too_narrow(self) -> None:
        rng = np.random.default_rng(1)
        for half in (0.6, 2.4):  # of errors of 0.7 mm, nine of ten are below 1.15 mm
            truth = rng.uniform(3, 7, 2000)
            depth = truth + rng.normal(0, 0.7, 2000)
            g = grooves_of([row(t, (d - half, d + half)) for t, d in zip(truth, depth)])
            low, high = scaled(g, *fitted(g))
            self.assertTrue(0.895 <= holds(g, low, high).mean() <= 0.92)

    def test_raises_the_upper_end_of_deep_grooves_whose_depth_is_too_low(self) -> None:
        rng = np.random.default_rng(1)
        truth = rng.uniform(3, 9, 3000)
        depth = np.minimum(truth, 6.5) + rng.normal(0, 0.2, 3000)
        g = grooves_of([row(t, (d - 0.33, d + 0.33)) for t, d in zip(truth, depth)])
        low, high = scaled(g, *raised(g, 1, 1, 0, 0))
        self.assertTrue(holds(g, low, high)[truth >= 8].mean() >= 0.85)

    def test_undoes_the_numbers_of_a_manifest(self) -> None:
        numbers = (0.95, 0.8, 0.05, 0.6, 4.75, 0.8)
        g = grooves_of([row(3, (2, 4)), row(6, (4, 7.5))])
        low, high = scaled(g, *numbers)
        self.assertFalse(np.allclose(high, g["high"]))
        back = unscaled({**g, "low": low, "high": high}, numbers)
        np.testing.assert_allclose((back["low"], back["high"]), (g["low"], g["high"]))

    def test_fits_the_upper_end_alone(self) -> None:
        rng = np.random.default_rng(1)
        truth = rng.uniform(3, 9, 2000)
        depth = np.minimum(truth, 6.5) + rng.normal(0, 0.65, 2000)
        g = grooves_of([row(t, (d - 1.5, d + 1.5)) for t, d in zip(truth, depth)])
        numbers = upper(g, (0.9, 1, 0.05, 0, 4.75, 0.8))
        low, high = scaled(g, *numbers)
        held = holds(g, low, high)
        self.assertEqual((numbers[0], numbers[2], numbers[3]), (0.9, 0.05, 0))
        self.assertTrue(0.885 <= held.mean() <= 0.915 and held[truth >= 8].mean() >= 0.85)

    def test_shows_a_table(self) -> None:
        g = grooves_of([row(3, (2, 4)), row(3.5, (2, 3))])
        lines = table(g, g["low"], g["high"]).splitlines()
        self.assertIn("| all | 2 | 50.0 % | 1.5 | -0.5 |", lines)
        self.assertIn("| 3 to 4 mm | 2 | 50.0 % | 1.5 | -0.5 |", lines)
        self.assertIn("| winter | 0 | - | - | - |", lines)


if __name__ == "__main__":
    unittest.main()
