/* The C interface in C11: answers known in closed form, rows that are wrong, and calls that are. */
#include "check.h"
#include <stdalign.h>

/* A row as a caller may have it: columns are fields, a stride apart. */
typedef struct row {
    uint32_t shape;
    double at[3];
    double turn[4]; /* x, y, z, w */
} row;

static gjk_bodies bodies_of(const row *rows)
{
    gjk_bodies bodies;
    bodies.shapes = &rows->shape;
    bodies.shapes_stride = sizeof(row);
    bodies.poses.kind = GJK_POSE_KIND_QUAT_XYZW;
    bodies.poses.numbers = rows->turn;
    bodies.poses.stride = sizeof(row);
    bodies.poses.translation = rows->at;
    bodies.poses.translation_stride = sizeof(row);
    return bodies;
}

/* One shape where its own frame is, for all rows. */
static gjk_bodies one_here(const uint32_t *shape)
{
    gjk_bodies bodies;
    memset(&bodies, 0, sizeof bodies);
    bodies.shapes = shape;
    return bodies;
}

static void cubes_in_a_row(gjk_shapes *shapes)
{
    const double half[3] = {0.5, 0.5, 0.5};
    const double truth[4] = {-0.25, 0.0, 0.5, 1.25};
    const char *names[4] = {"separated", "touching", "overlapping", "undecided"};
    uint32_t cube;
    CHECK(gjk_shapes_add_box(shapes, half, &cube) == GJK_STATUS_OK);
    row rows[4];
    for (int k = 0; k < 4; ++k) {
        row one = {cube, {truth[k] + 1.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 2.0}};
        rows[k] = one;
    }
    gjk_bodies a = one_here(&cube), b = bodies_of(rows);
    uint8_t verdicts[4], alone[4];
    double lower[4], upper[4], normals[4][3], points_a[4][3], points_b[4][3];
    gjk_columns out = {verdicts, lower, upper, normals[0], points_a[0], points_b[0]};
    size_t wrong = 7;
    CHECK(gjk_contact_rows(shapes, 4, &a, &b, NULL, &out, &wrong) == GJK_STATUS_OK);
    CHECK(wrong == 0);
    for (int k = 0; k < 4; ++k) {
        printf("cubes %.2f apart: %s, [%.6f, %.6f], along x by %.0f\n", truth[k],
               names[verdicts[k]], lower[k], upper[k], normals[k][0]);
        CHECK(is_about(lower[k], upper[k], truth[k]));
        CHECK(fabs(normals[k][0] - 1.0) < 1e-12);
        CHECK(fabs(points_a[k][0] - 0.5) < 1e-9);
        CHECK(fabs(points_b[k][0] - (0.5 + truth[k])) < 1e-9);
    }
    CHECK(gjk_classify_rows(shapes, 4, &a, &b, NULL, alone, NULL) == GJK_STATUS_OK);
    CHECK(memcmp(alone, verdicts, sizeof alone) == 0);
    /* Distances of those that overlap are 0, and columns that are not wanted are NULL. */
    gjk_columns some = {NULL, lower, NULL, NULL, NULL, NULL};
    CHECK(gjk_distance_rows(shapes, 4, &a, &b, NULL, &some, NULL) == GJK_STATUS_OK);
    CHECK(lower[0] == 0.0 && lower[1] == 0.0 && fabs(lower[3] - 1.25) < 1e-9);
}

enum { KINDS = 11 };

