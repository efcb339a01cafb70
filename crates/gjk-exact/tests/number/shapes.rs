//! Input families, expressions in them, and exact comparisons, for the tests of the number types.
#![allow(unreachable_pub, missing_docs)]

use core::cmp::Ordering;
use dashu_int::ops::{Abs, BitTest};
use gjk_exact::number::{Dyadic, Number, in_range};

/// A fixed linear congruential generator.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let x = self.0;
        (x ^ (x >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8
    }
    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 3) % n
    }
    /// Uniform in `[-1, 1)`, 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 3) as f64 / (1u64 << 52) as f64 - 1.0
    }
    pub fn exponent(&mut self, size: i32) -> f64 {
        2f64.powi(self.below(2 * size as u64 + 1) as i32 - size)
    }
}

pub type Points = [[f64; 3]; 5];

pub const FAMILIES: [&str; 9] = [
    "integers",
    "doubles",
    "singles",
    "far singles",
    "nearly flat",
    "mixed",
    "wild",
    "flat integers",
    "flat singles",
];

pub fn points(family: &str, r: &mut Random) -> Points {
    let mut fill = |f: &mut dyn FnMut(&mut Random) -> f64| -> Points {
        core::array::from_fn(|_| core::array::from_fn(|_| f(r)))
    };
    let flatten = |mut p: Points, i: f64, j: f64| {
        p[3] =
            core::array::from_fn(|k| p[0][k] + i * (p[1][k] - p[0][k]) + j * (p[2][k] - p[0][k]));
        p
    };
    match family {
        "integers" => fill(&mut |r| r.below(33) as f64 - 16.0),
        "doubles" => fill(&mut |r| r.unit()),
        "singles" => fill(&mut |r| f64::from(r.unit() as f32)),
        "far singles" => fill(&mut |r| f64::from((1e4 + r.unit()) as f32)),
        "nearly flat" => {
            let p = fill(&mut |r| r.unit());
            let (i, j) = (r.unit(), r.unit());
            flatten(p, i, j)
        }
        "mixed" => fill(&mut |r| r.unit() * r.exponent(20)),
        "wild" => fill(&mut |r| {
            let x = r.unit() * r.exponent(140);
            if in_range([x].into_iter()) { x } else { 0.0 }
        }),
        "flat integers" => {
            let p = fill(&mut |r| r.below(33) as f64 - 16.0);
            let (i, j) = (r.below(9) as f64 - 4.0, r.below(9) as f64 - 4.0);
            flatten(p, i, j)
        }
        // 18 bits each, so that the combination keeps to 24.
        "flat singles" => {
            let p = fill(&mut |r| (r.unit() * 131072.0).trunc() / 1048576.0);
            let (i, j) = (r.below(9) as f64 - 4.0, r.below(9) as f64 - 4.0);
            flatten(p, i, j)
        }
        _ => unreachable!(),
    }
}

pub type Vector<N> = [N; 3];

pub fn to<N: Number>(p: &[f64; 3], q: &[f64; 3]) -> Vector<N> {
    core::array::from_fn(|k| N::difference(p[k], q[k]))
}
pub fn dot<N: Number>(a: &Vector<N>, b: &Vector<N>) -> N {
    a[0].times(&b[0])
        .plus(&a[1].times(&b[1]))
        .plus(&a[2].times(&b[2]))
}
pub fn cross<N: Number>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    let minor = |i: usize, j: usize| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// The shapes: all are zero or nearly so when the first four points are coplanar, but "edge".
#[derive(Clone, Debug)]
pub enum Shape {
    Minor,
    Det,
    Edge,
    Normal,
    Tree(Tree),
}

#[derive(Clone, Debug)]
pub enum Tree {
    Leaf(usize, usize),
    Negated(Box<Tree>),
    Plus(Box<Tree>, Box<Tree>),
    Minus(Box<Tree>, Box<Tree>),
    Times(Box<Tree>, Box<Tree>),
}

/// A random expression of exactly this degree, with up to `budget` sums along each path.
pub fn tree(r: &mut Random, degree: usize, budget: usize) -> Tree {
    if budget > 0 && r.below(3) > 0 {
        let (a, b) = (tree(r, degree, budget - 1), tree(r, degree, budget - 1));
        return match r.below(5) {
            0 => Tree::Negated(a.into()),
            1 | 2 => Tree::Plus(a.into(), b.into()),
            _ => Tree::Minus(a.into(), b.into()),
        };
    }
    if degree == 1 {
        return Tree::Leaf(r.below(15) as usize, r.below(15) as usize);
    }
    let left = 1 + r.below(degree as u64 - 1) as usize;
    Tree::Times(
        tree(r, left, budget / 2).into(),
        tree(r, degree - left, budget / 2).into(),
    )
}

