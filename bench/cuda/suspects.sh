#!/bin/bash
# Builds bench/cuda/suspects.cu and prints what each suspect and its fix do: bench/cuda/suspects.sh PROGRAM
# Needs nvcc and a GPU of compute capability 9.0.
set -u
if [ $# -ne 1 ]; then
  echo "usage: bench/cuda/suspects.sh PROGRAM" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=sm_90a -diag-suppress 177 -o "$1" "$here/suspects.cu" || exit 2
# What has not ended after so many seconds hangs; the last launch that began is on the error stream.
tried() {
  local seen
  if seen=$(timeout 20 "$1" "$2" "$3" "$4" "$5" 2>"$1.launches"); then echo "$seen"
  elif [ -n "$seen" ]; then echo "$seen"
  else echo "hangs in launch $(tr '\r' '\n' <"$1.launches" | tail -1)"
  fi
}
echo "| kernel | no delay | delayed | fixed, delayed |"
echo "|---|---|---|---|"
for kernel in based linear_attention hedgehog backward pipeline epilogue phase_word before_peer stored_twice groupnorm; do
  echo "| $kernel | $(tried "$1" $kernel suspect 0 2000) | $(tried "$1" $kernel suspect 2000000 200) | $(tried "$1" $kernel fixed 2000000 200) |"
done
rm -f "$1.launches"
