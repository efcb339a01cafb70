/* Rays, casts, times of impact and manifolds in C11: answers known in closed form, and calls that are wrong. */
#include "check.h"

static const double HERE[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/* A shape for all rows; where it is for each, by translations. */
static gjk_bodies bodies_at(const uint32_t *shape, const double (*at)[3])
{
    static const double straight[4] = {0, 0, 0, 1};
    gjk_bodies bodies = {shape, 0, {GJK_POSE_KIND_QUAT_XYZW, straight, 0, at[0], sizeof at[0]}};
    return bodies;
}

static gjk_bodies body_here(const uint32_t *shape)
{
    gjk_bodies bodies = {shape, 0, {GJK_POSE_KIND_MATRIX3X4, HERE, 0, NULL, 0}};
    return bodies;
}

/* All columns of motions. */
enum { MOST = 8 };
static uint8_t verdicts[MOST], exact[MOST], grazing[MOST];
static double lower[MOST], upper[MOST], leaves[2][MOST], depths[2][MOST];
static double normals[MOST][3], points_a[MOST][3], points_b[MOST][3];

static gjk_motion_columns all_columns(void)
{
    gjk_motion_columns out = {verdicts,  exact,      grazing,     lower,       upper,     leaves[0],
                              leaves[1], normals[0], points_a[0], points_b[0], depths[0], depths[1]};
    return out;
}

static void rays(gjk_shapes *shapes, uint32_t cube)
{
    const double origins[5][3] = {{-3, 0, 0}, {-3, 1, 0}, {-3, 2, 0}, {0, 0, 0}, {NAN, 0, 0}};
    const double direction[3] = {2, 0, 0};
    gjk_bodies a = body_here(&cube);
    gjk_rays given = {{origins[0], sizeof origins[0]}, {direction, 0}};
    gjk_motion_columns out = all_columns();
    size_t wrong;
    CHECK_FAILS(gjk_ray_rows(shapes, 5, &a, &given, NULL, NULL, &out, &wrong), GJK_STATUS_WRONG_ROWS,
                "at first row 4, body B: origin: every number must be finite");
    CHECK(wrong == 1 && verdicts[4] == GJK_MEETING_WRONG_ROW && isnan(lower[4]) && isnan(normals[4][1]));
    CHECK(verdicts[0] == GJK_MEETING_HITS && is_about(lower[0], upper[0], 1) && !grazing[0] && exact[0]);
    CHECK(is_about(leaves[0][0], leaves[1][0], 2) && normals[0][0] == -1 && points_a[0][0] == -1);
    CHECK(verdicts[1] == GJK_MEETING_HITS && grazing[1]);
    CHECK(verdicts[2] == GJK_MEETING_FREE && isnan(lower[2]) && isnan(normals[2][0]));
    CHECK(verdicts[3] == GJK_MEETING_STARTS_OVERLAPPING && upper[3] == 0);
    CHECK(is_about(depths[0][3], depths[1][3], -1));
    gjk_motion_options asked;
    CHECK(gjk_motion_defaults(&asked) == GJK_STATUS_OK && isinf(asked.max_time));
    asked.max_time = 0.5;
    asked.start = GJK_MOTION_START_EXIT;
    asked.touch = GJK_MOTION_TOUCH_PASSES;
    gjk_motion_columns some;
    memset(&some, 0, sizeof some);
    some.verdicts = verdicts;
    some.time_upper = upper;
    CHECK(gjk_ray_rows(shapes, 4, &a, &given, &asked, NULL, &some, NULL) == GJK_STATUS_OK);
    CHECK(verdicts[0] == GJK_MEETING_FREE && verdicts[1] == GJK_MEETING_FREE);
    CHECK(verdicts[3] == GJK_MEETING_EXITS && fabs(upper[3] - 0.5) < 1e-12);
    printf("rays: hits, grazes, free, starts\n");
}

static void casts(gjk_shapes *shapes, uint32_t cube)
{
    const double at[3][3] = {{5, 0, 0}, {5, 0, 0}, {5, 0, 0}};
    const double velocities[3][3] = {{-2, 0, 0}, {2, 0, 0}, {-1, 0, 0}}, half[3] = {0.5, 0, 0};
    gjk_bodies a = body_here(&cube), b = bodies_at(&cube, at);
    gjk_vectors of_a = {half, 0}, of_b = {velocities[0], sizeof velocities[0]};
    gjk_motion_columns out = all_columns();
    CHECK(gjk_cast_rows(shapes, 3, &a, &b, NULL, &of_b, NULL, NULL, &out, NULL) == GJK_STATUS_OK);
    CHECK(is_about(lower[0], upper[0], 1.5) && verdicts[1] == GJK_MEETING_FREE && is_about(lower[2], upper[2], 3));
    CHECK(gjk_cast_rows(shapes, 3, &a, &b, &of_a, &of_b, NULL, NULL, &out, NULL) == GJK_STATUS_OK);
    CHECK(is_about(lower[0], upper[0], 1.2) && is_about(lower[2], upper[2], 2));
    CHECK(normals[0][0] == 1 && fabs(points_a[0][0] - 1.6) < 1e-12);
    printf("casts: %.2f and %.2f\n", upper[0], upper[2]);
}

static void impacts(gjk_shapes *shapes, uint32_t cube)
{
    const double at[2][3] = {{2.2, 0, 0}, {6, 0, 0}}, spins[2][3] = {{0, 0, 3}, {0, 0, 0}};
    const double moves[2][3] = {{0, 0, 0}, {-5, 0, 0}};
    gjk_bodies a = body_here(&cube), b = bodies_at(&cube, at);
    gjk_motions motion;
    memset(&motion, 0, sizeof motion);
    motion.velocity.numbers = moves[0];
    motion.angular.numbers = spins[0];
    motion.velocity.stride = motion.angular.stride = sizeof spins[0];
    gjk_motion_columns out = all_columns();
    CHECK(gjk_toi_rows(shapes, 2, &a, &b, NULL, &motion, NULL, NULL, &out, NULL) == GJK_STATUS_OK);
    /* A square of half diagonal sqrt(2) that turns by an angle reaches cos + sin of it to its side. */
    double angle = asin(1.2 / sqrt(2)) - atan(1);
    CHECK(verdicts[0] == GJK_MEETING_HITS && is_about(lower[0], upper[0], angle / 3));
    CHECK(verdicts[1] == GJK_MEETING_HITS && is_about(lower[1], upper[1], 0.8) && !exact[1]);
    /* To a pose, a third of the way around. */
    const double ends[1][3] = {{2.2, 0, 0}}, turned[4] = {0, 0, 0.5, 0.86602540378443865};
    gjk_motions to = {GJK_MOTION_KIND_TO_SLERP, {NULL, 0}, {NULL, 0}, {NULL, 0},
                      {GJK_POSE_KIND_QUAT_XYZW, turned, 0, ends[0], 0}};
    CHECK(gjk_toi_rows(shapes, 1, &a, &b, NULL, &to, NULL, NULL, &out, NULL) == GJK_STATUS_OK);
    CHECK(is_about(lower[0], upper[0], angle / acos(0.5)));
    /* A segment of which one end falls by 4. */
    const double from[2][3] = {{-1, 0, 2}, {1, 0, 2}}, goes[2][3] = {{-1, 0, 2}, {1, 0, -2}};
    uint32_t bar;
    CHECK(gjk_shapes_add_moving_vertices(shapes, from[0], goes[0], 2, &bar) == GJK_STATUS_OK);
    gjk_bodies falls = body_here(&bar);
    CHECK(gjk_toi_rows(shapes, 1, &a, &falls, NULL, NULL, NULL, NULL, &out, NULL) == GJK_STATUS_OK);
    CHECK(verdicts[0] == GJK_MEETING_HITS && is_about(lower[0], upper[0], 0.25));
    printf("impacts: %.6f, %.6f\n", angle / 3, upper[0]);
}

static void manifolds(gjk_shapes *shapes, uint32_t cube)
{
    const double at[3][3] = {{0.5, 0, 2}, {0, 0, 5}, {NAN, 0, 0}};
    gjk_bodies a = body_here(&cube), b = bodies_at(&cube, at);
    uint8_t kinds[3], complete[3];
    uint32_t counts[3];
    double areas[3];
    gjk_manifold_point points[3 * 4];
    gjk_manifold_columns out = {verdicts, kinds, complete, counts, points, lower, upper, normals[0], areas};
    size_t wrong;
    CHECK_FAILS(gjk_manifold_rows(shapes, 3, &a, &b, NULL, NULL, &out, &wrong), GJK_STATUS_WRONG_ROWS, "row 2, body B");
    CHECK(wrong == 1 && counts[0] == 4 && counts[1] == 0 && counts[2] == 0);
    CHECK(kinds[0] == GJK_MANIFOLD_KIND_FACE_FACE && kinds[2] == GJK_MANIFOLD_KIND_WRONG_ROW);
    CHECK(verdicts[0] == GJK_VERDICT_TOUCHING && normals[0][2] == 1 && complete[0] && areas[0] == 3);
    for (int k = 0; k < 4; ++k) {
        CHECK(points[k].point_a[2] == 1 && points[k].point_b[2] == 1 && points[k].id != points[(k + 1) % 4].id);
        CHECK(is_about(points[k].separation_lower, points[k].separation_upper, 0));
        CHECK(points[4 + k].id == 0 && points[8 + k].id == 0);
    }
    gjk_manifold_options asked;
    CHECK(gjk_manifold_defaults(&asked) == GJK_STATUS_OK && asked.points_max == 4);
    asked.points_max = 1;
    CHECK(gjk_manifold_rows(shapes, 2, &a, &b, &asked, NULL, &out, NULL) == GJK_STATUS_OK);
    CHECK(counts[0] == 1 && !complete[0]);
    asked.points_max = 65;
    CHECK_FAILS(gjk_manifold_rows(shapes, 2, &a, &b, &asked, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "points_max is 65");
    asked.points_max = 4;
    asked.prediction = -1;
    CHECK_FAILS(gjk_manifold_rows(shapes, 2, &a, &b, &asked, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "prediction is -1");
    asked.prediction = 0;
    asked.cos_max_tilt = 0.25;
    CHECK_FAILS(gjk_manifold_rows(shapes, 2, &a, &b, &asked, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "cos_max_tilt");
    out.areas = lower;
    CHECK_FAILS(gjk_manifold_rows(shapes, 2, &a, &b, NULL, NULL, &out, NULL), GJK_STATUS_BAD_COLUMNS, "overlap");
    printf("manifolds: 4 points, 0 points\n");
}

static void steps(gjk_shapes *shapes, uint32_t cube)
{
    /* A cube slides over another; in row 1 it is not there in the second step. */
    double at[2][3] = {{0.5, 0.25, 2}, {0.5, 0.25, 2}};
    gjk_bodies a = body_here(&cube), b = bodies_at(&cube, (const double (*)[3])at);
    uint32_t counts[2], before[2 * 4];
    gjk_manifold_point points[2 * 4], cold[2 * 4];
    gjk_manifold_columns out, same;
    memset(&out, 0, sizeof out);
    out.counts = counts;
    out.points = points;
    same = out;
    same.points = cold;
    double impulses[4] = {0, 0, 0, 0}, kept[4];
    gjk_manifold_cache *cache = NULL;
    CHECK_FAILS(gjk_manifold_cache_new(NULL), GJK_STATUS_NULL_POINTER, "cache is NULL");
    CHECK(gjk_manifold_cache_new(&cache) == GJK_STATUS_OK);
    CHECK_FAILS(gjk_manifold_warm(shapes, NULL, 2, &a, &b, NULL, NULL, &out, before, NULL), GJK_STATUS_NULL_POINTER, "cache is NULL");
    CHECK_FAILS(gjk_manifold_warm(shapes, cache, 2, &a, &b, NULL, NULL, &out, counts, NULL), GJK_STATUS_BAD_COLUMNS, "overlap");
    for (int step = 0; step < 4; ++step) {
        at[0][0] = 0.5 + 0.01 * step;
        at[1][0] = step == 1 ? NAN : 0.5;
        gjk_status status = gjk_manifold_warm(shapes, cache, 2, &a, &b, NULL, NULL, &out, before, NULL);
        CHECK(status == (step == 1 ? GJK_STATUS_WRONG_ROWS : GJK_STATUS_OK));
        CHECK(counts[0] == 4 && counts[1] == (step == 1 ? 0 : 4));
        gjk_manifold_rows(shapes, 2, &a, &b, NULL, NULL, &same, NULL);
        CHECK(memcmp(points, cold, sizeof points) == 0);
        for (int k = 0; k < 4; ++k) {
            CHECK((before[k] == UINT32_MAX) == (step == 0));
            kept[k] = (step == 0 ? 0 : impulses[before[k]]) + 1;
            CHECK((before[4 + k] == UINT32_MAX) == (step < 3));
        }
        memcpy(impulses, kept, sizeof kept);
    }
    gjk_manifold_cache_free(cache);
    gjk_manifold_cache_free(NULL);
    printf("steps: impulses of %.0f\n", impulses[0]);
}

static void calls_that_are_wrong(gjk_shapes *shapes, uint32_t cube)
{
    const double origin[3] = {0, 0, 0};
    gjk_bodies a = body_here(&cube);
    gjk_rays given = {{origin, 0}, {NULL, 0}};
    gjk_motion_columns out = all_columns();
    CHECK_FAILS(gjk_ray_rows(shapes, 1, &a, &given, NULL, NULL, &out, NULL), GJK_STATUS_NULL_POINTER, "direction is NULL");
    CHECK_FAILS(gjk_ray_rows(shapes, 1, &a, NULL, NULL, NULL, &out, NULL), GJK_STATUS_NULL_POINTER, "rays is NULL");
    CHECK_FAILS(gjk_toi_rows(shapes, 1, &a, NULL, NULL, NULL, NULL, NULL, &out, NULL), GJK_STATUS_NULL_POINTER, "b is NULL");
    CHECK_FAILS(gjk_cast_rows(shapes, 1, &a, &a, NULL, NULL, NULL, NULL, NULL, NULL), GJK_STATUS_NULL_POINTER, "out is NULL");
    CHECK_FAILS(gjk_motion_defaults(NULL), GJK_STATUS_NULL_POINTER, "asked is NULL");
    gjk_motion_options asked;
    CHECK(gjk_motion_defaults(&asked) == GJK_STATUS_OK);
    CHECK_FAILS(gjk_toi_rows(shapes, 1, &a, &a, NULL, NULL, &asked, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "max_time is inf");
    asked.distance = -0.5;
    CHECK_FAILS(gjk_cast_rows(shapes, 1, &a, &a, NULL, NULL, &asked, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "distance is -0.5");
    asked.start = 3;
    CHECK_FAILS(gjk_cast_rows(shapes, 1, &a, &a, NULL, NULL, &asked, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "start is 3");
    gjk_motions motion;
    memset(&motion, 0, sizeof motion);
    motion.kind = 9;
    CHECK_FAILS(gjk_toi_rows(shapes, 1, &a, &a, &motion, NULL, NULL, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "kind of motion_a is 9");
    motion.kind = GJK_MOTION_KIND_VELOCITIES;
    motion.velocity.numbers = lower;
    CHECK_FAILS(gjk_toi_rows(shapes, 1, &a, &a, &motion, NULL, NULL, NULL, &out, NULL), GJK_STATUS_BAD_COLUMNS, "overlap velocity");
    motion.velocity.numbers = origin;
    motion.velocity.stride = 8;
    CHECK_FAILS(gjk_toi_rows(shapes, 1, &a, &a, &motion, NULL, NULL, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "24 bytes");
    uint32_t index = 77;
    CHECK_FAILS(gjk_shapes_add_moving_vertices(shapes, NULL, NULL, 0, &index), GJK_STATUS_BAD_SHAPE, "from");
    CHECK(index == 77);
    CHECK(gjk_toi_rows(shapes, 0, &a, &a, NULL, NULL, NULL, NULL, &out, NULL) == GJK_STATUS_OK);
    printf("wrong calls are told\n");
}

int main(void)
{
    gjk_shapes *shapes = NULL;
    const double half[3] = {1, 1, 1};
    uint32_t cube;
    CHECK(gjk_shapes_new(&shapes) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_box(shapes, half, &cube) == GJK_STATUS_OK);
    rays(shapes, cube);
    casts(shapes, cube);
    impacts(shapes, cube);
    manifolds(shapes, cube);
    steps(shapes, cube);
    calls_that_are_wrong(shapes, cube);
    gjk_shapes_free(shapes);
    printf("gjk %s: every check holds\n", gjk_version());
    return 0;
}
