//! What `gjk acm`, `gjk path` and `gjk edges` do with certificates: write one, have it checked at once, or check one that is there.
//!
//! Where it sits: those commands hold [`ProofArgs`]; `robot_certificate.rs` reads and writes the files, `gjk-motion` makes and checks them.

use crate::check::files::{OutputFile, output_path};
use crate::exit::ExitStatus;
use crate::path::CheckedPath;
use crate::printer::Printer;
use crate::robot_certificate;
use gjk_check::parts::Body;
use gjk_motion::{
    CertificateChecked, CertificateObjection, LinkPath, PathSegment, RobotCertificate,
    SegmentAnswer, certificate_refusal, check_certificate, check_path_certificate,
};
use gjk_scene::{Scene, SceneError, SceneErrorKind, counted};
use std::path::{Path, PathBuf};

/// Options about certificates.
#[derive(Debug, clap::Args)]
pub struct ProofArgs {
    /// Write what proves the answers, for a checker (its layout: `gjk schema robot-certificate`); packed where FILE ends in `.gz`.
    #[arg(long, value_name = "FILE", value_parser = output_path)]
    pub(super) certificate: Option<PathBuf>,
    /// Prove all again by the checker of certificates, which shares nothing with the prover.
    #[arg(long)]
    pub(super) verify: bool,
    /// Prove nothing: check a certificate of this robot.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["certificate", "verify", "json"])]
    pub(super) check_certificate: Option<PathBuf>,
}

impl ProofArgs {
    /// Whether a certificate is made.
    pub(super) fn is_made(&self) -> bool {
        self.verify || self.certificate.is_some()
    }

    /// Sees before the long run whether the file can be written.
    pub(super) fn open(&self) -> Result<Option<OutputFile>, SceneError> {
        let file = self.certificate.as_deref();
        file.map(OutputFile::open).transpose()
    }

    /// Parts of which no certificate can speak, before the long run.
    pub(super) fn refuse(&self, scene: &Scene, file: &Path) -> Result<(), SceneError> {
        let is_asked = self.is_made() || self.check_certificate.is_some();
        match certificate_refusal(scene).filter(|_| is_asked) {
            None => Ok(()),
            Some(what) => {
                let help = "state it as meshes, boxes, balls, capsules, cylinders, cones, ellipsoids or hulls of points, in plain poses; \
                     or leave out --certificate and --verify";
                Err(SceneError::new(SceneErrorKind::Unsupported, what)
                    .with_file(file)
                    .with_help(help))
            }
        }
    }

    /// Writes a certificate, and has it checked, where that is asked.
    pub(super) fn certify(
        &self,
        made: impl FnOnce() -> RobotCertificate,
        check: impl FnOnce(&RobotCertificate) -> Result<CertificateChecked, CertificateObjection>,
        file: Option<&OutputFile>,
        printer: &mut Printer,
    ) -> Result<ExitStatus, SceneError> {
        if !self.is_made() {
            return Ok(ExitStatus::Success);
        }
        let made = made();
        if let Some(file) = file {
            let bytes = robot_certificate::write(file, &made)?;
            let path = file.path().display();
            printer.note(format!("wrote {path}: {bytes} bytes"));
        }
        if !self.verify {
            return Ok(ExitStatus::Success);
        }
        match check(&made) {
            Ok(checked) => {
                let lines = robot_certificate::checked_in_words(&checked);
                lines.iter().for_each(|line| printer.note(line));
                Ok(ExitStatus::Success)
            }
            Err(objection) => {
                printer.error(format!(
                    "a proof does not hold, which is a bug: {objection}"
                ));
                Ok(ExitStatus::Bug)
            }
        }
    }
}

