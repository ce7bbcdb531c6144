"""Trains the tread network on a GPU for a given time. The training images are rendered on the CPUs beside it (--workers), or on the same GPU.

When run again with the same --state, it continues. --start and --model begin a new cycle of the learning rate with the weights of an earlier
training or of an exported network. --piece-minutes ends this run earlier than the whole training, so that a training can go on later or elsewhere.
Half of the steps are whole treads, as in production (448 and 512 px, because depth needs the whole tire), the others parts (256 px, for the walls
of grooves)."""

import argparse
import copy
import io
import json
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from tread.augment import augmented
from tread.cache import joined, unpacked
from tread.judged import joined_rows, judged, lines
from tread.network import TreadNetwork
from tread.pool import Pool
from tread.quick import Checks
from tread.shipped import spread_norms, start_from
from tread.steps import WAYS, Gradients
from tread.workers import Job, Workers

# pixels a side, range of the share of the render's side, share of crops around the tread, multiple of the batch size
LOOKS = {
    "whole": (448, (0.8, 1.12), 0.4, 1.0),
    "large": (512, (0.8, 1.12), 0.4, 0.75),
    "part": (256, (0.4, 0.95), 0.0, 2.0),
}
ORDER = ("whole", "part", "large", "part")
OTHERS_SHARE = 0.12
JUDGED_FIRST, CALIBRATED_FIRST = 100_000, 400_000  # held-out seeds of the figures, and those of the calibration, which nothing else uses
TOGETHER = 48  # renders that are judged at once
NORM_BATCHES = 40  # of --batch renders, from which --model restores the statistics of normalizations; train.py uses as many
TIMED = 4  # steps of each kind, with which the ways are compared


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True, help="folder of checkpoints and log.jsonl")
    parser.add_argument("--encoder", help="weights of the pretrained encoder (Encoder.state_dict())")
    parser.add_argument("--start", help="average.pt of an earlier training, to start from all its weights")
    parser.add_argument("--model", help="exported network to start from, such as ../models/tread/tread.onnx")
    parser.add_argument("--norm-batches", type=int, default=NORM_BATCHES, help="batches of renders for the normalizations of --model")
    parser.add_argument("--workers", type=int, default=0, help="number of processes that render on CPUs; 0 renders on the GPU instead")
    parser.add_argument(
        "--judge",
        type=int,
        default=0,
        help="held-out renders for held-out.jsonl at the end, and as many for calibration.jsonl (needs --workers)",
    )
    parser.add_argument("--judge-seconds", type=float, default=75, help="time before the end when the workers begin with these renders")
    parser.add_argument("--others", help="pickled list of JPEG crops of photographs without a tread")
    parser.add_argument("--minutes", type=float, default=20, help="length of the whole training without its starts, including earlier runs")
    parser.add_argument("--piece-minutes", type=float, help="ends this run after these minutes; the next one with this --state continues")
    parser.add_argument("--batch", type=int, default=32, help="whole treads in a step, or twice as many parts")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--encoder-rate", type=float, default=0.3, help="learning rate of the encoder as a share of --rate")
    parser.add_argument("--warm", type=float, default=0.03, help="share of the time in which the learning rate rises")
    parser.add_argument("--hold", type=float, default=0.35, help="share of the time after which the learning rate decreases")
    parser.add_argument("--render-share", type=float, default=0.33, help="share of the time that is used for rendering")
    parser.add_argument("--pool", type=int, default=24000, help="number of renders in memory")
    parser.add_argument("--first", type=int, default=4000, help="number of renders before the first step")
    parser.add_argument("--chunk", type=int, default=64, help="number of renders that are made at once")
    parser.add_argument("--detail", type=float, default=1.2, help="rays per pixel in each direction")
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--seed", type=int, default=10_000_000)
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS, help="ways to compute a step; the fastest of them is used")
    parser.add_argument("--save-seconds", type=float, default=60)
    parser.add_argument("--check-seconds", type=float, default=150)
    parser.add_argument("--checks", type=int, default=384, help="held-out renders for the figures in the log; 0 for none")
    parser.add_argument("--device", default="cuda")
    return parser.parse_args()


def rate_at(done: float, args: argparse.Namespace) -> float:
    """Returns the learning rate of a single cycle: it rises, stays constant, and then decreases to nearly zero along a cosine."""
    if done < args.warm:
        return args.rate * (0.02 + 0.98 * done / args.warm)
    if done < args.hold:
        return args.rate
    left = min(1.0, (done - args.hold) / (1 - args.hold))
    return args.rate * (0.5 + 0.5 * float(np.cos(np.pi * left))) + 2e-6


