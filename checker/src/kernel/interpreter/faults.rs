//! Why runs are refused.

use slabcert_certificates::program::NoLockStep;
use slabcert_certificates::term::EvaluationError;

/// Why a run of the system is none of the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramFault {
    /// A conjunct of the initial condition does not hold.
    #[error("the first state is not initial: it violates {0}")]
    NotInitial(String),
    /// The program has no step of that name.
    #[error("there is no step `{0}`")]
    NoSuchStep(String),
    /// A process is elsewhere.
    #[error("`{0}` is not at the location that it leaves")]
    Elsewhere(String),
    /// A condition of the step does not hold.
    #[error("{0} does not hold")]
    Condition(String),
    /// It is not the turn of a process.
    #[error(transparent)]
    NoTurn(#[from] TurnFault),
    /// No command leads on.
    #[error("no command can be taken at `{0}`")]
    Stuck(String),
    /// A block ends elsewhere.
    #[error("the process gets to `{0}`")]
    OtherEnd(String),
    /// A variable is outside of its declared range: nothing is claimed of what happens then.
    #[error("`{0}` is outside of its range before the step")]
    OutsideRange(String),
    /// There was a race that is an error: nothing is claimed of what happens then.
    #[error("there was a race for `{0}` before the step")]
    AfterRace(String),
    /// A block has no such step.
    #[error(transparent)]
    NoLockStep(NoLockStep),
    /// An internal edge goes first.
    #[error("the internal edge `{0}` is enabled, and goes first")]
    GoesFirst(String),
    /// Another interaction blocks the one that happens.
    #[error("`{0}` is enabled, and blocks it")]
    Blocked(String),
    /// A variable has another value after the step.
    #[error("`{variable}` is {value} after the step")]
    OtherValue {
        /// The variable's name.
        variable: String,
        /// The value that it gets.
        value: String,
    },
    /// A formula has no value: the trace leaves something out.
    #[error(transparent)]
    NoValue(EvaluationError),
    /// The last state satisfies the property.
    #[error("the last state does not violate the property: {0}")]
    NoViolation(String),
}

/// Why a program is not followed: it has no such run, or nobody can tell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It has no such run.
    #[error(transparent)]
    Fault(#[from] ProgramFault),
    /// A formula has no value.
    #[error(transparent)]
    NoValue(#[from] EvaluationError),
}

/// Why a scheduler does not let something happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnFault {
    /// A thread is to go on that nothing has woken.
    #[error("`{0}` is not awake")]
    Asleep(String),
    /// A thread may run.
    #[error("`{0}` is awake, and goes first")]
    Awake(String),
    /// A thread has not come to where it waits.
    #[error("`{0}` is in the middle of its work")]
    Working(String),
    /// The controller does not wait, or not for that.
    #[error("`{0}` does not wait at a place where this can happen")]
    NotSimulating(String),
    /// Something takes effect with delay 0.
    #[error("`{0}` is put off to a delta cycle, which goes first")]
    DeltaWork(String),
    /// Nothing takes effect in a delta cycle.
    #[error("nothing is put off to a delta cycle")]
    NoDeltaWork,
    /// The simulation is not over.
    #[error("`{0}` is due before the simulation is over")]
    Due(String),
    /// Time has nothing to pass for.
    #[error("no event is due as long as the simulation lasts")]
    NothingDue,
}
