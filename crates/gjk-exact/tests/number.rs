//! The stages of adaptive precision against the last, exact one, over random expressions and the shapes that geometry uses.
//!
//! `cargo test --release -p gjk-exact --test number -- --nocapture` prints decision rates and the closest ratios of
//! true error to bound; `--ignored` runs the timing of one orientation sign on each stage instead.
#![allow(clippy::print_stdout)]

#[path = "number/shapes.rs"]
mod shapes;
#[path = "number/timing.rs"]
mod timing;

use core::cmp::Ordering;
use dashu_int::IBig;
use gjk_exact::number::{
    CAPACITY, Double, Dyadic, Expansion, Filter, Number, common, in_range, two_product, two_sum,
};
use shapes::{
    FAMILIES, Points, Random, Shape, at_most, dyadic, float, known, magnitude, nonadjacent, points,
    ratio, shapes, sum_of, within,
};
use std::collections::BTreeMap;

#[derive(Default, Debug)]
struct Tally {
    cases: u32,
    filter: u32,
    double: u32,
    exact: u32,
    expansion: u32,
    zeros: u32,
    zeros_proven: u32,
    filter_ratio: f64,
    double_ratio: f64,
    longest: usize,
}

fn check(shape: &Shape, p: &Points, tally: &mut Tally) {
    let truth: Dyadic = shape.value(p);
    let sign = known(&truth);
    let filter: Filter = shape.value(p);
    let (inside, ratio) = within(&truth, &[filter.value()], filter.error());
    assert!(inside, "filter {filter:?} {shape:?} {p:?}");
    assert!(filter.sign().is_none_or(|s| s == sign), "{shape:?} {p:?}");
    tally.filter_ratio = tally.filter_ratio.max(ratio);

    let double: Double = shape.value(p);
    let (high, low) = double.value();
    let (inside, ratio) = within(&truth, &[high, low], double.error());
    assert!(inside, "double {double:?} {shape:?} {p:?}");
    assert!(double.sign().is_none_or(|s| s == sign), "{shape:?} {p:?}");
    assert_eq!(high + low, high);
    let (lower, upper) = double.interval();
    assert!(
        at_most(&dyadic(lower), &truth) && at_most(&truth, &dyadic(upper)),
        "{double:?}"
    );
    tally.double_ratio = tally.double_ratio.max(ratio);

    let expansion: Expansion = shape.value(p);
    if let Some(parts) = expansion.components() {
        assert_eq!(
            known(&sum_of(parts).minus(&truth)),
            Ordering::Equal,
            "{shape:?} {p:?}"
        );
        assert_eq!(known(&expansion), sign);
        assert!(
            parts.windows(2).all(|w| nonadjacent(w[0], w[1])),
            "{parts:?}"
        );
        assert_eq!(
            parts.iter().rev().take(2).sum::<f64>(),
            parts.last().copied().unwrap_or(0.0)
        );
        tally.expansion += 1;
        tally.longest = tally.longest.max(parts.len());
    } else {
        assert_eq!(expansion.sign(), None);
    }
    tally.cases += 1;
    tally.filter += u32::from(filter.sign().is_some());
    tally.double += u32::from(double.sign().is_some());
    tally.exact += u32::from(double.error() == 0.0);
    if sign == Ordering::Equal {
        tally.zeros += 1;
        tally.zeros_proven += u32::from(double.sign().is_some());
    }
}

fn survey() -> BTreeMap<(&'static str, &'static str), Tally> {
    let mut r = Random(1);
    let mut tallies = BTreeMap::new();
    for family in FAMILIES {
        for _ in 0..2500 {
            let p = points(family, &mut r);
            assert!(in_range(p.as_flattened().iter().copied()));
            for (name, shape) in shapes(&mut r) {
                check(&shape, &p, tallies.entry((family, name)).or_default());
            }
        }
    }
    tallies
}

