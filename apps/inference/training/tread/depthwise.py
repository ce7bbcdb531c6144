"""Depthwise convolutions of channels_last tensors in bfloat16 as Triton kernels. cuDNN's are several times slower, above all their gradients.

`replace` puts them into a network; `agrees` compares them with PyTorch's on this device."""

from __future__ import annotations

from types import MethodType

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl
from torch import Tensor

COLUMNS, CHANNELS = 32, 32  # a block of the output
PROGRAMS = 4096  # of the gradient of the weights, whose sums are added afterwards
TOLERANCE = 2e-2
SIZES = ["H", "W", "OH", "OW", "rows", "each"]  # one compiled kernel for all sizes


@triton.jit(do_not_specialize=SIZES)
def _forward(x, w, y, H, W, OH, OW, C, K: tl.constexpr, S: tl.constexpr, BW: tl.constexpr, BC: tl.constexpr):
    row = tl.program_id(0)
    n, oh = row // OH, row % OH
    columns = tl.program_id(1) * BW + tl.arange(0, BW)
    channels = tl.program_id(2) * BC + tl.arange(0, BC)
    there = channels < C
    total = tl.zeros((BW, BC), tl.float32)
    for i in range(K):
        ih = oh * S + i - K // 2 + columns * 0
        for j in tl.static_range(K):
            iw = columns * S + j - K // 2
            seen = (ih >= 0) & (ih < H) & (iw >= 0) & (iw < W)
            place = ((n * H + ih) * W + iw)[:, None] * C + channels[None, :]
            value = tl.load(x + place, mask=seen[:, None] & there[None, :], other=0.0).to(tl.float32)
            weight = tl.load(w + (i * K + j) * C + channels, mask=there, other=0.0)
            total += value * weight[None, :]
    place = (row * OW + columns)[:, None] * C + channels[None, :]
    tl.store(y + place, total.to(y.dtype.element_ty), mask=(columns < OW)[:, None] & there[None, :])


@triton.jit(do_not_specialize=SIZES)
def _to_input(dy, w, dx, H, W, OH, OW, C, K: tl.constexpr, S: tl.constexpr, BW: tl.constexpr, BC: tl.constexpr):
    row = tl.program_id(0)
    n, ih = row // H, row % H
    columns = tl.program_id(1) * BW + tl.arange(0, BW)
    channels = tl.program_id(2) * BC + tl.arange(0, BC)
    there = channels < C
    total = tl.zeros((BW, BC), tl.float32)
    for i in range(K):
        down = ih + K // 2 - i + columns * 0
        oh = down // S
        for j in tl.static_range(K):
            across = columns + K // 2 - j
            ow = across // S
            seen = (down >= 0) & (down % S == 0) & (oh < OH) & (across >= 0) & (across % S == 0) & (ow < OW)
            place = ((n * OH + oh) * OW + ow)[:, None] * C + channels[None, :]
            value = tl.load(dy + place, mask=seen[:, None] & there[None, :], other=0.0).to(tl.float32)
            weight = tl.load(w + (i * K + j) * C + channels, mask=there, other=0.0)
            total += value * weight[None, :]
    place = (row * W + columns)[:, None] * C + channels[None, :]
    tl.store(dx + place, total.to(dx.dtype.element_ty), mask=(columns < W)[:, None] & there[None, :])


@triton.jit
def _product(x, base, across, seen, channels, there, C, W, gradient):
    ok = seen & (across >= 0) & (across < W)
    place = (base + across)[:, None] * C + channels[None, :]
    return gradient * tl.load(x + place, mask=ok[:, None] & there[None, :], other=0.0).to(tl.float32)


@triton.jit(do_not_specialize=SIZES)
def _to_weight(x, dy, parts, rows, each, H, W, OH, OW, C, K: tl.constexpr, S: tl.constexpr, BW: tl.constexpr, BC: tl.constexpr):
    part, i = tl.program_id(0), tl.program_id(1)
    channels = tl.program_id(2) * BC + tl.arange(0, BC)
    there = channels < C
    a0 = tl.zeros((BW, BC), tl.float32)
    a1 = tl.zeros((BW, BC), tl.float32)
    a2 = tl.zeros((BW, BC), tl.float32)
    a3 = tl.zeros((BW, BC), tl.float32)
    a4 = tl.zeros((BW, BC), tl.float32)
    a5 = tl.zeros((BW, BC), tl.float32)
    a6 = tl.zeros((BW, BC), tl.float32)
    for row in range(part * each, tl.minimum(part * each + each, rows)):
        n, oh = row // OH, row % OH
        ih = oh * S + i - K // 2
        base = (n * H + ih) * W
        for start in range(0, OW, BW):
            columns = start + tl.arange(0, BW)
            line = ih + columns * 0
            seen = (columns < OW) & (line >= 0) & (line < H)
            place = (row * OW + columns)[:, None] * C + channels[None, :]
            gradient = tl.load(dy + place, mask=seen[:, None] & there[None, :], other=0.0).to(tl.float32)
            first = columns * S - K // 2
            a0 += _product(x, base, first, seen, channels, there, C, W, gradient)
            a1 += _product(x, base, first + 1, seen, channels, there, C, W, gradient)
            a2 += _product(x, base, first + 2, seen, channels, there, C, W, gradient)
            if K > 3:
                a3 += _product(x, base, first + 3, seen, channels, there, C, W, gradient)
                a4 += _product(x, base, first + 4, seen, channels, there, C, W, gradient)
            if K > 5:
                a5 += _product(x, base, first + 5, seen, channels, there, C, W, gradient)
                a6 += _product(x, base, first + 6, seen, channels, there, C, W, gradient)
    out = parts + ((part * K + i) * K) * C + channels
    tl.store(out, tl.sum(a0, 0), mask=there)
    tl.store(out + C, tl.sum(a1, 0), mask=there)
    tl.store(out + 2 * C, tl.sum(a2, 0), mask=there)
    if K > 3:
        tl.store(out + 3 * C, tl.sum(a3, 0), mask=there)
        tl.store(out + 4 * C, tl.sum(a4, 0), mask=there)
    if K > 5:
        tl.store(out + 5 * C, tl.sum(a5, 0), mask=there)
        tl.store(out + 6 * C, tl.sum(a6, 0), mask=there)