def _decoded(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).transpose(2, 0, 1)


class Others:
    """Photographs without a tread and drawn patterns, in the device's memory."""

    def __init__(self, path: str, device: str) -> None:
        with ThreadPoolExecutor() as workers:
            images = list(workers.map(_decoded, pickle.loads(Path(path).read_bytes())))
        self.images, self.device = torch.from_numpy(np.stack(images)).to(device), device
        self.generator = torch.Generator(device).manual_seed(len(images))

    def batch(self, count: int, size: int) -> dict[str, Tensor]:
        rows = torch.randint(len(self.images), (count,), generator=self.generator, device=self.device)
        image = torch.nn.functional.interpolate(self.images[rows].float() / 255, size=(size, size), mode="bilinear")
        nothing, zero = image.new_zeros(count, size, size), image.new_zeros(count)
        flat = nothing.bool()
        return {
            **{"image": image, "number": nothing.to(torch.uint8), "tread": flat, "ignore": flat, "bald": flat},
            **{"depth": nothing, "lateral": nothing, "rotation": zero, "side": zero.long(), "is_tread": zero.long()},
            **{"quality": image.new_full((count, 2), -1.0), "upright_sure": zero, "family": zero - 1, "width_mm": zero},
        }


class Average:
    """Keeps an exponential moving average of the network's weights."""

    def __init__(self, network: TreadNetwork) -> None:
        self.network = copy.deepcopy(network).eval()
        ours, theirs = self.network.state_dict(), network.state_dict()
        names = [k for k, v in ours.items() if v.dtype.is_floating_point]
        self.ours, self.theirs = [ours[k] for k in names], [theirs[k] for k in names]

    def follow(self, step: int) -> None:
        keep = min(0.9985, (step + 1) / (step + 20))
        with torch.no_grad():
            torch._foreach_lerp_(self.ours, self.theirs, 1 - keep)


def saved(folder: Path, network: TreadNetwork, average: Average, optimizer: torch.optim.Optimizer, **numbers: float) -> None:
    """Writes small files, quick to copy: one for each network, and one for the optimizer's moments in bfloat16."""
    moments = optimizer.state_dict()
    moments["state"] = {i: {k: (v.to(torch.bfloat16) if v.ndim else v) for k, v in s.items()} for i, s in moments["state"].items()}
    parts = {
        "network": {"network": network.state_dict(), **numbers},
        "average": {"average": average.network.state_dict(), **numbers},
        "moments": moments,
    }
    for name, part in parts.items():
        torch.save(part, folder / f"{name}.part")
        (folder / f"{name}.part").replace(folder / f"{name}.pt")


def resumed(folder: Path, network: TreadNetwork, average: Average, optimizer: torch.optim.Optimizer, device: str) -> tuple[int, float]:
    state = torch.load(folder / "network.pt", map_location=device)
    network.load_state_dict(state["network"])
    average.network.load_state_dict(torch.load(folder / "average.pt", map_location=device)["average"])
    if (folder / "moments.pt").exists():
        optimizer.load_state_dict(torch.load(folder / "moments.pt", map_location=device))
    return state["step"], state["seconds"]


def begun(args: argparse.Namespace) -> TreadNetwork:
    """The network at the first step of a training, on the device."""
    network = TreadNetwork()
    if args.encoder:
        network.encoder.load_state_dict(torch.load(args.encoder, map_location="cpu"))
    if args.start:
        network.load_state_dict(torch.load(args.start, map_location="cpu")["average"])
    if args.model and (missing := start_from(network, args.model)):
        raise SystemExit(f"{args.model} lacks {', '.join(missing)}")
    return network.to(args.device, memory_format=torch.channels_last)


def synchronized() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


