//! Convex hulls and the proof of convexity, against brute force on integer grids and on the classes of input on which
//! hull builders fail in public. `HULL_CASES` and `HULL_SEED` turn the brute-force tests into a fuzz run;
//! `--nocapture` shows times.

#![allow(clippy::print_stdout)] // times are for reading

mod convexity;
mod hulls;
mod oracle;
