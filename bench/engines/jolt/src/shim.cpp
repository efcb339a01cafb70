// Jolt Physics, as its CollideConvexVsConvex does it: in the frame of A, GJK on the cores (a ball's is a point, a
// capsule's a segment) and the radii apart, then EPA if the cores overlap. Overlap alone: GJK on the whole shapes. Calls
// to a shape's support are virtual, as in ConvexShape. Boxes and hulls have no convex radius.

#include "gjk_bench.hpp"

#include <Jolt/Jolt.h>

#include <Jolt/Geometry/AABox.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/EPAPenetrationDepth.h>
#include <Jolt/Geometry/GJKClosestPoint.h>
#include <Jolt/Geometry/RayAABox.h>
#include <Jolt/Geometry/RayCapsule.h>
#include <Jolt/Physics/Collision/ManifoldBetweenTwoFaces.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace gjk_bench {

namespace {

using JPH::Mat44;
using JPH::Vec3;
using JPH::Vec3Arg;

// cDefaultCollisionTolerance and cDefaultPenetrationTolerance in Physics/PhysicsSettings.h.
constexpr float COLLISION_TOLERANCE = 1e-4f, PENETRATION_TOLERANCE = 1e-4f;

struct Support {
    virtual ~Support() = default;
    virtual Vec3 GetSupport(Vec3Arg direction) const = 0;
};

template <class Object> struct Of final : Support {
    Object object;
    explicit Of(const Object& given) : object(given) {}
    Vec3 GetSupport(Vec3Arg direction) const override { return object.GetSupport(direction); }
};

struct Hull final : Support {
    std::vector<Vec3> vertices;
    JPH::PolygonConvexSupport<std::vector<Vec3>> object{vertices};
    Vec3 GetSupport(Vec3Arg direction) const override { return object.GetSupport(direction); }
};

struct Body {
    std::unique_ptr<Support> core;  // without the radius
    std::unique_ptr<Support> round; // with it, where there is one
    float radius = 0.0f;
    Kind kind;
    Vec3 size; // half extents, or half a capsule's length
    const Support& whole() const { return round ? *round : *core; }
};

Vec3 vec(const double* v) { return Vec3(float(v[0]), float(v[1]), float(v[2])); }

void add_radius(Body& body, double radius) {
    body.radius = float(radius);
    using Round = JPH::AddConvexRadius<Support>;
    body.round = std::make_unique<Of<Round>>(Round(*body.core, body.radius));
}

Body body_of(const Shape& shape) {
    const double* size = shape.size;
    Body body;
    body.kind = shape.kind;
    body.size = vec(size);
    auto hull = std::make_unique<Hull>();
    switch (shape.kind) {
    case BALL:
        body.core = std::make_unique<Of<JPH::PointConvexSupport>>(JPH::PointConvexSupport{Vec3::sZero()});
        add_radius(body, size[0]);
        return body;
    case BOX:
        body.core = std::make_unique<Of<JPH::AABox>>(JPH::AABox(-vec(size), vec(size)));
        return body;
    case CAPSULE:
        hull->vertices = {Vec3(0, 0, -float(size[0])), Vec3(0, 0, float(size[0]))};
        body.core = std::move(hull);
        add_radius(body, size[1]);
        return body;
    case HULL:
        for (std::uint32_t i = 0; i < shape.vertex_count; ++i) hull->vertices.push_back(vec(shape.vertices[i]));
        body.core = std::move(hull);
        return body;
    default: unsupported(shape);
    }
}

Mat44 transform_of(const Pose& pose) {
    const double* q = pose.rotation;
    const float x = float(q[0]), y = float(q[1]), z = float(q[2]), w = float(q[3]);
    const JPH::Quat rotation(x, y, z, w);
    return Mat44::sRotationTranslation(rotation, vec(pose.translation));
}

struct Step {
    const Body *a, *b;
    Mat44 at_a, at_b;
};

// In the frame of A; the normal's length means nothing.
struct Result {
    Vec3 normal, a, b;
    float value;
    bool overlap, answered;
};

using Placed = JPH::TransformedConvexObject<Support>;

Vec3 first_axis(const Mat44& relative) {
    const Vec3 axis = relative.GetTranslation();
    return axis.IsNearZero() ? Vec3::sAxisX() : axis;
}

void distance(const Body& a, const Body& b, const Mat44& relative, Vec3& axis, Result& result) {
    const Placed placed(relative, *b.core);
    JPH::GJKClosestPoint gjk;
    const float squared = gjk.GetClosestPoints(*a.core, placed, COLLISION_TOLERANCE, FLT_MAX, axis, result.a, result.b);
    const float length = std::sqrt(squared);
    result.value = length - a.radius - b.radius;
    result.overlap = result.value <= 0.0f;
    result.normal = axis;
    result.answered = squared > 0.0f;
    if (!result.answered) return;
    result.a += axis * (a.radius / length);
    result.b -= axis * (b.radius / length);
}

void depth(const Body& a, const Body& b, const Mat44& relative, Vec3& axis, Result& result) {
    using Epa = JPH::EPAPenetrationDepth;
    const Placed core(relative, *b.core);
    Epa epa;
    const Epa::EStatus status = epa.GetPenetrationDepthStepGJK(*a.core, a.radius, core, b.radius, COLLISION_TOLERANCE,
                                                               axis, result.a, result.b);
    result.overlap = status == Epa::EStatus::Colliding;
    if (status == Epa::EStatus::Indeterminate) {
        const Placed whole(relative, b.whole());
        result.overlap =
            epa.GetPenetrationDepthStepEPA(a.whole(), whole, PENETRATION_TOLERANCE, axis, result.a, result.b);
    }
    result.answered = result.overlap;
    result.normal = axis;
    if (result.overlap) result.value = -(result.b - result.a).Length();
}

struct Jolt final : Scene {
    Query query;
    bool warm;
    std::vector<Body> bodies;
    std::vector<Step> steps;
    std::vector<Result> results;

