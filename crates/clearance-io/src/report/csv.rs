//! Findings as CSV (RFC 4180), one on a line.

use super::Report;

const HEADER: &str = "id,kind,a,b,distance,lower,upper,required,point_a_x,point_a_y,point_a_z,point_b_x,point_b_y,point_b_z,\
normal_x,normal_y,normal_z,volume_lower,volume_upper,time,first_contact_lower,first_contact_upper,intervals,group";

/// The findings of a report as CSV.
pub fn csv(report: &Report) -> String {
    let mut text = format!("{HEADER}\r\n");
    for finding in &report.findings {
        let name = |part: usize| report.parts.get(part).map_or("", |part| part.name.as_str());
        let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let mut fields = vec![
            finding.id.clone(),
            finding.kind.name().to_owned(),
            name(finding.a).to_owned(),
            name(finding.b).to_owned(),
        ];
        fields.extend([Some(finding.distance), Some(finding.lower), Some(finding.upper), finding.required].map(number));
        for i in 0..6 {
            fields.push(number(finding.points.map(|points| points[i / 3][i % 3])));
        }
        for i in 0..3 {
            fields.push(number(finding.normal.map(|normal| normal[i])));
        }
        fields.extend([finding.volume.map(|v| v.lower), finding.volume.map(|v| v.upper), finding.time].map(number));
        fields.extend([finding.first_contact.map(|t| t.lower), finding.first_contact.map(|t| t.upper)].map(number));
        let intervals: Vec<String> = finding.intervals.iter().map(|[from, to]| format!("{from} to {to}")).collect();
        fields.push(intervals.join("; "));
        fields.push(finding.group.clone().unwrap_or_default());
        let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
        text.push_str(&fields.join(","));
        text.push_str("\r\n");
    }
    text
}

/// A field; one that a spreadsheet would take for a formula begins with an apostrophe.
fn quoted(field: &str) -> String {
    let is_formula =
        field.starts_with(['=', '+', '@', '\t', '\r']) || (field.starts_with('-') && field.parse::<f64>().is_err());
    let field = if is_formula { format!("'{field}") } else { field.to_owned() };
    if field.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}
