//! What a caller may choose of a ray's answer.

/// What a start in contact means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// It is the answer: the body is solid.
    #[default]
    Hit,
    /// It is the answer only if the motion makes the signed distance fall at once. Else it is passed over, and there is no other contact,
    /// because the body is convex.
    Approach,
    /// The answer is the time at which contact ends: the far side of a hollow body.
    Exit,
}

/// What a contact without common inner points means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// It is a contact: bodies are closed.
    #[default]
    Counts,
    /// It is passed over.
    Passes,
}

/// Options of a ray's query.
///
/// # Examples
/// ```
/// use gjk::query::{RayOptions, Start};
/// assert_eq!(RayOptions::default().with_start(Start::Exit).start, Start::Exit);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RayOptions {
    /// What a start in contact means.
    pub start: Start,
    /// What a contact without common inner points means.
    pub touch: Touch,
}

impl RayOptions {
    /// These options with another policy for a start in contact.
    pub fn with_start(self, start: Start) -> Self {
        Self { start, ..self }
    }

    /// These options with another policy for touch.
    pub fn with_touch(self, touch: Touch) -> Self {
        Self { touch, ..self }
    }
}
