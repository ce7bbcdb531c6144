"""Trains the tread network on a GPU within a given time: renders are made there on the way. Run again with the same --state, it goes on.

Steps look in turn at whole treads as the product does (448 px, depth needs all of the tire) and at parts (256 px, for walls of grooves)."""

import argparse
import copy
import io
import json
import pickle
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from tread.augment import augmented
from tread.cache import joined
from tread.losses import losses
from tread.network import TreadNetwork
from tread.patterns import pattern
from tread.pool import Pool
from tread.quick import Checks

# pixels a side, share of the render's side, share drawn around the tread, of the batch
LOOKS = {"whole": (448, (0.8, 1.12), 0.4, 1), "part": (256, (0.4, 0.95), 0.0, 2)}
OTHERS_SHARE = 0.1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True, help="folder of checkpoints and log.jsonl")
    parser.add_argument("--encoder", required=True, help="weights of the known encoder (Encoder.state_dict())")
    parser.add_argument("--others", help="pickled list of JPEG parts of photographs without a tread")
    parser.add_argument("--minutes", type=float, default=20, help="of the whole training, earlier runs included")
    parser.add_argument("--batch", type=int, default=32, help="whole looks in a step; twice as many parts")
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--encoder-rate", type=float, default=0.3, help="of the rate")
    parser.add_argument("--warm", type=float, default=0.03, help="share of the time in which the rate rises")
    parser.add_argument("--hold", type=float, default=0.35, help="share of the time after which the rate falls")
    parser.add_argument("--render-share", type=float, default=0.4, help="of the time")
    parser.add_argument("--pool", type=int, default=24000, help="renders in memory")
    parser.add_argument("--first", type=int, default=4000, help="renders before the first step")
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--seed", type=int, default=10_000_000)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--save-seconds", type=float, default=60)
    parser.add_argument("--check-seconds", type=float, default=150)
    parser.add_argument("--checks", type=int, default=384)
    parser.add_argument("--device", default="cuda")
    return parser.parse_args()


def rate_at(done, args):
    """One cycle over the time: up, level, down to nothing as a cosine falls."""
    if done < args.warm:
        return args.rate * (0.02 + 0.98 * done / args.warm)
    if done < args.hold:
        return args.rate
    left = min(1.0, (done - args.hold) / (1 - args.hold))
    return args.rate * (0.5 + 0.5 * float(np.cos(np.pi * left))) + 2e-6


def _decoded(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).transpose(2, 0, 1)


def _pattern(seed):
    torch.set_num_threads(1)
    return pattern(seed, 400).numpy()


class Others:
    """Photographs without a tread and drawn patterns, in the device's memory."""

    def __init__(self, path, device, patterns=800):
        images = [_decoded(d) for d in pickle.loads(Path(path).read_bytes())]
        with ProcessPoolExecutor(14) as workers:
            images += list(workers.map(_pattern, range(patterns), chunksize=20))
        self.images, self.device = torch.from_numpy(np.stack(images)).to(device), device

    def batch(self, count, size):
        rows = torch.randint(len(self.images), (count,), device=self.device)
        image = torch.nn.functional.interpolate(self.images[rows].float() / 255, size=(size, size), mode="bilinear")
        nothing, zero = image.new_zeros(count, size, size), image.new_zeros(count)
        flat = nothing.bool()
        return {
            **{"image": image, "number": nothing.to(torch.uint8), "tread": flat, "ignore": flat, "bald": flat},
            **{"depth": nothing, "lateral": nothing, "rotation": zero, "side": zero.long(), "is_tread": zero.long()},
            **{"quality": image.new_full((count, 2), -1.0), "upright_sure": zero, "family": zero - 1, "width_mm": zero},
        }


def follow(average, network, step):
    keep = min(0.9985, (step + 1) / (step + 20))
    with torch.no_grad():
        ours, theirs = average.state_dict(), network.state_dict()
        floats = [k for k, v in ours.items() if v.dtype.is_floating_point]
        torch._foreach_lerp_([ours[k] for k in floats], [theirs[k] for k in floats], 1 - keep)


def halves(state):
    return {k: v.to(torch.bfloat16) if v.dtype == torch.float32 and v.ndim > 1 else v for k, v in state.items()}


def saved(folder, network, average, optimizer, **numbers):
    """Small files, so that they can be carried: a network each, the optimizer's moments in half precision."""
    moments = optimizer.state_dict()
    moments["state"] = {i: {k: (v.to(torch.bfloat16) if v.ndim else v) for k, v in s.items()} for i, s in moments["state"].items()}
    parts = {
        "network": {"network": network.state_dict(), **numbers},
        "average": {"average": average.state_dict(), **numbers},
        "moments": moments,
    }
    for name, part in parts.items():
        torch.save(part, folder / f"{name}.part")
        (folder / f"{name}.part").replace(folder / f"{name}.pt")