/// Says what became of a file that was checked.
pub(super) fn told(
    found: Result<CertificateChecked, CertificateObjection>,
    printer: &mut Printer,
) -> ExitStatus {
    match found {
        Ok(checked) => {
            let lines = robot_certificate::checked_in_words(&checked);
            lines.iter().for_each(|line| printer.line(line));
            ExitStatus::Success
        }
        Err(objection) => {
            printer.line(format!("rejected: {objection}"));
            ExitStatus::Failure
        }
    }
}

/// Checks a certificate of all joint values, and proves nothing.
pub(super) fn check_ranges(
    file: &Path,
    (scene, bodies): (&Scene, &[Body]),
    printer: &mut Printer,
) -> Result<ExitStatus, SceneError> {
    let read = robot_certificate::read(file)?;
    let status = told(check_certificate(scene, bodies, &read), printer);
    if let Some(limits) = read.limits.filter(|_| status == ExitStatus::Success) {
        let joints: Vec<&str> = limits.joints.keys().map(String::as_str).collect();
        let own = match &joints[..] {
            [] => String::new(),
            joints => format!(", and ranges of its own for {}", joints.join(", ")),
        };
        printer.line(format!("within the {} limits{own}", limits.set));
    }
    Ok(status)
}

/// Segments that are asked about, and of what.
pub(super) struct AskedPath<'a, 'p> {
    pub(super) scene: &'a Scene,
    pub(super) bodies: &'a [Body],
    pub(super) path: &'a LinkPath<'p>,
    pub(super) segments: Vec<&'a PathSegment>,
    pub(super) clearance: f64,
}

impl AskedPath<'_, '_> {
    fn check(
        &self,
        certificate: &RobotCertificate,
    ) -> Result<CertificateChecked, CertificateObjection> {
        let of = (self.scene, self.bodies);
        let pairs = self.path.checked_pairs();
        check_path_certificate(of, &self.segments, pairs, self.clearance, certificate)
    }

    /// Checks a file, and proves nothing.
    pub(super) fn check_file(
        &self,
        file: &Path,
        printer: &mut Printer,
    ) -> Result<ExitStatus, SceneError> {
        let read = robot_certificate::read(file)?;
        let status = told(self.check(&read), printer);
        if status == ExitStatus::Success && self.clearance > 0.0 {
            printer.line(format!("with a clearance of {}", self.clearance));
        }
        Ok(status)
    }

    /// Writes what proves the answers, and has it checked, where that is asked.
    pub(super) fn certify(
        &self,
        args: &ProofArgs,
        paths: &[CheckedPath],
        file: Option<&OutputFile>,
        printer: &mut Printer,
    ) -> Result<ExitStatus, SceneError> {
        if !args.is_made() {
            return Ok(ExitStatus::Success);
        }
        let answers = paths.iter().flat_map(|path| &path.answer.segments);
        let segments = self.segments.iter().copied();
        let answered: Vec<(&PathSegment, &SegmentAnswer)> = segments.zip(answers).collect();
        if answered.len() < self.segments.len() || paths.iter().any(|path| path.answer.is_partial) {
            file.iter().for_each(|file| file.forget());
            printer.warning("stopped: there is no certificate");
            return Ok(ExitStatus::Failure);
        }
        let made = self.path.certificate(&answered)?;
        warn_of_open(&made, &answered, printer);
        args.certify(|| made, |made| self.check(made), file, printer)
    }
}

/// Tells of pairs whose trees were too large.
fn warn_of_open(
    made: &RobotCertificate,
    answered: &[(&PathSegment, &SegmentAnswer)],
    printer: &mut Printer,
) {
    let segments = made.path.iter().flat_map(|path| &path.segments);
    for (index, (proved, (_, answer))) in segments.zip(answered).enumerate() {
        let unproved = proved.open.len().saturating_sub(answer.open.len());
        if unproved > 0 {
            let pairs = counted(unproved, "pair is", "pairs are");
            printer.warning(format!(
                "segment {index}: {pairs} not in the certificate: its spans do not suffice; try a larger --spans"
            ));
        }
    }
}
