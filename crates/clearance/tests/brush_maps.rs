//! Maps as text: what is read, what is refused and where; brushes as convex polyhedra; the maps of others.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

use clearance::brush::{
    Brush, BrushFace, BrushFault, Entity, Faulty, MOST_FACES, Map, MapError, Piece, WorldError, is_blocking,
    is_structural,
};
use clearance::math::{widen, widen_real};
use clearance::tolerance::{BRUSH_WELD, UNIT_ROUNDOFF};
use clearance::{Mesh, Real};
use clearance_testkit::ccd::data_folder;
use clearance_testkit::{HitRate, Rng, Solid};
use glam::DVec3;

const CUBE: &str = "{\n\"classname\" \"worldspawn\"\n{\n\
    ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) stone 0 0 0 1 1\n\
    ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) stone 0 0 0 1 1\n\
    ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) stone 0 0 0 1 1\n\
    ( 64 64 64 ) ( 64 65 64 ) ( 65 64 64 ) stone 0 0 0 1 1\n\
    ( 64 64 64 ) ( 65 64 64 ) ( 64 64 65 ) stone 0 0 0 1 1\n\
    ( 64 64 64 ) ( 64 64 65 ) ( 64 65 64 ) stone 0 0 0 1 1\n}\n}\n";

fn brush(planes: &[[DVec3; 3]]) -> Brush {
    let face = |&points: &[DVec3; 3]| BrushFace { points, texture: "x".into() };
    Brush { faces: planes.iter().map(face).collect(), line: 0 }
}

/// Three points, clockwise from outside, of the plane through a point with this outward normal.
fn plane(normal: DVec3, point: DVec3) -> [DVec3; 3] {
    let (u, v) = normal.any_orthonormal_pair();
    let turned = u.cross(v).dot(normal) < 0.0;
    let [u, v] = if turned { [v, u] } else { [u, v] };
    [point + v, point, point + u]
}

/// The planes of a box.
fn slabs(half: DVec3, center: DVec3) -> Vec<[DVec3; 3]> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    axes.into_iter().flat_map(|n| [-n, n]).map(|n| plane(n, center + n * half)).collect()
}

/// Outward unit normals and offsets in f64.
fn heights(brush: &Brush, p: DVec3) -> impl Iterator<Item = f64> + '_ {
    brush.faces.iter().map(move |face| {
        let [a, b, c] = face.points;
        (a - b).cross(c - b).normalize().dot(p - b)
    })
}

fn check_piece(brush: &Brush, piece: &Piece, slack: f64) {
    let size = piece.vertices.iter().map(|p| widen(*p).abs().max_element()).fold(0.0, f64::max);
    for &p in &piece.vertices {
        let highest = heights(brush, widen(p)).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest <= slack * size, "{highest} {p} {brush:?}");
        let on = heights(brush, widen(p)).filter(|h| h.abs() <= slack * size).count();
        assert!(on >= 3, "{on} planes at {p}: {brush:?}");
    }
    let mesh = Mesh::new(&piece.vertices, &piece.faces).unwrap();
    assert!(mesh.is_solid() && piece.volume > 0.0);
    assert_eq!(mesh.vertices().len() + piece.faces.len(), 2 + mesh_edges(piece), "Euler");
}

fn mesh_edges(piece: &Piece) -> usize {
    piece.faces.iter().map(Vec::len).sum::<usize>() / 2
}

