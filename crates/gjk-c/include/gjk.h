/* gjk: certified collision queries of convex shapes and of triangle meshes.
 *
 * Made by cbindgen of crates/gjk-c: GJK_HEADER=write cargo test --package gjk-c --test header
 *
 * Frames and units. A shape and a mesh lie in a frame of their own, which a pose takes to the world. Lengths are in the
 * caller's unit, the same for all. Points and normals of answers are in the world. Normals are unit, and point from A to B.
 * Numbers are doubles; a vector is three of them.
 *
 * Signs and accuracy. The distance of separated bodies is positive; in gjk_contact_rows that of overlapping ones is negative.
 * Every distance is an interval, lower <= truth <= upper. Verdicts are exact for polytopes, and for polytopes with a radius;
 * relations and sides of meshes have no tolerance.
 *
 * Errors. A function that can fail returns a gjk_status. gjk_last_error() has the text of what went wrong, for the thread that
 * called. After a failure nothing was written, unless the function says otherwise. A fault of the library ends in
 * GJK_STATUS_PANIC; it does not pass through the caller's frames, and does not end the process.
 *
 * Threads. Every function may be called by any thread, and all but the gjk_..._free may have a handle at the same time: a call
 * of rows has the shapes as they were when it began. Answers are the same bits for any number of threads. Do not unload the
 * library, since threads are kept; after a fork the child has threads of its own.
 *
 * What the library cannot check, and takes the caller's word for:
 * - A pointer that is not NULL points to as many values as its parameter says, in memory that is readable, or writable for
 *   answers, until the call ends; nobody writes what is read, or reads what is written, during the call.
 * - A handle came from its gjk_..._new, and was not freed. Each is freed once, by its gjk_..._free.
 * NULL, alignment, strides, indices, and columns that overlap are checked. Pointers may be NULL where it is said.
 */


#ifndef GJK_H
#define GJK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What became of a call. `gjk_last_error` has a text for each that is not `GJK_STATUS_OK`.
enum gjk_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Done.
  GJK_STATUS_OK = 0,
  // A pointer is NULL that must not be.
  GJK_STATUS_NULL_POINTER = 1,
  // A pointer or a stride is no multiple of its type's alignment.
  GJK_STATUS_MISALIGNED = 2,
  // A number names nothing, or is outside of its range: an axis, a kind of poses, a stride, a count, a
  // length.
  GJK_STATUS_BAD_ARGUMENT = 3,
  // The numbers are no shape: the text names the field.
  GJK_STATUS_BAD_SHAPE = 4,
  // There is no shape of that index.
  GJK_STATUS_NO_SUCH_SHAPE = 5,
  // The vertices and triangles are no mesh.
  GJK_STATUS_BAD_MESH = 6,
  // A pose is not finite, not affine or singular.
  GJK_STATUS_BAD_POSE = 7,
  // Rows are wrong, and the others are answered: see `gjk_contact_rows`.
  GJK_STATUS_WRONG_ROWS = 8,
  // Columns for answers overlap one another, or columns that are read.
  GJK_STATUS_BAD_COLUMNS = 9,
  // The caller's `gjk_cancel` stopped the call.
  GJK_STATUS_CANCELLED = 10,
  // Threads could not be started.
  GJK_STATUS_NO_THREADS = 11,
  // A fault of the library, which was caught. What was being written is not to be used.
  GJK_STATUS_PANIC = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_status gjk_status;
#else
typedef int32_t gjk_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether a mesh has an inside.
enum gjk_mesh_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The union of closed shells, less their cavities.
  GJK_MESH_KIND_SOLID = 0,
  // The set of its triangles; `gjk_mesh_reason` says why.
  GJK_MESH_KIND_SURFACE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_mesh_kind gjk_mesh_kind;
#else
typedef uint32_t gjk_mesh_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How two meshes are to each other.
enum gjk_relation
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // They share no point.
  GJK_RELATION_SEPARATED = 0,
  // They share points of their surfaces and nothing else. Of a surface: it does not pass to the other's
  // other side.
  GJK_RELATION_TOUCHING = 1,
  // Two solids share volume, and neither is within one piece of the other.
  GJK_RELATION_OVERLAPPING = 2,
  // A surface passes through the other surface, or into a solid and out of it.
  GJK_RELATION_CROSSING = 3,
  // A is within B.
  GJK_RELATION_INSIDE = 4,
  // B is within A.
  GJK_RELATION_CONTAINS = 5,
  // Two solids are the same set.
  GJK_RELATION_EQUAL = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_relation gjk_relation;
