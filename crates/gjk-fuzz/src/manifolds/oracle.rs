//! What a contact polygon is, found another way: all planes through three vertices, and clipping by one side after another.
//!
//! Idea: a face is what all planes through three vertices leave that have no vertex above them. The one of each body that is tilted least against the
//! normal, of those with the highest vertex, is seen along the normal; the polygon of B is cut by the sides of that of A (Sutherland and Hodgman). Where
//! a choice is within rounding, the oracle says so and is silent.

type Point = [f64; 3];
type Flat = [f64; 2];

fn sub(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

fn unit(a: Point) -> Point {
    let size = dot(a, a).sqrt();
    a.map(|x| x / size)
}

/// More vertices are planes enough to wait for.
const PLANES_OF_MAX: usize = 24;

/// What the oracle measures by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gauge {
    /// From A to B, unit.
    pub(super) normal: Point,
    /// Of the largest coordinate: a power of two.
    pub(super) size: f64,
    /// What a corner may be off by rounding, as docs/manifolds.md has it.
    pub(super) band: f64,
    /// What is surely more.
    pub(super) clear: f64,
    /// The tangent of the largest tilt.
    pub(super) tangent: f64,
}

/// A unit normal and a point.
type Plane = (Point, Point);

/// How far a point is above a plane.
fn above((normal, anchor): &Plane, x: Point) -> f64 {
    dot(*normal, sub(x, *anchor))
}

/// A body's supporting face.
#[derive(Clone, Debug)]
struct OracleFace {
    plane: Plane,
    /// Counter-clockwise.
    ring: Vec<Flat>,
}

/// The polygon, as far as it is clear.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ExpectedPolygon {
    /// The area of the corners within the prediction, and what it may be off; `None` where a choice is within rounding.
    pub(super) area: Option<[f64; 2]>,
    /// No corner of one is so near to a side of the other that a motion of this much changes what meets.
    pub(super) steady: f64,
    /// A corner is about as far from a corner or side of the other as what counts as on it: names are decided by rounding.
    pub(super) at_band: bool,
    /// The least sine of two sides that are not parallel: places of crossings are as much worse.
    pub(super) sine: f64,
}

/// Whether something was decided clearly.
struct Doubt;

fn turn(a: Flat, b: Flat, c: Flat) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn size(a: Flat, b: Flat) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

fn perimeter(ring: &[Flat]) -> f64 {
    let sides = (0..ring.len()).map(|k| size(ring[k], ring[(k + 1) % ring.len()]));
    sides.sum()
}

fn area(ring: &[Flat]) -> f64 {
    let parts = (1..ring.len().max(2) - 1).map(|k| turn(ring[0], ring[k], ring[k + 1]));
    parts.sum::<f64>() / 2.0
}

