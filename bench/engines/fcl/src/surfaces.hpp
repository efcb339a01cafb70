// FCL on triangle meshes: BVHModel<OBBRSS>, by collide and distance. It has no query of `closer than` for meshes.

#pragma once

#include "gjk_bench_surfaces.hpp"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

namespace gjk_bench {

struct FclSurfaces {
    using Model = std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>>;
    using Pose = fcl::Transform3d;
    struct Kept {};
    struct Result {
        double value;
        fcl::Vector3d points[2];
    };
    static constexpr bool KEEPS = false, TELLS_WITHIN = false;

    fcl::CollisionRequestd meeting{1, false};
    fcl::CollisionResultd met;
    fcl::DistanceRequestd asked{true};
    fcl::DistanceResultd found;

    explicit FclSurfaces(double) {}

    static Model build(const Mesh& mesh) {
        std::vector<fcl::Vector3d> points;
        points.reserve(mesh.vertices.size());
        for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
        std::vector<fcl::Triangle> triangles;
        triangles.reserve(mesh.triangles.size());
        for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
        auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
        model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
        model->addSubModel(points, triangles);
        model->endModel();
        return model;
    }

    static Pose place(const gjk_bench::Pose& pose) {
        const double* q = pose.rotation;
        Pose transform = Pose::Identity();
        transform.linear() = Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
        transform.translation() = fcl::Vector3d(pose.translation[0], pose.translation[1], pose.translation[2]);
        return transform;
    }

    bool meet(const Step<FclSurfaces>& step) {
        met.clear();
        fcl::collide(step.a->get(), step.at_a, step.b->get(), step.at_b, meeting, met);
        return met.isCollision();
    }

    bool is_within(const Step<FclSurfaces>&) { return false; }

    Result distance(const Step<FclSurfaces>& step, Kept&) {
        found.clear();
        const double value = fcl::distance(step.a->get(), step.at_a, step.b->get(), step.at_b, asked, found);
        return {value, {found.nearest_points[0], found.nearest_points[1]}};
    }

    static Answer said(const Step<FclSurfaces>&, const Result& result) {
        Answer answer;
        answer.verdict = result.value <= 0.0;
        answer.value = result.value;
        for (int k = 0; k < 2; ++k) set_point(answer.witnesses[k], result.points[k]);
        return answer;
    }
};

} // namespace gjk_bench
