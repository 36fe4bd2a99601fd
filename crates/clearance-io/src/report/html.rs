//! The report as one HTML page that needs nothing else.

use super::Report;

/// The page with places for the title and the report: what `viewer/` is built to.
const TEMPLATE: &str = include_str!("../../../../viewer/dist/template.html");
const TITLE: &str = "__CLEARANCE_TITLE__";
const REPORT: &str = "__CLEARANCE_REPORT__";

/// The page of a report. No text of it can end the script that it stands in, or be markup.
pub fn html(report: &Report) -> String {
    let json = serde_json::to_string(report).unwrap_or_default().replace('<', "\\u003c");
    let (before, after) = TEMPLATE.split_once(REPORT).unwrap_or((TEMPLATE, ""));
    let mut page = String::with_capacity(TEMPLATE.len() + json.len());
    page.push_str(&before.replace(TITLE, &escaped(&report.title)));
    page.push_str(&json);
    page.push_str(after);
    page
}

/// Text as it stands in markup.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Not allowed in XML, and of no use in a page.
            c if (c.is_control() && c != '\n' && c != '\t') || ['\u{fffe}', '\u{ffff}'].contains(&c) => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
