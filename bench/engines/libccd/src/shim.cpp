// libccd. It has no shapes: the support callbacks below are ours, a linear scan for hulls.

#include "gjk_bench.hpp"

#include <ccd/ccd.h>

#include <cmath>
#include <string>
#include <vector>

namespace gjk_bench {

namespace {

struct Body {
    Kind kind;
    double size[3];
    std::vector<ccd_vec3_t> vertices;
    ccd_vec3_t center; // inside, in the shape's frame
};

Body body_of(const Shape& shape) {
    if (shape.kind > HULL) unsupported(shape);
    Body body;
    body.kind = shape.kind;
    for (int i = 0; i < 3; ++i) body.size[i] = shape.size[i];
    ccdVec3Set(&body.center, 0, 0, 0);
    for (std::uint32_t i = 0; i < shape.vertex_count; ++i) {
        ccd_vec3_t vertex;
        ccdVec3Set(&vertex, shape.vertices[i][0], shape.vertices[i][1], shape.vertices[i][2]);
        body.vertices.push_back(vertex);
        ccdVec3Add(&body.center, &vertex);
    }
    if (!body.vertices.empty()) ccdVec3Scale(&body.center, 1.0 / double(body.vertices.size()));
    return body;
}

// A posed body; rows of its rotation.
struct Object {
    const Body* body;
    double rotation[3][3];
    double translation[3];
};

void to_world(const Object& object, const double (&local)[3], ccd_vec3_t* world) {
    for (int i = 0; i < 3; ++i) {
        const double* row = object.rotation[i];
        world->v[i] = row[0] * local[0] + row[1] * local[1] + row[2] * local[2] + object.translation[i];
    }
}

void hull_support(const std::vector<ccd_vec3_t>& vertices, const double (&d)[3], double (&p)[3]) {
    std::size_t best = 0;
    double most = -HUGE_VAL;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const double* v = vertices[i].v;
        const double dot = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
        if (dot > most) {
            most = dot;
            best = i;
        }
    }
    for (int i = 0; i < 3; ++i) p[i] = vertices[best].v[i];
}

// The rim of a disc of radius r around the z axis, in the direction of (x, y).
void rim(const double (&d)[3], double r, double (&p)[3]) {
    const double length = std::hypot(d[0], d[1]);
    const double scale = length > 0.0 ? r / length : 0.0;
    p[0] = scale * d[0];
    p[1] = scale * d[1];
}

void local_support(const Body& body, const double (&d)[3], double (&p)[3]) {
    const double* size = body.size;
    const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    switch (body.kind) {
    case BALL:
        for (int i = 0; i < 3; ++i) p[i] = size[0] * d[i] / length;
        break;
    case BOX:
        for (int i = 0; i < 3; ++i) p[i] = std::copysign(size[i], d[i]);
        break;
    case CAPSULE:
        for (int i = 0; i < 3; ++i) p[i] = size[1] * d[i] / length;
        p[2] += std::copysign(size[0], d[2]);
        break;
    case CYLINDER:
        rim(d, size[1], p);
        p[2] = std::copysign(size[0], d[2]);
        break;
    case CONE:
        rim(d, size[1], p);
        p[2] = -size[0];
        if (2.0 * size[0] * d[2] > std::hypot(d[0], d[1]) * size[1]) {
            p[0] = p[1] = 0.0;
            p[2] = size[0];
        }
        break;
    case ELLIPSOID: {
        const double scaled[3] = {size[0] * d[0], size[1] * d[1], size[2] * d[2]};
        const double norm = std::sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
        for (int i = 0; i < 3; ++i) p[i] = size[i] * scaled[i] / norm;
        break;
    }
    default: hull_support(body.vertices, d, p);
    }
}

void support(const void* of, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const Object& object = *static_cast<const Object*>(of);
    const double* d = direction->v;
    const auto& r = object.rotation;
    const double local[3] = {
        r[0][0] * d[0] + r[1][0] * d[1] + r[2][0] * d[2],
        r[0][1] * d[0] + r[1][1] * d[1] + r[2][1] * d[2],
        r[0][2] * d[0] + r[1][2] * d[1] + r[2][2] * d[2],
    };
    double found[3];
    local_support(*object.body, local, found);
    to_world(object, found, point);
}

void center(const void* of, ccd_vec3_t* point) {
    const Object& object = *static_cast<const Object*>(of);
    const double local[3] = {object.body->center.v[0], object.body->center.v[1], object.body->center.v[2]};
    to_world(object, local, point);
}

Object object_of(const Body& body, const Pose& pose) {
    const double x = pose.rotation[0], y = pose.rotation[1], z = pose.rotation[2], w = pose.rotation[3];
    return {&body,
            {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}},
            {pose.translation[0], pose.translation[1], pose.translation[2]}};
}

struct Step {
    Object a, b;
};

struct Result {
    double depth;
    ccd_vec3_t direction;
    bool overlap;
};

struct Libccd final : Scene {
    Query query;
    bool mpr;
    ccd_t ccd;
    std::vector<Body> bodies;
    std::vector<Step> steps;
    std::vector<Result> results;

    void pass() override {
        ccd_vec3_t position;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Object *a = &steps[i].a, *b = &steps[i].b;
            Result& result = results[i];
            if (query == BOOL) {
                result.overlap = (mpr ? ccdMPRIntersect(a, b, &ccd) : ccdGJKIntersect(a, b, &ccd)) != 0;
            } else {
                const auto penetration = mpr ? ccdMPRPenetration : ccdGJKPenetration;
                result.overlap = penetration(a, b, &ccd, &result.depth, &result.direction, &position) == 0;
            }
        }
    }

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        Answer answer;
        answer.verdict = result.overlap;
        if (query == BOOL || !result.overlap) return answer;
        answer.value = -result.depth;
        set_normal(answer.normal, result.direction.v, 1.0);
        return answer;
    }
};

} // namespace

const char* version() { return CCD_VERSION; }

std::unique_ptr<Scene> prepare(const char* engine, Query query, Mode, const Workload& workload) {
    need_dimension(workload, 3);
    auto scene = std::make_unique<Libccd>();
    scene->query = query;
    scene->mpr = engine == std::string("libccd-mpr");
    CCD_INIT(&scene->ccd);
    scene->ccd.support1 = scene->ccd.support2 = support;
    scene->ccd.center1 = scene->ccd.center2 = center;
    scene->ccd.max_iterations = 1000;
    if (engine == std::string("libccd-gjk-1e-8")) scene->ccd.epa_tolerance = 1e-8;
    for (std::size_t i = 0; i < workload.shape_count; ++i) scene->bodies.push_back(body_of(workload.shapes[i]));
    for (std::size_t i = 0; i < workload.pair_count; ++i) {
        const Pair& pair = workload.pairs[i];
        scene->steps.push_back({object_of(scene->bodies[pair.shapes[0]], pair.poses[0]),
                                object_of(scene->bodies[pair.shapes[1]], pair.poses[1])});
    }
    scene->results.resize(workload.pair_count);
    return scene;
}

} // namespace gjk_bench
