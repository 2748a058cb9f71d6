"""The parts of a launch as flags of the command line: the one place that knows how they are written."""

import json
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

Extent = Union[int, Sequence[int]]
#: A number; numbers that are all tried; for a pointer, the 32-bit integers behind it.
Param = Union[int, float, range, Sequence[int]]


def launch_words(
    sources: Sequence[Any],
    launch: Optional[Any],
    shape: Mapping[str, Any],
    folder: str,
) -> List[str]:
    """`--grid --block --cluster --smem --param` for what is not None."""
    words: List[str] = []
    for name in ("grid", "block", "cluster", "smem"):
        value = shape[name]
        if value is not None:
            words += [f"--{name}", _extent(value)]
    params = shape["params"] or {}
    kinds = _Kinds(sources, launch)
    for name, value in params.items():
        words += ["--param", f"{name}={_param(name, value, kinds.of, folder)}"]
    return words


def _extent(value: Extent) -> str:
    return ",".join(map(str, [value] if isinstance(value, int) else value))


def _param(name: Union[str, int], value: Param, kind_of: Callable[..., Optional[str]], folder: str) -> str:
    if isinstance(value, range):
        if value.step == 1 and len(value) > 0:
            return f"{value[0]}..{value[-1]}"
        return ",".join(map(str, value))
    if isinstance(value, (bool, int)):
        return str(int(value))
    if isinstance(value, float):
        return repr(value)
    numbers = [int(each) for each in value]
    if kind_of(name) != "pointer":
        return ",".join(map(str, numbers))
    file = os.path.join(folder, f"contents-{len(os.listdir(folder))}.json")
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(numbers, stream)
    return f"@{file}"


class _Kinds:
    """Whether a parameter is a pointer; looked up only where a list makes it matter."""

    def __init__(self, sources: Sequence[Any], launch: Optional[Any]) -> None:
        self._sources = sources
        self._launch = launch
        self._params: Optional[List[Dict[str, Any]]] = None

    def of(self, name: Union[str, int]) -> Optional[str]:
        if self._params is None:
            self._params = self._read()
        for index, param in enumerate(self._params):
            if name in (param.get("name"), index, str(index)):
                return param.get("kind")
        return None

    def _read(self) -> List[Dict[str, Any]]:
        from ._check import launch as inferred

        if self._launch is not None:
            with open(self._launch, encoding="utf-8") as stream:
                document = json.load(stream)
            return document.get("params") or []
        return inferred(self._sources[0]).params if len(self._sources) == 1 else []
