#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| gjk_fuzz::queries::run(data));