class Supply:
    """Moves the workers' renders to the pool, and near the end those of the held-out seeds to the side."""

    kept: dict[int, dict[str, Tensor]]
    due: list[tuple[str, int]]

    def __init__(self, workers: Workers, pool: Pool, device: str) -> None:
        self.workers, self.pool, self.device, self.kept, self.due = workers, pool, device, {}, []
        self.stream = torch.cuda.Stream() if device == "cuda" else None
        for slot in range(workers.slots):
            self._ask(slot)

    def _ask(self, slot: int) -> None:
        split, first = self.due.pop(0) if self.due else ("train", self.pool.seeds(self.workers.chunk))
        self.workers.ask(Job(slot, first, split))

    def judge(self, count: int) -> None:
        """The next renders are held-out ones: `count` for the figures, and as many for the calibration."""
        starts = (JUDGED_FIRST, CALIBRATED_FIRST)
        self.due = [("held-out", s) for first in starts for s in range(first, first + count, self.workers.chunk)]
        self.wanted = len(self.due)

    def _sent(self, fresh: dict[str, Tensor]) -> dict[str, Tensor]:
        if self.stream is None:
            return {k: v.clone() for k, v in fresh.items()}
        with torch.cuda.stream(self.stream):
            sent = {k: v.to(self.device) for k, v in fresh.items()}
        self.stream.synchronize()
        for v in sent.values():
            v.record_stream(torch.cuda.current_stream())
        return sent

    def take(self, most: int = 4) -> None:
        for job, fresh in self.workers.ready(most):
            if job.split == "train":
                self.pool.put(self._sent(fresh))
            else:
                self.kept[job.first] = {k: v.clone() for k, v in fresh.items()}
            self._ask(job.slot)

    def rows(self, network: TreadNetwork, first: int, count: int) -> dict[str, Tensor] | None:
        """Judges the held-out renders from seed `first` on that have arrived."""
        there = [s for s in sorted(self.kept) if first <= s < first + count]
        parts, each = [], max(1, TOGETHER // self.workers.chunk)
        for k in range(0, len(there), each):
            batch = joined([self.kept[s] for s in there[k : k + each]])
            seeds = torch.cat([torch.arange(s, s + self.workers.chunk) for s in there[k : k + each]])
            parts.append({"seed": seeds, **judged(network, unpacked({k: v.to(self.device) for k, v in batch.items()}))})
        return joined_rows(parts) if parts else None


class Trainer:
    def __init__(self, args: argparse.Namespace, say: Callable[..., None], workers: Workers | None = None) -> None:
        self.args, self.say = args, say
        self.step, self.before, self.began = 0, 0.0, time.time()
        self.network = begun(args)
        folder = Path(args.state)
        self.goes_on = (folder / "network.pt").exists()
        self.average = Average(self.network)
        named = list(self.network.named_parameters())
        groups = [
            {"params": [p for n, p in named if n.startswith("encoder.") == known], "share": share}
            for known, share in ((False, 1.0), (True, args.encoder_rate))
        ]
        self.optimizer = torch.optim.AdamW(groups, args.rate, weight_decay=0.02, fused=args.device == "cuda")
        if self.goes_on:
            self.step, self.before = resumed(folder, self.network, self.average, self.optimizer, args.device)
        self.gradients = Gradients(self.network)
        self.others = Others(args.others, args.device) if args.others else None
        self.pool = Pool(args.pool, args.size, args.device, args.seed + self.step * 64, args.chunk, args.detail)
        self.supply = Supply(workers, self.pool, args.device) if workers else None
        self.generator = torch.Generator(args.device).manual_seed(args.seed + self.step)

    def elapsed(self) -> float:
        """Seconds of the whole training, earlier runs included."""
        return self.before + time.time() - self.began

    def batch(self, kind: str) -> dict[str, Tensor]:
        size, zooms, closer, times = LOOKS[kind]
        count = round(self.args.batch * times)
        extra = round(count * OTHERS_SHARE) if self.others else 0
        batch = self.pool.batch(count - extra)
        if extra:
            batch = joined([batch, self.others.batch(extra, self.args.size)])
        batch = augmented(batch, self.generator, size, zooms, closer)
        batch["image"] = batch["image"].contiguous(memory_format=torch.channels_last)
        return batch

    def train(self, kind: str) -> Tensor:
        """Returns the parts of the loss and the norm, in the order of `gradients.names`."""
        batch = self.batch(kind)
        rate = rate_at(self.elapsed() / (self.args.minutes * 60), self.args)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["share"]
        values = self.gradients(kind, batch)
        self.optimizer.step()
        self.average.follow(self.step)
        self.step += 1
        return values

    def timed(self) -> float:
        """The milliseconds of a step, on average. The rate is that of the first steps."""
        self.began = time.time()
        for kind in ORDER:
            self.train(kind)
        synchronized()
        started = time.time()
        for _ in range(TIMED):
            for kind in ORDER:
                self.train(kind)
        synchronized()
        return round((time.time() - started) / (TIMED * len(ORDER)) * 1e3, 1)

    def norm_images(self) -> Iterator[Tensor]:
        """Whole treads and parts by turns, as the steps see them, of renders that are there."""
        for batch in range(self.args.norm_batches):
            yield self.batch(ORDER[batch % len(ORDER)])["image"]

    def begin(self) -> None:
        """Waits for the first renders, then chooses the way to compute a step."""
        while self.pool.made < self.args.first:
            if self.supply:
                self.supply.take(most=64)
                time.sleep(0.01)
            else:
                self.pool.render()
        self.say(pool=self.pool.made, at=round(self.elapsed(), 1))
        if self.args.model and not self.goes_on:
            spread_norms(self.network, self.norm_images())
            self.average.network.load_state_dict(self.network.state_dict())
        self.network.train()
        taken = self.gradients.choose(self.timed, self.args.ways)
        self.say(way=self.gradients.way, ms=taken, at=round(self.elapsed(), 1))

    def saved(self) -> None:
        saved(Path(self.args.state), self.network, self.average, self.optimizer, step=self.step, seconds=self.elapsed())


def main() -> None:
    args = arguments()
    ends = time.time() + 60 * args.piece_minutes if args.piece_minutes else float("inf")
    workers = Workers(args.workers, args.size, detail=args.detail) if args.workers else None
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    folder = Path(args.state)
    folder.mkdir(parents=True, exist_ok=True)

    def say(**line: object) -> None:
        with open(folder / "log.jsonl", "a") as log:
            print(json.dumps(line), file=log)
        print(json.dumps(line), flush=True)

    trainer = Trainer(args, say, workers)
    supply = trainer.supply
    say(ready=round(trainer.elapsed(), 1), step=trainer.step)
    checks = Checks(args.checks, args.device) if args.checks else None
    say(checks=round(trainer.elapsed(), 1))
    trainer.begin()
    trainer.began = time.time()  # the cycle of the learning rate and --minutes do not count the start, which each piece has
    rendering = 0.0
    sums: dict[str, tuple[Tensor | float, int]] = {}
    trained_from = last_said = last_saved = last_checked = time.time()

    def check(**more: object) -> None:
        figures = checks.figures(trainer.average.network) if checks else None
        say(step=trainer.step, seconds=round(trainer.elapsed()), made=trainer.pool.made, held_out=figures, **more)

    if not trainer.before and (args.start or args.model):
        check(start=True)
    requested = False
    while trainer.elapsed() < args.minutes * 60 and time.time() < ends:
        now = time.time()
        if supply:
            supply.take()
            if args.judge and not requested and trainer.elapsed() > args.minutes * 60 - args.judge_seconds:
                supply.judge(args.judge)
                requested = True
        elif rendering < args.render_share * (now - trained_from):
            torch.cuda.synchronize()
            now = time.time()
            trainer.pool.render()
            torch.cuda.synchronize()
            rendering += time.time() - now
            continue
        kind = ORDER[trainer.step % len(ORDER)]
        total, count = sums.get(kind, (0.0, 0))
        sums[kind] = (trainer.train(kind) + total, count + 1)
        if trainer.step % 4:
            continue
        now = time.time()
        if now - last_said > 20:
            shown = {kind: [round(v, 4) for v in (total / count).tolist()] for kind, (total, count) in sums.items()}
            say(step=trainer.step, seconds=round(trainer.elapsed()), made=trainer.pool.made, parts=trainer.gradients.names, **shown)
            if not all(np.isfinite(v) for values in shown.values() for v in values):
                back = resumed(folder, trainer.network, trainer.average, trainer.optimizer, args.device)[0]
                say(fault="a loss is not finite", back_to=back)
            elif now - last_saved > args.save_seconds:
                trainer.saved()
                last_saved = time.time()
            sums, last_said = {}, time.time()
            if (folder / "minutes").exists():  # the time limit may change while it trains
                args.minutes = float((folder / "minutes").read_text())
        if now - last_checked > args.check_seconds:
            check()
            last_checked = time.time()
    trainer.saved()
    check(ended=True)
    if requested:
        waiting = time.time()
        while len(supply.kept) < supply.wanted and time.time() - waiting < args.judge_seconds:
            supply.take(most=64)
        say(judged=len(supply.kept) * workers.chunk, of=supply.wanted * workers.chunk, waited=round(time.time() - waiting, 1))
        network = trainer.average.network
        for name, first in (("held-out", JUDGED_FIRST), ("calibration", CALIBRATED_FIRST)):
            rows = supply.rows(network, first, args.judge)
            (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines(rows)) if rows else "")
        say(rows=round(trainer.elapsed()))
    if workers:
        workers.end()


if __name__ == "__main__":
    main()
