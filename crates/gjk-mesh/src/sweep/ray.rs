//! Rays against a mesh: the first hit, and all of them in order.
//!
//! Idea: the triangles that are met at one time, by exact fractions, are one event. What the ray does there is told by signs (`passage.rs`); a solid is left at the first event after which
//! the ray is in none of its pieces.

use super::answer::{MeshCast, SweepError};
use super::course::Course;
use super::first::{Answer, First, beyond_range, starts_inside};
use super::passage::{Heading, Line, stars};
use super::walk::Walk;
use crate::body::PosedBody;
use crate::boxes::Box3;
use crate::distance::convex;
use crate::in_place::InPlace;
use crate::inside::{Side, side_of_shells};
use crate::signs::is_flat;
use crate::triangles::Place;
use core::cmp::Ordering;
use gjk::query::{
    self, BigInt, CastCertificate, Hit, Meeting, MotionOptions, MotionStop, Ray, Start, Touch,
    Verdict,
};
use gjk::{Pose3, Vec3, Vector};
use gjk_exact::integer::{Int, from_limbs};

/// A triangle that a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHit {
    /// By the number of the input.
    pub triangle: u32,
    /// Whether the ray comes from outside of a solid's triangle, or from the side of a surface's from which its corners run counter-clockwise. `None` where it runs in the triangle's
    /// plane.
    pub front: Option<bool>,
    /// As of the triangle alone.
    pub answer: Answer,
}

/// The triangles that are met at one time.
type Event = Vec<(u32, Answer)>;

/// The events of a ray, in order.
struct Events<'m> {
    mesh: &'m InPlace<'m>,
    line: Line,
    options: MotionOptions<f64>,
    walk: Walk<'m>,
    end: f64,
    pending: Event,
    /// Every answer is exact.
    exact: bool,
}

impl<'m> Events<'m> {
    fn new(mesh: &'m InPlace<'m>, ray: &Ray<Vec3<f64>>, options: &MotionOptions<f64>) -> Self {
        let end = options.max_time().unwrap_or(f64::INFINITY);
        Self {
            mesh,
            line: Line::new(ray),
            // Each triangle is closed, and met where it is.
            options: options.with_start(Start::Hit).with_touch(Touch::Counts),
            walk: walk(mesh, ray, options),
            end,
            pending: Vec::new(),
            exact: true,
        }
    }

    /// The next event.
    fn next(&mut self) -> Option<Event> {
        let first = |pending: &Event| {
            let ends = pending.iter().map(|(_, answer)| ends(answer)[1]);
            ends.fold(f64::INFINITY, f64::min)
        };
        let mut until = first(&self.pending);
        while let Some(k) = self.walk.next(until.min(self.end)) {
            let answer = ray_at(self.mesh, k, &self.line.ray, &self.options);
            self.exact &= answer.exact;
            if answer.verdict != Meeting::Free {
                self.pending.push((k, answer));
                until = first(&self.pending);
            }
        }
        let may_be_first = |(_, answer): &(u32, Answer)| ends(answer)[0] <= until;
        let (candidates, later) = self.pending.drain(..).partition(may_be_first);
        self.pending = later;
        let event = self.earliest(candidates);
        (!event.is_empty()).then_some(event)
    }

    /// Of triangles whose times share a number, those that are met first; the others wait.
    fn earliest(&mut self, candidates: Event) -> Event {
        let is_one = candidates.len() < 2;
        if is_one || candidates.iter().any(|x| x.1.verdict != Meeting::Hits) {
            let (now, later) = candidates
                .into_iter()
                .partition(|x| is_one || x.1.verdict != Meeting::Hits);
            self.pending.extend::<Event>(later);
            return now;
        }
        let times: Vec<Option<[Int; 2]>> = candidates.iter().map(|x| self.fraction(x.0)).collect();
        let known = times.iter().flatten();
        let first = known.reduce(|x, y| if compare(y, x).is_lt() { y } else { x });
        let mut event = Vec::new();
        for (met, time) in candidates.into_iter().zip(&times) {
            let is_first = match (time, first) {
                (Some(time), Some(first)) => compare(time, first).is_eq(),
                _ => true,
            };
            if is_first {
                event.push(met);
            } else {
                self.pending.push(met);
            }
        }
        event
    }

    /// The time at which a triangle is met.
    fn fraction(&self, triangle: u32) -> Option<[Int; 2]> {
        let triangle = convex(&self.mesh.corners(triangle))?;
        let (here, ray) = (Pose3::identity(), &self.line.ray);
        let proof = query::prove_ray(&triangle, &here, ray, &self.options);
        match proof.certificate? {
            CastCertificate::Facet { time, .. } => {
                let integer = |x: &BigInt| from_limbs(x.is_negative(), x.limbs());
                Some(time.each_ref().map(integer))
            }
            _ => None,
        }
    }

