//! A browser, driven by the WebDriver protocol: as much of it as these tests need.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const DRIVER: &str = "/usr/bin/chromedriver";
const BROWSER: &str = "/usr/bin/chromium";
/// An element in the protocol's words.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// What the page may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// One browser window.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// A driver that is told to take any port may end at once, as where another program takes it between: it is started again, so many times at most.
const STARTS_MAX: usize = 5;

/// A driver and its port; `None` where it ended at once.
fn started() -> Option<(Child, u16)> {
    let mut driver = Command::new(DRIVER)
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = lines.find_map(|line| {
        let line = line.unwrap();
        let (_, port) = line.split_once("successfully on port ")?;
        Some(port.trim_end_matches('.').parse().unwrap())
    });
    // Its other words are nobody's, but it must be able to say them.
    std::thread::spawn(move || lines.for_each(drop));
    if port.is_none() {
        driver.wait().unwrap();
    }
    Some((driver, port?))
}

/// Whether there is a browser to drive.
pub(crate) fn is_here() -> bool {
    Path::new(DRIVER).exists() && Path::new(BROWSER).exists()
}

impl Browser {
    /// A window of this size.
    pub(crate) fn open(width: u32, height: u32) -> Self {
        let (driver, port) = (0..STARTS_MAX).find_map(|_| started()).unwrap();
        let mut browser = Self {
            driver,
            port,
            session: String::new(),
        };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            // WebGL in software: browsers of today fall back to it only where they are told.
            "--enable-unsafe-swiftshader",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &format!("--window-size={width},{height}"),
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": BROWSER, "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let made = browser.ask("POST", "", Some(&wanted));
        browser.session = made["sessionId"].as_str().unwrap().to_owned();
        browser
    }

    /// Makes the window a phone's.
    pub(crate) fn phone(&self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 2, "mobile": true});
        self.protocol("Emulation.setDeviceMetricsOverride", &size);
        self.protocol(
            "Emulation.setTouchEmulationEnabled",
            &json!({"enabled": true}),
        );
    }

    /// Makes the system's colours dark.
    pub(crate) fn dark(&self) {
        let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
        self.protocol("Emulation.setEmulatedMedia", &dark);
    }

    /// Runs a script before those of each page that is opened from now on.
    pub(crate) fn before_pages(&self, script: &str) {
        let source = json!({"source": script});
        self.protocol("Page.addScriptToEvaluateOnNewDocument", &source);
    }

    /// What only this browser's own protocol can say.
    fn protocol(&self, command: &str, parameters: &Value) {
        let body = json!({"cmd": command, "params": parameters});
        self.ask("POST", "goog/cdp/execute", Some(&body));
    }

    /// Goes to an address.
    pub(crate) fn go(&self, address: &str) {
        self.ask("POST", "url", Some(&json!({ "url": address })));
    }

    /// Runs a script that returns something.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.ask(
            "POST",
            "execute/sync",
            Some(&json!({"script": script, "args": []})),
        )
    }

    /// Waits until a script returns true.
    pub(crate) fn wait(&self, script: &str) {
        let start = Instant::now();
        while self.run(script) != json!(true) {
            assert!(
                start.elapsed() < PATIENCE,
                "waited in vain for: {script}; the page says: {}",
                self.text("error")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The text of the element of an id.
    pub(crate) fn text(&self, id: &str) -> String {
        self.run(&format!(
            "return document.getElementById('{id}')?.textContent"
        ))
        .as_str()
        .unwrap_or_default()
        .to_owned()
    }

    /// Clicks on what a selector names.
    pub(crate) fn click(&self, selector: &str) {
        let found = self.ask(
            "POST",
            "element",
            Some(&json!({"using": "css selector", "value": selector})),
        );
        let id = found[ELEMENT]
            .as_str()
            .unwrap_or_else(|| panic!("{selector}: {found}"));
        self.ask("POST", &format!("element/{id}/click"), Some(&json!({})));
    }

    /// Drags the mouse from one place of the window to another.
    pub(crate) fn drag(&self, from: [i64; 2], to: [i64; 2]) {
        let at = |[x, y]: [i64; 2], duration: u64| json!({"type": "pointerMove", "duration": duration, "x": x, "y": y, "origin": "viewport"});
        let actions = json!([at(from, 0), {"type": "pointerDown", "button": 0}, at(to, 200), {"type": "pointerUp", "button": 0}]);
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions});
        self.ask("POST", "actions", Some(&json!({ "actions": [mouse] })));
    }

    /// Presses a key.
    pub(crate) fn press(&self, key: &str) {
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.ask(
            "POST",
            "actions",
            Some(&json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]})),
        );
    }

    /// A picture of the window, as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        STANDARD
            .decode(self.ask("GET", "screenshot", None).as_str().unwrap())
            .unwrap()
    }

    /// What went wrong on the page since the last look.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.ask("POST", "se/log", Some(&json!({"type": "browser"})));
        let severe = |entry: &&Value| entry["level"] == "SEVERE";
        log.as_array()
            .unwrap()
            .iter()
            .filter(severe)
            .map(Value::to_string)
            .collect()
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let body = body.map_or_else(String::new, Value::to_string);
        let path = match (self.session.as_str(), path) {
            ("", _) => "/session".to_owned(),
            (session, "") => format!("/session/{session}"),
            (session, path) => format!("/session/{session}/{path}"),
        };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let (port, length) = (self.port, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
        stream.set_read_timeout(Some(3 * PATIENCE)).unwrap();
        // The driver keeps its connections open: the answer is as long as it says.
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().unwrap()
                }
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut text = vec![0; length];
        answer.read_exact(&mut text).unwrap();
        let found: Value =
            serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(found["value"].get("error").is_none(), "{path}: {found}");
        found["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.ask("DELETE", "", None);
        }
        // It ends with the test whatever these say.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
