//! Shapes that several threads add to and ask, for callers that hold them by a handle.

use super::shapes::Shapes;
use gjk::Vector;
use gjk::shape::Shape;
use std::sync::{Arc, Mutex, MutexGuard};

/// Shapes to which is added while batches run. A batch has them as they were when it began: nobody waits for it to add a shape.
#[derive(Debug, Default)]
pub struct SharedShapes<V: Vector> {
    shapes: Mutex<Arc<Shapes<V>>>,
}

impl<V: Vector> SharedShapes<V> {
    /// None.
    pub fn new() -> Self {
        Self {
            shapes: Mutex::new(Arc::new(Shapes::new())),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Shapes<V>>> {
        let lock = self.shapes.lock();
        lock.expect("shapes that no panic left half added")
    }

    /// The shapes as they are now.
    pub fn read(&self) -> Arc<Shapes<V>> {
        Arc::clone(&self.lock())
    }

    /// Adds a shape and returns its index.
    ///
    /// # Complexity  that of [`Shapes::push`]; O(shapes) while a batch has them.
    pub fn push(&self, shape: impl Into<Shape<V>>) -> u32 {
        let shape = shape.into();
        Arc::make_mut(&mut self.lock()).push(shape)
    }
}