impl Gauge {
    fn axes(&self) -> [Point; 2] {
        let n = self.normal;
        let least = (0..3)
            .min_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs()))
            .unwrap_or(0);
        let first = unit(cross(std::array::from_fn(|k| f64::from(k == least)), n));
        [first, cross(n, first)]
    }

    fn flat(&self, x: Point) -> Flat {
        self.axes().map(|axis| dot(axis, x))
    }

    /// The face of a body along a direction, by all planes of three vertices; `None`: an edge or a vertex.
    fn face(&self, points: &[Point], along: Point) -> Result<Option<OracleFace>, Doubt> {
        let mut best: Option<(f64, Plane)> = None;
        let mut second = f64::INFINITY;
        let (planes, narrow) = planes(points, along, self.clear);
        for plane in planes {
            let Some(tangent) = self.tilt(&plane, points, along)? else {
                continue;
            };
            match &best {
                Some((_, (other, _))) if dot(*other, plane.0) > 1.0 - 1e-9 => {}
                Some((tilt, _)) if *tilt <= tangent => second = second.min(tangent),
                _ => {
                    second = best.map_or(second, |(tilt, _)| second.min(tilt));
                    best = Some((tangent, plane));
                }
            }
        }
        let Some((tangent, plane)) = best else {
            // A face may be too narrow for a plane that is known as well as the others.
            let bears = |plane: &Plane| !matches!(self.tilt(plane, points, along), Ok(None));
            return if narrow.iter().any(bears) {
                Err(Doubt)
            } else {
                Ok(None)
            };
        };
        if second - tangent < 1e-4 {
            return Err(Doubt);
        }
        Ok(self.ring(&plane, points))
    }

    /// The tangent of the tilt of a plane that is a face with the highest vertices; `None` where it is none.
    fn tilt(&self, plane: &Plane, points: &[Point], along: Point) -> Result<Option<f64>, Doubt> {
        let above = |x: &Point| above(plane, *x);
        let cosine = dot(plane.0, along);
        let most = points.iter().map(above).fold(0.0, f64::max);
        if !(cosine > 0.1) || most > self.clear {
            return Ok(None);
        }
        let tangent = (1.0 - cosine * cosine).max(0.0).sqrt() / cosine;
        if (tangent - self.tangent).abs() < 1e-4 {
            return Err(Doubt);
        }
        let heights = points.iter().map(|&x| dot(along, x));
        let top = heights.fold(f64::NEG_INFINITY, f64::max);
        // Of a level edge both ends are on the face.
        let is_highest = |x: &&Point| dot(along, **x) > top - self.clear;
        let mut highest = points.iter().filter(is_highest);
        if tangent > self.tangent || !highest.all(|x| above(x) > -self.clear) {
            return Ok(None);
        }
        // Nearly on the plane is neither on it nor off it.
        let nearly = |x: &Point| {
            let height = above(x);
            height < -self.band / 4.0 && height > -16.0 * self.clear
        };
        if most > self.band / 4.0 || points.iter().any(nearly) {
            return Err(Doubt);
        }
        Ok(Some(tangent))
    }

    /// The face of the points on a plane, without the vertices on its sides.
    fn ring(&self, plane: &Plane, points: &[Point]) -> Option<OracleFace> {
        let on = |x: &&Point| above(plane, **x) > -self.clear;
        let members: Vec<Flat> = points.iter().filter(on).map(|&x| self.flat(x)).collect();
        let mut ring = hull(members);
        let mut k = 0;
        while ring.len() > 2 && k < ring.len() {
            let count = ring.len();
            let (before, after) = (ring[(k + count - 1) % count], ring[(k + 1) % count]);
            if turn(before, ring[k], after) <= self.clear * size(before, after) {
                ring.remove(k);
            } else {
                k += 1;
            }
        }
        let plane = *plane;
        (ring.len() > 2).then_some(OracleFace { plane, ring })
    }

    /// What the contact polygon of two bodies must be.
    pub(super) fn expected(
        &self,
        bodies: [&[Point]; 2],
        distance: [f64; 2],
        prediction: f64,
        radii: f64,
    ) -> ExpectedPolygon {
        let mut expected = ExpectedPolygon::default();
        let [Ok(a), Ok(b)] = [
            self.face(bodies[0], self.normal),
            self.face(bodies[1], self.normal.map(|x| -x)),
        ] else {
            return expected;
        };
        let (Some(a), Some(b)) = (a, b) else {
            expected.area = Some([0.0; 2]);
            return expected;
        };
        expected.sine = 1.0;
        expected.steady = f64::INFINITY;
        expected.compare(&a.ring, &b.ring, self);
        expected.compare(&b.ring, &a.ring, self);
        let polygon = clipped(&b.ring, &a.ring);
        let separation = |at: &Flat| self.height(&b, *at) - self.height(&a, *at) - radii;
        let separations: Vec<f64> = polygon.iter().map(separation).collect();
        let least = separations.iter().copied().fold(f64::INFINITY, f64::min);
        // Sides that are nearly parallel cross somewhere along both, and a tilted face is higher or lower there.
        let astray = 2.0 * self.tangent * self.band / expected.sine;
        if least > distance[1] + 64.0 * self.clear + astray {
            // The deepest point is on neither face: it is the only one.
            expected.area = Some([0.0; 2]);
            return expected;
        }
        let at_limit = |x: &f64| (x - prediction).abs() < 8.0 * self.clear;
        if separations.iter().any(at_limit) || least > distance[1] + self.band / 4.0 {
            (expected.steady, expected.at_band) = (0.0, true);
            return expected;
        }
        let is_near = |&(_, &separation): &(&Flat, &f64)| separation <= prediction;
        let all = polygon.iter().zip(&separations);
        let near: Vec<Flat> = all.filter(is_near).map(|(&at, _)| at).collect();
        // Faces that meet along a side only have hardly any area, or none.
        let around = perimeter(&a.ring) + perimeter(&b.ring);
        let mut room = 8.0 * self.clear * (around + 8.0 * self.clear);
        if near.len() < polygon.len() {
            // A part of the polygon ends at its crossings, which slide along sides that are nearly parallel: by what both sides are off, over the sine.
            room += 2.0 * self.band / expected.sine * around;
        }
        expected.area = Some([area(&near).max(0.0), room]);
        for separation in &separations {
            expected.steady = expected.steady.min((separation - prediction).abs());
        }
        expected
    }

    /// How high the plane of a face is along the normal, at a place across it.
    fn height(&self, face: &OracleFace, at: Flat) -> f64 {
        let [u, v] = self.axes();
        let foot: Point = std::array::from_fn(|k| u[k] * at[0] + v[k] * at[1]);
        -above(&face.plane, foot) / dot(face.plane.0, self.normal)
    }
}