#else
typedef uint32_t gjk_relation;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where on a triangle a point is.
enum gjk_feature
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // At a corner.
  GJK_FEATURE_VERTEX = 0,
  // On an edge.
  GJK_FEATURE_EDGE = 1,
  // Inside.
  GJK_FEATURE_FACE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_feature gjk_feature;
#else
typedef uint32_t gjk_feature;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is known of a question.
enum gjk_truth
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It is proved that it is not so.
  GJK_TRUTH_NO = 0,
  // It is proved.
  GJK_TRUTH_YES = 1,
  // Neither is.
  GJK_TRUTH_UNKNOWN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_truth gjk_truth;
#else
typedef uint32_t gjk_truth;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where a point is.
enum gjk_side
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Inside of the solid.
  GJK_SIDE_INSIDE = 0,
  // On a triangle of it.
  GJK_SIDE_BOUNDARY = 1,
  // Outside.
  GJK_SIDE_OUTSIDE = 2,
  // The mesh is a surface, which has no inside, or no ray avoids all edges.
  GJK_SIDE_UNKNOWN = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_side gjk_side;
#else
typedef uint32_t gjk_side;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The axis of a capsule, a cylinder or a cone, in the shape's own frame.
enum gjk_axis
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Along x.
  GJK_AXIS_X = 0,
  // Along y.
  GJK_AXIS_Y = 1,
  // Along z.
  GJK_AXIS_Z = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_axis gjk_axis;
#else
typedef uint32_t gjk_axis;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How two bodies of a row are to each other.
enum gjk_verdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // They share no point.
  GJK_VERDICT_SEPARATED = 0,
  // They share points of their surfaces alone.
  GJK_VERDICT_TOUCHING = 1,
  // They share volume.
  GJK_VERDICT_OVERLAPPING = 2,
  // Smooth bodies that are nearer to touching than their interval tells.
  GJK_VERDICT_UNDECIDED = 3,
  // The row is wrong: its numbers are NaN.
  GJK_VERDICT_WRONG_ROW = 255,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_verdict gjk_verdict;
#else
typedef uint32_t gjk_verdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the numbers of `gjk_poses` are.
enum gjk_pose_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // No numbers: every body is where its own frame is. All zero bytes are these poses.
  GJK_POSE_KIND_IDENTITY = 0,
  // Twelve numbers a row: a matrix by rows, three of four. It may stretch and mirror. (Matrices by columns,
  // as Eigen and OpenGL have them, are others.)
  GJK_POSE_KIND_MATRIX3X4 = 1,
  // Sixteen numbers a row: the same with a last row, which is 0 0 0 1.
  GJK_POSE_KIND_MATRIX4X4 = 2,
  // Four numbers a row: a quaternion x, y, z, w of any length but zero.
  GJK_POSE_KIND_QUAT_XYZW = 3,
  // Four numbers a row: a quaternion w, x, y, z of any length but zero.
  GJK_POSE_KIND_QUAT_WXYZ = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_pose_kind gjk_pose_kind;
#else
typedef uint32_t gjk_pose_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How two bodies in motion meet.
enum gjk_meeting
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // No contact at any time of the motion.
  GJK_MEETING_FREE = 0,
  // Apart at the start, in contact later.
  GJK_MEETING_HITS = 1,
  // They touch at the start.
  GJK_MEETING_STARTS_TOUCHING = 2,
  // They share inner points at the start.
  GJK_MEETING_STARTS_OVERLAPPING = 3,
  // In contact at the start, and it ends.
  GJK_MEETING_EXITS = 4,
  // Not known from the lower end of the time on.
  GJK_MEETING_UNDECIDED = 5,
  // The row is wrong: its numbers are NaN.
  GJK_MEETING_WRONG_ROW = 255,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_meeting gjk_meeting;
