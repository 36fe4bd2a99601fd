//! One axis of a plot, linear or logarithmic, with ticks at numbers people would choose.
//!
//! One type for both kinds, so that a chart is one type and not four.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// Beyond this, the ratio of two values (the smallest is its inverse) and a margin could overflow.
const LARGEST: f64 = 1e100;
/// Room beside the outermost points, as a share of the axis.
const MARGIN: f64 = 0.04;
/// An axis shorter than this share of its values would need more digits in a label than fit.
const SHORTEST: f64 = 1e-6;

/// An axis that shows a range of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    log: bool,
    lower: f64,
    upper: f64,
}

impl Axis {
    /// Whether an axis of this kind has a place for `value`.
    pub fn can_show(log: bool, value: f64) -> bool {
        value.abs() < LARGEST && (!log || value > 1.0 / LARGEST)
    }

    /// An axis on which all showable `values` fit, with a margin; without any, a default one.
    pub fn fitting(log: bool, values: impl Iterator<Item = f64>) -> Self {
        let (mut lower, mut upper) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| Self::can_show(log, *value)) {
            lower = lower.min(value);
            upper = upper.max(value);
        }
        if lower > upper {
            (lower, upper) = if log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        let (lower, upper) = if log {
            let margin = ((upper / lower).log10() * MARGIN).max(0.05);
            let factor = 10_f64.powf(margin);
            (lower / factor, upper * factor)
        } else {
            let size = lower.abs().max(upper.abs());
            let shortest = if size > 0.0 { size * SHORTEST } else { 1.0 };
            let margin = ((upper - lower) * MARGIN).max(shortest);
            // What is never negative should not be shown on an axis that goes below zero.
            let floor = if lower >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
            ((lower - margin).max(floor), upper + margin)
        };
        Self { log, lower, upper }
    }

    /// Multiples of 1, 2 or 5 times a power of ten, at most `most` of them.
    fn even_ticks(&self, most: usize) -> Vec<f64> {
        let step = nice_step((self.upper - self.lower) / most.max(1) as f64);
        let (first, last) = (self.lower / step, self.upper / step);
        let count = (last.floor() - first.ceil()).max(0.0) as usize;
        (0..=count.min(most)).map(|k| (first.ceil() + k as f64) * step).filter(|tick| self.contains(*tick)).collect()
    }

    /// Powers of ten times each of `digits`, every `stride`-th power.
    fn decade_ticks(&self, digits: &[f64], stride: usize) -> Vec<f64> {
        let exponents = self.lower.log10().floor() as i32..=self.upper.log10().ceil() as i32;
        exponents
            .filter(|exponent| exponent.rem_euclid(stride as i32) == 0)
            .flat_map(|exponent| digits.iter().map(move |digit| (digit, exponent)))
            // Parsing gives the nearest double to 1e-7, which a power of ten times a digit does not.
            .filter_map(|(digit, exponent)| format!("{digit}e{exponent}").parse().ok())
            .filter(|tick| self.contains(*tick))
            .collect()
    }

    fn labelled_ticks(&self, most: usize) -> Vec<f64> {
        if !self.log {
            return self.even_ticks(most);
        }
        let decades = (self.upper / self.lower).log10();
        let stride = (decades / most.max(1) as f64).ceil().max(1.0) as usize;
        let digits: &[f64] = if decades < 3.0 && most >= 9 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let ticks = self.decade_ticks(digits, stride);
        if ticks.len() < 3 && decades < 2.0 { self.even_ticks(most.min(6)) } else { ticks }
    }

    fn contains(&self, value: f64) -> bool {
        (self.lower..=self.upper).contains(&value)
    }

    fn share(&self, value: f64) -> f64 {
        if self.log {
            (value / self.lower).log10() / (self.upper / self.lower).log10()
        } else {
            (value - self.lower) / (self.upper - self.lower)
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let length = f64::from(limit.1) - f64::from(limit.0);
        (f64::from(limit.0) + self.share(*value) * length).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let most = hint.max_num_points().min(10);
        if !hint.weight().allow_light_points() {
            return self.labelled_ticks(most);
        }
        // Light lines show where a logarithmic axis runs together; too many of them are a grey wall.
        if self.log && (self.upper / self.lower).log10() <= 6.0 {
            return self.decade_ticks(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 1);
        }
        Vec::new()
    }

    fn range(&self) -> Range<f64> {
        self.lower..self.upper
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        label(*value)
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is no less than `step`.
fn nice_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let wanted = [1.0, 2.0, 5.0].into_iter().find(|d| d * power >= step);
    wanted.unwrap_or(10.0) * power
}

/// A tick as short as it can be written: a step such as 0.1 leaves rounding in the last digits.
fn label(value: f64) -> String {
    let rounded: f64 = format!("{value:.9e}").parse().unwrap_or(value);
    let size = rounded.abs();
    if size == 0.0 {
        "0".to_owned()
    } else if (1e-4..1e6).contains(&size) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}
