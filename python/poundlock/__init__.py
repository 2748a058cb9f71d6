"""Checks the synchronization of GPU kernels as built: deadlocks, races, misuse of stages."""

from . import triton
from ._check import check, launch, record
from ._checked import checked
from ._command import CannotRun, command
from ._report import Launch, Recording, Report
from ._version import __version__

__all__ = [
    "CannotRun",
    "Launch",
    "Recording",
    "Report",
    "__version__",
    "check",
    "checked",
    "command",
    "launch",
    "record",
    "triton",
]
