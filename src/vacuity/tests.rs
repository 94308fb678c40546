//! Which ranges a property rests on; what is vacuous is tested by runs of the program.

mod repairs {
    use crate::languages::slab::Slab;
    use crate::languages::source::Source;
    use crate::languages::{Language, Options};
    use crate::vacuity::ranges::of_proofs;

    #[track_caller]
    fn assert_rests_on(parts: &str, property: &str, ranges: &[&str]) {
        let text = format!("system s; {parts}");
        let Ok(system) = Slab
            .read(&Source::new("m.slab", &text), &Options::default())
            .map(|it| it.flat())
        else {
            panic!("a model that is read: {text}");
        };
        let properties = system.properties.iter();
        let chosen: Vec<_> = properties.filter(|it| it.name == property).collect();
        let found = of_proofs(&system, &chosen);
        let found: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(found, ranges);
    }

    #[test]
    fn a_range_of_what_a_property_reads_is_checked_with_it() {
        let model = "var n : 0..3 = 0; var m : 0..3 = 0; transition a do n := n + 1; transition b do m := m + 1; error p: n > 4;";
        assert_rests_on(model, "p", &["range:n"]);
        assert_rests_on(model, "range:m", &[]);
    }

    #[test]
    fn a_range_that_ends_runs_is_checked_though_the_property_does_not_read_it() {
        // Where `n` leaves its range, `m` stops growing.
        let model = "var n : 0..3 = 0; var m : int = 0; transition a do n := n + 1, m := m + 1; error p: m > 4;";
        assert_rests_on(model, "p", &["range:n"]);
        let model =
            "var n : 0..3 = 5; var m : int = 0; transition a do m := m + 1; error p: m > 4;";
        assert_rests_on(model, "p", &["range:n"]);
        let model =
            "var n : 0..3 = 3; var m : int = 0; transition a do m := m + 1; error p: m > 4;";
        assert_rests_on(model, "p", &[]);
    }

    #[test]
    fn ranges_are_followed_through_guards_values_relations_and_other_ranges() {
        let model = "var n, k : 0..3 = 0; var m : int = 0; transition a when n = 2 do m := m + 1; transition b do n := k; \
                     transition c do k := k + 1; error p: m > 4;";
        assert_rests_on(model, "p", &["range:n", "range:k"]);
        let model = "var n, k : 0..3 = 0; var m : int = 0; transition a do relation m' > n modifies {m}; transition b do havoc n; error p: m > 4;";
        assert_rests_on(model, "p", &["range:n"]);
        let model = "var n, k : 0..3 = 0; var m : int = 0; transition a do n := k, m := m + 1; transition b do k := k + 1; error p: m > 4;";
        assert_rests_on(model, "p", &["range:n", "range:k"]);
    }

    #[test]
    fn a_guard_that_says_the_same_as_a_range_hides_no_dependence() {
        let model = "var n : 0..3 = 0; var m : int = 0; transition a when n <= 3 do m := m + 1; transition b do n := n + 1; error p: m > 4;";
        assert_rests_on(model, "p", &[]);
        let model = "var n : 0..3 = 0; var m : int = 0; transition a when n <= 2 do m := m + 1; transition b do n := n + 1; error p: m > 4;";
        assert_rests_on(model, "p", &["range:n"]);
    }
}
