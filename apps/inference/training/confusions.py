"""Counts how the recognizer reads each character of a size on held-out rendered lines, and which true characters it reads as letters."""

import argparse
import collections
import difflib
from collections.abc import Iterator, Sequence

import torch

from sidewall.loop import MODEL
from sidewall.onnx_network import OnnxNetwork
from sidewall.reader_data import SIZE, Alphabet, held_out_lines, tensor_of

LEAST = 4  # fewer counts are not printed


def replaced(meant: str, read: str) -> Iterator[tuple[int, str]]:
    """Pairs of an index in `meant` and the character read there, '' for a missed one. It skips replacements of different length."""
    for kind, a, b, c, d in difflib.SequenceMatcher(None, meant, read, autojunk=False).get_opcodes():
        if kind == "equal" or kind == "replace" and b - a == d - c:
            yield from zip(range(a, b), read[c:d])
        elif kind == "delete":
            yield from ((place, "") for place in range(a, b))


def shares(counter: collections.Counter[str], left_out: Sequence[str]) -> str:
    """Shares of a thousand, most frequent first."""
    total = max(1, sum(counter.values()))
    return ", ".join(f"{c or 'nothing'} {1000 * n / total:.1f}" for c, n in counter.most_common() if c not in left_out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", required=True)
    parser.add_argument("--recognizer", default=str(MODEL / "recognizer.onnx"))
    parser.add_argument("--keys", default=str(MODEL / "keys.txt"))
    parser.add_argument("--lines", type=int, default=2000)
    args = parser.parse_args()
    torch.set_num_threads(1)
    network, alphabet = OnnxNetwork(args.recognizer), Alphabet(args.keys)
    counts = collections.defaultdict(collections.Counter)
    with torch.no_grad():
        for group in held_out_lines(args.fonts, args.lines).values():
            for first in range(0, len(group), 16):
                part = [line for line in group[first : first + 16] if line[2]]
                if not part:
                    continue
                for row, (_, text, _) in zip(network(tensor_of([p for p, _, _ in part])), part):
                    meant = text.replace(" ", "")
                    size = SIZE.search(meant)
                    for place, read in replaced(meant, alphabet.greedy(row).replace(" ", "")):
                        if size and size.start() <= place < size.end():
                            counts[meant[place]][read] += 1
    print("| stands there | places | read right | taken for (of 1,000 places) |\n|---|--:|--:|---|")
    for meant in "/0123456789R":
        of, total = counts[meant], sum(counts[meant].values())
        print(f"| `{meant}` | {total} | {100 * of[meant] / max(1, total):.1f} % | {shares(of, [meant])} |")
    print("\n| read there | places | stands there (of 1,000 places) |\n|---|--:|---|")
    behind = collections.defaultdict(collections.Counter)
    for meant, of in counts.items():
        for read, n in of.items():
            behind[read][meant] += n
    for read, of in sorted(behind.items(), key=lambda item: -sum(item[1].values())):
        if not read.isdigit() and read not in "/R" and sum(of.values()) >= LEAST:
            print(f"| `{read}` | {sum(of.values())} | {shares(of, [])} |")


if __name__ == "__main__":
    main()
