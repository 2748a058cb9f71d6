"""Triton as the recorder sees it: each launch of a kernel is written, and executed if there is a GPU."""

import functools
import os
import sys
import types
from typing import Any, Callable, Dict, Optional, Sequence

from .chips import Chip
from .launches import launch_document
from .recorder import Recorder

#: Launches without a new one after which a program that computes nothing is ended.
_MAX_REPEATED = 20_000


def patch(triton: Any, recorder: Recorder, chip: Optional[Chip]) -> None:
    """From now on launches are recorded; with a chip, kernels are compiled and not executed."""
    from triton.runtime.jit import JITFunction

    if chip is not None:
        from triton.runtime import driver

        driver.set_active(StandIn(chip))
        testing: Any = sys.modules.get("triton.testing")
        if testing is not None:
            testing.do_bench = benchmark
            testing.do_bench_cudagraph = benchmark
    execute = JITFunction.run

    @functools.wraps(execute)
    def run(self: Any, *args: Any, grid: Any, warmup: bool, **options: Any) -> Any:
        if warmup:
            return execute(self, *args, grid=grid, warmup=True, **options)
        # Hooks of the program run once: where there are some, the launch is recorded behind it.
        is_launched = chip is None and bool(getattr(self, "pre_run_hooks", None))
        kernel = execute(self, *args, grid=grid, warmup=not is_launched, **options)
        if kernel is not None:
            kernel = compiled(kernel)
            write = functools.partial(_record, recorder, self, kernel, args, options, grid)
            recorder.notify(recorder.guarded(write))
        if chip is not None:
            _end_of_loop(recorder)
        elif not is_launched:
            return execute(self, *args, grid=grid, warmup=False, **options)
        return kernel

    JITFunction.run = run


def compiled(kernel: Any) -> Any:
    """A kernel that another thread may still compile."""
    return kernel.result() if hasattr(kernel, "result") else kernel


def bound_values(function: Any, args: Sequence[Any], options: Dict[str, Any]) -> Dict[str, Any]:
    """The values of the parameters of a kernel by their names, defaults included."""
    names = list(function.arg_names)
    defaults = {}
    for param in getattr(function, "params", []):
        default = getattr(param, "default", None)
        if getattr(param, "has_default", False) and default is not None:
            defaults[param.name] = default
    named = {name: value for name, value in options.items() if name in names}
    return {**defaults, **dict(zip(names, args)), **named}


def _record(
    recorder: Recorder,
    function: Any,
    kernel: Any,
    args: Sequence[Any],
    options: Dict[str, Any],
    grid: Any,
) -> Optional[str]:
    values = bound_values(function, args, options)
    blocks = grid({**options, **values}) if callable(grid) else grid
    document = launch_document(kernel, list(function.arg_names), values, list(blocks))
    return recorder.record(kernel.asm["ptx"], document)


def _end_of_loop(recorder: Recorder) -> None:
    if recorder.repeated < _MAX_REPEATED:
        return
    recorder.note(
        f"the program was ended after {_MAX_REPEATED} launches that were recorded before: "
        "results are zeros, so that a loop on them may not end"
    )
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def benchmark(call: Callable[[], Any], *_: Any, quantiles: Optional[Sequence[float]] = None, **__: Any) -> Any:
    """Triton's do_bench without a GPU: one call, and no time."""
    call()
    return [1.0] * len(quantiles) if quantiles else 1.0


class StandIn:
    """The active driver of Triton: a GPU that compiles and executes nothing."""

    def __init__(self, chip: Chip) -> None:
        from triton.backends.compiler import GPUTarget

        self._chip = chip
        self._target = GPUTarget("cuda", chip.capability, 32)
        properties = {
            "max_shared_mem": chip.shared_per_block,
            "multiprocessor_count": chip.processors,
            "max_num_regs": 65536,
            "warpSize": 32,
            "sm_clock_rate": 1_755_000,
            "mem_clock_rate": 2_619_000,
            "mem_bus_width": 5120,
        }
        self.utils = types.SimpleNamespace(
            get_device_properties=lambda device: dict(properties),
            get_device_capability=lambda device: (chip.major, chip.minor),
            unload_module=lambda module: None,
            set_printf_fifo_size=lambda size: None,
        )

    def get_current_target(self) -> Any:
        return self._target

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, device: Any = None) -> int:
        return 0

    def get_device_capability(self, device: Any = None) -> Any:
        return (self._chip.major, self._chip.minor)

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        import torch

        return torch.cuda

    def map_python_to_cpp_type(self, kind: str) -> str:
        return kind

    def get_benchmarker(self) -> Any:
        return benchmark

    def get_empty_cache_for_benchmark(self) -> Any:
        return None

    def clear_cache(self, cache: Any) -> None:
        pass