def resumed(folder, network, average, optimizer, device):
    state = torch.load(folder / "network.pt", map_location=device)
    network.load_state_dict(state["network"])
    average.load_state_dict(torch.load(folder / "average.pt", map_location=device)["average"])
    if (folder / "moments.pt").exists():
        optimizer.load_state_dict(torch.load(folder / "moments.pt", map_location=device))
    return state["step"], state["seconds"]


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    folder = Path(args.state)
    folder.mkdir(parents=True, exist_ok=True)
    log = open(folder / "log.jsonl", "a")

    def say(**line):
        print(json.dumps(line), file=log, flush=True)
        print(json.dumps(line), flush=True)

    began = time.time()
    network = TreadNetwork()
    network.encoder.load_state_dict(torch.load(args.encoder, map_location="cpu"))
    network = network.to(args.device, memory_format=torch.channels_last)
    average = copy.deepcopy(network).eval()
    groups = [
        {"params": [p for n, p in network.named_parameters() if n.startswith("encoder.") == known], "share": share}
        for known, share in ((False, 1.0), (True, args.encoder_rate))
    ]
    optimizer = torch.optim.AdamW(groups, torch.tensor(args.rate), weight_decay=0.02, fused=args.device == "cuda")
    step, before = 0, 0.0
    if (folder / "network.pt").exists():
        step, before = resumed(folder, network, average, optimizer, args.device)
    others = Others(args.others, args.device) if args.others else None
    pool = Pool(args.pool, args.size, args.device, args.seed + step * 64)
    checks = Checks(args.checks, args.device)
    say(ready=round(time.time() - began, 1))
    while pool.made < args.first:
        pool.render()
        if pool.made == pool.chunk * 10:
            torch.cuda.synchronize()
            say(first_renders=pool.made, at=round(time.time() - began, 1))
    if args.device == "cuda":
        torch.cuda.synchronize()
        say(pool=pool.made, at=round(time.time() - began, 1), gib=round(torch.cuda.max_memory_allocated() / 2**30, 1))
    run = torch.compile(network, dynamic=False) if args.compile else network
    generator = torch.Generator(args.device).manual_seed(args.seed + step)
    network.train()
    total_seconds = args.minutes * 60
    rendering = 0.0
    trained_from = last_said = last_saved = last_checked = time.time()
    sums, counted, parts_seen = {}, 0, 0

    def elapsed():
        return before + time.time() - began

    def check(**more):
        network.eval()
        say(step=step, seconds=round(elapsed()), made=pool.made, held_out=checks.figures(average), **more)
        network.train()

    while elapsed() < total_seconds:
        now = time.time()
        if rendering < args.render_share * (now - trained_from):
            pool.render()
            if args.device == "cuda":
                torch.cuda.synchronize()
            rendering += time.time() - now
            continue
        size, zooms, closer, times = list(LOOKS.values())[step % len(LOOKS)]
        count = args.batch * times
        extra = round(count * OTHERS_SHARE) if others else 0
        batch = pool.batch(count - extra)
        if extra:
            batch = joined([batch, others.batch(extra, args.size)])
        batch = augmented(batch, generator, size, zooms, closer)
        rate = rate_at(elapsed() / total_seconds, args)
        for group in optimizer.param_groups:
            group["lr"].fill_(rate * group["share"]) if torch.is_tensor(group["lr"]) else group.__setitem__("lr", rate * group["share"])
        with torch.autocast(args.device, torch.bfloat16):
            maps, numbers = run(batch["image"].contiguous(memory_format=torch.channels_last))
        total, parts = losses(maps, numbers, batch)
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        if not args.compile or step % 1 == 0:
            optimizer.step()
        follow(average, network, step)
        step += 1
        counted += 1
        parts_seen += count
        kind = list(LOOKS)[(step - 1) % len(LOOKS)]
        for k, v in {**{f"{kind}.{k}": v for k, v in parts.items()}, "norm": norm}.items():
            held = sums.setdefault(k, [0.0, 0])
            held[0], held[1] = held[0] + v.detach(), held[1] + 1
        now = time.time()
        if step % 8 == 0 and now - last_said > 15:
            shown = {k: round(float(v[0]) / v[1], 3) for k, v in sums.items()}
            say(step=step, seconds=round(elapsed()), made=pool.made, parts=parts_seen, rate=round(rate, 6), **shown)
            if not all(np.isfinite(v) for v in shown.values()):
                say(fault="a loss is no number")
                if (folder / "network.pt").exists():
                    step_was, _ = resumed(folder, network, average, optimizer, args.device)
                    say(back_to=step_was)
            sums, counted, last_said = {}, 0, time.time()
        if now - last_saved > args.save_seconds and "nan" not in str(sums):
            saved(folder, network, average, optimizer, step=step, seconds=elapsed())
            last_saved = time.time()
        if now - last_checked > args.check_seconds:
            check()
            last_checked = time.time()
    saved(folder, network, average, optimizer, step=step, seconds=elapsed())
    check(ended=True, parts=parts_seen)


if __name__ == "__main__":
    main()
