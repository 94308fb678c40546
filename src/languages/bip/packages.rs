//! The packages of a model: what one of them uses is found behind it in the same text, or in a file beside it.
//!
//! A package `a.b.c` is the file `a/b/c.bip` below a folder that follows from the place and the name of the model's own package. All
//! packages become one, in which the types of the others have long names (`a.b.c.T`). Invariant: in the one package, every name of a
//! type is that of a declaration, or of none at all.

use super::parser;
use super::syntax::{Data, ExternFunction, Name, Package};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::{MAXIMAL_SIZE, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The most packages of a model.
const MOST_PACKAGES: usize = 64;

/// All packages of a model as one.
pub(super) struct Merged {
    pub package: Package,
    /// Where the text of the others begins: positions there are not those of the model's own file.
    pub others: usize,
    /// The constants of each package, those first that others use.
    pub constants: Vec<Constants>,
}

/// The constants that a package declares, and those that it knows from others.
pub(super) struct Constants {
    /// What the names of the package's types begin with: nothing for the model's own.
    pub package: String,
    pub own: Vec<Data>,
    /// The packages that it uses, in order.
    pub uses: Vec<String>,
    /// The names of the constants of these.
    pub names: BTreeMap<String, Vec<String>>,
}

/// What the long name of a type begins with: the package that declares it; nothing for the model's own.
pub(super) fn prefix(type_name: &str) -> &str {
    type_name
        .rsplit_once('.')
        .map_or("", |(package, _)| package)
}

/// A model with the text of all packages that it uses.
///
/// # Errors
/// When a package is not found, or there are too many. Faults in what is there are left to those who read it.
pub(super) fn complete(mut source: Source) -> Result<Source, Diagnostics> {
    loop {
        let mut faults = Diagnostics::new(&source);
        let packages = parser::parse(&source, &mut faults);
        if !faults.is_empty() {
            return Ok(source);
        }
        let names: BTreeSet<&str> = packages.iter().map(name_of).collect();
        let mut uses = packages.iter().flat_map(|package| &package.uses);
        let Some(used) = uses.find(|used| !names.contains(&*used.text)) else {
            return Ok(source);
        };
        let fail = |category, message: String| {
            let fault = Diagnostic::new(category, used.span, message);
            Err(Diagnostics::of(&source, fault))
        };
        if packages.len() >= MOST_PACKAGES {
            let message = format!("a model has at most {MOST_PACKAGES} packages");
            return fail(Category::Unsupported, message);
        }
        let file = file_of(&source, packages.first().map_or("", name_of), &used.text);
        let other = match Source::read(&file) {
            Ok(other) => other,
            Err(error) => {
                let message = format!("the package `{}` is not found: {error}", used.text);
                return fail(Category::Name, message);
            }
        };
        if (source.text().len() + other.text().len()) as u64 >= MAXIMAL_SIZE {
            let message = format!("all packages are larger than {} MiB", MAXIMAL_SIZE >> 20);
            return fail(Category::Unsupported, message);
        }
        let mut own = Diagnostics::new(&other);
        let found = parser::parse(&other, &mut own);
        if own.is_empty() && found.first().map(name_of) != Some(&*used.text) {
            let message = format!(
                "`{}` is not the package `{}`, which should be there",
                file.display(),
                used.text
            );
            return fail(Category::Name, message);
        }
        source.append(&other);
    }
}

fn name_of(package: &Package) -> &str {
    package.name.as_ref().map_or("", |name| &name.text)
}

/// Where a package is, beside the model.
fn file_of(source: &Source, own: &str, used: &str) -> PathBuf {
    let beside = Path::new(source.name()).parent().unwrap_or(Path::new(""));
    // Up by the folders of the model's own name, as far as it lies in them.
    let mut folder = beside;
    for part in own.split('.').rev().skip(1) {
        match folder.parent() {
            Some(parent) if folder.file_name() == Some(OsStr::new(part)) => folder = parent,
            _ => {
                folder = beside;
                break;
            }
        }
    }
    let mut file = folder.to_path_buf();
    file.extend(used.split('.'));
    file.set_extension("bip");
    file
}

/// The kinds of types, each with names of its own.
#[derive(Clone, Copy)]
enum Kind {
    Port,
    Connector,
    Component,
}

/// What names mean in each package.
struct Scopes {
    names: Vec<String>,
    uses: Vec<Vec<usize>>,
    /// The types of each package, by their kinds.
    declared: Vec<[BTreeSet<Box<str>>; 3]>,
}

impl Scopes {
    /// Gives a name of a type, as it is used in a package, the name that it has among all packages.
    fn resolve(&self, package: usize, kind: Kind, name: &mut Name) {
        let (qualifier, last) = match name.text.rsplit_once('.') {
            Some((qualifier, last)) => (Some(qualifier), last),
            None => (None, &*name.text),
        };
        let known = std::iter::once(package).chain(self.uses[package].iter().copied());
        let mut known = known.filter(|it| qualifier.is_none_or(|wanted| self.names[*it] == wanted));
        if let Some(home) = known.find(|it| self.declared[*it][kind as usize].contains(last)) {
            name.text = self.long(home, last);
        }
    }

    fn long(&self, package: usize, name: &str) -> Box<str> {
        match package {
            0 => name.into(),
            _ => format!("{}.{name}", self.names[package]).into(),
        }
    }

    /// Gives all types of a package, and all that are named in it, their names among all packages.
    fn rename(&self, number: usize, package: &mut Package) {
        for port in &mut package.port_types {
            port.name.text = self.long(number, &port.name.text);
        }
        for connector in &mut package.connector_types {
            connector.name.text = self.long(number, &connector.name.text);
            let ports = connector.parameters.iter_mut().map(|(kind, _)| kind);
            let exported = connector.export.iter_mut().map(|it| &mut it.port_type);
            ports
                .chain(exported)
                .for_each(|name| self.resolve(number, Kind::Port, name));
        }
        for atom in &mut package.atom_types {
            atom.name.text = self.long(number, &atom.name.text);
            for port in atom.ports.iter_mut().flat_map(|it| &mut it.ports) {
                self.resolve(number, Kind::Port, &mut port.port_type);
            }
        }
        for compound in &mut package.compound_types {
            compound.name.text = self.long(number, &compound.name.text);
            for component in &mut compound.components {
                self.resolve(number, Kind::Component, &mut component.component_type);
            }
            for connector in &mut compound.connectors {
                self.resolve(number, Kind::Connector, &mut connector.connector_type);
            }
        }
    }

    /// The packages that a package needs, and itself, those first that others use. A cycle is a fault.
    fn order(&self, packages: &[Package], faults: &mut Diagnostics) -> Vec<usize> {
        let (mut sorted, mut is_done) = (Vec::new(), vec![false; packages.len()]);
        while sorted.len() < packages.len() {
            let ready = (0..packages.len())
                .find(|it| !is_done[*it] && self.uses[*it].iter().all(|used| is_done[*used]));
            let Some(ready) = ready else {
                let stuck = (0..packages.len()).filter(|it| !is_done[*it]);
                for used in stuck.flat_map(|it| packages[it].uses.first()) {
                    let message = "packages use each other in a cycle";
                    faults.push(Diagnostic::new(Category::Name, used.span, message));
                }
                return sorted;
            };
            is_done[ready] = true;
            sorted.push(ready);
        }
        sorted
    }
}

/// All packages as one; faults are added to `faults`.
pub(super) fn merged(mut packages: Vec<Package>, faults: &mut Diagnostics) -> Option<Merged> {
    let names: Vec<String> = packages.iter().map(|it| name_of(it).to_owned()).collect();
    for (number, package) in packages.iter().enumerate() {
        if let Some(name) = &package.name
            && names[..number].contains(&names[number])
        {
            let message = format!("the package `{}` stands twice", name.text);
            faults.push(Diagnostic::new(Category::Name, name.span, message));
        }
    }
    let number = |name: &Name| names.iter().position(|it| **it == *name.text);
    let uses = packages.iter().map(|it| it.uses.iter().filter_map(number));
    let scopes = Scopes {
        uses: uses.map(Iterator::collect).collect(),
        declared: packages.iter().map(declared).collect(),
        names: names.clone(),
    };
    let order = scopes.order(&packages, faults);
    if !faults.is_empty() {
        return None;
    }
    let of_package = |number: usize| if number == 0 { "" } else { &names[number] };
    let constants = order.into_iter().map(|number| Constants {
        package: of_package(number).to_owned(),
        own: packages[number].constants.clone(),
        uses: scopes.uses[number]
            .iter()
            .map(|it| names[*it].clone())
            .collect(),
        names: scopes.uses[number]
            .iter()
            .map(|it| {
                let own = packages[*it].constants.iter();
                let own = own.map(|data| data.name.text.to_string());
                (names[*it].clone(), own.collect())
            })
            .collect(),
    });
    let constants = constants.collect();
    for (number, package) in packages.iter_mut().enumerate() {
        scopes.rename(number, package);
    }
    let second = packages.get(1).and_then(|it| it.name.as_ref());
    let others = second.map_or(usize::MAX, |name| name.span.start as usize);
    let mut rest = packages.into_iter();
    let mut package = rest.next()?;
    for other in rest {
        let mut functions = other.functions;
        functions.retain(|it| !package.functions.iter().any(|known| is_same(known, it)));
        package.functions.extend(functions);
        package.port_types.extend(other.port_types);
        package.connector_types.extend(other.connector_types);
        package.atom_types.extend(other.atom_types);
        package.compound_types.extend(other.compound_types);
    }
    Some(Merged {
        package,
        others,
        constants,
    })
}

fn declared(package: &Package) -> [BTreeSet<Box<str>>; 3] {
    let ports = package.port_types.iter().map(|it| &it.name);
    let connectors = package.connector_types.iter().map(|it| &it.name);
    let atoms = package.atom_types.iter().map(|it| &it.name);
    let components = atoms.chain(package.compound_types.iter().map(|it| &it.name));
    [
        ports.map(|it| it.text.clone()).collect(),
        connectors.map(|it| it.text.clone()).collect(),
        components.map(|it| it.text.clone()).collect(),
    ]
}

/// Whether two packages declare the same function.
fn is_same(one: &ExternFunction, other: &ExternFunction) -> bool {
    one.name.text == other.name.text
        && one.result == other.result
        && one.arguments == other.arguments
}
