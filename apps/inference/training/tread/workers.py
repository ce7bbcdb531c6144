"""Renders in processes of their own, one render per CPU, while a GPU trains. The renders arrive in shared memory."""

from __future__ import annotations

import mmap
import multiprocessing
from collections.abc import Iterator
from multiprocessing.queues import SimpleQueue
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from .cache import NUMBERS, packed
from .native import built
from .render import render

MAPS = {"image": 3, "number": 1, "depth": 1, "lateral": 1}  # bytes of a pixel
WIDTHS = {name: 2 if name == "quality" else 1 for name in NUMBERS}
WHOLE = ("side", "is_tread")
SLOTS_EACH = 3


class Job(NamedTuple):
    slot: int
    first: int
    split: str


def _bytes(size: int, chunk: int) -> int:
    return chunk * (size * size * sum(MAPS.values()) + 4 * sum(WIDTHS.values()))


def _views(memory: mmap.mmap, slot: int, size: int, chunk: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    at, maps = slot * _bytes(size, chunk), {}
    for name, planes in MAPS.items():
        shape = (chunk, planes, size, size) if planes > 1 else (chunk, size, size)
        kind = np.int8 if name == "lateral" else np.uint8
        maps[name] = np.frombuffer(memory, kind, int(np.prod(shape)), at).reshape(shape)
        at += maps[name].nbytes
    return maps, np.frombuffer(memory, np.float32, chunk * sum(WIDTHS.values()), at).reshape(chunk, -1)


def _work(memory: mmap.mmap, jobs: SimpleQueue, done: SimpleQueue, size: int, chunk: int, detail: float) -> None:
    torch.set_num_threads(1)
    while (job := jobs.get()) is not None:
        fresh = packed(render(list(range(job.first, job.first + chunk)), size, job.split, "cpu", detail))
        maps, numbers = _views(memory, job.slot, size, chunk)
        for name, view in maps.items():
            view[:] = fresh[name].numpy()
        numbers[:] = torch.cat([fresh[name].float().reshape(chunk, -1) for name in NUMBERS], 1).numpy()
        done.put(job)


class Workers:
    """Must be made before CUDA is used: the processes are forks of this one."""

    def __init__(self, count: int, size: int, chunk: int = 8, detail: float = 1.2) -> None:
        built()
        context = multiprocessing.get_context("fork")
        self.size, self.chunk, self.slots = size, chunk, count * SLOTS_EACH
        self.memory = mmap.mmap(-1, self.slots * _bytes(size, chunk))
        self.jobs, self.done = context.SimpleQueue(), context.SimpleQueue()
        self.processes = [
            context.Process(target=_work, args=(self.memory, self.jobs, self.done, size, chunk, detail), daemon=True) for _ in range(count)
        ]
        for process in self.processes:
            process.start()

    def ask(self, job: Job) -> None:
        self.jobs.put(job)

    def ready(self, most: int) -> Iterator[tuple[Job, dict[str, Tensor]]]:
        """Yields at most `most` finished jobs and their renders, as views of the slot. The slot may be asked for again after that."""
        for _ in range(most):
            if self.done.empty():
                return
            job = self.done.get()
            maps, numbers = _views(self.memory, job.slot, self.size, self.chunk)
            out = {name: torch.from_numpy(view) for name, view in maps.items()}
            parts = torch.from_numpy(numbers).split(list(WIDTHS.values()), 1)
            for name, part in zip(NUMBERS, parts):
                value = part if WIDTHS[name] > 1 else part[:, 0]
                out[name] = value.long() if name in WHOLE else value
            yield job, out

    def end(self) -> None:
        for process in self.processes:
            process.terminate()
