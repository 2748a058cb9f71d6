"""Records the kernels that Triton launches in this process; with a GPU's name, without that GPU."""

from typing import Optional

from .chips import Chip, chip_of
from .importing import when_imported
from .recorder import Recorder

__all__ = ["Chip", "Recorder", "chip_of", "start"]


def start(folder: str, gpu: Optional[str] = None, launches: int = 4) -> Recorder:
    """Records from now on, or as soon as Triton is imported.

    With `gpu`, such as `sm_90`, kernels are compiled for it and not executed, and `cuda` is the
    processor.
    """
    recorder = Recorder(folder, launches)
    chip = None if gpu is None else chip_of(gpu)

    def patch_torch(module: object) -> None:
        if chip is not None:
            from . import torch_on_host

            torch_on_host.patch(module, chip)

    def patch_triton(module: object) -> None:
        from . import triton_launches

        triton_launches.patch(module, recorder, chip)

    when_imported({"torch": patch_torch, "triton": patch_triton})
    return recorder
