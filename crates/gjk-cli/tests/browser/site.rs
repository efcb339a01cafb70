//! The lab without its server, as `cargo xtask site` writes it: from a folder of a host of plain files it says the same.
//!
//! Building it takes minutes and a compiler for WebAssembly, so the test takes what is built: `GJK_LAB_SITE` names the folder.

use crate::crowds;
use crate::driver::Browser;
use crate::{Lab, READY, open, say, show};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Where the files are on the host: nothing of them may count on being at its top.
const FOLDER: &str = "/some/where/";

/// A host that serves the files of a folder, until the tests end.
struct Site {
    address: String,
    /// What was asked of it.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Serves a folder, `.wasm` as this media type.
    fn serve(folder: PathBuf, wasm: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}{FOLDER}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (folder, asked) = (folder.clone(), Arc::clone(&kept));
                // A browser that left before its answer is no failure of the test.
                std::thread::spawn(move || answer(stream?, &folder, wasm, &asked));
            }
        });
        Self { address, asked }
    }

    /// Which of these files were asked for.
    fn fetched<'f>(&self, files: &[&'f str]) -> Vec<&'f str> {
        let asked = self.asked.lock().unwrap();
        files
            .iter()
            .copied()
            .filter(|file| asked.iter().any(|path| path.ends_with(file)))
            .collect()
    }
}

fn answer(
    stream: TcpStream,
    folder: &Path,
    wasm: &str,
    asked: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(&stream).lines();
    let line = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    for rest in lines {
        if rest?.is_empty() {
            break;
        }
    }
    let path = line
        .split(' ')
        .nth(1)
        .and_then(|path| path.strip_prefix(FOLDER))
        .filter(|_| line.starts_with("GET "));
    asked.lock().unwrap().extend(path.map(str::to_owned));
    let path = path.map(|path| folder.join(if path.is_empty() { "index.html" } else { path }));
    let found = path.and_then(|path| Some((std::fs::read(&path).ok()?, path)));
    let (status, media_type, bytes) = match found {
        Some((bytes, path)) => ("200 OK", media_type(&path, wasm), bytes),
        None => ("404 Not Found", "text/plain", line.into_bytes()),
    };
    let length = bytes.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    (&stream).write_all(&[head.as_bytes(), &bytes].concat())
}

fn media_type<'t>(path: &Path, wasm: &'t str) -> &'t str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        Some("wasm") => wasm,
        _ => "text/plain",
    }
}

/// The folder of the site, or a word that there is none.
fn folder(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("GJK_LAB_SITE").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        say(&format!(
            "SKIPPED {test}: no site; set GJK_LAB_SITE to the folder that `cargo xtask site` wrote\n"
        ));
    }
    folder.map(PathBuf::from)
}

/// What the client of the page that is shown says, times aside.
fn told(browser: &Browser, request: &Value) -> Value {
    let script = format!(
        "return import(new URL('client.js', location.href)).then(({{ ask }}) => ask({request})).then(JSON.stringify)"
    );
    let mut told: Value = serde_json::from_str(browser.run(&script).as_str().unwrap()).unwrap();
    if let Some(seconds) = told.pointer_mut("/asked/seconds") {
        *seconds = json!(0);
    }
    told
}

/// A request of every kind; of queries every scene's.
fn requests(lab: &Lab, browser: &Browser) -> Vec<Value> {
    browser.go(&lab.address);
    browser.wait(READY);
    let scenes = told(browser, &json!({"ask": "scenes"}));
    let query = |scene: &Value| {
        let mut request =
            json!({"ask": "query", "query": scene["query"], "algorithm": scene["algorithm"]});
        if let Some(direction) = scene.get("direction") {
            request["direction"] = direction.clone();
        }
        request
    };
    let mut requests: Vec<Value> = scenes["scenes"]
        .as_array()
        .unwrap()
        .iter()
        .map(query)
        .collect();
    assert!(requests.len() >= 20);
    let spaces: Vec<&Value> = requests
        .iter()
        .map(|request| &request["query"]["dim"])
        .collect();
    assert!(spaces.contains(&&json!(2)) && spaces.contains(&&json!(3)));
    for dim in [2, 3] {
        let begin = json!({"ask": "simulation", "dim": dim});
        let state = told(browser, &begin)["state"].clone();
        requests.extend([
            begin,
            json!({"ask": "simulation", "dim": dim, "state": state, "seconds": 0.016}),
        ]);
    }
    requests.extend([
        json!({"ask": "scenes"}),
        json!({"ask": "robot", "of": "example"}),
        json!({"ask": "arm", "query": {"id": "arm-passes", "dim": 2, "query": "arm"}, "edits": [{"edit": "prove"}], "time": 0.3}),
        json!({"ask": "query", "query": {"dim": 2, "a": {"shape": "ball", "radius": -1}, "b": {"shape": "ball"}}}),
    ]);
    requests
}

