//! Makes programs that end, over a few variables, with every statement, operator and conversion.

use std::fmt::Write;

/// The variables that expressions read and write, as far as they are declared.
const NAMES: [&str; 5] = ["a", "b", "c", "flag", "letter"];

pub struct Generator {
    random: fastrand::Rng,
    /// How many counters and labels there are.
    fresh: usize,
    /// The functions that may be called, with the numbers of their parameters.
    functions: Vec<usize>,
    loops: usize,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator {
            random: fastrand::Rng::with_seed(seed),
            fresh: 0,
            functions: Vec::new(),
            loops: 0,
        }
    }

    pub fn program(&mut self) -> String {
        let mut text = String::from(
            "int a = 3, b, c = -2; static _Bool flag; char letter = 'x';\nenum { LOW = -1, HIGH = 4 };\n",
        );
        for number in 0..self.random.usize(1..4) {
            let count = self.random.usize(0..3);
            let parameters: Vec<String> = (0..count).map(|it| format!("int p{it}")).collect();
            let list = if count == 0 {
                "void".to_owned()
            } else {
                parameters.join(", ")
            };
            let body = self.block(3);
            let reads: String = (0..count).map(|it| format!(" + p{it} % 5")).collect();
            let value = self.expression(1);
            let kind = ["int", "_Bool", "int"][self.random.usize(0..3)];
            writeln!(text, "{kind} f{number}({list}) {{ static int calls; calls++; {body} return {value}{reads} + calls; }}").unwrap();
            self.functions.push(count);
        }
        let body = self.block(4);
        writeln!(text, "int main(void) {{ int d = 1; {body}\nint check = a % 1000 + b % 100 * 3 + c % 100 * 7 + flag * 5 + letter + d; FINISH return 0; }}").unwrap();
        text
    }

    fn name(&mut self) -> &'static str {
        NAMES[self.random.usize(0..NAMES.len())]
    }

    fn number(&mut self) -> &'static str {
        ["a", "b", "c"][self.random.usize(0..3)]
    }

    fn constant(&mut self) -> String {
        match self.random.usize(0..9) {
            0 => "HIGH".to_owned(),
            1 => "'\\n'".to_owned(),
            2 => "0x7fff".to_owned(),
            3 => "2147483".to_owned(),
            _ => format!("({})", self.random.i32(-9..10)),
        }
    }

    fn divisor(&mut self) -> i32 {
        [-7, -2, -1, 1, 2, 3, 10][self.random.usize(0..7)]
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.bool() {
                true => self.constant(),
                false => self.name().to_owned(),
            };
        }
        let one = self.expression(depth - 1);
        match self.random.usize(0..24) {
            0..4 => {
                let operator =
                    ["+", "-", "<", "<=", "==", "!=", ">", ">="][self.random.usize(0..8)];
                format!("({one} {operator} {})", self.expression(depth - 1))
            }
            4 => format!("({} * {one})", self.random.i32(-3..4)),
            5 => format!("({one} / {})", self.divisor()),
            6 => format!("({one} % {})", self.divisor()),
            7 => format!("(!{one})"),
            8 => format!("(-{one})"),
            9 => format!("({one} && {})", self.expression(depth - 1)),
            10 => format!("({one} || {})", self.expression(depth - 1)),
            11 => format!(
                "({one} ? {} : {})",
                self.expression(depth - 1),
                self.expression(depth - 1)
            ),
            12 => format!("((_Bool) {one})"),
            13 => format!("({}++)", self.number()),
            14 => format!("(--{})", self.number()),
            15 => format!(
                "({} = {one})",
                ["a", "b", "c", "flag"][self.random.usize(0..4)]
            ),
            16 => format!("({} += {one})", self.number()),
            17 => format!("((char) ({one} % 100))"),
            18 => format!("({one}, {})", self.expression(depth - 1)),
            19 => format!("(flag{})", ["++", "--"][self.random.usize(0..2)]),
            // Of constants alone, the sanitizer says nothing.
            22 => format!("({} + 2147483600)", self.number()),
            20 | 21 if !self.functions.is_empty() => {
                let number = self.random.usize(0..self.functions.len());
                let arguments: Vec<String> = (0..self.functions[number])
                    .map(|_| self.expression(1))
                    .collect();
                format!("f{number}({})", arguments.join(", "))
            }
            _ => one,
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let count = self.random.usize(1..4);
        let inner: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        format!("{{ {} }}", inner.join(" "))
    }

    fn fresh(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn looped(&mut self, depth: usize) -> String {
        self.loops += 1;
        let body = self.block(depth - 1);
        self.loops -= 1;
        body
    }

    fn statement(&mut self, depth: usize) -> String {
        let condition = self.expression(1);
        if depth == 0 {
            return format!("{} = {condition} % 50;", self.number());
        }
        let own = self.fresh();
        match self.random.usize(0..14) {
            0 => format!(
                "if ({condition}) {} else {}",
                self.block(depth - 1),
                self.block(depth - 1)
            ),
            1 => format!(
                "for (int i{own} = 0; i{own} < 3; i{own}++) {}",
                self.looped(depth)
            ),
            2 => format!(
                "{{ int n{own} = 0; while (n{own}++ < 2 && {condition}) {} }}",
                self.looped(depth)
            ),
            3 => format!(
                "{{ int n{own} = 0; do {} while (++n{own} < 3 && {condition}); }}",
                self.looped(depth)
            ),
            4 => {
                let value = self.expression(1);
                let parts = [(); 3].map(|()| self.block(depth - 1));
                let [first, second, third] = parts;
                let ends = [(); 2].map(|()| ["break;", ""][self.random.usize(0..2)]);
                format!(
                    "switch ({value} % 4) {{ case 0: {first} {} default: {second} {} case -1 ... 1 - 2: case LOW - 1: {third} }}",
                    ends[0], ends[1]
                )
            }
            5 => format!(
                "{{ goto in{own}; if ({condition}) {{ {} in{own}: ; {} }} }}",
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
            6 => format!(
                "{{ int n{own} = 0; again{own}: ; {} if (n{own}++ < 2) goto again{own}; }}",
                self.statement(depth - 1)
            ),
            7 if self.loops > 0 => format!(
                "if ({condition}) {}",
                ["break;", "continue;"][self.random.usize(0..2)]
            ),
            8 => format!(
                "{{ int k{own} = {condition}; {{ int a = k{own}; {} b = a; }} }}",
                self.statement(depth - 1)
            ),
            9 => format!("letter = {condition} % 100;"),
            10 => format!("flag = {};", self.expression(2)),
            _ => format!("{} = {} % 50;", self.number(), self.expression(3)),
        }
    }
}