#else
typedef uint32_t gjk_meeting;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a start in contact means.
enum gjk_motion_start
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It is the answer.
  GJK_MOTION_START_HIT = 0,
  // It is the answer if the motion goes deeper, and else passed over.
  GJK_MOTION_START_APPROACH = 1,
  // The end of contact is the answer.
  GJK_MOTION_START_EXIT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_motion_start gjk_motion_start;
#else
typedef uint32_t gjk_motion_start;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a contact without common inner points means.
enum gjk_motion_touch
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It is a contact.
  GJK_MOTION_TOUCH_COUNTS = 0,
  // It is passed over.
  GJK_MOTION_TOUCH_PASSES = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_motion_touch gjk_motion_touch;
#else
typedef uint32_t gjk_motion_touch;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a body moves and turns.
enum gjk_motion_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // By velocities. All zero bytes are a body at rest.
  GJK_MOTION_KIND_VELOCITIES = 0,
  // To a pose in a unit of time, by the shortest arc at a constant rate.
  GJK_MOTION_KIND_TO_SLERP = 1,
  // The same, as a straight line of quaternions goes that are normalised.
  GJK_MOTION_KIND_TO_NLERP = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_motion_kind gjk_motion_kind;
#else
typedef uint32_t gjk_motion_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What bears on what.
enum gjk_manifold_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Two faces.
  GJK_MANIFOLD_KIND_FACE_FACE = 0,
  // A face and an edge.
  GJK_MANIFOLD_KIND_FACE_EDGE = 1,
  // Two edges that are parallel.
  GJK_MANIFOLD_KIND_EDGE_EDGE = 2,
  // A point.
  GJK_MANIFOLD_KIND_POINT = 3,
  // The row is wrong.
  GJK_MANIFOLD_KIND_WRONG_ROW = 255,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gjk_manifold_kind gjk_manifold_kind;
#else
typedef uint32_t gjk_manifold_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A flag that stops calls of rows from another thread.
typedef struct gjk_cancel gjk_cancel;

// What stays of the rows of `gjk_manifold_warm` from one call to the next.
typedef struct gjk_manifold_cache gjk_manifold_cache;

// A mesh of triangles as a body, a solid or a surface. It does not change.
typedef struct gjk_mesh gjk_mesh;

// Convex shapes by index, as rows name them. A shape that was added does not change.
typedef struct gjk_shapes gjk_shapes;

// Poses of bodies: maps of points of their frames to the world. Strides are in bytes, from a row to the next
// one; 0 has one for all rows.
typedef struct gjk_poses {
  // A `gjk_pose_kind`.
  uint32_t kind;
  // The matrices or the quaternions.
  const double *numbers;
  // 0, or at least the bytes of a row of `numbers`.
  size_t stride;
  // Three numbers a row, beside quaternions: in the world, in the unit of the shapes. NULL for none.
  const double *translation;
  // 0, or at least the bytes of three numbers.
  size_t translation_stride;
} gjk_poses;

// One body of each row: a shape and a pose.
typedef struct gjk_bodies {
  // The indices of shapes.
  const uint32_t *shapes;
  // In bytes: 0 has one shape for all rows, else at least `sizeof(uint32_t)`.
  size_t shapes_stride;
  // Where they are.
  struct gjk_poses poses;
} gjk_bodies;

// How rows are run. Nothing here changes a bit of an answer.
typedef struct gjk_options {
  // 0: as many as there are processors; 1: the caller's thread alone; at most 1024. Threads are kept for the
  // next call that asks for as many.
  uint32_t threads;
  // What can stop the call, or NULL.
  const struct gjk_cancel *cancel;
} gjk_options;

// Where answers go: columns of as many rows as the call has, without gaps. NULL for those that are not wanted.
// What they hold before does not matter.
typedef struct gjk_columns {
  // A `gjk_verdict` a row.
  uint8_t *verdicts;
  // Lower ends of the distance, or of the signed distance: at most the truth.
  double *lower;
  // Upper ends of it: at least the truth.
  double *upper;
  // Three numbers a row: unit, in the world, from A to B.
  double *normals;
  // Three numbers a row: a point on the surface of A, in the world.
  double *points_a;
  // Three numbers a row: a point on the surface of B, in the world.
  double *points_b;
} gjk_columns;

