//! Types and declarators: what is read of them, and how the others are called.

use super::threads::{EVENTS, SIGNALS};
use super::{Meaning, Resolver, Type};
use crate::languages::c::constants;
use lang_c::ast;
use lang_c::span::Node;

pub(super) const POINTERS: &str = "pointers";
pub(super) const ARRAYS: &str = "arrays";
pub(super) const STRUCTURES: &str = "structures and unions";
pub(super) const FLOATS: &str = "floating-point numbers";
pub(super) const UNSIGNED: &str = "unsigned numbers";
pub(super) const LONG: &str = "numbers of type `long` or `short`";
pub(super) const BITS: &str = "operators on bits";
pub(super) const RECURSION: &str = "functions that call themselves";
pub(super) const PRODUCTS: &str = "products of variables";
pub(super) const DIVISORS: &str = "divisors that are not constant";
pub(super) const ATTRIBUTES: &str = "attributes that change what a declaration means";
/// Attributes that do not.
const HARMLESS: &[&str] = &[
    "access",
    "aligned",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cold",
    "const",
    "deprecated",
    "fallthrough",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "maybe_unused",
    "no_instrument_function",
    "noinline",
    "nonnull",
    "noreturn",
    "nothrow",
    "pure",
    "returns_nonnull",
    "sentinel",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
];
/// Attributes of functions that run although nothing calls them.
const RUNNING: &[&str] = &["constructor", "destructor"];
const VOLATILE: &str = "`volatile` and atomic variables";

/// A type that is declared: one that is read, or the word for those that are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    Read(Type),
    Refused(&'static str),
}

/// What stands before declarators.
#[derive(Clone, Copy)]
pub(super) struct Specified {
    pub of: Declared,
    pub is_typedef: bool,
    pub is_extern: bool,
    pub is_static: bool,
    /// Whether an attribute has a function run although nothing calls it.
    pub runs: bool,
}

/// What a declarator makes of the type before it.
pub(super) struct Shape {
    pub of: Declared,
    pub is_function: bool,
    /// Whether an attribute has the function run although nothing calls it.
    pub runs: bool,
}

/// What to write instead of a construct.
pub(super) fn way_out(what: &str) -> &'static str {
    match what {
        EVENTS | SIGNALS => "declare a global variable, and name it in the call that uses it",
        POINTERS | ARRAYS | STRUCTURES => "use variables of type `int`, one for each place",
        FLOATS | LONG | UNSIGNED => "use `int`, `char` or `_Bool`",
        BITS => "use arithmetic with constants, or `nondet_int()` for a value that may be any",
        VOLATILE => "write `nondet_int()` where the value may have changed",
        RECURSION => "use a loop",
        PRODUCTS | DIVISORS => {
            "make one of both a constant, or use `nondet_int()` for a result that may be any"
        }
        _ => "write it in another way, or `nondet_int()` for a value that may be any",
    }
}

/// The name that is declared, and what it is.
pub(super) fn declarator(
    declarator: &Node<ast::Declarator>,
    of: Declared,
) -> Option<(&Node<ast::Identifier>, Shape)> {
    let derived = derived(&declarator.node);
    let of = match &derived[..] {
        [] => of,
        [only] if is_function(only) => of,
        all if all.iter().all(is_array) => Declared::Refused(ARRAYS),
        _ => Declared::Refused(POINTERS),
    };
    let extensions = &declarator.node.extensions;
    let shape = Shape {
        of: match is_changed(extensions) {
            true => Declared::Refused(ATTRIBUTES),
            false => of,
        },
        is_function: derived.last().is_some_and(is_function),
        runs: has_attribute(extensions, |it| RUNNING.contains(&it)),
    };
    Some((name(&declarator.node)?, shape))
}

fn is_function(derived: &&ast::DerivedDeclarator) -> bool {
    matches!(
        derived,
        ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_)
    )
}

