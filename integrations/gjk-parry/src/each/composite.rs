//! Which pairs have parts: meshes, polylines, compounds and height fields.

use super::parry::shape::{CompositeShape, HeightField, Shape};

/// The shape of a pair that has parts; if both have, the first.
pub(super) enum Parts<'s> {
    First(&'s (dyn CompositeShape + Sync)),
    Second(&'s (dyn CompositeShape + Sync)),
}

pub(super) fn parts<'s>(shape1: &'s dyn Shape, shape2: &'s dyn Shape) -> Option<Parts<'s>> {
    let first = shape1.as_composite_shape().map(Parts::First);
    first.or_else(|| shape2.as_composite_shape().map(Parts::Second))
}

/// The height field of a pair; parry has queries of its own for it, and not all of them.
pub(super) enum Heights<'s> {
    First(&'s HeightField),
    Second(&'s HeightField),
}

pub(super) fn heights<'s>(shape1: &'s dyn Shape, shape2: &'s dyn Shape) -> Option<Heights<'s>> {
    let first = shape1.as_heightfield().map(Heights::First);
    first.or_else(|| shape2.as_heightfield().map(Heights::Second))
}
