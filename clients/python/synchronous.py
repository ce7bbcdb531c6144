"""Writes src/tire_inspection/client.py, the synchronous client, from async_client.py. Needs nothing but Python.

Both clients carry out the same flows, so their methods differ in `async` and `await` only. `--check` tells whether the
file is the one that follows from async_client.py.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "src/tire_inspection"
LINE_LENGTH = 120

HEAD = '"""The client for programs that wait for each call. synchronous.py writes it: do not edit."""\n'

# In this order.
CHANGES = (
    (r'\A"""[^"]*"""\n', HEAD),
    (r"^from \._async_runner import Runner\n", ""),
    (r"^(from \.models import )", r"from ._runner import Runner\n\1"),
    (r"import AsyncIterator, (Iterable), ", r"import \1, Iterator, "),
    (r"\basync (def|for|with) ", r"\1 "),
    (r"\bawait ", ""),
    (r"\bAsync(Iterator|Reports|Vehicles|Webhooks|RequestLog|TireInspection)\b", r"\1"),
    (r"\bhttpx\.AsyncClient\b", "httpx.Client"),
    (r"\.aclose\(", ".close("),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"an asynchronous context manager", "a context manager"),
    (r"^( +)for (\w+) in (.+):\n +yield \2$", r"\1yield from \3"),
)


def joined(found: "re.Match[str]") -> str:
    """A signature that fits in one line without `async`, as the formatter writes it."""
    line = f"{found[1]}({found[2]}){found[3]}"
    return line if len(line) <= LINE_LENGTH else found[0]


def synchronous(text: str) -> str:
    for pattern, replacement in CHANGES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return re.sub(r"^( +def \w+)\(\n +(.*[^,\n])\n +\)(.*:)$", joined, text, flags=re.MULTILINE)


def main() -> int:
    text = synchronous((FOLDER / "async_client.py").read_text("utf-8"))
    file = FOLDER / "client.py"
    if sys.argv[1:] != ["--check"]:
        file.write_text(text, "utf-8")
    elif file.read_text("utf-8") != text:
        print("clients/python: client.py is not that of async_client.py; run python3 clients/python/synchronous.py.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
