"""Calls a function for a module as soon as it is imported."""

import importlib.abc
import importlib.util
import sys
from typing import Any, Callable, Dict

Patch = Callable[[Any], None]


def when_imported(patches: Dict[str, Patch]) -> None:
    """Modules that are there already are patched now, in the order of the table."""
    waiting = {}
    for name, patch in patches.items():
        if name in sys.modules:
            patch(sys.modules[name])
        else:
            waiting[name] = patch
    if waiting:
        sys.meta_path.insert(0, _Finder(waiting))


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, waiting: Dict[str, Patch]) -> None:
        self._waiting = waiting

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        patch = self._waiting.pop(name, None)
        if patch is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            self._waiting[name] = patch
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: Any) -> None:
            execute(module)
            patch(module)

        loader.exec_module = exec_module
        return spec
