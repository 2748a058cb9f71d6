"""Triton: configurations of an autotuner without those that have an error, and a check of each compile."""

import inspect
import json
import logging
import os
import shutil
import tempfile
import time
import warnings
from typing import Any, Callable, Dict, List, Optional

from ._command import run
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
    fastest: Optional[int] = None,
    log: Optional[List[Any]] = None,
) -> Callable[..., List[Any]]:
    """For `prune_configs_by={"early_config_prune": poundlock.triton.prune(kernel)}`.

    Compiles each configuration, which the autotuner does anyway, and drops those of which a
    launch has an error. Undecided ones stay; so do all where every one is dropped, and those that
    `seconds` do not suffice for. `log` gets a tuple of configuration, verdict and seconds each.

    With `fastest`, so many stay of those that `simulate` can time, beside all that it cannot. That
    needs the `grid` of the launches, as a tuple or a function, since blocks decide the time.
    """
    if fastest is not None and grid is None:
        raise ValueError("fastest needs the grid of the launches: grid=(blocks, 1, 1), or a function")

    def early_config_prune(configs: List[Any], named_args: Dict[str, Any], **options: Any) -> List[Any]:
        end = time.monotonic() + seconds
        kept = []
        with tempfile.TemporaryDirectory(prefix="poundlock-") as folder:
            for index, config in enumerate(configs):
                started = time.monotonic()
                left = end - started
                to = os.path.join(folder, str(index))
                verdict = "no time left" if left <= 0 else _verdict(kernel, config, named_args, options, grid, left, to)
                took = round(time.monotonic() - started, 2)
                _log.info("%s: %s, %.2f s", config, verdict, took)
                if log is not None:
                    log.append((config, verdict, took))
                if verdict == "counterexample":
                    shutil.rmtree(to, ignore_errors=True)
                else:
                    kept.append(index)
            if fastest is not None and len(kept) > fastest:
                kept = _fastest(kept, _times(folder, end - time.monotonic()), fastest)
        if not kept:
            _log.warning("every configuration has an error: none is dropped")
        return [configs[index] for index in kept] or list(configs)

    return early_config_prune


def _fastest(kept: List[int], times: Dict[int, float], most: int) -> List[int]:
    """The configurations with the shortest times, and those without one, in their order."""
    best = set(sorted(times, key=lambda index: times[index])[:most])
    return [index for index in kept if index in best or index not in times]


def _times(folder: str, left: float) -> Dict[int, float]:
    """By the number of a configuration: predicted microseconds; nothing where time runs out."""
    launches = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names if _is_launch(name)]
    if left <= 0 or len(launches) < 2:
        return {}
    words = ["sweep", folder, "--verb", "simulate", "--json", "--job-limit", f"{max(1, round(left * 1000))}ms"]
    try:
        _, out, _ = run(words)
        rows = json.loads(out)["rows"]
    except Exception as error:  # noqa: BLE001
        _log.info("nothing is timed: %s: %s", type(error).__name__, error)
        return {}
    timed = [row for row in rows if "simulate" in row]
    return {_number_of(row["swept"]["file"]): row["simulate"]["microseconds"] for row in timed}


def _number_of(file: str) -> int:
    """Of a configuration, whose folder it names: the launches are below."""
    return int(file.replace("\\", "/").split("/")[0])


def _is_launch(name: str) -> bool:
    return name.startswith("launch") and name.endswith(".json")


def _verdict(
    kernel: Any, config: Any, named: Dict[str, Any], options: Dict[str, Any], grid: Any, left: float, folder: str
) -> str:
    """A verdict, or the reason why there is none. The folder gets the launch."""
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