#[test]
fn stages_agree_with_the_exact_one_and_decide_often_enough() {
    let tallies = survey();
    println!(
        "family        shape   filter  double   exact  expans. zeros/proven  ratio f, d  longest"
    );
    for ((family, name), t) in &tallies {
        let percent = |n: u32| 100.0 * f64::from(n) / f64::from(t.cases);
        println!(
            "{family:13} {name:7} {:6.2} {:7.2} {:7.2} {:7.2} {:6}/{:6}  {:.3} {:.3}  {}",
            percent(t.filter),
            percent(t.double),
            percent(t.exact),
            percent(t.expansion),
            t.zeros,
            t.zeros_proven,
            t.filter_ratio,
            t.double_ratio,
            t.longest
        );
    }
    let rate = |n: u32, t: &Tally| f64::from(n) / f64::from(t.cases);
    for ((family, name), t) in &tallies {
        if ["integers", "flat integers"].contains(family) {
            assert_eq!((t.exact, t.double), (t.cases, t.cases), "{family} {name}");
        }
        if ["doubles", "singles"].contains(family) && !name.starts_with("tree") {
            assert!(rate(t.filter, t) > 0.99, "{family} {name}");
        }
        if *family != "wild" {
            assert_eq!(t.expansion, t.cases, "{family} {name}");
        }
    }
    for name in ["minor", "det"] {
        for family in ["singles", "far singles", "flat singles"] {
            let t = &tallies[&(family, name)];
            assert!(rate(t.exact, t) > 0.98, "{family} {name} {t:?}");
        }
    }
    for name in ["edge", "normal"] {
        assert_eq!(
            tallies[&("flat singles", name)].exact,
            tallies[&("flat singles", name)].cases
        );
    }
    let flat = &tallies[&("flat singles", "det")];
    assert_eq!((flat.zeros, flat.zeros_proven), (flat.cases, flat.cases));
    let nearly = &tallies[&("nearly flat", "det")];
    assert!(rate(nearly.double, nearly) > 0.99 && rate(nearly.filter, nearly) < 0.5);
}

/// Where the filter's bound begins to decide: one of four coplanar points is moved by a few units in the last place.
#[test]
fn filter_decides_from_a_few_units_in_the_last_place_on() {
    let mut r = Random(2);
    for (steps, least) in [(3, 0.0), (16, 0.3), (256, 0.95), (4096, 0.99)] {
        let mut decided = 0;
        for _ in 0..2000 {
            let mut p = points("nearly flat", &mut r);
            p[4] = [0.0; 3];
            let k = r.below(3) as usize;
            p[3][k] += f64::EPSILON * steps as f64 * (if r.below(2) == 0 { 1.0 } else { -1.0 });
            decided += u32::from(Shape::Det.value::<Filter>(&p).sign().is_some());
        }
        println!(
            "off plane by {steps} * 2^-52: filter decides {:.3}",
            f64::from(decided) / 2000.0
        );
        assert!(f64::from(decided) / 2000.0 >= least);
    }
}

#[test]
fn integers_agree_with_an_independent_oracle() {
    #[derive(Clone)]
    struct Plain(i128);
    impl Number for Plain {
        fn difference(a: f64, b: f64) -> Self {
            Self(a as i128 - b as i128)
        }
        fn plus(&self, other: &Self) -> Self {
            Self(self.0 + other.0)
        }
        fn minus(&self, other: &Self) -> Self {
            Self(self.0 - other.0)
        }
        fn times(&self, other: &Self) -> Self {
            Self(self.0 * other.0)
        }
        fn negated(&self) -> Self {
            Self(-self.0)
        }
        fn sign(&self) -> Option<Ordering> {
            Some(self.0.cmp(&0))
        }
    }
    let mut r = Random(3);
    for round in 0..20_000 {
        let size = [5, 33, 4097, 1 << 20][round % 4];
        let p: Points = core::array::from_fn(|_| {
            core::array::from_fn(|_| r.below(size) as f64 - (size / 2) as f64)
        });
        for (_, shape) in shapes(&mut r) {
            let truth: Plain = shape.value(&p);
            let dyadic: Dyadic = shape.value(&p);
            assert_eq!(
                dyadic.mantissa() << dyadic.exponent() as usize,
                IBig::from(truth.0)
            );
            assert_eq!(known(&shape.value::<Expansion>(&p)), known(&truth));
        }
    }
}