impl Tree {
    fn value<N: Number>(&self, p: &[f64]) -> N {
        match self {
            Tree::Leaf(i, j) => N::difference(p[*i], p[*j]),
            Tree::Negated(a) => a.value::<N>(p).negated(),
            Tree::Plus(a, b) => a.value::<N>(p).plus(&b.value(p)),
            Tree::Minus(a, b) => a.value::<N>(p).minus(&b.value(p)),
            Tree::Times(a, b) => a.value::<N>(p).times(&b.value(p)),
        }
    }
}

impl Shape {
    pub fn value<N: Number>(&self, p: &Points) -> N {
        let [a, b, c]: [Vector<N>; 3] = core::array::from_fn(|i| to(&p[i], &p[3]));
        match self {
            Shape::Minor => cross(&a, &b)[0].clone(),
            Shape::Det => dot(&a, &cross(&b, &c)),
            Shape::Edge => {
                let ab: Vector<N> = to(&p[1], &p[0]);
                let (square, along) = (dot(&ab, &ab), dot(&a, &ab));
                let foot: Vector<N> =
                    core::array::from_fn(|k| a[k].times(&square).minus(&ab[k].times(&along)));
                dot(&foot, &to(&p[4], &p[0]))
            }
            Shape::Normal => {
                let n = cross(&to(&p[1], &p[0]), &to(&p[2], &p[0]));
                dot(&n, &cross(&a, &to(&p[4], &p[3])))
            }
            Shape::Tree(tree) => tree.value(p.as_flattened()),
        }
    }
}

pub fn shapes(r: &mut Random) -> Vec<(&'static str, Shape)> {
    let mut shapes = vec![
        ("minor", Shape::Minor),
        ("det", Shape::Det),
        ("edge", Shape::Edge),
        ("normal", Shape::Normal),
    ];
    for (name, degree) in [("tree 2", 2), ("tree 3", 3), ("tree 4", 4), ("tree 5", 5)] {
        shapes.push((name, Shape::Tree(tree(r, degree, 3))));
    }
    shapes
}

pub fn dyadic(x: f64) -> Dyadic {
    assert!(x.is_finite());
    Dyadic::difference(x, 0.0)
}
pub fn sum_of(parts: &[f64]) -> Dyadic {
    parts
        .iter()
        .fold(dyadic(0.0), |sum, x| sum.plus(&dyadic(*x)))
}
pub fn known(x: &impl Number) -> Ordering {
    x.sign().expect("exact")
}
pub fn magnitude(x: &Dyadic) -> Dyadic {
    if known(x) == Ordering::Less {
        x.negated()
    } else {
        x.clone()
    }
}
pub fn at_most(a: &Dyadic, b: &Dyadic) -> bool {
    known(&a.minus(b)) != Ordering::Greater
}
/// The nearest float or one beside it.
pub fn float(x: &Dyadic) -> f64 {
    let bits = x.mantissa().clone().abs().bit_len();
    let shift = bits.saturating_sub(64);
    (x.mantissa().clone() >> shift).to_f64().value()
        * 2f64.powi((x.exponent() + shift as i64) as i32)
}
/// `a / b` as a float, whatever their sizes.
pub fn ratio(a: &Dyadic, b: &Dyadic) -> f64 {
    let near = |x: &Dyadic| {
        let shift = x.mantissa().clone().abs().bit_len() as i64 + x.exponent();
        (
            float(
                &Dyadic::difference(2f64.powi(-(shift / 2) as i32), 0.0)
                    .times(x)
                    .times(&dyadic(2f64.powi((shift / 2 - shift) as i32))),
            ),
            shift,
        )
    };
    let ((a, a_shift), (b, b_shift)) = (near(a), near(b));
    if a == 0.0 {
        0.0
    } else {
        a / b * 2f64.powi((a_shift - b_shift) as i32)
    }
}
/// Nonzero, and even twice the smaller part does not reach the lowest bit of the larger.
pub fn nonadjacent(small: f64, large: f64) -> bool {
    let lowest = 2f64.powi(gjk_exact::integer::decompose(large).1);
    small != 0.0 && 2.0 * small.abs() < lowest
}
/// True when the sum of `parts` is within `error` of `exact`; answers also how much of the bound was used.
pub fn within(exact: &Dyadic, parts: &[f64], error: f64) -> (bool, f64) {
    let miss = magnitude(&exact.minus(&sum_of(parts)));
    let ratio = if error > 0.0 {
        ratio(&miss, &dyadic(error))
    } else {
        0.0
    };
    (at_most(&miss, &dyadic(error)), ratio)
}
