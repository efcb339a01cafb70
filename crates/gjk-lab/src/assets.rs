//! The page's files, in the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path on the server, without the leading slash.
    pub path: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
}

/// What the page may load and do: itself, and nothing else. A content security policy, to which each way of serving it adds its
/// own needs.
pub const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                          base-uri 'none'; form-action 'none'";

macro_rules! assets {
    ($folder:literal: $($path:literal: $media:literal;)*) => {
        &[$(Asset { path: $path, media_type: $media, bytes: include_bytes!(concat!("../web/", $folder, $path)) }),*]
    };
}

/// All of them; the first is the page.
pub const ASSETS: &[Asset] = assets! { "":
    "index.html": "text/html; charset=utf-8";
    "style.css": "text/css; charset=utf-8";
    "docs.css": "text/css; charset=utf-8";
    "answer.js": "text/javascript; charset=utf-8";
    "app.js": "text/javascript; charset=utf-8";
    "client.js": "text/javascript; charset=utf-8";
    "legend.js": "text/javascript; charset=utf-8";
    "manifold.js": "text/javascript; charset=utf-8";
    "many_body.js": "text/javascript; charset=utf-8";
    "mesh_pair.js": "text/javascript; charset=utf-8";
    "motion.js": "text/javascript; charset=utf-8";
    "plane.js": "text/javascript; charset=utf-8";
    "request_queue.js": "text/javascript; charset=utf-8";
    "shapes.js": "text/javascript; charset=utf-8";
    "space.js": "text/javascript; charset=utf-8";
    "licences.txt": "text/plain; charset=utf-8";
    "vendor/three.js": "text/javascript; charset=utf-8";
    "vendor/three.LICENSE.txt": "text/plain; charset=utf-8";
};

/// What the page has besides and instead where it is served as plain files: its client leads to `scenes.json`, `pairs.wasm` and
/// `bodies.wasm`, which `cargo xtask site` makes, as it adds to `licences.txt`.
pub const SITE: &[Asset] = assets! { "site/":
    "client.js": "text/javascript; charset=utf-8";
    "wasm.js": "text/javascript; charset=utf-8";
    "worker.js": "text/javascript; charset=utf-8";
};