    /// Where on each triangle of an event its point is.
    fn places(&self, event: &Event) -> Vec<(u32, Place)> {
        let each = event.iter().filter_map(|&(k, answer)| {
            let starts = answer.verdict != Meeting::Hits;
            Some((k, self.line.place_on(&self.mesh.corners(k), starts)?))
        });
        each.collect()
    }

    /// The answer at an event.
    fn told(&self, event: &Event) -> MeshCast {
        let hit = |&(key, answer): &(u32, Answer)| Hit { key, answer };
        let first = First::of_one_time(event.iter().map(hit).collect(), self.exact);
        first.told(self.mesh, self.line.ray.direction())
    }
}

/// The order of two fractions.
fn compare([a, b]: &[Int; 2], [c, d]: &[Int; 2]) -> Ordering {
    (a * d).cmp(&(c * b))
}

/// The times between which there is a first contact.
fn ends(answer: &Answer) -> [f64; 2] {
    answer
        .time
        .map_or([0.0, f64::INFINITY], |t| [t.lower, t.upper])
}

fn walk<'m>(mesh: &'m InPlace<'m>, ray: &Ray<Vec3<f64>>, options: &MotionOptions<f64>) -> Walk<'m> {
    let start = Box3::of(&[ray.origin().to_f64()]);
    let around = if options.distance() > 0.0 {
        start.grown(options.distance())
    } else {
        start
    };
    let end = options.max_time().unwrap_or(f64::INFINITY);
    let velocities = [[0.0; 3], ray.direction().to_f64()];
    Walk::new(mesh, Course::new(around, velocities, end), None)
}

fn ray_at(
    mesh: &InPlace<'_>,
    k: u32,
    ray: &Ray<Vec3<f64>>,
    options: &MotionOptions<f64>,
) -> Answer {
    convex(&mesh.corners(k)).map_or_else(beyond_range, |triangle| {
        query::ray(&triangle, &Pose3::identity(), ray, options)
    })
}

/// In which pieces of a solid a point is.
struct InPieces<'m> {
    body: &'m PosedBody<'m>,
    /// By piece; `Along` on its surface.
    pieces: Vec<Heading>,
}

impl<'m> InPieces<'m> {
    /// At the start of a ray.
    fn at_start(body: &'m PosedBody<'m>, mesh: &InPlace<'_>, ray: &Ray<Vec3<f64>>) -> Self {
        let (origin, reversed) = (ray.origin().to_f64(), body.is_reversed(false));
        let side = |counts: &dyn Fn(u32) -> bool| side_of_shells(mesh, origin, reversed, counts);
        let of_all = side(&|shell| body.piece_of_shell(shell).is_some());
        let heading = |side: Option<Side>| match side {
            Some(Side::Inside) => Heading::Inside,
            Some(Side::Outside) => Heading::Outside,
            Some(Side::Boundary) => Heading::Along,
            None => Heading::Unknown,
        };
        let is_finite = mesh.bounds().is_finite();
        let of_all = of_all.filter(|_| is_finite);
        let all = 0..body.pieces() as u32;
        // Their windings are not negative.
        let is_known = !is_finite || of_all == Some(Side::Outside) || body.pieces() == 1;
        let of = |piece: u32| side(&|shell| body.piece_of_shell(shell) == Some(piece));
        let pieces = all.map(|piece| heading(if is_known { of_all } else { of(piece) }));
        Self {
            body,
            pieces: pieces.collect(),
        }
    }

    fn is(&self, heading: Heading) -> bool {
        self.pieces.contains(&heading)
    }

    /// Not in contact.
    fn is_out(&self) -> bool {
        self.pieces.iter().all(|&piece| piece == Heading::Outside)
    }

    /// After an event.
    fn pass(&mut self, events: &Events<'_>, event: &Event) {
        let (met, reversed) = (events.places(event), self.body.is_reversed(false));
        if let [(triangle, Place::Inside)] = met[..]
            && let Some(piece) = self.body.piece_of(triangle)
        {
            let sense = events.line.sense(&events.mesh.corners(triangle));
            self.pieces[piece as usize] = match if reversed { sense.reverse() } else { sense } {
                Ordering::Less => Heading::Inside,
                Ordering::Greater => Heading::Outside,
                Ordering::Equal => Heading::Along,
            };
            return;
        }
        let piece_of = |triangle| self.body.piece_of(triangle);
        for (piece, star) in stars(events.mesh, &met, piece_of, reversed) {
            self.pieces[piece as usize] = events.line.headings(&star)[0];
        }
    }
}

