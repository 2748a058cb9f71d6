"""Starts the command line on the Node that the wheel brings: `poundlock`, `python -m poundlock`."""

import os
import sys

from ._command import CannotRun, command


def main() -> None:
    """Replaces this process by the command line, so that signals and exit codes are its own."""
    try:
        words = command(*sys.argv[1:])
    except CannotRun as error:
        sys.stderr.write(f"poundlock: {error}\n")
        sys.exit(2)
    if os.name == "posix":
        os.execv(words[0], words)
    import subprocess

    process = subprocess.Popen(words)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:  # both processes got it: the command line reports what it knows
            continue


if __name__ == "__main__":
    main()
