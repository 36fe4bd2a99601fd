//! Line plots as SVG, 900 × 600.
//!
//! The legend has a column of its own beside the chart, so that it never hides a point. Lines and markers are
//! drawn in pixels, which lets chart and legend share them.

use crate::axis::Axis;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use thiserror::Error;

const SIZE: (u32, u32) = (900, 600);
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(40, 40, 40);
/// Marker half width in pixels.
const MARKER: i32 = 4;
/// A line with more points than this is marked only now and then, or its markers would be all there is to see.
const MARKERS_PER_LINE: usize = 40;
const LEGEND_ROW: i32 = 22;
/// Pixels from the left edge of the legend to its words.
const LEGEND_TEXT: i32 = 36;
/// Letters of a label that the legend has room for; a font is not at hand to measure them.
const LEGEND_LETTERS: usize = 26;
const LETTER_WIDTH: u32 = 7;
/// Eight colours that the colour-blind can tell apart and that show on white (after Okabe and Ito, yellow darkened).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(86, 180, 233),
    RGBColor(176, 140, 0),
    RGBColor(120, 60, 160),
];
/// Markers repeat after five and colours after eight, so that forty series differ.
const MARKERS: usize = 5;

/// One line of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// Its points, joined in this order; those that the axes cannot show are left out.
    pub points: Vec<(f64, f64)>,
}

/// A picture of lines over two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// The last part of its file name.
    pub name: String,
    /// The line above it.
    pub title: String,
    /// What runs to the right, with its unit.
    pub x_label: String,
    /// What runs upward, with its unit.
    pub y_label: String,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
    /// Whether the vertical axis is logarithmic.
    pub log_y: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// A plot that could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("plot '{plot}': {reason}")]
pub struct PlotError {
    /// The name of the plot.
    pub plot: String,
    /// What the drawing library said.
    pub reason: String,
}

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a, T = ()> = Result<T, DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