/// Each rule of the filter's index is needed: with half the bound these cases fail.
#[test]
fn filter_bound_is_nearly_reached_by_each_rule() {
    let mut r = Random(4);
    let tiny = 2f64.powi(-53);
    let near_half = |r: &mut Random| tiny * (1.0 - 2f64.powi(-20) * r.unit().abs());
    let mut best = [0.0f64; 5];
    for _ in 0..20_000 {
        // Leaves just above 1 that lost nearly half a unit in the last place.
        let leaf_at = |i: u64, r: &mut Random| {
            let (a, b) = (1.0 + i as f64 * 2.0 * tiny, -near_half(r));
            (Filter::difference(a, b), Dyadic::difference(a, b))
        };
        let leaf = |r: &mut Random| {
            let i = r.below(100);
            leaf_at(i, r)
        };
        let (x, y) = (leaf(&mut r), leaf(&mut r));
        let middle = 1u64 << 25;
        let i = middle + r.below(middle);
        let (s, t) = (
            leaf_at(i, &mut r),
            leaf_at(((1u64 << 51) - r.below(1 << 20)) / i, &mut r),
        );
        let cases = [
            x.clone(),
            (x.0.plus(&y.0), x.1.plus(&y.1)),
            (x.0.minus(&y.0.negated()), x.1.minus(&y.1.negated())),
            (s.0.times(&t.0), s.1.times(&t.1)),
            {
                let (f, d) = (
                    (s.0.times(&t.0), x.0.times(&y.0)),
                    (s.1.times(&t.1), x.1.times(&y.1)),
                );
                (f.0.plus(&f.1), d.0.plus(&d.1))
            },
        ];
        for (best, (filter, truth)) in best.iter_mut().zip(&cases) {
            let (inside, ratio) = within(truth, &[filter.value()], filter.error());
            assert!(inside);
            *best = best.max(ratio);
        }
    }
    println!("filter: closest difference, plus, minus, times, sum of products: {best:.4?}");
    assert!(best[..4].iter().all(|x| *x > 0.9) && best[4] > 0.5);
}

/// Three floats of very different sizes do not fit a [`Double`], so this number carries an error.
fn inexact(r: &mut Random) -> (Double, Dyadic) {
    let parts: [f64; 3] = [
        2.0 + r.unit(),
        r.unit() * 2f64.powi(-60),
        r.unit() * 2f64.powi(-118),
    ];
    let add = |x: (Double, Dyadic), y: f64| {
        (
            x.0.plus(&Double::difference(y, 0.0)),
            x.1.plus(&Dyadic::difference(y, 0.0)),
        )
    };
    let start = (Double::from_f64(parts[0]), dyadic(parts[0]));
    add(add(start, parts[1]), parts[2])
}

#[test]
fn double_bound_is_nearly_reached_by_each_operation() {
    let mut r = Random(5);
    let mut best = [0.0f64; 5];
    let mut worst_error = [0.0f64; 2];
    for _ in 0..20_000 {
        let (x, y) = (inexact(&mut r), inexact(&mut r));
        let plain = (Double::from_f64(2.0 + r.unit()), ());
        let factor = dyadic(plain.0.value().0);
        let exact = |r: &mut Random| {
            let (a, b) = (2.0 + r.unit(), r.unit() * 2f64.powi(-55));
            (Double::difference(a, b), Dyadic::difference(a, b))
        };
        let (s, t) = (exact(&mut r), exact(&mut r));
        let cases = [
            x.clone(),
            (x.0.plus(&y.0), x.1.plus(&y.1)),
            (x.0.times(&plain.0), x.1.times(&factor)),
            (s.0.times(&t.0), s.1.times(&t.1)),
            (x.0.times(&y.0), x.1.times(&y.1)),
        ];
        for (best, (double, truth)) in best.iter_mut().zip(&cases) {
            let (high, low) = double.value();
            let (inside, ratio) = within(truth, &[high, low], double.error());
            assert!(inside);
            *best = best.max(ratio);
        }
        let relative = |x: &Double| x.error() / x.value().0.abs() * 2f64.powi(106);
        worst_error[0] = worst_error[0].max(relative(&s.0.plus(&t.0)));
        worst_error[1] = worst_error[1].max(relative(&s.0.times(&t.0)));
    }
    println!(
        "double: closest sum of three, plus, times exact, product, product of inexact: {best:.4?}"
    );
    println!("double: largest relative error of a sum and a product, in u^2: {worst_error:.3?}");
    assert!(best.iter().all(|x| *x > 0.9), "{best:?}");
    assert!(worst_error.iter().all(|x| *x < 4.0));
}

