"""The types of the package: strict everywhere, and the stubs say what the compiled module has."""

import os
import subprocess
import sys
from pathlib import Path

import gjk
import pytest

SITE = Path(gjk.__file__).parents[1]
SETTINGS = Path(__file__).parents[2] / "pyproject.toml"


@pytest.mark.parametrize(
    "check",
    [
        ["mypy", "--config-file", str(SETTINGS), "--package", "gjk"],
        ["mypy.stubtest", "--mypy-config-file", str(SETTINGS), "gjk"],
    ],
    ids=lambda check: check[0],
)
def test_types(check, tmp_path):
    settings = {"MYPY_CACHE_DIR": str(tmp_path), **os.environ}
    ran = subprocess.run([sys.executable, "-m", *check], cwd=SITE, env=settings, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
