//! Manifolds that carry the data of their points from step to step.

use super::dispatcher::{Bodies, middle};
use super::kind::{POINTS_MAX, place, vector};
use super::names::{make_unique, packed};
use super::parry::math::{Pose, Real, Vector};
use super::parry::query::details::{
    NormalConstraints, NormalConstraintsPair, contact_manifolds_composite_shape_composite_shape,
    contact_manifolds_composite_shape_shape, contact_manifolds_heightfield_composite_shape,
    contact_manifolds_heightfield_shape_shapes, contact_manifolds_trimesh_shape_shapes,
};
use super::parry::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
    TrackedContact, Unsupported,
};
use super::parry::shape::{Shape, ShapeType};
use super::{GjkDispatcher, with_parry};
use gjk::Vector as _;
use gjk::query::{self, Manifold, ManifoldOptions};

/// parry's rule for inner edges leaves a normal as it is if it moves it by less than this, which is far beyond rounding.
const TURN_MAX: Real = 1e-3;

impl<ManifoldData, ContactData> PersistentQueryDispatcher<ManifoldData, ContactData>
    for GjkDispatcher
where
    ManifoldData: Default + Clone + Send + Sync,
    ContactData: Default + Copy + Send + Sync,
{
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        prediction: Real,
        manifolds: &mut Vec<ContactManifold<ManifoldData, ContactData>>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        let shapes = [shape1, shape2];
        if shapes.iter().any(|s| s.shape_type() == ShapeType::Voxels) {
            return Err(Unsupported);
        }
        let has_parts = |s: &&dyn Shape| {
            s.as_composite_shape().is_some() || s.shape_type() == ShapeType::HeightField
        };
        if shapes.iter().any(has_parts) {
            return manifolds_of_parts(pos12, shapes, prediction, manifolds, workspace);
        }
        let bodies = Bodies::new(pos12, shape1, shape2)?;
        if manifolds.is_empty() {
            let data = ManifoldData::default();
            manifolds.push(ContactManifold::with_data(0, 0, data));
        }
        fill(&bodies, pos12, prediction, &mut manifolds[0], |_, _| {
            Rule::Kept
        })
        .map(|_| ())
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        normal_constraints1: Option<&dyn NormalConstraints>,
        normal_constraints2: Option<&dyn NormalConstraints>,
        prediction: Real,
        manifold: &mut ContactManifold<ManifoldData, ContactData>,
    ) -> Result<(), Unsupported> {
        let bodies = Bodies::new(pos12, shape1, shape2)?;
        let rules = (normal_constraints1, normal_constraints2);
        let judge = |mut normal1: Vector, mut normal2: Vector| {
            let before = normal1;
            if !rules.project_local_normals(pos12, &mut normal1, &mut normal2) {
                return Rule::Refused;
            }
            if (normal1 - before).length() > TURN_MAX {
                Rule::Turned
            } else {
                Rule::Kept
            }
        };
        if fill(&bodies, pos12, prediction, manifold, judge)? != Rule::Turned {
            return Ok(());
        }
        // parry would keep the old points of another normal.
        let old = std::mem::take(&mut manifold.points);
        DefaultQueryDispatcher.contact_manifold_convex_convex(
            pos12,
            shape1,
            shape2,
            normal_constraints1,
            normal_constraints2,
            prediction,
            manifold,
        )?;
        carry(&mut manifold.points, &old, prediction);
        Ok(())
    }
}

/// What a mesh's rule for its inner edges makes of a normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Kept,
    Turned,
    Refused,
}

/// Fills a manifold anew, and gives points that were there before their data. A manifold whose normal is turned stays as it was.
fn fill<ManifoldData, ContactData: Default + Copy>(
    bodies: &Bodies<'_>,
    pos12: &Pose,
    prediction: Real,
    manifold: &mut ContactManifold<ManifoldData, ContactData>,
    judge: impl FnOnce(Vector, Vector) -> Rule,
) -> Result<Rule, Unsupported> {
    // Most of the parts that parry finds are farther than that, and the last normal tells it.
    if bodies.are_beyond(prediction, place(manifold.local_n1)) {
        manifold.clear();
        return Ok(Rule::Kept);
    }
    let ([a, b], [pose_a, pose_b]) = (bodies.supports(), bodies.poses());
    let options = ManifoldOptions::default().with_prediction(prediction);
    let found = query::manifold(a, pose_a, b, pose_b, &options);
    if !found.contact.normal.is_finite() {
        return Err(Unsupported);
    }
    let normal1 = vector(found.contact.normal);
    let normal2 = pos12.rotation.inverse() * -normal1;
    let rule = if found.points.is_empty() {
        Rule::Kept
    } else {
        judge(normal1, normal2)
    };
    if rule == Rule::Turned {
        return Ok(rule);
    }
    let old = std::mem::take(&mut manifold.points);
    (manifold.local_n1, manifold.local_n2) = (normal1, normal2);
    if rule == Rule::Kept {
        manifold.points.extend(tracked(&found, pos12));
        make_unique(&mut manifold.points);
        carry(&mut manifold.points, &old, prediction);
    }
    Ok(rule)
}

