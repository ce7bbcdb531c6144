#!/bin/sh
# The tests, on the first Python that has httpx: that of the path, or Debian's with python3-httpx.
# --has-httpx: only tells whether there is one.
set -eu
cd "$(dirname "$0")"
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import httpx' 2> /dev/null; then
    [ "${1-}" != --has-httpx ] || exit 0
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=src exec "$python" -W error::ResourceWarning -m unittest discover -s tests
  fi
done
[ "${1-}" != --has-httpx ] || exit 1
echo 'There is no Python with httpx: the tests of the Python client are skipped.'
