// PQP as Klamp't's Python module has it. What is declared here are facts about its binary interface, found by looking at it; all of it is
// checked on two boxes whose distance is known before anything else is asked (see `Pqp::Pqp`).

#include "gjk_bench_surfaces.hpp"

// Names are PQP's own: the linker finds its functions by them.
struct PQP_Model {
    // What it holds takes 40 bytes; there is room to spare.
    alignas(16) unsigned char own[256];
    PQP_Model();
    ~PQP_Model();
    int BeginModel(int triangles);
    int AddTri(const double* a, const double* b, const double* c, int id);
    int EndModel();
};

// What all results begin with: two counters, and the pose of the second model in the frame of the first.
struct PqpCommon {
    int boxes, triangles;
    double rotation[3][3], translation[3];
};

struct PQP_CollideResult {
    PqpCommon common;
    int allocated, pairs;
    void* list;
    unsigned char room[128];
    PQP_CollideResult();
    ~PQP_CollideResult();
};

struct PQP_DistanceResult {
    PqpCommon common;
    double relative, absolute, distance;
    double points[2][3]; // in the frames of the models
    int nearest[2];      // the triangles; those that a query finds here are measured first
    unsigned char room[128];
};

struct PQP_ToleranceResult {
    PqpCommon common;
    int closer;
    double tolerance, distance;
    double points[2][3];
    int nearest[2];
    unsigned char room[128];
};

int PQP_Collide(PQP_CollideResult*, double (*)[3], double*, const PQP_Model*, double (*)[3], double*, const PQP_Model*, int flag);
int PQP_Distance(PQP_DistanceResult*, double (*)[3], double*, const PQP_Model*, double (*)[3], double*, const PQP_Model*, double relative,
                 double absolute, int queue, double bound);
int PQP_Tolerance(PQP_ToleranceResult*, double (*)[3], double*, const PQP_Model*, double (*)[3], double*, const PQP_Model*,
                  double tolerance, int queue);

namespace gjk_bench {

namespace {

constexpr int FIRST_CONTACT = 2, QUEUE = 2;
constexpr double NO_BOUND = -1.0;

struct Pqp {
    using Model = std::unique_ptr<PQP_Model>;
    struct Pose {
        double rotation[3][3], translation[3];
    };
    // The nearest triangles of the last query.
    struct Kept {
        int triangles[2] = {-1, -1};
    };
    struct Result {
        double value;
        double points[2][3];
    };
    static constexpr bool KEEPS = true, TELLS_WITHIN = true;
    using Of = Step<Pqp>;

    double within;
    PQP_CollideResult met;
    PQP_DistanceResult found{};
    PQP_ToleranceResult told{};

    explicit Pqp(double length) : within(length) { check(); }

    static Model build(const Mesh& mesh) {
        Model model = std::make_unique<PQP_Model>();
        model->BeginModel(int(mesh.triangles.size()));
        int id = 0;
        for (const auto& t : mesh.triangles) {
            model->AddTri(mesh.vertices[t[0]].data(), mesh.vertices[t[1]].data(), mesh.vertices[t[2]].data(), id++);
        }
        model->EndModel();
        return model;
    }

