//! `gjk lab`: the lab in the browser, served from this program to this machine alone.
//!
//! Idea: the page's files are in the program, and every question of the page is one call of [`gjk_lab::respond`]. The server
//! listens on the loopback address only, and answers only requests that were addressed to it by that name: a page from elsewhere
//! that had its name resolved to this machine gets nothing.

use super::scene::{self, package};
use crate::exit::ExitStatus;
use crate::printer::Printer;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use gjk_lab::{ASSETS, Environment, MeshPair, POLICY, Page, RobotScene};
use gjk_scene::{SceneError, load_mesh};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Instant;
use tokio::net::TcpListener;

const EXAMPLES: &str = "\
Examples:
  gjk lab                       opens the lab in the browser
  gjk lab --no-open --port 8080 only serves it; the address is printed
  gjk lab robot.urdf            a robot with sliders for its joints, or any scene of `gjk check`
  gjk lab a.obj b.stl           two meshes: their relation, and how it was found
  gjk trace pairs.jsonl --lab   one query of a file

The server listens on 127.0.0.1 only. Ctrl-C ends it.

Exit codes:
  0  ended    2  bad input, or the port is taken    3  a bug in gjk: please report it";

/// A request longer than this is no query that the page draws.
const BODY_MAX: usize = 16 << 20;

const HTML: &str = "text/html; charset=utf-8";

/// The pages of docs/.
static PAGES: LazyLock<Vec<Page>> = LazyLock::new(gjk_lab::pages);

/// Since it was first asked.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Options of `gjk lab`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct LabArgs {
    /// A URDF, a mesh, a folder of meshes, or a scene file (JSON, TOML), to look at.
    scene: Option<PathBuf>,

    /// A second mesh: the lab shows the relation of both meshes as they are.
    #[arg(value_name = "MESH", conflicts_with_all = ["srdf", "package"])]
    other: Option<PathBuf>,

    /// An SRDF file: the pairs that its `disable_collisions` name are skipped.
    #[arg(long, value_name = "FILE", requires = "scene")]
    srdf: Option<PathBuf>,

    /// Where `package://NAME/…` is: NAME=DIR.
    #[arg(long, value_name = "NAME=DIR", value_parser = package, requires = "scene")]
    package: Vec<(String, PathBuf)>,

    /// The port; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 4653)]
    port: u16,

    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
}

/// What to serve.
pub struct Serving {
    /// The port; 0 is any that is free.
    pub port: u16,
    /// Whether to open the browser.
    pub opens: bool,
    /// What the address says to show.
    pub fragment: String,
    /// The bodies of the file that was given.
    pub robot: Option<Arc<RobotScene>>,
    /// The two meshes that were given.
    pub meshes: Option<Arc<MeshPair>>,
}

/// Serves the lab until Ctrl-C.
pub fn run(args: &LabArgs, printer: &mut Printer) -> ExitStatus {
    let given = match (args.scene.as_deref(), args.other.as_deref()) {
        (Some(a), Some(b)) => meshes([a, b], printer).map(|pair| (None, Some(pair))),
        (Some(path), None) => read(path, args, printer).map(|robot| (Some(robot), None)),
        _ => Ok((None, None)),
    };
    let (robot, meshes) = match given {
        Ok(given) => given,
        Err(error) => {
            printer.scene_error(&error);
            return ExitStatus::BadInput;
        }
    };
    let fragment = match (&robot, &meshes) {
        (Some(_), _) => encoded(&json!({"crowd": "file"})),
        (_, Some(_)) => encoded(&json!({"meshes": "files"})),
        _ => String::new(),
    };
    serve(
        Serving {
            port: args.port,
            opens: !args.no_open,
            fragment,
            robot: robot.map(Arc::new),
            meshes: meshes.map(Arc::new),
        },
        printer,
    )
}

fn meshes(paths: [&Path; 2], printer: &mut Printer) -> Result<MeshPair, SceneError> {
    let [a, b] = paths.map(load_mesh);
    let meshes = [a?, b?];
    let warnings = meshes.iter().flat_map(|mesh| &mesh.warnings);
    warnings.for_each(|warning| printer.warning(warning));
    MeshPair::new(meshes)
}

