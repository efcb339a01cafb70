// Rays, casts, times of impact and manifolds. Part of `shim.cpp`, after its bodies.

// As Box3D has motions: of a ray the way of B's origin, of a cast the ways of both, of an impact two sweeps.
struct Moving {
    b3Vec3 origin, way[2];
    b3Sweep sweeps[2];
};

b3Sweep sweep_of(const Pose& pose, const Motion& motion) {
    double linear[3], rate = 0.0;
    for (int i = 0; i < 3; ++i) linear[i] = pose.translation[i] + motion.linear[i];
    for (const double w : motion.angular) rate += w * w;
    rate = std::sqrt(rate);
    const double part = rate > 0.0 ? std::sin(0.5 * rate) / rate : 0.0;
    const double* w = motion.angular;
    b3Quat turn;
    turn.v = vec(w[0] * part, w[1] * part, w[2] * part);
    turn.s = float(std::cos(0.5 * rate));
    b3Sweep sweep = {};
    const b3Transform start = transform_of(pose);
    sweep.c1 = start.p;
    sweep.c2 = vec(linear[0], linear[1], linear[2]);
    sweep.q1 = start.q;
    sweep.q2 = b3MulQuat(turn, start.q);
    return sweep;
}

Moving moving_of(const Pair& pair) {
    Moving moving;
    const double* origin = pair.poses[1].translation;
    moving.origin = vec(origin[0], origin[1], origin[2]);
    for (int k = 0; k < 2; ++k) {
        const double* v = pair.motions[k].linear;
        moving.way[k] = vec(v[0], v[1], v[2]);
        moving.sweeps[k] = sweep_of(pair.poses[k], pair.motions[k]);
    }
    return moving;
}

struct Motions final : Scene {
    Query query;
    std::vector<std::unique_ptr<Body>> bodies;
    std::vector<Step> steps;
    std::vector<Moving> moving;
    std::vector<b3CastOutput> casts;
    std::vector<b3TOIOutput> impacts;

    void pass() override {
        const std::size_t count = steps.size();
        if (query == RAY) {
            for (std::size_t i = 0; i < count; ++i) casts[i] = ray(steps[i], moving[i]);
        } else if (query == TOI) {
            for (std::size_t i = 0; i < count; ++i) impacts[i] = impact(steps[i], moving[i]);
        } else {
            for (std::size_t i = 0; i < count; ++i) casts[i] = cast(steps[i], moving[i]);
        }
    }

    static b3ShapeProxy proxy(const Body& body) { return {body.points.data(), int(body.points.size()), body.radius}; }

    static b3CastOutput ray(const Step& step, const Moving& moving) {
        b3RayCastInput input;
        input.origin = b3InvTransformPoint(step.at_a, moving.origin);
        input.translation = b3InvRotateVector(step.at_a.q, moving.way[1]);
        input.maxFraction = 1.0f;
        const Body& body = *step.a;
        if (body.kind == HULL) return b3RayCastHull(body.hull(), &input);
        if (body.kind == CAPSULE) return b3RayCastCapsule(&body.capsule, &input);
        return b3RayCastSphere(&body.sphere, &input);
    }

    static b3CastOutput cast(const Step& step, const Moving& moving) {
        b3ShapeCastPairInput input;
        input.proxyA = proxy(*step.a);
        input.proxyB = proxy(*step.b);
        input.transform = b3InvMulTransforms(step.at_a, step.at_b);
        input.translationB = b3InvRotateVector(step.at_a.q, b3Sub(moving.way[1], moving.way[0]));
        input.maxFraction = 1.0f;
        input.canEncroach = false;
        return b3ShapeCast(&input);
    }

    static b3TOIOutput impact(const Step& step, const Moving& moving) {
        b3TOIInput input;
        input.proxyA = proxy(*step.a);
        input.proxyB = proxy(*step.b);
        input.sweepA = moving.sweeps[0];
        input.sweepB = moving.sweeps[1];
        input.maxFraction = 1.0f;
        return b3TimeOfImpact(&input);
    }