/// All planes through three vertices, outward along a direction; of bodies with many vertices those of three that are near in height. Those of narrow triangles are
/// by themselves.
fn planes(points: &[Point], along: Point, clear: f64) -> (Vec<Plane>, Vec<Plane>) {
    let (mut found, mut narrow) = (Vec::new(), Vec::new());
    let mut add = |a: Point, b: Point, c: Point| {
        let normal = cross(sub(b, a), sub(c, a));
        let size = dot(normal, normal).sqrt();
        let longest = [sub(b, a), sub(c, a), sub(c, b)]
            .map(|x| dot(x, x).sqrt())
            .into_iter()
            .fold(0.0, f64::max);
        let sign = if dot(normal, along) < 0.0 { -1.0 } else { 1.0 };
        let plane = (normal.map(|x| sign * x / size), a);
        if size > 64.0 * clear * longest {
            found.push(plane);
        } else if size > 0.0 {
            narrow.push(plane);
        }
    };
    let count = points.len();
    if count > PLANES_OF_MAX {
        // Prisms: a third of either rim, and two neighbours on both rims.
        let half = count / 2;
        for rim in [0, half] {
            add(
                points[rim],
                points[rim + half / 3],
                points[rim + 2 * half / 3],
            );
        }
        for k in 0..half {
            add(points[k], points[(k + 1) % half], points[half + k]);
        }
        return (found, narrow);
    }
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                add(points[i], points[j], points[k]);
            }
        }
    }
    (found, narrow)
}

impl ExpectedPolygon {
    /// Notes how near the corners of one ring are to the sides and corners of another, and how parallel sides are.
    fn compare(&mut self, ring: &[Flat], other: &[Flat], gauge: &Gauge) {
        let at_band = gauge.band / 8.0..gauge.band * 8.0;
        for k in 0..ring.len() {
            let (from, to) = (ring[k], ring[(k + 1) % ring.len()]);
            let step = [to[0] - from[0], to[1] - from[1]];
            let squared = step[0] * step[0] + step[1] * step[1];
            for (i, &x) in other.iter().enumerate() {
                let part = ((x[0] - from[0]) * step[0] + (x[1] - from[1]) * step[1]) / squared;
                let foot = [0, 1].map(|i| from[i] + part.clamp(0.0, 1.0) * step[i]);
                let away = size(foot, x);
                self.steady = self.steady.min(away);
                self.at_band |= at_band.contains(&away) || at_band.contains(&size(from, x));
                let y = other[(i + 1) % other.len()];
                let sine = (step[0] * (y[1] - x[1]) - step[1] * (y[0] - x[0])).abs()
                    / (squared.sqrt() * size(x, y));
                if sine > gauge.clear / gauge.size {
                    self.sine = self.sine.min(sine);
                }
            }
        }
    }
}

/// Andrew's chains in floats.
fn hull(mut points: Vec<Flat>) -> Vec<Flat> {
    points.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    let mut ring: Vec<Flat> = Vec::new();
    for pass in 0..2 {
        let start = ring.len();
        for &x in &points {
            while ring.len() >= start + 2
                && turn(ring[ring.len() - 2], ring[ring.len() - 1], x) <= 0.0
            {
                ring.pop();
            }
            ring.push(x);
        }
        ring.pop();
        if pass == 0 {
            points.reverse();
        }
    }
    ring
}

/// Sutherland and Hodgman.
fn clipped(subject: &[Flat], clip: &[Flat]) -> Vec<Flat> {
    let mut ring = subject.to_vec();
    for k in 0..clip.len() {
        let (from, to) = (clip[k], clip[(k + 1) % clip.len()]);
        let old = std::mem::take(&mut ring);
        for (i, &x) in old.iter().enumerate() {
            let y = old[(i + 1) % old.len()];
            let (here, there) = (turn(from, to, x), turn(from, to, y));
            if here >= 0.0 {
                ring.push(x);
            }
            if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
                let part = here / (here - there);
                ring.push([0, 1].map(|i| x[i] + part * (y[i] - x[i])));
            }
        }
    }
    ring
}

/// The area of a ring of points in space, seen along a normal.
pub(super) fn area_of(gauge: &Gauge, points: &[Point]) -> f64 {
    let flat: Vec<Flat> = points.iter().map(|&x| gauge.flat(x)).collect();
    area(&flat)
}
