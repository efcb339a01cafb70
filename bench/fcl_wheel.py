#!/usr/bin/env python3
"""Times `meet` of our engine beside python-fcl's wheel as called: python3 fcl_wheel.py [FOLDER]

Needs `pip install python-fcl`, and the workloads and engines that `cargo xtask surfaces` leaves in target/bench, or in FOLDER. Of python-fcl only the
call of `fcl.collide` is timed, on objects that are at their poses; of ours each pose too, by the engine's program. Rounds alternate, and the median of
their ratios counts. Prints microseconds a pair, the ratio, and how many pairs collide by each.
"""

import json
import math
import pathlib
import statistics
import subprocess
import sys
import time

import fcl
import numpy

SETS = "ur5 pr2 duplex env_rob gearbox ycb noise_82k noise_328k".split()
ROUNDS = 5


def read(path):
    """The models of a workload's meshes, and its pairs as two numbers and two transforms."""
    lines = iter(path.read_text().splitlines())
    models, pairs = [], []
    for line in lines:
        word, *rest = line.split()
        if word == "mesh":
            vertices, triangles = map(int, rest[:2])
            points = numpy.array([next(lines).split() for _ in range(vertices)], dtype=float)
            faces = numpy.array([next(lines).split() for _ in range(triangles)], dtype=numpy.int64)
            model = fcl.BVHModel()
            model.beginModel(vertices, triangles)
            model.addSubModel(points, faces)
            model.endModel()
            models.append(model)
        elif word == "pairs":
            for _ in range(int(rest[0])):
                a, b, *numbers = next(lines).split()
                pose = [transform(numpy.array(numbers[k : k + 7], dtype=float)) for k in (0, 7)]
                pairs.append((int(a), int(b), *pose))
    return models, pairs


def transform(pose):
    x, y, z, w = pose[:4]
    return fcl.Transform(numpy.array([w, x, y, z]), pose[4:])


def theirs(objects):
    """Microseconds a pair, and how many collide."""
    request = fcl.CollisionRequest()
    results = [fcl.CollisionResult() for _ in objects]
    start = time.process_time_ns()
    for (a, b), result in zip(objects, results):
        fcl.collide(a, b, request, result)
    spent = time.process_time_ns() - start
    return 1e-3 * spent / len(objects), sum(result.is_collision for result in results)


def ours(program, workload, scratch):
    command = [program, "run", "gjk-mesh", "meet", workload, "20", scratch]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    hits = sum(line.split()[0] == "1" for line in scratch.read_text().splitlines())
    return 1e-3 * json.loads(told.splitlines()[-1])["ns_median"], hits


def main(folder):
    folder = pathlib.Path(folder)
    program, scratch = folder / "release/gjk", folder / "fcl_wheel.answers"
    ratios = []
    for name in SETS:
        workload = folder / f"workloads/surfaces/{name}-1.workload"
        if not workload.exists():
            print(f"{name}: no {workload}")
            continue
        models, pairs = read(workload)
        # Each object is made here, at its pose.
        objects = [(fcl.CollisionObject(models[a], at), fcl.CollisionObject(models[b], bt)) for a, b, at, bt in pairs]
        theirs(objects)
        rounds = [(theirs(objects), ours(program, workload, scratch)) for _ in range(ROUNDS)]
        ratio = statistics.median(fcl_us / our_us for (fcl_us, _), (our_us, _) in rounds)
        (fcl_us, fcl_hits), (our_us, our_hits) = rounds[-1]
        print(f"{name}: python-fcl {fcl_us:.2f} us, {fcl_hits} collide; ours {our_us:.2f} us, {our_hits}; {ratio:.1f} times", flush=True)
        ratios.append(ratio)
    print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f} times over {len(ratios)} sets, least {min(ratios):.1f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "target/bench")
