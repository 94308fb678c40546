//! Where bundles are made: next to their destination, so that one rename puts an accepted one in place.
//!
//! Invariant: what is not accepted never lies at the destination, and what is half-written goes away with the workspace.

use super::error::VerificationError;
use super::model::Model;
use slabcert_certificates::bundle::{
    BundleParts, ModelFile, WriteError, check_destination, complete_draft, move_bundle, write_draft,
};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::leftovers::{Unfinished, bequeath, inherit};
use slabcert_checker::bundle_obligations;
use std::path::{Path, PathBuf};

/// The folder in which the bundles of one run are made.
pub(super) struct Workspace {
    destination: Option<PathBuf>,
    unaccepted: Option<PathBuf>,
    scratch: Unfinished<tempfile::TempDir>,
    bundles: usize,
}

impl Workspace {
    /// A new folder. Bundles of no destination are made where the system keeps temporary files.
    ///
    /// # Errors
    /// When nothing can be put at the destination, or no folder can be made.
    pub fn new(
        destination: Option<&Path>,
        unaccepted: Option<&Path>,
    ) -> Result<Workspace, VerificationError> {
        let (folder, scratch) = match destination {
            None => (std::env::temp_dir(), Unfinished::make(tempfile::tempdir)),
            Some(wanted) => {
                let parent = check_destination(wanted)
                    .map_err(|error| VerificationError::Request(error.to_string()))?;
                let mut builder = tempfile::Builder::new();
                let scratch = Unfinished::make(|| builder.prefix(".slabcert.").tempdir_in(&parent));
                (parent, scratch)
            }
        };
        // Only the kind is told: the path in the error is that of a folder which the user never named.
        let scratch = scratch.map_err(|error| {
            VerificationError::System(format!(
                "no bundle can be written in `{}`: {}",
                folder.display(),
                error.kind()
            ))
        })?;
        Ok(Workspace {
            destination: destination.map(Path::to_owned),
            unaccepted: unaccepted.map(Path::to_owned),
            scratch,
            bundles: 0,
        })
    }

    /// Whether an accepted bundle is to stay.
    pub fn keeps_bundle(&self) -> bool {
        self.destination.is_some()
    }

    /// Writes the bundle of a certificate. The files of its obligations, of which there may be very many, are added when it is to stay.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn write(
        &mut self,
        model: &Model,
        certificate: &Certificate,
    ) -> Result<PathBuf, WriteError> {
        let directory = self.scratch.path().join(format!("bundle-{}", self.bundles));
        self.bundles += 1;
        let extension = model.language.extensions().first().copied();
        write_draft(
            &directory,
            &BundleParts {
                system: &model.system,
                system_text: model.is_flat().then(|| model.source.text()),
                program: model.program.as_ref(),
                certificate,
                model: Some(ModelFile {
                    extension: extension.unwrap_or("model"),
                    bytes: model.source.text().as_bytes(),
                }),
                // Times are known when all is done.
                statistics: &serde_json::json!({}),
                drawings: &[],
            },
        )?;
        Ok(directory)
    }

    /// Moves a bundle that was not accepted to where it can be looked at, if such a folder is given, with the files of its obligations:
    /// whoever looks for the fault can ask any solver.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn keep_unaccepted(&self, directory: &Path) -> Result<Option<PathBuf>, WriteError> {
        let Some(destination) = &self.unaccepted else {
            return Ok(None);
        };
        complete_draft(directory, bundle_obligations)?;
        move_bundle(directory, destination)?;
        Ok(Some(destination.clone()))
    }

    /// Sees to it that an accepted bundle gets to its destination as it is, if it is to stay, should the program end before it is published.
    pub fn bequeath(&self, directory: &Path) {
        let Some(destination) = self.destination.clone() else {
            return;
        };
        let directory = directory.to_owned();
        bequeath(destination.clone(), move || {
            // Nobody is left to be told why it cannot be done.
            let _ = move_bundle(&directory, &destination);
        });
    }

    /// Moves an accepted bundle to its destination, if it is to stay, and returns the path.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn publish(&self, directory: &Path) -> Result<Option<PathBuf>, WriteError> {
        if let Some(destination) = &self.destination {
            inherit(destination, || move_bundle(directory, destination))?;
        }
        Ok(self.destination.clone())
    }
}
