//! Maps as text: what is read, what is refused and where.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::brush::{Brush, BrushFault, Entity, Faulty, MOST_FACES, Map, MapError, is_blocking, is_structural};
use clearance_testkit::{HitRate, Rng};

const CUBE: &str = "{\n\"classname\" \"worldspawn\"\n{\n\
    ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) stone 0 0 0 1 1\n\
    ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) stone 0 0 0 1 1\n\
    ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) stone 0 0 0 1 1\n\
    ( 64 64 64 ) ( 64 65 64 ) ( 65 64 64 ) stone 0 0 0 1 1\n\
    ( 64 64 64 ) ( 65 64 64 ) ( 64 64 65 ) stone 0 0 0 1 1\n\
    ( 64 64 64 ) ( 64 64 65 ) ( 64 65 64 ) stone 0 0 0 1 1\n}\n}\n";

#[test]
fn formats_are_read_alike() {
    let plain = Map::parse(CUBE).unwrap();
    assert_eq!(plain.entities[0].class(), "worldspawn");
    assert_eq!(plain.entities[0].brushes[0].line, 3);
    assert_eq!(plain.entities[0].brushes[0].faces.len(), 6);
    let valve = CUBE.replace("stone 0 0 0 1 1", "stone [ 1 0 -0 2.5 ] [ 0 -1 1e-3 0 ] 45 1 .5");
    let flagged = CUBE.replace("stone 0 0 0 1 1", "stone 0 0 0 1 1 134217728 0 -7");
    let crammed = CUBE.replace(['(', ')'], "");
    let tight = CUBE.replace("( ", "(").replace(" )", ")").replace('\n', "\r\n");
    let noted = CUBE.replace('\n', " // \"{ ( not read\n");
    let quoted = CUBE.replace("stone", "\"stone\"");
    for text in [valve, flagged, tight, noted, quoted, format!("\u{feff}{CUBE}")] {
        assert_eq!(Map::parse(&text).unwrap(), plain, "{text}");
    }
    assert!(Map::parse(&crammed).is_err());
    for texture in ["*water0", "{grate", "+0button", "textures/a//b", "(odd)"] {
        let map = Map::parse(&CUBE.replace("stone", texture)).unwrap();
        assert_eq!(map.entities[0].brushes[0].faces[5].texture, texture);
    }
    assert_eq!(Map::parse(" // nothing\n").unwrap(), Map::default());
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let expected = |text: &str, at: u32, what: &str| match Map::parse(text) {
        Err(MapError::Expected { line, expected, .. }) => {
            assert_eq!(line, at, "{text}");
            assert!(expected.contains(what), "{expected}");
        }
        other => unreachable!("{text}: {other:?}"),
    };
    expected("\n\n}", 3, "entity");
    expected("{\n\"a\"\n}", 3, "value");
    expected(&CUBE[..CUBE.len() - 2], 11, "`}` of the entity");
    expected(&CUBE.replacen(") stone", "7 ) stone", 1), 4, "`)` after three");
    expected(&CUBE.replacen("64 64 65 ) ( 64", "64 64 65 ) 64", 1), 9, "third point");
    expected(&CUBE.replacen("stone 0 0", "stone zero 0", 1), 4, "offset");
    expected(&CUBE.replacen("stone 0 0 0 1 1", "stone [ 0 0 0 ] [ 0 0 0 0 ] 0 1 1", 1), 4, "texture axis");
    expected("{ { ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 )", 1, "name of a texture");
    for bad in ["nan", "inf", "1e999", "-infinity"] {
        let text = CUBE.replacen("( 64 64", &format!("( 64 {bad}"), 1);
        assert!(matches!(Map::parse(&text), Err(MapError::Number { line: 7, .. })), "{bad}");
    }
    assert!(matches!(Map::parse("{\n\"class"), Err(MapError::OpenQuote { line: 2 })));
    assert!(matches!(Map::parse("{\n\"a\" \"b\nc\""), Err(MapError::OpenQuote { line: 2 })));
    for name in ["patchDef2", "brushDef", "brushDef3", "patchdef3"] {
        let error = Map::parse(&format!("{{\n{{\n{name}\n{{ }} }} }}")).unwrap_err();
        assert!(matches!(error, MapError::Unsupported { line: 3, .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
    let many = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) x 0 0 0 1 1\n".repeat(MOST_FACES + 1);
    let error = Map::parse(&format!("{{ {{\n{many} }} }}")).unwrap_err();
    assert!(matches!(error, MapError::TooManyFaces { line } if line as usize == MOST_FACES + 2), "{error}");
    let long = Map::parse(&"é".repeat(100_000)).unwrap_err();
    assert!(long.to_string().len() < 200, "what is repeated is short");
}

/// Texts that want a parser to nest, to repeat or to remember.
#[test]
fn hostile_texts_end_soon() {
    for (unit, count) in
        [("{", 2_000_000), ("{ {", 500_000), ("(", 1_000_000), ("\"a\" \"b\"", 300_000), ("//", 1_000_000)]
    {
        let _ = Map::parse(&unit.repeat(count));
    }
    let empty = Map::parse(&"{ }".repeat(300_000)).unwrap();
    assert_eq!(empty.entities.len(), 300_000);
    assert!(matches!(empty.world(), Err(MapError::NoBrushes)));
}

/// Texts with pieces cut out, doubled, swapped and scribbled over: each ends as a map or an error, and a map's brushes as pieces or faults.
#[test]
fn mutated_maps_do_no_harm() {
    let mut rng = Rng::new(0x6d61_7073);
    let seeds = [CUBE.to_string(), CUBE.replace("stone 0 0 0 1 1", "s [ 1 0 0 0 ] [ 0 1 0 0 ] 0 1 1")];
    let scraps =
        ["{", "}", "(", ")", "\"", "//", "\n", " ", "-", "0", "64", "1e300", "nan", "é", "[", "65", "0.1", "1e-300"];
    let (mut read, mut solid) = (HitRate::new("still a map"), HitRate::new("still a solid"));
    for _ in 0..40_000 {
        let mut text: Vec<char> = seeds[rng.index(2)].chars().collect();
        for _ in 0..1 + rng.index(3) {
            let (from, to) = (rng.index(text.len()), rng.index(text.len()));
            let (low, high) = (from.min(to), from.max(to).min(from.min(to) + rng.pick(&[1, 2, 8, 400])));
            match rng.index(4) {
                0 => drop(text.drain(low..high)),
                1 => drop(text.splice(low..low, rng.pick(&scraps).chars())),
                2 => drop(text.splice(low..low + 1, rng.pick(&scraps).chars())),
                _ => {
                    let copy = text[low..high].to_vec();
                    text.splice(from..from, copy);
                }
            }
            if text.is_empty() {
                text.push('{');
            }
        }
        let text: String = text.into_iter().collect();
        let map = Map::parse(&text);
        if read.record(map.is_ok()) {
            let map = map.unwrap();
            solid.record(map.world().is_ok());
            if let Ok(world) = map.world_of(|_, _| true, Faulty::Skip) {
                assert!(world.mesh.mass().0 > 0.0);
            }
        }
    }
    read.assert_between(0.1, 0.8);
    solid.assert_between(0.1, 0.9);
}

#[test]
fn faulty_brushes_are_named_or_skipped() {
    let text = CUBE.replace("( 64 64 64 ) ( 64 65 64 ) ( 65 64 64 )", "( 64 64 -64 ) ( 64 65 -64 ) ( 65 64 -64 )");
    let both = format!("{CUBE}{text}");
    let map = Map::parse(&both).unwrap();
    let Err(MapError::Brush(error)) = map.world() else { unreachable!() };
    assert_eq!((error.entity, error.brush, error.line, error.fault), (1, 0, 14, BrushFault::NoVolume));
    assert_eq!(error.to_string(), "entity 1, brush 0 (line 14): its faces enclose no volume");
    let world = map.world_of(|entity, _| is_structural(entity), Faulty::Skip).unwrap();
    assert_eq!((world.skipped.as_slice(), world.pieces.len()), (&[error][..], 1));
    assert!(world.piece_of_vertex(8).is_none());
    assert_eq!(world.piece_of_vertex(7), Some(&world.pieces[0]));
}

#[test]
fn filters_see_classes_and_textures() {
    let entity = |class: &str| CUBE.replace("worldspawn", class);
    let classes = ["worldspawn", "func_group", "func_door", "func_detail", "func_detail_illusionary"];
    let text: String = classes.iter().map(|class| entity(class)).collect();
    let map = Map::parse(&(text + &CUBE.replace("stone", "*water1"))).unwrap();
    assert_eq!(map.world().unwrap().pieces.len(), 4);
    let dry = |entity: &Entity, brush: &Brush| is_structural(entity) && is_blocking(brush);
    assert_eq!(map.world_of(dry, Faulty::Refuse).unwrap().pieces.len(), 3);
    let doors = map.world_of(|entity, _| entity.class() == "func_door", Faulty::Refuse).unwrap();
    assert_eq!((doors.pieces[0].entity, doors.pieces[0].first_vertex), (2, 0));
}
