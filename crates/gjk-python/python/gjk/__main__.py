"""The command `gjk`, also `python -m gjk`: what the program of the same name does, and `gjk label` for tables.

`gjk --help` has all commands; `gjk label --help` is that of `gjk.label`.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

from . import _gjk

#: What `--color` takes.
COLORS = ("auto", "always", "never")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. It is meant to be all that its process does.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process if left out.

    Returns
    -------
    int
        The exit code.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    at = _after_colors(given)
    if given[at : at + 1] == ["label"]:
        from . import label

        return label.main(given[at + 1 :], prog="gjk label")
    # Python's own handler would set a flag that nobody reads until the command has ended. Where there is none, Ctrl-C is to be ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _gjk.command(["gjk", *given])


def _after_colors(given: Sequence[str]) -> int:
    """Where the command's word is: `--color` is of all commands, and `gjk label` writes none."""
    at = 0
    while at < len(given):
        if given[at] == "--color" and given[at + 1 : at + 2] and given[at + 1] in COLORS:
            at += 2
        elif given[at].startswith("--color=") and given[at].removeprefix("--color=") in COLORS:
            at += 1
        else:
            break
    return at


if __name__ == "__main__":
    sys.exit(main())
