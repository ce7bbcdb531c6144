"""Training loop of both sidewall networks: arguments, checkpoints, averaged weights, log."""

import argparse
import copy
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import torch


class Source(Protocol):
    """Draws batches of the images that follow `seed`."""

    seed: int

    def loss(self, network: torch.nn.Module) -> torch.Tensor: ...


MODEL = Path(__file__).parents[2] / "models" / "sidewall"


def parser(description: str, steps: int, batch: int, rate: float, held_out: int) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--state", required=True, help="folder of checkpoints and log.jsonl")
    made.add_argument("--fonts", required=True, help="folder with the npm packages of sidewall/fonts.txt")
    made.add_argument("--steps", type=int, default=steps)
    made.add_argument("--cooldown", type=float, default=0.5, help="share of the steps at the end over which the learning rate falls to zero")
    made.add_argument("--batch", type=int, default=batch)
    made.add_argument("--rate", type=float, default=rate)
    made.add_argument("--seed", type=int, default=0, help="seed of the first image")
    made.add_argument("--threads", type=int, default=1)
    made.add_argument("--checkpoint-minutes", type=float, default=3)
    made.add_argument("--held-out-minutes", type=float, default=12)
    made.add_argument("--held-out", type=int, default=held_out)
    return made


def prepare(args: argparse.Namespace) -> Path:
    """Sets seeds and threads; returns the folder of the training's state."""
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    folder = Path(args.state)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def rate_at(step: int, args: argparse.Namespace) -> float:
    left = (args.steps - step) / max(1, args.steps * args.cooldown)
    return args.rate * min(1.0, (step + 1) / 100) * max(0.002, min(1.0, left))


def follow(average: torch.nn.Module, network: torch.nn.Module, step: int) -> None:
    keep = min(0.998, (step + 1) / (step + 10))
    with torch.no_grad():
        for a, b in zip(average.state_dict().values(), network.state_dict().values()):
            if a.dtype.is_floating_point:
                a.lerp_(b, 1 - keep)


def save(path: Path, **state: object) -> None:
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


class Log:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.forget()

    def forget(self) -> None:
        self.total, self.count, self.since = 0.0, 0, time.time()

    def add(self, loss: float) -> None:
        self.total, self.count = self.total + loss, self.count + 1

    def losses(self, step: int) -> None:
        self.line(step, loss=round(self.total / self.count, 4), seconds_a_step=round((time.time() - self.since) / self.count, 3))
        self.forget()

    def line(self, step: int, **figures: object) -> None:
        with open(self.path, "a") as file:
            print(json.dumps({"step": step, **figures}), file=file)


def train(args: argparse.Namespace, network: torch.nn.Module, source: Source, check: Callable[[torch.nn.Module], object]) -> None:
    """Trains until `args.steps`, from the latest checkpoint if there is one. `check(network)` measures on held-out images."""
    folder = Path(args.state)
    average = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), args.rate, weight_decay=0.01)
    step, latest = 0, folder / "latest.pt"
    if latest.exists():
        state = torch.load(latest)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        step, source.seed = state["step"], state["seed"]
    log = Log(folder / "log.jsonl")
    log.line(step, held_out=check(average))
    saved = measured = time.time()
    network.train()
    while step < args.steps:
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, args)
        loss = source.loss(network)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimizer.step()
        follow(average, network, step)
        step += 1
        log.add(float(loss.detach()))
        if step % 25 == 0:
            log.losses(step)
        ending = step == args.steps
        if ending or time.time() - saved > args.checkpoint_minutes * 60:
            parts = {"network": network.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict()}
            save(latest, **parts, step=step, seed=source.seed)
            saved = time.time()
        if ending or time.time() - measured > args.held_out_minutes * 60:
            log.line(step, held_out=check(average))
            measured = time.time()
