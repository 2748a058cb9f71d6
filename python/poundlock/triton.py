"""Triton: configurations of an autotuner without those that have an error, and a check of each compile."""

import inspect
import logging
import os
import tempfile
import time
import warnings
from typing import Any, Callable, Dict, List, Optional

from ._recording import check_safely, recorder_package

_log = logging.getLogger("poundlock")

#: A grid that reaches the first blocks; a kernel with a persistent loop has work in each.
_GRID = (8, 1, 1)
#: The most seconds of one check.
_SECONDS_EACH = 10.0


def prune(
    kernel: Any,
    *,
    seconds: float = 60,
    grid: Any = None,
    log: Optional[List[Any]] = None,
) -> Callable[..., List[Any]]:
    """For `prune_configs_by={"early_config_prune": poundlock.triton.prune(kernel)}`.

    Compiles each configuration, which the autotuner does anyway, and drops those of which a
    launch has an error. Undecided ones stay; so do all where every one is dropped, and those that
    `seconds` do not suffice for. `log` gets a tuple of configuration, verdict and seconds each.
    """

    def early_config_prune(configs: List[Any], named_args: Dict[str, Any], **options: Any) -> List[Any]:
        end = time.monotonic() + seconds
        kept = []
        for config in configs:
            started = time.monotonic()
            left = end - started
            verdict = "no time left" if left <= 0 else _verdict(kernel, config, named_args, options, grid, left)
            took = round(time.monotonic() - started, 2)
            _log.info("%s: %s, %.2f s", config, verdict, took)
            if log is not None:
                log.append((config, verdict, took))
            if verdict != "counterexample":
                kept.append(config)
        if not kept:
            _log.warning("every configuration has an error: none is dropped")
        return kept or list(configs)

    return early_config_prune


def _verdict(kernel: Any, config: Any, named: Dict[str, Any], options: Dict[str, Any], grid: Any, left: float) -> str:
    """A verdict, or the reason why there is none."""
    try:
        function = _jit_function(kernel)
        values = {**named, **{name: value for name, value in options.items() if name in function.arg_names}}
        words = {**values, **config.all_kwargs()}
        compiled = _compile(function, words)
        recorder_package()
        from poundlock_record.launches import launch_document
        from poundlock_record.recorder import Recorder
        from poundlock_record.triton_launches import bound_values

        bound = bound_values(function, (), words)
        blocks = grid({**words, **bound}) if callable(grid) else (grid or _GRID)
        document = launch_document(compiled, list(function.arg_names), bound, list(blocks))
        with tempfile.TemporaryDirectory(prefix="poundlock-") as folder:
            launch_file = Recorder(folder).record(compiled.asm["ptx"], document)
            if launch_file is None:
                return "not recorded"
            report = check_safely(launch_file, min(left, _SECONDS_EACH), _log)
        return "not checked" if report is None else report.verdict
    except Exception as error:  # noqa: BLE001
        _log.info("%s is not checked: %s: %s", config, type(error).__name__, error)
        return f"not checked: {type(error).__name__}: {error}"


def _jit_function(kernel: Any) -> Any:
    """The function below decorators such as `heuristics`."""
    while hasattr(kernel, "fn") and not hasattr(kernel, "params"):
        kernel = kernel.fn
    return kernel


def _compile(function: Any, words: Dict[str, Any]) -> Any:
    names = list(function.arg_names)
    options = {name: value for name, value in words.items() if name not in names}
    positional = {name: words[name] for name in names if name in words}
    # The driver of this process, or that of a stand-in, decides the target.
    compiled = function.warmup(grid=_GRID, **positional, **options)
    return compiled.result() if hasattr(compiled, "result") else compiled


def check_on_compile(mode: Optional[str] = None) -> bool:
    """Checks each kernel at its first launch: `warn` warns of an error, `error` raises.

    Unless specified, the variable POUNDLOCK_TRITON decides; without it nothing is checked. Returns
    whether kernels are checked.
    """
    mode = mode or os.environ.get("POUNDLOCK_TRITON")
    if mode not in ("warn", "error"):
        return False
    from ._recording import shared_recorder

    seen = set()

    def listener(launch_file: str) -> None:
        if launch_file in seen:
            return
        seen.add(launch_file)
        report = check_safely(launch_file, _SECONDS_EACH, _log)
        if report is None or report.exit_code != 1:
            return
        if mode == "error":
            raise KernelError(report.text)
        warnings.warn(report.text, RuntimeWarning, stacklevel=_frames_of_recorder())

    shared_recorder().listeners.append(listener)
    return True


class KernelError(Exception):
    """A launched kernel has an error: the message is what the terminal shows."""


def _frames_of_recorder() -> int:
    """How many frames are above the launch in the user's program."""
    for index, frame in enumerate(inspect.stack()):
        path = frame.filename
        if not any(part in path for part in (f"poundlock{os.sep}", "poundlock_record", f"triton{os.sep}")):
            return max(1, index)
    return 1
