// coal on triangle meshes: BVHModel<OBBRSS>, which its users take, by collide (with a security margin for `within`) and distance.

#pragma once

#include "gjk_bench_surfaces.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

namespace gjk_bench {

struct CoalSurfaces {
    using Model = std::shared_ptr<coal::BVHModel<coal::OBBRSS>>;
    using Pose = coal::Transform3s;
    struct Kept {};
    struct Result {
        double value;
        coal::Vec3s points[2];
    };
    static constexpr bool KEEPS = false, TELLS_WITHIN = true;

    coal::CollisionRequest meeting{coal::NO_REQUEST, 1}, near{coal::NO_REQUEST, 1};
    coal::CollisionResult met;
    coal::DistanceRequest asked{true, false};
    coal::DistanceResult found;

    explicit CoalSurfaces(double within) { near.security_margin = within; }

    static Model build(const Mesh& mesh) {
        std::vector<coal::Vec3s> points;
        points.reserve(mesh.vertices.size());
        for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
        std::vector<coal::Triangle> triangles;
        triangles.reserve(mesh.triangles.size());
        for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
        auto model = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
        model->beginModel(static_cast<unsigned>(triangles.size()), static_cast<unsigned>(points.size()));
        model->addSubModel(points, triangles);
        model->endModel();
        return model;
    }

    static Pose place(const gjk_bench::Pose& pose) {
        const double* q = pose.rotation;
        return {Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix(),
                coal::Vec3s(pose.translation[0], pose.translation[1], pose.translation[2])};
    }

    bool collide(const Step<CoalSurfaces>& step, const coal::CollisionRequest& request) {
        met.clear();
        coal::collide(step.a->get(), step.at_a, step.b->get(), step.at_b, request, met);
        return met.isCollision();
    }

    bool meet(const Step<CoalSurfaces>& step) { return collide(step, meeting); }

    bool is_within(const Step<CoalSurfaces>& step) { return collide(step, near); }

    Result distance(const Step<CoalSurfaces>& step, Kept&) {
        found.clear();
        const double value = coal::distance(step.a->get(), step.at_a, step.b->get(), step.at_b, asked, found);
        return {value, {found.nearest_points[0], found.nearest_points[1]}};
    }

    static Answer said(const Step<CoalSurfaces>&, const Result& result) {
        Answer answer;
        answer.verdict = result.value <= 0.0;
        answer.value = result.value;
        for (int k = 0; k < 2; ++k) set_point(answer.witnesses[k], result.points[k]);
        return answer;
    }
};

} // namespace gjk_bench
