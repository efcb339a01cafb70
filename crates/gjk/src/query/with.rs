//! The queries as methods of a pair, with options and with a caller's cache.
//!
//! Where it sits: each method makes a request of the options (`options.rs`) and calls `narrow/ladder.rs`.

use super::{Options, ProofOptions};
use crate::answer::{Contact, Distance, Intersection, Proof, Verdict};
use crate::bounds::HighestVertices;
use crate::cache::Cache;
use crate::loops::trace::Observe;
use crate::math::Vector;
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::Wanted;
use crate::support::Support;

/// A query that has not run yet: a pair, its options, and a cache if the caller keeps one.
#[derive(Debug)]
pub struct Query<'p, 'c, V: Vector, A: ?Sized, B: ?Sized> {
    pair: Pair<'p, V, A, B>,
    options: Options<V::Scalar>,
    cache: Option<&'c mut Cache>,
}

/// The queries with default options; see the functions of the same names in [`crate::query`].
impl<'p, V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> Pair<'p, V, A, B> {
    /// The pair with options.
    #[inline(always)]
    pub fn with<'c>(self, options: &Options<V::Scalar>) -> Query<'p, 'c, V, A, B> {
        Query {
            pair: self,
            options: *options,
            cache: None,
        }
    }

    /// The pair with a cache that the caller keeps between frames: the queries start from what it knows, and update it.
    #[inline(always)]
    pub fn warm<'c>(self, cache: &'c mut Cache) -> Query<'p, 'c, V, A, B> {
        self.with(&Options::default()).warm(cache)
    }

    /// See [`crate::query::intersects`].
    pub fn intersects(self) -> Intersection {
        self.with(&Options::default()).intersects()
    }

    /// See [`crate::query::distance`].
    pub fn distance(self) -> Distance<V> {
        self.with(&Options::default()).distance()
    }

    /// See [`crate::query::contact`].
    // No call: the pair would be written to memory, and read back in other pieces.
    #[inline(always)]
    pub fn contact(self) -> Contact<V> {
        self.with(&Options::default()).contact()
    }

    /// The same, and what a solver of two polygons found beside.
    #[inline(always)]
    pub(crate) fn contact_beside(self) -> (Contact<V>, Option<HighestVertices>) {
        let request = Options::<V::Scalar>::default().request(Wanted::Contact);
        ladder::contact_beside(&self, &request, None, |found, beside| (found, beside))
    }

    /// See [`crate::query::prove`].
    pub fn prove(self) -> Proof<V> {
        self.with(&Options::default()).prove()
    }
}

impl<'c, V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> Query<'_, 'c, V, A, B> {
    /// This query with a cache.
    #[inline(always)]
    pub fn warm(self, cache: &'c mut Cache) -> Self {
        Self {
            cache: Some(cache),
            ..self
        }
    }

    /// See [`crate::query::intersects`].
    #[inline(always)]
    pub fn intersects(self) -> Intersection {
        let request = self.options.request(Wanted::Verdict);
        let (verdict, exact, stop, iterations) = ladder::verdict(&self.pair, &request, self.cache);
        let intersects = match verdict {
            Verdict::Separated => Some(false),
            Verdict::Touching => Some(self.options.touching_counts),
            Verdict::Overlapping => Some(true),
            Verdict::Undecided => None,
        };
        Intersection {
            verdict,
            intersects,
            exact,
            stop,
            iterations,
        }
    }

    /// See [`crate::query::distance`].
    #[inline(always)]
    pub fn distance(self) -> Distance<V> {
        let request = self.options.request(Wanted::Distance);
        ladder::contact(&self.pair, &request, self.cache, Distance::of)
    }

    /// See [`crate::query::contact`].
    #[inline(always)]
    pub fn contact(self) -> Contact<V> {
        let request = self.options.request(Wanted::Contact);
        ladder::contact(&self.pair, &request, self.cache, |found| found)
    }

    /// See [`crate::query::prove`].
    pub fn prove(self) -> Proof<V> {
        self.prove_observed(&ProofOptions::default(), &mut ())
    }

    /// A proof of what the options say, with an observer of every step of the loops.
    pub fn prove_observed<O: Observe<V>>(
        self,
        proof: &ProofOptions<V>,
        observe: &mut O,
    ) -> Proof<V> {
        let request = proof.request(&self.options);
        let first = proof.first_direction.map(V::lift);
        let mut certificate = None;
        let contact = ladder::loops(
            &self.pair,
            &request,
            first,
            self.cache,
            observe,
            &mut certificate,
        );
        Proof {
            contact,
            certificate,
        }
    }

    /// A proof of what the options say.
    pub fn prove_with(self, proof: &ProofOptions<V>) -> Proof<V> {
        self.prove_observed(proof, &mut ())
    }
}