impl Plot {
    /// A plot without lines, on linear axes.
    pub fn new(name: &str, title: &str, x_label: &str, y_label: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            x_label: x_label.to_owned(),
            y_label: y_label.to_owned(),
            ..Self::default()
        }
    }

    /// The same plot with logarithmic axes where asked for.
    pub fn log(mut self, log_x: bool, log_y: bool) -> Self {
        (self.log_x, self.log_y) = (log_x, log_y);
        self
    }

    /// Adds a line.
    pub fn line(&mut self, label: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> &mut Self {
        self.series.push(Series { label: label.into(), points: points.into_iter().collect() });
        self
    }

    /// The plot as an SVG document.
    ///
    /// # Errors
    /// [`PlotError`] when the drawing library gives up; no content of the plot is known to make it do so.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let mut svg = String::new();
        let canvas = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let drawn =
            self.draw(&canvas).map_err(|error| PlotError { plot: self.name.clone(), reason: error.to_string() });
        // The document is completed when the canvas goes.
        drop(canvas);
        drawn.map(|()| svg)
    }

    fn draw<'a>(&self, canvas: &Canvas<'a>) -> Drawn<'a> {
        canvas.fill(&WHITE)?;
        let title = text_style(20).pos(Pos::new(HPos::Center, VPos::Top));
        canvas.draw(&Text::new(self.title.as_str(), (SIZE.0 as i32 / 2, 14), title))?;
        let (_, below) = canvas.split_vertically(44);
        let (chart, legend) = below.split_horizontally(SIZE.0 - self.legend_width());
        let lines = self.draw_chart(&chart)?;
        for (index, line) in lines.iter().enumerate() {
            draw_line(canvas, index, line)?;
            let every = line.len().div_ceil(MARKERS_PER_LINE).max(1);
            for &point in line.iter().step_by(every) {
                draw_marker(canvas, index, point)?;
            }
        }
        self.draw_legend(&legend)?;
        canvas.present()
    }

    /// Draws the axes and returns each series in pixels of the whole canvas.
    fn draw_chart<'a>(&self, area: &Canvas<'a>) -> Drawn<'a, Vec<Vec<(i32, i32)>>> {
        let shown: Vec<Vec<(f64, f64)>> = self.series.iter().map(|s| self.showable(s)).collect();
        let points = || shown.iter().flatten();
        let x = Axis::fitting(self.log_x, points().map(|p| p.0));
        let y = Axis::fitting(self.log_y, points().map(|p| p.1));
        let mut chart = ChartBuilder::on(area)
            .margin_left(12)
            .margin_right(20)
            .margin_bottom(8)
            .x_label_area_size(52)
            .y_label_area_size(76)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(self.x_label.as_str())
            .y_desc(self.y_label.as_str())
            .bold_line_style(RGBColor(205, 205, 205))
            .light_line_style(RGBColor(238, 238, 238))
            .axis_style(INK)
            .label_style((FONT, 13, &INK))
            .axis_desc_style((FONT, 15, &INK))
            .draw()?;
        let pixels = |line: &Vec<_>| line.iter().map(|p| chart.backend_coord(p)).collect();
        Ok(shown.iter().map(pixels).collect())
    }

    fn showable(&self, series: &Series) -> Vec<(f64, f64)> {
        let can_show = |p: &(f64, f64)| Axis::can_show(self.log_x, p.0) && Axis::can_show(self.log_y, p.1);
        series.points.iter().copied().filter(can_show).collect()
    }

    fn legend_width(&self) -> u32 {
        let labels = self.series.iter().map(|s| shortened(&s.label));
        match labels.map(|label| label.chars().count()).max() {
            Some(letters) if letters > 0 => LEGEND_TEXT as u32 + 10 + letters as u32 * LETTER_WIDTH,
            _ => 0,
        }
    }

    fn draw_legend<'a>(&self, area: &Canvas<'a>) -> Drawn<'a> {
        if self.legend_width() == 0 {
            return Ok(());
        }
        let style = text_style(13).pos(Pos::new(HPos::Left, VPos::Center));
        let room = (area.dim_in_pixel().1 as i32 / LEGEND_ROW - 2).max(0) as usize;
        for (index, series) in self.series.iter().take(room).enumerate() {
            let y = 12 + LEGEND_ROW * index as i32;
            let end = LEGEND_TEXT - 8;
            draw_line(area, index, &[(0, y), (end, y)])?;
            draw_marker(area, index, (end / 2, y))?;
            let at = (LEGEND_TEXT, y);
            area.draw(&Text::new(shortened(&series.label), at, style.clone()))?;
        }
        if self.series.len() > room {
            let at = (LEGEND_TEXT, 12 + LEGEND_ROW * room as i32);
            let more = format!("and {} more", self.series.len() - room);
            area.draw(&Text::new(more, at, style))?;
        }
        Ok(())
    }
}

fn text_style(size: u32) -> TextStyle<'static> {
    (FONT, size).into_font().transform(FontTransform::None).color(&INK)
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LEGEND_LETTERS {
        return label.to_owned();
    }
    label.chars().take(LEGEND_LETTERS - 1).chain(['…']).collect()
}

fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// The line of series number `index`.
fn draw_line<'a>(canvas: &Canvas<'a>, index: usize, points: &[(i32, i32)]) -> Drawn<'a> {
    canvas.draw(&PathElement::new(points, colour(index).stroke_width(2)))
}

/// A point of series number `index`.
fn draw_marker<'a>(canvas: &Canvas<'a>, index: usize, (x, y): (i32, i32)) -> Drawn<'a> {
    let corners = [(x - MARKER, y - MARKER), (x + MARKER, y + MARKER)];
    let colour = colour(index);
    match index % MARKERS {
        0 => canvas.draw(&Circle::new((x, y), MARKER, colour.filled())),
        1 => canvas.draw(&Rectangle::new(corners, colour.filled())),
        2 => canvas.draw(&TriangleMarker::new((x, y), MARKER + 2, colour.filled())),
        3 => canvas.draw(&Cross::new((x, y), MARKER, colour.stroke_width(2))),
        _ => {
            canvas.draw(&Circle::new((x, y), MARKER, WHITE.filled()))?;
            canvas.draw(&Circle::new((x, y), MARKER, colour.stroke_width(2)))
        }
    }
}