#[test]
fn the_site_says_what_the_server_says() {
    let test = "the_site_says_what_the_server_says";
    let Some(folder) = folder(test) else { return };
    let Some((lab, browser)) = open(test) else {
        return;
    };
    let requests = requests(&lab, &browser);
    let by_server: Vec<Value> = requests
        .iter()
        .map(|request| told(&browser, request))
        .collect();
    let site = Site::serve(folder, "application/wasm");
    browser.go(&site.address);
    browser.wait(READY);
    let start = Instant::now();
    for (request, by_server) in requests.iter().zip(&by_server) {
        assert_eq!(&told(&browser, request), by_server, "{request}");
    }
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
    // A scene of the plane and one of space, as they are shown.
    for dim in [2, 3] {
        let query = &requests
            .iter()
            .find(|request| request["query"]["dim"] == dim)
            .unwrap()["query"];
        let shown = [lab.address.as_str(), &site.address].map(|address| {
            show(address, &browser, query);
            let count = browser
                .run("return Number(document.getElementById('scrub').max)")
                .as_u64()
                .unwrap();
            let mut texts = vec![browser.text("verdict"), browser.text("floats")];
            for _ in 0..=count {
                texts.push(browser.text("step"));
                browser.click("#next");
            }
            assert_eq!(browser.complaints(), Vec::<String>::new());
            texts
        });
        assert_eq!(shown[0], shown[1]);
    }
}

/// Compiling while it loads needs the right media type, which not every host knows.
#[test]
fn a_host_that_does_not_know_the_media_type_serves_the_site() {
    let test = "a_host_that_does_not_know_the_media_type_serves_the_site";
    let Some(folder) = folder(test) else { return };
    let Some((_, browser)) = open(test) else {
        return;
    };
    let site = Site::serve(folder, "application/octet-stream");
    browser.go(&site.address);
    browser.wait(READY);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What a visitor waits for at first is the page and the program for pairs; the rest is fetched when it is asked for, and works.
#[test]
fn many_bodies_space_and_files_are_fetched_when_they_are_asked_for() {
    let test = "many_bodies_space_and_files_are_fetched_when_they_are_asked_for";
    let Some(folder) = folder(test) else { return };
    let Some((_, browser)) = open(test) else {
        return;
    };
    let site = Site::serve(folder, "application/wasm");
    browser.go(&site.address);
    browser.wait(READY);
    let later = ["bodies.wasm", "space.js", "vendor/three.js", "docs.css"];
    assert_eq!(
        site.fetched(&["pairs.wasm", "scenes.json"]),
        ["pairs.wasm", "scenes.json"]
    );
    assert_eq!(site.fetched(&later), [""; 0]);
    browser.click("[data-scene=face-face]");
    browser.wait("return document.getElementById('verdict').dataset.query === 'face-face'");
    assert_eq!(site.fetched(&later), ["space.js", "vendor/three.js"]);
    crowds::choose(&browser, "robot");
    assert_eq!(
        site.fetched(&later),
        ["bodies.wasm", "space.js", "vendor/three.js"]
    );
    browser.run("[...document.querySelectorAll('#crowd-pairs button')][0].click(); return 0");
    browser
        .wait("return document.getElementById('crowd').hidden && document.querySelector('#verdict strong') !== null");
    crowds::drop_file(&browser, "wedge.obj", crowds::WEDGE);
    browser.wait("return document.getElementById('about').textContent.includes('wedge: 4 vertices and 4 faces')");
    crowds::drop_file(&browser, "bad.obj", "v 0 0 zero\n");
    browser.wait("return document.getElementById('error').textContent.includes('bad.obj')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The licences of what is in the site are a file of it, which the pages lead to.
#[test]
fn the_licences_are_in_the_site() {
    let Some(folder) = folder("the_licences_are_in_the_site") else {
        return;
    };
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
    let licences = read("licences.txt");
    for part in [
        "three.js, MIT",
        "\nserde 1.",
        ": MIT OR Apache-2.0\n",
        "Permission is hereby granted",
        "Apache License",
    ] {
        assert!(licences.contains(part), "{part}");
    }
    assert!(read("index.html").contains("href=\"licences.txt\""));
    assert!(read("docs/gjk.html").contains("href=\"../licences.txt\""));
}
