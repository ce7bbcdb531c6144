#!/bin/sh
# Writes the types of the OpenAPI document. Needs PyPI: the virtual environment (.venv) is made once.
set -eu
cd "$(dirname "$0")"
[ -x .venv/bin/python ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-check.txt
.venv/bin/python generate.py
