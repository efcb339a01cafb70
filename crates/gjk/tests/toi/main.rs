//! Times of impact of bodies that turn: closed forms, dense sampling, laws, certificates and bad input.

mod closed;
mod scene;
