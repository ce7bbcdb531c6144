"""The gradients of a step, computed in the fastest way that works on this device.

`eager` always works. `recorded` replays forward pass, losses and backward pass as one CUDA graph, which saves the time of thousands of launches."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from .losses import losses
from .network import TreadNetwork

WAYS = ("eager", "recorded")
MOST_NORM = 2.0
WARM_UPS = 3

Batch = dict[str, Tensor]


class Gradients:
    """Writes the gradients of a batch into the parameters, and returns the parts of the loss and the norm as one tensor (`names`)."""

    names: list[str]

    def __init__(self, network: TreadNetwork) -> None:
        self.network, self.names = network, []
        self.parameters = list(network.parameters())
        for p in self.parameters:
            p.grad = torch.zeros_like(p)
        self.way = "eager"
        self.graphs: dict[str, tuple[torch.cuda.CUDAGraph, Batch, Tensor]] = {}

    def _computed(self, batch: Batch) -> Tensor:
        with torch.autocast("cuda", torch.bfloat16, enabled=batch["image"].is_cuda):
            maps, numbers = self.network(batch["image"])
        total, parts = losses(maps, numbers, batch)
        gradients = torch.autograd.grad(total, self.parameters)
        torch._foreach_copy_([p.grad for p in self.parameters], gradients)
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, MOST_NORM)
        self.names = [*parts, "norm"]
        return torch.stack([v.detach() for v in (*parts.values(), norm)])

    def _record(self, kind: str, batch: Batch) -> None:
        held = {k: v.clone() for k, v in batch.items()}
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(WARM_UPS):
                self._computed(held)
        torch.cuda.current_stream().wait_stream(aside)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        shared = next((g.pool() for g, _, _ in self.graphs.values()), None)
        with torch.cuda.graph(graph, pool=shared):
            values = self._computed(held)
        self.graphs[kind] = (graph, held, values)

    def __call__(self, kind: str, batch: Batch) -> Tensor:
        if self.way == "eager":
            return self._computed(batch)
        if kind not in self.graphs:
            self._record(kind, batch)
        graph, held, values = self.graphs[kind]
        for name, value in batch.items():
            held[name].copy_(value)
        graph.replay()
        return values.clone()

    def use(self, way: str) -> None:
        self.graphs.clear()
        if self.parameters[0].is_cuda:
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
        self.way = way

    def choose(self, timed: Callable[[], float], ways: Sequence[str]) -> dict[str, float | str]:
        """Uses the fastest of the ways. `timed` returns the milliseconds of some steps."""
        if not self.parameters[0].is_cuda:
            ways = WAYS[:1]
        taken: dict[str, float | str] = {}
        for way in ways:
            try:
                self.use(way)
                taken[way] = timed()
            except Exception as fault:  # the training goes on without this way
                taken[way] = f"{type(fault).__name__}: {fault}"[:600]
        works = {way: ms for way, ms in taken.items() if isinstance(ms, float)}
        best = min(works, key=lambda way: works[way])
        if best != ways[-1]:
            self.use(best)
        return taken
