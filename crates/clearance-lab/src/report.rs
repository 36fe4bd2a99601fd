//! What an experiment hands back: rows, claims and plots; and the rows and claims as CSV and JSON.
//!
//! Rows are added without a `Result`, because an experiment can do nothing about its own typing mistake.
//! [`Report::check`] finds such mistakes before anything is shown or written.

use crate::Plot;
use serde_json::{Number, Value as Json};
use thiserror::Error;

/// One cell of a table, or the measured side of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A measured number; not a number and the infinities become `null` in JSON.
    Number(f64),
    /// A count.
    Integer(i64),
    /// A label, or a figure that needs words.
    Text(String),
}

impl Value {
    /// The value as JSON.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Number(x) => Number::from_f64(*x).map_or(Json::Null, Json::Number),
            Self::Integer(n) => Json::from(*n),
            Self::Text(s) => Json::from(s.as_str()),
        }
    }

    /// The value as a CSV field, numbers with all the digits needed to read the same bits back.
    fn to_csv(&self) -> String {
        match self {
            Self::Number(x) => format!("{x:?}"),
            Self::Integer(n) => n.to_string(),
            Self::Text(s) => quoted(s),
        }
    }
}

/// RFC 4180 quoting. An empty field is quoted too: alone on its line it would read as no record at all.
fn quoted(field: &str) -> String {
    if field.is_empty() || field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

macro_rules! value_from {
    ($($from:ty => $make:expr),* $(,)?) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Self {
                let make: fn($from) -> Value = $make;
                make(value)
            }
        }
    )*};
}

// A count beyond i64 is kept as a number, rounded, rather than cut off.
value_from! {
    f64 => Value::Number,
    f32 => |x| Value::Number(f64::from(x)),
    i64 => Value::Integer,
    i32 => |n| Value::Integer(i64::from(n)),
    u32 => |n| Value::Integer(i64::from(n)),
    u64 => |n| i64::try_from(n).map_or(Value::Number(n as f64), Value::Integer),
    usize => |n| i64::try_from(n).map_or(Value::Number(n as f64), Value::Integer),
    String => Value::Text,
    &str => |s| Value::Text(s.to_owned()),
}

/// A statement that the experiment puts to the test.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The statement, in one sentence.
    pub claim: String,
    /// What the paper says or shows.
    pub paper: String,
    /// What was measured.
    pub value: Value,
    /// Whether what was measured bears the statement out.
    pub holds: bool,
    /// Why it does not hold here, or what differs from the paper.
    pub why: Option<String>,
}

/// A report that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReportError {
    /// A row that does not fit under the columns.
    #[error("report '{report}': row {row} has {cells} cells for {columns} columns")]
    RowWidth {
        /// The report.
        report: String,
        /// The row, counted from 0.
        row: usize,
        /// How many cells it has.
        cells: usize,
        /// How many there should be.
        columns: usize,
    },
    /// Two columns or two plots of one name: one would hide the other in JSON or among the files.
    #[error("report '{report}': two {what} are named '{name}'")]
    SameName {
        /// The report.
        report: String,
        /// `columns` or `plots`.
        what: &'static str,
        /// The name they share.
        name: String,
    },
}

/// The outcome of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The name of the experiment.
    pub name: String,
    /// The heads of the columns, no two alike.
    pub columns: Vec<String>,
    /// The measurements, each as wide as `columns`.
    pub rows: Vec<Vec<Value>>,
    /// The claims put to the test.
    pub claims: Vec<Claim>,
    /// Pictures of the rows, no two of one name.
    pub plots: Vec<Plot>,
}

impl Report {
    /// A report without rows.
    pub fn new(name: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            name: name.into(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            ..Self::default()
        }
    }

    /// Adds a row, one cell per column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Value>) -> &mut Self {
        self.rows.push(cells.into_iter().collect());
        self
    }

    /// Adds a claim: the statement, what the paper says, what was measured, and whether the statement holds.
    pub fn claim(
        &mut self,
        claim: impl Into<String>,
        paper: impl Into<String>,
        value: impl Into<Value>,
        holds: bool,
    ) -> &mut Self {
        self.claims.push(Claim { claim: claim.into(), paper: paper.into(), value: value.into(), holds, why: None });
        self
    }

    /// Says of the last claim why it does not hold here, or what differs from the paper.
    pub fn why(&mut self, reason: impl Into<String>) -> &mut Self {
        if let Some(claim) = self.claims.last_mut() {
            claim.why = Some(reason.into());
        }
        self
    }

    /// Says of the last claim why it does not hold, if it does not.
    pub fn why_not(&mut self, reason: impl Into<String>) -> &mut Self {
        if self.claims.last().is_some_and(|claim| !claim.holds) { self.why(reason) } else { self }
    }

    /// Adds a plot.
    pub fn plot(&mut self, plot: Plot) -> &mut Self {
        self.plots.push(plot);
        self
    }

    /// Whether all claims hold.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|claim| claim.holds)
    }

    /// Checks that every row is as wide as the columns, and that names are not used twice.
    ///
    /// # Errors
    /// [`ReportError`] for the first contradiction found.
    pub fn check(&self) -> Result<(), ReportError> {
        let columns = self.columns.len();
        if let Some(row) = self.rows.iter().position(|cells| cells.len() != columns) {
            return Err(ReportError::RowWidth { report: self.name.clone(), row, cells: self.rows[row].len(), columns });
        }
        self.distinct("columns", self.columns.iter())?;
        self.distinct("plots", self.plots.iter().map(|plot| &plot.name))
    }

    fn distinct<'a>(&self, what: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), ReportError> {
        let mut seen = std::collections::HashSet::new();
        for name in names {
            if !seen.insert(name) {
                return Err(ReportError::SameName { report: self.name.clone(), what, name: name.clone() });
            }
        }
        Ok(())
    }

    /// `{"name":…,"claims":[{"claim","paper","value","holds","why" if there is a reason}],"rows":[{column: value,…},…]}` on one line.
    ///
    /// Put together here rather than from a JSON map, which would sort the columns by name.
    pub fn to_json(&self) -> String {
        let claims = self.claims.iter().map(|claim| {
            let members = [
                ("claim", Json::from(claim.claim.as_str())),
                ("paper", Json::from(claim.paper.as_str())),
                ("value", claim.value.to_json()),
                ("holds", Json::from(claim.holds)),
            ];
            object(members.into_iter().chain(claim.why.as_deref().map(|why| ("why", Json::from(why)))))
        });
        let heads = || self.columns.iter().map(String::as_str);
        let rows = self.rows.iter().map(|cells| object(heads().zip(cells.iter().map(Value::to_json))));
        format!(
            "{{\"name\":{},\"claims\":[{}],\"rows\":[{}]}}",
            Json::from(self.name.as_str()),
            joined(claims),
            joined(rows)
        )
    }

    /// The rows as CSV (RFC 4180: lines end in CR LF), the first line holding the columns.
    pub fn to_csv(&self) -> String {
        let head = self.columns.iter().map(|column| quoted(column)).collect();
        let rows = self.rows.iter().map(|cells| cells.iter().map(Value::to_csv).collect());
        std::iter::once(head).chain(rows).map(|fields: Vec<String>| fields.join(",") + "\r\n").collect()
    }
}

fn object<'a>(members: impl IntoIterator<Item = (&'a str, Json)>) -> String {
    let members = members.into_iter();
    format!("{{{}}}", joined(members.map(|(key, value)| format!("{}:{value}", Json::from(key)))))
}

fn joined(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(",")
}