impl PosedBody<'_> {
    /// When a ray first meets the mesh, and where.
    ///
    /// Sign: the normal points out of the mesh, against the ray; at an edge or a vertex it is that of a triangle there. `grazing`: the ray does not go inside of a solid at once, and does not pass from one side of a
    /// surface to the other: it meets a border, runs along a triangle, or turns back at an edge or a vertex.
    ///
    /// A start inside of a solid is [`Meeting::StartsOverlapping`], with the time at which the ray leaves the solid in `exit`. Under [`Start::Exit`] that time is the answer. Under
    /// [`Start::Approach`] a start on the surface is passed over, but where the ray goes into a solid. Under [`Touch::Passes`] only what the ray goes into or through counts.
    /// # Accuracy  verdicts are exact, also at edges and vertices, and `time` as by [`query::ray`]. With a distance, as [`PosedBody::cast`] of a ball: `grazing` is that of the triangles then.
    /// # Errors  [`Start::Exit`] against a surface, or with a distance.
    /// # Complexity  a ray at each of the triangles whose boxes may be met before the first hit; O(n log n) the first time. At edges and vertices integers are asked.
    /// # Examples
    /// ```
    /// use gjk::{Pose3, Vec3, query::{Meeting, Ray}};
    /// use gjk_mesh::{MeshBody, TriMesh};
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let body = MeshBody::new(TriMesh::new(&corners, &faces)?);
    /// let posed = body.at(&Pose3::identity());
    /// let ray = Ray::new(Vec3::new(0.25, 0.25, 2.0), Vec3::new(0.0, 0.0, -3.0)).unwrap();
    /// let found = posed.ray(&ray, &Default::default()).unwrap();
    /// assert_eq!((found.answer.verdict, found.triangles), (Meeting::Hits, vec![2]));
    /// assert!(found.answer.time.unwrap().contains(0.5));
    /// let inside = Ray::new(Vec3::new(0.25, 0.25, 0.25), Vec3::new(0.0, 0.0, -1.0)).unwrap();
    /// let found = posed.ray(&inside, &Default::default()).unwrap();
    /// assert!(found.inside && found.answer.exit.unwrap().contains(0.25));
    /// # Ok::<(), gjk_mesh::MeshError>(())
    /// ```
    pub fn ray(
        &self,
        ray: &Ray<Vec3<f64>>,
        options: &MotionOptions<f64>,
    ) -> Result<MeshCast, SweepError> {
        let has_distance = options.distance() > 0.0;
        if options.start == Start::Exit {
            if has_distance {
                return Err(SweepError::ExitOfBody);
            }
            if !self.is_solid() {
                return Err(SweepError::ExitOfSurface);
            }
        }
        let mesh = self.in_place(false);
        let mut within = self
            .is_solid()
            .then(|| InPieces::at_start(self, &mesh, ray));
        if has_distance {
            return Ok(self.swept_ray(&mesh, ray, options, within.as_ref()));
        }
        let mut events = Events::new(&mesh, ray, options);
        if let Some(within) = &mut within
            && (within.is(Heading::Inside) || within.is(Heading::Along))
        {
            return Ok(in_contact(&mut events, within, options));
        }
        let is_known = within
            .as_ref()
            .is_none_or(|within| !within.is(Heading::Unknown));
        let mut found = ahead(&mut events, within.as_mut(), options);
        found.answer.exact &= is_known;
        Ok(found)
    }

    /// All triangles that a ray meets, in the order of time, exactly, and those of one time by their numbers. Policies for starts and touches, and a distance, do not count: each triangle is closed, and is met
    /// where the ray first shares a point with it.
    ///
    /// # Accuracy  as [`PosedBody::ray`].
    /// # Complexity  a ray at each of the triangles whose boxes the ray meets.
    pub fn ray_hits(&self, ray: &Ray<Vec3<f64>>, options: &MotionOptions<f64>) -> Vec<MeshHit> {
        let mesh = self.in_place(false);
        let plain = MotionOptions::default();
        let options = options
            .max_time()
            .map_or(plain, |end| plain.with_max_time(end).unwrap_or(plain));
        let mut events = Events::new(&mesh, ray, &options);
        let mut hits = Vec::new();
        while let Some(mut event) = events.next() {
            event.sort_by_key(|met| mesh.mesh.source(met.0));
            for (k, answer) in event {
                let sense = events.line.sense(&mesh.corners(k));
                let is_along = sense.is_eq() || is_flat(&mesh.corners(k));
                hits.push(MeshHit {
                    triangle: mesh.mesh.source(k),
                    front: (!is_along).then(|| sense.is_lt() ^ self.is_reversed(false)),
                    answer,
                });
            }
        }
        hits
    }

    /// The answer on a ray with a distance: that of a ball.
    fn swept_ray(
        &self,
        mesh: &InPlace<'_>,
        ray: &Ray<Vec3<f64>>,
        options: &MotionOptions<f64>,
        within: Option<&InPieces<'_>>,
    ) -> MeshCast {
        let end = options.max_time().unwrap_or(f64::INFINITY);
        let mut walk = walk(mesh, ray, options);
        let first = First::of(&mut walk, end, |k| Some(ray_at(mesh, k, ray, options)));
        let found = first.told(mesh, ray.direction());
        let starts = matches!(
            found.answer.verdict,
            Meeting::StartsOverlapping | Meeting::StartsTouching
        );
        match within {
            Some(within) if within.is(Heading::Inside) && !starts => {
                starts_inside(Verdict::Overlapping)
            }
            _ => found,
        }
    }
}

