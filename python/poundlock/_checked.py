"""`@poundlock.checked`: the kernels that a function launches are checked beside it."""

import functools
import logging
import threading
import warnings
from typing import Any, Callable, List, Optional, TypeVar, overload

from ._recording import check_safely, listening, shared_recorder
from ._report import Report
from .triton import KernelError

_log = logging.getLogger("poundlock")
F = TypeVar("F", bound=Callable[..., Any])


@overload
def checked(function: F) -> F: ...
@overload
def checked(*, strict: bool = False, timeout: float = 30) -> Callable[[F], F]: ...
def checked(function: Any = None, *, strict: bool = False, timeout: float = 30) -> Any:
    """Records the Triton kernels that a function launches at its first call, and checks them.

    The checks run in the background; an error is a `RuntimeWarning`. With `strict`, the second
    call waits for them and raises `KernelError` instead of launching a kernel that has an error.
    """
    if function is None:
        return functools.partial(_decorated, strict=strict, timeout=timeout)
    return _decorated(function, strict=strict, timeout=timeout)


def _decorated(function: Any, *, strict: bool, timeout: float) -> Any:
    return functools.wraps(function)(_Checked(function, strict, timeout))


class _Checked:
    def __init__(self, function: Callable[..., Any], strict: bool, timeout: float) -> None:
        self._function = function
        self._strict = strict
        self._timeout = timeout
        self._thread: Optional[threading.Thread] = None
        self._lock = threading.Lock()
        #: One for each launch that was checked.
        self.reports: List[Report] = []

    def __get__(self, instance: Any, kind: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **options: Any) -> Any:
        with self._lock:
            is_first = self._thread is None
            if is_first:
                self._thread = threading.Thread(target=lambda: None)
        if is_first:
            return self._record(args, options)
        if self._strict:
            self.wait()
            self._raise()
        return self._function(*args, **options)

    def _record(self, args: Any, options: Any) -> Any:
        files: List[str] = []
        with listening(shared_recorder(), files.append):
            result = self._function(*args, **options)
        self._thread = threading.Thread(target=self._check, args=(list(dict.fromkeys(files)),), daemon=True)
        self._thread.start()
        return result

    def _check(self, files: List[str]) -> None:
        for file in files:
            report = check_safely(file, self._timeout, _log)
            if report is None:
                continue
            self.reports.append(report)
            _log.info("%s", report.text)
            if report.exit_code == 1 and not self._strict:
                warnings.warn(report.text, RuntimeWarning, stacklevel=2)

    def wait(self) -> None:
        """Returns when all kernels of the first call are checked."""
        if self._thread is not None and self._thread.ident is not None:
            self._thread.join()

    def _raise(self) -> None:
        for report in self.reports:
            if report.exit_code == 1:
                raise KernelError(report.text)
