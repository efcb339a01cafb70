// The C interface in C++17: handles that free themselves, threads, meshes.
#include "check.h"
#include <array>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Free {
    void operator()(gjk_shapes *shapes) const { gjk_shapes_free(shapes); }
    void operator()(gjk_mesh *mesh) const { gjk_mesh_free(mesh); }
    void operator()(gjk_cancel *cancel) const { gjk_cancel_free(cancel); }
};
using Shapes = std::unique_ptr<gjk_shapes, Free>;
using Mesh = std::unique_ptr<gjk_mesh, Free>;
using Cancel = std::unique_ptr<gjk_cancel, Free>;

using Point = std::array<double, 3>;

// Rows of two shapes, with poses of no pattern.
struct Rows {
    std::vector<uint32_t> shapes;
    std::vector<Point> at;
    std::vector<std::array<double, 4>> turn;

    explicit Rows(size_t count, unsigned seed)
    {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> number(-1.0, 1.0);
        for (size_t k = 0; k < count; ++k) {
            shapes.push_back(static_cast<uint32_t>(k % 2));
            at.push_back({number(random), number(random), number(random)});
            turn.push_back({number(random), number(random), number(random), 1.0});
        }
    }

    gjk_bodies bodies() const
    {
        return {shapes.data(), sizeof(uint32_t), {GJK_POSE_KIND_QUAT_XYZW, turn[0].data(), sizeof turn[0], at[0].data(), sizeof at[0]}};
    }
};

struct Answers {
    std::vector<uint8_t> verdicts;
    std::vector<double> lower, upper, normals, points_a, points_b;

    explicit Answers(size_t count)
        : verdicts(count), lower(count), upper(count), normals(3 * count), points_a(3 * count), points_b(3 * count)
    {
    }

    gjk_columns columns()
    {
        return {verdicts.data(), lower.data(), upper.data(), normals.data(), points_a.data(), points_b.data()};
    }

    bool operator==(const Answers &other) const
    {
        return verdicts == other.verdicts && lower == other.lower && upper == other.upper && normals == other.normals
            && points_a == other.points_a && points_b == other.points_b;
    }
};

void rows_on_threads()
{
    gjk_shapes *made = nullptr;
    CHECK(gjk_shapes_new(&made) == GJK_STATUS_OK);
    Shapes shapes(made);
    const Point half{0.2, 0.3, 0.4};
    uint32_t index = 0;
    CHECK(gjk_shapes_add_box(shapes.get(), half.data(), &index) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_capsule(shapes.get(), 0.3, 0.1, GJK_AXIS_Y, &index) == GJK_STATUS_OK);

    constexpr size_t count = 5000;
    const Rows a(count, 1), b(count, 2);
    const gjk_bodies of_a = a.bodies(), of_b = b.bodies();
    const auto ask = [&](uint32_t threads, Answers &answers) {
        const gjk_options options{threads, nullptr};
        const gjk_columns out = answers.columns();
        return gjk_contact_rows(shapes.get(), count, &of_a, &of_b, &options, &out, nullptr);
    };
    Answers alone(count), one(count), other(count);
    CHECK(ask(1, alone) == GJK_STATUS_OK);
    // Two threads ask, and a third adds shapes meanwhile.
    gjk_status first = GJK_STATUS_PANIC, second = GJK_STATUS_PANIC;
    std::thread asking([&] { first = ask(0, one); });
    std::thread also([&] { second = ask(3, other); });
    std::thread adding([&] {
        for (int k = 1; k <= 100; ++k) {
            CHECK(gjk_shapes_add_sphere(shapes.get(), 0.01 * k, &index) == GJK_STATUS_OK);
        }
    });
    asking.join();
    also.join();
    adding.join();
    CHECK(first == GJK_STATUS_OK && second == GJK_STATUS_OK && index == 101);
    CHECK(alone == one && alone == other);
    size_t overlapping = 0;
    for (size_t k = 0; k < count; ++k) {
        overlapping += alone.verdicts[k] == GJK_VERDICT_OVERLAPPING;
        CHECK(alone.lower[k] <= alone.upper[k]);
        CHECK((alone.verdicts[k] == GJK_VERDICT_OVERLAPPING) == (alone.upper[k] < 0));
    }
    CHECK(overlapping > count / 20 && overlapping < count / 2);
    std::printf("rows: the same bits on 1, 3 and all threads\n");

    gjk_cancel *flag = nullptr;
    CHECK(gjk_cancel_new(&flag) == GJK_STATUS_OK);
    Cancel cancel(flag);
    CHECK(gjk_cancel_request(cancel.get()) == GJK_STATUS_OK);
    const gjk_options options{2, cancel.get()};
    CHECK_FAILS(gjk_classify_rows(shapes.get(), count, &of_a, &of_b, &options, one.verdicts.data(), nullptr),
                GJK_STATUS_CANCELLED, "cancelled after 0 of 5000");
    CHECK(gjk_cancel_reset(cancel.get()) == GJK_STATUS_OK);
    CHECK(gjk_classify_rows(shapes.get(), count, &of_a, &of_b, &options, one.verdicts.data(), nullptr) == GJK_STATUS_OK);
    CHECK(one.verdicts == alone.verdicts);

    // A text is that of its own thread.
    CHECK(std::string(gjk_last_error()).find("cancelled") != std::string::npos);
    std::string others = "?";
    std::thread([&] { others = gjk_last_error(); }).join();
    CHECK(others.empty());
    std::printf("errors: of each thread its own\n");
}

