//! Tables that are readable while they grow, and in a document.

/// A table in Markdown, filled up with blanks so that its columns align.
pub struct Table {
    widths: Vec<usize>,
    lines: Vec<String>,
}

impl Table {
    /// A table with these columns: a title, and how many characters its cells mostly have.
    pub fn new(columns: &[(&str, usize)]) -> Table {
        let mut table = Table {
            widths: columns
                .iter()
                .map(|(title, width)| title.chars().count().max(*width))
                .collect(),
            lines: Vec::new(),
        };
        let titles: Vec<String> = columns
            .iter()
            .map(|(title, _)| (*title).to_owned())
            .collect();
        table.print(&titles);
        let rules: Vec<String> = table
            .widths
            .iter()
            .map(|width| "-".repeat(*width))
            .collect();
        table.print(&rules);
        table
    }

    /// Adds a row and prints it.
    pub fn print(&mut self, cells: &[String]) {
        let mut line = String::from("|");
        for (cell, width) in cells.iter().zip(&self.widths) {
            let blanks = width.saturating_sub(cell.chars().count());
            line.push_str(&format!(" {cell}{} |", " ".repeat(blanks)));
        }
        println!("{line}");
        self.lines.push(line);
    }

    /// The table as it stands in a document.
    pub fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }
}
