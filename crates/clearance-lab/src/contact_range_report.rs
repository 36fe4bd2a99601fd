//! Rows, claims and plots of the contact range experiment.

use crate::contact_range::{Cell, EXPERIMENT, Findings, Group};
use crate::report::Value;
use crate::verdict::exponent;
use crate::{Plot, Report};

/// The paper's figures for the faces visited, in percent: of all, and of those of two edges.
const PAPER_FACES: [f64; 2] = [13.7, 2.5];
/// And for the flat cones: faces of A, of B, and of two edges.
const PAPER_CONES: [u32; 3] = [21, 21, 20];

pub(crate) fn report(findings: &Findings) -> Report {
    let columns = [
        "pair",
        "vertices",
        "verb_ns",
        "search_ns",
        "printed_ns",
        "met",
        "faces_percent",
        "edge_faces_percent",
        "printed_faces_percent",
        "printed_edge_faces_percent",
        "mean_distance",
        "worst_distance",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in &findings.cells {
        let faces: Vec<Value> = match cell.faces {
            Some(faces) => faces.as_flattened().iter().map(|&share| share.into()).collect(),
            None => vec!["".into(); 4],
        };
        let times = [cell.verb, cell.search, cell.printed, cell.met].map(Value::from);
        let row = [cell.name.as_str().into(), cell.vertices.into()].into_iter().chain(times);
        report.row(row.chain(faces).chain([cell.mean.into(), cell.worst.into()]));
    }
    contact(&mut report, findings);
    visited(&mut report, findings);
    growth(&mut report, findings);
    cylinders(&mut report, findings);
    agreement(&mut report, findings);
    report
}

fn of(findings: &Findings, group: Group) -> impl Iterator<Item = &Cell> {
    findings.cells.iter().filter(move |cell| cell.group == group)
}

fn contact(report: &mut Report, findings: &Findings) {
    let worst = findings.cells.iter().map(|cell| cell.worst).fold(0.0, f64::max);
    let paper = "mean 1.9e-6, worst 1e-4 (absolute, bodies of size 5)";
    let text = format!("worst {worst:.1e} of the size");
    report.claim("the bodies touch at every end, to 1e-12 of their size", paper, text, worst <= 1e-12);
}

fn visited(report: &mut Report, findings: &Findings) {
    let counted = || findings.cells.iter().filter_map(|cell| cell.faces);
    let count = counted().count().max(1) as f64;
    for (way, name) in ["shortened", "printed"].into_iter().enumerate() {
        for (i, what) in ["faces", "faces of two edges"].into_iter().enumerate() {
            let mean = counted().map(|faces| faces[way][i]).sum::<f64>() / count;
            let claim = format!("section 4: the {name} search visits {} % of the {what}, on average", PAPER_FACES[i]);
            let text = format!("{mean:.2} %");
            report.claim(claim, format!("{} %", PAPER_FACES[i]), text, mean <= 1.05 * PAPER_FACES[i]);
        }
        let shares: Vec<f64> =
            of(findings, Group::Ellipsoids).filter_map(|cell| cell.faces).map(|faces| faces[way][0]).collect();
        if let [first, .., last] = shares[..] {
            let text = format!("{first:.2} % to {last:.2} %");
            let claim = format!("the share that the {name} search visits falls with the size of ellipsoids");
            report.claim(claim, "–", text, last < first);
        }
        for cones in &findings.cones {
            let most = cones.most[way];
            let most = [most.face_vertex, most.vertex_face, most.edge_edge];
            let holds = most.iter().zip(PAPER_CONES).all(|(ours, paper)| *ours <= paper);
            let (faces, mean) = (cones.faces, cones.mean[way]);
            let text = format!("{most:?} at most, {mean:.1} on average, of {faces}, {faces} and {}", cones.edge_faces);
            let claim = format!(
                "figure 9, flat cones of {faces} faces: the {name} search visits no more faces than the paper's"
            );
            report.claim(claim, format!("{PAPER_CONES:?} of 38, 38 and 200"), text, holds);
            if faces == PAPER_CONES[0] as usize {
                report.why("the 18 triangles of a base are one face here, so that a cone has 21 of its 38");
            } else {
                report.why("the paper's 21 + 21 + 20 = 62 are of one direction; these are the most of each kind over 203 directions and both ends");
            }
        }
    }
}

fn growth(report: &mut Report, findings: &Findings) {
    let times = |way: fn(&Cell) -> f64| -> Vec<(f64, f64)> {
        of(findings, Group::Growth).map(|cell| (cell.vertices as f64, way(cell))).collect()
    };
    let ways = [
        ("verb", (|cell| cell.verb) as fn(&Cell) -> f64),
        ("shortened search", |cell| cell.search),
        ("printed search", |cell| cell.printed),
    ];
    for (name, way) in ways {
        let power = exponent(&times(way));
        let claim = format!("figure 8: the time of the {name} grows at most linearly, 100 to 10,000 vertices");
        report.claim(claim, "approximately linear", format!("exponent {power:.2}"), power <= 1.1);
    }
    let mut plot =
        Plot::new("figure-8", "Time of a contact range (figure 8)", "vertices of both bodies", "microseconds");
    for (group, name) in [(Group::Paper, "five pairs"), (Group::Ellipsoids, "ellipsoids")] {
        plot.line(format!("{name}, verb"), of(findings, group).map(|cell| (cell.vertices as f64, cell.verb / 1e3)));
        plot.line(format!("{name}, search"), of(findings, group).map(|cell| (cell.vertices as f64, cell.search / 1e3)));
        plot.line(
            format!("{name}, printed"),
            of(findings, group).map(|cell| (cell.vertices as f64, cell.printed / 1e3)),
        );
    }
    report.plot(plot);
    let mut plot = Plot::new("growth", "Growth with the number of vertices", "vertices of both bodies", "nanoseconds");
    plot = plot.log(true, true);
    plot.line("verb", times(|cell| cell.verb)).line("search", times(|cell| cell.search));
    plot.line("printed", times(|cell| cell.printed));
    report.plot(plot);
}

fn cylinders(report: &mut Report, findings: &Findings) {
    let off = |ends: [f64; 2], closed: [f64; 2]| (ends[0] - closed[0]).abs().max((ends[1] - closed[1]).abs());
    let turned = &findings.cylinders;
    let worst = turned.iter().map(|t| off(t.prisms, t.closed)).fold(0.0, f64::max);
    // Of either prism a side is this far inside the cylinder, and a slope of the difference is at most two.
    let polygon = 4.0 * (1.0 - (std::f64::consts::PI / 64.0).cos());
    let claim = "figure 10: prisms match the cylinders within the error of the polygon";
    report.claim(claim, "–", format!("{worst:.1e}, allowed {polygon:.1e}"), worst <= polygon);
    let worst = turned.iter().map(|t| off(t.cylinders, t.closed)).fold(0.0, f64::max);
    let claim = "figure 10: cylinders themselves match the closed form";
    report.claim(claim, "–", format!("{worst:.1e}"), worst <= 1e-9);
    let mut plot = Plot::new("figure-10", "Range of two cylinders along z (figure 10)", "angle in degrees", "position");
    for (end, name) in ["first", "last"].into_iter().enumerate() {
        plot.line(format!("{name}, prisms"), turned.iter().map(|t| (f64::from(t.degrees), t.prisms[end])));
        plot.line(format!("{name}, closed form"), turned.iter().map(|t| (f64::from(t.degrees), t.closed[end])));
    }
    report.plot(plot);
}

fn agreement(report: &mut Report, findings: &Findings) {
    let t = &findings.tally;
    let wrong = t.wrong_emptiness + t.outside_bounds + t.wrong_end + t.wrong_features + t.dual_differs;
    let text = format!(
        "of {} cases ({} met): emptiness {}, bounds {}, ends {}, features {}, search against verb {}; worst end {:.1e}",
        t.cases, t.found, t.wrong_emptiness, t.outside_bounds, t.wrong_end, t.wrong_features, t.dual_differs, t.worst
    );
    report.claim("agrees with the explicit Minkowski difference", "–", text, wrong == 0);
    let text = format!("{} of {} ends", t.stopped_early, 2 * t.found);
    let claim = "theorem 1: the search never stops before the face that the line leaves through (erratum 1: it does)";
    report.claim(claim, "never", text, t.stopped_early == 0);
    report.why_not("as the erratum says: the theorem does not hold; the verb goes on from such a face and is right, the printed search is not");
}
