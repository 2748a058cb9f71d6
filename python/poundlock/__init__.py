"""Checks the synchronization of GPU kernels as built: deadlocks, races, misuse of stages."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import documents, triton
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
    "documents",
    "launch",
    "record",
    "triton",
]

#: Loaded at their first use: the command line starts without them.
_MODULES = {
    "_check": ("check", "launch", "record"),
    "_checked": ("checked",),
    "_command": ("CannotRun", "command"),
    "_report": ("Launch", "Recording", "Report"),
    "_version": ("__version__",),
}


def __getattr__(name: str) -> Any:
    if name in ("documents", "triton"):
        return importlib.import_module(f"{__name__}.{name}")
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
