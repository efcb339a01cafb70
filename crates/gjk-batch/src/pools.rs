//! Pools of threads that are kept from call to call, for callers who say a number each time.

use crate::error::BatchError;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// By process and number: after a fork the child has the numbers of its parent's pools, and none of their threads.
static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;

/// The pool of that many threads of this process, made when first asked for; 0 for as many as there are processors.
///
/// # Errors  threads that could not be started.
pub fn kept(threads: usize) -> Result<Arc<ThreadPool>, BatchError> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_default();
    let key = (std::process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(pool.map_err(|error| BatchError::Threads(error.to_string()))?);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}
