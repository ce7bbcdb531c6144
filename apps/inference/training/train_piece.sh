#!/bin/sh
# Trains the tread network on a GPU for one piece of a training, and exports it. Begins from the shipped network, or continues from STATE,
# the folder that an earlier piece wrote. OUT gets everything that the next piece needs.
#
#   train_piece.sh OUT [STATE [OPTION OF train_gpu.py]…]
#
# MINUTES         length of the whole training (60)
# PIECE_MINUTES   time after which this piece stops training (7.5); start, judging and export take up to two minutes more
# OTHERS          file of images without a tread (fill_others.py --pickle)
# WHEELS          folder of wheels for a machine without a network; else missing packages come from PyPI
set -eu
[ $# -ge 1 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
state=
[ $# -lt 2 ] || [ -z "$2" ] || state=$(cd "$2" && pwd)
[ $# -lt 2 ] && shift 1 || shift 2
others=${OTHERS:+$(realpath "$OTHERS")}
wheels=${WHEELS:+$(realpath "$WHEELS")}
cd "$(dirname "$0")"
python=${PYTHON:-python3}

# What is installed is used: a machine with a GPU has a PyTorch that fits its driver.
for name in torch numpy pillow onnx onnxruntime; do
  module=$([ $name = pillow ] && echo PIL || echo $name)
  $python -c "import $module" 2>/dev/null && continue
  if [ -n "$wheels" ]; then
    $python -m pip install --quiet --no-index --find-links "$wheels" --target tmp/site $name
  else
    $python -m pip install --quiet --target tmp/site "$(grep "^$name==" requirements.txt)"
  fi
done
export PYTHONPATH="$PWD/tmp/site${PYTHONPATH:+:$PYTHONPATH}"

for file in network.pt average.pt moments.pt log.jsonl; do
  [ -z "$state" ] || [ "$state" = "$out" ] || cp "$state/$file" "$out/"
done
$python train_gpu.py --state "$out" --model ../models/tread/tread.onnx ${others:+--others "$others"} \
  --workers "$(($(nproc) > 3 ? $(nproc) - 2 : 1))" --minutes "${MINUTES:-60}" --piece-minutes "${PIECE_MINUTES:-7.5}" \
  --rate 1e-3 --warm 0.03 --hold 0.25 --seed 20000000 --judge 2000 --first 1500 "$@"
$python export.py --state "$out" --out "$out/tread.onnx"
