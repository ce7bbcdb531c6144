"""The compiled renderer for CPUs. `python -m tread.native` compiles it; the first use also does. PyTorch's version is the reference."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .draw import draw

HERE = Path(__file__).parent
SOURCES = [HERE / name for name in ("native.cpp", "native_scene.h", "native_photo.h")]
FLAGS = ["-std=c++17", "-O3", "-march=native", "-ffast-math", "-fPIC", "-shared", "-Wall"]
NUMBERS = 11


def _layout() -> str:
    """Returns a C++ header with the offset and the count of each scene parameter in its row."""
    lines, at = [], 0
    for name, value in draw(0).items():
        count = np.asarray(value).size
        lines.append(f"constexpr int o_{name} = {at}, n_{name} = {count};")
        at += count
    return "#pragma once\n" + "\n".join(lines) + "\n"


def built() -> Path:
    """Returns the path of the library. Compiles it for this processor if it does not exist."""
    layout = _layout()
    text = layout + " ".join(FLAGS) + "".join(s.read_text() for s in SOURCES)
    folder = HERE / "build"
    library = folder / f"renderer-{hashlib.sha256(text.encode()).hexdigest()[:16]}.so"
    if not library.exists():
        folder.mkdir(exist_ok=True)
        header = folder / f"layout-{os.getpid()}.h"
        header.write_text(layout)
        part = library.with_suffix(f".{os.getpid()}.part")
        subprocess.run([os.environ.get("CXX", "c++"), *FLAGS, "-include", str(header), str(SOURCES[0]), "-o", str(part)], check=True)
        header.unlink()
        part.replace(library)
    return library


@lru_cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(built()))
    library.render_one.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int] + [ctypes.c_void_p] * 7
    library.render_one.restype = None
    return library


def rendered(rows: np.ndarray, keys: Sequence[Sequence[int]], size: int, fine: int) -> dict[str, Tensor]:
    """Returns the maps and numbers of each render. Each row of `rows` has the parameters of a scene. It uses as many threads as PyTorch may use."""
    library, count = _library(), len(rows)
    rows, key_rows = np.ascontiguousarray(rows, dtype=np.float32), np.array(keys, dtype=np.int32)
    out = {
        "image": torch.empty(count, 3, size, size),
        **{name: torch.empty(count, size, size, dtype=torch.uint8) for name in ("tread", "number", "bald")},
        **{name: torch.empty(count, size, size) for name in ("depth", "lateral")},
        "numbers": torch.empty(count, NUMBERS),
    }

    def one(i: int) -> None:
        places = [out[name][i].data_ptr() for name in ("image", "tread", "number", "depth", "lateral", "bald", "numbers")]
        library.render_one(rows[i].ctypes.data, key_rows[i].ctypes.data, size, fine, *places)

    threads = min(count, torch.get_num_threads())
    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(one, range(count)))
    else:
        for i in range(count):
            one(i)
    return out


if __name__ == "__main__":
    print(built())