    void pass() override {
        Vec3 kept = Vec3::sZero();
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            const Mat44 relative = step.at_a.InversedRotationTranslation() * step.at_b;
            Vec3 axis = warm && !kept.IsNearZero() ? kept : first_axis(relative);
            Result& result = results[i];
            if (query == BOOL) {
                JPH::GJKClosestPoint gjk;
                const Placed b(relative, step.b->whole());
                result.overlap = gjk.Intersects(step.a->whole(), b, COLLISION_TOLERANCE, axis);
            } else if (query == DIST) {
                distance(*step.a, *step.b, relative, axis, result);
            } else {
                depth(*step.a, *step.b, relative, axis, result);
            }
            kept = axis;
        }
    }

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        Answer answer;
        answer.verdict = result.overlap;
        if (query == BOOL || !result.answered) return answer;
        const Mat44& frame = steps[pair].at_a;
        answer.value = result.value;
        set_normal(answer.normal, frame.Multiply3x3(result.normal), 1.0);
        set_point(answer.witnesses[0], frame * result.a);
        set_point(answer.witnesses[1], frame * result.b);
        return answer;
    }
};

#include "motion.hpp"

#include "manifold.hpp"

template <class S> std::unique_ptr<S> posed(Query query, const Workload& workload) {
    auto scene = std::make_unique<S>();
    scene->query = query;
    for (std::size_t i = 0; i < workload.shape_count; ++i) scene->bodies.push_back(body_of(workload.shapes[i]));
    for (std::size_t i = 0; i < workload.pair_count; ++i) {
        const Pair& pair = workload.pairs[i];
        scene->steps.push_back({&scene->bodies[pair.shapes[0]], &scene->bodies[pair.shapes[1]],
                                transform_of(pair.poses[0]), transform_of(pair.poses[1])});
    }
    scene->results.resize(workload.pair_count);
    return scene;
}

} // namespace

const char* version() {
    static const std::string text = std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
                                    std::to_string(JPH_VERSION_PATCH);
    return text.c_str();
}

std::unique_ptr<Scene> prepare(const char*, Query query, Mode mode, const Workload& workload) {
    need_dimension(workload, 3);
    if (query == MANIFOLD) {
        if (mode == WARM) throw Unsupported("nothing is kept between manifolds");
        auto scene = posed<Manifolds>(query, workload);
        scene->separation = float(workload.within);
        for (std::size_t i = 0; i < workload.shape_count; ++i) scene->solids.emplace_back(workload.shapes[i]);
        for (std::size_t i = 0; i < workload.pair_count; ++i) {
            scene->shapes.push_back({workload.pairs[i].shapes[0], workload.pairs[i].shapes[1]});
        }
        return scene;
    }
    if (is_of_motion(query)) {
        auto scene = posed<Motions>(query, workload);
        for (std::size_t i = 0; i < workload.pair_count; ++i) scene->moving.push_back(moving_of(workload.pairs[i]));
        return scene;
    }
    auto scene = posed<Jolt>(query, workload);
    scene->warm = mode == WARM;
    return scene;
}

} // namespace gjk_bench