/// The answer on a ray that starts in contact with a solid.
fn in_contact(
    events: &mut Events<'_>,
    within: &mut InPieces<'_>,
    options: &MotionOptions<f64>,
) -> MeshCast {
    let inside = within.is(Heading::Inside);
    let unknown = within.is(Heading::Unknown);
    let mut found = if inside {
        starts_inside(Verdict::Overlapping)
    } else {
        let nothing = First::of_one_time(Vec::new(), true);
        nothing.told(events.mesh, events.line.ray.direction())
    };
    let mut is_first = true;
    while let Some(event) = events.next() {
        within.pass(events, &event);
        let at = events.told(&event);
        let starts = is_first && at.answer.verdict == Meeting::StartsTouching;
        is_first = false;
        if starts && !inside {
            found = at.clone();
            found.answer.grazing = !within.is(Heading::Inside);
            let passes = options.touch == Touch::Passes || options.start == Start::Approach;
            if found.answer.grazing && passes {
                return ahead(events, Some(within), options);
            }
        }
        if within.is_out() {
            let exit = at.answer.time;
            if options.start == Start::Exit {
                return exits(events, &event, at);
            }
            found.answer.exit = exit;
            break;
        }
    }
    if unknown {
        found.answer.exact = false;
    }
    found
}

/// The answer at the event at which a ray leaves a solid.
fn exits(events: &Events<'_>, event: &Event, at: MeshCast) -> MeshCast {
    let along = events.line.ray.direction();
    let normals = event.iter().filter_map(|(_, answer)| answer.normal);
    let outward = normals.map(|n| if n.dot(along) < 0.0 { -n } else { n });
    let normal = outward.max_by(|x, y| x.dot(along).total_cmp(&y.dot(along)));
    MeshCast {
        answer: Answer {
            verdict: Meeting::Exits,
            time: at.answer.time,
            exit: at.answer.time,
            normal,
            signed_distance: None,
            grazing: false,
            ..at.answer
        },
        ..at
    }
}

/// The first event that counts.
fn ahead(
    events: &mut Events<'_>,
    mut within: Option<&mut InPieces<'_>>,
    options: &MotionOptions<f64>,
) -> MeshCast {
    let mut grazes = false;
    while let Some(event) = events.next() {
        let mut found = events.told(&event);
        if found.answer.verdict == Meeting::Undecided {
            return found;
        }
        let goes_in = match &mut within {
            Some(within) => {
                within.pass(events, &event);
                within.is(Heading::Inside)
            }
            None => goes_through(events, &event),
        };
        let starts = found.answer.verdict != Meeting::Hits;
        if options.touch == Touch::Passes && !goes_in
            || starts && options.start == Start::Approach && !(within.is_some() && goes_in)
        {
            grazes |= !starts;
            continue;
        }
        found.answer.grazing = !goes_in;
        return found;
    }
    let none = First::of_one_time(Vec::new(), events.exact);
    let mut found = none.told(events.mesh, events.line.ray.direction());
    found.answer.grazing = grazes;
    if grazes {
        found.answer.stop = MotionStop::Facet;
    }
    found
}

/// Whether a ray passes from one side of a surface to the other.
fn goes_through(events: &Events<'_>, event: &Event) -> bool {
    if events.line.rests() {
        return false;
    }
    let met = events.places(event);
    if let [(triangle, Place::Inside)] = met[..] {
        return events.line.sense(&events.mesh.corners(triangle)).is_ne();
    }
    let stars = stars(events.mesh, &met, |_| Some(0), false);
    stars.values().any(|star| {
        let passes = matches!(
            events.line.headings(star),
            [Heading::Inside, Heading::Outside] | [Heading::Outside, Heading::Inside]
        );
        passes && star.is_closed()
    })
}