fn is_array(derived: &&ast::DerivedDeclarator) -> bool {
    matches!(derived, ast::DerivedDeclarator::Array(_))
}

/// The name that is declared.
pub(in crate::languages::c) fn name(
    declarator: &ast::Declarator,
) -> Option<&Node<ast::Identifier>> {
    match &declarator.kind.node {
        ast::DeclaratorKind::Abstract => None,
        ast::DeclaratorKind::Identifier(name) => Some(name),
        ast::DeclaratorKind::Declarator(inner) => name(&inner.node),
    }
}

fn derived(declarator: &ast::Declarator) -> Vec<&ast::DerivedDeclarator> {
    let mut all: Vec<_> = declarator.derived.iter().map(|it| &it.node).collect();
    if let ast::DeclaratorKind::Declarator(inner) = &declarator.kind.node {
        all.extend(derived(&inner.node));
    }
    all
}

/// The parameters of a function that is defined.
pub(in crate::languages::c) fn parameters(
    declarator: &Node<ast::Declarator>,
) -> impl Iterator<Item = &Node<ast::ParameterDeclaration>> {
    let found = derived(&declarator.node)
        .into_iter()
        .find_map(|it| match it {
            ast::DerivedDeclarator::Function(function) => Some(&function.node.parameters),
            _ => None,
        });
    found.into_iter().flatten()
}

/// Whether parameters are declared behind the parentheses, or there may be any number of them.
pub(super) fn is_old_style(definition: &ast::FunctionDefinition) -> bool {
    let derived = derived(&definition.declarator.node);
    let is_old = derived.iter().any(|it| match it {
        ast::DerivedDeclarator::KRFunction(names) => !names.is_empty(),
        ast::DerivedDeclarator::Function(it) => it.node.ellipsis == ast::Ellipsis::Some,
        _ => false,
    });
    is_old || !definition.declarations.is_empty()
}

