// FCL. `fcl-libccd` and `fcl-indep`: collide for overlap and depth, distance with witness points, by either solver.
// `fcl-signed`: distance with enable_signed_distance, for depth too.

#include "surfaces.hpp"

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <string>
#include <vector>

namespace gjk_bench {

namespace {

using Vector = fcl::Vector3d;
using Transform = fcl::Transform3d;
using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry hull_of(const Shape& shape) {
    auto vertices = std::make_shared<std::vector<Vector>>();
    for (std::uint32_t i = 0; i < shape.vertex_count; ++i) {
        vertices->emplace_back(shape.vertices[i][0], shape.vertices[i][1], shape.vertices[i][2]);
    }
    auto faces = std::make_shared<std::vector<int>>();
    for (std::uint32_t i = 0; i < shape.triangle_count; ++i) {
        faces->push_back(3);
        for (std::uint32_t corner : shape.triangles[i]) faces->push_back(int(corner));
    }
    return std::make_shared<fcl::Convexd>(vertices, int(shape.triangle_count), faces);
}

Geometry geometry_of(const Shape& shape) {
    const double* size = shape.size;
    Geometry geometry;
    switch (shape.kind) {
    case BALL: geometry = std::make_shared<fcl::Sphered>(size[0]); break;
    case BOX: geometry = std::make_shared<fcl::Boxd>(2 * size[0], 2 * size[1], 2 * size[2]); break;
    case CAPSULE: geometry = std::make_shared<fcl::Capsuled>(size[1], 2 * size[0]); break;
    case CYLINDER: geometry = std::make_shared<fcl::Cylinderd>(size[1], 2 * size[0]); break;
    case CONE: geometry = std::make_shared<fcl::Coned>(size[1], 2 * size[0]); break;
    case ELLIPSOID: geometry = std::make_shared<fcl::Ellipsoidd>(size[0], size[1], size[2]); break;
    case HULL: geometry = hull_of(shape); break;
    default: unsupported(shape);
    }
    geometry->computeLocalAABB();
    return geometry;
}

Transform transform_of(const Pose& pose) {
    const double* q = pose.rotation;
    Transform transform = Transform::Identity();
    transform.linear() = Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
    transform.translation() = Vector(pose.translation[0], pose.translation[1], pose.translation[2]);
    return transform;
}

struct Step {
    const fcl::CollisionGeometryd *a, *b;
    Transform at_a, at_b;
};

// From `distance` the points, from `collide` the normal.
struct Result {
    double value;
    Vector normal, a, b;
    bool overlap;
};

struct Fcl final : Scene {
    Query query;
    bool is_signed;
    fcl::GJKSolverType solver;
    std::vector<Geometry> geometries;
    std::vector<Step> steps;
    std::vector<Result> results;

    void pass() override {
        if (query == DIST || is_signed) distance();
        else collide();
    }

    void collide() {
        const fcl::CollisionRequestd request(1, query == PEN, 1, false, true, solver);
        fcl::CollisionResultd found;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            found.clear();
            fcl::collide(step.a, step.at_a, step.b, step.at_b, request, found);
            Result& result = results[i];
            result.overlap = found.isCollision();
            if (query == BOOL || !result.overlap) continue;
            const fcl::Contactd& contact = found.getContact(0);
            // Some colliders of GST_INDEP give it negative.
            result.value = -std::fabs(contact.penetration_depth);
            result.normal = contact.normal;
        }
    }

    void distance() {
        const fcl::DistanceRequestd request(true, is_signed, 0.0, 0.0, 1e-6, solver);
        fcl::DistanceResultd found;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            found.clear();
            const double value = fcl::distance(step.a, step.at_a, step.b, step.at_b, request, found);
            results[i] = {value, Vector::Zero(), found.nearest_points[0], found.nearest_points[1], value <= 0.0};
        }
    }

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        Answer answer;
        answer.verdict = result.overlap;
        if (query == BOOL) return answer;
        if (query == PEN && !is_signed) {
            if (!result.overlap) return answer;
            answer.value = result.value;
            set_normal(answer.normal, result.normal, 1.0);
            return answer;
        }
        // Without signed distance an overlap has no depth.
        if (result.overlap && !is_signed) return answer;
        answer.value = result.value;
        set_normal(answer.normal, Vector(result.b - result.a), result.overlap ? -1.0 : 1.0);
        set_point(answer.witnesses[0], result.a);
        set_point(answer.witnesses[1], result.b);
        return answer;
    }
};

} // namespace

const char* version() { return FCL_VERSION; }

std::unique_ptr<Scene> prepare(const char* engine, Query query, Mode mode, const Workload& workload) {
    need_dimension(workload, 3);
    if (is_of_surfaces(query)) return std::make_unique<Surfaces<FclSurfaces>>(query, mode, workload);
    auto scene = std::make_unique<Fcl>();
    scene->query = query;
    scene->is_signed = engine == std::string("fcl-signed");
    scene->solver = engine == std::string("fcl-indep") ? fcl::GST_INDEP : fcl::GST_LIBCCD;
    for (std::size_t i = 0; i < workload.shape_count; ++i) {
        scene->geometries.push_back(geometry_of(workload.shapes[i]));
    }
    for (std::size_t i = 0; i < workload.pair_count; ++i) {
        const Pair& pair = workload.pairs[i];
        scene->steps.push_back({scene->geometries[pair.shapes[0]].get(), scene->geometries[pair.shapes[1]].get(),
                                transform_of(pair.poses[0]), transform_of(pair.poses[1])});
    }
    scene->results.resize(workload.pair_count);
    return scene;
}

} // namespace gjk_bench
