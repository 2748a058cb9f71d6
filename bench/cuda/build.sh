#!/bin/bash
# Compiles bench/cuda/measure.cu for Hopper and Ada: bench/cuda/build.sh PROGRAM
here=$(cd "$(dirname "$0")" && pwd)
exec nvcc -O3 -std=c++17 --threads 0 -diag-suppress 177 \
  -gencode arch=compute_90a,code=sm_90a -gencode arch=compute_89,code=sm_89 \
  -o "$1" "$here/measure.cu"