def _empty(like: Tensor, count: int, channels: int, height: int, width: int) -> Tensor:
    return torch.empty((count, channels, height, width), dtype=like.dtype, device=like.device, memory_format=torch.channels_last)


class Depthwise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, stride: int) -> Tensor:
        x = x.contiguous(memory_format=torch.channels_last)
        count, channels, height, width = x.shape
        kernel = weight.shape[-1]
        # Both sides are padded by half of the kernel, so the output has the input's size over the stride, rounded up.
        high, wide = -(-height // stride), -(-width // stride)
        rows = weight.detach().float().reshape(channels, -1).t().contiguous()
        y = _empty(x, count, channels, high, wide)
        grid = (count * high, triton.cdiv(wide, COLUMNS), triton.cdiv(channels, CHANNELS))
        _forward[grid](x, rows, y, height, width, high, wide, channels, kernel, stride, COLUMNS, CHANNELS)
        ctx.save_for_backward(x, rows)
        ctx.numbers = (kernel, stride, weight.shape, weight.dtype)
        return y

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, None]:
        x, rows = ctx.saved_tensors
        kernel, stride, shape, dtype = ctx.numbers
        dy = dy.to(x.dtype).contiguous(memory_format=torch.channels_last)
        count, channels, height, width = x.shape
        high, wide = dy.shape[2:]
        blocks = triton.cdiv(channels, CHANNELS)
        dx = _empty(x, count, channels, height, width)
        grid = (count * height, triton.cdiv(width, COLUMNS), blocks)
        _to_input[grid](dy, rows, dx, height, width, high, wide, channels, kernel, stride, COLUMNS, CHANNELS)
        lines = count * high
        each = triton.cdiv(lines, max(1, min(lines, PROGRAMS // (kernel * blocks))))
        parts = torch.empty((triton.cdiv(lines, each), kernel * kernel, channels), dtype=torch.float32, device=x.device)
        grid = (len(parts), kernel, blocks)
        _to_weight[grid](x, dy, parts, lines, each, height, width, high, wide, channels, kernel, stride, COLUMNS, CHANNELS)
        return dx, parts.sum(0).t().reshape(shape).to(dtype), None


def _own(module: nn.Conv2d, x: Tensor) -> Tensor:
    if not module.training:
        return F.conv2d(x, module.weight, None, module.stride, module.padding, 1, module.groups)
    return Depthwise.apply(x.to(torch.bfloat16) if x.is_cuda else x, module.weight, module.stride[0])


def _depthwise(network: nn.Module) -> list[nn.Conv2d]:
    return [m for m in network.modules() if isinstance(m, nn.Conv2d) and m.groups == m.in_channels == m.out_channels > 1]


def replace(network: nn.Module, use: bool = True) -> None:
    """Lets the network use these kernels in training, or PyTorch's again."""
    for module in _depthwise(network):
        module.__dict__.pop("forward", None)
        if use:
            module.forward = MethodType(_own, module)


def agrees(network: nn.Module, device: str, height: int = 45, width: int = 70) -> bool:
    """Whether outputs and gradients are those of PyTorch in float64, for each kind of layer of the network."""
    kind = torch.bfloat16 if device == "cuda" else torch.float32
    worst = 0.0
    for channels, kernel, stride in {(m.in_channels, m.kernel_size[0], m.stride[0]) for m in _depthwise(network)}:
        x = torch.randn(3, channels, height, width, device=device).to(kind).contiguous(memory_format=torch.channels_last).requires_grad_()
        weight = torch.randn(channels, 1, kernel, kernel, device=device, requires_grad=True)
        y = Depthwise.apply(x, weight, stride)
        dy = torch.randn_like(y)
        got = [y, *torch.autograd.grad(y, (x, weight), dy)]
        exact = [v.detach().double().requires_grad_() for v in (x, weight)]
        z = F.conv2d(exact[0], exact[1], None, stride, kernel // 2, 1, channels)
        expected = [z, *torch.autograd.grad(z, exact, dy.double())]
        for ours, theirs in zip(got, expected):
            distance = float(((ours.detach().double() - theirs).norm() / theirs.norm()).detach())
            worst = max(worst, distance if distance == distance else float("inf"))
    return worst < TOLERANCE