// What is asked about a motion. `gjk_motion_defaults` fills it.
typedef struct gjk_motion_options {
  // The end of the motion, which belongs to it. Infinite for none, which a time of impact may not be.
  double max_time;
  // Contact is a signed distance of at most this; 0 or more.
  double distance;
  // A `gjk_motion_start`.
  uint32_t start;
  // A `gjk_motion_touch`.
  uint32_t touch;
  // Of a time of impact: the part of the motion's duration below which the search ends.
  double time_resolution;
  // Of a time of impact: at most so many proved pieces.
  uint32_t pieces_max;
} gjk_motion_options;

// Three numbers a row. The stride is in bytes, from a row to the next one; 0 has one for all rows.
typedef struct gjk_vectors {
  // The numbers; NULL for zeros.
  const double *numbers;
  // 0, or at least the bytes of three numbers.
  size_t stride;
} gjk_vectors;

// A point that moves, for each row: it is at `origin` at the time 0, and goes by `direction` in a unit of time.
typedef struct gjk_rays {
  // Where it starts.
  struct gjk_vectors origin;
  // It need not be unit: times are in its lengths. Zero is a point at rest.
  struct gjk_vectors direction;
} gjk_rays;

// Where answers on motions go: columns of as many rows as the call has, without gaps. NULL for those that are not wanted.
// What an answer does not have is NaN: the time of a row that is free.
typedef struct gjk_motion_columns {
  // A `gjk_meeting` a row.
  uint8_t *verdicts;
  // 1 where the verdict rests on exact signs: of rays and casts of polytopes, rounded or not.
  uint8_t *exact;
  // 1 where there is contact, and no inner point is ever met.
  uint8_t *grazing;
  // At most the time of the verdict: of first contact, or of its end where it exits; 0 for a start in contact. Where it is
  // undecided there is no contact before.
  double *time_lower;
  // At least that time. Where it is undecided, contact until then if it is finite.
  double *time_upper;
  // At most the time at which contact ends, where that is known: of rays and casts of polytopes.
  double *exit_lower;
  // At least that time.
  double *exit_upper;
  // Three numbers a row: unit, in the world, from A to B at the contact; of a ray out of the body.
  double *normals;
  // Three numbers a row: a point on the surface of A, in the world, at the upper end of the time.
  double *points_a;
  // Three numbers a row: a point on the surface of B, likewise; of a ray its place.
  double *points_b;
  // Of a start in contact: at most the signed distance.
  double *signed_lower;
  // Of a start in contact: at least the signed distance.
  double *signed_upper;
} gjk_motion_columns;

// How a body of each row moves and turns from its pose.
typedef struct gjk_motions {
  // A `gjk_motion_kind`.
  uint32_t kind;
  // The point that moves in a straight line, in the body's frame.
  struct gjk_vectors center;
  // By velocities: how far the centre moves in a unit of time.
  struct gjk_vectors velocity;
  // By velocities: the angle in radians that the body turns in a unit of time, along its axis, in the world.
  struct gjk_vectors angular;
  // To a pose: where the body is at the time 1. It turns and moves, and does not scale.
  struct gjk_poses to;
} gjk_motions;

// What is asked about a manifold. `gjk_manifold_defaults` fills it.
typedef struct gjk_manifold_options {
  // Points up to this separation; 0 or more.
  double prediction;
  // At most so many points a row, 1 to 64: each row has so many places in `points`.
  uint32_t points_max;
  // A face counts as facing the other body within this angle of the normal: its cosine, 0.5 to 1.
  double cos_max_tilt;
} gjk_manifold_options;

// A point at which bodies bear on each other. All zero bytes where a row has no more of them.
typedef struct gjk_manifold_point {
  // On A, in the world.
  double point_a[3];
  // On B, in the world: `separation` times the normal from it.
  double point_b[3];
  // At most how far the supporting faces are apart there.
  double separation_lower;
  // At least that.
  double separation_upper;
  // Names it from step to step.
  uint64_t id;
  // The same where the bodies are exchanged.
  uint64_t exchanged_id;
} gjk_manifold_point;

