//! `gjk lab`: what its server answers, and to whom.

use super::served::Lab;
use std::io::{Read, Write};
use std::net::TcpStream;

impl Lab {
    fn port(&self) -> u16 {
        self.address
            .trim_end_matches('/')
            .rsplit(':')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    }

    /// The head and the body of an answer.
    fn ask(&self, method: &str, path: &str, host: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    fn own(&self) -> String {
        format!("127.0.0.1:{}", self.port())
    }
}

#[test]
fn the_page_its_files_and_answers_are_served() {
    let server = Lab::start();
    let (head, page) = server.ask("GET", "/", &server.own(), "");
    assert!(
        head.starts_with("HTTP/1.1 200") && head.contains("default-src 'self'"),
        "{head}"
    );
    for file in page
        .split('"')
        .filter(|part| part.ends_with(".js") || part.ends_with(".css"))
    {
        let (head, body) = server.ask("GET", &format!("/{file}"), &server.own(), "");
        assert!(
            head.starts_with("HTTP/1.1 200") && !body.is_empty(),
            "{file}: {head}"
        );
    }
    let query = r#"{"ask":"query","query":{"dim":2,"a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1,"pose":{"translation":[2,0]}}}}"#;
    let (head, body) = server.ask("POST", "/respond", &server.own(), query);
    assert!(
        head.starts_with("HTTP/1.1 200") && body.contains(r#""verdict":"touching""#),
        "{head} {body}"
    );
    let (head, body) = server.ask("POST", "/respond", &server.own(), "tea");
    assert!(
        head.starts_with("HTTP/1.1 200") && body.contains("bad_request"),
        "{head} {body}"
    );
    let (head, _) = server.ask("GET", "/etc/passwd", &server.own(), "");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}

#[test]
fn the_pages_of_docs_are_served_with_the_headers_of_the_page() {
    let server = Lab::start();
    let (head, page) = server.ask("GET", "/docs/gjk.html", &server.own(), "");
    assert!(
        head.starts_with("HTTP/1.1 200") && page.contains(r#"<h2 id="two-bounds">"#),
        "{head}"
    );
    let head = head.to_lowercase();
    for expected in [
        "text/html; charset=utf-8",
        "default-src 'self'",
        "x-content-type-options: nosniff",
        "no-cache",
    ] {
        assert!(head.contains(expected), "{expected}: {head}");
    }
    let (head, _) = server.ask("GET", "/docs/nothing.html", &server.own(), "");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}

/// A page from elsewhere whose name leads to this machine is not answered.
#[test]
fn only_loopback_names_are_answered() {
    let server = Lab::start();
    for host in ["example.org", "127.0.0.1", "localhost:1"] {
        let (head, _) = server.ask("GET", "/", host, "");
        assert!(head.starts_with("HTTP/1.1 403"), "{host}: {head}");
    }
    let (head, _) = server.ask("GET", "/", &format!("localhost:{}", server.port()), "");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
}

#[test]
fn a_port_that_is_taken_is_told() {
    let server = Lab::start();
    let run = super::gjk(
        &["lab", "--no-open", "--port", &server.port().to_string()],
        "",
    );
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("is taken") && run.err.contains("--port 0"),
        "{}",
        run.err
    );
}
