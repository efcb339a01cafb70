// coal. Distance: coal::distance with witness points. Overlap: coal::collide without contacts and with a distance bound of
// 0, which lets GJK stop at a separating axis. Depth: coal::collide with one contact.

#include "surfaces.hpp"

#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <string>
#include <vector>

namespace gjk_bench {

namespace {

using Geometry = std::shared_ptr<coal::CollisionGeometry>;

Geometry hull_of(const Shape& shape) {
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    for (std::uint32_t i = 0; i < shape.vertex_count; ++i) {
        points->emplace_back(shape.vertices[i][0], shape.vertices[i][1], shape.vertices[i][2]);
    }
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (std::uint32_t i = 0; i < shape.triangle_count; ++i) {
        const std::uint32_t* corner = shape.triangles[i];
        triangles->emplace_back(corner[0], corner[1], corner[2]);
    }
    return std::make_shared<coal::Convex<coal::Triangle>>(points, shape.vertex_count, triangles, shape.triangle_count);
}

Geometry geometry_of(const Shape& shape) {
    const double* size = shape.size;
    Geometry geometry;
    switch (shape.kind) {
    case BALL: geometry = std::make_shared<coal::Sphere>(size[0]); break;
    case BOX: geometry = std::make_shared<coal::Box>(2 * size[0], 2 * size[1], 2 * size[2]); break;
    case CAPSULE: geometry = std::make_shared<coal::Capsule>(size[1], 2 * size[0]); break;
    case CYLINDER: geometry = std::make_shared<coal::Cylinder>(size[1], 2 * size[0]); break;
    case CONE: geometry = std::make_shared<coal::Cone>(size[1], 2 * size[0]); break;
    case ELLIPSOID: geometry = std::make_shared<coal::Ellipsoid>(size[0], size[1], size[2]); break;
    case HULL: geometry = hull_of(shape); break;
    default: unsupported(shape);
    }
    geometry->computeLocalAABB();
    return geometry;
}

coal::Transform3s transform_of(const Pose& pose) {
    const double* q = pose.rotation;
    const Eigen::Quaterniond rotation(q[3], q[0], q[1], q[2]);
    return {rotation.toRotationMatrix(), coal::Vec3s(pose.translation[0], pose.translation[1], pose.translation[2])};
}

struct Step {
    const coal::CollisionGeometry *a, *b;
    coal::Transform3s at_a, at_b;
};

struct Result {
    double value;
    coal::Vec3s normal, a, b;
    bool overlap;
};

struct Coal final : Scene {
    Query query;
    bool warm;
    coal::GJKInitialGuess guess;
    std::vector<Geometry> geometries;
    std::vector<Step> steps;
    std::vector<Result> results;

    void pass() override {
        switch (query) {
        case BOOL: return overlap();
        case DIST: return distance();
        default: return depth();
        }
    }

    void overlap() {
        coal::CollisionRequest request(coal::NO_REQUEST, 1);
        request.gjk_initial_guess = guess;
        request.distance_upper_bound = 0.0;
        coal::CollisionResult found;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            found.clear();
            coal::collide(step.a, step.at_a, step.b, step.at_b, request, found);
            results[i].overlap = found.isCollision();
        }
    }

    void distance() {
        coal::DistanceRequest request(true, true);
        request.gjk_initial_guess = guess;
        coal::DistanceResult found;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            found.clear();
            coal::distance(step.a, step.at_a, step.b, step.at_b, request, found);
            if (warm) request.updateGuess(found);
            const double value = found.min_distance;
            results[i] = {value, found.normal, found.nearest_points[0], found.nearest_points[1], value <= 0.0};
        }
    }

    void depth() {
        coal::CollisionRequest request(coal::CONTACT, 1);
        request.gjk_initial_guess = guess;
        coal::CollisionResult found;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            found.clear();
            coal::collide(step.a, step.at_a, step.b, step.at_b, request, found);
            if (warm) request.updateGuess(found);
            Result& result = results[i];
            result.overlap = found.isCollision();
            if (!result.overlap) continue;
            const coal::Contact& contact = found.getContact(0);
            result = {contact.penetration_depth, contact.normal, contact.nearest_points[0], contact.nearest_points[1], true};
        }
    }

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        Answer answer;
        answer.verdict = result.overlap;
        if (query == BOOL || (query == PEN && !result.overlap)) return answer;
        answer.value = result.value;
        set_normal(answer.normal, result.normal, 1.0);
        set_point(answer.witnesses[0], result.a);
        set_point(answer.witnesses[1], result.b);
        return answer;
    }
};

coal::GJKInitialGuess guess_of(const std::string& engine, bool warm) {
    if (warm) return coal::GJKInitialGuess::CachedGuess;
    if (engine == "coal-bvguess") return coal::GJKInitialGuess::BoundingVolumeGuess;
    return coal::GJKInitialGuess::DefaultGuess;
}

} // namespace

const char* version() { return COAL_VERSION; }

std::unique_ptr<Scene> prepare(const char* engine, Query query, Mode mode, const Workload& workload) {
    need_dimension(workload, 3);
    if (is_of_surfaces(query)) return std::make_unique<Surfaces<CoalSurfaces>>(query, mode, workload);
    auto scene = std::make_unique<Coal>();
    scene->query = query;
    scene->warm = mode == WARM;
    scene->guess = guess_of(engine, scene->warm);
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
