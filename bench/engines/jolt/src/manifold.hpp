// Manifolds of boxes and hulls. Part of `shim.cpp`, after its bodies.
//
// As CollideConvexVsConvex and the contact manager do it, in the frame of A: EPA on bodies that are grown by the separation that still
// counts, the two supporting faces, what clipping leaves of them, and four points at most. Supporting faces of hulls are chosen as
// ConvexHullShape does. Nothing is kept between steps: what Jolt keeps is of whole bodies.

using Face = JPH::ConvexShape::SupportingFace;

// PhysicsSettings::mManifoldToleranceSq.
constexpr float MANIFOLD_TOLERANCE_SQUARED = 1e-6f;

struct Solid {
    JPH::AABox box;
    std::vector<Vec3> vertices, normals;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    explicit Solid(const Shape& shape) : box(-vec(shape.size), vec(shape.size)) {
        if (shape.kind != BOX && shape.kind != HULL) unsupported(shape);
        if (shape.kind == BOX) return;
        for (std::uint32_t i = 0; i < shape.vertex_count; ++i) vertices.push_back(vec(shape.vertices[i]));
        for (std::uint32_t i = 0; i < shape.triangle_count; ++i) {
            const std::uint32_t* t = shape.triangles[i];
            triangles.push_back({t[0], t[1], t[2]});
            const Vec3 a = vertices[t[0]], b = vertices[t[1]], c = vertices[t[2]];
            normals.push_back((b - a).Cross(c - a).Normalized());
        }
    }

    void face(Vec3Arg direction, Face& out) const {
        if (triangles.empty()) return box.GetSupportingFace(direction, out);
        std::size_t best = 0;
        for (std::size_t i = 1; i < normals.size(); ++i) {
            if (normals[i].Dot(direction) < normals[best].Dot(direction)) best = i;
        }
        for (const std::uint32_t corner : triangles[best]) out.push_back(vertices[corner]);
    }
};

// In the frame of A; the normal's length means nothing.
struct Bearing {
    JPH::ContactPoints a, b;
    Vec3 normal;
};

struct Manifolds final : Scene {
    Query query;
    float separation;
    std::vector<Body> bodies;
    std::vector<Solid> solids;
    std::vector<std::array<std::size_t, 2>> shapes;
    std::vector<Step> steps;
    std::vector<Bearing> results;

    void pass() override {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            results[i].a.clear();
            results[i].b.clear();
            manifold(steps[i], solids[shapes[i][0]], solids[shapes[i][1]], results[i]);
        }
    }

    void manifold(const Step& step, const Solid& first, const Solid& second, Bearing& result) const {
        using Epa = JPH::EPAPenetrationDepth;
        const Mat44 relative = step.at_a.InversedRotationTranslation() * step.at_b;
        Vec3 axis = first_axis(relative), a, b;
        const Placed placed(relative, *step.b->core);
        Epa epa;
        const Epa::EStatus status =
            epa.GetPenetrationDepthStepGJK(*step.a->core, separation, placed, 0.0f, COLLISION_TOLERANCE, axis, a, b);
        if (status == Epa::EStatus::NotColliding) return;
        if (status == Epa::EStatus::Indeterminate) {
            const JPH::AddConvexRadius<Support> grown(*step.a->core, separation);
            if (!epa.GetPenetrationDepthStepEPA(grown, placed, PENETRATION_TOLERANCE, axis, a, b)) return;
        }
        const float length = axis.Length();
        if (length > 0.0f) a -= axis * (separation / length);
        Face face_a, face_b;
        first.face(-axis, face_a);
        second.face(relative.Multiply3x3Transposed(axis), face_b);
        for (Vec3& vertex : face_b) vertex = relative * vertex;
        const float reach = separation * separation + MANIFOLD_TOLERANCE_SQUARED;
        JPH::ManifoldBetweenTwoFaces(a, b, axis, reach, face_a, face_b, result.a, result.b);
        result.normal = axis.Normalized();
        if (result.a.size() > 4) JPH::PruneContactPoints(result.normal, result.a, result.b);
    }

    Answer answer(std::size_t pair) const override {
        const Bearing& found = results[pair];
        const Mat44& frame = steps[pair].at_a;
        Answer answer;
        answer.verdict = !found.a.empty();
        if (found.a.empty()) return answer;
        set_normal(answer.normal, frame.Multiply3x3(found.normal), 1.0);
        answer.value = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < found.a.size(); ++k) {
            answer.value = std::min(answer.value, double((found.b[k] - found.a[k]).Dot(found.normal)));
            set_point(answer.manifold[k][0], frame * found.a[k]);
            set_point(answer.manifold[k][1], frame * found.b[k]);
        }
        answer.manifold_count = found.a.size();
        return answer;
    }
};
