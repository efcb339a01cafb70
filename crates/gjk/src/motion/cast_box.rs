//! A box cast at a box, by the planes of all faces of their difference.
//!
//! Where it sits: `cast.rs` asks it first. It says nothing where the bounds of `slabs.rs` do not decide, where the bodies start in contact, and where the motion crosses an edge of the difference.
//! Idea: the difference of two boxes has the normals of both and the products of an edge of either, and is symmetric about the difference of the centres. So a cast is a ray against fifteen
//! slabs, of the plane four. All their half heights are made of the triple products of the edges.
//! Numbers: edges of B that are in the plane of a face of A within rounding are taken to be in it, which moves a vertex by no more than rounding. Slabs that are then those of a face of A are
//! left out.
//! Source: Gottschalk, Lin, Manocha 1996 (the axes); Kay, Kajiya 1986 (slabs).

use super::cast::Moving;
use super::float_ends::float_time_width;
use super::found::CastFound;
use super::options::MotionOptions;
use super::slabs::{
    AlignedSlab, SlabBox, SlabLine, SlabSizes, Slabs, end_of, fits, two_difference,
};
use crate::math::{Pose, Triple, Vector, cross, dot, length, plus, subtract};
use crate::rounding::UNIT_ROUNDOFF;

/// Slabs of the difference of two boxes, in the plane and in space; there one is none.
const CAST_SLABS: [usize; 2] = [4, 16];

/// An edge is in the plane of a face if its height is at most so many roundings of the product of all three lengths: the product 3, the height 3. The rest is room.
const IN_PLANE_ROUNDINGS: f64 = 16.0;

/// What an edge may be moved by into such a plane: so many roundings, and those of the height.
const EDGE_MOVED_ROUNDINGS: f64 = IN_PLANE_ROUNDINGS + 6.0;

/// The sine between two edges below which the point where they cross is left to others. It chooses, and proves nothing.
const CROSSING_SINE_MIN: f64 = 1.0 / (1u64 << 20) as f64;

/// Two boxes in relative motion.
struct BoxPair {
    bodies: [SlabBox; 2],
    velocities: [Triple; 2],
    dim: usize,
}

/// The heights of a box's edges over the faces of another: a row a face.
type EdgeHeights = [Triple; 3];

#[inline(always)]
fn heights(of: &SlabBox, over: &SlabBox) -> EdgeHeights {
    let mut rows = [[0.0; 3]; 3];
    for (row, &normal) in rows.iter_mut().zip(&over.normals) {
        for (height, &edge) in row.iter_mut().zip(&of.edges) {
            *height = dot(normal, edge);
        }
    }
    rows
}

/// Which edges of B are in the planes of which faces of A, within rounding: a bit for each pair of a face and an edge.
#[derive(Clone, Copy)]
struct InPlane(u16);

impl InPlane {
    #[inline(always)]
    fn of(dim: usize, [a, b]: &[SlabBox; 2], over_a: &EdgeHeights) -> Self {
        let mut bits = 0;
        for (m, row) in over_a.iter().enumerate().take(dim) {
            let unit = IN_PLANE_ROUNDINGS * UNIT_ROUNDOFF * a.spans[m];
            for (j, height) in row.iter().enumerate().take(dim) {
                let is_in = height.abs() <= unit * b.lengths[j];
                bits |= u16::from(is_in) << (3 * m + j);
            }
        }
        Self(bits)
    }

    fn any(self) -> bool {
        self.0 != 0
    }

    fn has(self, m: usize, j: usize) -> bool {
        self.0 & 1 << (3 * m + j) != 0
    }

    /// Whether a face of B is in the plane of one of A, but for its place.
    fn has_face(self, dim: usize, k: usize) -> bool {
        let is_in = |m: usize, j: usize| j >= dim || self.has(m, j);
        (0..dim).any(|m| is_in(m, (k + 1) % 3) && is_in(m, (k + 2) % 3))
    }

