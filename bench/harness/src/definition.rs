//! `../definitions/*.toml`: what the workloads are.

use serde::Deserialize;
use std::path::Path;

/// How far apart or how deep the pairs of a file are.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Regime {
    /// A gap of 0.8 to 1.2 diameters.
    Far,
    /// A gap of 1 to 5 % of the scale.
    Near,
    /// A depth of 1 to 5 % of the scale.
    Shallow,
    /// 30 to 60 % of the depth at coincident centres.
    Deep,
    /// A point that moves to a body and through it, or past it.
    Ray,
    /// Bodies that move in straight lines.
    Cast,
    /// Bodies that move and turn.
    Toi,
    /// A face nearly on a face, just above or in it.
    Rest,
    /// The same, a little deep.
    Pressed,
    /// As `Near`, for gradients.
    Gradient,
    /// A bar that turns through a floor and is clear of it at both ends of the motion.
    Swing,
}

impl Regime {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Regime::Far => "far",
            Regime::Near => "near",
            Regime::Shallow => "shallow",
            Regime::Deep => "deep",
            Regime::Ray => "ray",
            Regime::Cast => "cast",
            Regime::Toi => "toi",
            Regime::Swing => "swing",
            Regime::Rest => "rest",
            Regime::Pressed => "pressed",
            Regime::Gradient => "gradient",
        }
    }

    /// The operation that measures this regime.
    pub(crate) fn op(self) -> &'static str {
        match self {
            Regime::Far | Regime::Near => "dist",
            Regime::Shallow | Regime::Deep => "pen",
            Regime::Rest | Regime::Pressed => "manifold",
            Regime::Swing => "toi",
            moving => moving.name(),
        }
    }

    pub(crate) fn is_apart(self) -> bool {
        matches!(self, Regime::Far | Regime::Near | Regime::Gradient)
    }

    /// Whether the bodies move.
    pub(crate) fn moves(self) -> bool {
        matches!(
            self,
            Regime::Ray | Regime::Cast | Regime::Toi | Regime::Swing
        )
    }

    /// The least and the largest part of the scale; of bodies that rest on each other the gap.
    pub(crate) fn range(self) -> [f64; 2] {
        match self {
            Regime::Far => [0.8, 1.2],
            Regime::Near | Regime::Shallow => [0.01, 0.05],
            Regime::Deep => [0.3, 0.6],
            Regime::Rest => [-1e-3, 5e-3],
            Regime::Pressed => [-1e-3, -1e-3],
            Regime::Gradient => [0.01, 0.05],
            Regime::Ray | Regime::Cast | Regime::Toi | Regime::Swing => [0.0, 0.0],
        }
    }
}

impl Kind {
    /// Of the space.
    pub(crate) fn dim(self) -> usize {
        let planar = matches!(self, Kind::Polygon | Kind::FlatBar | Kind::Rectangle);
        if planar { 2 } else { 3 }
    }

    /// Whether a pair is one of the even shapes and one of the odd ones.
    pub(crate) fn takes_turns(self) -> bool {
        matches!(self, Kind::BallBox | Kind::Bar | Kind::FlatBar)
    }
}

/// What shapes a family has.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Boxes.
    Box,
    /// Balls, capsules and boxes in turn.
    Mixed,
    /// Hulls of points on an ellipsoid whose radii differ by at most 1:2.
    Hull,
    /// Boxes with one or two axes a thousandth of the others.
    ThinBox,
    /// Hulls on ellipsoids with one or two axes a thousandth of the others.
    ThinHull,
    /// Polygons of points on an ellipse whose radii differ by at most 1:2.
    Polygon,
    /// Capsules.
    Capsule,
    /// Balls and boxes in turn; a pair is one of each.
    BallBox,
    /// Floors and bars in turn, as boxes; a pair is one of each.
    Bar,
    /// The same in the plane.
    FlatBar,
    /// Boxes in the plane.
    Rectangle,
}

/// One family: a file a regime.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Family {
    /// Begins the names of its files.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Of each hull or polygon.
    #[serde(default)]
    pub(crate) vertices: usize,
    pub(crate) shapes: usize,
    pub(crate) pairs: usize,
    pub(crate) seed: u64,
    pub(crate) regimes: Vec<Regime>,
    /// Whether the pairs are steps of one pair.
    #[serde(default)]
    pub(crate) track: bool,
}

/// A definitions file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definitions {
    /// What it measures, in words.
    analysis: String,
    family: Vec<Family>,
}

/// One workload file to be.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) family: Family,
    pub(crate) regime: Regime,
}

impl Definition {
    pub(crate) fn name(&self) -> String {
        format!("{}_{}", self.family.name, self.regime.name())
    }

    /// The operations that the harness asks of it.
    pub(crate) fn ops(&self) -> Vec<String> {
        let op = self.regime.op();
        if self.family.track {
            return vec![format!("track-{op}-cold"), format!("track-{op}-warm")];
        }
        match self.regime {
            Regime::Cast => return ["cast", "cast-bool"].map(str::to_owned).to_vec(),
            Regime::Gradient => return ["gradient", "dist"].map(str::to_owned).to_vec(),
            Regime::Ray | Regime::Toi | Regime::Swing | Regime::Rest | Regime::Pressed => {
                return vec![op.to_owned()];
            }
            _ => {}
        }
        ["bool", op]
            .iter()
            .flat_map(|op| [(*op).to_owned(), format!("{op}-batch")])
            .collect()
    }

    /// Changes when the file would.
    pub(crate) fn fingerprint(&self) -> u64 {
        fingerprint(&format!("{} {self:?}", crate::generate::VERSION))
    }
}

/// Reads every definitions file of a folder, in the order of names.
pub(crate) fn read_all(folder: &Path) -> Result<Vec<Definition>, String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))? {
        let path = entry.map_err(|why| why.to_string())?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            files.push(path);
        }
    }
    files.sort();
    let mut all: Vec<Definition> = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(&file).map_err(|why| format!("{}: {why}", file.display()))?;
        let read: Definitions =
            toml::from_str(&text).map_err(|why| format!("{}: {why}", file.display()))?;
        if read.analysis.trim().is_empty() {
            return Err(format!("{}: `analysis` says nothing", file.display()));
        }
        for family in read.family {
            let definitions = family.regimes.iter().map(|&regime| Definition {
                family: family.clone(),
                regime,
            });
            all.extend(definitions);
        }
    }
    Ok(all)
}

/// FNV-1a, 64 bits: the same on every machine and in every release.
pub(crate) fn fingerprint(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}
