from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import ImageFileError

#: The path of a file, or its bytes.
ImageFile = str | os.PathLike[str] | bytes

IMAGE_BYTES_MAX = 20 * 1024 * 1024


@dataclass(frozen=True)
class OpenedImage:
    content_type: str
    #: Called when its upload begins: eight photographs are not in memory at once.
    read: Callable[[], bytes]


def _open_image(slot_id: str, file: ImageFile) -> OpenedImage:
    if isinstance(file, bytes):
        given = file
        size, head = len(given), given[:8]

        def read() -> bytes:
            return given
    else:
        path = Path(file)
        with path.open("rb") as opened:
            head = opened.read(8)
        size, read = path.stat().st_size, path.read_bytes
    if size == 0:
        raise ImageFileError(slot_id, "the file is empty.")
    if size > IMAGE_BYTES_MAX:
        raise ImageFileError(slot_id, f"the file has {size} bytes, more than the {IMAGE_BYTES_MAX} allowed.")
    if head.startswith(b"\xff\xd8\xff"):
        return OpenedImage("image/jpeg", read)
    if head.startswith(b"\x89PNG"):
        return OpenedImage("image/png", read)
    raise ImageFileError(slot_id, "the file is neither JPEG nor PNG.")


def open_all(files: Mapping[str, ImageFile]) -> dict[str, OpenedImage]:
    """Opens every file before anything is sent: a wrong one leaves no report without images behind."""
    if not files:
        raise ValueError("files has no image.")
    return {slot_id: _open_image(slot_id, file) for slot_id, file in files.items()}
