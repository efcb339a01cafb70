//! Sorting by a vertex: what names a vertex is first counted, then in place, and only what names one vertex is compared.
//!
//! Where it sits: below `mesh.rs` and `shells.rs`, whose edges and triangles are many, and few at a vertex.

/// The items in order, of which the vertex comes first in the order: numbers below `vertices`. They are made twice, which is faster than to keep
/// them.
///
/// # Complexity  O(n), and what it takes to sort the items of each vertex.
pub(crate) fn sorted<T: Ord + Copy, I: Iterator<Item = T>>(
    items: impl Fn() -> I,
    vertices: usize,
    vertex: impl Fn(&T) -> u32,
) -> Vec<T> {
    let mut ends = vec![0usize; vertices + 1];
    items().for_each(|item| ends[vertex(&item) as usize + 1] += 1);
    for k in 0..vertices {
        ends[k + 1] += ends[k];
    }
    let Some(any) = items().next() else {
        return Vec::new();
    };
    // Each start moves to its end, which is the next one's start.
    let mut sorted = vec![any; ends[vertices]];
    items().for_each(|item| {
        let at = &mut ends[vertex(&item) as usize];
        sorted[*at] = item;
        *at += 1;
    });
    let mut start = 0;
    for &end in &ends[..vertices] {
        sorted[start..end].sort_unstable();
        start = end;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::sorted;

    #[test]
    fn it_is_the_order_of_a_sort() {
        let mut random = fastrand::Rng::with_seed(5);
        for count in [0, 1, 7, 300] {
            let item = |_| [(); 2].map(|()| random.u32(0..40));
            let items: Vec<[u32; 2]> = (0..count).map(item).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            assert_eq!(
                sorted(|| items.iter().copied(), 40, |item| item[0]),
                expected
            );
        }
    }
}
