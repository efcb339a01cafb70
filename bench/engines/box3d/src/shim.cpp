// Box3D. Distance and overlap: b3ShapeDistance on the vertices as given, with the simplex cache kept on a warm track.
// Depth: the b3Collide function of the kinds, with the SAT cache kept on a warm track; the depth is the manifold's
// smallest separation.

#include "gjk_bench.hpp"

#include <box3d/box3d.h>
#include <box3d/collision.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace gjk_bench {

namespace {

struct Body {
    Kind kind; // BALL, CAPSULE or HULL
    std::vector<b3Vec3> points;
    float radius = 0.0f;
    b3Sphere sphere = {};
    b3Capsule capsule = {};
    std::unique_ptr<b3BoxHull> box;
    b3HullData* built = nullptr;

    Body() = default;
    Body(const Body&) = delete;
    ~Body() {
        if (built != nullptr) b3DestroyHull(built);
    }
    const b3HullData* hull() const { return box ? &box->base : built; }
};

b3Vec3 vec(double x, double y, double z) { return {float(x), float(y), float(z)}; }

void build_box(Body& body, const Shape& shape, bool for_pen) {
    const double* half = shape.size;
    body.kind = HULL;
    for (int i = 0; i < 8; ++i) {
        body.points.push_back(vec(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]));
    }
    if (for_pen) body.box = std::make_unique<b3BoxHull>(b3MakeBoxHull(float(half[0]), float(half[1]), float(half[2])));
}

void build_hull(Body& body, const Shape& shape, bool for_pen) {
    if (shape.vertex_count > B3_MAX_HULL_VERTICES) throw Unsupported("at most 128 vertices");
    body.kind = HULL;
    for (std::uint32_t i = 0; i < shape.vertex_count; ++i) {
        body.points.push_back(vec(shape.vertices[i][0], shape.vertices[i][1], shape.vertices[i][2]));
    }
    if (!for_pen) return;
    body.built = b3CreateHull(body.points.data(), int(body.points.size()), int(body.points.size()));
    if (body.built == nullptr) throw Unsupported("b3CreateHull refuses a hull (at most 128 faces)");
}

std::unique_ptr<Body> body_of(const Shape& shape, bool for_pen) {
    auto body = std::make_unique<Body>();
    const double* size = shape.size;
    switch (shape.kind) {
    case BOX: build_box(*body, shape, for_pen); break;
    case HULL: build_hull(*body, shape, for_pen); break;
    case BALL:
        body->kind = BALL;
        body->points = {vec(0, 0, 0)};
        body->radius = float(size[0]);
        body->sphere = {body->points[0], body->radius};
        break;
    case CAPSULE:
        body->kind = CAPSULE;
        body->points = {vec(0, 0, -size[0]), vec(0, 0, size[0])};
        body->radius = float(size[1]);
        body->capsule = {body->points[0], body->points[1], body->radius};
        break;
    default: unsupported(shape);
    }
    return body;
}

b3Transform transform_of(const Pose& pose) {
    const double* q = pose.rotation;
    b3Transform transform;
    transform.p = vec(pose.translation[0], pose.translation[1], pose.translation[2]);
    transform.q.v = vec(q[0], q[1], q[2]);
    transform.q.s = float(q[3]);
    return transform;
}

struct Step {
    const Body *a, *b;
    b3Transform at_a, at_b;
};

// In the frame of A, or of B if `swapped`; then the normal points from B to A.
struct Result {
    b3Vec3 normal, a, b;
    float value;
    bool none, swapped;
};

struct Caches {
    b3SimplexCache simplex = {};
    b3SATCache sat = {};
};

// What a collider exists for: hull before capsule before ball.
void collide(b3LocalManifold& manifold, const Body& a, const Body& b, b3Transform b_in_a, Caches& caches) {
    constexpr int CAPACITY = 32;
    if (a.kind == HULL && b.kind == HULL) {
        b3CollideHulls(&manifold, CAPACITY, a.hull(), b.hull(), b_in_a, &caches.sat);
    } else if (a.kind == HULL && b.kind == CAPSULE) {
        b3CollideHullAndCapsule(&manifold, CAPACITY, a.hull(), &b.capsule, b_in_a, &caches.simplex);
    } else if (a.kind == HULL) {
        b3CollideHullAndSphere(&manifold, CAPACITY, a.hull(), &b.sphere, b_in_a, &caches.simplex);
    } else if (a.kind == CAPSULE && b.kind == CAPSULE) {
        b3CollideCapsules(&manifold, CAPACITY, &a.capsule, &b.capsule, b_in_a);
    } else if (a.kind == CAPSULE) {
        b3CollideCapsuleAndSphere(&manifold, CAPACITY, &a.capsule, &b.sphere, b_in_a);
    } else {
        b3CollideSpheres(&manifold, CAPACITY, &a.sphere, &b.sphere, b_in_a);
    }
}