static void a_sphere_from_every_shape(gjk_shapes *shapes)
{
    const double origin[3] = {0, 0, 0}, down[3] = {0, 0, -1}, up[3] = {0, 0, 1}, side[3] = {0, 2, 0};
    const double half[3] = {1, 2, 3}, radii[3] = {2, 1, 1};
    const double corners[9][3] = {{-.5, -.5, -.5}, {.5, -.5, -.5}, {-.5, .5, -.5},
                                  {.5, .5, -.5},   {-.5, -.5, .5}, {.5, -.5, .5},
                                  {-.5, .5, .5},   {.5, .5, .5},   {0, 0, 0}};
    /* How far each reaches along x. */
    const double reach[KINDS] = {0, 0, 0, 0.5, 1, 1.25, 0.25, 1, 2, 0.5, 0.75};
    uint32_t ids[KINDS], sphere, *next = ids;
    CHECK(gjk_shapes_add_point(shapes, origin, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_segment(shapes, down, up, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_triangle(shapes, down, up, side, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_sphere(shapes, 0.5, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_box(shapes, half, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_capsule(shapes, 1, 0.25, GJK_AXIS_X, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_cylinder(shapes, 1, 0.25, GJK_AXIS_Z, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_cone(shapes, 1, 0.5, GJK_AXIS_X, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_ellipsoid(shapes, radii, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_hull(shapes, corners[0], 9, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_rounded(shapes, ids[9], 0.25, next++) == GJK_STATUS_OK);
    CHECK(gjk_shapes_add_sphere(shapes, 0.5, &sphere) == GJK_STATUS_OK);
    const double there[12] = {1, 0, 0, 10, 0, 1, 0, 0, 0, 0, 1, 0};
    gjk_bodies a = one_here(ids), b = one_here(&sphere);
    a.shapes_stride = sizeof(uint32_t);
    b.poses.kind = GJK_POSE_KIND_MATRIX3X4;
    b.poses.numbers = there;
    double lower[KINDS], upper[KINDS];
    gjk_columns out = {NULL, lower, upper, NULL, NULL, NULL};
    CHECK(gjk_distance_rows(shapes, KINDS, &a, &b, NULL, &out, NULL) == GJK_STATUS_OK);
    printf("a sphere from every shape:");
    for (int k = 0; k < KINDS; ++k) {
        double truth = 10 - 0.5 - reach[k];
        CHECK(lower[k] <= truth && truth <= upper[k] && upper[k] - lower[k] < 1e-6);
        printf(" %.3f", upper[k]);
    }
    printf("\n");
}

static void rows_that_are_wrong(gjk_shapes *shapes)
{
    uint32_t first = 0, none = 4000000000u;
    row rows[5];
    for (int k = 0; k < 5; ++k) {
        row one = {first, {3.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
        rows[k] = one;
    }
    rows[1].shape = none;
    rows[2].turn[3] = 0.0;
    rows[4].at[1] = NAN;
    gjk_bodies a = one_here(&first), b = bodies_of(rows);
    uint8_t verdicts[5];
    double lower[5], points[5][3];
    gjk_columns out = {verdicts, lower, NULL, NULL, NULL, points[0]};
    size_t wrong;
    CHECK_FAILS(gjk_contact_rows(shapes, 5, &a, &b, NULL, &out, &wrong), GJK_STATUS_WRONG_ROWS,
                "3 of 5 rows are wrong, at first row 1, body B: shape 4000000000 of");
    printf("wrong rows: %s\n", gjk_last_error());
    CHECK(wrong == 3);
    for (int k = 0; k < 5; ++k) {
        int is_wrong = k == 1 || k == 2 || k == 4;
        CHECK(verdicts[k] == (is_wrong ? GJK_VERDICT_WRONG_ROW : GJK_VERDICT_SEPARATED));
        CHECK(is_wrong ? isnan(lower[k]) && isnan(points[k][2]) : fabs(lower[k] - 2.0) < 1e-9);
    }
}

static void calls_that_are_wrong(gjk_shapes *shapes)
{
    uint32_t first = 0, index = 77;
    gjk_bodies a = one_here(&first), b = one_here(&first);
    uint8_t verdicts[2];
    double numbers[8];
    gjk_columns out = {verdicts, numbers, NULL, NULL, NULL, NULL};
    alignas(double) char bytes[64] = {0};
    double *odd = (double *)(void *)(bytes + 1);
    /* NULL. */
    CHECK_FAILS(gjk_shapes_new(NULL), GJK_STATUS_NULL_POINTER, "shapes is NULL");
    CHECK_FAILS(gjk_shapes_add_sphere(NULL, 1, &index), GJK_STATUS_NULL_POINTER, "shapes is NULL");
    CHECK_FAILS(gjk_shapes_add_sphere(shapes, 1, NULL), GJK_STATUS_NULL_POINTER, "index is NULL");
    CHECK_FAILS(gjk_shapes_add_box(shapes, NULL, &index), GJK_STATUS_NULL_POINTER, "half_extents");
    CHECK_FAILS(gjk_contact_rows(shapes, 2, NULL, &b, NULL, &out, NULL), GJK_STATUS_NULL_POINTER, "a is");
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, NULL, NULL, NULL), GJK_STATUS_NULL_POINTER, "out is");
    CHECK_FAILS(gjk_classify_rows(shapes, 2, &a, &b, NULL, NULL, NULL), GJK_STATUS_NULL_POINTER, "verdicts");
    CHECK(gjk_classify_rows(shapes, 0, &a, &b, NULL, NULL, NULL) == GJK_STATUS_OK);
    gjk_shapes_free(NULL);
    gjk_mesh_free(NULL);
    gjk_cancel_free(NULL);
    /* Pointers and strides that are not aligned. */
    CHECK_FAILS(gjk_shapes_add_box(shapes, odd, &index), GJK_STATUS_MISALIGNED, "half_extents");
    CHECK_FAILS(gjk_shapes_add_hull(shapes, odd, 2, &index), GJK_STATUS_MISALIGNED, "points");
    out.upper = odd;
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, NULL, &out, NULL), GJK_STATUS_MISALIGNED, "upper");
    out.upper = NULL;
    b.poses.kind = GJK_POSE_KIND_MATRIX4X4;
    b.poses.numbers = odd;
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, NULL, &out, NULL), GJK_STATUS_MISALIGNED, "poses");
    b.poses.numbers = numbers;
    b.poses.stride = 130;
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, NULL, &out, NULL), GJK_STATUS_MISALIGNED, "130");
    /* Strides in elements, counts that no memory has, kinds that are none. */
    b.poses.stride = 16;
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "128 bytes");
    b.poses.stride = 128;
    CHECK_FAILS(gjk_contact_rows(shapes, SIZE_MAX / 64, &a, &b, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT,
                "memory");
    CHECK_FAILS(gjk_shapes_add_hull(shapes, numbers, SIZE_MAX, &index), GJK_STATUS_BAD_ARGUMENT, "memory");
    b.poses.kind = 5;
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, NULL, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "kind");
    CHECK_FAILS(gjk_shapes_add_cone(shapes, 1, 1, 3, &index), GJK_STATUS_BAD_ARGUMENT, "axis is 3");
    b = one_here(&first);
    gjk_options options = {UINT32_MAX, NULL};
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, &options, &out, NULL), GJK_STATUS_BAD_ARGUMENT, "threads");
    /* Shapes that are none. */
    CHECK_FAILS(gjk_shapes_add_sphere(shapes, -1, &index), GJK_STATUS_BAD_SHAPE, "radius");
    CHECK_FAILS(gjk_shapes_add_capsule(shapes, NAN, 1, 0, &index), GJK_STATUS_BAD_SHAPE, "half_height");
    CHECK_FAILS(gjk_shapes_add_hull(shapes, NULL, 0, &index), GJK_STATUS_BAD_SHAPE, "points");
    CHECK_FAILS(gjk_shapes_add_rounded(shapes, 999, 1, &index), GJK_STATUS_NO_SUCH_SHAPE, "shape 999 of");
    CHECK(index == 77);
    /* Columns that are the same memory, or memory of the poses. */
    out.upper = numbers + 1;
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, NULL, &out, NULL), GJK_STATUS_BAD_COLUMNS,
                "lower overlap upper");
    out.upper = numbers + 2;
    CHECK(gjk_contact_rows(shapes, 2, &a, &b, NULL, &out, NULL) == GJK_STATUS_OK);
    b.poses.kind = GJK_POSE_KIND_QUAT_WXYZ;
    b.poses.numbers = numbers + 3;
    CHECK_FAILS(gjk_contact_rows(shapes, 2, &a, &b, NULL, &out, NULL), GJK_STATUS_BAD_COLUMNS,
                "upper overlap poses");
    printf("wrong calls: %s, %s\n", gjk_status_name(GJK_STATUS_BAD_COLUMNS), gjk_status_name(99));
}

int main(void)
{
    gjk_shapes *shapes = NULL;
    size_t len;
    CHECK(strlen(gjk_last_error()) == 0);
    CHECK(strlen(gjk_instruction_set()) > 0);
    CHECK(gjk_shapes_new(&shapes) == GJK_STATUS_OK);
    cubes_in_a_row(shapes);
    a_sphere_from_every_shape(shapes);
    rows_that_are_wrong(shapes);
    calls_that_are_wrong(shapes);
    CHECK(gjk_shapes_len(shapes, &len) == GJK_STATUS_OK && len == 13);
    gjk_shapes_free(shapes);
    printf("gjk %s: every check holds\n", gjk_version());
    return 0;
}
