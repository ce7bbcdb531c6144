#!/bin/sh
# Lints the training code with ruff and runs its unit tests. Needs PyPI and npm; it needs no GPU.
# The virtual environment (.venv) and the fonts (tmp/fonts) are made once.
set -eu
cd "$(dirname "$0")"
[ -x .venv/bin/python ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt -r requirements-check.txt
.venv/bin/ruff check .
# The renders of sidewalls need typefaces.
# shellcheck disable=SC2046
[ -d tmp/fonts/node_modules ] || npm install --silent --no-audit --no-fund --prefix tmp/fonts --ignore-scripts $(cat sidewall/fonts.txt)
SIDEWALL_FONTS=tmp/fonts .venv/bin/python -m unittest test_framing test_groove_differences test_interval_coverage test_renderer test_sidewall
