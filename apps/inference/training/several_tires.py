"""Compares treads that stand alone with treads beside other tires on the same axle: exact counts, and grooves that lie on no drawn one.

The rows are written by tools/evaluate-renders.ts with --rows, for a folder of write_renders.py with --first and --pairs 0."""

import argparse
import json
from pathlib import Path

from tread.draw import draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows")
    parser.add_argument("--first", type=int, required=True, help="the seed of the first render")
    args = parser.parse_args()
    rows = [json.loads(line) for line in Path(args.rows).read_text().splitlines()]
    treads = [row for row in rows if row["drawn"]["tread"] == "yes" and "pair" not in row["drawn"]]
    print("| | treads | refused | count exact | treads with a groove on no drawn one | such grooves |\n|---|--:|--:|--:|--:|--:|")
    for name, several in (("alone", False), ("beside other tires", True)):
        some = [row for row in treads if (draw(args.first + int(Path(row["file"]).stem), "held-out")["rack"] > 0) == several]
        found = [(row, [g["number"] for g in row["measured"]["grooves"]]) for row in some if row["measured"]]
        exact = sum(sorted(numbers) == sorted(g["number"] for g in row["drawn"]["grooves"]) for row, numbers in found)
        stray = [numbers.count(0) for _, numbers in found]

        def share(count: int, of: int) -> str:
            return f"{count} ({100 * count / max(1, of):.1f} %)"

        print(
            f"| {name} | {len(some)} | {share(len(some) - len(found), len(some))} | {share(exact, len(found))} "
            f"| {share(sum(n > 0 for n in stray), len(found))} | {sum(stray)} |"
        )


if __name__ == "__main__":
    main()
