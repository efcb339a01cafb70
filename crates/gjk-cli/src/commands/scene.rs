//! The scene that several commands take: its file, the SRDF file beside it, and where packages are.

use crate::printer::Printer;
use gjk_check::example;
use gjk_scene::{
    Affine, Attachment, LoadOptions, Scene, SceneError, Srdf, load_watched, read_srdf,
};
use std::path::{Path, PathBuf};

/// Reads a scene, or the built-in example where there is no file, and tells what was odd. Only a robot's SRDF file is read.
pub(super) fn read(
    scene: Option<&Path>,
    srdf: Option<&Path>,
    packages: &[(String, PathBuf)],
    printer: &mut Printer,
) -> Result<(Scene, Option<Srdf>), SceneError> {
    let scene = match scene {
        Some(path) => {
            let options = LoadOptions {
                packages: packages.iter().cloned().collect(),
                ..LoadOptions::default()
            };
            loaded(path, &options, printer)?
        }
        None => example::scene()?,
    };
    let srdf = match (srdf, &scene.robot) {
        (Some(path), Some(robot)) => Some(read_srdf(path, robot)?),
        _ => None,
    };
    let warnings = scene
        .warnings
        .iter()
        .chain(srdf.iter().flat_map(|srdf| &srdf.warnings));
    warnings.for_each(|warning| printer.warning(warning));
    Ok((scene, srdf))
}

fn loaded(path: &Path, options: &LoadOptions, printer: &mut Printer) -> Result<Scene, SceneError> {
    // How many files a scene names is not known before it is read.
    let reading = printer.count("meshes read");
    let loaded = load_watched(path, options, &|_| reading.inc(1));
    reading.finish_and_clear();
    loaded
}

/// Reads bodies that are put beside a robot, and tells what was odd. `allow` may name the robot's links.
fn beside(robot: &Scene, path: &Path, printer: &mut Printer) -> Result<Scene, SceneError> {
    let links = robot.robot.iter().flat_map(|robot| &robot.links);
    let options = LoadOptions {
        links: links.map(|link| link.name.clone()).collect(),
        ..LoadOptions::default()
    };
    let scene = loaded(path, &options, printer)?;
    scene
        .warnings
        .iter()
        .for_each(|warning| printer.warning(warning));
    Ok(scene)
}

/// Puts the bodies of `--scene FILE` around a robot.
pub(super) fn add_world(
    robot: &mut Scene,
    file: Option<&Path>,
    printer: &mut Printer,
) -> Result<(), SceneError> {
    let Some(file) = file else { return Ok(()) };
    let world = beside(robot, file, printer)?;
    robot.add_world(world, file)
}

/// Puts what `--attach` names onto a robot's links.
pub(super) fn attach(
    robot: &mut Scene,
    attachments: &[Attachment],
    touch: &[String],
    printer: &mut Printer,
) -> Result<(), SceneError> {
    for attachment in attachments {
        let held = beside(robot, &attachment.file, printer)?;
        robot.attach(held, attachment, touch)?;
    }
    Ok(())
}

/// Reads `LINK=FILE[@X,Y,Z[,ROLL,PITCH,YAW]]`: what a link carries, and where in the link's frame.
pub(super) fn attachment(text: &str) -> Result<Attachment, String> {
    const FORM: &str = "expected LINK=FILE, LINK=FILE@X,Y,Z or LINK=FILE@X,Y,Z,ROLL,PITCH,YAW";
    let (link, rest) = text.split_once('=').ok_or(FORM)?;
    let (file, pose) = match rest.rsplit_once('@') {
        Some((file, numbers)) => {
            let numbers: Result<Vec<f64>, _> = numbers.split(',').map(str::parse).collect();
            let numbers = numbers.map_err(|error| format!("{error} behind `@`: {FORM}"))?;
            if numbers.iter().any(|x| !x.is_finite()) {
                return Err(format!("a number behind `@` is not finite: {FORM}"));
            }
            let pose = match numbers[..] {
                [x, y, z] => Affine::from_translation([x, y, z]),
                [x, y, z, roll, pitch, yaw] => Affine {
                    translation: [x, y, z],
                    ..Affine::from_roll_pitch_yaw([roll, pitch, yaw])
                },
                _ => return Err(format!("{} numbers behind `@`: {FORM}", numbers.len())),
            };
            (file, pose)
        }
        None => (rest, Affine::IDENTITY),
    };
    if link.is_empty() || file.is_empty() {
        return Err(FORM.to_owned());
    }
    Ok(Attachment {
        link: link.to_owned(),
        file: PathBuf::from(file),
        pose,
    })
}

/// Reads `NAME=DIR`: where a package is.
pub(super) fn package(text: &str) -> Result<(String, PathBuf), String> {
    let (name, folder) = text.split_once('=').ok_or("expected NAME=DIR")?;
    if name.is_empty() || folder.is_empty() {
        return Err("expected NAME=DIR, both non-empty".to_owned());
    }
    Ok((name.to_owned(), PathBuf::from(folder)))
}
