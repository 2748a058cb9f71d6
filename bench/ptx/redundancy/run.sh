#!/bin/bash
# Runs the copies that prepare.mjs made on a GPU: bash run.sh [FOLDER [RUNS]]. Results as CSV under $OUT.
# FOLDER has manifest.txt and cubin/; harness and costs beside this script are used if nvcc is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/copies}
runs=${2:-1000}
out=${OUT:-$here/out}
export folder runs work
work=$(mktemp -d)
mkdir -p "$out"
flags="-O2 -std=c++17 -gencode arch=compute_90a,code=sm_90a"
nvcc $flags "$here/costs.cu" -o "$work/costs" 2> "$out/build.txt" || cp "$here/costs" "$work/costs"
stubs=$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")/../lib64/stubs
nvcc $flags "$here/harness.cu" -o "$work/harness" -L"$stubs" -lcuda 2>> "$out/build.txt" || cp "$here/harness" "$work/harness"
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv > "$out/device.txt" 2>&1
timeout 60 "$work/costs" > "$out/costs.csv" 2>&1
work_list() { awk "$1" "$folder/manifest.txt" | sort -u; }
# Several processes share the GPU: a copy that hangs does not hold up the others.
copies() { xargs -P 4 -I ID timeout -s KILL "$1" "$work/harness" "$folder" "$2" "$3" ID; }
echo "kernel,plain,plain_most,without,without_most" > "$out/times.csv"
# Counters that a launch leaves behind would stop the next one.
for kernel in $(work_list '$4 == "plainset" && !/ ints:/ { print $2 }'); do
  timeout -s KILL 20 "$work/harness" "$folder" 1000 time "$kernel" >> "$out/times.csv" 2>&1
done
echo "$SECONDS seconds for times" >> "$out/device.txt"
echo "copy,result,runs,wrong,microseconds" | tee "$out/safe.csv" > "$out/needed.csv"
work_list '{ print $2 }' | timeout 200 bash -c "$(declare -f copies); copies 100 $runs kernel" \
  >> "$out/safe.csv" 2> "$out/safe.txt"
echo "$SECONDS seconds for copies that are claimed to be right" >> "$out/device.txt"
work_list '$4 == "needed" || $4 == "practice" { print $1 }' |
  timeout 150 bash -c "$(declare -f copies); copies 12 300 one" >> "$out/needed.csv" 2> "$out/needed.txt"
echo "$SECONDS seconds" >> "$out/device.txt"
wc -l "$out"/*.csv
