//! `gjk solvers`: the table that the library reads, as text and as JSON.

use assert_cmd::Command;

fn run(arguments: &[&str]) -> String {
    let output = Command::cargo_bin("gjk")
        .unwrap()
        .arg("solvers")
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn two_boxes_are_tried_by_axes_first() {
    let table = run(&[]);
    let row = table
        .lines()
        .find(|line| line.split_whitespace().take(3).eq(["3D", "box", "box"]));
    let axes = "separating axes of two boxes, then closed forms of points, segments and boxes";
    assert!(row.unwrap().ends_with(axes), "{table}");
}

/// A pair and its mirror have the same solvers.
#[test]
fn the_table_is_symmetric() {
    let rows: Vec<serde_json::Value> = run(&["--json"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(!rows.is_empty());
    for row in &rows {
        let mirrored = rows.iter().find(|other| {
            other["a"] == row["b"]
                && other["b"] == row["a"]
                && other["dimension"] == row["dimension"]
        });
        assert_eq!(mirrored.unwrap()["solvers"], row["solvers"]);
    }
}