#[test]
fn formats_are_read_alike() {
    let plain = Map::parse(CUBE).unwrap();
    assert_eq!(plain.entities[0].class(), "worldspawn");
    assert_eq!(plain.entities[0].brushes[0].line, 3);
    assert_eq!(plain.entities[0].brushes[0].faces.len(), 6);
    let valve = CUBE.replace("stone 0 0 0 1 1", "stone [ 1 0 -0 2.5 ] [ 0 -1 1e-3 0 ] 45 1 .5");
    let flagged = CUBE.replace("stone 0 0 0 1 1", "stone 0 0 0 1 1 134217728 0 -7");
    let crammed = CUBE.replace(['(', ')'], "").replace("stone", "stone");
    let tight = CUBE.replace("( ", "(").replace(" )", ")").replace('\n', "\r\n");
    let noted = CUBE.replace('\n', " // \"{ ( not read\n");
    let quoted = CUBE.replace("stone", "\"stone\"");
    for (text, skew) in [(valve, 0), (flagged, 0), (tight, 0), (noted, 0), (quoted, 0), (format!("\u{feff}{CUBE}"), 0)] {
        let mut map = Map::parse(&text).unwrap();
        map.entities[0].brushes[0].line -= skew;
        assert_eq!(map, plain, "{text}");
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
    for (unit, count) in [("{", 2_000_000), ("{ {", 500_000), ("(", 1_000_000), ("\"a\" \"b\"", 300_000), ("//", 1_000_000)] {
        let _ = Map::parse(&unit.repeat(count));
    }
    let empty = Map::parse(&"{ }".repeat(300_000)).unwrap();
    assert_eq!(empty.entities.len(), 300_000);
    assert!(matches!(empty.world(), Err(WorldError::Empty)));
}

/// Texts with pieces cut out, doubled, swapped and scribbled over: each ends as a map or an error, and a map's brushes as pieces or faults.
#[test]
fn mutated_maps_do_no_harm() {
    let mut rng = Rng::new(0x6d61_7073);
    let seeds = [CUBE.to_string(), CUBE.replace("stone 0 0 0 1 1", "s [ 1 0 0 0 ] [ 0 1 0 0 ] 0 1 1")];
    let scraps = ["{", "}", "(", ")", "\"", "//", "\n", " ", "-", "0", "64", "1e300", "nan", "é", "[", "65", "0.1", "1e-300"];
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
fn faults_are_named() {
    let cube = slabs(DVec3::ONE, DVec3::ZERO);
    let fault = |planes: &[[DVec3; 3]]| brush(planes).piece().unwrap_err();
    assert_eq!(fault(&cube[..3]), BrushFault::TooFewFaces { count: 3 });
    assert_eq!(fault(&cube[..5]), BrushFault::Unbounded);
    let mut flat = cube.clone();
    flat[1] = plane(DVec3::X, -DVec3::X);
    assert_eq!(fault(&flat), BrushFault::NoVolume);
    flat[1] = plane(DVec3::X, -1.5 * DVec3::X);
    assert_eq!(fault(&flat), BrushFault::NoVolume);
    let turned: Vec<_> = cube.iter().map(|&[a, b, c]| [c, b, a]).collect();
    assert!(matches!(fault(&turned), BrushFault::NoVolume | BrushFault::Unbounded));
    let mut line = cube.clone();
    line[4] = [DVec3::ZERO, DVec3::ONE, 3.0 * DVec3::ONE];
    assert_eq!(fault(&line), BrushFault::NoPlane { face: 4 });
    line[4] = [DVec3::ONE; 3];
    assert_eq!(fault(&line), BrushFault::NoPlane { face: 4 });
    line[4][0].x = f64::NAN;
    assert_eq!(fault(&line), BrushFault::Coordinate { face: 4 });
    assert_eq!(fault(&cube.repeat(200)), BrushFault::TooManyFaces { count: 1200 });
    // Thinner than the precision allows so far away: an error, not a sheet.
    let far = slabs(DVec3::new(1.0, 1.0, widen_real(UNIT_ROUNDOFF)), DVec3::splat(1000.0));
    assert_eq!(fault(&far), BrushFault::NoVolume);

    let text = CUBE.replace("( 64 64 64 ) ( 64 65 64 ) ( 65 64 64 )", "( 64 64 -64 ) ( 64 65 -64 ) ( 65 64 -64 )");
    let both = format!("{CUBE}{text}");
    let map = Map::parse(&both).unwrap();
    let Err(WorldError::Brush(error)) = map.world() else { unreachable!() };
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

/// Random planes about a centre: the piece has a vertex wherever three planes meet within all others, and nowhere else.
#[test]
fn random_brushes_are_what_their_planes_enclose() {
    let mut rng = Rng::new(0x6272_7573);
    let (mut redundant, mut bounded) = (HitRate::new("redundant planes"), HitRate::new("bounded"));
    for _ in 0..1500 {
        let center = rng.in_box(DVec3::splat(rng.pick(&[0.0, 100.0, 3000.0])));
        let size = rng.log_uniform(8.0, 400.0);
        let count = 4 + rng.index(20);
        let planes: Vec<_> = (0..count)
            .map(|_| rng.unit_vector())
            .map(|n| plane(n, center + n * size * rng.uniform(0.5, 1.0)).map(|p| p + (p - center) * 0.25))
            .collect();
        let brush = brush(&planes);
        match brush.piece() {
            Ok(piece) => {
                bounded.record(true);
                let slack = 4096.0 * widen_real(BRUSH_WELD);
                check_piece(&brush, &piece, slack);
                redundant.record(!piece.redundant.is_empty());
                assert_eq!(piece.redundant.len() + faces_of(&piece, &brush), count, "{piece:?}");
            }
            Err(BrushFault::Unbounded) => drop(bounded.record(false)),
            Err(fault) => unreachable!("{fault} {brush:?}"),
        }
    }
    bounded.assert_between(0.4, 0.95);
    redundant.assert_between(0.2, 0.9);
}

/// How many of the brush's planes have a face of the piece: three corners that are on it.
fn faces_of(piece: &Piece, brush: &Brush) -> usize {
    (0..brush.faces.len() as u32).filter(|face| !piece.redundant.contains(face)).count()
}

/// The hull of random integer points, given by its planes, comes back with the same vertices, exactly.
#[test]
fn hulls_come_back_from_their_planes() {
    let mut rng = Rng::new(0x6875_6c6c);
    let mut many = HitRate::new("vertices of more than three faces");
    for _ in 0..300 {
        let span = rng.pick(&[3, 20, 2000]);
        let points: Vec<DVec3> = (0..6 + rng.index(12))
            .map(|_| DVec3::from_array([0; 3].map(|_| rng.integer(-span, span) as f64)))
            .collect();
        let Some(hull) = Solid::hull(&points) else { continue };
        let planes: Vec<[DVec3; 3]> = hull_planes(&hull);
        let brush = brush(&planes);
        let piece = brush.piece().unwrap();
        let mut found: Vec<[Real; 3]> = piece.vertices.iter().map(|p| p.to_array()).collect();
        let mut given: Vec<[Real; 3]> = hull_vertices(&hull);
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        given.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(found, given);
        many.record(piece.vertices.len() * 3 != piece.faces.iter().map(Vec::len).sum::<usize>());
    }
    many.assert_between(0.3, 1.0);
}
