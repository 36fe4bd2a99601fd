//! `"certify":true`: answers with the proof of what they say, to be checked by anyone (docs/certificates.md).

use serde_json::Value;

use super::answer::{Fields, Request};
use super::cast::cast_motion;
use super::error::{Code, QueryError};
use super::library::exact::{Certificate, NotCertified, certify, certify_cast, certify_within};
use super::library::{Body, Cache, Pose};

/// Adds `certificate` to an answer, or to each answer of a list; null with `uncertified` beside it where there is none.
///
/// # Errors
/// If a field is bad; the message names it.
pub(super) fn add(op: &str, request: &Request, mut fields: Fields) -> Result<Fields, QueryError> {
    let Some(wanted) = request.find("certify") else { return Ok(fields) };
    if !wanted.boolean()? {
        return Ok(fields);
    }
    let (a, b, pose_a) = (request.body("a")?, request.body("b")?, request.pose("pose_a")?);
    let of = |pose_b: &Pose| certificate(op, request, [&a, &b], [&pose_a, pose_b]);
    let Some(poses) = request.poses("poses_b")? else {
        fields.extend(members(of(&request.pose("pose_b")?)?)?);
        return Ok(fields);
    };
    if let Some((_, Value::Array(answers))) = fields.iter_mut().find(|(name, _)| *name == "answers") {
        for (answer, pose) in answers.iter_mut().zip(&poses) {
            let Value::Object(answer) = answer else { continue };
            answer.extend(members(of(pose)?)?.into_iter().map(|(name, value)| (name.to_owned(), value)));
        }
    }
    Ok(fields)
}

fn certificate(
    op: &str,
    request: &Request,
    [a, b]: [&Body; 2],
    [pose_a, pose_b]: [&Pose; 2],
) -> Result<Result<Certificate, NotCertified>, QueryError> {
    let mut cache = Cache::default();
    Ok(match op {
        "overlap" => certify_within(a, pose_a, b, pose_b, 0.0, &mut cache),
        "within" => {
            let distance = request.length("distance")?.unwrap_or(0.0);
            certify_within(a, pose_a, b, pose_b, distance, &mut cache)
        }
        "cast" => {
            let (motion, options) = cast_motion(request)?;
            certify_cast(a, pose_a, b, &motion, &mut cache, &options)
        }
        _ => certify(a, pose_a, b, pose_b, &mut cache),
    })
}

fn members(certificate: Result<Certificate, NotCertified>) -> Result<Fields, QueryError> {
    match certificate {
        Ok(certificate) => {
            let record = serde_json::from_str(&certificate.to_string());
            let record = record.map_err(|error| QueryError::new(Code::OutOfRange, format!("certificate: {error}")))?;
            Ok(vec![("certificate", record)])
        }
        Err(reason) => Ok(vec![("certificate", Value::Null), ("uncertified", Value::from(reason.to_string()))]),
    }
}