// Where manifolds go: columns of as many rows as the call has, without gaps. NULL for those that are not wanted.
typedef struct gjk_manifold_columns {
  // A `gjk_verdict` a row.
  uint8_t *verdicts;
  // A `gjk_manifold_kind` a row.
  uint8_t *kinds;
  // 1 where no point was left out.
  uint8_t *complete;
  // How many points a row has.
  uint32_t *counts;
  // Those of row k begin at `points[k * points_max]`.
  struct gjk_manifold_point *points;
  // Lower ends of the signed distance.
  double *lower;
  // Upper ends of it.
  double *upper;
  // Three numbers a row: unit, in the world, from A to B, of every point.
  double *normals;
  // Of the polygon of all points.
  double *areas;
} gjk_manifold_columns;

// What a mesh is as a body.
typedef struct gjk_mesh_facts {
  // A solid or a surface.
  gjk_mesh_kind kind;
  // How many shells of a solid face outward; 0 for a surface.
  size_t shells;
  // How many shells of a solid face inward, each within one that faces outward; 0 for a surface.
  size_t cavities;
  // Whether two shells of a solid meet; the body is their union all the same.
  bool shells_meet;
  // Whether all of a solid faces inward; it is meant as its own outside then.
  bool inside_out;
  // Triangles that are left out because two corners are at one place.
  size_t collapsed;
  // Triangles that are left out in pairs, back to back.
  size_t cancelled;
  // Triangles that are copies of others, which stay.
  size_t copies;
} gjk_mesh_facts;

// The answer of `gjk_mesh_relation`.
typedef struct gjk_relation_answer {
  // The relation.
  gjk_relation relation;
  // False where a shell crosses itself once its vertices are rounded, or no ray avoids all edges: then the
  // relation is what is known to be true at least.
  bool exact;
  // Whether both poses are one, so that the meshes were compared in their own frame.
  bool flush;
  // Whether the surfaces meet, at the point that follows.
  bool has_contact;
  // Whether `normal` is one: false where the point is on no face of a solid.
  bool has_normal;
  // The triangles of A and of B that meet there, by their places in the caller's list; `UINT32_MAX` where
  // there is no contact.
  uint32_t triangles[2];
  // Where on its triangle the point is.
  gjk_feature features[2];
  // In the world, to the rounding of its coordinates; NaN where there is no contact.
  double point[3];
  // Unit, in the world, out of A and into B; NaN where there is none.
  double normal[3];
} gjk_relation_answer;

// The answer of `gjk_mesh_distance`.
typedef struct gjk_surface_distance {
  // At most the distance of the surfaces.
  double lower;
  // At least the distance of the surfaces. Infinite where they are beyond reach.
  double upper;
  // A nearest point of A's surface, in the world; NaN where they are beyond reach, as all that follows.
  double point_a[3];
  // A nearest point of B's surface, in the world.
  double point_b[3];
  // Unit, from A to B; zero where the surfaces meet.
  double normal[3];
  // The triangles, by their places in the caller's lists; `UINT32_MAX` where they are beyond reach.
  uint32_t triangles[2];
  // Whether the search ended before its end, with an interval that holds all the same.
  bool stopped;
  // Whether the distance is proved to be more than the reach that was asked for.
  bool beyond_reach;
} gjk_surface_distance;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as "0.1.0". Static.
const char *gjk_version(void);

// The instruction set that rows use on this machine, such as "AVX2": what a measurement must say of itself.
// Static.
const char *gjk_instruction_set(void);

// What went wrong in this thread's last call that did not return `GJK_STATUS_OK`; empty if there was none. It
// stays until the next such call of this thread, and until the thread ends.
const char *gjk_last_error(void);

// The words for a status, such as "bad shape". Static.
const char *gjk_status_name(int32_t status);

// Makes what stops calls of rows from another thread. Free it after the calls that have it.
gjk_status gjk_cancel_new(struct gjk_cancel **cancel);

// Frees it. NULL is nothing to free.
void gjk_cancel_free(struct gjk_cancel *cancel);

// Asks the calls that have it to stop. They end soon with `GJK_STATUS_CANCELLED`, unless they were done.
gjk_status gjk_cancel_request(struct gjk_cancel *cancel);

