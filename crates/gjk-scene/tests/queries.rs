//! Query lines: what is read, what is written back, and what each mistake says and where.

use gjk_scene::{
    Axis, BodySpec, PoseSpec, QueryError, QueryErrorKind, QueryKind, QueryLine, QuerySpec,
    RotationSpec, ScalarKind, ShapeSpec, VerdictSpec, read_query_line,
};

fn line(text: &str) -> QueryLine {
    read_query_line(text.as_bytes(), 7).expect("a line that is not blank")
}

fn query(text: &str) -> QuerySpec {
    line(text).query.unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> (&'static str, String, String) {
    let QueryError { kind, at, message } = line(text).query.expect_err(text);
    (kind.as_str(), at, message)
}

/// A 3D query whose body `a` is given.
fn with_a(a: &str) -> String {
    format!(r#"{{"a":{a},"b":{{"shape":"ball","radius":1}}}}"#)
}

#[test]
fn the_example_of_the_format_is_read() {
    let query = query(
        r#"{"id":"plate-on-plate","dim":3,"scalar":"f32","query":"penetration",
        "a":{"shape":"box","half_extents":[1,1,0.01]},
        "b":{"shape":"convex","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"pose":{"translation":[0,0,0.01],"rotation":[0,0,0,1]}},
        "options":{"tolerance_relative":1e-9,"iterations_max":64,"certificate":true,"trace":false},
        "note":"why","source":"where","expect":{"verdict":["touching","undecided"],"signed_distance":0,"tolerance":1e-12,"normal":[0,0,1]}}"#,
    );
    assert_eq!((query.id.as_str(), query.dim), ("plate-on-plate", 3));
    assert_eq!(
        (query.scalar, query.query),
        (ScalarKind::F32, QueryKind::Penetration)
    );
    assert_eq!(
        query.a.shape,
        ShapeSpec::Box {
            half_extents: vec![1.0, 1.0, 0.01]
        }
    );
    let pose = query.b.pose.as_ref().expect("a pose");
    assert_eq!(
        pose.rotation,
        Some(RotationSpec::Quaternion([0.0, 0.0, 0.0, 1.0]))
    );
    assert_eq!(
        (query.options.iterations_max, query.options.trace),
        (Some(64), Some(false))
    );
    let expect = query.expect.as_ref().expect("expectations");
    assert_eq!(
        expect.verdict,
        [VerdictSpec::Touching, VerdictSpec::Undecided]
    );
    assert_eq!(expect.normal, [[0.0, 0.0, 1.0]]);
    assert_eq!(line(&query.to_line()).query.as_ref(), Ok(&query));
}

#[test]
fn every_shape_is_written_as_it_is_read() {
    for shape in [
        r#"{"shape":"point","point":[1,2,3]}"#,
        r#"{"shape":"segment","a":[1,2,3],"b":[0.1,-0.0,1e-320]}"#,
        r#"{"shape":"triangle","a":[1,2,3],"b":[0,0,0],"c":[4,5,6]}"#,
        r#"{"shape":"ball","radius":0}"#,
        r#"{"shape":"capsule","half_height":1,"radius":2,"axis":"x"}"#,
        r#"{"shape":"cylinder","half_height":1,"radius":2,"axis":"y"}"#,
        r#"{"shape":"cone","half_height":1,"radius":2,"axis":"z"}"#,
        r#"{"shape":"ellipsoid","radii":[1,2,3]}"#,
        r#"{"shape":"rounded","core":{"shape":"box","half_extents":[1,2,3]},"radius":0.1}"#,
        r#"{"shape":"sum","of":[{"shape":"ball","radius":1},{"shape":"point","point":[1,2,3]}]}"#,
        r#"{"shape":"hull_of","of":[{"shape":"ball","radius":1}],"pose":{"rotation_matrix":[[1,0,0],[0,2,0],[0,0,1]],"scale":[1,-1,2]}}"#,
    ] {
        let query = query(&with_a(shape));
        assert_eq!(line(&query.to_line()).query.as_ref(), Ok(&query), "{shape}");
    }
    let flat = query(
        r#"{"dim":2,"a":{"shape":"capsule","half_height":1,"radius":2,"axis":"y","pose":{"rotation":0.5}},"b":{"shape":"box","half_extents":[1,2]}}"#,
    );
    assert_eq!(
        flat.a.shape,
        ShapeSpec::Capsule {
            half_height: 1.0,
            radius: 2.0,
            axis: Axis::Y
        }
    );
    assert_eq!(line(&flat.to_line()).query.as_ref(), Ok(&flat));
}

#[test]
fn mistakes_say_what_and_where() {
    let ball = r#"{"shape":"ball","radius":1}"#;
    let cases = [
        (with_a(r#"{"shape":"ball","radius":-1}"#), "out_of_range", "a.radius", "-1 is negative, expected 0 or more"),
        (with_a(r#"{"shape":"ball","radius":"1"}"#), "wrong_type", "a.radius", "expected a number, found a string"),
        (with_a(r#"{"shape":"ball"}"#), "missing_key", "a.radius", "the key `radius` is missing"),
        (
            with_a(r#"{"shape":"ball","radius":1,"raduis":2}"#),
            "unknown_key",
            "a.raduis",
            "unknown key `raduis`; the keys here are shape, radius, pose",
        ),
        (
            with_a(r#"{"shape":"ball","radius":1,"radius":2}"#),
            "duplicate_key",
            "a.radius",
            "the key `radius` stands twice",
        ),
        (with_a(r#"{"shape":"box","half_extents":[1,2]}"#), "dimension", "a.half_extents", "expected 3 numbers, found 2"),
        (with_a(r#"{"shape":"convex","points":[[0,0,0],[0,null,0]]}"#), "wrong_type", "a.points[1][1]", "expected a number, found null"),
        (with_a(r#"{"shape":"convex","points":[]}"#), "bad_value", "a.points", "expected at least one point"),
        (
            with_a(&format!(r#"{{"shape":"sum","of":[{ball}]}}"#)),
            "bad_value",
            "a.of",
            "expected 2 shapes, found 1",
        ),
        (
            with_a(r#"{"shape":"hull_of","of":[{"shape":"ball","radius":1,"pose":{}}]}"#),
            "unknown_key",
            "a.of[0].pose",
            "unknown key `pose`; the keys here are shape, radius",
        ),
        (
            with_a(r#"{"shape":"ball","radius":1,"pose":{"rotation":[0,0,0,1.01]}}"#),
            "out_of_range",
            "a.pose.rotation",
            "the quaternion [x, y, z, w] has length 1.01, expected 1 (within 0.001)",
        ),
        (
            with_a(r#"{"shape":"ball","radius":1,"pose":{"rotation_matrix":[[1,0,0],[0,1,0],[1,1,0]]}}"#),
            "out_of_range",
            "a.pose.rotation_matrix",
            "the matrix is singular, expected an invertible one",
        ),
        (
            with_a(r#"{"shape":"ball","radius":1,"pose":{"rotation":[0,0,0,1],"rotation_matrix":[[1,0,0],[0,1,0],[0,0,1]]}}"#),
            "bad_value",
            "a.pose.rotation_matrix",
            "`rotation` and `rotation_matrix` exclude each other: give one of them",
        ),
        (
            with_a(r#"{"shape":"ball","radius":1,"pose":{"scale":[1,0,1]}}"#),
            "out_of_range",
            "a.pose.scale[1]",
            "a scale of 0 flattens the body, expected any other number",
        ),
        (format!(r#"{{"a":{ball}}}"#), "missing_key", "b", "the key `b` is missing"),
        (format!(r#"{{"id":5,"a":{ball},"b":{ball}}}"#), "wrong_type", "id", "expected a string, found a number"),
        (format!(r#"{{"dim":4,"a":{ball},"b":{ball}}}"#), "bad_value", "dim", "4 is no dimension, expected 2 or 3"),
        (format!(r#"{{"query":"ray","a":{ball},"b":{ball}}}"#), "bad_value", "query", "`ray` is about one body: only `gjk query` answers it"),
        (
            format!(r#"{{"a":{ball},"b":{ball},"options":{{"foo":1}}}}"#),
            "unknown_key",
            "options.foo",
            "unknown key `foo`; the keys here are tolerance_relative, iterations_max, certificate, trace",
        ),
        (
            format!(r#"{{"a":{ball},"b":{ball},"options":{{"iterations_max":0}}}}"#),
            "out_of_range",
            "options.iterations_max",
            "0 is no count, expected a whole number from 1 to 4294967295",
        ),
        (
            format!(r#"{{"a":{ball},"b":{ball},"expect":{{"verdict":"apart"}}}}"#),
            "bad_value",
            "expect.verdict",
            "`apart` is not one of `separated`, `touching`, `overlapping`, `undecided`",
        ),
        (
            r#"{"dim":2,"a":{"shape":"cone","half_height":1,"radius":1,"axis":"x"},"b":{"shape":"ball","radius":1}}"#.to_owned(),
            "dimension",
            "a.shape",
            "there is no cone in 2D",
        ),
        (
            r#"{"dim":2,"a":{"shape":"capsule","half_height":1,"radius":1,"axis":"z"},"b":{"shape":"ball","radius":1}}"#.to_owned(),
            "dimension",
            "a.axis",
            "there is no axis `z` in 2D, expected `x` or `y`",
        ),
        (with_a(r#"{"shape":"ball","radius":1e400}"#), "out_of_range", "a.radius", "the number that ends at column 35 is beyond the largest double"),
        (with_a(r#"{"shape":"ball","radius":NaN}"#), "json", "a.radius", "JSON has no NaN and no Infinity (column 31); numbers must be finite"),
        (with_a(r#"{"shape":"ball","radius":-Infinity}"#), "json", "a.radius", "JSON has no NaN and no Infinity (column 32); numbers must be finite"),
        ("[1]".to_owned(), "wrong_type", "", "expected an object, found an array"),
        ("{".to_owned(), "json", "", "not JSON: EOF while parsing an object at line 1 column 1"),
    ];
    for (text, kind, at, message) in cases {
        assert_eq!(
            error(&text),
            (kind, at.to_owned(), message.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn a_bad_line_keeps_its_id_and_a_blank_one_is_none() {
    assert_eq!(line(r#"{"id":"x","a":1}"#).id, "x");
    assert_eq!(line("nonsense").id, "7");
    assert_eq!(read_query_line(b" \t\r\n", 3), None);
    assert_eq!(read_query_line(b"", 1), None);
    assert_eq!(read_query_line(b"\xef\xbb\xbf\n", 1), None);
    let text = [
        b"\xef\xbb\xbf".to_vec(),
        with_a(r#"{"shape":"ball","radius":1}"#).into_bytes(),
    ]
    .concat();
    assert!(read_query_line(&text, 1).is_some_and(|line| line.query.is_ok()));
    let latin = read_query_line(b"{\"id\":\"\xe9\"}", 2)
        .expect("a line")
        .query
        .expect_err("Latin-1");
    assert_eq!(
        (latin.kind, latin.message.as_str()),
        (QueryErrorKind::Json, "byte 8 is not UTF-8")
    );
}

/// float_roundtrip: the nearest double, also for decimals that the fast parser gets wrong by one ulp.
#[test]
fn numbers_are_the_nearest_doubles() {
    for text in [
        "0.1",
        "31.245270191439438",
        "121.48791951161945",
        "5e-324",
        "1.7976931348623157e308",
        "9007199254740993",
    ] {
        let query = query(&with_a(&format!(r#"{{"shape":"ball","radius":{text}}}"#)));
        let expected: f64 = text.parse().expect("a number");
        assert_eq!(
            query.a.shape,
            ShapeSpec::Ball { radius: expected },
            "{text}"
        );
    }
}

#[test]
fn quaternions_near_unit_length_are_normalised() {
    let query = query(&with_a(
        r#"{"shape":"ball","radius":1,"pose":{"rotation":[0,0,0.7071,0.7071],"translation":[1,2,3],"scale":[2,3,4]}}"#,
    ));
    let pose = query.a.pose.as_ref().expect("a pose").affine();
    assert_eq!(
        pose.linear,
        [[0.0, -3.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 4.0]]
    );
    assert_eq!(pose.translation, [1.0, 2.0, 3.0]);
}

#[test]
fn every_number_is_visited_with_its_path() {
    let mut query = query(&with_a(
        r#"{"shape":"rounded","core":{"shape":"convex","points":[[1,2,3]]},"radius":4,"pose":{"scale":[5,6,7]}}"#,
    ));
    let mut seen = Vec::new();
    let visited = query.visit_numbers(&mut |number, place| {
        seen.push(format!("{place}={number}"));
        *number *= 2.0;
        Ok(())
    });
    assert_eq!(visited, Ok(()));
    assert_eq!(
        seen.join(" "),
        "a.core.points[0][0]=1 a.core.points[0][1]=2 a.core.points[0][2]=3 a.radius=4 \
         a.pose.scale[0]=5 a.pose.scale[1]=6 a.pose.scale[2]=7 b.radius=1"
    );
    assert_eq!(
        query.b,
        BodySpec {
            shape: ShapeSpec::Ball { radius: 2.0 },
            pose: None
        }
    );
    let refused = query.visit_numbers(&mut |_, place| {
        Err(QueryError::new(
            QueryErrorKind::OutOfRange,
            place,
            "too large",
        ))
    });
    assert_eq!(
        refused.map_err(|error| error.at),
        Err("a.core.points[0][0]".to_owned())
    );
}

#[test]
fn nesting_without_end_is_an_error() {
    let deep = format!(
        "{}{}",
        r#"{"shape":"rounded","radius":1,"core":"#.repeat(10_000),
        "1"
    );
    assert_eq!(error(&with_a(&deep)).0, "json");
    assert_eq!(PoseSpec::default().affine(), gjk_scene::Affine::IDENTITY);
}
