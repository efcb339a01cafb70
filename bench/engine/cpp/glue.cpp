// What `src/shim/ffi.rs` calls. No exception leaves these functions.

#include "gjk_bench.hpp"

#include <cstdio>
#include <cstdlib>

using namespace gjk_bench;

extern "C" {

const char* gjk_bench_version() { return version(); }

// Null if unsupported or failed; then `why` holds the reason.
Scene* gjk_bench_prepare(const char* engine, std::uint32_t query, std::uint32_t mode, const Workload* workload,
                         char* why, std::size_t why_size) {
    try {
        return prepare(engine, Query(query), Mode(mode), *workload).release();
    } catch (const std::exception& error) {
        std::snprintf(why, why_size, "%s", error.what());
    } catch (...) {
        std::snprintf(why, why_size, "the library threw something unknown");
    }
    return nullptr;
}

void gjk_bench_pass(Scene* scene) {
    try {
        scene->pass();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "the library threw in a pass: %s\n", error.what());
        std::exit(2);
    }
}

void gjk_bench_answer(const Scene* scene, std::size_t pair, Answer* answer) { *answer = scene->answer(pair); }

void gjk_bench_free(Scene* scene) { delete scene; }

}
