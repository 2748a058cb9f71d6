"""Writes kernels and launches: a folder for each PTX, with a file for each launch that differs."""

import hashlib
import json
import os
import re
import threading
import traceback
from typing import Any, Callable, Dict, List, Optional

_PRIVATE_FOLDER = 0o700
_MAX_NAME = 48

#: Gets the path of a launch file at each launch, also where the file was there before.
Listener = Callable[[str], None]


class Recorder:
    """Recordings of several processes may share a folder."""

    def __init__(self, folder: str, launches: int = 4) -> None:
        self.folder = folder
        self.listeners: List[Listener] = []
        #: Launches since the last one that was new.
        self.repeated = 0
        self._launches = launches
        self._written: Dict[str, Optional[str]] = {}
        self._lock = threading.Lock()

    def record(self, ptx: str, document: Dict[str, Any]) -> Optional[str]:
        """The launch file of a launch; None where the kernel has enough of them."""
        text = json.dumps(document, indent=1) + "\n"
        key = hashlib.sha256((ptx + "\0" + text).encode()).hexdigest()
        with self._lock:
            self.repeated += 1
            if key not in self._written:
                self.repeated = 0
                self._written[key] = self._write(ptx, document["kernel"], text)
            return self._written[key]

    def notify(self, path: Optional[str]) -> None:
        """Calls the listeners. What they raise is meant for the program."""
        if path is not None:
            for listener in list(self.listeners):
                listener(path)

    def note(self, message: str) -> None:
        """Something that could not be recorded: the program goes on."""
        os.makedirs(self.folder, _PRIVATE_FOLDER, exist_ok=True)
        with open(os.path.join(self.folder, f"notes-{os.getpid()}.txt"), "a", encoding="utf-8") as file:
            file.write(message.replace("\n", " ") + "\n")

    def guarded(self, action: Callable[[], Optional[str]]) -> Optional[str]:
        """No failure of the recorder is one of the program."""
        try:
            return action()
        except Exception as error:  # noqa: BLE001
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{os.path.basename(place.filename)}:{place.lineno}"
            self.note(f"a launch is missing: {type(error).__name__}: {error} ({where})")
            return None

    def _write(self, ptx: str, kernel: str, text: str) -> Optional[str]:
        name = re.sub(r"[^\w.-]", "_", kernel)[:_MAX_NAME]
        digest = hashlib.sha256(f"{kernel}\0{ptx}".encode()).hexdigest()
        folder = os.path.join(self.folder, f"{name}-{digest[:10]}")
        os.makedirs(folder, _PRIVATE_FOLDER, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "kernel.ptx")):
            _replace(os.path.join(folder, "kernel.ptx"), ptx)
        for number in range(1, self._launches + 1):
            path = os.path.join(folder, "launch.json" if number == 1 else f"launch-{number}.json")
            if _create(path, text) or _read(path) == text:
                return path
        return None


def _draft(path: str, text: str) -> str:
    draft = f"{path}.{os.getpid()}.{threading.get_ident()}.tmp"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    return draft


def _replace(path: str, text: str) -> None:
    os.replace(_draft(path, text), path)


def _create(path: str, text: str) -> bool:
    """Whether the file is new: with its whole text, or not at all."""
    draft = _draft(path, text)
    try:
        os.link(draft, path)
        return True
    except FileExistsError:
        return False
    finally:
        os.unlink(draft)


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
