// MuJoCo. A model with a geom for each side of each pair, all fixed to the world, so that poses lie in mjData as the
// library keeps them; mj_geomDistance between the two. Geoms of the same hull share its mesh.

#include "gjk_bench.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gjk_bench {

namespace {

constexpr mjtNum FAR = 1e6;

struct Result {
    mjtNum value;
    mjtNum fromto[6];
};

struct Mujoco final : Scene {
    Query query;
    mjModel* model = nullptr;
    mjData* data = nullptr;
    std::vector<Result> results;

    ~Mujoco() override {
        if (data != nullptr) mj_deleteData(data);
        if (model != nullptr) mj_deleteModel(model);
    }

    // Geom 2 i is A of pair i, and 2 i + 1 is B.
    void pass() override {
        for (std::size_t i = 0; i < results.size(); ++i) {
            results[i].value = mj_geomDistance(model, data, int(2 * i), int(2 * i + 1), FAR, results[i].fromto);
        }
    }

    Answer answer(std::size_t pair) const override {
        const Result& result = results[pair];
        Answer answer;
        answer.verdict = result.value <= 0.0;
        answer.value = result.value;
        const mjtNum* at = result.fromto;
        // From the point on A to that on B: along the normal when apart, against it when they overlap.
        const double along[3] = {at[3] - at[0], at[4] - at[1], at[5] - at[2]};
        set_normal(answer.normal, along, result.value > 0.0 ? 1.0 : -1.0);
        set_point(answer.witnesses[0], at);
        set_point(answer.witnesses[1], at + 3);
        return answer;
    }
};

struct Spec {
    mjSpec* spec = mj_makeSpec();
    ~Spec() { mj_deleteSpec(spec); }
};

std::string mesh_name(std::size_t shape) { return "hull" + std::to_string(shape); }

void add_mesh(mjSpec* spec, const Shape& shape, std::size_t index) {
    std::vector<float> vertices;
    for (std::uint32_t i = 0; i < shape.vertex_count; ++i) {
        for (double x : shape.vertices[i]) vertices.push_back(float(x));
    }
    const int* triangles = reinterpret_cast<const int*>(shape.triangles);
    mjsMesh* mesh = mjs_addMesh(spec, nullptr);
    mjs_setName(mesh->element, mesh_name(index).c_str());
    mjs_setFloat(mesh->uservert, vertices.data(), int(vertices.size()));
    mjs_setInt(mesh->userface, triangles, int(3 * shape.triangle_count));
    mesh->inertia = mjMESH_INERTIA_CONVEX;
}

void add_geom(mjsBody* world, const Workload& workload, std::size_t index, const Pose& pose) {
    const Shape& shape = workload.shapes[index];
    const double* size = shape.size;
    mjsGeom* geom = mjs_addGeom(world, nullptr);
    const auto set_size = [&](mjtGeom type, double x, double y, double z) {
        geom->type = type;
        geom->size[0] = x;
        geom->size[1] = y;
        geom->size[2] = z;
    };
    switch (shape.kind) {
    case BALL: set_size(mjGEOM_SPHERE, size[0], 0, 0); break;
    case BOX: set_size(mjGEOM_BOX, size[0], size[1], size[2]); break;
    case CAPSULE: set_size(mjGEOM_CAPSULE, size[1], size[0], 0); break;
    case CYLINDER: set_size(mjGEOM_CYLINDER, size[1], size[0], 0); break;
    case ELLIPSOID: set_size(mjGEOM_ELLIPSOID, size[0], size[1], size[2]); break;
    case HULL:
        geom->type = mjGEOM_MESH;
        mjs_setString(geom->meshname, mesh_name(index).c_str());
        break;
    default: unsupported(shape);
    }
    std::copy(pose.translation, pose.translation + 3, geom->pos);
    geom->quat[0] = pose.rotation[3];
    std::copy(pose.rotation, pose.rotation + 3, geom->quat + 1);
}

} // namespace

const char* version() { return mj_versionString(); }

std::unique_ptr<Scene> prepare(const char* engine, Query query, Mode, const Workload& workload) {
    need_dimension(workload, 3);
    Spec spec;
    mjsBody* world = mjs_findBody(spec.spec, "world");
    for (std::size_t i = 0; i < workload.shape_count; ++i) {
        if (workload.shapes[i].kind == HULL) add_mesh(spec.spec, workload.shapes[i], i);
    }
    for (std::size_t i = 0; i < workload.pair_count; ++i) {
        const Pair& pair = workload.pairs[i];
        for (int side = 0; side < 2; ++side) add_geom(world, workload, pair.shapes[side], pair.poses[side]);
    }
    if (engine == std::string("mujoco-it200")) spec.spec->option.ccd_iterations = 200;
    auto scene = std::make_unique<Mujoco>();
    scene->query = query;
    scene->model = mj_compile(spec.spec, nullptr);
    if (scene->model == nullptr) throw Unsupported(mjs_getError(spec.spec));
    scene->data = mj_makeData(scene->model);
    mj_kinematics(scene->model, scene->data);
    scene->results.resize(workload.pair_count);
    return scene;
}

} // namespace gjk_bench
