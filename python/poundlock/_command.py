"""The command line that the wheel brings: its words, and how it is called."""

import os
import subprocess
from typing import List, Optional, Tuple

_HOME = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.path.join(_HOME, "_js", "node_modules", "poundlock")
CANNOT_RUN = 2
#: How long an interrupted command line may take to report what it knows.
_SECONDS_TO_END = 5.0


class CannotRun(Exception):
    """The command line could not do what was requested, its exit code 2: the message says why."""


def package_folder() -> str:
    """The folder of the npm package `poundlock`: in a checkout, that of its workspace."""
    source = os.path.join(_HOME, "..", "..", "packages", "poundlock")
    return _PACKAGE if os.path.isdir(_PACKAGE) else os.path.abspath(source)


def _node() -> str:
    named = os.environ.get("POUNDLOCK_NODE")
    own = os.path.join(_HOME, "_node", "node.exe" if os.name == "nt" else "node")
    node = named or own
    if not os.path.isfile(node):
        where = "POUNDLOCK_NODE names" if named else "this package has"
        raise CannotRun(f"{where} no Node: set POUNDLOCK_NODE to a Node 24 or newer")
    return node


def command(*words: object) -> List[str]:
    """The words that start `poundlock` with these arguments, for `subprocess`; no shell needed."""
    main = os.path.join(package_folder(), "bin", "poundlock.js")
    return [_node(), "--no-warnings", main, *(os.fspath(w) if isinstance(w, os.PathLike) else str(w) for w in words)]


def run(words: List[str], cwd: Optional[str] = None) -> Tuple[int, str, str]:
    """The exit code and the output of `poundlock WORDS`. Ctrl-C ends it, too."""
    process = subprocess.Popen(
        command(*words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "NO_COLOR": "1"},
    )
    try:
        out, err = process.communicate()
    except BaseException:
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    return process.returncode, out, err


def reason(text: str) -> str:
    """What the command line wrote before it ended with exit code 2."""
    lines = [line for line in text.splitlines() if line.startswith("poundlock: ")]
    return (lines[-1][len("poundlock: ") :] if lines else text.strip()) or "it wrote no reason"
