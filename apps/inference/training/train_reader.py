"""Trains the sidewall's recognizer on rendered lines, starting from PP-OCRv4's weights. With the same --state it continues."""

from sidewall.loop import MODEL, parser, prepare, train
from sidewall.onnx_network import OnnxNetwork
from sidewall.reader_data import Alphabet, Lines, WrittenLines, held_out_lines, summary


def main() -> None:
    options = parser(__doc__, steps=40000, batch=12, rate=4e-4, held_out=600)
    options.add_argument("--start", default=str(MODEL / "recognizer.onnx"))
    options.add_argument("--keys", default=str(MODEL / "keys.txt"))
    options.add_argument("--wheel-lines", help="folder that tools/write-wheel-lines.ts wrote; half of the images come from it")
    args = options.parse_args()
    prepare(args)
    alphabet = Alphabet(args.keys)
    checks = held_out_lines(args.fonts, args.held_out)
    written = WrittenLines(args.wheel_lines) if args.wheel_lines else None
    source = Lines(args.fonts, alphabet, args.batch, args.seed, written)
    train(args, OnnxNetwork(args.start), source, lambda network: summary(network, alphabet, checks))


if __name__ == "__main__":
    main()
