"""Starts recording in a Python process of `poundlock record`, then the user's own sitecustomize."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


def _start() -> None:
    folder = os.environ.get("POUNDLOCK_RECORD_PYTHON")
    if not folder:
        return
    import poundlock_record

    launches = int(os.environ.get("POUNDLOCK_RECORD_PYTHON_LAUNCHES", "4"))
    poundlock_record.start(folder, gpu=os.environ.get("POUNDLOCK_RECORD_GPU"), launches=launches)


def _start_users_own() -> None:
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != _here]
    this = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "sitecustomize":
            raise
        if this is not None:
            sys.modules["sitecustomize"] = this


_start()
_start_users_own()