// Takes the request back, for the next call.
gjk_status gjk_cancel_reset(struct gjk_cancel *cancel);

// Makes shapes: none.
gjk_status gjk_shapes_new(struct gjk_shapes **shapes);

// Frees shapes. NULL is nothing to free.
void gjk_shapes_free(struct gjk_shapes *shapes);

// How many there are.
gjk_status gjk_shapes_len(const struct gjk_shapes *shapes, size_t *len);

// Adds the point `at[3]`.
gjk_status gjk_shapes_add_point(struct gjk_shapes *shapes, const double *at, uint32_t *index);

// Adds the segment from `a[3]` to `b[3]`.
gjk_status gjk_shapes_add_segment(struct gjk_shapes *shapes, const double *a, const double *b, uint32_t *index);

// Adds the triangle of `a[3]`, `b[3]` and `c[3]`.
gjk_status gjk_shapes_add_triangle(struct gjk_shapes *shapes,
                                   const double *a,
                                   const double *b,
                                   const double *c,
                                   uint32_t *index);

// Adds a sphere about the origin.
gjk_status gjk_shapes_add_sphere(struct gjk_shapes *shapes, double radius, uint32_t *index);

// Adds a box about the origin, from `-half_extents[3]` to `half_extents[3]`.
gjk_status gjk_shapes_add_box(struct gjk_shapes *shapes, const double *half_extents, uint32_t *index);

// Adds a capsule about the origin: a sphere swept along a `gjk_axis` from `-half_height` to `half_height`.
gjk_status gjk_shapes_add_capsule(struct gjk_shapes *shapes,
                                  double half_height,
                                  double radius,
                                  uint32_t axis,
                                  uint32_t *index);

// Adds a cylinder about the origin, from `-half_height` to `half_height` along a `gjk_axis`.
gjk_status gjk_shapes_add_cylinder(struct gjk_shapes *shapes,
                                   double half_height,
                                   double radius,
                                   uint32_t axis,
                                   uint32_t *index);

// Adds a cone: its base at `-half_height` along a `gjk_axis`, its tip at `half_height`.
gjk_status gjk_shapes_add_cone(struct gjk_shapes *shapes,
                               double half_height,
                               double radius,
                               uint32_t axis,
                               uint32_t *index);

// Adds an ellipsoid about the origin of `radii[3]`.
gjk_status gjk_shapes_add_ellipsoid(struct gjk_shapes *shapes, const double *radii, uint32_t *index);

// Adds the convex hull of `points[count][3]`, in any order; those within it do no harm.
gjk_status gjk_shapes_add_hull(struct gjk_shapes *shapes, const double *points, size_t count, uint32_t *index);

// Adds the convex hull of vertices of which each moves in a straight line, from `from[count][3]` at the time 0 to
// `to[count][3]` at the time 1, and on: `gjk_toi_rows` takes them along. All other calls take the body as it is at the time 0.
gjk_status gjk_shapes_add_moving_vertices(struct gjk_shapes *shapes,
                                          const double *from,
                                          const double *to,
                                          size_t count,
                                          uint32_t *index);

// Adds the shape `shape` of these with a sphere swept over it: its surface is `radius` further out.
gjk_status gjk_shapes_add_rounded(struct gjk_shapes *shapes, uint32_t shape, double radius, uint32_t *index);

// The relation of the bodies of each row, as `gjk_contact_rows`, without numbers. It is exact for polytopes,
// and for polytopes with a radius. `verdicts[count]` are `gjk_verdict`s.
gjk_status gjk_classify_rows(const struct gjk_shapes *shapes,
                             size_t count,
                             const struct gjk_bodies *a,
                             const struct gjk_bodies *b,
                             const struct gjk_options *options,
                             uint8_t *verdicts,
                             size_t *wrong_rows);

// The distance of the bodies of each row, as `gjk_contact_rows`: 0 where they touch or overlap. There the
// normal means nothing, and the points are any of the bodies.
gjk_status gjk_distance_rows(const struct gjk_shapes *shapes,
                             size_t count,
                             const struct gjk_bodies *a,
                             const struct gjk_bodies *b,
                             const struct gjk_options *options,
                             const struct gjk_columns *out,
                             size_t *wrong_rows);

