// Bullet. `bullet-epa2`: btGjkEpaSolver2, whose Distance leaves margins to the caller. `bullet-detector`:
// btGjkPairDetector with the Voronoi simplex solver and EPA, and its separating axis kept on a warm track.
//
// A ball and a capsule are a point and a segment with a margin; every other margin is 0.

#include "gjk_bench.hpp"

#include <BulletCollision/CollisionShapes/btConvexPolyhedron.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <string>
#include <vector>

namespace gjk_bench {

namespace {

using Convex = std::unique_ptr<btConvexShape>;

btVector3 vec(const double* v) { return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])}; }

Convex hull_of(const Shape& shape) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (std::uint32_t i = 0; i < shape.vertex_count; ++i) hull->addPoint(vec(shape.vertices[i]), false);
    hull->recalcLocalAabb();
    return hull;
}

Convex convex_of(const Shape& shape) {
    const double* size = shape.size;
    const btScalar half = btScalar(size[0]), radius = btScalar(size[1]);
    Convex convex;
    switch (shape.kind) {
    case BALL: return std::make_unique<btSphereShape>(btScalar(size[0]));
    case CAPSULE: return std::make_unique<btCapsuleShapeZ>(radius, 2 * half);
    case BOX: convex = std::make_unique<btBoxShape>(vec(size)); break;
    case CYLINDER: convex = std::make_unique<btCylinderShapeZ>(btVector3(radius, radius, half)); break;
    case CONE: convex = std::make_unique<btConeShapeZ>(radius, 2 * half); break;
    case HULL: convex = hull_of(shape); break;
    default: unsupported(shape);
    }
    convex->setMargin(0);
    return convex;
}

btTransform transform_of(const Pose& pose) {
    const double* q = pose.rotation;
    const btScalar x = btScalar(q[0]), y = btScalar(q[1]), z = btScalar(q[2]), w = btScalar(q[3]);
    const btQuaternion rotation(x, y, z, w);
    return btTransform(rotation, vec(pose.translation));
}

struct Step {
    const btConvexShape *a, *b;
    btTransform at_a, at_b;
};

// The vector is the normal in the world, or in A's frame if `local`.
struct Result {
    btVector3 normal, a, b;
    btScalar value;
    bool answered, points, local;
};

struct Bullet : Scene {
    Query query;
    bool warm;
    std::vector<Convex> shapes;
    std::vector<Step> steps;
    std::vector<Result> results;

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        Answer answer;
        if (!result.answered) return answer;
        answer.verdict = result.value <= 0;
        answer.value = result.value;
        const btVector3 normal = result.local ? steps[pair].at_a.getBasis() * result.normal : result.normal;
        // Both solvers give it from B to A.
        set_normal(answer.normal, normal, -1.0);
        if (!result.points) return answer;
        set_point(answer.witnesses[0], result.a);
        set_point(answer.witnesses[1], result.b);
        return answer;
    }
};

struct Solver final : Bullet {
    // What Distance does not see: the radius of a ball or a capsule.
    static btScalar radius(const btConvexShape* shape) { return shape->getMargin(); }

    void pass() override {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (query == PEN) depth(steps[i], results[i]);
            else distance(steps[i], results[i]);
        }
    }

    static void depth(const Step& step, Result& result) {
        btGjkEpaSolver2::sResults found;
        const btVector3 guess = step.at_b.getOrigin() - step.at_a.getOrigin();
        result.answered = btGjkEpaSolver2::Penetration(step.a, step.at_a, step.b, step.at_b, guess, found);
        result.value = found.distance;
        result.normal = found.normal;
        result.a = found.witnesses[0];
        result.b = found.witnesses[1];
        result.points = result.local = true;
    }

    static void distance(const Step& step, Result& result) {
        btGjkEpaSolver2::sResults found;
        const btVector3 guess = step.at_b.getOrigin() - step.at_a.getOrigin();
        result.answered = btGjkEpaSolver2::Distance(step.a, step.at_a, step.b, step.at_b, guess, found);
        const btScalar a = radius(step.a), b = radius(step.b);
        const btVector3 world = found.witnesses[0] - found.witnesses[1];
        const btScalar length = world.length();
        result.local = false;
        result.points = true;
        result.value = found.distance - a - b;
        result.normal = length > 0 ? world / length : btVector3(0, 0, 0);
        result.a = found.witnesses[0] - a * result.normal;
        result.b = found.witnesses[1] + b * result.normal;
    }
};

struct Detector final : Bullet {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;

    void pass() override {
        btVector3 axis(0, 1, 0);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            btGjkPairDetector detector(step.a, step.b, &simplex, &epa);
            if (warm) detector.setCachedSeparatingAxis(axis);
            btGjkPairDetector::ClosestPointInput input;
            input.m_transformA = step.at_a;
            input.m_transformB = step.at_b;
            btPointCollector found;
            detector.getClosestPoints(input, found, nullptr);
            if (warm) axis = detector.getCachedSeparatingAxis();
            Result& result = results[i];
            result.answered = result.points = found.m_hasResult;
            result.local = false;
            result.value = found.m_distance;
            result.normal = found.m_normalOnBInWorld;
            result.b = found.m_pointInWorld;
            result.a = result.b + found.m_distance * result.normal;
        }
    }
};

} // namespace

const char* version() {
    static const std::string text = std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
    return text.c_str();
}

std::unique_ptr<Scene> prepare(const char* engine, Query query, Mode mode, const Workload& workload) {
    need_dimension(workload, 3);
    std::unique_ptr<Bullet> scene;
    if (engine == std::string("bullet-epa2")) scene = std::make_unique<Solver>();
    else scene = std::make_unique<Detector>();
    scene->query = query;
    scene->warm = mode == WARM;
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
