"""The command that comes with the package: its answers, its exit codes, Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


def gjk(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "gjk", *arguments], input=given, capture_output=True, text=True, encoding="utf-8")


def test_the_first_command_says_what_the_readme_says() -> None:
    told = re.search(r"<!-- first-command -->\n```console\n\$ cargo run -- check\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert told is not None
    ran = gjk("check")
    assert ran.returncode == 1
    assert ran.stdout == told[1]


def test_a_query_is_answered_with_its_proof() -> None:
    line = {"id": "1", "a": {"shape": "ball", "radius": 1}, "b": {"shape": "ball", "radius": 1, "pose": {"translation": [2, 0, 0]}}}
    ran = gjk("query", "--verify", given=json.dumps(line) + "\n")
    assert ran.returncode == 0
    answer = json.loads(ran.stdout)
    assert answer["verdict"] == "touching"
    assert answer["verified"]["verdict"]


def test_exit_codes_are_those_of_the_program() -> None:
    assert gjk("--version").returncode == 0
    assert gjk("no-such-command").returncode == 2
    assert gjk("check", "no-such-file.urdf").returncode == 2
    assert gjk().returncode == 2


def test_help_names_label_and_label_has_its_own() -> None:
    assert "label" in gjk("--help").stdout
    own = gjk("label", "--help")
    assert own.returncode == 0
    assert own.stdout.startswith("usage: gjk label")
    for color in (["--color", "never"], ["--color=always"]):
        assert gjk(*color, "label", "--help").stdout == own.stdout
    # Where it is no option of all commands, the word is none either.
    assert gjk("--color", "label").returncode == 2


#: The command where Ctrl-C is heard, also where these tests run in the background.
HEARS = "import signal, sys, gjk.__main__; signal.signal(signal.SIGINT, signal.default_int_handler); sys.exit(gjk.__main__.main(sys.argv[1:]))"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_ctrl_c_ends_a_command_that_waits() -> None:
    waits = subprocess.Popen([sys.executable, "-c", HEARS, "query"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert waits.stdin is not None and waits.stdout is not None
    try:
        waits.stdin.write(b"[]\n")
        waits.stdin.flush()
        # It has answered: it runs, and waits for the next line.
        assert waits.stdout.readline()
        waits.send_signal(signal.SIGINT)
        assert waits.wait(timeout=60) == -signal.SIGINT
    finally:
        waits.kill()
        waits.stdin.close()
        waits.stdout.close()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it looks at the threads of a process")
def test_ctrl_c_ends_a_check_with_what_was_found(tmp_path: Path) -> None:
    links = "".join(f'<link name="l{k}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>' for k in range(3))
    joint = '<joint name="j{0}" type="continuous"><parent link="l{0}"/><child link="l{1}"/><origin xyz="0.4 0 0"/><axis xyz="0 0 1"/></joint>'
    robot = tmp_path / "robot.urdf"
    robot.write_text(f'<robot name="r">{links}{joint.format(0, 1)}{joint.format(1, 2)}</robot>')
    command = [sys.executable, "-c", HEARS, "check", str(robot), "--random", "2000000", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as runs:
        try:
            # Its handler waits in a thread of that name.
            tasks = Path(f"/proc/{runs.pid}/task")
            until = time.monotonic() + 60
            while not any((task / "comm").read_text() == "ctrl-c\n" for task in tasks.iterdir()):
                assert runs.poll() is None and time.monotonic() < until
                time.sleep(0.01)
            runs.send_signal(signal.SIGINT)
            out, err = runs.communicate(timeout=300)
        finally:
            runs.kill()
    assert runs.returncode in (0, 1), err
    assert json.loads(out)["partial"] is True
