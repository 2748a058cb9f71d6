"""Launches of the examples, as a program of Triton makes them."""

import os

import triton

PTX = os.environ["POUNDLOCK_TEST_PTX"]
POINTERS = {"source": "*i32", "sums": "*i32"}


class Tensor:
    """As many words as a launch needs."""

    def __init__(self, words):
        self._words = words

    def numel(self):
        return self._words

    def element_size(self):
        return 4


@triton.jit(f"{PTX}/tile-sum.sm90a.ptx", signature=POINTERS)
def tile_sum(source, sums, tiles, BLOCK):
    pass


@triton.jit(f"{PTX}/tile-sum-early-release.sm90a.ptx", signature=POINTERS)
def early_release(source, sums, tiles, BLOCK):
    pass


def launch(kernel, tiles=4, **options):
    kernel[(1,)](Tensor(16384), Tensor(32), tiles, BLOCK=64, **options)
