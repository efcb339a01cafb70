//! Operations: what is asked (`Query`) and how the pairs hang together (`Mode`).

use std::{fmt, str::FromStr};

/// What is asked of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// Do they intersect?
    Bool,
    /// Distance, with witness points where the library has them.
    Dist,
    /// Depth and direction of an overlap.
    Pen,
    /// Do two surfaces share a point?
    Meet,
    /// The distance of two surfaces, with the points where the library has them.
    SurfaceDist,
    /// Are two surfaces as near as the file's `within`, or nearer?
    Within,
    /// Nothing of the pairs: a pass makes all shapes of the file.
    Build,
    /// When does a point that moves in a straight line, B's origin, meet A?
    Ray,
    /// When do bodies meet that move in straight lines?
    Cast,
    /// Do they?
    CastBool,
    /// When do bodies meet that move and turn?
    Toi,
    /// At which points do two bodies bear on each other?
    Manifold,
}

/// How the pairs of a file hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A call for each pair.
    Single,
    /// All pairs in one call.
    Batch,
    /// Steps of one pair, nothing kept between them.
    Cold,
    /// Steps of one pair, with what the library lets a caller keep; of surfaces each pair, with what was kept of it when it stood a
    /// little apart.
    Warm,
}

/// An operation such as `dist` or `track-pen-warm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    /// What is asked.
    pub query: Query,
    /// How the pairs hang together.
    pub mode: Mode,
}

impl Op {
    /// From its parts.
    pub const fn new(query: Query, mode: Mode) -> Self {
        Self { query, mode }
    }

    /// Are the pairs steps of one pair?
    pub const fn is_track(self) -> bool {
        matches!(self.mode, Mode::Cold | Mode::Warm) && !matches!(self.query, Query::SurfaceDist)
    }
}

impl FromStr for Op {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let (query, mode) = match name {
            "bool" => (Query::Bool, Mode::Single),
            "dist" => (Query::Dist, Mode::Single),
            "pen" => (Query::Pen, Mode::Single),
            "bool-batch" => (Query::Bool, Mode::Batch),
            "dist-batch" => (Query::Dist, Mode::Batch),
            "pen-batch" => (Query::Pen, Mode::Batch),
            "track-dist-cold" => (Query::Dist, Mode::Cold),
            "track-dist-warm" => (Query::Dist, Mode::Warm),
            "track-pen-cold" => (Query::Pen, Mode::Cold),
            "track-pen-warm" => (Query::Pen, Mode::Warm),
            "meet" => (Query::Meet, Mode::Single),
            "surface-dist" => (Query::SurfaceDist, Mode::Single),
            "surface-dist-warm" => (Query::SurfaceDist, Mode::Warm),
            "within" => (Query::Within, Mode::Single),
            "build" => (Query::Build, Mode::Single),
            "ray" => (Query::Ray, Mode::Single),
            "cast" => (Query::Cast, Mode::Single),
            "cast-bool" => (Query::CastBool, Mode::Single),
            "toi" => (Query::Toi, Mode::Single),
            "manifold" => (Query::Manifold, Mode::Single),
            "track-manifold-cold" => (Query::Manifold, Mode::Cold),
            "track-manifold-warm" => (Query::Manifold, Mode::Warm),
            _ => return Err(format!("unknown operation `{name}`")),
        };
        Ok(Self { query, mode })
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "bool",
            Self::Dist => "dist",
            Self::Pen => "pen",
            Self::Meet => "meet",
            Self::SurfaceDist => "surface-dist",
            Self::Within => "within",
            Self::Build => "build",
            Self::Ray => "ray",
            Self::Cast => "cast",
            Self::CastBool => "cast-bool",
            Self::Toi => "toi",
            Self::Manifold => "manifold",
        })
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let query = self.query;
        match self.mode {
            Mode::Single => write!(f, "{query}"),
            Mode::Batch => write!(f, "{query}-batch"),
            Mode::Cold => write!(f, "track-{query}-cold"),
            Mode::Warm if query == Query::SurfaceDist => write!(f, "{query}-warm"),
            Mode::Warm => write!(f, "track-{query}-warm"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let names = "bool dist pen bool-batch dist-batch pen-batch track-dist-cold track-dist-warm track-pen-cold \
                     track-pen-warm meet surface-dist surface-dist-warm within build ray cast cast-bool toi manifold track-manifold-cold \
                     track-manifold-warm";
        for name in names.split_whitespace() {
            assert_eq!(name.parse::<Op>().map(|op| op.to_string()), Ok(name.to_owned()));
        }
        assert!("track-bool-cold".parse::<Op>().is_err());
    }
}
