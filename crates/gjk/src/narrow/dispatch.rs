//! The table of pair solvers: which closed forms are tried for which pair of cores, in which order.
//!
//! Where it sits: the first step of `ladder.rs`. What the solvers leave undecided goes to the loops.
//! Idea: the table is data. The program reads the same table that `gjk solvers` prints: solvers that test axes or edges come first (two of
//! rectangles), and then the closed forms. [`solve`] tries them without a loop, because a compiler moves what does not change out of a loop: here
//! it began the work on two boxes, with two square roots, for pairs of every kind. One row is tried twice: for a verdict
//! alone [`verdict_of_boxes`] tests the axes of two boxes or rectangles before the table is read, because the preparation for numbers would
//! cost more than the verdict (706 instructions in the place of 300).

use crate::Stop;
use crate::bounds::{Bounds, Conclusion};
use crate::math::Vector;
use crate::pair::Pair;
use crate::pairs::{box_box, point_round, point_segment_box, polygon_polygon, rectangles};
use crate::request::Request;
use crate::support::{Core, Form, Support};

/// What a core is, for the table. The order is that of the table's rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Point,
    Segment,
    Box,
    Polygon,
    Discs,
    Ellipsoid,
    Other,
}

/// A solver of `pairs/`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Solver {
    /// `pairs/box_box`
    BoxBox,
    /// `pairs/point_segment_box`
    PointSegmentBox,
    /// `pairs/rectangles.rs`
    Rectangles,
    /// `pairs/polygon_polygon.rs`
    PolygonPolygon,
    /// `pairs/point_round`
    PointRound,
}

use Solver::{BoxBox, PointRound, PointSegmentBox, PolygonPolygon, Rectangles};

