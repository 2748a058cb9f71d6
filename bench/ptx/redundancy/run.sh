#!/bin/bash
# Runs the copies that prepare.mjs made on a GPU: bash run.sh [FOLDER [RUNS]]. Results as CSV under $OUT.
# FOLDER has manifest.txt and cubin/; harness and costs beside this script are used if nvcc is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/copies}
runs=${2:-1000}
out=${OUT:-$here/out}
work=$(mktemp -d)
mkdir -p "$out"
flags="-O2 -std=c++17 -gencode arch=compute_90a,code=sm_90a"
nvcc $flags "$here/costs.cu" -o "$work/costs" 2> "$out/build.txt" || cp "$here/costs" "$work/costs"
stubs=$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")/../lib64/stubs
nvcc $flags "$here/harness.cu" -o "$work/harness" -L"$stubs" -lcuda 2>> "$out/build.txt" || cp "$here/harness" "$work/harness"
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv > "$out/device.txt" 2>&1
timeout 60 "$work/costs" > "$out/costs.csv" 2>&1
echo "copy,result,runs,wrong,microseconds" > "$out/safe.csv"
for kernel in $(awk '{ print $2 }' "$folder/manifest.txt" | sort -u); do
  [ $SECONDS -gt 250 ] && echo "$kernel,late,," >> "$out/safe.csv" && continue
  timeout -s KILL 60 "$work/harness" "$folder" "$runs" kernel "$kernel" >> "$out/safe.csv" 2>&1 ||
    echo "$kernel,status,$?," >> "$out/safe.csv"
done
echo "$SECONDS seconds for copies that are claimed to be right" >> "$out/device.txt"
echo "copy,result,runs,wrong,microseconds" > "$out/needed.csv"
for id in $(awk '$4 == "needed" || $4 == "practice" { print $1 }' "$folder/manifest.txt"); do
  [ $SECONDS -gt 390 ] && echo "$id,late,," >> "$out/needed.csv" && continue
  timeout -s KILL 12 "$work/harness" "$folder" 300 one "$id" >> "$out/needed.csv" 2>&1 ||
    echo "$id,status,$?," >> "$out/needed.csv"
done
echo "$SECONDS seconds" >> "$out/device.txt"
wc -l "$out"/*.csv
