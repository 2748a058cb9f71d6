"""PyTorch without a GPU: `cuda` is the processor, and `torch.cuda` answers for a chip."""

import contextlib
import types
from typing import Any

from .chips import Chip


def patch(torch: Any, chip: Chip) -> None:
    """Tensors on `cuda` are in the memory of the processor from now on."""
    from torch.overrides import TorchFunctionMode

    device_type = torch.device
    is_cuda = torch.Tensor.is_cuda.__get__

    def host(value: Any) -> Any:
        is_named = isinstance(value, str) and value.startswith("cuda")
        is_device = isinstance(value, device_type) and value.type == "cuda"
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return "cpu" if is_named or is_device or is_number else value

    def moved(value: Any) -> Any:
        return host(value) if isinstance(value, (str, device_type)) else value

    class OnHost(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if "device" in kwargs:
                kwargs["device"] = host(kwargs["device"])
            if function == is_cuda:
                return True
            if getattr(function, "__name__", "") in ("to", "cuda", "pin_memory"):
                if function.__name__ != "to":
                    return args[0]
                args = tuple(moved(each) for each in args)
            return function(*args, **kwargs)

    OnHost().__enter__()
    set_default_device = torch.set_default_device
    torch.set_default_device = lambda device: set_default_device(moved(device))
    torch.Tensor.cuda = lambda self, *args, **options: self
    torch.nn.Module.cuda = lambda self, *args, **options: self
    for name, value in _cuda(torch, chip).items():
        setattr(torch.cuda, name, value)


def _cuda(torch: Any, chip: Chip) -> Any:
    """What `torch.cuda` answers; streams, events and graphs do nothing."""
    properties = types.SimpleNamespace(
        name=chip.name,
        major=chip.major,
        minor=chip.minor,
        multi_processor_count=chip.processors,
        total_memory=chip.memory_bytes,
        warp_size=32,
        shared_memory_per_block=49152,
        shared_memory_per_block_optin=chip.shared_per_block,
        max_threads_per_multi_processor=chip.threads_per_processor,
        max_threads_per_block=1024,
        regs_per_multiprocessor=65536,
        L2_cache_size=chip.cache_bytes,
        gcnArchName="",
    )

    def nothing(*args: Any, **options: Any) -> None:
        return None

    def zero(*args: Any, **options: Any) -> int:
        return 0

    return {
        "is_available": lambda: True,
        "is_initialized": lambda: True,
        "is_bf16_supported": lambda *args, **options: True,
        "device_count": lambda: 1,
        "current_device": zero,
        "set_device": nothing,
        "device": lambda *args: contextlib.nullcontext(),
        "get_device_capability": lambda *args: (chip.major, chip.minor),
        "get_device_properties": lambda *args: properties,
        "get_device_name": lambda *args: chip.name,
        "synchronize": nothing,
        "empty_cache": nothing,
        "init": nothing,
        "_lazy_init": nothing,
        "manual_seed": nothing,
        "manual_seed_all": nothing,
        "memory_allocated": zero,
        "max_memory_allocated": zero,
        "memory_reserved": zero,
        "reset_peak_memory_stats": nothing,
        "mem_get_info": lambda *args: (chip.memory_bytes, chip.memory_bytes),
        "Stream": _Stream,
        "Event": _Event,
        "CUDAGraph": _Graph,
        "current_stream": lambda *args: _Stream(),
        "default_stream": lambda *args: _Stream(),
        "set_stream": nothing,
        "stream": lambda *args: contextlib.nullcontext(),
        "graph": lambda *args, **options: contextlib.nullcontext(),
    }


class _Stream:
    cuda_stream = 0
    device_index = 0

    def __init__(self, *args: Any, **options: Any) -> None:
        pass

    def query(self) -> bool:
        return True

    def _nothing(self, *args: Any, **options: Any) -> None:
        return None

    synchronize = wait_stream = wait_event = _nothing

    def record_event(self, event: Any = None) -> Any:
        return event or _Event()

    def __enter__(self) -> "_Stream":
        return self

    __exit__ = _nothing


class _Event:
    def __init__(self, *args: Any, **options: Any) -> None:
        pass

    def query(self) -> bool:
        return True

    def elapsed_time(self, end: Any) -> float:
        return 1.0

    def _nothing(self, *args: Any, **options: Any) -> None:
        return None

    record = wait = synchronize = _nothing


class _Graph:
    def _nothing(self, *args: Any, **options: Any) -> None:
        return None

    replay = reset = capture_begin = capture_end = _nothing
