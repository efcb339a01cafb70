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
