import unittest

import numpy as np

from groove_differences import MeasuredImage, evenness, images_of, is_even, table, within


def image(truth: list[float], depth: list[float], half: float) -> MeasuredImage:
    at = np.array(depth)
    return MeasuredImage(np.array(truth), at, at - half, at + half)


class DifferencesTest(unittest.TestCase):
    def test_takes_the_root_of_the_sum_of_the_squares(self) -> None:
        d = within([image([3, 2, 4], [3, 3, 3], 0.5)])
        self.assertEqual(d.true.tolist(), [1, -1, -2])
        np.testing.assert_allclose(d.above, 0.7071, atol=1e-4)
        self.assertIn("| one photograph, all | 3 | 0.0 % | 0.71 | 1.80 |", table("one photograph", d))

    def test_calls_a_tread_even_where_no_two_grooves_leave_room_for_a_millimetre(self) -> None:
        self.assertTrue(is_even(image([3, 3, 3], [3, 3, 3.2], 0.5), 1))
        self.assertFalse(is_even(image([3, 3, 3], [3, 3, 3.3], 0.5), 1))
        self.assertTrue(is_even(image([3, 3, 3], [3, 3, 3.3], 0.5), 0.9))
        self.assertFalse(is_even(image([3, 3], [3, 3], 0.1), 1))

    def test_counts_treads_that_are_called_even_and_are_not(self) -> None:
        lines = evenness([image([3, 3, 3], [3, 3, 3], 0.5), image([2, 3, 3.5], [3, 3, 3], 0.5)])
        self.assertTrue(lines[0].startswith("2 treads of 3 grooves or more; 1 are 1.0 mm apart or more, 0 were measured so."))
        self.assertIn("| 1.0 | 2 | 1 (50.0 %) |", lines)

    def test_applies_the_numbers_of_a_manifest(self) -> None:
        row = {
            "drawn": {"tread": "yes", "family": 0, "grooves": [{"number": 1, "depthMm": 3}]},
            "measured": {"confidence": 0.5, "grooves": [{"number": 1, "depthMm": 3, "intervalMm": [2, 5]}]},
        }
        (found,) = images_of([row, {**row, "measured": None}], (0.5, 1, 0, 0, 0, 0))
        self.assertEqual((found.low.tolist(), found.high.tolist()), ([2.5], [5]))


if __name__ == "__main__":
    unittest.main()