int rank(Kind kind) { return kind == HULL ? 2 : kind == CAPSULE ? 1 : 0; }

struct Box3d final : Scene {
    Query query;
    bool warm;
    std::vector<std::unique_ptr<Body>> bodies;
    std::vector<Step> steps;
    std::vector<Result> results;

    void pass() override {
        if (query == PEN) return collide_all();
        b3SimplexCache cache = {};
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            b3DistanceInput input;
            input.proxyA = {step.a->points.data(), int(step.a->points.size()), step.a->radius};
            input.proxyB = {step.b->points.data(), int(step.b->points.size()), step.b->radius};
            input.transform = b3InvMulTransforms(step.at_a, step.at_b);
            input.useRadii = true;
            if (!warm) cache = {};
            const b3DistanceOutput output = b3ShapeDistance(&input, &cache, nullptr, 0);
            results[i] = {output.normal, output.pointA, output.pointB, output.distance, false, false};
        }
    }

    void collide_all() {
        Caches caches;
        b3LocalManifoldPoint points[32];
        for (std::size_t i = 0; i < steps.size(); ++i) {
            Step step = steps[i];
            const bool swapped = rank(step.a->kind) < rank(step.b->kind);
            if (swapped) {
                std::swap(step.a, step.b);
                std::swap(step.at_a, step.at_b);
            }
            if (!warm) caches = {};
            b3LocalManifold manifold = {};
            manifold.points = points;
            collide(manifold, *step.a, *step.b, b3InvMulTransforms(step.at_a, step.at_b), caches);
            Result& result = results[i];
            result.none = manifold.pointCount == 0;
            result.swapped = swapped;
            result.normal = manifold.normal;
            result.value = points[0].separation;
            for (int k = 1; k < manifold.pointCount; ++k) result.value = std::min(result.value, points[k].separation);
        }
    }

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        const b3Transform& frame = result.swapped ? steps[pair].at_b : steps[pair].at_a;
        Answer answer;
        answer.verdict = !result.none && result.value <= 0.0f;
        if (query == BOOL || result.none) return answer;
        const bool apart = result.value > 0.0f;
        if (query == PEN || apart) {
            answer.value = result.value;
            const b3Vec3 normal = b3RotateVector(frame.q, result.normal);
            set_normal(answer.normal, &normal.x, result.swapped ? -1.0 : 1.0);
        }
        if (query == DIST && apart) {
            const b3Vec3 a = b3TransformPoint(frame, result.a), b = b3TransformPoint(frame, result.b);
            set_point(answer.witnesses[0], &a.x);
            set_point(answer.witnesses[1], &b.x);
        }
        return answer;
    }
};

#include "motion.hpp"

} // namespace

const char* version() {
    static const std::string text = [] {
        const b3Version version = b3GetVersion();
        return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
               std::to_string(version.revision);
    }();
    return text.c_str();
}

std::unique_ptr<Scene> prepare(const char*, Query query, Mode mode, const Workload& workload) {
    need_dimension(workload, 3);
    if (is_of_motion(query)) return prepare_motion(query, mode, workload);
    auto scene = std::make_unique<Box3d>();
    scene->query = query;
    scene->warm = mode == WARM;
    for (std::size_t i = 0; i < workload.shape_count; ++i) {
        scene->bodies.push_back(body_of(workload.shapes[i], query == PEN));
    }
    for (std::size_t i = 0; i < workload.pair_count; ++i) {
        const Pair& pair = workload.pairs[i];
        scene->steps.push_back({scene->bodies[pair.shapes[0]].get(), scene->bodies[pair.shapes[1]].get(),
                                transform_of(pair.poses[0]), transform_of(pair.poses[1])});
    }
    scene->results.resize(workload.pair_count);
    return scene;
}

} // namespace gjk_bench
