#!/bin/bash
# Builds bench/cuda/measure.cu and measures the GPU of this machine: bench/cuda/run.sh OUT [TABLE…]
# Needs nvcc (CUDA 12.4 or newer) and nothing else. What OUT has already is not measured again.
set -u
if [ $# -lt 1 ]; then
  echo "usage: bench/cuda/run.sh OUT [TABLE…]" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
out=$1
mkdir -p "$out" || exit 2
program=$out/measure
if [ ! -x "$program" ] || [ -n "$(find "$here" -name '*.cu*' -newer "$program" -print -quit)" ]; then
  "$here/build.sh" "$program" || exit 2
fi
# A row that hangs ends the program and is left out of the next start.
for _ in $(seq 30); do
  "$program" "$@"
  code=$?
  [ $code -eq 3 ] || break
done
exit $code
