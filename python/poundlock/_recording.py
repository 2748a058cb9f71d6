"""The recorder of Triton's launches, which the npm package has, and what is checked of it."""

import contextlib
import hashlib
import importlib
import json
import os
import sys
import tempfile
from typing import Any, Iterator, Optional

from ._check import check
from ._command import CannotRun, package_folder
from ._report import Report
from ._version import __version__

_recorder: Optional[Any] = None


def recorder_package() -> Any:
    """The package `poundlock_record`."""
    folder = os.path.join(package_folder(), "native", "python")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module("poundlock_record")


def start(folder: str, gpu: Optional[str] = None, launches: int = 4) -> Any:
    """Records from now on; with `gpu`, kernels are not executed."""
    return recorder_package().start(folder, gpu=gpu, launches=launches)


def shared_recorder() -> Any:
    """One recorder of this process for all that listens to launches; kernels are executed."""
    global _recorder
    if _recorder is None:
        _recorder = start(tempfile.mkdtemp(prefix="poundlock-launches-"))
    return _recorder


@contextlib.contextmanager
def listening(recorder: Any, listener: Any) -> Iterator[None]:
    """Calls a function with the launch file of each launch meanwhile."""
    recorder.listeners.append(listener)
    try:
        yield
    finally:
        recorder.listeners.remove(listener)


def _cache_folder() -> str:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "poundlock", f"verdicts-{__version__}")


def _key(launch_file: str, words: Any) -> str:
    digest = hashlib.sha256(json.dumps(words).encode())
    for name in ("kernel.ptx", os.path.basename(launch_file)):
        with open(os.path.join(os.path.dirname(launch_file), name), "rb") as file:
            digest.update(file.read() + b"\0")
    return digest.hexdigest()


def check_once(launch_file: str, timeout: float) -> Report:
    """The report of a recorded launch. Verdicts are kept in the user's cache.

    An inconclusive verdict is not: with more time the next one may be another.
    """
    from ._report import report_of

    path = os.path.join(_cache_folder(), _key(launch_file, []) + ".json")
    try:
        with open(path, encoding="utf-8") as file:
            stored = json.load(file)
        return report_of(stored["exit_code"], stored["document"], stored["text"])
    except (OSError, ValueError, KeyError):
        pass
    report = check(launch_file, timeout=timeout)
    if report.exit_code in (0, 1):
        stored = {"exit_code": report.exit_code, "document": report.document, "text": report.text}
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
            draft = f"{path}.{os.getpid()}.tmp"
            with open(draft, "w", encoding="utf-8") as file:
                json.dump(stored, file)
            os.replace(draft, path)
    return report


def check_safely(launch_file: str, timeout: float, log: Any) -> Optional[Report]:
    """The report, or None where there is none: the log has the reason."""
    try:
        return check_once(launch_file, timeout)
    except CannotRun as error:
        log.warning("poundlock could not check %s: %s", launch_file, error)
    except Exception as error:  # noqa: BLE001
        log.warning("poundlock failed on %s: %s: %s", launch_file, type(error).__name__, error)
    return None