// The signed distance of the bodies of each row, with its normal and points: where they overlap it is
// negative, the least translation that parts them, and `normal` times it moves B clear of A.
//
// Row k is the shape `a->shapes[k]` at the pose k of `a->poses`, and the same of `b`. `count` is how many rows
// there are; `options` may be NULL. Each distance is an interval, `lower` to `upper`, which contains the
// truth.
//
// A row that is wrong, of a shape that does not exist or a pose that is none, has the verdict
// `GJK_VERDICT_WRONG_ROW` and NaN in the other columns. The other rows are answered, and the call returns
// `GJK_STATUS_WRONG_ROWS`: `wrong_rows`, which may be NULL, is how many there are, and `gjk_last_error` names
// the first. After any other failure the columns mean nothing.
gjk_status gjk_contact_rows(const struct gjk_shapes *shapes,
                            size_t count,
                            const struct gjk_bodies *a,
                            const struct gjk_bodies *b,
                            const struct gjk_options *options,
                            const struct gjk_columns *out,
                            size_t *wrong_rows);

// What questions about motions have when nothing else is said: no end, `distance` 0, a start in contact and a
// touch that are answers, a resolution of 1e-12 and 10000 pieces. A time of impact needs `max_time` set.
gjk_status gjk_motion_defaults(struct gjk_motion_options *asked);

// When the ray of each row meets its body. It is exact for polytopes, rounded or not. `asked` and `options` may be
// NULL; wrong rows are as those of `gjk_contact_rows`. What is wrong with a ray is told of body B.
gjk_status gjk_ray_rows(const struct gjk_shapes *shapes,
                        size_t count,
                        const struct gjk_bodies *a,
                        const struct gjk_rays *rays,
                        const struct gjk_motion_options *asked,
                        const struct gjk_options *options,
                        const struct gjk_motion_columns *out,
                        size_t *wrong_rows);

// When the bodies of each row meet that move in straight lines and do not turn, from their poses at the time 0.
// It is exact for polytopes, rounded or not. A body whose velocities are NULL rests. `asked` and `options` may be
// NULL; wrong rows are as those of `gjk_contact_rows`.
gjk_status gjk_cast_rows(const struct gjk_shapes *shapes,
                         size_t count,
                         const struct gjk_bodies *a,
                         const struct gjk_bodies *b,
                         const struct gjk_vectors *velocity_a,
                         const struct gjk_vectors *velocity_b,
                         const struct gjk_motion_options *asked,
                         const struct gjk_options *options,
                         const struct gjk_motion_columns *out,
                         size_t *wrong_rows);

// When the bodies of each row first meet that move and turn, from their poses at the time 0. There is no contact
// before the lower end of the time, and contact at the upper one: both are proved for the whole motion. A body whose
// motion is NULL rests. Without `asked` the motion ends at the time 1. `options` may be NULL; wrong rows are as those
// of `gjk_contact_rows`.
gjk_status gjk_toi_rows(const struct gjk_shapes *shapes,
                        size_t count,
                        const struct gjk_bodies *a,
                        const struct gjk_bodies *b,
                        const struct gjk_motions *motion_a,
                        const struct gjk_motions *motion_b,
                        const struct gjk_motion_options *asked,
                        const struct gjk_options *options,
                        const struct gjk_motion_columns *out,
                        size_t *wrong_rows);

// What questions about manifolds have when nothing else is said: `prediction` 0, four points, and 15 degrees.
gjk_status gjk_manifold_defaults(struct gjk_manifold_options *asked);

// At which points the bodies of each row bear on each other. `asked` and `options` may be NULL; wrong rows are as those
// of `gjk_contact_rows`, and have no points.
gjk_status gjk_manifold_rows(const struct gjk_shapes *shapes,
                             size_t count,
                             const struct gjk_bodies *a,
                             const struct gjk_bodies *b,
                             const struct gjk_manifold_options *asked,
                             const struct gjk_options *options,
                             const struct gjk_manifold_columns *out,
                             size_t *wrong_rows);

