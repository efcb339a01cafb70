// The bridge between the Rust program of an engine and its scene in C++; `src/shim/ffi.rs` mirrors the types.
//
// An engine's `shim.cpp` defines `gjk_bench::version` and `gjk_bench::prepare`; `glue.cpp` beside this file exports them.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

namespace gjk_bench {

enum Kind : std::uint32_t { BALL, BOX, CAPSULE, CYLINDER, CONE, ELLIPSOID, HULL, RECTANGLE, POLYGON, MESH };

// Sizes: ball r; box and rectangle half extents; capsule, cylinder and cone half and r (along z, apex up); ellipsoid
// radii. The vertices of a polygon are counter-clockwise, with z = 0.
struct Shape {
    double size[3];
    const double (*vertices)[3];
    const std::uint32_t (*triangles)[3];
    std::uint32_t vertex_count;
    std::uint32_t triangle_count;
    Kind kind;
};

struct Pose {
    double rotation[4]; // x y z w; in the plane cosine, sine, 0, 0
    double translation[3];
};

// In a unit of time: the origin in a straight line, and a turn about it at a constant rate, in radians along the world's axes.
struct Motion {
    double linear[3];
    double angular[3];
};

struct Pair {
    std::size_t shapes[2];
    Pose poses[2];
    Motion motions[2]; // zero where the file says none
};

struct Workload {
    const Shape* shapes;
    std::size_t shape_count;
    const Pair* pairs;
    std::size_t pair_count;
    double within; // what WITHIN asks about, and up to which a manifold has points
    std::uint32_t dimension; // 2 or 3
};

enum Query : std::uint32_t { BOOL, DIST, PEN, MEET, SURFACE_DIST, WITHIN, BUILD, RAY, CAST, CAST_BOOL, TOI, MANIFOLD };

// Of triangle meshes as they are: see gjk_bench_surfaces.hpp.
inline bool is_of_surfaces(Query query) { return query >= MEET && query <= BUILD; }

// Of moving bodies and manifolds; a ray is the motion of B's origin.
inline bool is_of_motion(Query query) { return query >= RAY; }

enum Mode : std::uint32_t { SINGLE, BATCH, COLD, WARM };

// The points of a manifold that are told.
constexpr std::size_t MANIFOLD_POINTS_MAX = 8;

constexpr double UNSAID = std::numeric_limits<double>::quiet_NaN();

// What a library says; NaN where it says nothing. Vectors are in the world, the normal points from A to B.
struct Answer {
    double verdict = UNSAID; // 0 or 1
    double value = UNSAID;   // signed distance; of a motion the time of the first contact
    double normal[3] = {UNSAID, UNSAID, UNSAID};
    double witnesses[2][3] = {{UNSAID, UNSAID, UNSAID}, {UNSAID, UNSAID, UNSAID}};
    double manifold[MANIFOLD_POINTS_MAX][2][3] = {}; // on A and on B
    std::size_t manifold_count = 0;
};

// Shapes and poses in the library's types, and its results.
struct Scene {
    virtual ~Scene() = default;
    // All pairs; the timed part. It starts cold unless the mode is WARM, and then is warm only from step to step.
    virtual void pass() = 0;
    // Of the last pass.
    virtual Answer answer(std::size_t pair) const = 0;
};

// What an engine does not do.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The library's version, from its headers where they say it.
const char* version();

// Throws Unsupported for an operation or a shape that the library does not have. The workload lives only for the call.
std::unique_ptr<Scene> prepare(const char* engine, Query query, Mode mode, const Workload& workload);

inline const char* name(Kind kind) {
    constexpr const char* NAMES[] = {"ball", "box", "capsule", "cylinder", "cone", "ellipsoid", "hull", "box", "polygon", "mesh"};
    return NAMES[kind];
}

inline void need_dimension(const Workload& workload, std::uint32_t dimension) {
    if (workload.dimension == dimension) return;
    throw Unsupported(dimension == 2 ? "only for the plane" : "only for space");
}

[[noreturn]] inline void unsupported(const Shape& shape) {
    throw Unsupported(std::string("no shape for `") + name(shape.kind) + "`");
}

// The unit vector along `from`, times `sign`; stays unsaid where `from` has no direction.
template <class Vector> void set_normal(double (&to)[3], const Vector& from, double sign) {
    const double x = from[0], y = from[1], z = from[2];
    const double length = std::sqrt(x * x + y * y + z * z);
    if (!(length > 0.0)) return;
    to[0] = sign * x / length;
    to[1] = sign * y / length;
    to[2] = sign * z / length;
}

template <class Vector> void set_point(double (&to)[3], const Vector& from) {
    for (int i = 0; i < 3; ++i) to[i] = double(from[i]);
}

} // namespace gjk_bench
