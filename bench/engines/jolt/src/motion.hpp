// Rays and casts. Part of `shim.cpp`, after its bodies.
//
// A ray is its box's or its capsule's own; of other bodies that of ConvexShape, by GJK. A cast is sCastConvexVsConvex's in the frame
// of A, without what it filters afterwards.

struct Moving {
    Vec3 origin, way[2];
};

// In the frame of A; of a cast the axis is from B to A.
struct Meeting {
    Vec3 a, b, axis;
    float fraction;
    bool hit;
};

struct Motions final : Scene {
    Query query;
    std::vector<Body> bodies;
    std::vector<Step> steps;
    std::vector<Moving> moving;
    std::vector<Meeting> results;

    void pass() override {
        const std::size_t count = steps.size();
        for (std::size_t i = 0; i < count; ++i) {
            if (query == RAY) ray(steps[i], moving[i], results[i]);
            else cast(steps[i], moving[i], results[i]);
        }
    }

    static void ray(const Step& step, const Moving& moving, Meeting& result) {
        const Vec3 origin = step.at_a.InversedRotationTranslation() * moving.origin;
        const Vec3 direction = step.at_a.Multiply3x3Transposed(moving.way[1]);
        const Body& body = *step.a;
        result.fraction = 1.0f + FLT_EPSILON;
        if (body.kind == BOX) {
            const JPH::RayInvDirection inverse(direction);
            const float fraction = JPH::max(JPH::RayAABox(origin, inverse, -body.size, body.size), 0.0f);
            result.hit = fraction < result.fraction;
            result.fraction = fraction;
        } else if (body.kind == CAPSULE) {
            // Jolt's stand along y.
            using namespace JPH;
            const Vec3 from = origin.Swizzle<SWIZZLE_X, SWIZZLE_Z, SWIZZLE_Y>();
            const Vec3 along = direction.Swizzle<SWIZZLE_X, SWIZZLE_Z, SWIZZLE_Y>();
            const float fraction = RayCapsule(from, along, body.size.GetX(), body.radius);
            result.hit = fraction < result.fraction;
            result.fraction = fraction;
        } else {
            JPH::GJKClosestPoint gjk;
            result.hit = gjk.CastRay(origin, direction, COLLISION_TOLERANCE, body.whole(), result.fraction);
        }
    }

    static void cast(const Step& step, const Moving& moving, Meeting& result) {
        const Mat44 start = step.at_a.InversedRotationTranslation() * step.at_b;
        const Vec3 way = step.at_a.Multiply3x3Transposed(moving.way[1] - moving.way[0]);
        const Body &target = *step.a, &body = *step.b;
        JPH::EPAPenetrationDepth epa;
        result.fraction = 1.0f + FLT_EPSILON;
        result.hit = epa.CastShape(start, way, COLLISION_TOLERANCE, PENETRATION_TOLERANCE, *body.core, *target.core, body.radius,
                                   target.radius, false, result.fraction, result.b, result.a, result.axis);
    }

    Answer answer(std::size_t pair) const override {
        const Meeting& result = results[pair];
        Answer answer;
        answer.verdict = result.hit;
        if (query == CAST_BOOL || !result.hit) return answer;
        answer.value = result.fraction;
        if (query == RAY) return answer;
        const Mat44& frame = steps[pair].at_a;
        const Vec3 way = moving[pair].way[0] * result.fraction;
        set_normal(answer.normal, frame.Multiply3x3(result.axis), -1.0);
        set_point(answer.witnesses[0], frame * result.a + way);
        set_point(answer.witnesses[1], frame * result.b + way);
        return answer;
    }
};

Moving moving_of(const Pair& pair) {
    return {vec(pair.poses[1].translation), {vec(pair.motions[0].linear), vec(pair.motions[1].linear)}};
}
