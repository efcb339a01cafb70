//! A query recorded: its answer with every step of the loops that found it.

use crate::answer::{self, Answer};
use crate::convert::{InputError, Space};
use crate::pair::Pair;
use gjk::query::{Certificate, Options, ProofOptions, Question};
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

impl Algorithm {
    fn question(self) -> Question {
        match self {
            Algorithm::Distance => Question::Contact,
            Algorithm::Boolean => Question::Tutorial,
        }
    }
}

/// Proves what is true of a pair and keeps the steps.
///
/// # Errors  an answer that the scalar cannot hold.
pub fn record<V: Space>(
    algorithm: Algorithm,
    pair: &Pair<V>,
    options: &Options<V::Scalar>,
    proof: &ProofOptions<V>,
    id: &str,
) -> Result<Recorded<V>, InputError> {
    let mut recorder = Recorder::new();
    let question = algorithm.question();
    let found = answer::prove(pair, options, &proof.with_question(question), &mut recorder);
    Ok(Recorded {
        answer: answer::proved(id, pair, &found, question)?,
        certificate: found.certificate,
        steps: recorder.steps,
    })
}
