"""Many objects: the pairs whose boxes meet or may be nearest are given to a callback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .geometry import CollisionObject


class DynamicAABBTreeCollisionManager:
    """Objects that are asked about together. Boxes are those of the objects as they are when it is asked: nothing needs an `update`."""

    def __init__(self) -> None:
        self._objects: dict[int, CollisionObject] = {}

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """Adds objects."""
        for obj in other_objs:
            self.registerObject(obj)

    def registerObject(self, obj: CollisionObject) -> None:
        """Adds an object."""
        self._objects[id(obj)] = obj

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Takes an object out; one that is not in it is passed over."""
        self._objects.pop(id(obj), None)

    def setup(self) -> None:
        """Nothing."""

    def update(self, arg: Any = None) -> None:
        """Nothing: see the class."""

    def getObjects(self) -> list[CollisionObject]:
        """The objects, in the order in which they were added."""
        return list(self._objects.values())

    def clear(self) -> None:
        """Takes all objects out."""
        self._objects.clear()

    def empty(self) -> bool:
        """Whether it has no object."""
        return not self._objects

    def size(self) -> int:
        """How many objects it has."""
        return len(self._objects)

    def collide(self, *args: Any) -> None:
        """`collide(cdata, callback)` asks its own pairs, `collide(object or manager, cdata, callback)` those of one of its objects and another's. The
        callback is given each pair whose boxes meet, until it returns True."""
        others, cdata, callback = self._asked(args)
        own = self.getObjects()
        pairs = _inner(own) if others is None else _across(own, others)
        for a, b in pairs:
            if callback(a, b, cdata):
                return

    def distance(self, *args: Any) -> None:
        """As `collide`; the callback returns whether it has enough and the least distance so far, and is given the pairs whose boxes are not farther
        apart than that, near ones first."""
        others, cdata, callback = self._asked(args)
        own = self.getObjects()
        boxes = _boxes(own)
        targets, of = (own, boxes) if others is None else (others, _boxes(others))
        least = np.inf
        for k, a in enumerate(own):
            first = k + 1 if others is None else 0
            gaps = _gaps(boxes[k], of[first:])
            for j in np.argsort(gaps, kind="stable"):
                if gaps[j] > least:
                    break
                done, least = callback(a, targets[first + int(j)], cdata)
                if done:
                    return

    def _asked(self, args: tuple[Any, ...]) -> tuple[list[CollisionObject] | None, Any, Callable[..., Any]]:
        if len(args) == 2:
            return None, args[0], args[1]
        if len(args) != 3:
            raise ValueError(f"expected (cdata, callback) or (object or manager, cdata, callback), and got {len(args)} parameters")
        other, cdata, callback = args
        if isinstance(other, DynamicAABBTreeCollisionManager):
            return other.getObjects(), cdata, callback
        return [other], cdata, callback


def _boxes(objects: list[CollisionObject]) -> np.ndarray:
    """The least and largest corners, (n, 2, 3)."""
    return np.array([of._bounds() for of in objects]).reshape(-1, 2, 3)


def _gaps(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How far a box and others are apart."""
    sides = np.maximum(others[:, 0] - box[1], box[0] - others[:, 1])
    gaps: np.ndarray = np.linalg.norm(np.maximum(sides, 0.0), axis=1)
    return gaps


def _meet(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.flatnonzero(((others[:, 0] <= box[1]) & (box[0] <= others[:, 1])).all(axis=1))


def _across(own: list[CollisionObject], others: list[CollisionObject]) -> Iterator[tuple[CollisionObject, CollisionObject]]:
    boxes = _boxes(others)
    for a in own:
        for j in _meet(a._bounds(), boxes):
            yield a, others[int(j)]


def _inner(own: list[CollisionObject]) -> Iterator[tuple[CollisionObject, CollisionObject]]:
    """By a sweep along x: those that begin before one ends."""
    boxes = _boxes(own)
    order = np.argsort(boxes[:, 0, 0], kind="stable")
    swept = boxes[order]
    for k, box in enumerate(swept):
        end = int(np.searchsorted(swept[:, 0, 0], box[1, 0], side="right"))
        for j in _meet(box, swept[k + 1 : end]):
            i, j = sorted((int(order[k]), int(order[k + 1 + int(j)])))
            yield own[i], own[j]
