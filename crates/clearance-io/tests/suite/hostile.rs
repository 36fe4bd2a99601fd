//! Files made to do harm: archives that unpack without end, objects that contain themselves, text that is markup.

use std::io::Write;

use clearance_io::{Format, Limits, parse};

use super::read;

/// An archive with one entry.
pub fn zipped(name: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(content).unwrap();
    archive.finish().unwrap().into_inner()
}

#[test]
fn an_archive_unpacks_to_no_more_than_the_limit() {
    let bytes = zipped("3D/3dmodel.model", &vec![b' '; 1 << 20]);
    let limits = Limits { bytes: 1 << 16, ..Limits::default() };
    assert!(bytes.len() < 1 << 16);
    let message = parse(Format::ThreeMf, &bytes, &limits, &|_| Err(String::new())).unwrap_err().to_string();
    assert!(message.contains("limit"), "{message}");
}

#[test]
fn objects_that_contain_themselves_are_refused() {
    let xml = "<model><resources><object id=\"1\"><components><component objectid=\"2\"/></components></object><object id=\"2\"><components><component objectid=\"1\"/></components></object></resources><build><item objectid=\"1\"/></build></model>";
    assert!(
        read(Format::ThreeMf, &zipped("3D/3dmodel.model", xml.as_bytes())).unwrap_err().contains("contains itself")
    );
    // Each object contains the next one many times.
    let object = |i: u32| {
        let inner: String = (0..50).map(|_| format!("<component objectid=\"{}\"/>", i + 1)).collect();
        format!("<object id=\"{i}\"><components>{inner}</components></object>")
    };
    let all: String = (1..20).map(object).collect();
    let xml =
        format!("<model><resources>{all}<object id=\"20\"/></resources><build><item objectid=\"1\"/></build></model>");
    let limits = Limits { parts: 1000, ..Limits::default() };
    let found = parse(Format::ThreeMf, &zipped("3D/3dmodel.model", xml.as_bytes()), &limits, &|_| Err(String::new()));
    assert!(found.unwrap_err().to_string().contains("limit"));
    let xml = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><model/>";
    assert!(read(Format::ThreeMf, &zipped("3D/3dmodel.model", xml.as_bytes())).unwrap_err().contains("document type"));
}
