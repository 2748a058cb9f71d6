"""A stand-in for Triton: a kernel is a PTX file, and launching one needs a driver that is not here."""

from . import runtime
from .runtime.jit import JITFunction

__all__ = ["jit", "runtime"]


def jit(ptx, **options):
    return lambda function: JITFunction(function, ptx, **options)
