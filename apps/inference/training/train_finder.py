"""Trains the sidewall's text detector on rendered strips, starting from PP-OCRv4's weights. With the same --state it continues."""

from sidewall.finder_data import Strips, batch_of, summary, widened
from sidewall.loop import MODEL, parser, prepare, train
from sidewall.onnx_network import OnnxNetwork


def main() -> None:
    options = parser(__doc__, steps=12000, batch=4, rate=5e-4, held_out=80)
    options.add_argument("--start", default=str(MODEL / "detector.onnx"), help="a detector with one map or with all three")
    options.add_argument("--columns", type=int, default=640)
    args = options.parse_args()
    start = prepare(args) / "start.onnx"
    if not start.exists():
        widened(args.start, start)
    checks = batch_of(range(args.held_out), args.fonts, args.columns, held_out=True)
    source = Strips(args.fonts, args.columns, args.batch, args.seed)
    train(args, OnnxNetwork(start), source, lambda network: summary(network, *checks))


if __name__ == "__main__":
    main()
