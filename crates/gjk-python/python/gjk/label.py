"""The command `gjk label IN OUT --shapes S.json`, also `python -m gjk.label`: Parquet to Parquet, with progress, that goes on where it ended.

Exit codes: 0 where all rows are right, 1 where some are wrong (the column `error` says what is), 2 where the input is bad, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import GjkError, RowError, Shapes

if TYPE_CHECKING:
    from .arrow import Summary

#: Seconds between two lines of progress, on a terminal and in a log.
EACH = (0.1, 10.0)


def read_shapes(path: str) -> Shapes:
    """The shapes of a JSON file; what is wrong with it is a `GjkError` that names the file."""
    try:
        return Shapes.from_json(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, GjkError) as error:
        raise GjkError(f"{path}: {error.args[0] if isinstance(error, GjkError) else error}") from None


def add_options(parser: argparse.ArgumentParser) -> None:
    """What this command and those of engines have in common."""
    parser.add_argument("src", metavar="IN", help="a file of Parquet, or a folder with some")
    parser.add_argument("dst", metavar="OUT", help="where the answers go: a file for each")
    parser.add_argument("--shapes", required=True, metavar="FILE", help="a JSON list of shapes, which rows name by their places in it")
    parser.add_argument("--what", choices=["contact", "distance", "classify"], default="contact", help="signed distance (the default), distance, or verdict alone")
    parser.add_argument("--keep-poses", action="store_true", help="keep the columns of poses")
    parser.add_argument("--restart", action="store_true", help="do files anew that are there already")


class Progress:
    """Writes how far a job is, on stderr."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.live = sys.stderr.isatty()
        self.began = self.last = time.monotonic()
        self.before = 0

    def __call__(self, summary: Summary) -> None:
        now = time.monotonic()
        if self.quiet or now - self.last < EACH[not self.live]:
            return
        self.last = now
        rate = summary.rows / max(now - self.began, 1e-9)
        share = 100 * summary.rows // max(summary.total, 1)
        line = f"{summary.rows:,} of {summary.total:,} rows ({share} %), {rate:,.0f} rows/s, {summary.wrong:,} wrong"
        print(f"\r\x1b[K{line}" if self.live else line, end="" if self.live else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leaves the line of a terminal."""
        if self.live and not self.quiet:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def tell(summary: Summary) -> int:
    """Write a summary, and return the exit code."""
    rate = summary.labelled / max(summary.seconds, 1e-9)
    again = f", {summary.skipped} of them done before" if summary.skipped else ""
    files = "1 file" if summary.files == 1 else f"{summary.files} files"
    speed = f" ({rate:,.0f} rows/s)" if summary.labelled else ""
    print(f"{files}{again}: {summary.rows:,} rows in {summary.seconds:.1f} s{speed}, {summary.wrong:,} wrong", file=sys.stderr)
    for example in summary.examples:
        print(f"  {example}", file=sys.stderr)
    if summary.wrong:
        print("  the column `error` says what is wrong with each", file=sys.stderr)
    return 1 if summary.wrong else 0


def main(arguments: Sequence[str] | None = None, prog: str = "python -m gjk.label") -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process if left out.
    prog : str, optional
        What its help calls it.

    Returns
    -------
    int
        The exit code.
    """
    parser = argparse.ArgumentParser(prog=prog, description="Answer the rows of Parquet files: verdicts, distances, points.")
    add_options(parser)
    parser.add_argument("--errors", choices=["column", "raise"], default="column", help="a wrong row has a text in the column error (the default), or ends the job")
    parser.add_argument("--threads", type=int, metavar="N", help="all processors if left out")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    given = parser.parse_args(arguments)
    progress = Progress(given.quiet)
    try:
        from .arrow import label_parquet

        summary = label_parquet(
            given.src,
            given.dst,
            read_shapes(given.shapes),
            what=given.what,
            errors=given.errors,
            threads=given.threads,
            keep_poses=given.keep_poses,
            restart=given.restart,
            progress=progress,
        )
    except GjkError as error:
        progress.end()
        print(f"error: {error.args[0]}", file=sys.stderr)
        return 1 if isinstance(error, RowError) else 2
    except ModuleNotFoundError as error:
        print(f"error: {error}: the tables need it (pip install gjk[arrow])", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        progress.end()
        print("stopped: finished files are kept; the same command goes on with the others", file=sys.stderr)
        return 130
    progress.end()
    return tell(summary)


if __name__ == "__main__":
    sys.exit(main())