    static Pose place(const gjk_bench::Pose& pose) {
        const double x = pose.rotation[0], y = pose.rotation[1], z = pose.rotation[2], w = pose.rotation[3];
        Pose to{{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                 {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                 {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}},
                {pose.translation[0], pose.translation[1], pose.translation[2]}};
        return to;
    }

    // The library takes poses that may change, and changes none.
    static double (*rotation(const Pose& pose))[3] { return const_cast<double(*)[3]>(pose.rotation); }
    static double* translation(const Pose& pose) { return const_cast<double*>(pose.translation); }

    bool meet(const Of& step) {
        PQP_Collide(&met, rotation(step.at_a), translation(step.at_a), step.a->get(), rotation(step.at_b), translation(step.at_b),
                    step.b->get(), FIRST_CONTACT);
        return met.pairs > 0;
    }

    bool is_within(const Of& step) {
        PQP_Tolerance(&told, rotation(step.at_a), translation(step.at_a), step.a->get(), rotation(step.at_b), translation(step.at_b),
                      step.b->get(), within, QUEUE);
        return told.closer != 0;
    }

    Result distance(const Of& step, Kept& kept) {
        for (int k = 0; k < 2; ++k) found.nearest[k] = kept.triangles[k];
        PQP_Distance(&found, rotation(step.at_a), translation(step.at_a), step.a->get(), rotation(step.at_b), translation(step.at_b),
                     step.b->get(), 0.0, 0.0, QUEUE, NO_BOUND);
        Result result{found.distance, {}};
        for (int k = 0; k < 2; ++k) {
            kept.triangles[k] = found.nearest[k];
            for (int i = 0; i < 3; ++i) result.points[k][i] = found.points[k][i];
        }
        return result;
    }

    static Answer said(const Of& step, const Result& result) {
        Answer answer;
        answer.verdict = result.value <= 0.0;
        answer.value = result.value;
        const Pose* poses[] = {&step.at_a, &step.at_b};
        for (int k = 0; k < 2; ++k) {
            for (int i = 0; i < 3; ++i) {
                const double* row = poses[k]->rotation[i];
                const double* p = result.points[k];
                answer.witnesses[k][i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + poses[k]->translation[i];
            }
        }
        return answer;
    }

    // Two unit cubes, the second turned by an eighth about z, its edge toward the first at height 0: what each query must say.
    void check() {
        Shape shape{};
        const double corners[8][3] = {{-.5, -.5, -.5}, {.5, -.5, -.5}, {-.5, .5, -.5}, {.5, .5, -.5},
                                      {-.5, -.5, .5},  {.5, -.5, .5},  {-.5, .5, .5},  {.5, .5, .5}};
        const std::uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                            {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
        shape.kind = MESH;
        shape.vertices = corners;
        shape.triangles = faces;
        shape.vertex_count = 8;
        shape.triangle_count = 12;
        const Model cubes[] = {build(Mesh(shape)), build(Mesh(shape))};
        const double asked = within;
        const double eighth[] = {std::sin(std::atan(1.0) / 2), std::cos(std::atan(1.0) / 2)};
        for (const double gap : {0.25, 3.0, -0.125}) {
            const double along = 0.5 + std::sqrt(0.5) + gap;
            const Of step{&cubes[0], &cubes[1], place({{0, 0, 0, 1}, {0, 0, 0}}), place({{0, 0, eighth[0], eighth[1]}, {along, 0, 0}})};
            Kept kept;
            for (int again = 0; again < 2; ++again) {
                const Answer answer = said(step, distance(step, kept));
                need(std::fabs(answer.value - std::fmax(gap, 0.0)) < 1e-12, "a distance");
                need(gap < 0.0 || std::fabs(answer.witnesses[0][0] - 0.5) < 1e-12, "a point of the first body");
                need(gap < 0.0 || std::fabs(answer.witnesses[1][0] - 0.5 - gap) < 1e-12, "a point of the second body");
                need(kept.triangles[0] >= 0 && kept.triangles[0] < 12 && kept.triangles[1] >= 0 && kept.triangles[1] < 12, "triangles");
            }
            need(meet(step) == (gap < 0.0), "whether they meet");
            for (const double length : {0.2, 0.3, 4.0}) {
                within = length;
                need(is_within(step) == (gap <= length), "whether they are near");
            }
        }
        within = asked;
    }

    static void need(bool holds, const char* what) {
        if (!holds) throw std::runtime_error(std::string("two cubes: PQP says something else about ") + what + ": another layout?");
    }
};

} // namespace

const char* version() { return "klampt 0.10.1.post1"; }

std::unique_ptr<Scene> prepare(const char*, Query query, Mode mode, const Workload& workload) {
    need_dimension(workload, 3);
    if (!is_of_surfaces(query)) throw Unsupported("only triangle meshes");
    return std::make_unique<Surfaces<Pqp>>(query, mode, workload);
}

} // namespace gjk_bench
