"""From a JSON document to the dataclasses of `documents`: `ptxLine` is `ptx_line`."""

import dataclasses
import functools
import re
import typing
from typing import Any, Dict, Type, TypeVar

T = TypeVar("T")


def decode(kind: Type[T], value: Dict[str, Any]) -> T:
    """An object of a dataclass. Fields that the class lacks are left out."""
    return typing.cast(T, _decoded(kind, value))


@functools.lru_cache(maxsize=None)
def _hints(kind: type) -> Dict[str, Any]:
    return typing.get_type_hints(kind)


def _snake(name: str) -> str:
    return re.sub(r"([a-z\d])([A-Z])", r"\1_\2", name).lower()


def _decoded(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    origin = typing.get_origin(kind)
    if origin is list:
        (item,) = typing.get_args(kind)
        return [_decoded(item, each) for each in value] if isinstance(value, list) else value
    if origin is dict:
        _, item = typing.get_args(kind)
        return {key: _decoded(item, each) for key, each in value.items()}
    if origin is typing.Union:
        # Only `Optional` has a class: all other unions are of simple values.
        kinds = [each for each in typing.get_args(kind) if dataclasses.is_dataclass(each) or typing.get_origin(each)]
        return _decoded(kinds[0], value) if len(kinds) == 1 else value
    if not dataclasses.is_dataclass(kind) or not isinstance(value, dict):
        return value
    hints = _hints(kind)
    fields = {}
    for key, each in value.items():
        name = _snake(key)
        name = name if name in hints else f"{name}_"
        if name in hints:
            fields[name] = _decoded(hints[name], each)
    missing = [f.name for f in dataclasses.fields(kind) if f.name not in fields and _is_required(f)]
    return kind(**fields, **dict.fromkeys(missing))


def _is_required(field: Any) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
