"""What the recognizer takes for each digit and the stroke, counted on rendered lines that hold a size and that training never drew."""

import argparse
import collections
import difflib

import torch

from sidewall.loop import MODEL
from sidewall.onnx_network import OnnxNetwork
from sidewall.reader_data import Alphabet, held_out_lines, tensor_of


def replaced(meant, read):
    """Pairs of a character and what was read for it, '' where nothing was; of stretches of one length only, so that each pair is a place."""
    for kind, a, b, c, d in difflib.SequenceMatcher(None, meant, read, autojunk=False).get_opcodes():
        if kind == "equal" or kind == "replace" and b - a == d - c:
            yield from zip(meant[a:b], read[c:d])
        elif kind == "delete":
            yield from ((character, "") for character in meant[a:b])


def main():
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
                    for meant, read in replaced(text.replace(" ", ""), alphabet.greedy(row).replace(" ", "")):
                        counts[meant][read] += 1
    print("| stands there | places | read right | taken for (of 1,000 places) |\n|---|--:|--:|---|")
    for meant in "/0123456789R":
        of, total = counts[meant], sum(counts[meant].values())
        others = [f"{read or 'nothing'} {1000 * n / total:.1f}" for read, n in of.most_common() if read != meant][:6]
        print(f"| `{meant}` | {total} | {100 * of[meant] / max(1, total):.1f} % | {', '.join(others)} |")


if __name__ == "__main__":
    main()
