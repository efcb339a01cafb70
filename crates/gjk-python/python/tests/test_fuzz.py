"""A small run of `fuzz_calls.py`; its seed is fixed, so that a finding is the same on each machine."""

import subprocess
import sys
from pathlib import Path


def test_random_calls_are_answered_or_refused():
    script = Path(__file__).with_name("fuzz_calls.py")
    ran = subprocess.run([sys.executable, str(script), "--calls", "1000", "--seed", "1"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