// A cube from `low` to `high` along every axis; the last `open` triangles are left out.
Mesh cube(double low, double high, size_t open = 0)
{
    std::vector<double> vertices;
    for (int corner = 0; corner < 8; ++corner) {
        for (int k = 0; k < 3; ++k) {
            vertices.push_back(corner >> k & 1 ? high : low);
        }
    }
    const std::vector<uint32_t> triangles{0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                          2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    gjk_mesh *mesh = nullptr;
    CHECK(gjk_mesh_new(vertices.data(), 8, triangles.data(), 12 - open, &mesh) == GJK_STATUS_OK);
    return Mesh(mesh);
}

const char *name(gjk_relation relation)
{
    switch (relation) {
    case GJK_RELATION_SEPARATED: return "separated";
    case GJK_RELATION_TOUCHING: return "touching";
    case GJK_RELATION_OVERLAPPING: return "overlapping";
    case GJK_RELATION_CROSSING: return "crossing";
    case GJK_RELATION_INSIDE: return "inside";
    case GJK_RELATION_CONTAINS: return "contains";
    case GJK_RELATION_EQUAL: return "equal";
    }
    return "?";
}

void relations_of_meshes()
{
    const Mesh unit = cube(0, 1), small = cube(0.25, 0.75);
    const auto relation = [&](const Mesh &a, const Mesh &b, double x) {
        // The quaternion has its real part first.
        const double turn[4] = {1, 0, 0, 0};
        const Point at{x, 0, 0};
        const gjk_poses there{GJK_POSE_KIND_QUAT_WXYZ, turn, 0, at.data(), 0};
        gjk_relation_answer answer{};
        CHECK(gjk_mesh_relation(a.get(), nullptr, b.get(), &there, &answer) == GJK_STATUS_OK);
        CHECK(answer.exact);
        std::printf(" %s", name(answer.relation));
        return answer;
    };
    std::printf("meshes:");
    CHECK(!relation(unit, unit, 2).has_contact);
    const gjk_relation_answer touching = relation(unit, unit, 1);
    CHECK(touching.has_contact && touching.has_normal && touching.normal[0] == 1.0 && touching.point[0] == 1.0);
    CHECK(relation(unit, unit, 0.5).relation == GJK_RELATION_OVERLAPPING);
    CHECK(relation(small, unit, 0).relation == GJK_RELATION_INSIDE);
    CHECK(relation(unit, small, 0).relation == GJK_RELATION_CONTAINS);
    CHECK(relation(unit, unit, 0).relation == GJK_RELATION_EQUAL);
    std::printf("\n");
}

void measures_of_meshes()
{
    const Mesh unit = cube(0, 1), open = cube(0, 1, 1);
    const double matrix[16] = {1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const gjk_poses there{GJK_POSE_KIND_MATRIX4X4, matrix, 0, nullptr, 0};
    gjk_surface_distance apart{};
    CHECK(gjk_mesh_distance(unit.get(), nullptr, unit.get(), &there, INFINITY, &apart) == GJK_STATUS_OK);
    CHECK(is_about(apart.lower, apart.upper, 2.0) && !apart.stopped && !apart.beyond_reach);
    CHECK(std::fabs(apart.point_a[0] - 1.0) < 1e-12 && std::fabs(apart.point_b[0] - 3.0) < 1e-12);
    CHECK(std::fabs(apart.normal[0] - 1.0) < 1e-12);
    CHECK(gjk_mesh_distance(unit.get(), nullptr, unit.get(), &there, 1.5, &apart) == GJK_STATUS_OK);
    CHECK(apart.beyond_reach && apart.lower == 1.5 && std::isinf(apart.upper) && apart.triangles[0] == UINT32_MAX);

    double interval[2];
    gjk_truth truth = GJK_TRUTH_UNKNOWN;
    CHECK(gjk_mesh_closer_than(unit.get(), nullptr, unit.get(), &there, 1.9, &truth, interval) == GJK_STATUS_OK);
    CHECK(truth == GJK_TRUTH_NO && interval[0] >= 1.9);
    CHECK(gjk_mesh_closer_than(unit.get(), nullptr, unit.get(), &there, 2.1, &truth, nullptr) == GJK_STATUS_OK);
    CHECK(truth == GJK_TRUTH_YES);
    bool meets = true;
    uint32_t triangles[2] = {0, 0};
    CHECK(gjk_mesh_meets(unit.get(), nullptr, unit.get(), &there, &meets, triangles) == GJK_STATUS_OK);
    CHECK(!meets && triangles[1] == UINT32_MAX);
    CHECK(gjk_mesh_meets(unit.get(), nullptr, open.get(), nullptr, &meets, triangles) == GJK_STATUS_OK);
    CHECK(meets && triangles[0] < 12 && triangles[1] < 11);

    gjk_side side = GJK_SIDE_UNKNOWN;
    const Point within{0.5, 0.5, 0.5}, beside{0.5, 0.5, 1.5}, on{0.5, 0.5, 1.0};
    CHECK(gjk_mesh_side(unit.get(), within.data(), &side) == GJK_STATUS_OK && side == GJK_SIDE_INSIDE);
    CHECK(gjk_mesh_side(unit.get(), beside.data(), &side) == GJK_STATUS_OK && side == GJK_SIDE_OUTSIDE);
    CHECK(gjk_mesh_side(unit.get(), on.data(), &side) == GJK_STATUS_OK && side == GJK_SIDE_BOUNDARY);
    CHECK(gjk_mesh_side(open.get(), within.data(), &side) == GJK_STATUS_OK && side == GJK_SIDE_UNKNOWN);

    gjk_mesh_facts facts{};
    CHECK(gjk_mesh_describe(unit.get(), &facts) == GJK_STATUS_OK);
    CHECK(facts.kind == GJK_MESH_KIND_SOLID && facts.shells == 1 && std::string(gjk_mesh_reason(unit.get())).empty());
    CHECK(gjk_mesh_describe(open.get(), &facts) == GJK_STATUS_OK && facts.kind == GJK_MESH_KIND_SURFACE);
    std::printf("an open cube is a surface: %s\n", gjk_mesh_reason(open.get()));
}

void meshes_that_are_wrong()
{
    const Mesh unit = cube(0, 1);
    const double vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 3};
    gjk_mesh *mesh = nullptr;
    CHECK_FAILS(gjk_mesh_new(vertices, 3, triangle, 1, &mesh), GJK_STATUS_BAD_MESH, "index 3 names no vertex");
    CHECK_FAILS(gjk_mesh_new(vertices, 3, triangle, 0, &mesh), GJK_STATUS_BAD_MESH, "no triangle");
    CHECK_FAILS(gjk_mesh_new(nullptr, 3, triangle, 1, &mesh), GJK_STATUS_NULL_POINTER, "vertices");
    CHECK(mesh == nullptr);
    const double flat[12] = {};
    const gjk_poses nowhere{GJK_POSE_KIND_MATRIX3X4, flat, 0, nullptr, 0};
    gjk_relation_answer answer{};
    CHECK_FAILS(gjk_mesh_relation(unit.get(), nullptr, unit.get(), &nowhere, &answer), GJK_STATUS_BAD_POSE,
                "pose_b: the pose is singular");
    CHECK_FAILS(gjk_mesh_relation(unit.get(), nullptr, nullptr, nullptr, &answer), GJK_STATUS_NULL_POINTER, "b is NULL");
    gjk_surface_distance apart{};
    CHECK_FAILS(gjk_mesh_distance(unit.get(), nullptr, unit.get(), nullptr, NAN, &apart), GJK_STATUS_BAD_ARGUMENT, "reach");
    gjk_side side = GJK_SIDE_UNKNOWN;
    const Point nan{0, NAN, 0};
    CHECK_FAILS(gjk_mesh_side(unit.get(), nan.data(), &side), GJK_STATUS_BAD_ARGUMENT, "finite");
    CHECK(std::string(gjk_mesh_reason(nullptr)).empty());
}

} // namespace

int main()
{
    rows_on_threads();
    relations_of_meshes();
    measures_of_meshes();
    meshes_that_are_wrong();
    std::printf("gjk %s: every check holds\n", gjk_version());
}
