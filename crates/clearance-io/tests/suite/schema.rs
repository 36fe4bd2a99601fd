//! The published schema is that of the types.

#[test]
fn the_published_schema_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scene.schema.json");
    let current = clearance_io::scene::schema_text();
    if std::env::var_os("CLEARANCE_WRITE_SCHEMA").is_some() {
        std::fs::write(path, &current).unwrap();
    }
    let published = std::fs::read_to_string(path).unwrap_or_default();
    assert!(published == current, "docs/scene.schema.json is out of date: run this test with CLEARANCE_WRITE_SCHEMA=1");
}