/// Remainders that only rare shapes leave, and parts that scaling has to drop: each must be recorded.
#[test]
fn double_records_what_it_drops_in_rare_places() {
    let power = |p: i32| Double::from_f64(2f64.powi(p));
    // The third part is absorbed by the second, the fourth is dropped.
    let sum = power(0)
        .plus(&power(-60))
        .plus(&power(-100).plus(&power(-160)));
    assert!(sum.error() >= 2f64.powi(-160) && sum.error() < 2f64.powi(-159));
    let far = power(0).plus(&power(-300));
    assert_eq!((far.value(), far.error()), ((1.0, 2f64.powi(-300)), 0.0));
    let Some(inverse) = far.quotient(&power(0)) else {
        panic!("nonzero divisor")
    };
    for x in [inverse, far.sqrt()] {
        assert!(x.error() > 2f64.powi(-300) && x.error() < 2f64.powi(-190));
    }
    // A quotient far below the smallest float.
    let Some(small) = power(-600).quotient(&power(600)) else {
        panic!("nonzero divisor")
    };
    assert!(small.error() > 0.0 && small.interval().1 > 0.0 && small.sign().is_none());
}

/// `interval` against the exact value and against being needlessly wide.
#[test]
fn intervals_are_tight() {
    let mut r = Random(6);
    for _ in 0..5_000 {
        let (x, truth) = inexact(&mut r);
        let (lower, upper) = x.interval();
        assert!(at_most(&dyadic(lower), &truth) && at_most(&truth, &dyadic(upper)));
        assert!(upper <= lower.next_up());
        let plain = r.unit();
        assert_eq!(Double::from_f64(plain).interval(), (plain, plain));
    }
    let infinite = Double::from_f64(1e300).times(&Double::from_f64(1e300));
    assert_eq!(infinite.sign(), None);
    let (lower, upper) = infinite.interval();
    assert!(lower <= f64::MAX && upper == f64::INFINITY);
}

/// `|n - q d| <= e d` says that `q` is within `e` of `n/d`; all exact.
#[test]
fn quotients_enclose_and_are_nearly_reached() {
    let mut r = Random(7);
    let (mut best, mut widest) = (0.0f64, 0.0f64);
    for round in 0..20_000 {
        let (mut n, mut d) = (inexact(&mut r), inexact(&mut r));
        if round % 2 == 0 {
            n = (Double::difference(1.0, r.unit()), n.1);
            n.1 = sum_of(&[n.0.value().0, n.0.value().1]);
        }
        if round % 3 == 0 {
            let far = r.exponent(if round % 2 == 0 { 1000 } else { 400 });
            d = (Double::from_f64(far), dyadic(far));
        }
        let Some(q) = n.0.quotient(&d.0) else {
            panic!("{d:?}")
        };
        let (high, low) = q.value();
        if !high.is_finite() || high.abs() < 1e-290 {
            continue;
        }
        let miss = magnitude(&n.1.minus(&sum_of(&[high, low]).times(&d.1)));
        let room = dyadic(q.error()).times(&magnitude(&d.1));
        assert!(at_most(&miss, &room), "{n:?} {d:?} {q:?}");
        if q.error() > 0.0 {
            best = best.max(ratio(&miss, &room));
        }
        widest = widest.max(q.error() / high.abs() * 2f64.powi(106));
    }
    println!("quotient: closest {best:.4}, largest relative error {widest:.2} u^2");
    assert!(best > 0.9 && widest < 8.0);
    let of = Double::from_f64;
    assert_eq!(
        of(6.0).quotient(&of(3.0)).map(|q| (q.value(), q.error())),
        Some(((2.0, 0.0), 0.0))
    );
    assert!(of(1.0).quotient(&of(0.0)).is_none());
    let (x, truth) = inexact(&mut r);
    let difference = x.minus(&of(x.value().0)).minus(&of(x.value().1));
    assert!(
        difference.error() > 0.0 && of(1.0).quotient(&difference).is_none(),
        "{truth:?}"
    );
}

