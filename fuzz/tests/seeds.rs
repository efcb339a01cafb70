//! The committed seeds, as ordinary tests: they hold, and they mean what they were made from.

use std::path::Path;

#[test]
fn every_seed_holds() {
    for (name, run, describe) in gjk_fuzz::TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("seeds")
            .join(name);
        let files: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(files.len() >= 10, "{name}: {} seeds", files.len());
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            assert!(!describe(&bytes).is_empty());
            run(&bytes);
        }
    }
}

#[test]
fn a_query_line_survives_its_bytes() {
    let line = br#"{"a":{"shape":"cone","half_height":0.5,"radius":0.1,"axis":"y","pose":{"translation":[1,2,3],"rotation":[0.5,0.5,0.5,0.5],"scale":[1,2,3]}},"b":{"shape":"convex","points":[[0,0,0],[1,0,1e-300]]}}"#;
    let query = gjk_scene::read_query_line(line, 1).unwrap().query.unwrap();
    let bytes = gjk_fuzz::case::Case::encode(&query).unwrap();
    let read = gjk_fuzz::case::Case::decode(&bytes).query;
    assert_eq!(
        (read.a, read.b, read.dim, read.scalar),
        (query.a, query.b, query.dim, query.scalar)
    );
}
