// PhysX. PxGjkQuery: overlap, and proximityInfo for distance (to any reach) and for depth (at a contact distance of 0).
// The supports are ours, a linear scan for hulls; a ball is a point and a capsule a segment with a margin.

#include "gjk_bench.hpp"

#include <foundation/PxPhysicsVersion.h>
#include <foundation/PxTransform.h>
#include <geometry/PxGjkQuery.h>

#include <cmath>
#include <string>
#include <vector>

namespace gjk_bench {

namespace {

using physx::PxGjkQuery;
using physx::PxReal;
using physx::PxTransform;
using physx::PxVec3;

constexpr PxReal FAR = 1e6f;
constexpr PxReal TOLERANCE_LENGTH = 1.0f; // PxTolerancesScale's default

PxVec3 vec(const double* v) { return PxVec3(PxReal(v[0]), PxReal(v[1]), PxReal(v[2])); }

struct Point final : PxGjkQuery::Support {
    PxReal radius;
    explicit Point(double r) : radius(PxReal(r)) {}
    PxReal getMargin() const override { return radius; }
    PxVec3 supportLocal(const PxVec3&) const override { return PxVec3(0.0f); }
};

struct Segment final : PxGjkQuery::Support {
    PxReal half, radius;
    Segment(double h, double r) : half(PxReal(h)), radius(PxReal(r)) {}
    PxReal getMargin() const override { return radius; }
    PxVec3 supportLocal(const PxVec3& d) const override { return PxVec3(0, 0, std::copysign(half, d.z)); }
};

struct Box final : PxGjkQuery::Support {
    PxVec3 half;
    explicit Box(const double* h) : half(vec(h)) {}
    PxReal getMargin() const override { return 0.0f; }
    PxVec3 supportLocal(const PxVec3& d) const override {
        return PxVec3(std::copysign(half.x, d.x), std::copysign(half.y, d.y), std::copysign(half.z, d.z));
    }
};

struct Hull final : PxGjkQuery::Support {
    std::vector<PxVec3> vertices;
    explicit Hull(const Shape& shape) {
        for (std::uint32_t i = 0; i < shape.vertex_count; ++i) vertices.push_back(vec(shape.vertices[i]));
    }
    PxReal getMargin() const override { return 0.0f; }
    PxVec3 supportLocal(const PxVec3& d) const override {
        std::size_t best = 0;
        PxReal most = vertices[0].dot(d);
        for (std::size_t i = 1; i < vertices.size(); ++i) {
            const PxReal dot = vertices[i].dot(d);
            if (dot > most) {
                most = dot;
                best = i;
            }
        }
        return vertices[best];
    }
};

using Convex = std::unique_ptr<PxGjkQuery::Support>;

Convex convex_of(const Shape& shape) {
    switch (shape.kind) {
    case BALL: return std::make_unique<Point>(shape.size[0]);
    case CAPSULE: return std::make_unique<Segment>(shape.size[0], shape.size[1]);
    case BOX: return std::make_unique<Box>(shape.size);
    case HULL: return std::make_unique<Hull>(shape);
    default: unsupported(shape);
    }
}

PxTransform transform_of(const Pose& pose) {
    const double* q = pose.rotation;
    const PxReal x = PxReal(q[0]), y = PxReal(q[1]), z = PxReal(q[2]), w = PxReal(q[3]);
    return PxTransform(vec(pose.translation), physx::PxQuat(x, y, z, w));
}

struct Step {
    const PxGjkQuery::Support *a, *b;
    PxTransform at_a, at_b;
};

struct Result {
    PxVec3 a, b, axis;
    PxReal value;
    bool answered;
};

struct Physx final : Scene {
    Query query;
    std::vector<Convex> shapes;
    std::vector<Step> steps;
    std::vector<Result> results;

    void pass() override {
        const PxReal reach = query == DIST ? FAR : 0.0f;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            Result& result = results[i];
            if (query == BOOL) {
                result.answered = PxGjkQuery::overlap(*step.a, *step.b, step.at_a, step.at_b);
            } else {
                result.answered = PxGjkQuery::proximityInfo(*step.a, *step.b, step.at_a, step.at_b, reach, TOLERANCE_LENGTH,
                                                            result.a, result.b, result.axis, result.value);
            }
        }
    }

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        Answer answer;
        if (query == BOOL || !result.answered) {
            // Out of reach is apart; at any reach it is a failure, of which nothing is said.
            if (query != DIST) answer.verdict = result.answered;
            return answer;
        }
        answer.verdict = result.value <= 0.0f;
        answer.value = result.value;
        set_normal(answer.normal, &result.axis.x, -1.0);
        set_point(answer.witnesses[0], &result.a.x);
        set_point(answer.witnesses[1], &result.b.x);
        return answer;
    }
};

} // namespace

const char* version() {
    static const std::string text = std::to_string(PX_PHYSICS_VERSION_MAJOR) + "." +
                                    std::to_string(PX_PHYSICS_VERSION_MINOR) + "." +
                                    std::to_string(PX_PHYSICS_VERSION_BUGFIX);
    return text.c_str();
}

std::unique_ptr<Scene> prepare(const char*, Query query, Mode, const Workload& workload) {
    need_dimension(workload, 3);
    auto scene = std::make_unique<Physx>();
    scene->query = query;
    for (std::size_t i = 0; i < workload.shape_count; ++i) scene->shapes.push_back(convex_of(workload.shapes[i]));
    for (std::size_t i = 0; i < workload.pair_count; ++i) {
        const Pair& pair = workload.pairs[i];
        scene->steps.push_back({scene->shapes[pair.shapes[0]].get(), scene->shapes[pair.shapes[1]].get(),
                                transform_of(pair.poses[0]), transform_of(pair.poses[1])});
    }
    scene->results.resize(workload.pair_count);
    return scene;
}

} // namespace gjk_bench