    Answer answer(std::size_t pair) const override {
        Answer answer;
        if (query == TOI) {
            const b3TOIOutput& found = impacts[pair];
            if (found.state == b3_toiStateUnknown || found.state == b3_toiStateFailed) return answer;
            answer.verdict = found.state != b3_toiStateSeparated;
            if (answer.verdict == 0.0) return answer;
            answer.value = found.fraction;
            set_normal(answer.normal, &found.normal.x, 1.0);
            return answer;
        }
        const b3CastOutput& found = casts[pair];
        answer.verdict = found.hit;
        if (query == CAST_BOOL || !found.hit) return answer;
        answer.value = found.fraction;
        const b3Vec3 normal = b3RotateVector(steps[pair].at_a.q, found.normal);
        set_normal(answer.normal, &normal.x, 1.0);
        return answer;
    }
};

struct Manifolds final : Scene {
    struct Found {
        b3Vec3 normal;
        b3LocalManifoldPoint points[MANIFOLD_POINTS_MAX];
        int count;
    };

    bool warm;
    std::vector<std::unique_ptr<Body>> bodies;
    std::vector<Step> steps;
    std::vector<Found> results;

    void pass() override {
        b3SATCache cache = {};
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            Found& result = results[i];
            if (!warm) cache = {};
            b3LocalManifold manifold = {};
            manifold.points = result.points;
            b3CollideHulls(&manifold, int(MANIFOLD_POINTS_MAX), step.a->hull(), step.b->hull(),
                           b3InvMulTransforms(step.at_a, step.at_b), &cache);
            result.normal = manifold.normal;
            result.count = manifold.pointCount;
        }
    }

    // A point is half-way between the bodies, in the frame of A.
    Answer answer(std::size_t pair) const override {
        const Found& found = results[pair];
        const b3Transform& frame = steps[pair].at_a;
        Answer answer;
        answer.verdict = found.count > 0;
        if (found.count == 0) return answer;
        answer.value = found.points[0].separation;
        const b3Vec3 normal = b3RotateVector(frame.q, found.normal);
        set_normal(answer.normal, &normal.x, 1.0);
        for (int k = 0; k < found.count; ++k) {
            const b3LocalManifoldPoint& point = found.points[k];
            answer.value = std::min(answer.value, double(point.separation));
            const float half = 0.5f * point.separation;
            const b3Vec3 a = b3TransformPoint(frame, b3MulAdd(point.point, -half, found.normal));
            const b3Vec3 b = b3TransformPoint(frame, b3MulAdd(point.point, half, found.normal));
            set_point(answer.manifold[k][0], &a.x);
            set_point(answer.manifold[k][1], &b.x);
        }
        answer.manifold_count = std::size_t(found.count);
        return answer;
    }
};

template <class S> std::unique_ptr<S> posed(const Workload& workload, bool hulls) {
    auto scene = std::make_unique<S>();
    for (std::size_t i = 0; i < workload.shape_count; ++i) scene->bodies.push_back(body_of(workload.shapes[i], hulls));
    for (std::size_t i = 0; i < workload.pair_count; ++i) {
        const Pair& pair = workload.pairs[i];
        scene->steps.push_back({scene->bodies[pair.shapes[0]].get(), scene->bodies[pair.shapes[1]].get(),
                                transform_of(pair.poses[0]), transform_of(pair.poses[1])});
    }
    return scene;
}

std::unique_ptr<Scene> prepare_motion(Query query, Mode mode, const Workload& workload) {
    if (query == MANIFOLD) {
        auto scene = posed<Manifolds>(workload, true);
        for (const auto& body : scene->bodies) {
            if (body->kind != HULL) throw Unsupported("manifolds of hulls alone are written");
        }
        scene->warm = mode == WARM;
        scene->results.resize(workload.pair_count);
        return scene;
    }
    auto scene = posed<Motions>(workload, query == RAY);
    scene->query = query;
    for (std::size_t i = 0; i < workload.pair_count; ++i) scene->moving.push_back(moving_of(workload.pairs[i]));
    scene->casts.resize(workload.pair_count);
    scene->impacts.resize(workload.pair_count);
    return scene;
}
