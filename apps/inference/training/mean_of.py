"""Averages the weights of an exported network and of a training that started from it.

This helps if the training saw too few images to be shipped by itself."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import torch
from torch import Tensor, nn

from train import NORM_BATCHES, Source, save
from tread.augment import augmented
from tread.network import TreadNetwork
from tread.shipped import averaged, spread_norms, start_from


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="exported network that the training started from")
    parser.add_argument("--state", required=True, help="folder of the training")
    parser.add_argument("--out", required=True, help="folder of the averaged network, for export.py and evaluate.py")
    parser.add_argument("--cache", required=True, help="as in train.py")
    parser.add_argument("--others", help="as in train.py")
    parser.add_argument("--share", type=float, default=0.5, help="weight of the training in the average")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--part", type=int, default=192)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.device = "cpu"
    source, generator = Source(args), torch.Generator().manual_seed(args.seed)

    def seen() -> Iterator[Tensor]:
        return (augmented(source.batch(step), generator, args.part)["image"] for step in range(NORM_BATCHES))

    network = TreadNetwork()
    fresh = set(start_from(network, args.model))
    spread_norms(network, seen())
    trained, step = averaged(args.state)
    before, after = network.state_dict(), trained.state_dict()
    mixed = {
        name: after[name] if name in fresh or not value.dtype.is_floating_point else torch.lerp(value, after[name], args.share)
        for name, value in before.items()
    }
    network.load_state_dict(mixed)
    recounted(network, seen())
    Path(args.out).mkdir(parents=True, exist_ok=True)
    save(Path(args.out, "latest.pt"), network=network.state_dict(), average=network.state_dict(), step=step)


@torch.no_grad()
def recounted(network: TreadNetwork, batches: Iterable[Tensor]) -> None:
    """Computes the normalization statistics of the averaged network; an average of both networks' statistics would be wrong."""
    network.train()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d) and module.training:
            module.reset_running_stats()
            module.momentum = None
    for images in batches:
        network(images)
    network.eval()


if __name__ == "__main__":
    main()
