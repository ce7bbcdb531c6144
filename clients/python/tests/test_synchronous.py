from __future__ import annotations

import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "synchronous.py"


class SynchronousClient(unittest.TestCase):
    # The published package has the tests and not the script.
    @unittest.skipUnless(SCRIPT.exists(), "the script is not in the package")
    def test_follows_from_the_asynchronous_one(self) -> None:
        subprocess.run([sys.executable, str(SCRIPT), "--check"], check=True)


if __name__ == "__main__":
    unittest.main()