// Makes what stays of rows from one step of a simulation to the next: nothing yet.
gjk_status gjk_manifold_cache_new(struct gjk_manifold_cache **cache);

// Frees it. NULL is nothing to free.
void gjk_manifold_cache_free(struct gjk_manifold_cache *cache);

// `gjk_manifold_rows`, with what stayed of the rows of the last call with this cache: the same answers to the last bit.
// `before` is NULL or has `count * points_max` places, as `out->points` has: of each point its number among the row's
// points in the last call, and UINT32_MAX where it was not there, or where there is no point. So impulses are carried
// from step to step. Row k goes on from row k. Of a wrong row, and of a call that was cancelled, nothing stays. Calls
// with one cache wait for each other.
gjk_status gjk_manifold_warm(const struct gjk_shapes *shapes,
                             const struct gjk_manifold_cache *cache,
                             size_t count,
                             const struct gjk_bodies *a,
                             const struct gjk_bodies *b,
                             const struct gjk_manifold_options *asked,
                             const struct gjk_options *options,
                             const struct gjk_manifold_columns *out,
                             uint32_t *before,
                             size_t *wrong_rows);

// Makes a mesh of `vertices[vertex_count][3]` and `triangles[triangle_count][3]`, which are indices of
// vertices, counter-clockwise seen from outside. Vertices at one place are welded; nothing is repaired. Both
// arrays may be freed afterwards.
gjk_status gjk_mesh_new(const double *vertices,
                        size_t vertex_count,
                        const uint32_t *triangles,
                        size_t triangle_count,
                        struct gjk_mesh **mesh);

// Frees a mesh. NULL is nothing to free.
void gjk_mesh_free(struct gjk_mesh *mesh);

// Whether a mesh is a solid, and what was found of it.
gjk_status gjk_mesh_describe(const struct gjk_mesh *mesh, struct gjk_mesh_facts *facts);

// Why a mesh is a surface and no solid, such as "edge 3-7 is open"; empty for a solid, and for NULL. It stays
// as long as the mesh.
const char *gjk_mesh_reason(const struct gjk_mesh *mesh);

// How two meshes are to each other at their poses, of which the first row counts; NULL is the identity. It is
// exact for the vertices as the poses round them.
gjk_status gjk_mesh_relation(const struct gjk_mesh *a,
                             const struct gjk_poses *pose_a,
                             const struct gjk_mesh *b,
                             const struct gjk_poses *pose_b,
                             struct gjk_relation_answer *answer);

// Whether the surfaces of two meshes share a point, exactly; poses as of `gjk_mesh_relation`. `triangles[2]`,
// which may be NULL, are one of each that do, by their places in the caller's lists; `UINT32_MAX` where none
// do.
gjk_status gjk_mesh_meets(const struct gjk_mesh *a,
                          const struct gjk_poses *pose_a,
                          const struct gjk_mesh *b,
                          const struct gjk_poses *pose_b,
                          bool *answer,
                          uint32_t *triangles);

// The distance of the surfaces of two meshes: an interval which contains the truth, and points; poses as of
// `gjk_mesh_relation`. Of a solid within another it is how far their surfaces are apart. `reach`: distances
// beyond it are of no interest; `INFINITY` for any.
gjk_status gjk_mesh_distance(const struct gjk_mesh *a,
                             const struct gjk_poses *pose_a,
                             const struct gjk_mesh *b,
                             const struct gjk_poses *pose_b,
                             double reach,
                             struct gjk_surface_distance *answer);

// Whether the surfaces of two meshes are at most `length` apart; poses as of `gjk_mesh_relation`.
// `interval[2]`, which may be NULL, are the ends of the interval of the distance that tells it. It ends at the
// first triangles that are near enough.
gjk_status gjk_mesh_closer_than(const struct gjk_mesh *a,
                                const struct gjk_poses *pose_a,
                                const struct gjk_mesh *b,
                                const struct gjk_poses *pose_b,
                                double length,
                                gjk_truth *answer,
                                double *interval);

// Where `point[3]` is to a solid, in the frame of its vertices, exactly.
gjk_status gjk_mesh_side(const struct gjk_mesh *mesh, const double *point, gjk_side *side);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* GJK_H */
