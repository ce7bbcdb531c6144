"""Trains the network that finds sidewall and rim on rendered wheels; run again with the same --state, it goes on."""

from sidewall.loop import parser, prepare, train
from sidewall.ring_network import RingNetwork, Wheels, batch_of, overlap


def main():
    args = parser(__doc__, steps=12000, batch=8, rate=2e-3, held_out=120).parse_args()
    prepare(args)
    checks = batch_of(range(args.held_out), args.fonts, held_out=True)
    train(args, RingNetwork(), Wheels(args.fonts, args.batch, args.seed), lambda network: overlap(network, *checks))


if __name__ == "__main__":
    main()
