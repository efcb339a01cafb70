// Rays, casts, times of impact and manifolds. Part of `shim.cpp`, after its polygons.

// As Box2D has motions: of a ray the way of B's origin, of a cast the ways of both, of an impact two sweeps.
struct Moving {
    b2Vec2 origin, way[2];
    b2Sweep sweeps[2];
};

b2Sweep sweep_of(const Pose& pose, const Motion& motion) {
    const b2Transform start = transform_of(pose);
    const double c = std::cos(motion.angular[2]), s = std::sin(motion.angular[2]);
    const double* q = pose.rotation;
    b2Sweep sweep = {};
    sweep.c1 = start.p;
    sweep.c2 = {float(pose.translation[0] + motion.linear[0]), float(pose.translation[1] + motion.linear[1])};
    sweep.q1 = start.q;
    sweep.q2 = {float(c * q[0] - s * q[1]), float(c * q[1] + s * q[0])};
    return sweep;
}

Moving moving_of(const Pair& pair) {
    Moving moving;
    moving.origin = at(pair.poses[1].translation);
    for (int k = 0; k < 2; ++k) {
        moving.way[k] = at(pair.motions[k].linear);
        moving.sweeps[k] = sweep_of(pair.poses[k], pair.motions[k]);
    }
    return moving;
}

struct Motions final : Scene {
    Query query;
    std::vector<b2Polygon> polygons;
    std::vector<b2ShapeProxy> proxies;
    std::vector<Step> steps;
    std::vector<Moving> moving;
    std::vector<b2CastOutput> casts;
    std::vector<b2TOIOutput> impacts;
    std::vector<b2LocalManifold> manifolds;

    void pass() override {
        const std::size_t count = steps.size();
        switch (query) {
        case RAY:
            for (std::size_t i = 0; i < count; ++i) casts[i] = ray(steps[i], moving[i]);
            return;
        case TOI:
            for (std::size_t i = 0; i < count; ++i) impacts[i] = impact(steps[i], moving[i]);
            return;
        case MANIFOLD:
            for (std::size_t i = 0; i < count; ++i) manifolds[i] = manifold(steps[i]);
            return;
        default:
            for (std::size_t i = 0; i < count; ++i) casts[i] = cast(steps[i], moving[i]);
        }
    }

    b2CastOutput ray(const Step& step, const Moving& moving) const {
        b2RayCastInput input;
        input.origin = b2InvTransformPoint(step.at_a, moving.origin);
        input.translation = b2InvRotateVector(step.at_a.q, moving.way[1]);
        input.maxFraction = 1.0f;
        return b2RayCastPolygon(&polygons[step.a], &input);
    }

    b2CastOutput cast(const Step& step, const Moving& moving) const {
        b2ShapeCastPairInput input;
        input.proxyA = proxies[step.a];
        input.proxyB = proxies[step.b];
        input.transform = b2InvMulTransforms(step.at_a, step.at_b);
        input.translationB = b2InvRotateVector(step.at_a.q, b2Sub(moving.way[1], moving.way[0]));
        input.maxFraction = 1.0f;
        input.canEncroach = false;
        return b2ShapeCast(&input);
    }

    b2TOIOutput impact(const Step& step, const Moving& moving) const {
        b2TOIInput input;
        input.proxyA = proxies[step.a];
        input.proxyB = proxies[step.b];
        input.sweepA = moving.sweeps[0];
        input.sweepB = moving.sweeps[1];
        input.maxFraction = 1.0f;
        return b2TimeOfImpact(&input);
    }

    b2LocalManifold manifold(const Step& step) const {
        return b2CollidePolygons(&polygons[step.a], &polygons[step.b], b2InvMulTransforms(step.at_a, step.at_b));
    }

    Answer answer(std::size_t pair) const override {
        if (query == MANIFOLD) return of_manifold(manifolds[pair], steps[pair].at_a);
        Answer answer;
        if (query == TOI) {
            const b2TOIOutput& found = impacts[pair];
            if (found.state == b2_toiStateUnknown || found.state == b2_toiStateFailed) return answer;
            answer.verdict = found.state != b2_toiStateSeparated;
            if (answer.verdict == 0.0) return answer;
            answer.value = found.fraction;
            set_normal(answer.normal, std::vector<double>{found.normal.x, found.normal.y, 0.0}, 1.0);
            return answer;
        }
        const b2CastOutput& found = casts[pair];
        answer.verdict = found.hit;
        if (query == CAST_BOOL || !found.hit) return answer;
        answer.value = found.fraction;
        const b2Vec2 normal = b2RotateVector(steps[pair].at_a.q, found.normal);
        set_normal(answer.normal, std::vector<double>{normal.x, normal.y, 0.0}, 1.0);
        return answer;
    }

    // A point is half-way between the bodies, in the frame of A.
    static Answer of_manifold(const b2LocalManifold& found, const b2Transform& frame) {
        Answer answer;
        answer.verdict = found.pointCount > 0;
        if (found.pointCount == 0) return answer;
        answer.value = found.points[0].separation;
        const b2Vec2 normal = b2RotateVector(frame.q, found.normal);
        set_normal(answer.normal, std::vector<double>{normal.x, normal.y, 0.0}, 1.0);
        for (int k = 0; k < found.pointCount; ++k) {
            const b2LocalManifoldPoint& point = found.points[k];
            answer.value = std::min(answer.value, double(point.separation));
            const float half = 0.5f * point.separation;
            const b2Vec2 a = b2TransformPoint(frame, b2MulAdd(point.point, -half, found.normal));
            const b2Vec2 b = b2TransformPoint(frame, b2MulAdd(point.point, half, found.normal));
            set_point(answer.manifold[k][0], std::vector<double>{a.x, a.y, 0.0});
            set_point(answer.manifold[k][1], std::vector<double>{b.x, b.y, 0.0});
        }
        answer.manifold_count = std::size_t(found.pointCount);
        return answer;
    }
};
