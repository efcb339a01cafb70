//! The orders in which joints are visited: outwards from the root, and mimic joints after the ones that they follow.
//! Where it sits: [`super::urdf`] asks once, when a file is read; [`super::kinematics`] goes by the answers.

use super::{Joint, Link};
use crate::error::{SceneError, SceneErrorKind as Kind};

/// Mimic joints, each after the one that it follows; `Err` with a joint of a circle.
pub(super) fn mimic_order(joints: &[Joint]) -> Result<Vec<usize>, usize> {
    let mut order = Vec::new();
    let mut done: Vec<bool> = joints.iter().map(|joint| joint.mimic.is_none()).collect();
    for start in 0..joints.len() {
        let mut chain = Vec::new();
        let mut index = start;
        while let (false, Some(mimic)) = (done[index], joints[index].mimic) {
            if chain.len() > joints.len() {
                return Err(start);
            }
            chain.push(index);
            index = mimic.joint;
        }
        for index in chain.into_iter().rev() {
            done[index] = true;
            order.push(index);
        }
    }
    Ok(order)
}

/// The root link and the joints from it outwards; the links must be one tree.
pub(super) fn tree(links: &[Link], joints: &[Joint]) -> Result<(usize, Vec<usize>), SceneError> {
    let mut moved_by: Vec<Option<&Joint>> = vec![None; links.len()];
    let mut carries: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    for (index, joint) in joints.iter().enumerate() {
        if let Some(other) = moved_by[joint.child].replace(joint) {
            let message = format!("two joints move it, `{}` and `{}`", other.name, joint.name);
            let owner = format!("link `{}`", links[joint.child].name);
            return Err(SceneError::new(Kind::NotATree, message)
                .with_element(owner)
                .with_expected("one parent"));
        }
        carries[joint.parent].push(index);
    }
    let roots: Vec<usize> = (0..links.len())
        .filter(|link| moved_by[*link].is_none())
        .collect();
    let names = |indices: &[usize]| {
        indices
            .iter()
            .take(8)
            .map(|link| format!("`{}`", links[*link].name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if roots.len() > 1 {
        let message = format!("{} links have no parent: {}", roots.len(), names(&roots));
        return Err(SceneError::new(Kind::NotATree, message)
            .with_expected("one root link")
            .with_help("join them with fixed joints, or remove the links that nothing holds"));
    }
    let mut order = Vec::with_capacity(joints.len());
    let mut reached = vec![false; links.len()];
    let mut waiting = roots.clone();
    while let Some(link) = waiting.pop() {
        reached[link] = true;
        for &index in &carries[link] {
            order.push(index);
            waiting.push(joints[index].child);
        }
    }
    let rest: Vec<usize> = (0..links.len()).filter(|link| !reached[*link]).collect();
    match roots.first() {
        Some(root) if rest.is_empty() => Ok((*root, order)),
        _ => Err(SceneError::new(
            Kind::NotATree,
            format!("the links {} carry one another in a circle", names(&rest)),
        )
        .with_expected("a tree of links")),
    }
}
