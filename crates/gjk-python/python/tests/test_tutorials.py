"""The tutorials, the notebooks and the front page of the site: what they show is what happens.

A tutorial is run from its first block to its last, in one folder and with one set of Python names, as its reader does. The text that this makes is the
page again, with what was printed in the place of what it says was printed; both must be the same. Blocks of Rust are tests of `xtask/tutorials`.
Of a notebook the cells are run in their order, by Python alone; `cargo xtask docs` runs it by Jupyter.

`python test_tutorials.py` writes the outputs into the pages, with `gjk` importable.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[4]
TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))
PAGES = [*TUTORIALS, ROOT / "docs/site/index.md"]
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))

BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
#: What only a reader does, or another test.
UNRUN = {"rust", "toml"}


class Reader:
    """One who does what a page says, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__main__"}
        programs = folder / ".programs"
        programs.mkdir()
        for name, arguments in (("gjk", "-m gjk "), ("python", "")):
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n', encoding="utf-8")
            (programs / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}

    def page(self, text: str) -> str:
        """The page as it is once it was done."""
        return BLOCK.sub(self.block, text)

    def block(self, found: re.Match[str]) -> str:
        language, title, body = found.groups()
        head = found[0].split("\n", 1)[0]
        if title is not None:
            (self.folder / title).write_text(body, encoding="utf-8")
        elif language == "console":
            body = "".join(self.commands(body))
        elif language == "sh":
            self.shell(body, 0)
        elif language == "python" and ">>>" in body:
            body = "".join(self.session(body))
        elif language == "python":
            exec(compile(body, "<page>", "exec"), self.names)
        else:
            assert title is not None or language in UNRUN, f"a block of {language!r} would not be run"
        return f"{head}\n{body}```"

    def commands(self, body: str) -> list[str]:
        lines = [line for line in body.splitlines() if line.startswith("$ ")]
        return [f"{line}\n{self.shell(line[2:])}" for line in lines]

    def shell(self, command: str, wanted: int | None = None) -> str:
        ran = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, encoding="utf-8")
        assert wanted is None or ran.returncode == wanted, ran.stdout + ran.stderr
        assert ran.stdout or ran.returncode == 0, ran.stderr
        # Cells of tables are filled with spaces; pages have none at the ends of lines.
        return re.sub(r" +$", "", ran.stdout, flags=re.MULTILINE)

    def session(self, body: str) -> list[str]:
        done = []
        for example in doctest.DocTestParser().get_examples(body):
            first, *rest = example.source.splitlines()
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                try:
                    exec(compile(example.source, "<page>", "single"), self.names)
                except Exception as error:  # what a page shows may be an error
                    print("Traceback (most recent call last):\n    ...")
                    print("".join(traceback.format_exception_only(error)), end="")
            done += [f">>> {first}\n", *(f"... {line}".rstrip() + "\n" for line in rest), said.getvalue()]
        return done


@pytest.mark.skipif(sys.platform == "win32", reason="its commands are for sh")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_says_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert Reader(tmp_path).page(text) == text


def test_there_is_a_tutorial_for_each_user() -> None:
    assert {page.stem for page in TUTORIALS} == {"arrays", "engine", "parts", "robot"}


def cells(notebook: Path) -> list[str]:
    """The code of a notebook that has no outputs: they are made where it is shown."""
    code = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code), "outputs are in the file"
    return ["".join(cell["source"]) for cell in code]


def last_value(cell: str, names: dict[str, Any]) -> Any:
    """Runs a cell; what a notebook would show of it."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = [last_value(cell, names) for cell in cells(notebook)]
    if notebook.stem == "robot_states":
        assert repr(shown[0]) == "Robot(robot.urdf: links 4, joints to set 2, pairs to check 3)"
        assert shown[-1]._repr_html_().startswith("<iframe")
    else:
        assert shown[-1] == ("touching", [])


if __name__ == "__main__":
    for tutorial in PAGES:
        with tempfile.TemporaryDirectory() as place:
            os.chdir(place)
            tutorial.write_text(Reader(Path(place)).page(tutorial.read_text(encoding="utf-8")), encoding="utf-8")
        print(tutorial)