impl<'a> Resolver<'a, '_> {
    pub(super) fn specifiers(
        &mut self,
        specifiers: &'a [Node<ast::DeclarationSpecifier>],
    ) -> Specified {
        let mut specified = Specified {
            of: Declared::Read(Type::Int),
            is_typedef: false,
            is_extern: false,
            is_static: false,
            runs: false,
        };
        let mut types = Vec::new();
        let mut is_shared = false;
        let mut is_odd = false;
        for specifier in specifiers {
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(it) => match it.node {
                    ast::StorageClassSpecifier::Typedef => specified.is_typedef = true,
                    ast::StorageClassSpecifier::Extern => specified.is_extern = true,
                    ast::StorageClassSpecifier::Static => specified.is_static = true,
                    // Threads here would share it.
                    ast::StorageClassSpecifier::ThreadLocal => is_odd = true,
                    ast::StorageClassSpecifier::Auto | ast::StorageClassSpecifier::Register => {}
                },
                ast::DeclarationSpecifier::TypeSpecifier(it) => types.push(it),
                ast::DeclarationSpecifier::TypeQualifier(it) => is_shared |= may_change(&it.node),
                ast::DeclarationSpecifier::Extension(all) => {
                    is_odd |= is_changed(all);
                    specified.runs |= has_attribute(all, |it| RUNNING.contains(&it));
                }
                ast::DeclarationSpecifier::Function(_)
                | ast::DeclarationSpecifier::Alignment(_) => {}
            }
        }
        specified.of = match is_odd {
            true => Declared::Refused(ATTRIBUTES),
            false => self.specified(&types, is_shared),
        };
        specified
    }

    /// The type of a cast or of `sizeof`.
    pub(super) fn type_name(&mut self, name: &'a Node<ast::TypeName>) -> Declared {
        let mut types = Vec::new();
        let mut is_shared = false;
        let mut is_odd = false;
        for specifier in &name.node.specifiers {
            match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(it) => types.push(it),
                ast::SpecifierQualifier::TypeQualifier(it) => is_shared |= may_change(&it.node),
                ast::SpecifierQualifier::Extension(all) => is_odd |= is_changed(all),
            }
        }
        let of = match is_odd {
            true => Declared::Refused(ATTRIBUTES),
            false => self.specified(&types, is_shared),
        };
        let derived = name.node.declarator.as_ref().map(|it| derived(&it.node));
        match derived.is_some_and(|it| !it.is_empty()) {
            true => Declared::Refused(POINTERS),
            false => of,
        }
    }

    fn specified(&mut self, types: &[&'a Node<ast::TypeSpecifier>], is_shared: bool) -> Declared {
        use ast::TypeSpecifier as Specifier;
        let mut found = None;
        let mut refused = None;
        for specifier in types {
            match &specifier.node {
                Specifier::Void => found = Some(Type::Void),
                Specifier::Char => found = Some(Type::Char),
                Specifier::Bool => found = Some(Type::Bool),
                Specifier::Int => found = found.or(Some(Type::Int)),
                Specifier::Signed => {}
                Specifier::Unsigned => refused = Some(UNSIGNED),
                Specifier::Short | Specifier::Long => refused = refused.or(Some(LONG)),
                Specifier::Float
                | Specifier::Double
                | Specifier::Complex
                | Specifier::TS18661Float(_) => {
                    refused = Some(FLOATS);
                }
                Specifier::Struct(_) => refused = Some(STRUCTURES),
                Specifier::Atomic(_) => refused = Some(VOLATILE),
                Specifier::TypeOf(_) => refused = Some("types like `typeof`"),
                Specifier::Enum(it) => {
                    self.enumeration(&it.node);
                    found = Some(Type::Int);
                }
                Specifier::TypedefName(name) => match self.meaning(&name.node.name) {
                    Some(Meaning::TypeName(Declared::Read(of))) => found = Some(*of),
                    Some(Meaning::TypeName(Declared::Refused(what))) => refused = Some(*what),
                    _ => refused = Some("types that only compilers know"),
                },
            }
        }
        if is_shared {
            refused = Some(VOLATILE);
        }
        match refused {
            Some(what) => Declared::Refused(what),
            None => Declared::Read(found.unwrap_or(Type::Int)),
        }
    }

    /// Declares the constants. One with a value that is not read is refused where it is used.
    fn enumeration(&mut self, enumeration: &'a ast::EnumType) {
        let mut next = Some(0_i64);
        for enumerator in &enumeration.enumerators {
            if let Some(expression) = &enumerator.node.expression {
                let outer = std::mem::replace(&mut self.is_quiet, true);
                let value = self.expression(expression);
                self.is_quiet = outer;
                next = value.ok().and_then(|it| constants::value(&it));
            }
            let meaning = match next.filter(|it| Type::Int.contains(*it)) {
                Some(value) => Meaning::Constant(value),
                None => Meaning::Refused("enumerations with values that are no constants of `int`"),
            };
            next = next.map(|it| it + 1);
            self.declare(&enumerator.node.identifier.node.name, meaning);
        }
    }
}

fn has_attribute(extensions: &[Node<ast::Extension>], is: impl Fn(&str) -> bool) -> bool {
    extensions.iter().any(|it| match &it.node {
        ast::Extension::Attribute(attribute) => is(attribute.name.node.trim_matches('_')),
        ast::Extension::AsmLabel(_) | ast::Extension::AvailabilityAttribute(_) => false,
    })
}

/// Whether attributes change what a declaration means.
pub(super) fn is_changed(extensions: &[Node<ast::Extension>]) -> bool {
    has_attribute(extensions, |it| !HARMLESS.contains(&it))
}

/// Whether others than the program may write what is qualified so.
fn may_change(qualifier: &ast::TypeQualifier) -> bool {
    matches!(
        qualifier,
        ast::TypeQualifier::Volatile | ast::TypeQualifier::Atomic
    )
}