#[test]
fn roots_enclose_and_are_nearly_reached() {
    let mut r = Random(8);
    let (mut best, mut widest) = (0.0f64, 0.0f64);
    for round in 0..20_000 {
        let mut x = inexact(&mut r);
        if round % 3 == 0 {
            let far = r.unit().abs() * r.exponent([4, 500, 1000][round % 9 / 3]);
            x = (Double::from_f64(far), dyadic(far));
        }
        let s = x.0.sqrt();
        let root = sum_of(&[s.value().0, s.value().1]);
        let (lower, upper) = (
            root.minus(&dyadic(s.error())),
            root.plus(&dyadic(s.error())),
        );
        assert!(
            known(&lower) == Ordering::Less || at_most(&lower.times(&lower), &x.1),
            "{x:?} {s:?}"
        );
        assert!(
            known(&upper) != Ordering::Less && at_most(&x.1, &upper.times(&upper)),
            "{x:?} {s:?}"
        );
        // |x - s²| = |√x - s| (√x + s), to first order.
        if s.error() > 0.0 {
            let miss = magnitude(&x.1.minus(&root.times(&root)));
            best = best.max(ratio(&miss, &root.plus(&root).times(&dyadic(s.error()))));
        }
        widest = widest.max(s.error() / s.value().0 * 2f64.powi(106));
    }
    println!("root: closest {best:.4}, largest relative error {widest:.2} u^2");
    assert!(best > 0.9 && widest < 8.0);
    let of = Double::from_f64;
    for (x, root) in [
        (0.0, 0.0),
        (-3.0, 0.0),
        (4.0, 2.0),
        (2.25, 1.5),
        (1e300 * 1e-300, 1.0),
    ] {
        assert_eq!(
            (of(x).sqrt().value(), of(x).sqrt().error()),
            ((root, 0.0), 0.0)
        );
    }
    // A number that is zero within its error: the answer spans zero and the root of the upper end.
    let (x, truth) = inexact(&mut r);
    let (high, low) = x.value();
    let rest = x.minus(&of(high)).minus(&of(low));
    let truth = truth.minus(&sum_of(&[high, low]));
    let s = rest.sqrt();
    let upper = sum_of(&[s.value().0, s.error()]);
    assert!(
        s.interval().0 <= 0.0
            && at_most(&truth, &upper.times(&upper))
            && s.error() < 2f64.powi(-50)
    );
}

#[test]
fn transformations_are_exact_to_the_end_of_the_range() {
    let mut r = Random(9);
    for _ in 0..20_000 {
        let (a, b) = (r.unit() * r.exponent(400), r.unit() * r.exponent(400));
        let (s, t) = two_sum(a, b);
        assert_eq!(
            known(&sum_of(&[s, t]).minus(&dyadic(a).plus(&dyadic(b)))),
            Ordering::Equal
        );
        let (p, q) = two_product(a, b);
        assert_eq!(
            known(&sum_of(&[p, q]).minus(&dyadic(a).times(&dyadic(b)))),
            Ordering::Equal
        );
    }
    // Degree 5 at both ends, with all 53 bits used at the lower end's grid.
    for corner in [
        2f64.powi(200).next_down(),
        (2f64.powi(53) - 1.0) * 2f64.powi(-200),
        2f64.powi(-200),
    ] {
        assert!(in_range([corner, -corner].into_iter()));
        let five = |n: &dyn Fn() -> Dyadic| (0..4).fold(n(), |x, _| x.times(&n()));
        let truth = five(&|| Dyadic::difference(corner, -corner));
        let (mut e, mut d) = (
            Expansion::difference(corner, -corner),
            Double::difference(corner, -corner),
        );
        let (e1, d1) = (e.clone(), d);
        for _ in 0..4 {
            (e, d) = (e.times(&e1), d.times(&d1));
        }
        let Some(parts) = e.components() else {
            panic!("poisoned")
        };
        assert_eq!(known(&sum_of(parts).minus(&truth)), Ordering::Equal);
        assert!(within(&truth, &[d.value().0, d.value().1], d.error()).0);
        assert_eq!(
            (e.sign(), d.sign()),
            (Some(Ordering::Greater), Some(Ordering::Greater))
        );
    }
}

