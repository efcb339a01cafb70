"""How many states of a robot are checked a second: python robot_states.py ROBOT.urdf [ROBOT.srdf] [N]."""

from __future__ import annotations

import sys
import time

import gjk


def main(urdf: str, srdf: str | None = None, count: str = "20000") -> None:
    """Check random states, and print what was found and how long it took."""
    began = time.perf_counter()
    robot = gjk.Robot.from_urdf(urdf, srdf)
    print(f"{robot}: read in {time.perf_counter() - began:.2f} s")
    q = robot.sample(int(count), seed=1)
    for clearance in (None, 0.02):
        began = time.perf_counter()
        found = robot.check(q, clearance=clearance)
        seconds = time.perf_counter() - began
        print(f"clearance {clearance}: {found}, {len(found.pairs)} pairs, {len(q) / seconds:,.0f} states/s")


if __name__ == "__main__":
    main(*sys.argv[1:])
