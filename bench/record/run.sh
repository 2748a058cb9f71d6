#!/bin/bash
# Validates `poundlock record` on a machine with a GPU, without Node: compiles the library, records
# the programs beside this file, measures what it costs, and packs the raw recordings into $OUT.
# `poundlock record --from FOLDER` makes kernels of them. Needs cc, nvcc and Python; takes 6 minutes.
#   OUT=/tmp/out bench/record/run.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/programs
source=$here/native
[ -d "$source" ] || source=$here/../../packages/poundlock/native/record
work=$(mktemp -d)
log=$OUT/log.txt
mkdir -p "$OUT" "$work/raw"
cd "$work"
begin=$SECONDS
say() { echo "$((SECONDS - begin)) s  $*" >>"$log"; }

library=$work/librecord.so
if cc -std=gnu11 -O2 -shared -fPIC -fvisibility=hidden -o "$library" "$source"/*.c -ldl -lpthread 2>>"$log"; then
  say "compiled the library"
else
  cp "$here/librecord.so" "$library" && say "took the library that was compiled elsewhere"
fi
{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  ldd --version | head -1
  python3 -c "import torch, triton, jax, cupy; print('torch', torch.__version__, 'triton', triton.__version__, 'jax', jax.__version__, 'cupy', cupy.__version__)"
} >>"$log" 2>&1

export TRITON_CACHE_DIR=$work/triton TORCHINDUCTOR_CACHE_DIR=$work/inductor
export XLA_PYTHON_CLIENT_PREALLOCATE=false PYTHONDONTWRITEBYTECODE=1
export CUPY_CACHE_DIR=$work/cupy

# record NAME SECONDS COMMAND…: in a folder of its own; the output and the exit code are in the log
record() {
  local name=$1 limit=$2 start=$SECONDS code
  shift 2
  mkdir -p "$work/raw/$name"
  POUNDLOCK_RECORD=$work/raw/$name LD_PRELOAD=$library timeout -s KILL "$limit" "$@" >"$work/$name.out" 2>&1
  code=$?
  {
    flock 9
    echo "=== $name: exit code $code, $((SECONDS - start)) s: $(basename "$1") ${*: -1}"
    tail -c 3000 "$work/$name.out"
  } 9>>"$work/lock" >>"$log"
  return $code
}

# same NAME COMMAND…: whether a program prints the same without the recorder
same() {
  local name=$1
  shift
  timeout -s KILL 60 "$@" >"$work/$name.plain" 2>&1
  cmp -s "$work/$name.plain" "$work/$name.out" && say "$name prints the same without the recorder" || say "$name prints something else without the recorder"
}

nvcc_programs() {
  local flags="-std=c++17 -lineinfo -diag-suppress 20054 -I$programs -I$here/../../examples/ptx"
  ( record ring 60 nvcc $flags -gencode 'arch=compute_90a,code=[sm_90a,compute_90a]' -DSM90 -DRING -o ring "$programs/rings.cu" && record ring 30 ./ring && same ring ./ring ) &
  ( record pipe 60 nvcc $flags -arch=sm_90a -DPIPE -o pipe "$programs/rings.cu" && record pipe 30 ./pipe && same pipe ./pipe ) &
  ( nvcc ${flags/-lineinfo/} -arch=sm_90a -Xfatbin -compress-all -o doors "$programs/doors.cu" -ldl 2>>"$log" && record doors 30 ./doors; same doors ./doors; sed "s/^/without the recorder: /" doors.plain >>"$log" ) &
  ( record doors-shared 90 nvcc $flags -arch=sm_90a -cudart shared -o doors-shared "$programs/doors.cu" -ldl && record doors-shared 30 ./doors-shared ) &
  ( record overhead 60 nvcc -arch=sm_90a -o overhead "$programs/overhead.cu" && record overhead 30 ./overhead 1000 ) &
  wait
}
triton_programs() {
  # Offsets of the ragged rows are small integers that the kernel branches on.
  POUNDLOCK_RECORD_KERNEL='ragged_sums' POUNDLOCK_RECORD_COPY=$(seq -s, -f '%g:16' 0 12) record triton 150 python3 "$programs/triton_own.py"
}
other_programs() {
  record torch-eager 60 python3 "$programs/torch_own.py" eager
  record cupy 60 python3 "$programs/other_own.py" cupy
  record numba 60 python3 "$programs/other_own.py" numba
}
jax_programs() {
  record jax 60 python3 "$programs/other_own.py" jax
  record pallas 110 python3 "$programs/other_own.py" pallas
}
nvcc_programs & triton_programs & other_programs & jax_programs &
record torch-compile 120 python3 "$programs/torch_own.py" compile &
record torch-autotune 150 python3 "$programs/torch_own.py" autotune &
wait
say "recorded"

# Alone on the machine, pinned to one core, with and without the recorder in turn.
measure() {
  local name=$1 pairs=$2 i
  shift 2
  mkdir -p "$work/raw/measured-$name"
  for i in $(seq "$pairs"); do
    [ $((SECONDS - begin)) -gt 300 ] && break
    echo "$name plain $(timeout 60 taskset -c 3 "$@" 2>&1 | tail -1)" >>"$OUT/overhead.txt"
    rm -rf "$work/raw/measured-$name"/*
    echo "$name recorded $(POUNDLOCK_RECORD=$work/raw/measured-$name LD_PRELOAD=$library timeout 60 taskset -c 3 "$@" 2>&1 | tail -1)" >>"$OUT/overhead.txt"
  done
  du -sb "$work/raw/measured-$name" >>"$log"
}
[ -x overhead ] || nvcc -arch=sm_90a -o overhead "$programs/overhead.cu"
measure loop 5 ./overhead 30000
measure train 5 python3 "$programs/train_time.py"
say "measured"

# Never ends: the launch is written before the driver is called. Last, because it occupies the GPU.
record triton-hang 25 python3 "$programs/triton_own.py" hang
say "the kernel that hangs was stopped"
python3 "$here/pack.py" "$work/raw" "$OUT" >>"$log" 2>&1
say "packed"
tail -c 6000 "$log"
