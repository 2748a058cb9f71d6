#!/bin/bash
# Prints a table of what the pairs of bench/cuda/pairs.cu do, and what racecheck says of them:
#   bench/cuda/pairs.sh PROGRAM [KERNEL...]
# builds PROGRAM if it is not there yet. Needs nvcc, compute-sanitizer and a GPU of compute capability 9.0.
set -u
if [ $# -lt 1 ]; then
  echo "usage: bench/cuda/pairs.sh PROGRAM [KERNEL...]" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath -m "$1")
shift
[ -x "$program" ] || nvcc -O3 -std=c++17 -arch=sm_90a -lineinfo -diag-suppress 177 -o "$program" "$here/pairs.cu" || exit 2
[ $# -gt 0 ] || set -- $("$program" list | cut -d ' ' -f 1)
# What has not ended after so many seconds hangs; the last launch that began is on the error stream.
tried() {
  local seen
  if seen=$(timeout -s KILL 8 "$program" "$@" 2>"$program.launches"); then echo "$seen"
  elif [ -n "$seen" ]; then echo "$seen"
  else echo "hangs in launch $(tr '\r' '\n' <"$program.launches" | tail -1)"
  fi
}
# One launch, watched: the sum that racecheck prints last.
watched() {
  local seen
  if ! seen=$(timeout -s KILL 30 compute-sanitizer --tool racecheck "$program" "$@" 0 2>&1); then seen="$seen
ended"; fi
  seen=$(grep -oE '\([0-9]+ errors?, [0-9]+ warnings?\)|hazard.* are not supported|Internal Sanitizer Error|^ended' <<<"$seen" | tr '\n' ' ')
  echo "${seen:-no summary}"
}
echo "| kernel | wrong, no delay | wrong, delayed | right, delayed | racecheck: wrong | racecheck: wrong, delayed | racecheck: right |"
echo "|---|---|---|---|---|---|---|"
for kernel; do
  echo "| \`$kernel\` | $(tried $kernel wrong 0 2000) | $(tried $kernel wrong 2000000 200) | $(tried $kernel right 2000000 200)" \
    "| $(watched $kernel wrong 0) | $(watched $kernel wrong 2000000) | $(watched $kernel right 0) |"
done
rm -f "$program.launches"
