//! A query recorded: its answer with every step of the loops that found it.

use crate::answer::{self, Answer};
use crate::convert::{InputError, Space};
use crate::pair::Pair;
use gjk::query::{self, Certificate, Options};
use gjk::trace::{Recorder, Step};

/// What to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The signed distance: GJK, then EPA when the bodies overlap.
    Distance,
    /// Separated, touching or overlapping only, by the tutorials' loop, which only follows directions.
    Boolean,
}

/// What was seen.
#[derive(Clone, Debug)]
pub struct Recorded<V: Space> {
    /// The answer.
    pub answer: Answer<V>,
    /// Its certificate as the library has it, in vertices of the bodies.
    pub certificate: Option<Certificate>,
    /// The steps of the loops.
    pub steps: Vec<Step<V>>,
}

/// Answers a pair and keeps the steps.
///
/// # Errors  an answer that the scalar cannot hold.
pub fn record<V: Space>(
    algorithm: Algorithm,
    pair: &Pair<V>,
    options: &Options<V>,
    id: &str,
) -> Result<Recorded<V>, InputError> {
    let mut recorder = Recorder::new();
    let Pair { a, b } = pair;
    let (answer, certificate) = match algorithm {
        Algorithm::Distance => {
            let found = answer::contact_traced(pair, options, &mut recorder);
            let certificate = found.certificate.clone();
            (answer::full(id, pair, found)?, certificate)
        }
        Algorithm::Boolean => {
            let found = query::intersects_observed(
                &a.shape,
                &a.pose,
                &b.shape,
                &b.pose,
                options,
                &mut recorder,
            );
            let certificate = found
                .certificate
                .as_ref()
                .map(|c| crate::certificate::CertificateText::new::<V>(c, pair));
            let told = answer::bare(
                id,
                found.verdict,
                found.exact,
                found.iterations,
                found.stop,
                certificate,
            );
            (told, found.certificate)
        }
    };
    Ok(Recorded {
        answer,
        certificate,
        steps: recorder.steps,
    })
}
