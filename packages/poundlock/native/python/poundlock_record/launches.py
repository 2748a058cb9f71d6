"""A launch of a compiled Triton kernel as a launch file: names, sizes and maps of its parameters."""

import dataclasses
import math
import re
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

_MAX_EXACT = 2**53
#: What Triton appends: memory for scratch, which no caller passes.
_SCRATCH_BYTES = 1 << 20
_MAP_BYTES = 128
#: The widest row of a copy through a tensor map with a swizzle.
_MAX_ROW_BYTES = 128


@dataclasses.dataclass(frozen=True)
class Slot:
    """A parameter as the PTX declares it."""

    bytes: int
    is_map: bool


def slots_of(ptx: str, kernel: str) -> List[Slot]:
    """The parameters of an entry."""
    found = re.search(r"\.entry\s+" + re.escape(kernel) + r"\s*\(([^)]*)\)", ptx)
    found = found or re.search(r"\.entry\s+[\w$]+\s*\(([^)]*)\)", ptx)
    if found is None:
        return []
    slots = []
    for text in found.group(1).split(","):
        kind = re.search(r"\.param\s.*?\.([busf])(8|16|32|64)\b", text)
        if kind is None:
            continue
        array = re.search(r"\[(\d+)\]", text)
        size = int(kind.group(2)) // 8 * (int(array.group(1)) if array else 1)
        slots.append(Slot(size, array is not None and size == _MAP_BYTES))
    return slots


def launch_document(
    kernel: Any,
    names: Sequence[str],
    values: Dict[str, Any],
    grid: Sequence[int],
) -> Dict[str, Any]:
    """The launch file. `kernel` is what Triton compiled, `values` what it was called with."""
    ptx = kernel.asm["ptx"]
    about = kernel.metadata
    slots = slots_of(ptx, about.name)
    passed = list(_passed(kernel, names, values))
    cluster = _cluster(ptx, about)
    blocks = [int(each) for each in grid] + [1] * (3 - len(grid))
    document: Dict[str, Any] = {
        "format": "poundlock-launch",
        "version": 1,
        "kernel": about.name,
        "ptx": "kernel.ptx",
        "grid": [count * size for count, size in zip(blocks, cluster)],
        "block": [_threads(ptx, about), 1, 1],
        "dynamicSharedMemory": int(getattr(about, "shared", 0)),
        "params": [
            _param(slot, *(passed[index] if index < len(passed) else (None, None)))
            for index, slot in enumerate(slots)
        ],
    }
    if cluster != [1, 1, 1]:
        document["cluster"] = cluster
    if getattr(about, "launch_cooperative_grid", False):
        document["cooperative"] = True
    if getattr(about, "launch_pdl", False):
        document["programmatic"] = True
    return document


def _threads(ptx: str, about: Any) -> int:
    found = re.search(r"\.(?:reqntid|maxntid)\s+(\d+)", ptx)
    return int(found.group(1)) if found else 32 * int(getattr(about, "num_warps", 4))


def _cluster(ptx: str, about: Any) -> List[int]:
    found = re.search(r"\.reqnctapercluster\s+([\d,\s]+)", ptx)
    if found is not None:
        counts = [int(each) for each in found.group(1).split(",") if each.strip()]
    elif getattr(about, "cluster_dims", None):
        counts = [int(each) for each in about.cluster_dims]
    else:
        counts = [int(getattr(about, "num_ctas", 1))]
    return counts + [1] * (3 - len(counts))


def _passed(kernel: Any, names: Sequence[str], values: Dict[str, Any]) -> Iterator[Tuple[Optional[str], Any]]:
    """What the caller passes for each parameter: constants are compiled in, descriptors expand."""
    signature = kernel.src.signature
    maps = iter(getattr(kernel.metadata, "tensordesc_meta", None) or [])
    for name in names:
        kind = signature.get(name)
        if kind is None or kind == "constexpr" or name in _constants(kernel):
            continue
        yield from _expanded(name, kind, values.get(name), maps)


def _constants(kernel: Any) -> Sequence[str]:
    """Names of constants, where the signature of this version of Triton lists them, too."""
    constants = getattr(kernel.src, "constants", None) or {}
    return [each for each in constants if isinstance(each, str)]


def _expanded(name: str, kind: Any, value: Any, maps: Iterator[Any]) -> Iterator[Tuple[str, Any]]:
    if isinstance(kind, tuple):
        for index, (part, own) in enumerate(zip(kind, value)):
            if part != "constexpr":
                yield from _expanded(f"{name}.{index}", part, own, maps)
    elif isinstance(kind, str) and kind.startswith("tensordesc"):
        yield name, _Map(value, next(maps, None))
        for what in ("shape", "strides"):
            for index, count in enumerate(getattr(value, what)):
                yield f"{name}.{what}[{index}]", int(count)
    else:
        yield name, value


class _Map:
    """A tensor map of a descriptor, with the box that one copy moves."""

    def __init__(self, descriptor: Any, about: Optional[Dict[str, Any]]) -> None:
        self._descriptor = descriptor
        self._about = about

    def box_bytes(self) -> Optional[int]:
        if self._about is not None:
            if self._about.get("fp4_padded") or self._about.get("is_im2col"):
                return None
            return int(math.prod(self._about["block_size"]) * int(self._about["elem_size"]))
        shape = getattr(self._descriptor, "block_shape", None)
        size = getattr(getattr(getattr(self._descriptor, "base", None), "dtype", None), "itemsize", None)
        if not shape or size is None:
            return None
        row = min(int(shape[-1]) * size, _MAX_ROW_BYTES)
        return int(math.prod(int(each) for each in shape[:-1]) * row)


def _param(slot: Slot, name: Optional[str], value: Any) -> Dict[str, Any]:
    named = {} if name is None else {"name": name}
    if slot.is_map:
        size = value.box_bytes() if isinstance(value, _Map) else None
        return {"kind": "tensormap", **named, **({} if size is None else {"boxBytes": size})}
    if isinstance(value, (bool, int)):
        return {"kind": "scalar", **named, "type": f"i{8 * slot.bytes}", "value": _exact(int(value))}
    if isinstance(value, float):
        return {"kind": "scalar", **named, "type": f"f{8 * max(slot.bytes, 2)}", "value": value}
    return {"kind": "pointer", **named, "bytes": _bytes_behind(value)}


def _exact(value: int) -> Any:
    return value if abs(value) < _MAX_EXACT else str(value)


def _bytes_behind(value: Any) -> int:
    """The bytes of a tensor from its first element to the end of its storage."""
    try:
        storage = value.untyped_storage().nbytes()
        return int(storage - value.storage_offset() * value.element_size())
    except AttributeError:
        pass
    try:
        return int(value.numel() * value.element_size())
    except AttributeError:
        return _SCRATCH_BYTES