/// Gives each point the data of an old one: of the one with the same names, else of the nearest that is left, if neither end moved farther than `reach`.
///
/// Of two equal boxes on each other the corners are vertices on vertices, or sides that cross, and which of the two is a matter of a hair.
fn carry<ContactData: Copy>(
    points: &mut [TrackedContact<ContactData>],
    old: &[TrackedContact<ContactData>],
    reach: Real,
) {
    let mut left: Vec<&TrackedContact<ContactData>> = old.iter().collect();
    let mut unnamed = Vec::new();
    for point in points {
        let named =
            |old: &&TrackedContact<ContactData>| (old.fid1, old.fid2) == (point.fid1, point.fid2);
        match left.iter().position(named) {
            Some(at) => point.data = left.swap_remove(at).data,
            None => unnamed.push(point),
        }
    }
    for point in unnamed {
        let moved = |old: &TrackedContact<ContactData>| {
            let [first, second] = [old.local_p1 - point.local_p1, old.local_p2 - point.local_p2];
            first.length().max(second.length())
        };
        let order = |&i: &usize, &j: &usize| moved(left[i]).total_cmp(&moved(left[j]));
        let nearest = (0..left.len()).min_by(order);
        if let Some(at) = nearest.filter(|&at| moved(left[at]) <= reach) {
            point.data = left.swap_remove(at).data;
        }
    }
}

fn tracked<ContactData: Default + Copy>(
    found: &Manifold<super::kind::Place>,
    pos12: &Pose,
) -> impl Iterator<Item = TrackedContact<ContactData>> {
    found.points.iter().take(POINTS_MAX).map(|point| {
        TrackedContact::new(
            vector(point.point_a),
            pos12.inverse_transform_point(vector(point.point_b)),
            packed(point.feature_a, &found.face_a),
            packed(point.feature_b, &found.face_b),
            middle(point.separation),
        )
    })
}

/// parry finds the parts that are near; the pairs of them come back to the dispatcher.
fn manifolds_of_parts<ManifoldData, ContactData>(
    pos12: &Pose,
    [shape1, shape2]: [&dyn Shape; 2],
    prediction: Real,
    manifolds: &mut Vec<ContactManifold<ManifoldData, ContactData>>,
    workspace: &mut Option<ContactManifoldsWorkspace>,
) -> Result<(), Unsupported>
where
    ManifoldData: Default + Clone + Send + Sync,
    ContactData: Default + Copy + Send + Sync,
{
    let all = with_parry();
    let all: &dyn PersistentQueryDispatcher<ManifoldData, ContactData> = &all;
    let pos21 = pos12.inverse();
    let composites = [shape1, shape2].map(|s| s.as_composite_shape());
    let fields = [shape1, shape2].map(|s| s.as_heightfield());
    let is_mesh = |s: &dyn Shape| s.shape_type() == ShapeType::TriMesh;
    match (composites, fields) {
        ([Some(c1), Some(c2)], _) => contact_manifolds_composite_shape_composite_shape(
            all, pos12, c1, c2, prediction, manifolds, workspace,
        ),
        ([_, Some(c2)], [Some(h1), _]) => contact_manifolds_heightfield_composite_shape(
            all, pos12, &pos21, h1, c2, prediction, manifolds, workspace, false,
        ),
        ([Some(c1), _], [_, Some(h2)]) => contact_manifolds_heightfield_composite_shape(
            all, &pos21, pos12, h2, c1, prediction, manifolds, workspace, true,
        ),
        ([None, None], [Some(_), None] | [None, Some(_)]) => {
            contact_manifolds_heightfield_shape_shapes(
                all, pos12, shape1, shape2, prediction, manifolds, workspace,
            );
        }
        _ if is_mesh(shape1) || is_mesh(shape2) => contact_manifolds_trimesh_shape_shapes(
            all, pos12, shape1, shape2, prediction, manifolds, workspace,
        ),
        ([Some(c1), None], _) => contact_manifolds_composite_shape_shape(
            all, pos12, c1, shape2, prediction, manifolds, workspace, false,
        ),
        ([None, Some(c2)], _) => contact_manifolds_composite_shape_shape(
            all, &pos21, c2, shape1, prediction, manifolds, workspace, true,
        ),
        _ => return Err(Unsupported),
    }
    Ok(())
}
