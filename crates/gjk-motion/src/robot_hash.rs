//! A number that tells one robot from another, which a certificate has.
//!
//! Where it sits: `certify.rs` writes it, `check` compares it. It finds the wrong robot quickly; no proof rests on it.

use gjk_scene::{Geometry, JointKind, Scene, ShapeSpec};

/// FNV-1a of the robot's numbers: joints, and the geometry of the links. Not of names nor of how the file is written.
#[must_use]
pub fn robot_hash(scene: &Scene) -> String {
    let mut hash = NumberHash(0xcbf2_9ce4_8422_2325);
    let joints = scene.robot.iter().flat_map(|robot| &robot.joints);
    for joint in joints {
        hash.count(match joint.kind {
            JointKind::Revolute => 0,
            JointKind::Continuous => 1,
            JointKind::Prismatic => 2,
            JointKind::Fixed => 3,
            JointKind::Floating => 4,
            JointKind::Planar => 5,
        });
        hash.count(joint.parent);
        hash.count(joint.child);
        hash.numbers(joint.origin.linear.as_flattened());
        hash.numbers(&joint.origin.translation);
        hash.numbers(&joint.axis);
        for limits in [joint.limits, joint.soft_limits] {
            hash.count(usize::from(limits.is_some()));
            limits
                .iter()
                .for_each(|l| hash.numbers(&[l.lower, l.upper]));
        }
        hash.count(joint.mimic.map_or(0, |mimic| mimic.joint + 1));
        let mimics = joint.mimic.iter();
        mimics.for_each(|mimic| hash.numbers(&[mimic.multiplier, mimic.offset]));
    }
    for body in &scene.bodies {
        hash.count(body.link.map_or(0, |link| link + 1));
        hash.count(body.parts.len());
        for part in &body.parts {
            hash.numbers(part.pose.linear.as_flattened());
            hash.numbers(&part.pose.translation);
            match &part.geometry {
                Geometry::Shape(shape) => hash.shape(shape),
                Geometry::Mesh { mesh, scale } => {
                    hash.numbers(scale);
                    hash.numbers(mesh.vertices.as_flattened());
                    for face in &mesh.faces {
                        hash.count(face.len());
                        face.iter().for_each(|&vertex| hash.count(vertex as usize));
                    }
                }
            }
        }
    }
    format!("{:016x}", hash.0)
}

struct NumberHash(u64);

impl NumberHash {
    fn bytes(&mut self, bytes: [u8; 8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn count(&mut self, count: usize) {
        self.bytes((count as u64).to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[f64]) {
        for &x in numbers {
            // Zero has one hash, whatever its sign.
            self.bytes((x + 0.0).to_bits().to_le_bytes());
        }
    }

    fn shape(&mut self, shape: &ShapeSpec) {
        match shape {
            ShapeSpec::Ball { radius } => {
                self.count(1);
                self.numbers(&[*radius]);
            }
            ShapeSpec::Box { half_extents } => {
                self.count(2);
                self.numbers(half_extents);
            }
            ShapeSpec::Capsule {
                half_height,
                radius,
                axis,
            } => self.round(3, *half_height, *radius, *axis as usize),
            ShapeSpec::Cylinder {
                half_height,
                radius,
                axis,
            } => self.round(4, *half_height, *radius, *axis as usize),
            ShapeSpec::Cone {
                half_height,
                radius,
                axis,
            } => self.round(5, *half_height, *radius, *axis as usize),
            // No robot's file has another one: its numbers as they are written.
            other => {
                self.count(6);
                let text = format!("{other:?}");
                text.bytes().for_each(|byte| self.count(usize::from(byte)));
            }
        }
    }

    fn round(&mut self, kind: usize, half_height: f64, radius: f64, axis: usize) {
        self.count(kind);
        self.numbers(&[half_height, radius]);
        self.count(axis);
    }
}
