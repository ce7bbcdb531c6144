#!/bin/sh
# Types, lint, tests on the newest httpx, models against the OpenAPI document, and the package as it would be published.
# Needs PyPI. The virtual environment (.venv) is made once. CI runs the tests alone, on Debian's httpx.
set -eu
cd "$(dirname "$0")"
sh generate.sh
git diff --exit-code src/tire_inspection/models.py
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
# The examples of the README are typed code too. Each one is a program of its own.
awk -v folder="$packed" '/^```/ { within = /^```python$/; number += within; next } within { print > (folder "/example" number ".py") }' README.md
.venv/bin/mypy "$packed"/example*.py
PYTHONPATH=src .venv/bin/python -W error::ResourceWarning -m unittest discover -s tests
.venv/bin/python -m build --outdir "$packed" . > "$packed/log" || { cat "$packed/log"; exit 1; }
# A new environment with nothing but the wheel and what it asks for.
python3 -m venv "$packed/venv"
"$packed/venv/bin/pip" install --quiet --disable-pip-version-check "$packed"/*.whl
"$packed/venv/bin/python" -c 'import importlib.resources, tire_inspection; assert importlib.resources.files(tire_inspection).joinpath("py.typed").is_file()'
ls -l "$packed"/*.whl "$packed"/*.tar.gz