#[test]
fn range_check_keeps_its_borders() {
    let ok = |x: f64| in_range([x].into_iter());
    let power = |p: i32| 2f64.powi(p);
    assert!(
        ok(0.0)
            && ok(-0.0)
            && ok(1.0)
            && ok(-power(200).next_down())
            && ok(power(-200))
            && ok(3.0 * power(-200))
    );
    assert!(
        ok(power(-148).next_up())
            && !ok(power(-149).next_up())
            && !ok(power(-201))
            && !ok(1.5 * power(-200))
    );
    assert!(
        !ok(power(200))
            && !ok(f64::NAN)
            && !ok(f64::INFINITY)
            && !ok(f64::NEG_INFINITY)
            && !ok(5e-324)
    );
    assert!(!in_range([1.0, f64::NAN].into_iter()) && in_range([].into_iter()));
}

#[test]
fn out_of_range_numbers_answer_no_sign() {
    fn huge<N: Number>() -> N {
        let x = N::difference(1e300, -1e300);
        x.times(&x).minus(&x.times(&x))
    }
    assert_eq!(huge::<Filter>().sign(), None);
    assert_eq!(huge::<Double>().sign(), None);
    assert_eq!(huge::<Expansion>().sign(), None);
    assert_eq!(huge::<Dyadic>().sign(), Some(Ordering::Equal));
    // One component more than the capacity: 53 bits each, at steps of 60.
    let mut sum = Expansion::difference(0.0, 0.0);
    for k in 0..=CAPACITY as i32 {
        assert_eq!(sum.components().map(<[f64]>::len), Some(k as usize));
        assert!(sum.sign().is_some());
        sum = sum.plus(&Expansion::difference(
            2f64.powi(60 * k - 1000) * (1.0 + f64::EPSILON),
            0.0,
        ));
    }
    assert!(sum.components().is_none() && sum.sign().is_none());
    let zero = Expansion::difference(1.0, 1.0);
    assert_eq!(
        (
            sum.times(&zero).sign(),
            zero.minus(&sum).sign(),
            sum.negated().sign()
        ),
        (None, None, None)
    );
}

#[test]
fn dyadics_have_no_range_and_share_exponents() {
    let (large, small) = (f64::MAX, f64::from_bits(1));
    let x = Dyadic::difference(large, -large).times(&Dyadic::difference(small, large));
    assert_eq!(known(&x), Ordering::Less);
    assert_eq!(known(&Dyadic::difference(large, large)), Ordering::Equal);
    assert_eq!(float(&Dyadic::difference(large, small)), large);
    let (a, b, zero) = (
        Dyadic::difference(0.5, 0.0),
        Dyadic::difference(-6.0, 0.0),
        Dyadic::difference(1.0, 1.0),
    );
    let b = b.times(&Dyadic::difference(0.75, 0.25)).minus(&zero);
    assert_eq!(common([&a, &zero, &b]), [1, 0, -6].map(IBig::from));
    assert_eq!(common([&zero, &zero, &zero]), [0, 0, 0].map(IBig::from));
    let four = Dyadic::difference(1.0, -1.0)
        .times(&Dyadic::difference(1.0, -1.0))
        .plus(&zero);
    assert_eq!(
        common([&four, &b.plus(&b), &four.plus(&four)]),
        [2, -3, 4].map(IBig::from)
    );
}
