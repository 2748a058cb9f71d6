"""What the functions of this package return."""

import dataclasses
from typing import Any, Dict, List, Literal, Optional

from . import documents
from ._decode import decode

_VERDICTS = {0: "certified", 1: "counterexample", 3: "inconclusive"}
Verdict = Literal["certified", "counterexample", "inconclusive"]


@dataclasses.dataclass(frozen=True)
class Report:
    """What `poundlock check` found."""

    #: 0 certified, 1 counterexample, 3 inconclusive: of several results the worst.
    exit_code: int
    verdict: Verdict
    #: One for each kernel and set of parameters.
    results: List[documents.Check]
    findings: List[documents.Finding]
    #: What the terminal shows.
    text: str
    #: The whole JSON document, as docs/schema/report.json describes it.
    document: Dict[str, Any] = dataclasses.field(repr=False)

    @property
    def assumptions(self) -> List[documents.Assumption]:
        """What the verdicts rest on: `poundlock explain NAME` says what each is."""
        every = [each for result in self.results for each in result.scope.assumptions]
        return list({(each.name, each.text): each for each in every}.values())

    @property
    def launch(self) -> Optional[Any]:
        """How the kernel was launched in the check, of the first result that says it."""
        named = [getattr(result, "launch", None) for result in self.results]
        return next((each for each in named if each is not None), None)


def report_of(exit_code: int, document: Dict[str, Any], text: str) -> Report:
    """The report of a JSON document."""
    results = [decode(documents.Check, each) for each in document["results"] if "error" not in each]
    return Report(
        exit_code=exit_code,
        verdict=_VERDICTS[exit_code],  # type: ignore[arg-type]
        results=results,
        findings=[decode(documents.Finding, each) for each in document["findings"]],
        text=text,
        document=document,
    )


@dataclasses.dataclass(frozen=True)
class Launch:
    """How a kernel is launched: what `poundlock launch` writes, version 1 of the format."""

    kernel: Optional[str]
    grid: Optional[List[int]]
    block: Optional[List[int]]
    cluster: Optional[List[int]]
    params: List[Dict[str, Any]]
    #: The whole file, as docs/schema/launch.json describes it.
    document: Dict[str, Any] = dataclasses.field(repr=False)


def launch_of(document: Dict[str, Any]) -> Launch:
    """A launch of its file."""
    return Launch(
        kernel=document.get("kernel"),
        grid=_triple(document.get("grid")),
        block=_triple(document.get("block")),
        cluster=_triple(document.get("cluster")),
        params=document.get("params") or [],
        document=document,
    )


def _triple(value: Any) -> Optional[List[int]]:
    if value is None:
        return None
    counts = [value] if isinstance(value, int) else list(value)
    return counts + [1] * (3 - len(counts))


@dataclasses.dataclass(frozen=True)
class Recording:
    """What `poundlock record` wrote."""

    #: That of the command.
    exit_code: int
    #: The folder of the recording: `poundlock.check` takes it.
    folder: str
    #: The folders of the kernels below it.
    kernels: List[str]
    #: What the command and the recorder wrote.
    text: str
