//! How far runs are followed.

use super::super::graph::{ABSORBING, END, ERROR, Edge, Graph, Variable};
use super::super::syntax::Type;
use super::{Flows, NoRun, followed};
use crate::languages::source::Span;
use slabcert_certificates::term::{Operator, Sort, Symbol, Term};

/// A loop that counts to 3, and what comes after it.
fn counting(to: usize) -> Graph {
    let mut graph = Graph::new("main".into());
    graph.start = graph.location();
    let symbol = Symbol::new("x", Sort::Int);
    let x = Term::symbol(symbol.clone());
    graph.variables.push(Variable {
        symbol,
        local: None,
        initial: Some(0),
        of: Type::Int,
    });
    let is_less = Term::apply(Operator::Less, vec![x.clone(), Term::int(3)]).unwrap();
    let more = Term::apply(Operator::Add, vec![x, Term::int(1)]).unwrap();
    let edge = |number, to, guard, updates| Edge {
        number,
        from: ABSORBING,
        to,
        function: "main".into(),
        branch: "",
        span: Span::default(),
        guard: vec![guard],
        updates,
        arbitrary: Vec::new(),
        choices: Vec::new(),
        call: None,
    };
    graph.edges = vec![
        edge(0, ABSORBING, is_less.clone(), vec![(0, more)]),
        edge(1, to, is_less.not(), Vec::new()),
    ];
    graph
}

#[test]
fn a_run_is_followed_up_to_the_longest_one() {
    let fault = |to, longest| {
        let flows = Flows {
            whole: &[counting(to)],
            cleaned: &[Graph::new("main".into())],
            signals: Vec::new(),
        };
        followed(&flows, Vec::new(), longest).err()
    };
    assert_eq!(fault(ERROR, 4), None);
    assert_eq!(fault(ERROR, 3), Some(NoRun::TooLong));
    assert_eq!(fault(END, 4), Some(NoRun::Other));
}
