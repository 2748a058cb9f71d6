"""`poundlock.check`, `poundlock.launch` and `poundlock.record`."""

import json
import os
import shutil
import tempfile
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Union

from ._command import CANNOT_RUN, CannotRun, reason, run
from ._flags import Extent, Param, launch_words
from ._report import Launch, Recording, Report, launch_of, report_of

Path = Union[str, "os.PathLike[str]"]


def check(
    source: Union[Path, Sequence[Path]],
    *,
    launch: Optional[Path] = None,
    entry: Optional[str] = None,
    grid: Optional[Extent] = None,
    block: Optional[Extent] = None,
    cluster: Optional[Extent] = None,
    smem: Optional[int] = None,
    params: Optional[Mapping[Union[str, int], Param]] = None,
    accept: Sequence[str] = (),
    timeout: Optional[float] = None,
    options: Sequence[str] = (),
) -> Report:
    """Checks kernels: can any interleaving deadlock, race or misuse a stage?

    `source` is what the command line takes: a PTX file, a folder of a recording, several of them.
    `options` are more words for `poundlock check`. Seconds are the unit of `timeout`.

    Raises `CannotRun` where the command line has exit code 2.
    """
    sources = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    with _folder() as folder:
        document_file = os.path.join(folder, "report.json")
        shape = {"grid": grid, "block": block, "cluster": cluster, "smem": smem, "params": params}
        words = ["check", *(str(os.fspath(each)) for each in sources)]
        words += [*_launch_choice(launch, entry), *launch_words(sources, launch, shape, folder)]
        words += [word for name in accept for word in ("--accept", name)]
        words += [] if timeout is None else ["--timeout", _time(timeout)]
        words += [*options, "--reporter", "terminal", "--reporter", f"json={document_file}"]
        code, out, err = run(words)
        if code not in (0, 1, 3):
            raise CannotRun(reason(err or out))
        with open(document_file, encoding="utf-8") as file:
            document = json.load(file)
    return report_of(code, document, out + err)


def launch(source: Path, *, entry: Optional[str] = None) -> Launch:
    """The launch that `check` would try, as `poundlock launch` writes it."""
    with _folder() as folder:
        file = os.path.join(folder, "launch.json")
        words = ["launch", os.fspath(source), "-o", file, *_launch_choice(None, entry)]
        code, out, err = run(words)
        if code == CANNOT_RUN or not os.path.exists(file):
            raise CannotRun(reason(err or out))
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
    launches = document if isinstance(document, list) else document.get("launches")
    return launch_of(launches[0] if launches else document)


def record(
    command: Sequence[Union[str, Path]],
    *,
    gpu: Optional[str] = None,
    out: Path = "recorded",
    kernel: Optional[str] = None,
    launches: Optional[int] = None,
    options: Sequence[str] = (),
) -> Recording:
    """Records the kernels that a command launches.

    With `gpu`, such as `sm_90`, the command runs without a GPU: kernels are compiled for it and
    not executed. Raises `CannotRun` where nothing could be recorded.
    """
    words = ["record", "--out", os.fspath(out)]
    words += [] if gpu is None else ["--no-gpu", "--gpu", gpu]
    words += [] if kernel is None else ["--kernel", kernel]
    words += [] if launches is None else ["--launches", str(launches)]
    words += [*options, "--", *(str(os.fspath(each)) for each in command)]
    code, output, err = run(words)
    kernels = list(_kernels_below(os.fspath(out)))
    if code == CANNOT_RUN and not kernels:
        raise CannotRun(reason(err))
    return Recording(exit_code=code, folder=os.fspath(out), kernels=kernels, text=output + err)


def _kernels_below(folder: str) -> Iterator[str]:
    if not os.path.isdir(folder):
        return
    for name in sorted(os.listdir(folder)):
        if os.path.exists(os.path.join(folder, name, "kernel.ptx")):
            yield os.path.join(folder, name)


def _launch_choice(file: Optional[Path], entry: Optional[str]) -> List[str]:
    words = [] if file is None else ["--launch", os.fspath(file)]
    return words + ([] if entry is None else ["--entry", entry])


def _time(seconds: float) -> str:
    return f"{max(1, round(seconds * 1000))}ms"


class _folder:
    """A temporary folder; none of its files outlive the call."""

    def __enter__(self) -> str:
        self._path = tempfile.mkdtemp(prefix="poundlock-")
        return self._path

    def __exit__(self, *_: Any) -> None:
        shutil.rmtree(self._path, ignore_errors=True)
