"""What programs ask of a GPU that is not here."""

import dataclasses
import json
import os
import re


@dataclasses.dataclass(frozen=True)
class Chip:
    """A GPU, as far as programs look at it."""

    name: str
    major: int
    minor: int
    processors: int
    shared_per_block: int
    threads_per_processor: int
    memory_bytes: int
    cache_bytes: int

    @property
    def capability(self) -> int:
        """90 for compute capability 9.0."""
        return 10 * self.major + self.minor


def chip_of(gpu: str) -> Chip:
    """The chip of a target such as `sm_90` or `sm_90a`."""
    with open(os.path.join(os.path.dirname(__file__), "chips.json"), encoding="utf-8") as file:
        table = json.load(file)
    name = re.sub(r"[af]$", "", gpu)
    if name not in table:
        raise ValueError(f"no GPU {gpu}: one of {', '.join(table)}")
    row = table[name]
    capability = int(name[3:])
    return Chip(
        name=f"NVIDIA {row['name']} (stand-in)",
        major=capability // 10,
        minor=capability % 10,
        processors=row["processors"],
        shared_per_block=row["sharedPerBlock"],
        threads_per_processor=row["threadsPerProcessor"],
        memory_bytes=row["memoryGigabytes"] << 30,
        cache_bytes=row["cacheMegabytes"] << 20,
    )
