"""What is asked and what is found: plain data, with python-fcl's names and defaults."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


class CCDMotionType:
    """How a body goes to its other transform: along a line without turning, along a line with a turn at a constant rate, on a screw; no splines."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    """Kept for callers; `continuousCollide` has one solver."""

    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


class GJKSolverType:
    """Kept for callers; there is one solver."""

    GST_LIBCCD, GST_INDEP = range(2)


class Contact:
    """Two bodies that meet: their geometries, triangles, the normal from the first to the second, a point, and how deep."""

    def __init__(self) -> None:
        self.o1: Any = None
        self.o2: Any = None
        self.b1 = 0
        self.b2 = 0
        self.normal = np.zeros(3)
        self.pos = np.zeros(3)
        self.penetration_depth = 0.0


class CostSource:
    """Kept for callers; there are none."""

    def __init__(self) -> None:
        self.aabb_min = np.zeros(3)
        self.aabb_max = np.zeros(3)
        self.cost_density = 0.0
        self.total_cost = 0.0


class CollisionRequest:
    """How many contacts are wanted, and whether with their data."""

    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.num_max_contacts = num_max_contacts
        self.enable_contact = enable_contact
        self.num_max_cost_sources = num_max_cost_sources
        self.enable_cost = enable_cost
        self.use_approximate_cost = use_approximate_cost
        self.gjk_solver_type = gjk_solver_type


class CollisionResult:
    """Whether any pair collided, and the contacts of all calls that were given this result."""

    def __init__(self, is_collision: bool = False) -> None:
        self.is_collision = is_collision
        self.contacts: list[Contact] = []
        self.cost_sources: list[CostSource] = []


class ContinuousCollisionRequest:
    """How near to the first touch a time must be (`toc_err`, in parts of the motion), and how bodies move. The other parameters are not looked at."""

    def __init__(
        self,
        num_max_iterations: int = 10,
        toc_err: float = 0.0001,
        ccd_motion_type: int = CCDMotionType.CCDM_TRANS,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
        ccd_solver_type: int = CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    ) -> None:
        self.num_max_iterations = num_max_iterations
        self.toc_err = toc_err
        self.ccd_motion_type = ccd_motion_type
        self.gjk_solver_type = gjk_solver_type
        self.ccd_solver_type = ccd_solver_type


class ContinuousCollisionResult:
    """Whether the bodies meet on their way, and when: 0 at the start, 1 at the end."""

    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        self.is_collide = is_collide
        self.time_of_contact = time_of_contact


class DistanceRequest:
    """Whether nearest points and a signed distance are wanted."""

    def __init__(
        self,
        enable_nearest_points: bool = False,
        enable_signed_distance: bool = False,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.enable_nearest_points = enable_nearest_points
        self.enable_signed_distance = enable_signed_distance
        self.gjk_solver_type = gjk_solver_type


class DistanceResult:
    """The least distance of all calls that were given this result, and of which bodies and points it is."""

    def __init__(self, min_distance_: float = sys.float_info.max) -> None:
        self.min_distance = min_distance_
        self.nearest_points: list[Any] = [None, None]
        self.o1: Any = None
        self.o2: Any = None
        self.b1 = -1
        self.b2 = -1


class CollisionData:
    """A request and a result for the callback of a manager."""

    def __init__(self, request: CollisionRequest | None = None, result: CollisionResult | None = None) -> None:
        self.request = CollisionRequest() if request is None else request
        self.result = CollisionResult() if result is None else result
        self.done = False


class DistanceData:
    """A request and a result for the callback of a manager."""

    def __init__(self, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> None:
        self.request = DistanceRequest() if request is None else request
        self.result = DistanceResult() if result is None else result
        self.done = False
