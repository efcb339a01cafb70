//! A query watched: its answer with every step of the loops that found it.

use crate::answer::{self, Answer, Pair};
use crate::convert::{InputError, Space};
use gjk::query::{self, Options};
use gjk::trace::{Recorder, Step};

/// What to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The signed distance: GJK, then EPA when the bodies overlap.
    Distance,
    /// Separated, touching or overlapping only, by the tutorials' loop, which only follows directions.
    Boolean,
}

/// Answers a pair and keeps the steps.
///
/// # Errors  an answer that the scalar cannot hold.
pub fn watch<V: Space>(
    algorithm: Algorithm,
    pair: &Pair<V>,
    options: &Options<V>,
    id: &str,
) -> Result<(Answer<V>, Vec<Step<V>>), InputError> {
    let mut recorder = Recorder::new();
    let Pair { a, b } = pair;
    let answer = match algorithm {
        Algorithm::Distance => answer::full(id, pair, answer::contact_traced(pair, options, &mut recorder))?,
        Algorithm::Boolean => {
            let found = query::intersects_observed(&a.shape, &a.pose, &b.shape, &b.pose, options, &mut recorder);
            let certificate =
                found.certificate.as_ref().map(|c| crate::certificate::CertificateText::new::<V>(c, pair));
            answer::bare(id, found.verdict, found.exact, found.iterations, found.stop, certificate)
        }
    };
    Ok((answer, recorder.steps))
}
