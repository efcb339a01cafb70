//! SRDF: which pairs of links need no check, and states of joints that have names.
//! Where it sits: `gjk check --srdf FILE` reads through [`read_srdf`]; the pairs are names turned into link indices of a
//! [`Robot`]. `srdf_write` changes the pairs of a file.
//! Source: MoveIt's SRDF; `disable_default_collisions` takes a link out of all pairs, `enable_collisions` puts one
//! pair back.

use std::collections::BTreeSet;
use std::path::Path;

use roxmltree::Node;

use super::{GroupState, Robot};
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::unreadable;
use crate::warnings::Warnings;
use crate::xml::{self, Xml};

/// A pair of links that is not checked, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisabledPair {
    /// One link, as an index into [`Robot::links`]; the lower one.
    pub a: usize,
    /// The other link.
    pub b: usize,
    /// The file's reason, such as `Adjacent` or `Never`.
    pub reason: Option<String>,
}

/// The part of an SRDF file that says which pairs to leave out, and its states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Srdf {
    /// The pairs that `disable_collisions` names, in the file's order.
    pub disabled: Vec<DisabledPair>,
    /// The states of `group_state`, in the file's order.
    pub group_states: Vec<GroupState>,
    /// Names that the robot does not have, for people.
    pub warnings: Vec<String>,
    /// What was odd about the group states or left out of them, for people who use one.
    pub state_warnings: Vec<String>,
    disabled_pairs: BTreeSet<(usize, usize)>,
    disabled_links: BTreeSet<usize>,
    enabled_pairs: BTreeSet<(usize, usize)>,
}

impl Srdf {
    /// True when the file takes this pair of links out, in either order.
    #[must_use]
    pub fn is_disabled(&self, a: usize, b: usize) -> bool {
        let pair = (a.min(b), a.max(b));
        let by_link = self.disabled_links.contains(&a) || self.disabled_links.contains(&b);
        self.disabled_pairs.contains(&pair) || (by_link && !self.enabled_pairs.contains(&pair))
    }
}

/// Reads an SRDF file for a robot. Links that the robot does not have are warnings.
///
/// # Errors
/// An unreadable file, bad XML, another root element, or a pair without its two names.
pub fn read_srdf(path: &Path, robot: &Robot) -> Result<Srdf, SceneError> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    parse(xml::text(&bytes, path)?, path, robot)
}

pub(super) fn parse(text: &str, path: &Path, robot: &Robot) -> Result<Srdf, SceneError> {
    let document = xml::parse(text, path)?;
    let xml = Xml { text, file: path };
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let message = format!("the root element is `<{}>`", root.tag_name().name());
        return Err(xml
            .error(root, Kind::Unsupported, message)
            .with_expected("`<robot>`"));
    }
    let mut srdf = Srdf::default();
    let (mut unknown, mut odd_states) = (Warnings::default(), Warnings::default());
    if let Some(name) = root.attribute("name").filter(|name| *name != robot.name) {
        srdf.warnings.push(format!(
            "{}: written for the robot `{name}`, used for `{}`",
            path.display(),
            robot.name
        ));
    }
    for node in root.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "disable_collisions" => {
                if let Some((a, b)) = pair(&xml, node, robot, &mut unknown)? {
                    srdf.disabled_pairs.insert((a, b));
                    srdf.disabled.push(DisabledPair {
                        a,
                        b,
                        reason: node.attribute("reason").map(str::to_owned),
                    });
                }
            }
            "enable_collisions" => {
                if let Some(pair) = pair(&xml, node, robot, &mut unknown)? {
                    srdf.enabled_pairs.insert(pair);
                }
            }
            "disable_default_collisions" => {
                if let Some(link) = link(&xml, node, "link", robot, &mut unknown)? {
                    srdf.disabled_links.insert(link);
                }
            }
            "group_state" => {
                let state = GroupState::read(&xml, node, robot, &mut odd_states);
                srdf.group_states.extend(state);
            }
            _ => {}
        }
    }
    srdf.warnings.extend(unknown.lines(path));
    srdf.state_warnings = odd_states.lines(path);
    Ok(srdf)
}

fn pair(
    xml: &Xml<'_>,
    node: Node<'_, '_>,
    robot: &Robot,
    warnings: &mut Warnings,
) -> Result<Option<(usize, usize)>, SceneError> {
    let a = link(xml, node, "link1", robot, warnings)?;
    let b = link(xml, node, "link2", robot, warnings)?;
    Ok(a.zip(b).map(|(a, b)| (a.min(b), a.max(b))))
}

fn link(
    xml: &Xml<'_>,
    node: Node<'_, '_>,
    attribute: &str,
    robot: &Robot,
    warnings: &mut Warnings,
) -> Result<Option<usize>, SceneError> {
    let name = xml.required(node, attribute)?;
    let index = robot.link_index(name);
    if index.is_none() {
        let tag = node.tag_name().name();
        warnings.add(
            xml.line(node),
            &format!("`{name}`"),
            format!("`<{tag}>` names `{name}`, which is no link of the robot"),
            format!("names in `<{tag}>` are no links of the robot"),
        );
    }
    Ok(index)
}