type TableRow = [&'static [Solver]; 7];
const KINDS: [&str; 7] = [
    "point",
    "segment",
    "box",
    "polygon",
    "discs",
    "ellipsoid",
    "other",
];

/// In space: a ball's core is a point, a capsule's a segment, that of a cylinder or a cone the hull of discs.
#[rustfmt::skip]
const SPACE: [TableRow; 7] = [
    //               point               segment             box                         polygon  discs          ellipsoid      other
    /* point     */ [&[PointSegmentBox], &[PointSegmentBox], &[PointSegmentBox],         &[],     &[PointRound], &[PointRound], &[]],
    /* segment   */ [&[PointSegmentBox], &[PointSegmentBox], &[PointSegmentBox],         &[],     &[],           &[],           &[]],
    /* box       */ [&[PointSegmentBox], &[PointSegmentBox], &[BoxBox, PointSegmentBox], &[],     &[],           &[],           &[]],
    /* polygon   */ [&[],                &[],                &[],                        &[],     &[],           &[],           &[]],
    /* discs     */ [&[PointRound],      &[],                &[],                        &[],     &[],           &[],           &[]],
    /* ellipsoid */ [&[PointRound],      &[],                &[],                        &[],     &[],           &[],           &[]],
    /* other     */ [&[],                &[],                &[],                        &[],     &[],           &[],           &[]],
];

/// In the plane: a box is a rectangle.
#[rustfmt::skip]
const PLANE: [TableRow; 7] = [
    //               point               segment             box                           polygon             discs  ellipsoid  other
    /* point     */ [&[PointSegmentBox], &[PointSegmentBox], &[PointSegmentBox],            &[],                &[],   &[],       &[]],
    /* segment   */ [&[PointSegmentBox], &[PointSegmentBox], &[PointSegmentBox],            &[],                &[],   &[],       &[]],
    /* box       */ [&[PointSegmentBox], &[PointSegmentBox], &[Rectangles, PolygonPolygon], &[PolygonPolygon],  &[],   &[],       &[]],
    /* polygon   */ [&[],                &[],                &[PolygonPolygon],             &[PolygonPolygon],  &[],   &[],       &[]],
    /* discs     */ [&[],                &[],                &[],                           &[],                &[],   &[],       &[]],
    /* ellipsoid */ [&[],                &[],                &[],                           &[],                &[],   &[],       &[]],
    /* other     */ [&[],                &[],                &[],                           &[],                &[],   &[],       &[]],
];

/// The verdict on two boxes or rectangles, without what numbers need: [`solve`] goes on where this is undecided.
#[inline(always)]
pub(super) fn verdict_of_boxes<V, A, B>(
    pair: &Pair<'_, V, A, B>,
    [a, b]: &[Core<'_, V>; 2],
) -> Conclusion
where
    V: Vector,
    A: ?Sized,
    B: ?Sized,
{
    let (Form::Cuboid(half_a), Form::Cuboid(half_b)) = (a.form, b.form) else {
        return Conclusion::Undecided;
    };
    if a.radius != 0.0 || b.radius != 0.0 {
        return Conclusion::Undecided;
    }
    let (half, poses) = ([half_a, half_b], [pair.pose_a, pair.pose_b]);
    if V::DIM == 2 {
        rectangles::verdict(half, poses)
    } else {
        box_box::verdict(half, poses)
    }
}

/// What a pair's solvers found.
pub(super) struct Solved {
    pub(super) conclusion: Conclusion,
    /// Whether the verdict is proved for the bodies as rounded, and not of a smooth pair.
    pub(super) exact: bool,
    pub(super) stop: Stop,
}

/// Tries the pair's solvers: first by axes, then the closed forms. `None`: none of them decides, and the bounds may hold a first
/// direction for the loop.
#[inline(always)]
pub(super) fn solve<V, A, B>(
    pair: &Pair<'_, V, A, B>,
    request: &Request,
    bounds: &mut Bounds,
) -> Option<Solved>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let table = if V::DIM == 2 { &PLANE } else { &SPACE };
    // Two values and no array, which the compiler would fill by copies.
    let (a, b) = (&pair.a.core(), &pair.b.core());
    let solvers = table[kind(a) as usize][kind(b) as usize];
    if solvers.is_empty() {
        return None;
    }
    let poses = [pair.pose_a, pair.pose_b];
    let by_axes = match solvers {
        [BoxBox, ..] if V::DIM == 3 => {
            let conclusion = box_box::solve([a, b], poses, request, bounds);
            if conclusion == Conclusion::Undecided && bounds.upper < 0.0 {
                // The closed forms of two boxes measure no overlap.
                return None;
            }
            conclusion
        }
        [Rectangles, ..] if V::DIM == 2 => {
            match rectangles::solve([a, b], poses, request, bounds) {
                Conclusion::Undecided => polygon_polygon::solve([a, b], poses, request, bounds),
                conclusion => conclusion,
            }
        }
        [PolygonPolygon, ..] if V::DIM == 2 => {
            polygon_polygon::solve([a, b], poses, request, bounds)
        }
        _ => Conclusion::Undecided,
    };
    if by_axes != Conclusion::Undecided {
        return Some(Solved {
            conclusion: by_axes,
            exact: true,
            stop: Stop::SeparatingAxes,
        });
    }
    let closed = match solvers {
        [.., PointSegmentBox] => point_segment_box::solve([a, b], poses, request, bounds),
        [PointRound] => point_round::solve([a, b], poses, request, bounds),
        _ => return None,
    };
    // Who takes what floats tell takes the numbers of a closed form near touch too.
    let told = request.float_only && bounds.lower.is_finite() && bounds.upper.is_finite();
    (told || closed != Conclusion::Undecided).then_some(Solved {
        conclusion: closed,
        exact: !matches!(solvers, [PointRound]),
        stop: Stop::ClosedForm,
    })
}

#[inline(always)]
fn kind<V: Vector>(core: &Core<'_, V>) -> Kind {
    match &core.form {
        Form::Point(_) => Kind::Point,
        Form::Segment(_) => Kind::Segment,
        Form::Cuboid(_) => Kind::Box,
        Form::Polygon(_) => Kind::Polygon,
        Form::Discs(_) => Kind::Discs,
        Form::Ellipsoid(_) => Kind::Ellipsoid,
        // The hull of points in the plane is a ring.
        Form::Hull(hull) if V::DIM == 2 && hull.points().len() >= 3 => Kind::Polygon,
        Form::Hull(_) | Form::Other => Kind::Other,
    }
}

impl Solver {
    fn name(self) -> &'static str {
        match self {
            BoxBox => "separating axes of two boxes",
            PointSegmentBox => "closed forms of points, segments and boxes",
            Rectangles => "separating axes of two rectangles",
            PolygonPolygon => "edges of two polygons",
            PointRound => "closed forms of a point and discs or an ellipsoid",
        }
    }
}

/// A row of the table of pair solvers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairSolvers {
    /// 2 or 3.
    pub dimension: usize,
    /// The kind of A's core: point, segment, box, polygon, discs (of a cylinder or a cone), ellipsoid or other.
    pub a: &'static str,
    /// The kind of B's core.
    pub b: &'static str,
    /// What is tried before the loops, in order.
    pub solvers: alloc::vec::Vec<&'static str>,
}

/// The table of pair solvers, a row a pair of kinds that has one; every other pair begins with GJK.
///
/// After these come, for every pair: GJK with bounds in floats; for hulls the nearest face in double-double, EPA, and exact
/// signs; for smooth bodies EPA.
pub fn pair_solvers() -> alloc::vec::Vec<PairSolvers> {
    let mut rows = alloc::vec::Vec::new();
    for (dimension, table) in [(2, &PLANE), (3, &SPACE)] {
        for (row, a) in table.iter().zip(KINDS) {
            for (solvers, b) in row.iter().zip(KINDS) {
                if !solvers.is_empty() {
                    let solvers = solvers.iter().map(|solver| solver.name()).collect();
                    rows.push(PairSolvers {
                        dimension,
                        a,
                        b,
                        solvers,
                    });
                }
            }
        }
    }
    rows
}
