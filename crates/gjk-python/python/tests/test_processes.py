"""Calls from several threads and processes at once."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import gjk
import numpy as np
import pytest


def asked(seed, threads=2):
    """The lower ends of random rows."""
    shapes = gjk.Shapes()
    hull = shapes.hull(np.random.default_rng(0).normal(size=(16, 3)))
    box = shapes.box(half_extents=(0.5, 0.5, 0.5))
    at = gjk.Poses(translation=np.random.default_rng(seed).normal(size=(600, 3)) * 2)
    return gjk.contact(shapes, hull, box, pose_b=at, threads=threads).lower


def test_eight_threads_ask_at_once():
    expected = [asked(seed, threads=1) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(asked, range(8), timeout=120))
    assert all(np.array_equal(one, other) for one, other in zip(expected, found))


def work(seed, results):
    results.put(asked(seed).tolist())


@pytest.mark.parametrize("way", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes_have_threads_of_their_own(way):
    expected = asked(5)  # a pool is there before the first fork
    context = multiprocessing.get_context(way)
    results = context.SimpleQueue()
    children = [context.Process(target=work, args=(5, results)) for _ in range(2)]
    for child in children:
        child.start()
    try:
        for child in children:
            child.join(timeout=120)
            assert child.exitcode == 0, f"a child of {way} hangs or fails: {child.exitcode}"
        assert all(np.array_equal(expected, results.get()) for _ in children)
    finally:
        for child in children:
            child.kill()