fn read(path: &Path, args: &LabArgs, printer: &mut Printer) -> Result<RobotScene, SceneError> {
    let (scene, srdf) = scene::read(Some(path), args.srdf.as_deref(), &args.package, printer)?;
    RobotScene::new(scene, srdf.as_ref()).map_err(|error| error.with_file(path))
}

/// What the page keeps in its address, as it writes it.
pub fn encoded(shown: &Value) -> String {
    shown
        .to_string()
        .bytes()
        .fold(String::from("#"), |mut text, byte| {
            if byte.is_ascii_alphanumeric() {
                text.push(char::from(byte));
            } else {
                // Writing to a string does not fail.
                let _ = write!(text, "%{byte:02x}");
            }
            text
        })
}

/// Serves until Ctrl-C.
pub fn serve(serving: Serving, printer: &mut Printer) -> ExitStatus {
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            printer.error(format!("the server cannot start: {error}"));
            return ExitStatus::BadInput;
        }
    };
    match runtime.block_on(listen(serving, printer)) {
        Ok(()) => ExitStatus::Success,
        Err(error) => {
            printer.error(error);
            ExitStatus::BadInput
        }
    }
}

async fn listen(serving: Serving, printer: &mut Printer) -> Result<(), String> {
    let Serving {
        port,
        opens,
        fragment,
        robot,
        meshes,
    } = serving;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(|error| refused(port, &error))?;
    let port = listener
        .local_addr()
        .map_err(|error| error.to_string())?
        .port();
    let address = format!("http://127.0.0.1:{port}/{fragment}");
    printer.line(format!("The lab is at {address}"));
    printer.note("Ctrl-C ends it.");
    printer.flush();
    if opens && open::that_detached(&address).is_err() {
        printer.note(format!("no browser was found: open {address} in one"));
    }
    axum::serve(listener, router(port, Given { robot, meshes }))
        .await
        .map_err(|error| error.to_string())
}

fn refused(port: u16, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("port {port} is taken: end what uses it, or say `--port 0` for any other")
        }
        _ => format!("port {port}: {error}"),
    }
}

/// What the lab was opened with.
#[derive(Clone)]
struct Given {
    robot: Option<Arc<RobotScene>>,
    meshes: Option<Arc<MeshPair>>,
}

fn router(port: u16, given: Given) -> Router {
    let mut router =
        Router::new().route("/respond", post(move |body| respond(body, given.clone())));
    for (k, asset) in ASSETS.iter().enumerate() {
        let served = get(move || file(asset.media_type, asset.bytes));
        if k == 0 {
            router = router.route("/", served.clone());
        }
        router = router.route(&format!("/{}", asset.path), served);
    }
    for page in PAGES.iter() {
        router = router.route(
            &format!("/{}", page.path),
            get(move || file(HTML, page.html.as_bytes())),
        );
    }
    router
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            own_name(port, request, next)
        }))
}

async fn file(media_type: &'static str, bytes: &'static [u8]) -> Response {
    let policy = format!("{POLICY}; frame-ancestors 'none'");
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, &policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, bytes).into_response()
}

async fn respond(body: Bytes, given: Given) -> Response {
    let Ok(request) = String::from_utf8(body.to_vec()) else {
        return (StatusCode::BAD_REQUEST, "expected JSON in UTF-8").into_response();
    };
    // A long query must not keep the page's files waiting.
    let answer = move || {
        gjk_lab::respond(
            &request,
            &Environment {
                clock: seconds,
                robot: given.robot.as_deref(),
                meshes: given.meshes.as_deref(),
            },
        )
    };
    match tokio::task::spawn_blocking(answer).await {
        Ok(response) => ([(header::CONTENT_TYPE, "application/json")], response).into_response(),
        Err(_) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            "a bug in gjk: please report what was asked",
        )
            .into_response(),
    }
}

/// Lets through what was addressed to this server by a loopback name.
async fn own_name(port: u16, request: Request, next: Next) -> Response {
    if is_own(request.headers(), port) {
        next.run(request).await
    } else {
        (
            StatusCode::FORBIDDEN,
            "this server answers to 127.0.0.1 and localhost only",
        )
            .into_response()
    }
}

fn is_own(headers: &HeaderMap, port: u16) -> bool {
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok());
    host.is_some_and(|host| {
        [format!("127.0.0.1:{port}"), format!("localhost:{port}")]
            .iter()
            .any(|own| own == host)
    })
}
