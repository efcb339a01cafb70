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

macro_rules! assets {
    ($($path:literal: $media:literal;)*) => {
        /// All of them; the first is the page.
        pub const ASSETS: &[Asset] = &[$(Asset {
            path: $path,
            media_type: $media,
            bytes: include_bytes!(concat!("../web/", $path)),
        }),*];
    };
}
assets! {
    "index.html": "text/html; charset=utf-8";
    "style.css": "text/css; charset=utf-8";
    "docs.css": "text/css; charset=utf-8";
    "app.js": "text/javascript; charset=utf-8";
    "crowd.js": "text/javascript; charset=utf-8";
    "door.js": "text/javascript; charset=utf-8";
    "legend.js": "text/javascript; charset=utf-8";
    "plane.js": "text/javascript; charset=utf-8";
    "space.js": "text/javascript; charset=utf-8";
    "vendor/three.js": "text/javascript; charset=utf-8";
    "vendor/three.LICENSE.txt": "text/plain; charset=utf-8";
}
