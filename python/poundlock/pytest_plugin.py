"""`pytest --poundlock`: kernels that Triton launches in tests are recorded, and checked at the end.

Each launch is checked once, whatever number of tests and of workers of pytest-xdist launch it. A
test fails where a kernel that it launches has an error.
"""

import importlib.util
import json
import os
import shutil
import sys
import tempfile
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

#: What `@pytest.mark.poundlock(allow=...)` may name, and the exit codes that do not fail a test then.
_ALLOWED = {None: (0,), "possible": (0, 3), "error": (0, 1, 3)}
_SECONDS_EACH = 30.0


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("poundlock", "synchronization of GPU kernels")
    group.addoption("--poundlock", action="store_true", help="check the Triton kernels that tests launch")
    group.addoption(
        "--poundlock-gpu",
        metavar="GPU",
        help="without a GPU: compile kernels for this one, such as sm_90, and execute none",
    )


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "poundlock(allow): what the kernels of this test may have: possible, error")
    if config.getoption("--poundlock"):
        config.pluginmanager.register(_Session(config), "poundlock-session")


class _Session:
    """The recording of one process; the process that starts the workers checks all of them."""

    def __init__(self, config: Any) -> None:
        worker = getattr(config, "workerinput", None)
        self._is_worker = worker is not None
        self._has_triton = importlib.util.find_spec("triton") is not None or "triton" in sys.modules
        if worker is None:
            self._shared = tempfile.mkdtemp(prefix="poundlock-pytest-")
            os.environ["POUNDLOCK_PYTEST"] = self._shared
            self._name = "main"
        else:
            self._shared = os.environ["POUNDLOCK_PYTEST"]
            self._name = worker["workerid"]
        self._test: Optional[Any] = None
        self._rows: List[Tuple[str, str, int, float, int]] = []
        if self._has_triton:
            self._start(config.getoption("--poundlock-gpu"))

    def _start(self, gpu: Optional[str]) -> None:
        from ._recording import start

        try:
            recorder = start(os.path.join(self._shared, self._name), gpu=gpu, launches=16)
        except ValueError as error:
            raise pytest.UsageError(f"--poundlock-gpu: {error}") from None
        recorder.listeners.append(self._launched)

    def _launched(self, launch_file: str) -> None:
        """A line for each launch of each test; processes write files of their own."""
        if self._test is None:
            return
        mark = self._test.get_closest_marker("poundlock")
        allow = mark.kwargs.get("allow") if mark is not None else None
        line = {"test": self._test.nodeid, "location": self._test.location, "launch": launch_file, "allow": allow}
        with open(os.path.join(self._shared, f"tests-{self._name}.jsonl"), "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def pytest_collection_modifyitems(self, items: List[Any]) -> None:
        for item in items:
            mark = item.get_closest_marker("poundlock")
            if mark is not None and mark.kwargs.get("allow") not in _ALLOWED:
                raise pytest.UsageError(f"{item.nodeid}: allow is one of 'possible', 'error'")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self._test = item
        yield
        self._test = None

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: Any) -> Iterator[None]:
        yield
        if self._is_worker:
            return
        try:
            self._check(session)
        finally:
            shutil.rmtree(self._shared, ignore_errors=True)

    def _check(self, session: Any) -> None:
        tests: Dict[str, Dict[str, Any]] = {}
        for line in _lines(self._shared):
            key = _content(line["launch"])
            tests.setdefault(key, {"launch": line["launch"], "tests": {}})["tests"][line["test"]] = line
        for each in tests.values():
            self._check_one(session, each["launch"], list(each["tests"].values()))

    def _check_one(self, session: Any, launch_file: str, lines: List[Dict[str, Any]]) -> None:
        import logging
        import time

        from ._recording import check_safely

        started = time.monotonic()
        report = check_safely(launch_file, _SECONDS_EACH, logging.getLogger("poundlock"))
        took = time.monotonic() - started
        kernel = _kernel(launch_file)
        if report is None:
            self._rows.append((kernel, "could not be checked", 2, took, len(lines)))
            return
        # An inconclusive verdict with an error is a possible one; one without is none.
        has_error = any(finding.severity == "error" for finding in report.findings)
        code = 0 if report.exit_code == 3 and not has_error else report.exit_code
        verdict = "possible error" if code == 3 else report.verdict
        self._rows.append((kernel, verdict, report.exit_code, took, len(lines)))
        for line in lines:
            if code not in _ALLOWED[line["allow"]]:
                _fail(session, line, report.text)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._is_worker:
            return
        if not self._has_triton:
            terminalreporter.write_line("poundlock: Triton is not installed, so that no kernel was recorded")
            return
        terminalreporter.section("poundlock")
        rows = [("kernel", "verdict", "exit", "s", "tests")]
        rows += [(k, verdict, str(code), f"{s:.2f}", str(count)) for k, verdict, code, s, count in self._rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows if len(rows) > 1 else []:
            terminalreporter.write_line("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        if len(rows) == 1:
            terminalreporter.write_line("no kernel was launched")


def _lines(folder: str) -> Iterator[Dict[str, Any]]:
    for name in sorted(os.listdir(folder)):
        if name.startswith("tests-"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                yield from map(json.loads, file)


def _content(launch_file: str) -> str:
    """Folders of kernels are named by their PTX: two workers write the same launch twice."""
    with open(launch_file, encoding="utf-8") as file:
        return os.path.basename(os.path.dirname(launch_file)) + file.read()


def _kernel(launch_file: str) -> str:
    with open(launch_file, encoding="utf-8") as file:
        return str(json.load(file)["kernel"])


def _fail(session: Any, line: Dict[str, Any], text: str) -> None:
    """A failure of the test, which every reporter of pytest gets."""
    report = pytest.TestReport(
        nodeid=line["test"],
        location=(line["location"][0], line["location"][1], line["location"][2]),
        keywords={},
        outcome="failed",
        longrepr=text,
        when="call",
        sections=[],
        duration=0,
    )
    session.config.hook.pytest_runtest_logreport(report=report)
