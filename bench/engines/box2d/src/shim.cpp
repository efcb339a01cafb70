// Box2D. Distance and overlap: b2ShapeDistance, both from a cold simplex cache but for a warm track. Depth:
// b2CollidePolygons, whose manifold's smallest separation is the depth.
//
// Polygons are filled in by hand, with normals as b2MakePolygon makes them: b2ComputeHull would weld near vertices.

#include "gjk_bench.hpp"

#include <box2d/box2d.h>
#include <box2d/collision.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gjk_bench {

namespace {

struct Step {
    std::size_t a, b;
    b2Transform at_a, at_b;
};

b2Vec2 at(const double (&vertex)[3]) { return {float(vertex[0]), float(vertex[1])}; }

b2Polygon polygon_of(const Shape& shape) {
    b2Polygon polygon = {};
    if (shape.kind == RECTANGLE) return b2MakeBox(float(shape.size[0]), float(shape.size[1]));
    if (shape.kind == BALL) {
        polygon.count = 1;
        polygon.radius = float(shape.size[0]);
        return polygon;
    }
    if (shape.kind != POLYGON) unsupported(shape);
    if (shape.vertex_count > B2_MAX_POLYGON_VERTICES) throw Unsupported("at most 8 vertices");
    const int count = int(shape.vertex_count);
    polygon.count = count;
    for (int i = 0; i < count; ++i) {
        polygon.vertices[i] = at(shape.vertices[i]);
        const b2Vec2 edge = b2Sub(at(shape.vertices[(i + 1) % count]), polygon.vertices[i]);
        polygon.normals[i] = b2Normalize(b2CrossVS(edge, 1.0f));
    }
    return polygon;
}

b2Transform transform_of(const Pose& pose) {
    b2Transform transform;
    transform.p = {float(pose.translation[0]), float(pose.translation[1])};
    transform.q = {float(pose.rotation[0]), float(pose.rotation[1])};
    return transform;
}

// In the frame of A, as Box2D answers.
struct Result {
    b2Vec2 normal, a, b;
    float value;
    bool none;
};

struct Box2d final : Scene {
    Query query;
    bool warm;
    std::vector<b2Polygon> polygons;
    std::vector<b2ShapeProxy> proxies;
    std::vector<Step> steps;
    std::vector<Result> results;

    void pass() override {
        if (query == PEN) return collide();
        b2SimplexCache cache = {};
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            b2DistanceInput input;
            input.proxyA = proxies[step.a];
            input.proxyB = proxies[step.b];
            input.transform = b2InvMulTransforms(step.at_a, step.at_b);
            input.useRadii = true;
            if (!warm) cache.count = 0;
            const b2DistanceOutput output = b2ShapeDistance(&input, &cache, nullptr, 0);
            results[i] = {output.normal, output.pointA, output.pointB, output.distance, false};
        }
    }

    void collide() {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            const b2Transform relative = b2InvMulTransforms(step.at_a, step.at_b);
            const b2LocalManifold manifold = b2CollidePolygons(&polygons[step.a], &polygons[step.b], relative);
            Result& result = results[i];
            result.none = manifold.pointCount == 0;
            result.normal = manifold.normal;
            result.value = manifold.points[0].separation;
            if (manifold.pointCount == 2) result.value = std::min(result.value, manifold.points[1].separation);
        }
    }

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        const b2Transform& frame = steps[pair].at_a;
        Answer answer;
        answer.verdict = !result.none && result.value <= 0.0f;
        if (query == BOOL || result.none) return answer;
        const bool apart = result.value > 0.0f;
        if (query == PEN || apart) {
            answer.value = result.value;
            const b2Vec2 normal = b2RotateVector(frame.q, result.normal);
            set_normal(answer.normal, std::vector<double>{normal.x, normal.y, 0.0}, 1.0);
        }
        if (query == DIST && apart) {
            const b2Vec2 a = b2TransformPoint(frame, result.a), b = b2TransformPoint(frame, result.b);
            set_point(answer.witnesses[0], std::vector<double>{a.x, a.y, 0.0});
            set_point(answer.witnesses[1], std::vector<double>{b.x, b.y, 0.0});
        }
        return answer;
    }
};

#include "motion.hpp"

template <class S> std::unique_ptr<S> posed(Query query, const Workload& workload) {
    auto scene = std::make_unique<S>();
    scene->query = query;
    const bool solid = query == PEN || query == MANIFOLD;
    for (std::size_t i = 0; i < workload.shape_count; ++i) {
        const b2Polygon polygon = polygon_of(workload.shapes[i]);
        if (solid && polygon.count < 3) unsupported(workload.shapes[i]);
        scene->polygons.push_back(polygon);
        scene->proxies.push_back(b2MakeProxy(polygon.vertices, polygon.count, polygon.radius));
    }
    for (std::size_t i = 0; i < workload.pair_count; ++i) {
        const Pair& pair = workload.pairs[i];
        scene->steps.push_back({pair.shapes[0], pair.shapes[1], transform_of(pair.poses[0]), transform_of(pair.poses[1])});
    }
    return scene;
}

} // namespace

const char* version() {
    static const std::string text = [] {
        const b2Version version = b2GetVersion();
        return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
               std::to_string(version.revision);
    }();
    return text.c_str();
}

std::unique_ptr<Scene> prepare(const char*, Query query, Mode mode, const Workload& workload) {
    need_dimension(workload, 2);
    if (is_of_motion(query)) {
        auto scene = posed<Motions>(query, workload);
        for (std::size_t i = 0; i < workload.pair_count; ++i) scene->moving.push_back(moving_of(workload.pairs[i]));
        scene->casts.resize(workload.pair_count);
        scene->impacts.resize(workload.pair_count);
        scene->manifolds.resize(workload.pair_count);
        return scene;
    }
    auto scene = posed<Box2d>(query, workload);
    scene->warm = mode == WARM;
    scene->results.resize(workload.pair_count);
    return scene;
}

} // namespace gjk_bench
