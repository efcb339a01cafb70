// Queries of triangle meshes, the same loops for every library: a library says how it builds a mesh and asks one pair.
//
// A library L has types Model, Pose, Result (as the library gives it) and Kept (what it lets a caller keep between queries of a pair), and
//   L(double within);  static constexpr bool KEEPS, TELLS_WITHIN;
//   static Model build(const Mesh&);  static Pose place(const gjk_bench::Pose&);
//   bool meet(const Step<L>&);  bool is_within(const Step<L>&);  Result distance(const Step<L>&, Kept&);
//   static Answer said(const Step<L>&, const Result&);

#pragma once

#include "gjk_bench.hpp"

#include <array>
#include <vector>

namespace gjk_bench {

struct Mesh {
    std::vector<std::array<double, 3>> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    explicit Mesh(const Shape& shape) {
        if (shape.kind != MESH) unsupported(shape);
        for (std::uint32_t i = 0; i < shape.vertex_count; ++i) {
            const double* at = shape.vertices[i];
            vertices.push_back({at[0], at[1], at[2]});
        }
        for (std::uint32_t i = 0; i < shape.triangle_count; ++i) {
            const std::uint32_t* corner = shape.triangles[i];
            triangles.push_back({corner[0], corner[1], corner[2]});
        }
    }
};

template <class L> struct Step {
    const typename L::Model *a, *b;
    typename L::Pose at_a, at_b;
};

template <class L> struct Surfaces final : Scene {
    Query query;
    L library;
    std::vector<Mesh> meshes; // of BUILD alone
    std::vector<typename L::Model> models;
    std::vector<Step<L>> steps;
    std::vector<typename L::Kept> kept;
    std::vector<typename L::Result> results;
    std::vector<char> verdicts;

    Surfaces(Query query, Mode mode, const Workload& workload) : query(query), library(workload.within) {
        if (mode == WARM && !L::KEEPS) throw Unsupported("nothing is kept between queries of meshes");
        if (query == WITHIN && !L::TELLS_WITHIN) throw Unsupported("no query of `closer than`");
        if (query == WITHIN && !(workload.within > 0.0)) throw Unsupported("the file says no distance");
        for (std::size_t i = 0; i < workload.shape_count; ++i) meshes.emplace_back(workload.shapes[i]);
        if (query == BUILD) return;
        for (const Mesh& mesh : meshes) models.push_back(L::build(mesh));
        meshes = {};
        kept.resize(workload.pair_count);
        for (std::size_t i = 0; i < workload.pair_count; ++i) add(workload.pairs[i], mode, workload.within, kept[i]);
        results.resize(steps.size());
        verdicts.resize(steps.size());
    }

    void add(const Pair& pair, Mode mode, double within, typename L::Kept& keep) {
        Step<L> step{&models[pair.shapes[0]], &models[pair.shapes[1]], L::place(pair.poses[0]), {}};
        if (mode == WARM) {
            Pose moved = pair.poses[1];
            moved.translation[0] += 0.1 * within;
            step.at_b = L::place(moved);
            library.distance(step, keep);
        }
        step.at_b = L::place(pair.poses[1]);
        steps.push_back(step);
    }

    void pass() override {
        const std::size_t count = steps.size();
        switch (query) {
        case BUILD:
            models.clear();
            for (const Mesh& mesh : meshes) models.push_back(L::build(mesh));
            return;
        case MEET:
            for (std::size_t i = 0; i < count; ++i) verdicts[i] = library.meet(steps[i]);
            return;
        case WITHIN:
            for (std::size_t i = 0; i < count; ++i) verdicts[i] = library.is_within(steps[i]);
            return;
        default:
            for (std::size_t i = 0; i < count; ++i) {
                typename L::Kept from = kept[i];
                results[i] = library.distance(steps[i], from);
            }
        }
    }

    Answer answer(std::size_t pair) const override {
        if (query == SURFACE_DIST) return L::said(steps[pair], results[pair]);
        Answer answer;
        answer.verdict = verdicts[pair];
        return answer;
    }
};

} // namespace gjk_bench
