//! `bool-batch`, `dist-batch`, `pen-batch`: all pairs of a file in one call of `gjk-batch`.
//!
//! Inside the clock is the call alone, into a vector that is used again, as a caller with many batches has it. Outside are the
//! shapes and the poses as columns, which is what a caller keeps.

use crate::answers::{of_verdict, said};
use bench_protocol::{Answer, Outcome, measure};
use gjk::Vector;
use gjk::query::Verdict;
use gjk_batch::{BatchError, Options, Pair, Poses, Shapes, Statistics, World};

/// What a batch is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// `bool-batch`.
    Classify,
    /// `dist-batch`.
    Distance,
    /// `pen-batch`.
    Contact,
}

impl Ask {
    /// By the protocol's name of the operation.
    pub fn of(op: &str) -> Option<Self> {
        match op {
            "bool-batch" => Some(Self::Classify),
            "dist-batch" => Some(Self::Distance),
            "pen-batch" => Some(Self::Contact),
            _ => None,
        }
    }
}

/// A workload as a batch has it.
#[derive(Debug)]
pub struct Columns<V: Vector> {
    /// Shared by the pairs.
    pub shapes: Shapes<V>,
    /// Of A and of B, pair by pair.
    pub poses: Poses<V>,
    /// The questions.
    pub pairs: Vec<Pair>,
}

impl<V: Vector> Default for Columns<V> {
    fn default() -> Self {
        Self {
            shapes: Shapes::new(),
            poses: Poses::new(),
            pairs: Vec::new(),
        }
    }
}

/// The answers of a batch; those that were not asked for are none.
#[derive(Debug)]
pub struct Answers<V: Vector> {
    /// Of [`Ask::Classify`].
    pub verdicts: Vec<Verdict>,
    /// Of the others.
    pub measured: Vec<gjk_batch::Answer<V>>,
}

impl<V: Vector> Default for Answers<V> {
    fn default() -> Self {
        Self {
            verdicts: Vec::new(),
            measured: Vec::new(),
        }
    }
}

impl<V: Vector> Columns<V> {
    /// One call.
    pub fn ask(
        &self,
        ask: Ask,
        options: &Options<'_>,
        answers: &mut Answers<V>,
    ) -> Result<Statistics, BatchError> {
        let world = World {
            shapes: &self.shapes,
            poses: &self.poses,
        };
        match ask {
            Ask::Classify => {
                gjk_batch::classify_into(world, &self.pairs, options, &mut answers.verdicts)
            }
            Ask::Distance => {
                gjk_batch::distance_into(world, &self.pairs, options, &mut answers.measured)
            }
            Ask::Contact => {
                gjk_batch::contact_into(world, &self.pairs, options, &mut answers.measured)
            }
        }
    }

    /// Times and answers on the thread that asks.
    pub fn measured(&self, ask: Ask, rounds: usize) -> Result<Outcome, String> {
        let options = Options {
            threads: Some(1),
            ..Options::default()
        };
        let (mut answers, mut broken) = (Answers::default(), None);
        // The answers stay in a vector of their own, so `measure` is given none to empty.
        let (times, _) = measure::<()>(rounds, self.pairs.len(), |_| {
            broken = self.ask(ask, &options, &mut answers).err();
            std::hint::black_box(&answers);
        });
        match broken {
            Some(why) => Err(why.to_string()),
            None => Ok((times, answers.plain())),
        }
    }
}

impl<V: Vector> Answers<V> {
    /// As the protocol has them.
    pub fn plain(&self) -> Vec<Answer> {
        let told = |&verdict: &Verdict| Answer {
            intersects: of_verdict(verdict),
            ..Answer::default()
        };
        let measured = |a: &gjk_batch::Answer<V>| {
            said(a.verdict, a.interval, a.normal, [a.point_a, a.point_b])
        };
        self.verdicts
            .iter()
            .map(told)
            .chain(self.measured.iter().map(measured))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Questions;
    use bench_protocol::Workload;
    use gjk::{Pose, Vec3};

    /// Unit cubes three apart, and half in one another: 2 between them, 0.5 deep. In one call, at the file's own length and
    /// longer.
    #[test]
    fn a_batch_answers_in_the_order_of_the_file() -> Result<(), String> {
        let text = "gjk-workload 1\nname x\ndim 3\nop dist\nkind pairs\nshapes 1\nbox 0.5 0.5 0.5\npairs 2\n\
                    0 0  0 0 0 1  0 0 0  0 0 0 1  3 0 0\n0 0  0 0 0 1  0 0 0  0 0 0 1  0.5 0.125 0\n";
        let questions = Questions::<Vec3<f64>>::new(&Workload::parse(text)?)?;
        for count in [2, 40] {
            let columns = questions.columns(count, |k| {
                Pose::from_translation(Vec3::new(0.0, k as f64, 0.0))
            });
            for (op, values) in [
                ("bool-batch", [None; 2]),
                ("dist-batch", [Some(2.0), Some(0.0)]),
                ("pen-batch", [Some(2.0), Some(-0.5)]),
            ] {
                let ask = Ask::of(op).ok_or("an operation")?;
                let (times, answers) = columns.measured(ask, 1)?;
                assert!(times.ns_min > 0.0 && answers.len() == count, "{op}");
                for (k, answer) in answers.iter().enumerate() {
                    assert_eq!(answer.intersects, Some(k % 2 == 1), "{op} {k}");
                    let off = answer
                        .value
                        .zip(values[k % 2])
                        .map(|(is, wanted)| (is - wanted).abs());
                    assert!(
                        off.is_none_or(|off| off < 1e-12)
                            && answer.value.is_some() == values[k % 2].is_some(),
                        "{op} {k}"
                    );
                }
            }
        }
        assert_eq!(Ask::of("dist"), None);
        Ok(())
    }
}