    /// Whether the product of an edge of A and one of B is the normal of a face of A.
    fn has_edges(self, i: usize, j: usize) -> bool {
        (0..3).any(|m| m != i && self.has(m, j))
    }
}

/// The slabs that count, with their numbers among all.
struct CastSlabs<const N: usize> {
    slabs: Slabs<N>,
    line: SlabLine,
    numbers: [u8; N],
}

impl<const N: usize> CastSlabs<N> {
    #[inline(always)]
    fn push(&mut self, number: usize, normal: Triple, lengths: f64, half: f64) {
        let at = self.slabs.push(&self.line, normal, lengths, half);
        self.numbers[at] = number as u8;
    }
}

#[inline(always)]
fn sum_of(half: Triple, heights: Triple) -> f64 {
    half[0] * heights[0].abs() + half[1] * heights[1].abs() + half[2] * heights[2].abs()
}

impl BoxPair {
    /// `None` for poses that shear, and for numbers near the ends of their range.
    #[inline(always)]
    fn of<V: Vector>([(half_a, a), (half_b, b)]: [(&V, &Moving<'_, V>); 2]) -> Option<Self> {
        Some(Self {
            bodies: [turned_box(half_a, a)?, turned_box(half_b, b)?],
            velocities: [a.velocity.to_f64(), b.velocity.to_f64()],
            dim: V::DIM,
        })
    }

    /// The normal of a slab.
    fn normal(&self, k: usize) -> Triple {
        let ([a, b], dim) = (&self.bodies, self.dim);
        if k < dim {
            a.normals[k]
        } else if k < 2 * dim {
            b.normals[k - dim]
        } else {
            let (i, j) = edges_of(k);
            cross(a.edges[i], b.edges[j])
        }
    }

    /// The slabs of the difference about B's centre less A's.
    #[inline(always)]
    fn slabs<const N: usize>(&self) -> Option<CastSlabs<N>> {
        let ([a, b], dim) = (&self.bodies, self.dim);
        let [of_a, of_b] = self.velocities;
        let (way, velocity) = (subtract(b.center, a.center), subtract(of_b, of_a));
        let over_a = heights(b, a);
        let in_plane = InPlane::of(dim, &self.bodies, &over_a);
        let sizes = SlabSizes {
            way: length(way),
            reach: a.reach() + b.reach(),
            places: length(a.center) + length(b.center),
            speeds: length(of_a) + length(of_b),
            moved: if in_plane.any() {
                EDGE_MOVED_ROUNDINGS
            } else {
                0.0
            },
        };
        if !(sizes.fit() && fits(length(velocity))) {
            return None;
        }
        let mut found = CastSlabs {
            slabs: Slabs::new(self.aligned()),
            line: SlabLine {
                way,
                velocity,
                errors: sizes.errors(),
            },
            numbers: [0; N],
        };
        for (k, &row) in over_a.iter().enumerate().take(dim) {
            let half = a.half[k] * a.volume + sum_of(b.half, row);
            found.push(k, a.normals[k], a.spans[k], half);
        }
        if found.slabs.aligned.is_some() {
            return Some(found);
        }
        let over_b = heights(a, b);
        for (k, &row) in over_b.iter().enumerate().take(dim) {
            if !in_plane.has_face(dim, k) {
                let half = b.half[k] * b.volume + sum_of(a.half, row);
                found.push(dim + k, b.normals[k], b.spans[k], half);
            }
        }
        if dim == 3 {
            self.push_edges(&mut found, [&over_a, &over_b], in_plane);
        }
        Some(found)
    }

    /// The slabs of an edge of either. `(a_i × b_j)·a_k` is, but for its sign, the height of `b_j` over the face of `a_i` and `a_k`.
    #[inline(always)]
    fn push_edges<const N: usize>(
        &self,
        found: &mut CastSlabs<N>,
        [over_a, over_b]: [&EdgeHeights; 2],
        in_plane: InPlane,
    ) {
        let [a, b] = &self.bodies;
        const NEXT: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
        for i in 0..3 {
            for j in 0..3 {
                if in_plane.any() && in_plane.has_edges(i, j) {
                    continue;
                }
                let ([i1, i2], [j1, j2]) = (NEXT[i], NEXT[j]);
                let of_a = a.half[i1] * over_a[i2][j].abs() + a.half[i2] * over_a[i1][j].abs();
                let of_b = b.half[j1] * over_b[j2][i].abs() + b.half[j2] * over_b[j1][i].abs();
                let normal = cross(a.edges[i], b.edges[j]);
                let lengths = a.lengths[i] * b.lengths[j];
                found.push(6 + 3 * i + j, normal, lengths, of_a + of_b);
            }
        }
    }

    #[inline(always)]
    fn found<V: Vector, const N: usize>(&self, end: f64) -> Option<CastFound> {
        let found: CastSlabs<N> = self.slabs()?;
        let Some(passage) = found.slabs.entry(end, float_time_width::<V::Scalar>())? else {
            return Some(CastFound::free());
        };
        let number = found.numbers[passage.through] as usize;
        let normal = self.normal(number);
        let normal = if passage.rises {
            normal.map(|x| -x)
        } else {
            normal
        };
        let point = self.point(number, normal, passage.enter[1])?;
        let normal = V::Wide::from_f64(normal).normalized()?.to_f64();
        Some(CastFound::facet(&passage, normal, point))
    }

    /// Of two boxes along the world's axes.
    fn aligned(&self) -> Option<[AlignedSlab; 3]> {
        let (a, b) = (self.bodies[0].faces?, self.bodies[1].faces?);
        let [of_a, of_b] = self.velocities;
        Some([0, 1, 2].map(|k| AlignedSlab {
            ways: [
                two_difference(a[k][0], b[k][1]),
                two_difference(a[k][1], b[k][0]),
            ],
            speed: two_difference(of_b[k], of_a[k]),
        }))
    }

    /// The boxes at a time.
    fn at(&self, time: f64) -> [SlabBox; 2] {
        let moved = |body: &SlabBox, velocity| SlabBox {
            center: plus(body.center, velocity, time),
            ..*body
        };
        let [a, b] = &self.bodies;
        [moved(a, self.velocities[0]), moved(b, self.velocities[1])]
    }

    /// A point that both share when contact begins, through a slab of which the normal is from A to B.
    fn point(&self, k: usize, normal: Triple, time: f64) -> Option<Triple> {
        let [a, b] = self.at(time);
        let dim = self.dim;
        if k < dim {
            point_on_face(dim, (&a, k), &b, normal)
        } else if k < 2 * dim {
            point_on_face(dim, (&b, k - dim), &a, normal.map(|x| -x))
        } else {
            point_of_edges([&a, &b], edges_of(k), normal)
        }
    }
}

/// The slabs' box, of a box at a pose that keeps right angles.
#[inline(always)]
fn turned_box<V: Vector>(half: &V, body: &Moving<'_, V>) -> Option<SlabBox> {
    let pose: Pose<V::Wide> = body.pose.lift();
    pose.uniform_scale()?;
    SlabBox::of::<V::Wide>(half.lift(), &pose)
}

/// The edges of A and of B of which a slab in space is made.
fn edges_of(k: usize) -> (usize, usize) {
    ((k - 6) / 3, (k - 6) % 3)
}

/// On which side of a plane an edge rises; `None` for an edge in it, within rounding.
fn rise(body: &SlabBox, j: usize, normal: Triple) -> Option<f64> {
    let height = dot(normal, body.edges[j]);
    let unit = UNIT_ROUNDOFF * length(normal) * body.lengths[j];
    (height.abs() > 2.0 * IN_PLANE_ROUNDINGS * unit).then(|| height.signum())
}

/// A point that a face shares with another box that supports it, of which the face's normal is outward.
fn point_on_face(
    dim: usize,
    (face, m): (&SlabBox, usize),
    other: &SlabBox,
    normal: Triple,
) -> Option<Triple> {
    let mut corner = other.center;
    let (mut level, mut count) = ([0; 2], 0);
    for j in 0..dim {
        match rise(other, j, normal) {
            Some(sign) => corner = plus(corner, other.edges[j], -sign * other.half[j]),
            None => {
                *level.get_mut(count)? = j;
                count += 1;
            }
        }
    }
    let ends = |from: Triple, j: usize| {
        [-1.0, 1.0].map(|sign| plus(from, other.edges[j], sign * other.half[j]))
    };
    let clipped = |[from, to]: [Triple; 2]| clip(dim, face, m, from, to);
    match level[..count] {
        [] => Some(corner),
        [j] => clipped(ends(corner, j)),
        [i, j] => {
            let sides = |i, j| ends(corner, i).map(|from| ends(from, j));
            let found = sides(i, j).into_iter().chain(sides(j, i)).find_map(clipped);
            // Else the face is within that of the other.
            found.or_else(|| {
                let sign = dot(normal, face.edges[m]).signum();
                let middle = plus(face.center, face.edges[m], sign * face.half[m]);
                let within = is_between(other, i, middle) && is_between(other, j, middle);
                within.then_some(middle)
            })
        }
        _ => None,
    }
}

/// Whether a point is between a face of a box and the opposite one.
fn is_between(body: &SlabBox, k: usize, x: Triple) -> bool {
    let height = dot(body.normals[k], subtract(x, body.center));
    height.abs() <= body.half[k] * body.volume
}

/// The middle of the part of a segment that is between the other faces of a box than one and its opposite.
fn clip(dim: usize, body: &SlabBox, m: usize, from: Triple, to: Triple) -> Option<Triple> {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for k in (0..dim).filter(|&k| k != m) {
        let (normal, half) = (body.normals[k], body.half[k] * body.volume);
        let [start, end] = [from, to].map(|x| dot(normal, subtract(x, body.center)));
        let way = end - start;
        for side in [-half, half] {
            let at = (side - start) / way;
            // Towards the side it leaves there, away from it it enters.
            if way * side > 0.0 {
                high = if at < high { at } else { high };
            } else if way * side < 0.0 {
                low = if at > low { at } else { low };
            }
        }
        if way == 0.0 && start.abs() > half {
            return None;
        }
    }
    (low <= high).then(|| plus(from, subtract(to, from), 0.5 * (low + high)))
}

/// The point in which two edges cross, with a normal from the first body to the second.
fn point_of_edges([a, b]: [&SlabBox; 2], (i, j): (usize, usize), normal: Triple) -> Option<Triple> {
    let middle = |body: &SlabBox, edge: usize, sign: f64| {
        (0..3).filter(|&k| k != edge).try_fold(body.center, |x, k| {
            let rises = rise(body, k, normal)?;
            Some(plus(x, body.edges[k], sign * rises * body.half[k]))
        })
    };
    let (of_a, of_b) = (middle(a, i, 1.0)?, middle(b, j, -1.0)?);
    let across = cross(a.edges[i], b.edges[j]);
    let (squared, lengths) = (dot(across, across), a.lengths[i] * b.lengths[j]);
    if !(squared > (CROSSING_SINE_MIN * lengths) * (CROSSING_SINE_MIN * lengths)) {
        return None;
    }
    let at = dot(cross(subtract(of_b, of_a), b.edges[j]), across) / squared;
    Some(plus(of_a, a.edges[i], at.clamp(-a.half[i], a.half[i])))
}

/// What is known of a box that is cast at a box; `None` of those that start in contact, and where the bounds do not decide.
pub(super) fn cast_box<V: Vector>(
    bodies: [(&V, &Moving<'_, V>); 2],
    options: &MotionOptions<V::Scalar>,
) -> Option<CastFound> {
    let pair = BoxPair::of(bodies)?;
    let end = end_of(options);
    if V::DIM == 2 {
        pair.found::<V, { CAST_SLABS[0] }>(end)
    } else {
        pair.found::<V, { CAST_SLABS[1] }>(end)
    }
}
